"""Lots: a toy game in one folder, with what no game of the house has: a secret hand, and secret simultaneous bids.

2 to 4 players hold five cards each. In every round each of them puts a card face down; then all are turned over, and
the highest takes the prize, unless two are the highest.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spieltisch import Game as Contract
from spieltisch import Move, Observation, Position
from spieltisch.core import components
from spieltisch.core.chance import Draws, Rng, draw
from spieltisch.core.compiled import rule
from spieltisch.core.events import POINTS, EventKinds, Events, emit, number_of
from spieltisch.core.game import Rules
from spieltisch.core.move_space import MoveKind, MoveSpace, Parameter, number_word
from spieltisch.core.observation import ALL_SEATS, open_view
from spieltisch.core.reasons import Reasons
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, SeatName, message, sentence

SEATS, CARDS, ROUNDS = 4, 6, 5
FACE_DOWN = -1
Player = np.dtype([("hand", "i2", CARDS), ("bid", "i2"), ("spent", "i2", CARDS), ("won", "i2")])
NUMBERS = [(name, "i2") for name in ("seats", "seat", "ended_by", "rounds")]
State = np.dtype([("rng", "u8"), *NUMBERS, ("players", Player, SEATS)], align=True)
Params = np.dtype([("seats", "i2"), ("cards", "i2", CARDS), ("prizes", "i2", ROUNDS)])
Work = np.dtype([("draws", Draws), ("events", Events), ("deck", "i2", CARDS)])
LAST_PRIZE = 3
RULES = {1: "B1", 2: "B2", LAST_PRIZE: "B3"}

SPACE = MoveSpace(MoveKind("bid", message("Bid a card"), Parameter("card", range(1, CARDS + 1), number_word)))
part = SPACE.part
REASONS = Reasons()
NOT_HELD = REASONS("B2", sentence("You do not hold this card."))
EVENTS = EventKinds()
BID = EVENTS("bid", sentence("{player} bids {card}."), card=number_of())
WON = EVENTS("won", sentence("{player} wins {prize}."), prize=number_of())


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """B1: each player draws a hand."""
    s.seats = c.seats
    for k in range(CARDS):
        w.deck[k] = c.cards[k]
    for p in range(c.seats):
        for _ in range(ROUNDS):
            s.players[p].hand[draw(s, w.draws, w.deck, CARDS, 0)] += 1


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """B2: one bids a card that one holds."""
    return NOT_HELD if s.players[s.seat].hand[part(move, 0) - 1] == 0 else 0


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    card = part(move, 0)
    emit(w, BID, s.seat, card)
    s.players[s.seat].hand[card - 1] -= 1
    s.players[s.seat].bid = card
    s.seat += 1
    if s.seat == s.seats:
        turn_over(s, c, w)


@rule
def turn_over(s: Any, c: Any, w: Any) -> None:
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
        emit(w, WON, winner, c.prizes[s.rounds])
        emit(w, POINTS, winner, c.prizes[s.rounds])
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
        shown, one, hidden = o.players[p], s.players[p], viewer != p and viewer != ALL_SEATS
        shown.won = one.won
        shown.bid = FACE_DOWN if hidden and one.bid > 0 else one.bid
        for k in range(CARDS):
            shown.spent[k] = one.spent[k]
            if not hidden:
                shown.hand[k] = one.hand[k]


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """Prizes, and then high cards that are still in the hand."""
    total = CARDS * ROUNDS * s.players[p].won
    for k in range(CARDS):
        total += (k + 1) * s.players[p].hand[k]
    return total  # type: ignore[no-any-return]  # fields of a record


class Auction(components.ComponentFile, frozen=True, kw_only=True):
    cards: tuple[int, ...]
    prizes: tuple[int, ...]


class Game(Contract):
    """Lots."""

    key = "lots"
    title = Name("Lots", "Lose", "Lots", "Kavels")
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    space, reasons, events = SPACE, REASONS, EVENTS
    rules = Rules(start, refusal, play, points, evaluate=evaluate, observe=observe)
    Contents, State, View, Params, Work = Auction, State, open_view(State), Params, Work

    def move_visibility(self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int, viewer: int | None) -> Any:
        turned_over = index < len(plays) // setup.seats * setup.seats
        return turned_over or viewer == plays[index][0] or message("{player} bids.", player=SeatName(plays[index][0]))

    def draw_visible(self, setup: Setup, number: int, index: int, viewer: int | None) -> bool:
        return index // ROUNDS == viewer

    def prompt(self, observation: Observation) -> Message:
        return message("Bid for {prize}.", prize=observation.setup.board.prizes[observation.view.rounds])

    def ending_text(self, observation: Observation) -> Message:
        return message("The last prize is gone.")

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        return tuple(str(card) for card in range(1, CARDS + 1))

    def imagine(self, observation: Observation, chance: Rng) -> Any:
        view, s = observation.view, super().imagine(observation, chance)
        left = list(observation.setup.board.cards)
        for player in view.players:
            for k in range(CARDS):
                left[k] -= player.hand[k] + player.spent[k] + (player.bid == k + 1)
        for p in range(s.seats):
            if view.viewer not in (p, ALL_SEATS):
                hand = [0] * CARDS
                for _ in range(ROUNDS - s.rounds):
                    card = chance.weighted_choice(left)
                    left[card] -= 1
                    hand[card] += 1
                if view.players[p].bid:
                    s.players[p].bid = chance.weighted_choice(hand) + 1
                    hand[s.players[p].bid - 1] -= 1
                s.players[p].hand[:] = hand
        return s

    def invariants(self, position: Position) -> Mapping[str, int]:
        players = position.state.players
        return {"cards": sum(sum(player.hand) + sum(player.spent) + (player.bid > 0) for player in players)}
