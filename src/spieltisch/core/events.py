"""Events: the effects of a move, emitted by the rule that causes them.

A rule emits an event (a kind, a seat, a few numbers) to working memory; if events are not collected, this costs one
check of a flag. Log, summaries, captions and animations are all made from events. A game declares its kinds of event
once, each with its sentence and its visibility.

Two kinds belong to the kernel and are the same in every game: `POINTS` (a seat gains or loses points from a source) and
`MOVED` (pieces of a kind move from one place to another). Together they account for every change of the points and of
the pieces at all places (`Game.piece_locations`); `check_game` adds them up.

>>> from spieltisch.core.words import sentence
>>> kinds = EventKinds(stones=number_of())
>>> TAKES = kinds("takes", sentence("{player} takes {stones}."))
>>> [str(sentence) for sentence in kinds.sentences_for(None, [GameEvent("takes", 0, (3,))], viewer=None)]
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

MAX_EVENTS = 512
MAX_NUMBERS = 4
"""The largest number of numbers that an event may have."""

Events = np.dtype([("listening", "i4"), ("count", "i4"), ("rows", "i4", (MAX_EVENTS, 3 + MAX_NUMBERS))])
"""Working memory of events.

`listening` is 1 if events are collected; `count` is their count, including those without room. Each row contains: kind,
seat, number of draws before the event, its numbers.
"""

POINTS, MOVED = 1, 2
"""The kernel's own kinds.

