"""Events: what a move does, said once, by the rule that does it.

A rule emits an event (a kind, a seat, a few numbers) into working memory; where nobody listens that costs a look at a
flag. Log, summaries, captions and what moves on the board are all told from events. A game declares its kinds once,
each with its sentence and with who may know it.

Two kinds are the kernel's own, the same in every game: `POINTS` (a seat gains or loses points, by a source) and `MOVED`
(things of a kind go from one place to another). Together they account for every change of the points and of what the
game says lies where (`Game.holdings`); `check_game` adds them up.

>>> from spieltisch.core.words import sentence
>>> kinds = EventKinds(stones=number_of())
>>> TAKES = kinds("takes", sentence("{player} takes {stones}."))
>>> [str(said) for said in kinds.sentences_for(None, [GameEvent("takes", 0, (3,))], viewer=None)]
['Player 1 takes 3.']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np

from spieltisch.core.compiled import rule
from spieltisch.core.observation import ALL_SEATS
from spieltisch.core.words import Message, SeatName, Sentence, Value, WordsError

if TYPE_CHECKING:
    from spieltisch.core.setup import Setup

MOST_EVENTS = 512
MAX_NUMBERS = 4
"""The most numbers that an event has."""

Events = np.dtype([("listening", "i4"), ("many", "i4"), ("rows", "i4", (MOST_EVENTS, 3 + MAX_NUMBERS))])
"""Working memory of events: whether somebody listens, how many there were (also those without room), and for each:
kind, seat, how many draws came before it, its numbers.
"""

POINTS, MOVED = 1, 2
"""The kernel's own kinds. POINTS: a seat's points by a source (amount, source). MOVED: things (thing, how many, from
which place, to which place); things and places are the game's, see `Game.holdings`.
"""

NOBODY = -1
"""The seat of an event that is nobody's."""


@rule
def emit(w: Any, kind: int, seat: int, a: int = 0, b: int = 0, d: int = 0, e: int = 0) -> None:
    """Say that something has happened."""
    if w.events.listening == 0:
        return
    if w.events.many < MOST_EVENTS:
        row = w.events.rows[w.events.many]
        row[0], row[1], row[2] = kind, seat, w.draws.many
        row[3], row[4], row[5], row[6] = a, b, d, e
    w.events.many += 1


class GameEvent(msgspec.Struct, frozen=True):
    """Something that a move did: the name of its kind, whose it is (None: nobody's), and its numbers. `drawn`: how much
    chance had given before it in the same move; what comes after a draw cannot be known beforehand.
    """

    kind: str
    seat: int | None
    numbers: tuple[int, ...]
    drawn: int = 0


PlaceholderValue: TypeAlias = "Callable[[Setup, GameEvent], Value]"
RunSentence: TypeAlias = "Callable[[Setup, Sequence[GameEvent]], Message | None]"
Visibility: TypeAlias = "Callable[[Setup, GameEvent, int | None], bool]"


class EventKind(msgspec.Struct, frozen=True):
    """A kind of event: its name, its sentence, what its placeholders show, who may know it, and what others are told.

    `told` makes the sentence from all events of this kind that follow each other. Without `said` and `told` nothing is
    said of it: it is there for the account of points and things and for what moves on the board.
    """

    name: str
    sentence: Sentence | None
    run_sentence: RunSentence | None
    placeholders: Mapping[str, PlaceholderValue]
    visible_to: Visibility | None
    hidden_sentence: Sentence | None

    @property
    def silent(self) -> bool:
        """Whether nothing is ever said of it."""
        return self.sentence is None and self.run_sentence is None and self.hidden_sentence is None


