"""Lanterns: a toy game in one folder, to show what a game is and that the house needs nothing more.
 2 to 4 players hold a secret card (1 to 3) each. A turn: take 1 to 3 stones, or draw a spark from the bag. Before
that you may once look at somebody's card, and may cover your own (it then scores double, and your stones nothing).
When the stones are gone, stones, bright sparks and the card score.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from spieltisch.core import components, twin
from spieltisch.core.chance import Chance, Draws, draw
from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, Event, Events, Kinds, emit
from spieltisch.core.game import Game as Contract
from spieltisch.core.game import Rules
from spieltisch.core.moves import Move, Word
from spieltisch.core.observation import EVERYBODY, Observation
from spieltisch.core.position import Position
from spieltisch.core.reasons import Reasons
from spieltisch.core.setup import Setup
from spieltisch.core.spaces import Kind, Parameter, Space
from spieltisch.core.words import Message, Name, SeatName, message, messages, sentence, sentences

SEATS, CARDS, SPARKS = 4, 3, 2
PLAYER = [("card", "i2"), ("stones", "i2"), ("bright", "i2"), ("covered", "i2"), ("seen_by", "i2", SEATS)]
Player = np.dtype(PLAYER)
FIELDS = [
    ("seats", "i2"),
    ("seat", "i2"),
    ("ended_by", "i2"),
    ("looked", "i2"),
    ("stones", "i2"),
    ("bag", "i2", SPARKS),
    ("players", Player, SEATS),
]
State = np.dtype([("rng", "u8"), *FIELDS], align=True)
View = np.dtype([("viewer", "i2"), *FIELDS], align=True)
Params = np.dtype([("seats", "i2"), ("stones", "i2"), ("cards", "i2", CARDS), ("bag", "i2", SPARKS)])
Work = np.dtype([("draws", Draws), ("events", Events), ("pack", "i2", SEATS)])

RULES = {n: f"K{n}" for n in range(1, 6)}

SPACE = Space(
    Kind(
        "take",
        Word("take", message("Take stones")),
        Parameter("stones", range(1, 4), lambda setup, n: Word(str(n), messages("{count} stone", "{count} stones", n))),
    ),
    Kind("spark", Word("spark", message("Draw a spark"))),
    Kind("cover", Word("cover", message("Cover your card"))),
    Kind(
        "look",
        Word("look", message("Look at a card")),
        Parameter(
            "seat",
            SEATS,
            lambda setup, p: Word(str(p + 1), message("{player}", player=SeatName(p))) if p < setup.seats else None,
        ),
    ),
)
TAKE, SPARK, COVER, LOOK = SPACE.codes
kind_of, part, number = SPACE.kind_of, SPACE.part, SPACE.number

REASONS = Reasons()
TOO_FEW = REASONS("K2", sentence("There are not so many stones."))
BAG_EMPTY = REASONS("K3", sentence("The bag is empty."))
SEEN_ALREADY = REASONS("K4", sentence("You look once a turn, and at no card twice."))
COVERED_ALREADY = REASONS("K5", sentence("Your card is covered."))

STONES, CARD, BRIGHT = 0, 1, 2
"""Sources of points; stones are things, too, that lie in the pool or with a seat."""
POOL = SEATS
EVENTS = Kinds(count=lambda setup, event: event.numbers[0])
EVENTS("points", sees=lambda setup, event, viewer: viewer == event.seat or event.numbers[1] != CARD)
TAKEN = EVENTS("taken", sentences("{player} takes {count} stone.", "{player} takes {count} stones."))
DRAWN = EVENTS(
    "drawn",
    sentence("{player} draws a spark: {spark}."),
    spark=lambda setup, event: ("dull", "bright")[event.numbers[0]],
)
HIDDEN = EVENTS("covered", sentence("{player} covers a card."))
LOOKED = EVENTS(
    "looked",
    sentence("{player} looks at the card of {other}."),
    other=lambda setup, event: SeatName(event.numbers[0]),
)
ENDED = EVENTS("ended", sentence("The last stone is taken."))


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """K1: everybody draws a card; seat 1 begins."""
    s.seats = c.seats
    s.stones = c.stones
    for k in range(CARDS):
        w.pack[k] = c.cards[k]
    for p in range(c.seats):
        s.players[p].card = draw(s, w.draws, w.pack, CARDS, 0) + 1
        s.players[p].seen_by[p] = 1
    for k in range(SPARKS):
        s.bag[k] = c.bag[k]


@rule
def enough(s: Any, stones: int) -> int:
    """K2: there are as many stones as are taken."""
    return TOO_FEW if stones > s.stones else 0


@rule
def sparks_left(s: Any) -> int:
    """K3: the bag is not empty."""
    return BAG_EMPTY if s.bag[0] + s.bag[1] == 0 else 0


@rule
def uncovered(s: Any) -> int:
    """K5: a card is covered once."""
    return COVERED_ALREADY if s.players[s.seat].covered == 1 else 0


@rule
def may_look(s: Any, q: int) -> int:
    """K4: once a turn, at a card you have not seen."""
    return SEEN_ALREADY if q >= s.seats or s.looked == 1 or s.players[q].seen_by[s.seat] == 1 else 0


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    kind = kind_of(move)
    if kind == TAKE:
        return enough(s, part(move, 0))
    if kind == SPARK:
        return sparks_left(s)
    return uncovered(s) if kind == COVER else may_look(s, part(move, 0))


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    me, kind = s.players[s.seat], kind_of(move)
    if kind == COVER:
        emit(w, HIDDEN, s.seat)
        emit(w, POINTS, s.seat, me.card - me.stones, CARD)
        me.covered = 1
    elif kind == LOOK:
        emit(w, LOOKED, s.seat, part(move, 0))
        s.players[part(move, 0)].seen_by[s.seat] = 1
        s.looked = 1
    else:
        gain(s, w, me, kind, part(move, 0))
        s.looked = 0
        s.seat = (s.seat + 1) % s.seats
        if s.stones == 0:
            emit(w, ENDED, -1)
            s.seat = -1
            s.ended_by = 1


@rule
def gain(s: Any, w: Any, me: Any, kind: int, stones: int) -> None:
    """K2, K3: stones from the pool, or a spark from the bag."""
    if kind == SPARK:
        spark = draw(s, w.draws, s.bag, SPARKS, CARDS)
        me.bright += spark
        emit(w, DRAWN, s.seat, spark)
        emit(w, POINTS, s.seat, 2 * spark, BRIGHT)
    else:
        me.stones += stones
        s.stones -= stones
        emit(w, TAKEN, s.seat, stones)
        emit(w, MOVED, s.seat, STONES, stones, POOL, s.seat)
        if me.covered == 0:
            emit(w, POINTS, s.seat, stones, STONES)


@rule
def points(s: Any, c: Any, p: int) -> int:
    one = s.players[p]
    total = 2 * one.bright + one.card
    return total + one.card if one.covered == 1 else total + one.stones  # type: ignore[no-any-return]  # fields of a record


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    o.viewer, o.seats, o.seat, o.ended_by, o.looked, o.stones = viewer, s.seats, s.seat, s.ended_by, s.looked, s.stones
    for k in range(SPARKS):
        o.bag[k] = s.bag[k]
    for p in range(s.seats):
        shown, one = o.players[p], s.players[p]
        shown.stones, shown.bright, shown.covered = one.stones, one.bright, one.covered
        for q in range(s.seats):
            shown.seen_by[q] = one.seen_by[q]
        if s.seat < 0 or viewer == EVERYBODY or (viewer >= 0 and one.seen_by[viewer] == 1):
            shown.card = one.card


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    stones: int
    cards: tuple[int, ...]
    sparks: tuple[int, ...]


class Lanterns(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: Literal["toy"]
    box: Box


class Game(Contract):
    """Lanterns."""

    key = "toy"
    title = Name("Lanterns", "Laternen", "Lanternes", "Lantaarns")
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    space, reasons, events = SPACE, REASONS, EVENTS
    rules = Rules(start, refusal, play, points, observe=observe)
    Contents, State, View, Params, Work = Lanterns, State, View, Params, Work

    def params(self, board: Lanterns, seats: int, options: Mapping[str, Any]) -> Any:
        t = twin.new(Params)
        t.seats, t.stones, t.cards[:], t.bag[:] = seats, board.box.stones, board.box.cards, board.box.sparks
        return t

    def prompt(self, observation: Observation) -> Message:
        return message("Take stones or draw a spark.")

    def ending(self, observation: Observation) -> Message:
        return message("The last stone is taken.")

    def hint(self, observation: Observation, move: Move, events: Sequence[Event]) -> Message | None:
        if move.kind != "take":
            return None
        left = observation.view.stones - move.args[0]
        return messages("{count} stone is left then.", "{count} stones are left then.", left)

    def turn_summary(self, begun: Observation, events: Sequence[Event]) -> list[Message]:
        taken = sum(event.numbers[0] for event in events if event.kind == "taken")
        told = [message("Your card is covered.")] if any(event.kind == "covered" for event in events) else []
        if taken:
            told.append(messages("{count} stone more.", "{count} stones more.", taken))
        return told

    def draw_words(self, setup: Setup) -> Sequence[str]:
        return ("1", "2", "3", "dull", "bright")

    def sees_draw(self, setup: Setup, number: int, index: int, viewer: int | None) -> bool:
        return number > 0 or index == viewer

    def knows(self, observation: Observation, seat: int) -> bool:
        return observation.view.players[seat].card > 0  # type: ignore[no-any-return]  # a field of a record

    def imagine(self, observation: Observation, chance: Chance) -> Any:
        view, s = observation.view, twin.new(State)
        for name in ("seats", "seat", "ended_by", "looked", "stones"):
            setattr(s, name, getattr(view, name))
        s.bag[:] = view.bag
        left = list(observation.setup.board.box.cards)
        for p in range(s.seats):
            twin.assign(view.players[p], s.players[p])
            if s.players[p].card:
                left[s.players[p].card - 1] -= 1
        for p in range(s.seats):
            if not s.players[p].card:
                card = chance.pick(left)
                left[card] -= 1
                s.players[p].card = card + 1
        return s

    def things(self, setup: Setup) -> Sequence[str]:
        return ("stones",)

    def holdings(self, position: Position) -> Mapping[tuple[int, int], int]:
        s = position.state
        return {(STONES, POOL): s.stones} | {(STONES, p): s.players[p].stones for p in range(s.seats)}