POINTS: a seat gains points (amount, source). MOVED: pieces move (kind of piece, count, from place, to place). Kinds and
places are those of the game; see `Game.piece_locations`.
"""

NOBODY = -1
"""The seat of an event that belongs to no seat."""


@rule
def emit(w: Any, kind: int, seat: int, a: int = 0, b: int = 0, d: int = 0, e: int = 0) -> None:
    """Record an event, if events are collected.

    >>> from spieltisch.core import twin
    >>> from spieltisch.core.chance import Draws
    >>> w = twin.new(np.dtype([("draws", Draws), ("events", Events)]))
    >>> w.events.listening = 1
    >>> emit(w, POINTS, 0, 3)
    >>> w.events.count, w.events.rows[0][:4]
    (1, [1, 0, 0, 3])
    """
    if w.events.listening == 0:
        return
    if w.events.count < MAX_EVENTS:
        row = w.events.rows[w.events.count]
        row[0], row[1], row[2] = kind, seat, w.draws.count
        row[3], row[4], row[5], row[6] = a, b, d, e
    w.events.count += 1


class GameEvent(msgspec.Struct, frozen=True):
    """An effect of a move: the name of its kind, its seat (None: no seat), and its numbers.

    `drawn` is the number of draws before it in the same move. Events after a draw cannot be known beforehand.

    >>> GameEvent("takes", seat=0, numbers=(3,)).drawn
    0
    """

    kind: str
    seat: int | None
    numbers: tuple[int, ...]
    drawn: int = 0


PlaceholderValue: TypeAlias = "Callable[[Setup, GameEvent], Value]"
RunSentence: TypeAlias = "Callable[[Setup, Sequence[GameEvent]], Message | None]"
Visibility: TypeAlias = "Callable[[Setup, GameEvent, int | None], bool]"


class EventKind(msgspec.Struct, frozen=True):
    """A kind of event: name, sentence, values of placeholders, visibility, and the sentence for all other viewers.

    `run_sentence` makes one sentence of all events of this kind in succession. A kind without any sentence does not
    appear in the log; it exists for the account of points and pieces and for animations.
    """

    name: str
    sentence: Sentence | None
    run_sentence: RunSentence | None
    placeholders: Mapping[str, PlaceholderValue]
    visible_to: Visibility | None
    hidden_sentence: Sentence | None

    @property
    def is_silent(self) -> bool:
        """True if the kind never has a sentence."""
        return self.sentence is None and self.run_sentence is None and self.hidden_sentence is None


class EventKinds(Mapping[int, EventKind]):
    """The kinds of event of a game, by code.

    `placeholders` are the values common to the sentences, by placeholder; `{player}` is the seat of the event.

    >>> from spieltisch.core.words import sentence
    >>> kinds = EventKinds(stones=number_of())
    >>> TAKES = kinds("takes", sentence("{player} takes {stones}."))
    >>> kinds[TAKES].name, kinds[POINTS].name
    ('takes', 'points')
    """

    def __init__(self, **placeholders: PlaceholderValue) -> None:
        self._placeholders: dict[str, PlaceholderValue] = {"player": _player, **placeholders}
        self._kinds: dict[int, EventKind] = {}
        self._codes: dict[str, int] = {}
        for code, name in ((POINTS, "points"), (MOVED, "moved")):
            self._kinds[code] = EventKind(name, None, None, {}, None, None)
            self._codes[name] = code

    def __call__(
        self,
        name: str,
        sentence: Sentence | None = None,
        *,
        run_sentence: RunSentence | None = None,
        visible_to: Visibility | None = None,
        hidden_sentence: Sentence | None = None,
        **placeholders: PlaceholderValue,
    ) -> int:
        """Declare a kind, or add sentences to one of the kernel's own; return its code.

        Values in `placeholders` override those in common. Raise WordsError for a placeholder without a value.
        """
        known = {**self._placeholders, **placeholders}
        needed: set[str] = set()
        for text in (sentence, hidden_sentence):
            if text is not None:
                needed |= text.placeholders
        for placeholder in needed:
            if placeholder not in known:
                raise WordsError(f"nothing fills {{{placeholder}}} in the sentence of {name!r}")
        code = self._codes.setdefault(name, len(self._kinds) + 1)
        used = {placeholder: known[placeholder] for placeholder in needed}
        self._kinds[code] = EventKind(name, sentence, run_sentence, used, visible_to, hidden_sentence)
        return code

    def __getitem__(self, code: int) -> EventKind:
        return self._kinds[code]

    def __iter__(self) -> Iterator[int]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def read(self, events: Any) -> tuple[GameEvent, ...]:
        """Return the events in working memory. Raise RuntimeError if there was no room for all of them."""
        count = int(events.count)
        if count > MAX_EVENTS:
            raise RuntimeError(f"a move emitted {count} events; there is room for {MAX_EVENTS}")
        rows = events.rows[:count] if isinstance(events.rows, list) else events.rows[:count].tolist()
        return tuple(
            GameEvent(self._kinds[kind].name, seat if seat >= 0 else None, tuple(numbers), drawn)
            for kind, seat, drawn, *numbers in rows
        )

    def visible_events(self, setup: Setup, events: Sequence[GameEvent], viewer: int | None) -> tuple[GameEvent, ...]:
        """Return the events that the viewer (None: a spectator) may know."""
        return tuple(event for event in events if self._sees(setup, event, viewer))

    def sentences_for(self, setup: Any, events: Sequence[GameEvent], viewer: int | None) -> list[Message]:
        """Return the sentences about the events for the viewer, in order.

        Events of silent kinds do not interrupt a run of another kind.
        """
        sentences: list[Message] = []
        audible = [event for event in events if not self._kinds[self._codes[event.kind]].is_silent]
        for (name, is_visible), group in groupby(audible, lambda event: (event.kind, self._sees(setup, event, viewer))):
            kind = self._kinds[self._codes[name]]
            run = tuple(group)
            if is_visible and kind.run_sentence is not None:
                run_message = kind.run_sentence(setup, run)
                sentences += [run_message] if run_message is not None else []
                continue
            sentence = kind.sentence if is_visible else kind.hidden_sentence
            if sentence is not None:
                needed = sentence.placeholders
                for event in run:
                    values = {name: show(setup, event) for name, show in kind.placeholders.items() if name in needed}
                    sentences.append(sentence.fill(values))
        return sentences

    def _sees(self, setup: Setup, event: GameEvent, viewer: int | None) -> bool:
        is_visible = self._kinds[self._codes[event.kind]].visible_to
        return is_visible is None or viewer == ALL_SEATS or is_visible(setup, event, viewer)


def number_of(at: int = 0) -> PlaceholderValue:
    """Return a function that shows number `at` of an event.

    >>> number_of(1)(None, GameEvent("swaps", 0, (3, 5)))
    5
    """
    return lambda setup, event: event.numbers[at]


def name_of(items: str, at: int = 0) -> PlaceholderValue:
    """Return a function that shows the name of one of the board's `items`: the index is number `at` of the event."""
    board_items = attrgetter(items)
    return lambda setup, event: board_items(setup.board)[event.numbers[at]].name


def _player(setup: Setup, event: GameEvent) -> SeatName:
    assert event.seat is not None  # noqa: S101 - only an event with a seat has a sentence with a player
    return SeatName(event.seat)
