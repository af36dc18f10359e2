"""Observations and moves as numbers, for programs that learn: what each number means, and where it is.

A game declares for each field of its view what its numbers are (`Game.features`; None leaves a field out, because
others determine it); names, shapes and places follow from
the dtype of the view. A vector has the numbers of the view in the order of its record, seats counted from the viewer on
(the own seat is 0), each set of hexes as one number for each hex. Nothing that the view does not have can get into it.

>>> import spieltisch
>>> game = spieltisch.game("paris-connection")
>>> seen = game.start(seats=4, seed=7).observe(seat=2)
>>> depots = game.observation_spec["depot"]
>>> depots.kind, depots.shape, seen.vector[depots.places].tolist() == seen.view.depot
('count', (6,), True)
>>> game.action_spec.size == game.moves
True
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.lib.stride_tricks import as_strided

from spieltisch.core.suggestions import did_you_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spieltisch.core.game import Game
    from spieltisch.core.move_space import MoveSpace

FeatureKind = Literal["count", "category", "set", "scalar", "hex plane"]
MAX_NUMBER: Final = 2**15 - 1
"""The highest number of a field."""
BITS: Final = 64
VIEWER: Final = "viewer"
"""The field of a view that names the viewer, who is always seat 0 of a vector."""


class Meaning(msgspec.Struct, frozen=True):
    """The meaning of the numbers of a field.

    It is made by `count`, `category`, `seat_number`, `member_flags`, `scalar` or `hex_plane`. `low` and `high` are the
    bounds, `unit` is what is counted or named. Numbers from `seats_from` on name seats (None: none do). `player_axis`
    is the axis of the field with one entry for each seat; the fields of players need not name it.

    >>> category("phase", 2)
    Meaning(kind='category', low=0, high=2, unit='phase', seats_from=None, player_axis=None)
    """

    kind: FeatureKind
    low: int
    high: int
    unit: str
    seats_from: int | None = None
    player_axis: int | None = None


def count(unit: str, high: int = MAX_NUMBER, *, low: int = 0, player_axis: int | None = None) -> Meaning:
    """Return the meaning of a number of things.

    >>> count("locomotives", 255).high
    255
    """
    return Meaning("count", low, high, unit, player_axis=player_axis)


def scalar(unit: str, low: int = -MAX_NUMBER - 1, high: int = MAX_NUMBER) -> Meaning:
    """Return the meaning of a quantity that may also be negative, such as points.

    >>> scalar("points", -20, 80).low
    -20
    """
    return Meaning("scalar", low, high, unit)


def category(unit: str, high: int, *, low: int = 0, seats_from: int | None = None) -> Meaning:
    """Return the meaning of a number that names one of several things; -1 as `low`: or none.

    >>> category("company", 5, low=-1).kind
    'category'
    """
    return Meaning("category", low, high, unit, seats_from)


def seat_number(most_seats: int) -> Meaning:
    """Return the meaning of a number that names a seat, counted from the viewer on, or none (-1).

    >>> seat_number(4).low, seat_number(4).high
    (-1, 3)
    """
    return Meaning("category", -1, most_seats - 1, "seat", 0)


def member_flags(unit: str, player_axis: int | None = None) -> Meaning:
    """Return the meaning of a field that is 1 for each member of a set, otherwise 0.

    >>> member_flags("card").kind
    'set'
    """
    return Meaning("set", 0, 1, unit, player_axis=player_axis)


def hex_plane() -> Meaning:
    """Return the meaning of a set of hexes, one number for each of 256: 1 for its members, otherwise 0.

    >>> hex_plane().unit
    'hex'
    """
    return Meaning("hex plane", 0, 1, "hex")


class Feature(msgspec.Struct, frozen=True):
    """A feature of observations: a field of the view. `source` is its path in the view.

    `places` has the shape of the feature: the index of each of its numbers in the vector. `player_axis` is the axis
    with one entry for each seat, from the viewer on (None: there is none).
    """

    name: str
    shape: tuple[int, ...]
    kind: FeatureKind
    low: int
    high: int
    player_axis: int | None
    unit: str
    source: str
    seats_from: int | None
    places: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<Feature {self.name}, {self.shape_text}: {self.kind} {self.low} to {self.high}, {self.unit}>"

    @property
    def shape_text(self) -> str:
        """The shape in words, with the axis of the seats."""
        text = " × ".join(map(str, self.shape)) or "1"
        if self.player_axis is None:
            return text
        return f"{text}, by seat" if self.player_axis == 0 else f"{text}, axis {self.player_axis} by seat"


class SeatOrder(NamedTuple):
    """The conversion of a record into a vector for a viewer.

    It sets `vector[places] = numbers[sources]`, and the same for words of 64 bits.

    `seat_places` are the places of numbers that name seats, `seats_from` the number that names seat 0 there.
    """

    places: NDArray[np.int64]
    sources: NDArray[np.int64]
    word_places: NDArray[np.int64]
    word_sources: NDArray[np.int64]
    seat_places: NDArray[np.int64]
    seats_from: NDArray[np.int64]


class ObservationSpec(Mapping[str, Feature]):
    """The features of a game's observations, by name, in the order of the vector. `size` is the length of the vector.

    Raise TypeError if a game declares nothing for a field of its view, or for one that does not exist, or if a field
    is neither a 16-bit number nor a set of 64-bit words.
    """

    dtype: Final = np.dtype(np.int16)

    def __init__(self, game: Game) -> None:
        self._key, self._view = game.key, game.View
        self._orders: dict[tuple[int, int], SeatOrder] = {}
        declared = dict(game.features)
        self._left_out = {VIEWER, *(name for name in declared if declared[name] is None)}
        features: dict[str, list[Any]] = {}
        self.size = 0
        for name, index, _, field in _numbers(game.View):
            if name in self._left_out:
                declared.pop(name, None)
                continue
            width = BITS if field.itemsize == 8 else 1
            features.setdefault(name, []).append((index, self.size, width))
            self.size += width
        self._features: dict[str, Feature] = {}
        if unknown := [name for name in features if name not in declared]:
            raise TypeError(f"{game.key}: `features` says nothing about {', '.join(unknown)}")
        for name, parts in features.items():
            meaning = declared.pop(name)
            assert meaning is not None  # noqa: S101 - those without a meaning were left out
            shape = tuple(n + 1 for n in parts[-1][0])
            if meaning.kind == "hex plane":
                shape = (*shape[:-1], shape[-1] * BITS)
            places = np.array([at + i for _, at, width in parts for i in range(width)]).reshape(shape)
            places.setflags(write=False)
            axis = meaning.player_axis
            if name.startswith("players."):
                axis = 0
            self._features[name] = Feature(
                name, shape, meaning.kind, meaning.low, meaning.high, axis, meaning.unit, f"view.{name}",
                meaning.seats_from, places,
            )  # fmt: skip
        if declared:
            raise TypeError(f"{game.key}: `features` names {', '.join(declared)}, which no view has")

    def __getitem__(self, name: str) -> Feature:
        if name not in self._features:
            raise KeyError(f"{self._key} has no feature {name!r}{did_you_mean(name, self._features)}")
        return self._features[name]

    def __repr__(self) -> str:
        return f"<ObservationSpec {self._key}, {self.size} numbers: {', '.join(self)}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self._features)

    def __len__(self) -> int:
        return len(self._features)

    @property
    def low(self) -> NDArray[np.int16]:
        """The lowest value of each number of the vector."""
        return self._bounds("low")

    @property
    def high(self) -> NDArray[np.int16]:
        """The highest value of each number of the vector."""
        return self._bounds("high")

    def _bounds(self, which: str) -> NDArray[np.int16]:
        bounds = np.zeros(self.size, self.dtype)
        for feature in self.values():
            bounds[feature.places] = getattr(feature, which)
        return bounds

    def seat_order(self, record: np.dtype[Any], seats: int, viewer: int) -> SeatOrder:
        """Return how a record of the dtype, the view or a state with the same fields, becomes a vector for a viewer."""
        offsets = {(name, index): (at, field.itemsize) for name, index, at, field in _numbers(record)}
        order: tuple[list[int], ...] = tuple([] for _ in SeatOrder._fields)
        at = 0
        for name, index, _, _ in _numbers(self._view):
            if name in self._left_out:
                continue
            feature = self[name]
            axis = feature.player_axis
            if axis is not None and index[axis] < seats:
                index = (*index[:axis], (index[axis] + viewer) % seats, *index[axis + 1 :])
            source, size = offsets[name, index]
            wide = size == 8
            order[2 if wide else 0].append(at)
            order[3 if wide else 1].append(source // size)
            if feature.seats_from is not None:
                order[4].append(at)
                order[5].append(feature.seats_from)
            at += BITS if wide else 1
        return SeatOrder(*(np.array(numbers, np.int64) for numbers in order))

    def vector(self, data: bytes, seats: int, viewer: int | None) -> NDArray[np.int16]:
        """Return the vector of a view in bytes, for a viewer (None: a spectator, who counts from seat 0)."""
        first = viewer or 0
        order = self._orders.get((seats, first))
        if order is None:
            order = self._orders[seats, first] = self.seat_order(self._view, seats, first)
        vector = np.zeros(self.size, self.dtype)
        vector[order.places] = np.frombuffer(data, np.int16)[order.sources]
        if len(order.word_places):
            words = np.frombuffer(data, "<u8")[order.word_sources]
            bits = np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
            vector[order.word_places[:, None] + np.arange(BITS)] = bits
        named = vector[order.seat_places] - order.seats_from
        turned = (named - first) % seats + order.seats_from
        vector[order.seat_places] = np.where((named >= 0) & (named < seats), turned, vector[order.seat_places])
        return vector

    def split(self, vectors: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the features of one vector, or of many, by name: read-only views of the same memory, no copies.

        Raise ValueError for arrays whose last axis is no vector of this game.

        >>> import spieltisch
        >>> game = spieltisch.game("paris-connection")
        >>> seen = game.start(seats=4, seed=7).observe(seat=2)
        >>> features = game.observation_spec.split(seen.vector)
        >>> features["players.shares"].shape, features["depot"].tolist() == seen.view.depot
        ((6, 6), True)
        """
        if vectors.shape[-1:] != (self.size,):
            raise ValueError(f"vectors: the shape {vectors.shape} does not end with {self.size}")
        *leading, step = vectors.strides
        parts = {}
        for name, feature in self.items():
            first, places = int(feature.places.flat[0]), feature.places
            steps = [int(np.diff(places, axis=axis).flat[0]) if n > 1 else 0 for axis, n in enumerate(feature.shape)]
            strides = (*leading, *(step * n for n in steps))
            shape = (*vectors.shape[:-1], *feature.shape)
            parts[name] = as_strided(vectors[..., first:], shape, strides, writeable=False)
        return parts

    def table(self) -> str:
        """Return the features as a table in Markdown."""
        lines = ["| feature | shape | kind | bounds | unit |", "|---|---|---|---|---|"]
        for feature in self.values():
            high = f"{feature.high}" if feature.high < MAX_NUMBER else "…"
            low = f"{feature.low}" if feature.low >= -MAX_NUMBER else "…"
            lines.append(
                f"| `{feature.name}` | {feature.shape_text} | {feature.kind} | {low} to {high} | {feature.unit} |"
            )
        return "\n".join(lines)


