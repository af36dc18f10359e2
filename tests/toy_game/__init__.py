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
from spieltisch.core.components import Components
from spieltisch.core.events import Event, Events
from spieltisch.core.game import Game as Contract
from spieltisch.core.game import Rules
from spieltisch.core.moves import Move, Word
from spieltisch.core.observation import EVERYBODY, Observation
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, SeatName, message, messages

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

K1, K2, K3, K4 = 1, 2, 3, 4
RULES = {n: f"K{n}" for n in range(1, 6)}
K5 = 5
TAKE, SPARK, COVER, LOOK = 0, 3, 4, 5
MOVES = LOOK + SEATS


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
def enough(s: Any, number: int) -> int:
    """K2: there are as many stones as are taken."""
    return K2 if number > s.stones else 0


@rule
def sparks_left(s: Any) -> int:
    """K3: the bag is not empty."""
    return K3 if s.bag[0] + s.bag[1] == 0 else 0


@rule
def uncovered(s: Any) -> int:
    """K5: a card is covered once."""
    return K5 if s.players[s.seat].covered == 1 else 0


@rule
def may_look(s: Any, q: int) -> int:
    """K4: once a turn, at a card you have not seen."""
    return K4 if s.looked == 1 or q >= s.seats or s.players[q].seen_by[s.seat] == 1 else 0


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    if move < SPARK:
        return enough(s, move + 1)
    if move == SPARK:
        return sparks_left(s)
    if move == COVER:
        return uncovered(s)
    return may_look(s, move - LOOK)


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    n = 0
    if s.seat < 0:
        return n
    for move in range(LOOK + s.seats):
        if refusal(s, c, w, move) == 0:
            out[n] = move
            n += 1
    return n


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    me = s.players[s.seat]
    if move == COVER:
        me.covered = 1
    elif move >= LOOK:
        s.players[move - LOOK].seen_by[s.seat] = 1
        s.looked = 1
    else:
        if move == SPARK:
            me.bright += draw(s, w.draws, s.bag, SPARKS, CARDS)
        else:
            me.stones += move + 1
            s.stones -= move + 1
        s.looked = 0
        s.seat = (s.seat + 1) % s.seats
        if s.stones == 0:
            s.seat = -1
            s.ended_by = 1


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


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    return points(s, c, p)


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    stones: int
    cards: tuple[int, ...]
    sparks: tuple[int, ...]


class Contents(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: Literal["toy"]
    box: Box


class Game(Contract):
    """Lanterns."""

    key = "toy"
    title = Name("Lanterns", "Laternen", "Lanternes", "Lantaarns")
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    moves = MOVES
    rules = Rules(start, legal, refusal, play, observe, points, evaluate)
    State, View, Params, Work = State, View, Params, Work

    def read_components(self, source: str | Path) -> Components[Contents]:
        return components.read(source, Contents)

    def board(self, components: Components[Any]) -> Box:
        box: Box = components.contents.box
        return box

    def params(self, board: Box, seats: int, options: Mapping[str, Any]) -> Any:
        t = twin.new(Params)
        t.seats, t.stones, t.cards[:], t.bag[:] = seats, board.stones, board.cards, board.sparks
        return t

    def words(self, setup: Setup, number: int) -> tuple[Word, ...]:
        if number < SPARK:
            stones = messages("{count} stone", "{count} stones", number + 1)
            return (Word("take", message("Take stones")), Word(str(number + 1), stones))
        if number in (SPARK, COVER):
            return (
                Word("spark", message("Draw a spark"))
                if number == SPARK
                else Word("cover", message("Cover your card")),
            )
        if number >= LOOK + setup.seats:
            return ()
        seat = number - LOOK
        return (
            Word("look", message("Look at a card")),
            Word(str(seat + 1), message("{player}", player=SeatName(seat))),
        )

    def explain(self, observation: Observation, move: Move, rule: int) -> Message:
        return {
            K2: message("There are not so many stones."),
            K3: message("The bag is empty."),
            K4: message("You look once a turn, and at no card twice."),
            K5: message("Your card is covered."),
        }[rule]

    def tell(
        self, before: Observation, move: Move, after: Observation, seat: int, drew: Sequence[str]
    ) -> list[Message]:
        player = SeatName(seat)
        if move.number < SPARK:
            told = [
                messages(
                    "{player} takes {count} stone.", "{player} takes {count} stones.", move.number + 1, player=player
                )
            ]
        elif move.number == SPARK:
            told = [message("{player} draws a spark: {spark}.", player=player, spark=drew[0] if drew else "?")]
        elif move.number == COVER:
            told = [message("{player} covers a card.", player=player)]
        else:
            told = [
                message("{player} looks at the card of {other}.", player=player, other=SeatName(move.number - LOOK))
            ]
        return [*told, self.ending(after)] if after.over else told

    def prompt(self, observation: Observation) -> Message:
        return message("Take stones or draw a spark.")

    def ending(self, observation: Observation) -> Message:
        return message("The last stone is taken.")

    def hint(self, observation: Observation, move: Move, events: Sequence[Event]) -> Message | None:
        if move.number >= SPARK:
            return None
        left = observation.view.stones - move.number - 1
        return messages("{count} stone is left then.", "{count} stones are left then.", left)

    def turn_summary(self, begun: Observation, events: Sequence[Event], after: Observation) -> list[Message]:
        was, now = begun.view.players[begun.view.viewer], after.view.players[begun.view.viewer]
        told = []
        if now.covered != was.covered:
            told.append(message("Your card is covered."))
        if now.stones != was.stones:
            told.append(messages("{count} stone more.", "{count} stones more.", now.stones - was.stones))
        if now.bright != was.bright:
            told.append(message("A bright spark."))
        return told

    def draw_words(self, setup: Setup) -> Sequence[str]:
        return ("1", "2", "3", "dull", "bright")

    def sees_draw(self, setup: Setup, number: int, index: int, viewer: int | None) -> bool:
        return number > 0 or index == viewer

    def imagine(self, observation: Observation, chance: Chance) -> Any:
        view, s = observation.view, twin.new(State)
        for name in ("seats", "seat", "ended_by", "looked", "stones"):
            setattr(s, name, getattr(view, name))
        s.bag[:] = view.bag
        left = list(observation.setup.board.cards)
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

    def invariants(self, position: Position) -> Mapping[str, int]:
        s = position.state
        return {"stones": s.stones + sum(p.stones for p in s.players)}
