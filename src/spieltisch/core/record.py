"""Records: a game as text, to store, send, replay and verify.

```
spieltisch record 1
game: paris-connection
version: 0.1.0
components: france-1 3f2a...
seats: 3
options: {"cut_off": "strict", "memory_aid": true}
players: ["Ada", "Grace", "Mary"]
seed: 7                                   (or secret: hex; and commitment: hex, also while the game runs)
drew: red, blue, ...                      (the set-up; "?" where the viewer may not know)
study: {"move": 12, "seat": 2, "table": "..."}   (the game it continues, in a state that this seat could imagine)
state: {...}                              (then the first state, as in documents; nothing was set up)
result: {"ended_by": "P15", "scores": [31, 12, 40], "winners": [3]}
digest: 91bc...                           (of the last position)

1 seat 2: build red Lyon 2 seat 2: done ```

A move that drew is followed by ` | drew a, b`. A replay uses the draws alone; with seed or secret they are checked
against it. The record of a running game belongs to a viewer and contains neither seed nor secret. A draw that the
viewer may not know is "?", and so is a whole move together with its draws: the record can be replayed up to the first
of them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Self, SupportsIndex

import msgspec

from spieltisch.core.arguments import require_int
from spieltisch.core.chance import commitment
from spieltisch.core.components import Components, ComponentsError
from spieltisch.core.errors import RecordError
from spieltisch.core.position import Position
from spieltisch.core.record_text import RecordedMove as RecordedMove
from spieltisch.core.record_text import read_move, read_secret, read_value, shortened, write_json
from spieltisch.core.replaced_files import replace_text
from spieltisch.core.setup import Setup

FIRST_LINE = "spieltisch record 1"
HIDDEN = "?"
MAX_RECORD_LENGTH = 4_000_000
"""The longest record that is read, in characters."""
MAX_LINE_LENGTH = 100_000
"""The longest line of a record, in characters. The longest one that is written contains the draws of a set-up."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A game as text. `Record.of` makes it; `Record.read` and `Record.parse` read it.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=7)
    >>> played = position.play(position.legal_moves[0])
    >>> record = Record.of(position, [RecordedMove(played.seat, played.move.text)], seed=7)
    >>> Record.parse(record.text) == record, record.replay().digest() == position.digest()
    (True, True)
    """

    game: str
    version: str
    components: str
    components_digest: str
    seats: int
    options: dict[str, Any]
    players: tuple[str, ...] = ()
    seed: int | None = None
    secret: str | None = None
    commitment: str | None = None
    viewer: str | None = None
    drew: tuple[str, ...] = ()
    what_if: dict[str, str | int] | None = None
    state: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    digest: str | None = None
    moves: tuple[RecordedMove, ...] = ()

    @classmethod
    def of(
        cls,
        position: Position,
        plays: Sequence[RecordedMove],
        *,
        players: Sequence[str] = (),
        seed: SupportsIndex | None = None,
        secret: bytes | None = None,
        viewer: SupportsIndex | Literal["all"] | None = "all",
        study: dict[str, str | int] | None = None,
        state: dict[str, Any] | None = None,
    ) -> Self:
        """Return the record of a game that has reached `position` by `plays`.

        While the game runs at a table, `viewer` (a seat, or None for a spectator) must be given: draws and moves that
        the viewer may not know are hidden, seed and secret are left out. "all" hides nothing and is for simulations.
        `study` names the game that this one continues if it began with a `state`, which is left out where it would
        reveal secrets.
        """
        setup, outcome = position.setup, position.outcome
        viewer_seat = None if viewer is None or viewer == "all" else require_int("viewer", viewer)
        hides = outcome is None and (viewer is None or viewer_seat is not None)
        drew = position.setup_draws
        shown_plays = tuple(plays)
        if hides:
            drew = _known_draws(setup, 0, None, drew, viewer_seat)
            shown_plays = _known_moves(setup, shown_plays, viewer_seat)
        result = None
        if outcome is not None:
            winners = [winner + 1 for winner in outcome.winners]
            result = {"ended_by": outcome.ended_by, "scores": position.scores, "winners": winners}
        return cls(
            game=setup.game.key,
            version=_version(),
            components=setup.components.name,
            components_digest=setup.components.digest,
            seats=setup.seats,
            options=dict(setup.options),
            players=tuple(players),
            seed=None if hides or seed is None else require_int("seed", seed),
            secret=secret.hex() if secret is not None and not hides else None,
            commitment=commitment(secret) if secret is not None else None,
            viewer=None if not hides else ("spectator" if viewer_seat is None else f"seat {viewer_seat + 1}"),
            drew=drew,
            what_if=study,
            state=None if hides and setup.game.has_hidden_information else state,
            result=result,
            digest=None if hides else position.digest(),
            moves=shown_plays,
        )

    # --- Text. ---

    def __repr__(self) -> str:
        return f"<Record {self.game}, {self.seats} seats, {len(self.moves)} moves>"

    @property
    def text(self) -> str:
        """The record as text; `Record.parse` reads it."""
        lines = [FIRST_LINE, f"game: {self.game}", f"version: {self.version}"]
        lines.append(f"components: {self.components} {self.components_digest}")
        lines.append(f"seats: {self.seats}")
        lines.append(f"options: {write_json(self.options)}")
        for name, value in (
            ("players", write_json(list(self.players)) if self.players else None),
            ("seed", self.seed),
            ("secret", self.secret),
            ("commitment", self.commitment),
            ("viewer", self.viewer),
            ("drew", ", ".join(self.drew) if self.drew else None),
            ("study", write_json(self.what_if) if self.what_if is not None else None),
            ("state", write_json(self.state) if self.state is not None else None),
            ("result", write_json(self.result) if self.result is not None else None),
            ("digest", self.digest),
        ):
            if value is not None:
                lines.append(f"{name}: {value}")
        lines.append("")
        for number, play in enumerate(self.moves, 1):
            drew = f" | drew {', '.join(play.drew)}" if play.drew else ""
            lines.append(f"{number} seat {play.seat + 1}: {play.move}{drew}")
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the record that a text contains. Raise RecordError, which names the line."""
        if len(text) > MAX_RECORD_LENGTH:
            raise RecordError(f"the record is longer than {MAX_RECORD_LENGTH} characters")
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")  # names may hold other ends of lines
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE_LENGTH:
                raise RecordError(f"line {number}: longer than {MAX_LINE_LENGTH} characters")
        at = next((index for index, line in enumerate(lines) if line.strip()), 0) + 1
        if lines[at - 1].strip() != FIRST_LINE:
            raise RecordError(f"line {at}: not {FIRST_LINE!r}")
        fields: dict[str, tuple[int, str]] = {}
        while at < len(lines) and lines[at].strip():
            name, colon, value = lines[at].partition(": ")
            if not colon or name not in _FIELDS or name in fields:
                raise RecordError(f"line {at + 1}: {lines[at][:60]!r} is no field, or one given twice")
            fields[name] = (at + 1, value.strip())
            at += 1
        missing = [name for name in ("game", "version", "components", "seats", "options") if name not in fields]
        if missing:
            raise RecordError(f"line {at + 1}: {', '.join(missing)} missing")
        values = {name: read_value(name, line, value) for name, (line, value) in fields.items()}
        components, _, digest = fields["components"][1].partition(" ")
        values |= {"components": components, "components_digest": digest, "what_if": values.pop("study", None)}
        plays: list[RecordedMove] = []
        for i in range(at + 1, len(lines)):
            if lines[i].strip():
                plays.append(read_move(lines[i], i + 1, len(plays) + 1))
        return cls(**values, moves=tuple(plays))

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Return the record in a file. Raise RecordError, OSError.

        >>> import tempfile
        >>> from spieltisch.lab.simulation import Simulation, record
        >>> import spieltisch
        >>> game = record(Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1), number=5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     game.write(f"{folder}/game.txt")
        ...     Record.read(f"{folder}/game.txt") == game
        True
        """
        try:
            with Path(path).open("rb") as file:
                content = file.read(4 * MAX_RECORD_LENGTH + 1)  # the most bytes of that number of characters, plus one
            if len(content) > 4 * MAX_RECORD_LENGTH:
                raise RecordError(f"the record is longer than {MAX_RECORD_LENGTH} characters")
            return cls.parse(content.decode())
        except UnicodeDecodeError as error:
            raise RecordError(f"byte {error.start + 1}: not UTF-8") from error

    def write(self, path: str | Path) -> None:
        """Write the record to a file. Raise OSError.

        >>> import tempfile
        >>> from spieltisch.lab.simulation import Simulation, record
        >>> import spieltisch
        >>> game = record(Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1), number=5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     game.write(f"{folder}/game.txt")
        ...     Path(f"{folder}/game.txt").read_text("utf-8") == game.text
        True
        """
        replace_text(path, self.text)

    # --- Replay. ---

    def setup(self, components: Components[Any] | None = None, *, compiled: bool = False) -> Setup:
        """Return the setup of the game.

        Components other than those that come with the game must be given. Raise RecordError.

        >>> from spieltisch.lab.simulation import Simulation, record
        >>> import spieltisch
        >>> game = record(Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1), number=5)
        >>> game.setup()
        <Setup paris-connection, 3 seats>
        """
        from spieltisch.core.registry import game

        try:
            rules = game(self.game, compiled=compiled)
            if unknown := self.options.keys() - {option.name for option in rules.options}:
                raise RecordError(f"{shortened(min(unknown))}: {rules.key} has no such option")
            setup = rules.setup(self.seats, components, **self.options)
        except ComponentsError as error:
            raise RecordError(f"components: {error}") from error
        except ValueError as error:
            raise RecordError(shortened(str(error))) from error
        if setup.components.digest != self.components_digest:
            raise RecordError(
                f"components: played with {shortened(self.components)!r} ({self.components_digest[:12]}), "
                "which must be given"
            )
        return setup

    def positions(self, components: Components[Any] | None = None, *, compiled: bool = False) -> Iterator[Position]:
        """Yield the position after the set-up and after each move.

        It is the same object each time; copy it to keep it. Raise RecordError if the record cannot be replayed, for
        example because a move is illegal, or a move or its draws are hidden. An error in a move names the move.

        >>> from spieltisch.lab.simulation import Simulation, record
        >>> import spieltisch
        >>> game = record(Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1), number=5)
        >>> [position.number for position in game.positions()][:3]
        [0, 1, 2]
        """
        self._require_known(self.drew, "draws", 0)
        if self.what_if is not None and self.state is None:
            raise RecordError(f"state: {_HIDDEN_ERROR.format('what the study began with', self.viewer)}")
        setup = self.setup(components, compiled=compiled)
        try:
            position = Position.start(setup, seed=0, drew=self.drew or None, state=self.state)
        except ValueError as error:
            raise RecordError(f"{'drew' if self.state is None else 'state'}: {shortened(str(error))}") from error
        yield position
        for number, play in enumerate(self.moves, 1):
            if position.seat != play.seat:
                decides = "the game is over" if position.seat is None else f"seat {position.seat + 1} decides"
                raise RecordError(f"move {number}: seat {play.seat + 1} moves where {decides}")
            self._require_known((play.move,), "a move", number)
            self._require_known(play.drew, "draws", number)
            try:
                drew = position.play(play.move, play.drew or None).drew
            except ValueError as error:
                raise RecordError(f"move {number}: {shortened(str(error))}") from error
            if drew != play.drew:
                raise RecordError(f"move {number}: {len(drew)} draws are needed, {len(play.drew)} are given")
            yield position

    def _require_known(self, texts: Sequence[str], what: str, number: int) -> None:
        if HIDDEN in texts:
            where = f"move {number}: " if number else ""
            raise RecordError(where + _HIDDEN_ERROR.format(what, self.viewer))

    def replay(self, components: Components[Any] | None = None, *, compiled: bool = False) -> Position:
        """Return the last position. Raise RecordError.

        >>> from spieltisch.lab.simulation import Simulation, record
        >>> import spieltisch
        >>> game = record(Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1), number=5)
        >>> game.replay().is_over
        True
        """
        last = None
        for position in self.positions(components, compiled=compiled):
            last = position
        assert last is not None  # noqa: S101 - `positions` yields the set-up at least
        return last

    def verify(self, components: Components[Any] | None = None) -> Position:
        """Replay the record, check all of it, and return the last position.

        Legality, draws against seed or secret, commitment, result and digest are checked. Raise RecordError.

        >>> from spieltisch.lab.simulation import Simulation, record
        >>> import spieltisch
        >>> game = record(Simulation(spieltisch.game("paris-connection").setup(3), ["random"] * 3, seed=1), number=5)
        >>> game.verify().digest() == game.digest
        True
        """
        position = self.replay(components)
        secret = read_secret(self.secret) if self.secret is not None else None
        if secret is not None and self.commitment != commitment(secret):
            raise RecordError("commitment: the secret is not the one promised")
        if secret is not None or self.seed is not None:
            self._verify_draws(position.setup, secret)
        outcome = position.outcome
        if (self.result is None) != (outcome is None):
            raise RecordError("result: there is one exactly when the game is over")
        if outcome is not None:
            winners = [winner + 1 for winner in outcome.winners]
            expected = {"ended_by": outcome.ended_by, "scores": position.scores, "winners": winners}
            if self.result != expected:
                raise RecordError(
                    f"result: {shortened(write_json(self.result))} where the rules give {write_json(expected)}"
                )
        if self.digest is not None and self.digest != position.digest():
            raise RecordError("digest: the last position is another one")
        return position

    def _verify_draws(self, setup: Setup, secret: bytes | None) -> None:
        try:
            position = Position.start(setup, seed=self.seed, secret=secret, state=self.state)
        except ValueError as error:
            raise RecordError(f"{error}") from error
        if position.setup_draws != self.drew:
            raise RecordError("drew: the set-up does not come from the seed or secret")
        for number, play in enumerate(self.moves, 1):
            if position.play(play.move).drew != play.drew:
                raise RecordError(f"move {number}: its draws do not come from the seed or secret")


def _known_draws(
    setup: Setup, number: int, seat: int | None, drew: Sequence[str], viewer: int | None
) -> tuple[str, ...]:
    """Return the draws of a move (0: the set-up), as far as the viewer may know them."""
    is_visible = setup.game.draw_visible
    return tuple(text if is_visible(setup, number, seat, index, viewer) else HIDDEN for index, text in enumerate(drew))


def _known_moves(setup: Setup, plays: Sequence[RecordedMove], viewer: int | None) -> tuple[RecordedMove, ...]:
    """Return the moves of a running game, as far as the viewer may know them."""
    moves = [(play.seat, setup.move(play.move)) for play in plays]
    return tuple(
        RecordedMove(play.seat, play.move, _known_draws(setup, index + 1, play.seat, play.drew, viewer))
        if setup.game.move_visibility(setup, moves, index, viewer) is True
        else RecordedMove(play.seat, HIDDEN)
        for index, play in enumerate(plays)
    )


_FIELDS = frozenset(Record.__struct_fields__) - {"components_digest", "moves", "what_if"} | {"study"}

_HIDDEN_ERROR = "this record of a running game hides {} from its viewer ({}); it replays when the game is over"


def _version() -> str:
    from importlib.metadata import version

    return version("spieltisch")
