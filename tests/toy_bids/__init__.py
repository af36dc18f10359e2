"""Lots: a toy game in one folder, with what no included game has: a secret hand and secret simultaneous bids.

2 to 4 players hold five cards each. In every round each player puts a card face down; then all cards are turned over,
and the highest card takes the prize unless two cards are equally high.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spieltisch import kit
from spieltisch.kit import ALL_SEATS, POINTS, draw, emit, message, rule, sentence

SEATS, CARDS, ROUNDS = 4, 6, 5
FACE_DOWN = -1
Player = np.dtype([("hand", "i2", CARDS), ("bid", "i2"), ("spent", "i2", CARDS), ("won", "i2")])
NUMBERS = [(name, "i2") for name in ("seats", "seat", "ended_by", "rounds")]
State = np.dtype([("rng", "u8"), *NUMBERS, ("players", Player, SEATS)], align=True)
Params = np.dtype([("seats", "i2"), ("cards", "i2", CARDS), ("prizes", "i2", ROUNDS)])
Work = np.dtype([("draws", kit.Draws), ("events", kit.Events), ("deck", "i2", CARDS)])
LAST_PRIZE = 3
RULES = {1: "B1", 2: "B2", LAST_PRIZE: "B3"}

SPACE = kit.MoveSpace(
    kit.MoveKind("bid", message("Bid a card"), kit.Parameter("card", range(1, CARDS + 1), kit.number_word))
)
part = SPACE.part
REASONS = kit.Reasons()
NOT_HELD = REASONS("B2", sentence("You do not hold this card."))
EVENTS = kit.EventKinds()
BID = EVENTS("bid", sentence("{player} bids {card}."), card=kit.number_of())
WON = EVENTS("won", sentence("{player} wins {prize}."), prize=kit.number_of())


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
    """B2: a player may bid only a card in their hand."""
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
    """B3: the highest bid takes the prize, unless two bids are equally high."""
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
        observed_player, own_player, is_hidden = o.players[p], s.players[p], viewer != p and viewer != ALL_SEATS
        observed_player.won = own_player.won
        observed_player.bid = FACE_DOWN if is_hidden and own_player.bid > 0 else own_player.bid
        for k in range(CARDS):
            observed_player.spent[k] = own_player.spent[k]
            if not is_hidden:
                observed_player.hand[k] = own_player.hand[k]


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """Value prizes first, and then high cards still in the hand."""
    total = CARDS * ROUNDS * s.players[p].won
    for k in range(CARDS):
        total += (k + 1) * s.players[p].hand[k]
    return total  # type: ignore[no-any-return]  # fields of a record


FEATURES = {
    **dict.fromkeys(("seats", "rounds", "players.hand", "players.spent", "players.won"), kit.count("things")),
    "seat": kit.seat_number(SEATS),
    "ended_by": kit.category("rule", LAST_PRIZE),
    "players.bid": kit.scalar("card", FACE_DOWN, CARDS),
}


class Auction(kit.ComponentFile, frozen=True, kw_only=True):
    cards: tuple[int, ...]
    prizes: tuple[int, ...]


class Game(kit.Game):
    """Lots."""

    key = "lots"
    title = kit.Name("Lots", "Lose", "Lots", "Kavels")
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    space, reasons, events, features = SPACE, REASONS, EVENTS, FEATURES
    rules = kit.Rules(start, refusal, play, points, evaluate=evaluate, observe=observe)
    Contents, State, View, Params, Work = Auction, State, kit.open_view(State), Params, Work

    def move_visibility(
        self, setup: kit.Setup, plays: Sequence[tuple[int, kit.Move]], index: int, viewer: int | None
    ) -> Any:
        turned_over = index < len(plays) // setup.seats * setup.seats
        return (
            turned_over or viewer == plays[index][0] or message("{player} bids.", player=kit.SeatName(plays[index][0]))
        )

    def draw_visible(self, setup: kit.Setup, number: int, seat: int | None, index: int, viewer: int | None) -> bool:
        return index // ROUNDS == viewer

    def prompt(self, observation: kit.Observation) -> kit.Message:
        return message("Bid for {prize}.", prize=observation.setup.board.prizes[observation.view.rounds])

    def ending_text(self, observation: kit.Observation) -> kit.Message:
        return message("The last prize is gone.")

    def draw_texts(self, setup: kit.Setup) -> Sequence[str]:
        return tuple(str(card) for card in range(1, CARDS + 1))

    def imagine(self, observation: kit.Observation, chance: kit.Rng) -> Any:
        view, s = observation.view, super().imagine(observation, chance)
        remaining_cards = list(observation.setup.board.cards)
        for player in view.players:
            for k in range(CARDS):
                remaining_cards[k] -= player.hand[k] + player.spent[k] + (player.bid == k + 1)
        for p in range(s.seats):
            if view.viewer not in (p, ALL_SEATS):
                hand = [0] * CARDS
                for _ in range(ROUNDS - s.rounds):
                    card = chance.weighted_choice(remaining_cards)
                    remaining_cards[card] -= 1
                    hand[card] += 1
                if view.players[p].bid:
                    s.players[p].bid = chance.weighted_choice(hand) + 1
                    hand[s.players[p].bid - 1] -= 1
                s.players[p].hand[:] = hand
        return s

    def invariants(self, position: kit.Position) -> Mapping[str, int]:
        players = position.state.players
        return {"cards": sum(sum(player.hand) + sum(player.spent) + (player.bid > 0) for player in players)}