def _numbers(
    dtype: np.dtype[Any], name: str = "", index: tuple[int, ...] = (), offset: int = 0
) -> Iterator[tuple[str, tuple[int, ...], int, np.dtype[Any]]]:
    """Yield the numbers of a record in its order: name of the field, index in it, offset in bytes, dtype."""
    for field in dtype.names or ():
        fields: Any = dtype.fields
        kind, at, *_ = fields[field]
        for n, item in enumerate(product(*map(range, kind.shape))):
            inside = offset + at + n * kind.base.itemsize
            path = f"{name}.{field}" if name else field
            if kind.base.names:
                yield from _numbers(kind.base, path, (*index, *item), inside)
            elif kind.base.str[1:] not in ("i2", "u8"):
                raise TypeError(f"{path} is {kind.base}: features are 16-bit numbers and sets of 64-bit words")
            else:
                yield path, (*index, *item), inside, kind.base


class ActionKind(msgspec.Struct, frozen=True):
    """A kind of move: its moves have the numbers from `first` on, one for each combination of its arguments.

    `arguments` are pairs of a name and the range of its values; the last varies fastest.
    """

    name: str
    first: int
    arguments: tuple[tuple[str, range], ...]

    @property
    def size(self) -> int:
        """The number of moves of this kind."""
        return math.prod(len(values) for _, values in self.arguments)


