"""The contract between a game and everything else.

A game is a folder: records (`state.py`, `params.py`), rules as functions over them (`rules/`), its moves (`moves.py`),
why they are refused (`refusals.py`) and what they do (`log.py`), its drawing, its pages and its catalogues. It
subclasses `Game` and fills in what is declared here; table, lobby, why-not, replay, records, bots and simulation need
no more. `spieltisch.testing.check_game` proves that a game keeps the contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, SupportsIndex

import msgspec
import numpy as np

from spieltisch.core import documents, registry, twin
from spieltisch.core.arguments import require_int
from spieltisch.core.calibration import ShrinkageTable
from spieltisch.core.chance import SCHEME
from spieltisch.core.components import Check, ComponentFile, Components
from spieltisch.core.components import read as read_components
from spieltisch.core.documents import Codec
from spieltisch.core.engine import Engine
from spieltisch.core.errors import OptionError, Refusal
from spieltisch.core.events import EventKinds, GameEvent
from spieltisch.core.move_space import MoveSpace
from spieltisch.core.moves import Move, MoveWord
from spieltisch.core.reasons import Reasons
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name

if TYPE_CHECKING:
    from spieltisch.core.chance import Rng
    from spieltisch.core.observation import Observation
    from spieltisch.core.position import Position


MOST_SETUPS = 64
"""How many setups a game keeps ready: tables with the same components and options share one."""


class Option(msgspec.Struct, frozen=True):
    """A choice made when a table is set up: `choices` are pairs of a value and its name for people. Games written down
    before there was the option were played with `before`, or the default where that is None. A `ruling` chooses among
    readings of the rules; most people leave it alone, so pages keep these together, closed.
    """

    name: str
    label: Message
    help: Message
    choices: tuple[tuple[str | bool | int, Message], ...]
    default: str | bool | int
    legacy_default: str | bool | int | None = None
    ruling: bool = False
    rulebook_editions: tuple[tuple[str | bool | int, Message], ...] = ()

    @property
    def implied_value(self) -> str | bool | int:
        """What a record, table or document that does not name the option was played with."""
        return self.default if self.legacy_default is None else self.legacy_default

    def chosen(self, value: object) -> str | bool | int:
        """Return the choice that a value is. Raises OptionError for any other value."""
        for choice, _ in self.choices:
            if type(value) is type(choice) and value == choice:
                return choice
        if isinstance(value, np.integer | np.bool_):
            return self.chosen(value.item())
        raise OptionError(f"{self.name}: {value!r} is none of {', '.join(repr(choice) for choice, _ in self.choices)}")


class GameInfo(msgspec.Struct, frozen=True):
    """What makes one want to play: a sentence, from how many to how many minutes, and 1 (light) to 3 (demanding)."""

    sentence: Message
    minutes: tuple[int, int]
    weight: int


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the winners' seats, the rule that ended it ("P15"), and a sentence about it."""

    winners: tuple[int, ...]
    ended_by: str
    message: Message


class Rules(NamedTuple):
    """A game's rule functions. `s` is the state, `c` components and options, `w` working memory with the fields `draws`
    and `events`.
    """

    start: Callable[[Any, Any, Any], None]
    """(s, c, w): set up an empty state."""
    refusal: Callable[[Any, Any, Any, int], int]
    """(s, c, w, move): the code of the reason that forbids the move, or 0."""
    play: Callable[[Any, Any, Any, int], None]
    """(s, c, w, move): play a legal move."""
    points: Callable[[Any, Any, int], int]
    """(s, c, p): the points of seat p; on a view, those that the viewer knows."""
    legal: Callable[[Any, Any, Any, Any], int] | None = None
    """(s, c, w, out): write the numbers of the legal moves, ascending; returns how many. None: every move of the space
    is asked for its refusal, which a small game can afford.
    """
    evaluate: Callable[[Any, Any, int], int] | None = None
    """(s, c, p): how good the position is for seat p, from what that seat may see; also runs on a view. None: the
    points.
    """
    outlook: Callable[[Any, Any, int], int] | None = None
    """(s, c, p): what seat p may expect of the position, with all of it known, in the units of `evaluate`
    (`Game.point`); searching bots compare seats by it. None: `evaluate`.
    """
    reshuffle: Callable[[Any, Any, Any, int, int], None] | None = None
    """(s, c, r, viewer, steps): change what the viewer cannot know by so many small steps with the generator `r`, so
    that in the long run all that fits is equally likely. None: nothing is hidden but the generator.
    """
    prunable: Callable[[Any, Any, int], bool] | None = None
    """(s, c, move): whether the seat that decides may as well leave a legal move alone, for another that is hardly ever
    worse; searching bots do. It reads only what everybody may see. None: no move is wasteful.
    """
    observe: Callable[[Any, int, Any], None] | None = None
    """(s, viewer, o): fill an empty view, field by field; None for a game without secrets, which shows everything but
    the generator.
    """


