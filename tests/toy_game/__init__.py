"""Lanterns: a toy game in one folder, to show what a game is and that the house needs nothing more.

2 to 4 players hold a secret card (1 to 3) each. A turn: take 1 to 3 stones, or draw a spark from the bag. Before
that you may once look at somebody's card, and may cover your own (it then scores double, and your stones nothing).
When the stones are gone, stones, bright sparks and the card score.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spieltisch import Game as Contract
from spieltisch import Move, Observation, Position
from spieltisch.core import components
from spieltisch.core.chance import Draws, Rng, draw
from spieltisch.core.compiled import rule
from spieltisch.core.events import MOVED, POINTS, EventKinds, Events, GameEvent, emit, number_of
from spieltisch.core.game import Rules
from spieltisch.core.move_space import MoveKind, MoveSpace, Parameter, number_word, seat_word
from spieltisch.core.observation import ALL_SEATS, open_view
from spieltisch.core.reasons import Reasons
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, SeatName, message, messages, sentence, sentences

SEATS, CARDS, SPARKS = 4, 3, 2
RULES = {n: f"K{n}" for n in range(1, 6)}
Player = np.dtype([("card", "i2"), ("stones", "i2"), ("bright", "i2"), ("covered", "i2"), ("seen_by", "i2", SEATS)])
NUMBERS = [(name, "i2") for name in ("seats", "seat", "ended_by", "looked", "stones")]
State = np.dtype([("rng", "u8"), *NUMBERS, ("bag", "i2", SPARKS), ("players", Player, SEATS)], align=True)
Params = np.dtype([("seats", "i2"), ("stones", "i2"), ("cards", "i2", CARDS), ("bag", "i2", SPARKS)])
Work = np.dtype([("draws", Draws), ("events", Events), ("pack", "i2", CARDS)])

SPACE = MoveSpace(
    MoveKind("take", message("Take stones"), Parameter("stones", range(1, 4), number_word)),
    MoveKind("spark", message("Draw a spark")),
    MoveKind("cover", message("Cover your card")),
    MoveKind("look", message("Look at a card"), Parameter("seat", SEATS, seat_word)),
)
TAKE, SPARK, COVER, LOOK = SPACE.codes
kind_of, part = SPACE.kind_of, SPACE.part

REASONS = Reasons()
TOO_FEW = REASONS("K2", sentence("There are not so many stones."))
BAG_EMPTY = REASONS("K3", sentence("The bag is empty."))
SEEN_ALREADY = REASONS("K4", sentence("You look once a turn, and at no card twice."))
COVERED_ALREADY = REASONS("K5", sentence("Your card is covered."))

STONES, CARD, BRIGHT = 0, 1, 2
"""Sources of points; stones are pieces, too, in the pool or with a seat."""
POOL = SEATS
EVENTS = EventKinds(
    count=number_of(),
    spark=lambda setup, event: ("dull", "bright")[event.numbers[0]],
    other=lambda setup, event: SeatName(event.numbers[0]),
)
EVENTS("points", visible_to=lambda setup, event, viewer: viewer == event.seat or event.numbers[1] != CARD)
TAKEN = EVENTS("taken", sentences("{player} takes {count} stone.", "{player} takes {count} stones."))
DRAWN = EVENTS("drawn", sentence("{player} draws a spark: {spark}."))
HIDDEN = EVENTS("covered", sentence("{player} covers a card."))
LOOKED = EVENTS("looked", sentence("{player} looks at the card of {other}."))
ENDED = EVENTS("ended", sentence("The last stone is taken."))


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """K1: each player draws a card; seat 1 begins."""
    s.seats, s.stones = c.seats, c.stones
    for k in range(CARDS):
        w.pack[k] = c.cards[k]
    for k in range(SPARKS):
        s.bag[k] = c.bag[k]
    for p in range(c.seats):
        s.players[p].card = draw(s, w.draws, w.pack, CARDS, 0) + 1
        s.players[p].seen_by[p] = 1


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """K2: there are as many stones as are taken; K3 to K5."""
    kind, n = kind_of(move), part(move, 0)
    if kind == TAKE:
        return TOO_FEW if n > s.stones else 0
    if kind == SPARK:
        return BAG_EMPTY if s.bag[0] + s.bag[1] == 0 else 0
    if kind == COVER:
        return COVERED_ALREADY if s.players[s.seat].covered == 1 else 0
    return SEEN_ALREADY if n >= s.seats or s.looked == 1 or s.players[n].seen_by[s.seat] == 1 else 0


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    me, kind, n = s.players[s.seat], kind_of(move), part(move, 0)
    if kind == COVER:
        emit(w, HIDDEN, s.seat)
        emit(w, POINTS, s.seat, me.card - me.stones, CARD)
        me.covered = 1
    elif kind == LOOK:
        emit(w, LOOKED, s.seat, n)
        s.players[n].seen_by[s.seat] = s.looked = 1
    else:
        if kind == SPARK:
            spark = draw(s, w.draws, s.bag, SPARKS, CARDS)
            me.bright += spark
            emit(w, DRAWN, s.seat, spark)
            emit(w, POINTS, s.seat, 2 * spark, BRIGHT)
        else:
            me.stones += n
            s.stones -= n
            emit(w, TAKEN, s.seat, n)
            emit(w, MOVED, s.seat, STONES, n, POOL, s.seat)
            emit(w, POINTS, s.seat, n * (1 - me.covered), STONES)
        s.looked, s.seat = 0, (s.seat + 1) % s.seats
        if s.stones == 0:
            emit(w, ENDED, -1)
            s.seat, s.ended_by = -1, 1


@rule
def points(s: Any, c: Any, p: int) -> Any:
    one = s.players[p]
    return 2 * one.bright + one.card + (one.card if one.covered == 1 else one.stones)


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
        if s.seat < 0 or viewer == ALL_SEATS or (viewer >= 0 and one.seen_by[viewer] == 1):
            shown.card = one.card


class Lanterns(components.ComponentFile, frozen=True, kw_only=True):
    stones: int
    cards: tuple[int, ...]
    bag: tuple[int, ...]


class Game(Contract):
    """Lanterns."""

    key, title = "toy", Name("Lanterns", "Laternen", "Lanternes", "Lantaarns")
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    space, reasons, events = SPACE, REASONS, EVENTS
    rules = Rules(start, refusal, play, points, observe=observe)
    Contents, State, View, Params, Work = Lanterns, State, open_view(State), Params, Work

    def prompt(self, observation: Observation) -> Message:
        return message("Take stones or draw a spark.")

    def ending_text(self, observation: Observation) -> Message:
        return message("The last stone is taken.")

    def hint(self, observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
        if move.kind != "take":
            return None
        return messages(
            "{count} stone is left then.", "{count} stones are left then.", observation.view.stones - move.args[0]
        )

    def turn_summary(self, begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
        taken = sum(event.numbers[0] for event in events if event.kind == "taken")
        sentences = [message("Your card is covered.")] if any(event.kind == "covered" for event in events) else []
        return [*sentences, messages("{count} stone more.", "{count} stones more.", taken)] if taken else sentences

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        return ("1", "2", "3", "dull", "bright")

    def draw_visible(self, setup: Setup, number: int, index: int, viewer: int | None) -> bool:
        return number > 0 or index == viewer

    def knows_points(self, observation: Observation, seat: int) -> bool:
        return bool(observation.view.players[seat].card)

    def imagine(self, observation: Observation, chance: Rng) -> Any:
        s = super().imagine(observation, chance)
        cards, held = observation.setup.board.cards, [player.card for player in s.players]
        left = [many - held.count(card) for card, many in enumerate(cards, 1)]
        for player in s.players[: s.seats]:
            if not player.card:
                player.card = chance.weighted_choice(left) + 1
                left[player.card - 1] -= 1
        return s

    def piece_names(self, setup: Setup) -> Sequence[str]:
        return ("stones",)

    def piece_locations(self, position: Position) -> Sequence[tuple[int, int, int]]:
        held = [(STONES, p, player.stones) for p, player in enumerate(position.state.players)]
        return [(STONES, POOL, position.state.stones), *held]