class ActionSpec(msgspec.Struct, frozen=True):
    """The move space of a game: `size` numbers, kind by kind."""

    size: int
    kinds: tuple[ActionKind, ...]

    def __repr__(self) -> str:
        return f"<ActionSpec, {self.size} moves: {', '.join(kind.name for kind in self.kinds)}>"

    @classmethod
    def of(cls, space: MoveSpace) -> ActionSpec:
        """Return the spec of a move space."""
        kinds: list[ActionKind] = []
        first = 0
        for kind in space.kinds:
            arguments = tuple((parameter.name, parameter.values) for parameter in kind.parameters)
            kinds.append(ActionKind(kind.name, first, arguments))
            first += kinds[-1].size
        return cls(first, tuple(kinds))

    def table(self) -> str:
        """Return the kinds as a table in Markdown."""
        lines = ["| numbers | kind | arguments |", "|---|---|---|"]
        for kind in self.kinds:
            arguments = ", ".join(f"{name} {values.start} to {values.stop - 1}" for name, values in kind.arguments)
            numbers = f"{kind.first} to {kind.first + kind.size - 1}" if kind.size > 1 else f"{kind.first}"
            lines.append(f"| {numbers} | {kind.name} | {arguments} |")
        return "\n".join(lines)


def tables(games: Sequence[Game]) -> str:
    """Return the tables of several games, as `docs/environments.md` shows them."""
    parts = []
    for game in games:
        spec, actions = game.observation_spec, game.action_spec
        parts += [f"### {game.title.en}: {spec.size} numbers", spec.table(), f"{actions.size} moves:", actions.table()]
    return "\n\n".join(parts) + "\n"