class EventKinds(Mapping[int, EventKind]):
    """A game's kinds of events by code. `shows` are the values that its sentences have in common, by placeholder;
    `{player}` is the event's seat.
    """

    def __init__(self, **shows: PlaceholderValue) -> None:
        self._shows: dict[str, PlaceholderValue] = {"player": _player, **shows}
        self._kinds: dict[int, EventKind] = {}
        self._codes: dict[str, int] = {}
        for code, name in ((POINTS, "points"), (MOVED, "moved")):
            self._kinds[code] = EventKind(name, None, None, {}, None, None)
            self._codes[name] = code

    def __call__(
        self,
        name: str,
        said: Sentence | None = None,
        *,
        told: RunSentence | None = None,
        sees: Visibility | None = None,
        instead: Sentence | None = None,
        **shows: PlaceholderValue,
    ) -> int:
        """Declare a kind, or say more of one of the kernel's own; returns its code. Values given here go before those
        in common. Raises WordsError for a placeholder that nothing fills.
        """
        known = {**self._shows, **shows}
        wanted: set[str] = set()
        for one in (said, instead):
            if one is not None:
                wanted |= one.placeholders
        for placeholder in wanted:
            if placeholder not in known:
                raise WordsError(f"nothing fills {{{placeholder}}} in what is said of {name!r}")
        code = self._codes.setdefault(name, len(self._kinds) + 1)
        used = {placeholder: known[placeholder] for placeholder in wanted}
        self._kinds[code] = EventKind(name, said, told, used, sees, instead)
        return code

    def __getitem__(self, code: int) -> EventKind:
        return self._kinds[code]

    def __iter__(self) -> Iterator[int]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def read(self, events: Any) -> tuple[GameEvent, ...]:
        """What was emitted into working memory. Raises RuntimeError when there was no room for all of it."""
        many = int(events.many)
        if many > MOST_EVENTS:
            raise RuntimeError(f"a move emitted {many} events; there is room for {MOST_EVENTS}")
        rows = events.rows[:many] if isinstance(events.rows, list) else events.rows[:many].tolist()
        return tuple(
            GameEvent(self._kinds[kind].name, seat if seat >= 0 else None, tuple(numbers), drawn)
            for kind, seat, drawn, *numbers in rows
        )

    def visible_events(self, setup: Setup, events: Sequence[GameEvent], viewer: int | None) -> tuple[GameEvent, ...]:
        """Those of the events that the viewer (None: a spectator) may know."""
        return tuple(event for event in events if self._sees(setup, event, viewer))

    def sentences_for(self, setup: Any, events: Sequence[GameEvent], viewer: int | None) -> list[Message]:
        """What is said of the events to the viewer, in order. Kinds of which nothing is said part no run of another."""
        said: list[Message] = []
        spoken = [event for event in events if not self._kinds[self._codes[event.kind]].silent]
        for (name, seen), group in groupby(spoken, lambda event: (event.kind, self._sees(setup, event, viewer))):
            kind = self._kinds[self._codes[name]]
            run = tuple(group)
            if seen and kind.run_sentence is not None:
                told = kind.run_sentence(setup, run)
                said += [told] if told is not None else []
                continue
            sentence = kind.sentence if seen else kind.hidden_sentence
            if sentence is not None:
                wanted = sentence.placeholders
                for event in run:
                    shown = {name: show(setup, event) for name, show in kind.placeholders.items() if name in wanted}
                    said.append(sentence.fill(shown))
        return said

    def _sees(self, setup: Setup, event: GameEvent, viewer: int | None) -> bool:
        sees = self._kinds[self._codes[event.kind]].visible_to
        return sees is None or viewer == ALL_SEATS or sees(setup, event, viewer)


def number_of(at: int = 0) -> PlaceholderValue:
    """What shows number `at` of an event."""
    return lambda setup, event: event.numbers[at]


def name_of(things: str, at: int = 0) -> PlaceholderValue:
    """What shows the name of the one of the board's `things` whose number is number `at` of the event."""
    of_board = attrgetter(things)
    return lambda setup, event: of_board(setup.board)[event.numbers[at]].name


def _player(setup: Setup, event: GameEvent) -> SeatName:
    assert event.seat is not None  # noqa: S101 - a sentence with a player is about somebody's event
    return SeatName(event.seat)
