"""The contract between a game and the rest of the program.

A game is a folder: records (`state.py`, `params.py`), rules as functions over them (`rules/`), its moves (`moves.py`),
the reasons for which they are refused (`refusals.py`), its events (`log.py`), its drawing, its pages and its
catalogues. It subclasses `Game` and provides what is declared here; table, lobby, refusals, replay, records, bots and
simulation need no more. `spieltisch.testing.check_game` checks that a game keeps the contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypedDict

import msgspec
import numpy as np

from spieltisch.core import documents, registry, twin
from spieltisch.core.arguments import require_int
from spieltisch.core.calibration import ShrinkageTable
from spieltisch.core.components import Check, ComponentFile, Components
from spieltisch.core.components import read as read_components
from spieltisch.core.documents import Codec
from spieltisch.core.engine import Engine
from spieltisch.core.errors import OptionError, Refusal
from spieltisch.core.events import EventKinds, GameEvent
from spieltisch.core.features import ActionSpec, Meaning, ObservationSpec
from spieltisch.core.game_drawing import Drawing
from spieltisch.core.game_texts import GameTexts
from spieltisch.core.move_space import MoveSpace
from spieltisch.core.moves import Move, MoveWord
from spieltisch.core.options import Option as Option
from spieltisch.core.options import OptionValue as OptionValue
from spieltisch.core.piece_totals import PieceTotals
from spieltisch.core.reasons import Reasons
from spieltisch.core.rules import Rules
from spieltisch.core.setup import Setup
from spieltisch.core.suggestions import did_you_mean
from spieltisch.core.words import Message, Name

if TYPE_CHECKING:
    from spieltisch.core.chance import Rng
    from spieltisch.core.observation import Observation
    from spieltisch.core.position import Position


MAX_SETUPS = 64
"""Number of setups that a game caches. Tables with the same components and options share one."""


class StartArguments(TypedDict, total=False):
    """The arguments of `Game.start` that every game has."""

    seed: SupportsIndex | None
    secret: bytes | None
    components: Components[ComponentFile] | None
    drew: Sequence[str] | None


class GameInfo(msgspec.Struct, frozen=True):
    """Facts for the lobby: a sentence, the range of playing times in minutes, and the weight from 1 (light) to 3.

    >>> from spieltisch.core.words import message
    >>> GameInfo(message("Bid in secret for thirteen prizes."), minutes=(5, 15), weight=1).weight
    1
    """

    sentence: Message
    minutes: tuple[int, int]
    weight: int


class Game(GameTexts, PieceTotals, ABC):
    """A game. Subclasses set the attributes and override the methods in the second part.

    >>> import spieltisch
    >>> game = spieltisch.game("paris-connection")
    >>> game.key, str(game.title), game.seats, [option.name for option in game.options]
    ('paris-connection', 'Paris Connection', range(3, 7), ['cut_off', 'stations', 'standstill', 'memory_aid'])
    """

    key: str
    title: Name
    about: GameInfo | None = None
    seats: range
    options: tuple[Option, ...] = ()
    evaluation_per_point: int = 1
    """The amount of the evaluation that equals one point."""
    calibration: ShrinkageTable = ()
    """The shrinkage of chances from playouts towards even; `python -m bench.calibration` measures it."""
    search_params: Mapping[str, float] = MappingProxyType({})
    """The parameters of a search (`spieltisch.bots.search.searcher.SearchParams`) that `bench.tuning` has found."""
    traits: Mapping[str, Callable[[Observation, Move], float]] = MappingProxyType({})
    """The traits of moves that styles of bots refer to: functions of what the seat sees and a move."""
    styles: Mapping[str, Mapping[str, float]] = MappingProxyType({})
    """For each style of a bot (`spieltisch.bots.styles.STYLES`), the weights of traits, in points."""
    remarks: Mapping[str, Callable[[Observation, Observation, Move], int | None]] = MappingProxyType({})
    """Moments on which bots remark, as spectators see a move: functions that return the seat concerned, or None."""
    folder: Path
    """The folder with `components.toml`, `pages/` and `locale/`."""
    rules: Rules
    rule_names: Mapping[int, str]
    """The names of the rules by the numbers that `ended_by` contains."""
    space: MoveSpace
    """The kinds of move; see `spieltisch.core.move_space`."""
    reasons: Reasons
    """The reasons for which moves are refused; see `spieltisch.core.reasons`."""
    events: EventKinds
    """The kinds of event; see `spieltisch.core.events`."""
    has_hidden_information: bool = True
    """True if a seat may know something that another seat does not."""
    moves_reveal: bool = True
    """True if a move may show its own seat hidden information, other than draws, while the game runs.

    If no move does, this need not be tested after every move. `check_game` checks the value.
    """
    features: Mapping[str, Meaning | None] = MappingProxyType({})
    """The meaning of the numbers of each field of `View`; see `spieltisch.core.features`."""
    seat_traits: Mapping[str, Callable[[Setup, Any, int], str]] = MappingProxyType({})
    """The traits that tell seats apart in reports, such as teams: functions of the setup, the last state and a seat."""
    first_hand_location: int | None = None
    """The number, in MOVED events, of the place that holds the pieces of seat 0; the other seats follow.

    None if no seat holds pieces.
    """
    Contents: type[ComponentFile]
    """The Struct of the component file."""
    checks: Sequence[Iterable[Check[Any]]] = ()
    """Checks of component files beyond their form, in stages; see `spieltisch.core.components.read`."""
    State: np.dtype[Any]
    View: np.dtype[Any]
    Params: np.dtype[Any]
    Work: np.dtype[Any]

    def __init__(self, *, compiled: bool = False) -> None:
        self.compiled = compiled
        self._setups: dict[Any, Setup] = {}

    def __repr__(self) -> str:
        return f"<Game {self.key}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_game, (type(self), self.compiled)

    @cached_property
    def engine(self) -> Engine:
        """The rules, bound for plain or compiled play."""
        return Engine(self, compiled=self.compiled)

    @cached_property
    def components(self) -> Components[Any]:
        """The components that come with the game."""
        return self.read_components(self.folder / "components.toml")

    @property
    def moves(self) -> int:
        """The size of the move space."""
        return self.space.size

    @cached_property
    def observation_spec(self) -> ObservationSpec:
        """The features of `Observation.vector`. Raise TypeError if `features` does not fit `View`."""
        return ObservationSpec(self)

    @cached_property
    def action_spec(self) -> ActionSpec:
        """The kinds of move and the numbers of their moves."""
        return ActionSpec.of(self.space)

    @property
    def drawing(self) -> Drawing | None:
        """The drawing of the game; None if it has none."""
        return None

    def setup(
        self, seats: SupportsIndex, components: Components[ComponentFile] | None = None, **options: OptionValue
    ) -> Setup:
        """Return the setup for these seats, components and options; see `Setup`.

        Raise OptionError for a number of seats, an option or a value that the game does not have, and ComponentsError
        for invalid components.

        >>> import spieltisch
        >>> spieltisch.game("paris-connection").setup(seats=3, cut_off="weak")
        <Setup paris-connection, 3 seats>
        """
        try:
            seats = require_int("seats", seats)
        except TypeError as error:
            raise OptionError(f"{error}") from error
        if seats not in self.seats:
            raise OptionError(f"seats: {seats} is not from {self.seats.start} to {self.seats.stop - 1}")
        offered = {option.name: option for option in self.options}
        for name in options:
            if name not in offered:
                known = ", ".join(offered) or "none"
                raise OptionError(f"{name}: {self.key} has no such option; it has {known}{did_you_mean(name, offered)}")
        chosen_options = {name: option.chosen(options.get(name, option.default)) for name, option in offered.items()}
        chosen = components or self.components
        key = (chosen.digest, seats, tuple(chosen_options.values()))
        setup = self._setups.get(key)
        if setup is None:
            setup = Setup(self, chosen, seats, chosen_options)
            if len(self._setups) >= MAX_SETUPS:
                self._setups.clear()
            self._setups[key] = setup
        return setup

    def start(
        self,
        seats: SupportsIndex,
        *,
        seed: SupportsIndex | None = None,
        secret: bytes | None = None,
        components: Components[ComponentFile] | None = None,
        drew: Sequence[str] | None = None,
        **options: OptionValue,
    ) -> Position:
        """Return a new game. `seed` (a number) or `secret` (32 bytes, as at a table) determines all draws.

        Without either, the seed is random. Raise OptionError, ComponentsError, DrawError.

        >>> import spieltisch
        >>> spieltisch.game("paris-connection").start(seats=4, seed=7).seats
        4
        """
        from spieltisch.core.position import Position

        setup = self.setup(seats, components, **options)
        return Position.start(setup, seed=seed, secret=secret, drew=drew)

    def position(self, document: Mapping[str, object]) -> Position:
        """Return the position that a document (`Position.document`) describes. Raise DocumentError.

        >>> import spieltisch
        >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
        >>> position.setup.game.position(position.document()) == position
        True
        """
        from spieltisch.core.position import Position

        return Position.from_document(self, document)

    # --- Methods that a game overrides. ---

    def read_components(self, source: str | Path) -> Components[Any]:
        """Return the components in a TOML text or file, checked. Raise ComponentsError, which names the lines.

        >>> import spieltisch
        >>> game = spieltisch.game("paris-connection")
        >>> game.read_components(game.components.text).digest == game.components.digest
        True
        """
        return read_components(source, self.Contents, *self.checks)

    def board(self, components: Components[Any]) -> Any:
        """Return the components as rules, moves and drawing need them. The default returns the contents of the file."""
        return components.contents

    def params(self, board: Any, seats: int, options: Mapping[str, Any]) -> Any:
        """Return the twin of `Params`.

        By default, each field contains the value of the same name in the component file, in a table or outside, or
        among the options. A choice that is not a number is given by its index, from 0.
        """
        values: dict[str, Any] = {"seats": seats}
        for option in self.options:
            chosen, choices = options[option.name], [value for value, _ in option.choices]
            values[option.name] = int(chosen) if isinstance(chosen, int) else choices.index(chosen)
        tables = [getattr(board, name) for name in board.__struct_fields__]
        for table in (board, *(item for item in tables if isinstance(item, msgspec.Struct))):
            values = {name: getattr(table, name) for name in table.__struct_fields__} | values
        return twin.from_mapping(self.Params, values)

    def words(self, setup: Setup, number: int) -> tuple[MoveWord, ...]:
        """Return the words of the move with this number; an empty tuple if this board has no such move."""
        return self.space.words(setup, number)

    def parts(self, number: int) -> tuple[str, tuple[int, ...]]:
        """Return the kind of the move with this number, and its arguments."""
        return self.space.args(number)

    def alternative_phrasings(self, setup: Setup, number: int) -> tuple[tuple[MoveWord, ...], ...]:
        """Return the same words in other orders, for players who choose a move word by word.

        A pair, for example, may begin with either of its two. The text of the move remains the one that `words` gives.
        """
        return self.space.phrasings(setup, number)

    def refusal(self, code: int, observation: Observation, move: Move) -> Refusal:
        """Return the reason with this code as it is shown to the seat that sees this observation."""
        return self.reasons.refusal(code, observation, move)

    def log(self, setup: Setup, events: Sequence[GameEvent], viewer: int | None) -> list[Message]:
        """Return the log messages about the events for a viewer (None: a spectator)."""
        return self.events.sentences_for(setup, events, viewer)

    @abstractmethod
    def prompt(self, observation: Observation) -> Message:
        """Return the request to the seat to move."""

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        """Return the text of every draw code, in order; empty for a game without chance."""
        return ()

    def point_source_ids(self, setup: Setup) -> Sequence[str]:
        """Return the ids of the sources of points, by their numbers in POINTS events."""
        return ()

    def imagine(self, observation: Observation, chance: Rng) -> Any:
        """Return a twin of `State` that fits all that the viewer knows, drawn from the exact distribution.

        The kernel sets `rng`. A game without secrets, whose view is the state itself, need not override this.
        """
        return twin.common_fields(self.View, self.State, observation.view)

    def document_form(self, setup: Setup) -> Codec:
        """Return the codec for the fields of the state; see `spieltisch.core.documents`."""
        return documents.default_codec(self.State, setup.seats, self.rule_names)

    def document(self, position: Position) -> dict[str, Any]:
        """Return the state in the terms of the game, as JSON."""
        document: dict[str, Any] = position.setup.document_form.describe(position.state)
        return document

    def restore(self, setup: Setup, document: Mapping[str, Any]) -> Any:
        """Return the plain twin of `State` that a position document describes.

        Recompute the fields that the document leaves out. Raise DocumentError, which names the field.
        """
        s = twin.new(self.State)
        s.seats = setup.seats
        return setup.document_form.restore(s, document)

    @abstractmethod
    def ending_text(self, observation: Observation) -> Message:
        """Return the reason for which the game in the observation has ended."""

    def draw_visible(self, setup: Setup, number: int, seat: int | None, index: int, viewer: int | None) -> bool:
        """Return True if the viewer may know draw `index` of move `number` while the game runs.

        `seat` made the move; the set-up has the number 0 and no seat.
        """
        return True

    def move_visibility(
        self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int, viewer: int | None
    ) -> Literal[True] | Message:
        """Return True if the viewer may know move `index` of `plays`, otherwise the message shown instead of it.

        `plays` are pairs of seat and move. This is called again after every move, since a move may be shown later, and
        only while the game runs; afterwards all moves are shown. Viewers who have always seen the same must get the
        same result for every move, and a seat always knows its own moves.
        """
        return True

    def knows_points(self, observation: Observation, seat: int) -> bool:
        """Return True if the viewer can know the points of this seat."""
        return True

    def winners(self, points: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """Return the winning seats: those with the most points, unless the game breaks ties."""
        return tuple(seat for seat, total in enumerate(points) if total == max(points))

    def needs_confirmation(self, observation: Observation, move: Move) -> bool:
        """Return True if a legal move is shown before it is played, although it could be undone.

        This is for moves with large effects. Moves that draw or pass the decision are shown in any case.
        """
        return False

    def between_turns(self, observation: Observation) -> bool:
        """Return True if the decision belongs to no turn, such as a reward that several seats choose in succession.

        Pages then name the seat that decides and do not speak of turns. The observation is that of a spectator.
        """
        return False

    def start_turn_of(self, state: Any, seat: int) -> bool:
        """Advance the state to the start of this seat's next turn, as if the other seats had passed theirs.

        `state` is a twin (see `spieltisch.core.twin`) and is changed in place; turns are planned from it. Return False,
        with the state unchanged, if the turn cannot start like this. The caller then plays moves for the other seats
        until the seat's turn begins.
        """
        return False

    def hides_move(self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int) -> bool:
        """Return True if pages of a running game no longer show move `index` of `plays` (pairs of seat and move)."""
        return False


@cache
def _restore_game(kind: type[Game], compiled: bool) -> Game:
    """Return an unpickled game: the shared instance if the game is installed here, otherwise a new one."""
    shared = registry.game(kind.key, compiled=compiled) if kind.key in registry.game_modules() else None
    return shared if type(shared) is kind else kind(compiled=compiled)
