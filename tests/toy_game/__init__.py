"""Lanterns: a toy game in one folder, which shows what a game consists of and that nothing else is needed.

2 to 4 players hold a secret card (1 to 3) each. In a turn, a player takes 1 to 3 stones or draws a spark from the bag.
Before that, the player may once look at another player's card, and may cover their own (it then scores double, and
their stones nothing). When the stones are gone, stones, bright sparks and the card score.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spieltisch import kit
from spieltisch.kit import ALL_SEATS, MOVED, POINTS, draw, emit, message, messages, rule, sentence, sentences

SEATS, CARDS, SPARKS = 4, 3, 2
RULES = {n: f"K{n}" for n in range(1, 6)}
Player = np.dtype([("card", "i2"), ("stones", "i2"), ("bright", "i2"), ("covered", "i2"), ("seen_by", "i2", SEATS)])
NUMBERS = [(name, "i2") for name in ("seats", "seat", "ended_by", "looked", "stones")]
State = np.dtype([("rng", "u8"), *NUMBERS, ("bag", "i2", SPARKS), ("players", Player, SEATS)], align=True)
Params = np.dtype([("seats", "i2"), ("stones", "i2"), ("cards", "i2", CARDS), ("bag", "i2", SPARKS)])
Work = np.dtype([("draws", kit.Draws), ("events", kit.Events), ("pack", "i2", CARDS)])

SPACE = kit.MoveSpace(
    kit.MoveKind("take", message("Take stones"), kit.Parameter("stones", range(1, 4), kit.number_word)),
    kit.MoveKind("spark", message("Draw a spark")),
    kit.MoveKind("cover", message("Cover your card")),
    kit.MoveKind("look", message("Look at a card"), kit.Parameter("seat", SEATS, kit.seat_word)),
)
TAKE, SPARK, COVER, LOOK = SPACE.codes
kind_of, part = SPACE.kind_of, SPACE.part

REASONS = kit.Reasons()
TOO_FEW = REASONS("K2", sentence("There are not so many stones."))
BAG_EMPTY = REASONS("K3", sentence("The bag is empty."))
SEEN_ALREADY = REASONS("K4", sentence("You look once a turn, and at no card twice."))
COVERED_ALREADY = REASONS("K5", sentence("Your card is covered."))

STONES, CARD, BRIGHT = 0, 1, 2
"""Sources of points; stones are pieces, too, in the pool or with a seat."""
POOL = SEATS
EVENTS = kit.EventKinds(
    count=kit.number_of(),
    spark=lambda setup, event: ("dull", "bright")[event.numbers[0]],
    other=lambda setup, event: kit.SeatName(event.numbers[0]),
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
    """K2: no more stones may be taken than are left; K3 to K5 limit sparks, covering and looking."""
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
    own_player, kind, n = s.players[s.seat], kind_of(move), part(move, 0)
    if kind == COVER:
        emit(w, HIDDEN, s.seat)
        emit(w, POINTS, s.seat, own_player.card - own_player.stones, CARD)
        own_player.covered = 1
    elif kind == LOOK:
        emit(w, LOOKED, s.seat, n)
        s.players[n].seen_by[s.seat] = s.looked = 1
    else:
        if kind == SPARK:
            spark = draw(s, w.draws, s.bag, SPARKS, CARDS)
            own_player.bright += spark
            emit(w, DRAWN, s.seat, spark)
            emit(w, POINTS, s.seat, 2 * spark, BRIGHT)
        else:
            own_player.stones += n
            s.stones -= n
            emit(w, TAKEN, s.seat, n)
            emit(w, MOVED, s.seat, STONES, n, POOL, s.seat)
            emit(w, POINTS, s.seat, n * (1 - own_player.covered), STONES)
        s.looked, s.seat = 0, (s.seat + 1) % s.seats
        if s.stones == 0:
            emit(w, ENDED, -1)
            s.seat, s.ended_by = -1, 1


@rule
def points(s: Any, c: Any, p: int) -> Any:
    own_player = s.players[p]
    return 2 * own_player.bright + own_player.card + (own_player.card if own_player.covered == 1 else own_player.stones)


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    o.viewer, o.seats, o.seat, o.ended_by, o.looked, o.stones = viewer, s.seats, s.seat, s.ended_by, s.looked, s.stones
    for k in range(SPARKS):
        o.bag[k] = s.bag[k]
    for p in range(s.seats):
        observed_player, own_player = o.players[p], s.players[p]
        observed_player.stones, observed_player.bright, observed_player.covered = (
            own_player.stones,
            own_player.bright,
            own_player.covered,
        )
        for q in range(s.seats):
            observed_player.seen_by[q] = own_player.seen_by[q]
        if s.seat < 0 or viewer == ALL_SEATS or (viewer >= 0 and own_player.seen_by[viewer] == 1):
            observed_player.card = own_player.card


FEATURES = {
    **dict.fromkeys(("seats", "looked", "stones", "bag", "players.card"), kit.count("things")),
    **dict.fromkeys(("players.stones", "players.bright"), kit.count("things")),
    **dict.fromkeys(("players.covered", "players.seen_by"), kit.member_flags("player")),
    "seat": kit.seat_number(SEATS),
    "ended_by": kit.category("rule", 1),
}


class Lanterns(kit.ComponentFile, frozen=True, kw_only=True):
    stones: int
    cards: tuple[int, ...]
    bag: tuple[int, ...]


class Game(kit.Game):
    """Lanterns."""

    key, title = "toy", kit.Name("Lanterns", "Laternen", "Lanternes", "Lantaarns")
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    space, reasons, events, features = SPACE, REASONS, EVENTS, FEATURES
    rules = kit.Rules(start, refusal, play, points, observe=observe)
    Contents, State, View, Params, Work = Lanterns, State, kit.open_view(State), Params, Work

    def prompt(self, observation: kit.Observation) -> kit.Message:
        return message("Take stones or draw a spark.")

    def ending_text(self, observation: kit.Observation) -> kit.Message:
        return message("The last stone is taken.")

    def hint(self, observation: kit.Observation, move: kit.Move, events: Sequence[kit.GameEvent]) -> kit.Message | None:
        if move.kind != "take":
            return None
        return messages(
            "{count} stone is left then.", "{count} stones are left then.", observation.view.stones - move.args[0]
        )

    def turn_summary(self, begun: kit.Observation, events: Sequence[kit.GameEvent]) -> list[kit.Message]:
        taken_tokens = sum(event.numbers[0] for event in events if event.kind == "taken")
        sentences = [message("Your card is covered.")] if any(event.kind == "covered" for event in events) else []
        return (
            [*sentences, messages("{count} stone more.", "{count} stones more.", taken_tokens)]
            if taken_tokens
            else sentences
        )

    def draw_texts(self, setup: kit.Setup) -> Sequence[str]:
        return ("1", "2", "3", "dull", "bright")

    def draw_visible(self, setup: kit.Setup, number: int, seat: int | None, index: int, viewer: int | None) -> bool:
        return number > 0 or index == viewer

    def knows_points(self, observation: kit.Observation, seat: int) -> bool:
        return bool(observation.view.players[seat].card)

    def imagine(self, observation: kit.Observation, chance: kit.Rng) -> Any:
        s = super().imagine(observation, chance)
        cards, held_cards = observation.setup.board.cards, [player.card for player in s.players]
        remaining_cards = [count - held_cards.count(card) for card, count in enumerate(cards, 1)]
        for player in s.players[: s.seats]:
            if not player.card:
                player.card = chance.weighted_choice(remaining_cards) + 1
                remaining_cards[player.card - 1] -= 1
        return s

    def piece_names(self, setup: kit.Setup) -> Sequence[str]:
        return ("stones",)

    def piece_locations(self, position: kit.Position) -> Sequence[tuple[int, int, int]]:
        piece_counts = [(STONES, p, player.stones) for p, player in enumerate(position.state.players)]
        return [(STONES, POOL, position.state.stones), *piece_counts]