class PieceAnimation(NamedTuple):
    """Something that goes from one place on the boards to another: its mark, how many go, and the ids of the elements
    where they come from and go to; "" stands for the place that the move itself names.
    """

    mark: str
    many: int
    start: str
    end: str


class Drawing(Protocol):
    """How a game is drawn; `spieltisch.drawing.Drawing` is the base of ours. Without one, the table shows prompt,
    words, log and points.
    """

    templates: Path
    fitted: ClassVar[str]
    """In which windows the whole table stands without scrolling the page, as a media query."""

    def static_context(self, setup: Setup, words: Any) -> Mapping[str, Any]:
        """The context of `board.svg`, the part that never changes, of the style sheets, and of `icons.svg`: the
        definitions of the marks, once in each page.
        """

    def scene_context(
        self, observation: Observation, words: Any, names: Sequence[str], last: Sequence[Move]
    ) -> Mapping[str, Any]:
        """The context of `pieces.svg`, `panel.html` and `end.html`."""

    def icons_by_name(self, setup: Setup) -> Mapping[Name, str]:
        """The class of the mark that stands beside each of these names in a sentence."""

    def symbol_meanings(self, setup: Setup, words: Any) -> Sequence[tuple[str, str]]:
        """Each letter and sign that is written on the boards, and its one meaning there."""

    def animations(self, seen: Observation, events: Sequence[GameEvent]) -> Sequence[PieceAnimation]:
        """What the events move on the boards that an observation shows, after or before them."""


