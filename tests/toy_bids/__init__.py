"""Lots: a toy game in one folder, with what no game of the house has: a secret hand, and secret simultaneous bids.

2 to 4 players hold five cards each. In every round each of them puts a card face down; then all are turned over, and
the highest takes the prize, unless two are the highest.
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
from spieltisch.core.game import Game as Contract
from spieltisch.core.game import Rules
from spieltisch.core.moves import Move, Word
from spieltisch.core.observation import EVERYBODY, Observation
from spieltisch.core.position import Position
from spieltisch.core.refusal import DocumentError
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, SeatName, message

SEATS, CARDS, ROUNDS = 4, 6, 5
FACE_DOWN = -1
Player = np.dtype([("hand", "i2", CARDS), ("bid", "i2"), ("spent", "i2", CARDS), ("won", "i2")])
FIELDS = [("seats", "i2"), ("seat", "i2"), ("ended_by", "i2"), ("rounds", "i2"), ("players", Player, SEATS)]
State = np.dtype([("rng", "u8"), *FIELDS], align=True)
View = np.dtype([("viewer", "i2"), *FIELDS], align=True)
Table = np.dtype([("seats", "i2"), ("cards", "i2", CARDS), ("prizes", "i2", ROUNDS)])
Work = np.dtype([("draws", Draws), ("deck", "i2", CARDS)])
NOT_HELD, LAST_PRIZE = 2, 3
RULES = {1: "B1", NOT_HELD: "B2", LAST_PRIZE: "B3"}


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """B1: everybody draws a hand."""
    s.seats = c.seats
    for k in range(CARDS):
        w.deck[k] = c.cards[k]
    for p in range(c.seats):
        for _ in range(ROUNDS):
            s.players[p].hand[draw(s, w.draws, w.deck, CARDS, 0)] += 1


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """B2: one bids a card that one holds."""
    return NOT_HELD if s.players[s.seat].hand[move] == 0 else 0


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    n = 0
    if s.seat >= 0:
        for move in range(CARDS):
            if refusal(s, c, w, move) == 0:
                out[n] = move
                n += 1
    return n


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    s.players[s.seat].hand[move] -= 1
    s.players[s.seat].bid = move + 1
    s.seat += 1
    if s.seat == s.seats:
        turn_over(s, c)


@rule
def turn_over(s: Any, c: Any) -> None:
    """B3: the highest bid takes the prize; two that are the highest do not."""
    highest, winner = 0, -1
    for p in range(s.seats):
        bid = s.players[p].bid
        if bid >= highest:
            winner = p if bid > highest else -1
            highest = bid
        s.players[p].spent[bid - 1] += 1
        s.players[p].bid = 0
    if winner >= 0:
        s.players[winner].won += c.prizes[s.rounds]
    s.rounds += 1
    s.seat = 0
    if s.rounds == ROUNDS:
        s.seat, s.ended_by = -1, LAST_PRIZE


@rule
def points(s: Any, c: Any, p: int) -> int:
    return s.players[p].won  # type: ignore[no-any-return]  # a field of a record


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    o.viewer, o.seats, o.seat, o.ended_by, o.rounds = viewer, s.seats, s.seat, s.ended_by, s.rounds
    for p in range(s.seats):
        shown, one, hidden = o.players[p], s.players[p], viewer != p and viewer != EVERYBODY
        shown.won = one.won
        shown.bid = FACE_DOWN if hidden and one.bid > 0 else one.bid
        for k in range(CARDS):
            shown.spent[k] = one.spent[k]
            if not hidden:
                shown.hand[k] = one.hand[k]


@rule
def worth(s: Any, c: Any, p: int) -> int:
    """Prizes, and then high cards that are still in the hand."""
    total = CARDS * ROUNDS * s.players[p].won
    for k in range(CARDS):
        total += (k + 1) * s.players[p].hand[k]
    return total  # type: ignore[no-any-return]  # fields of a record


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cards: tuple[int, ...]
    prizes: tuple[int, ...]


class Contents(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: Literal["lots"]
    box: Box


class Game(Contract):
    """Lots."""

    key = "lots"
    title = Name("Lots", "Lose", "Lots", "Kavels")
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    moves = CARDS
    rules = Rules(start, legal, refusal, play, observe, points, worth)
    State, View, Table, Work = State, View, Table, Work

    def read_components(self, source: str | Path) -> Components[Contents]:
        return components.read(source, Contents)

    def board(self, components: Components[Any]) -> Box:
        box: Box = components.contents.box
        return box

    def table(self, board: Box, seats: int, options: Mapping[str, Any]) -> Any:
        t = twin.new(Table)
        t.seats, t.cards[:], t.prizes[:] = seats, board.cards, board.prizes
        return t

    def words(self, setup: Setup, number: int) -> tuple[Word, ...]:
        return Word("bid", message("Bid a card")), Word(str(number + 1), message("{card}", card=number + 1))

    def explain(self, observation: Observation, move: Move, rule: int) -> Message:
        return message("You do not hold this card.")

    def sees_move(self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int, viewer: int | None) -> Any:
        turned_over = index < len(plays) // setup.seats * setup.seats
        return turned_over or viewer == plays[index][0] or message("{player} bids.", player=SeatName(plays[index][0]))

    def sees_draw(self, setup: Setup, number: int, index: int, viewer: int | None) -> bool:
        return index // ROUNDS == viewer

    def tell(
        self, before: Observation, move: Move, after: Observation, seat: int, drew: Sequence[str]
    ) -> list[Message]:
        told = [message("{player} bids {card}.", player=SeatName(seat), card=move.number + 1)]
        for p, (was, now) in enumerate(zip(before.view.players, after.view.players, strict=True)):
            if now.won > was.won:
                told.append(message("{player} wins {prize}.", player=SeatName(p), prize=now.won - was.won))
        return told

    def prompt(self, observation: Observation) -> Message:
        prize = observation.setup.board.prizes[observation.view.rounds]
        return message("Bid for {prize}.", prize=prize)

    def ending(self, observation: Observation) -> Message:
        return message("The last prize is gone.")

    def draw_words(self, setup: Setup) -> Sequence[str]:
        return tuple(str(card) for card in range(1, CARDS + 1))

    def imagine(self, observation: Observation, chance: Chance) -> Any:
        view, s = observation.view, twin.new(State)
        for name in ("seats", "seat", "ended_by", "rounds"):
            setattr(s, name, getattr(view, name))
        left = list(observation.setup.board.cards)
        for p in range(s.seats):
            twin.assign(view.players[p], s.players[p])
            for k in range(CARDS):
                left[k] -= view.players[p].hand[k] + view.players[p].spent[k] + (view.players[p].bid == k + 1)
        for p in range(s.seats):
            if view.viewer not in (p, EVERYBODY):
                hand = [0] * CARDS
                for _ in range(ROUNDS - s.rounds):
                    card = chance.pick(left)
                    left[card] -= 1
                    hand[card] += 1
                if view.players[p].bid:
                    s.players[p].bid = chance.pick(hand) + 1
                    hand[s.players[p].bid - 1] -= 1
                s.players[p].hand[:] = hand
        return s

    def document(self, position: Position) -> dict[str, Any]:
        s = position.state
        players = [{name: getattr(s.players[p], name) for name in Player.names or ()} for p in range(s.seats)]
        return {"seat": s.seat, "ended_by": s.ended_by, "rounds": s.rounds, "players": players}

    def restore(self, setup: Setup, document: Mapping[str, Any]) -> Any:
        s = twin.new(State)
        s.seats = setup.seats
        try:
            s.seat, s.ended_by, s.rounds = (int(document[name]) for name in ("seat", "ended_by", "rounds"))
            for p, player in enumerate(document["players"]):
                s.players[p].bid, s.players[p].won = int(player["bid"]), int(player["won"])
                s.players[p].hand[:], s.players[p].spent[:] = list(player["hand"]), list(player["spent"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise DocumentError(f"{error}: missing or wrong") from error
        return s

    def conserved(self, position: Position) -> Mapping[str, int]:
        players = position.state.players
        return {"cards": sum(sum(one.hand) + sum(one.spent) + (one.bid > 0) for one in players)}