class Game(ABC):
    """One game. Subclasses set the attributes and fill in the methods below them."""

    key: str
    title: Name
    about: GameInfo | None = None
    seats: range
    options: tuple[Option, ...] = ()
    evaluation_per_point: int = 1
    """How much of the evaluation makes a point."""
    calibration: ShrinkageTable = ()
    """How far the chances that trial games give hold; `python -m bench.calibration` finds it out."""
    search_params: Mapping[str, float] = MappingProxyType({})
    """Parameters of the search (`spieltisch.bots.search.searcher.Style`) that differ from the usual ones; `python -m
    bench.tuning` finds them out.
    """
    styles: Mapping[str, Callable[[Move], bool]] = MappingProxyType({})
    """What moves are to the taste of bots of these styles (`spieltisch.bots.levels.STYLES`)."""
    folder: Path
    """Where `components.toml`, `pages/` and `locale/` stand."""
    rules: Rules
    rule_names: Mapping[int, str]
    """The names of the rules by the numbers that `ended_by` holds."""
    space: MoveSpace
    """The kinds of move; see `spieltisch.core.move_space`."""
    reasons: Reasons
    """Why moves are refused; see `spieltisch.core.reasons`."""
    events: EventKinds
    """What moves do; see `spieltisch.core.events`."""
    has_hidden_information: bool = True
    """Whether a seat may know something that another does not."""
    moves_reveal: bool = True
    """Whether a move may show its own seat what was hidden from it, beyond what is drawn, while the game goes on. Where
    none does, nobody has to find out after every move; `check_game` looks whether it is so.
    """
    first_hand_location: int | None = None
    """The place, as MOVED events number them, where lies what seat 0 has; those of the other seats follow. None where
    nobody has anything.
    """
    Contents: type[ComponentFile]
    """The form of the component file."""
    checks: Sequence[Iterable[Check[Any]]] = ()
    """What component files are checked for beyond their form, in stages; see `spieltisch.core.components.read`."""
    State: np.dtype[Any]
    View: np.dtype[Any]
    Params: np.dtype[Any]
    Work: np.dtype[Any]

    def __init__(self, *, compiled: bool = False) -> None:
        self.compiled = compiled
        self._setups: dict[Any, Setup] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.compiled)

    @cached_property
    def engine(self) -> Engine:
        """The rules bound for this way of running."""
        return Engine(self, compiled=self.compiled)

    @cached_property
    def components(self) -> Components[Any]:
        """The components that come with the game."""
        return self.read_components(self.folder / "components.toml")

    @property
    def moves(self) -> int:
        """The size of the move space."""
        return self.space.size

    @property
    def drawing(self) -> Drawing | None:
        """How the game is drawn, if it is."""
        return None

    def setup(self, seats: SupportsIndex, components: Components[Any] | None = None, **options: Any) -> Setup:
        """What to play with; see `Setup`. Raises OptionError for a number of seats, an option or a value that the game
        does not have, ComponentsError for damaged components.
        """
        if (seats := require_int("seats", seats)) not in self.seats:
            raise OptionError(f"seats: {seats} is not from {self.seats.start} to {self.seats.stop - 1}")
        offered = {option.name: option for option in self.options}
        for name in options:
            if name not in offered:
                raise OptionError(f"{name}: {self.key} has no such option; it has {', '.join(offered)}")
        options = {name: option.chosen(options.get(name, option.default)) for name, option in offered.items()}
        chosen = components or self.components
        key = (chosen.digest, seats, tuple(options.values()))
        known = self._setups.get(key)
        if known is None:
            known = Setup(self, chosen, seats, options)
            if len(self._setups) >= MOST_SETUPS:
                self._setups.clear()
            self._setups[key] = known
        return known

    def setup_from_record(self, seats: int, components: Components[Any] | None, options: Mapping[str, Any]) -> Setup:
        """What a game was played with that names these options, as it was written down (`Option.before`). Raises what
        `Setup` does.
        """
        return self.setup(
            seats, components, **{option.name: option.implied_value for option in self.options} | dict(options)
        )

    def start(
        self,
        seats: SupportsIndex,
        *,
        seed: SupportsIndex | None = None,
        secret: bytes | None = None,
        texts: Sequence[str] = (),
        scheme: int = SCHEME,
        components: Components[Any] | None = None,
        drew: Sequence[str] | None = None,
        **options: Any,
    ) -> Position:
        """A new game. `seed` (a number) or `secret` (32 bytes, as at a table) decides chance; neither: chance is fresh.
        With a secret go the players' `texts`, one for each seat, and the `scheme`; see `spieltisch.core.chance.Source`.

        Raises OptionError, ComponentsError, DrawError.

        >>> import spieltisch
        >>> spieltisch.game("paris-connection").start(seats=4, seed=7).seats
        4
        """
        from spieltisch.core.position import Position

        setup = self.setup(seats, components, **options)
        return Position.start(setup, seed=seed, secret=secret, texts=texts, scheme=scheme, drew=drew)

    def position(self, document: Mapping[str, Any]) -> Position:
        """The position a document describes (`Position.document`). Raises DocumentError."""
        from spieltisch.core.position import Position

        return Position.from_document(self, document)

    # --- What a game fills in. ---

    def read_components(self, source: str | Path) -> Components[Any]:
        """The components in a TOML text or file, checked. Raises ComponentsError naming the lines."""
        return read_components(source, self.Contents, *self.checks)

    def board(self, components: Components[Any]) -> Any:
        """The components, prepared for rules, moves and drawing; unless a game prepares them, as the file has them."""
        return components.contents

    def params(self, board: Any, seats: int, options: Mapping[str, Any]) -> Any:
        """The twin of `Params`. Unless a game makes it, each field holds what has its name in the component file, in a
        table or outside, or among the options; a choice that is no number counts by its place, from 0.
        """
        known: dict[str, Any] = {"seats": seats}
        for option in self.options:
            chosen, choices = options[option.name], [value for value, _ in option.choices]
            known[option.name] = int(chosen) if isinstance(chosen, int) else choices.index(chosen)
        tables = [getattr(board, name) for name in board.__struct_fields__]
        for table in (board, *(one for one in tables if isinstance(one, msgspec.Struct))):
            known = {name: getattr(table, name) for name in table.__struct_fields__} | known
        return twin.from_mapping(self.Params, known)

    def words(self, setup: Setup, number: int) -> tuple[MoveWord, ...]:
        """The words of the move with this number; empty when there is no such move on this board."""
        return self.space.words(setup, number)

    def parts(self, number: int) -> tuple[str, tuple[int, ...]]:
        """The kind of the move with this number, and its parts."""
        return self.space.args(number)

    def alternative_phrasings(self, setup: Setup, number: int) -> tuple[tuple[MoveWord, ...], ...]:
        """The same words in other orders, for those who choose a move word by word: a pair may be begun with either of
        its two. What a move is called stays as `words` says.
        """
        return self.space.phrasings(setup, number)

    def refusal(self, code: int, observation: Observation, move: Move) -> Refusal:
        """Why the reason with this code forbids the move, for the seat that sees this observation."""
        return self.reasons.refusal(code, observation, move)

    def log(self, setup: Setup, events: Sequence[GameEvent], viewer: int | None) -> list[Message]:
        """What is said of the events to a viewer (None: a spectator)."""
        return self.events.sentences_for(setup, events, viewer)

    @abstractmethod
    def prompt(self, observation: Observation) -> Message:
        """What the seat that decides is asked for."""

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        """The text of every draw code, in order; none in a game without chance."""
        return ()

    def point_source_ids(self, setup: Setup) -> Sequence[str]:
        """What programs call the sources of points, by their numbers in POINTS events."""
        return ()

    def imagine(self, observation: Observation, chance: Rng) -> Any:
        """A twin of `State` that fits all that the viewer knows, from the exact distribution; `rng` is set by the
        kernel. A game without secrets whose view is the state itself need not say anything: nothing is hidden.
        """
        state = twin.new(self.State)
        twin.copy_common_fields(observation.view, state)
        return state

    def document_form(self, setup: Setup) -> Codec:
        """How the fields of the state appear in documents; see `spieltisch.core.documents`."""
        return documents.default_codec(self.State, setup.seats, self.rule_names)

    def document(self, position: Position) -> dict[str, Any]:
        """The state in the game's own words, as JSON."""
        described: dict[str, Any] = position.setup.document_form.describe(position.state)
        return described

    def restore(self, setup: Setup, document: Mapping[str, Any]) -> Any:
        """The twin of `State` that a document describes, with what the document leaves out worked out anew. Raises
        DocumentError naming the field.
        """
        s = twin.new(self.State)
        s.seats = setup.seats
        return setup.document_form.restore(s, document)

    @abstractmethod
    def ending_text(self, observation: Observation) -> Message:
        """Why the game that the observation shows has ended."""

    def piece_locations(self, position: Position) -> Iterable[tuple[int, int, int]]:
        """What lies where: a thing, a place, how many, by the numbers that MOVED events give to things and places
        (`spieltisch.core.events`); what is named twice counts together. No move changes the total of a kind of thing,
        and MOVED events account for every change at a place.
        """
        return ()

    def piece_counts(self, position: Position) -> Mapping[tuple[int, int], int]:
        """How many things of each kind lie at each place where there are any."""
        found: Counter[tuple[int, int]] = Counter()
        for thing, place, many in self.piece_locations(position):
            found[thing, place] += many
        return {where: many for where, many in found.items() if many}

    def things(self, setup: Setup) -> Sequence[str]:
        """The things of `holdings` by number, in the words of moves."""
        return ()

    def amount_text(self, setup: Setup, thing: int, many: int) -> Message | Name | None:
        """So many of one of the `things` in words, as somebody gains or loses them: "2 Ruby". None for what goes
        without saying.
        """
        return None

    def invariants(self, position: Position) -> Mapping[str, int]:
        """Other totals that no move may change, by name."""
        return {}

    def totals(self, position: Position) -> dict[str, int]:
        """All that no move may change: how many things of each kind there are, and the invariants."""
        found, names = dict(self.invariants(position)), self.things(position.setup)
        for (thing, _), many in self.piece_counts(position).items():
            found[names[thing]] = found.get(names[thing], 0) + many
        return found

    def draw_visible(self, setup: Setup, number: int, index: int, viewer: int | None) -> bool:
        """Whether the viewer may know draw `index` of move `number` (0 is the set-up) while the game runs."""
        return True

    def move_visibility(
        self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int, viewer: int | None
    ) -> Literal[True] | Message:
        """True where the viewer may know move `index` of those played (pairs of seat and move); else what they are told
        instead, until it is shown. Asked anew after every move, and only while the game runs: then all is open.

        Whoever sees the same all along is told the same of every move; a seat knows its own.
        """
        return True

    def knows_points(self, observation: Observation, seat: int) -> bool:
        """Whether the viewer can know this seat's points."""
        return True

    def winners(self, points: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """The winning seats: those with the most points, unless the game breaks ties."""
        return tuple(p for p, total in enumerate(points) if total == max(points))

    def hint(self, observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
        """What stands beside a legal move of the deciding seat before it is chosen: what it costs and brings, who else
        gains, or what it would open. One short sentence or a few, from what the seat knows; never what chance will
        give. None: nothing that its words do not say already. `events` is what the move does up to chance, as far as
        the seat may know.

        A page asks for the notes of all legal moves at once, so a note takes well under a millisecond.
        """
        return None

    def turn_summary(self, begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """What the moves of a seat, the viewer of `begun`, cost and brought together: `events` is what they have done
        since that observation, as far as the seat may know; none of another seat lies between.
        """
        return []

    def advice_reasons(self, observation: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """What speaks for moves that a seat, the viewer, thinks of playing one after the other in its turn: what is
        gained by them, and by whom, in a short sentence or a few. `events` is what they would do up to chance, as far
        as the seat may know. Unless a game says more, what they cost and bring.
        """
        return self.turn_summary(observation, events)

    def needs_confirmation(self, observation: Observation, move: Move) -> bool:
        """Whether a legal move of the deciding seat is shown before it is played, although it could be taken back: for
        what it sets off. Moves that draw or pass the decision are shown in any case.
        """
        return False

    def between_turns(self, observation: Observation) -> bool:
        """Whether the decision that is asked for is part of nobody's turn, such as a reward that several choose one
        after the other: then pages say who decides, and do not speak of turns. Asked with what everybody knows.
        """
        return False

    def start_turn_of(self, state: Any, seat: int) -> bool:
        """Let a seat begin its next turn now, in a twin of the state, as if the others had passed theirs; False, with
        nothing changed, where the seat cannot begin one like this. Plans are made there; where it cannot be done,
        moves of the others are imagined until it is the seat's turn.
        """
        return False

    def stage(self, observation: Observation) -> Message | None:
        """The part of the game that the observation belongs to, such as a round or an age, the same for everybody: what
        looks back at the game goes by these. Once the game is over, its last part. None, always, for a game that has no
        such parts.
        """
        return None

    def point_source_name(self, setup: Setup, number: int) -> Message | Name | None:
        """What the source of points with this number is called, as POINTS events have it; None for a game that does not
        tell points apart.
        """
        return None

    def hides_move(self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int) -> bool:
        """Whether pages of a running game no longer show move `index` of those played (pairs of seat and move)."""
        return False


@cache
def _restored(kind: type[Game], compiled: bool) -> Game:
    """Return the game that was pickled: where this process knows it by its name, the one that everybody shares."""
    named = registry.game(kind.key, compiled=compiled) if kind.key in registry.game_modules() else None
    return named if type(named) is kind else kind(compiled=compiled)
