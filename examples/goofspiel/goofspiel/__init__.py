"""Goofspiel, the Game of Pure Strategy: an example of a game with hidden simultaneous choice."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spieltisch import kit
from spieltisch.kit import ALL_SEATS, POINTS, draw, emit, message, rule, sentence

SEATS, CARDS = 4, 13
FACE_DOWN = -1
Player = np.dtype([("hand", "i2", CARDS), ("bid", "i2"), ("won", "i2")])
NUMBERS = [(name, "i2") for name in ("seats", "seat", "ended_by", "prize", "stake")]
State = np.dtype([("rng", "u8"), *NUMBERS, ("deck", "i2", CARDS), ("players", Player, SEATS)], align=True)
Params = np.dtype([("seats", "i2"), ("highest", "i2")])
Work = np.dtype([("draws", kit.Draws), ("events", kit.Events)])
LAST_PRIZE = 4
RULES = {1: "G1", 2: "G2", 3: "G3", LAST_PRIZE: "G4"}

SPACE = kit.MoveSpace(
    kit.MoveKind("bid", message("Bid a card"), kit.Parameter("card", range(1, CARDS + 1), kit.number_word))
)
part = SPACE.part
REASONS = kit.Reasons()
NOT_HELD = REASONS("G2", sentence("You have already used this card."))
EVENTS = kit.EventKinds()
TURNED_UP = EVENTS("turned up", sentence("The next prize is {prize}."), prize=kit.number_of())
BID = EVENTS("bid", sentence("{player} bids {card}."), card=kit.number_of())
WON = EVENTS("won", sentence("{player} wins {prize}."), prize=kit.number_of())
TIED = EVENTS("tied", sentence("The highest bid was made more than once. The prizes stay on the table."))


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """G1: set up the hands and the prizes."""
    s.seats = c.seats
    for k in range(c.highest):
        s.deck[k] = 1
        for p in range(c.seats):
            s.players[p].hand[k] = 1
    turn_up(s, w)


@rule
def turn_up(s: Any, w: Any) -> None:
    """G1, G4: turn up a prize."""
    s.prize = draw(s, w.draws, s.deck, CARDS, 0) + 1
    s.stake += s.prize
    emit(w, TURNED_UP, -1, s.prize)


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """G2: a player bids a card from the hand."""
    return NOT_HELD if s.players[s.seat].hand[part(move, 0) - 1] == 0 else 0


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """G2: bid a card; the last bid turns all of them over."""
    s.players[s.seat].bid = part(move, 0)
    emit(w, BID, s.seat, part(move, 0))
    s.seat += 1
    if s.seat == s.seats:
        turn_over(s, w)


@rule
def turn_over(s: Any, w: Any) -> None:
    """G3, G4: the highest bid wins, and the next prize is turned up."""
    highest, winner, left = 0, -1, 0
    for p in range(s.seats):
        bid = s.players[p].bid
        if bid >= highest:
            winner = p if bid > highest else -1
            highest = bid
        s.players[p].hand[bid - 1] = 0
        s.players[p].bid = 0
    if winner >= 0:
        s.players[winner].won += s.stake
        emit(w, WON, winner, s.stake)
        emit(w, POINTS, winner, s.stake)
        s.stake = 0
    else:
        emit(w, TIED, -1)
    for k in range(CARDS):
        left += s.deck[k]
    if left > 0:
        s.seat = 0
        turn_up(s, w)
    else:
        s.seat, s.ended_by = -1, LAST_PRIZE


@rule
def points(s: Any, c: Any, p: int) -> Any:
    """G4: the points are the prizes won."""
    return s.players[p].won


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """Show everything but the bids of others that lie face down."""
    o.viewer, o.seats, o.seat, o.ended_by, o.prize, o.stake = viewer, s.seats, s.seat, s.ended_by, s.prize, s.stake
    for k in range(CARDS):
        o.deck[k] = s.deck[k]
    for p in range(s.seats):
        shown, player = o.players[p], s.players[p]
        shown.won = player.won
        shown.bid = FACE_DOWN if player.bid > 0 and viewer != p and viewer != ALL_SEATS else player.bid
        for k in range(CARDS):
            shown.hand[k] = player.hand[k]


@rule
def evaluate(s: Any, c: Any, p: int) -> Any:
    """Return the prizes won, and then the cards that are still in the hand."""
    total = 100 * s.players[p].won
    for k in range(CARDS):
        if s.players[p].hand[k] == 1 and s.players[p].bid != k + 1:
            total += k + 1
    return total


FEATURES = {
    "seats": kit.count("players", SEATS),
    "seat": kit.seat_number(SEATS),
    "ended_by": kit.category("rule", LAST_PRIZE),
    "prize": kit.count("points", CARDS),
    "stake": kit.count("points"),
    "deck": kit.member_flags("prize"),
    "players.hand": kit.member_flags("card"),
    "players.bid": kit.scalar("card", FACE_DOWN, CARDS),
    "players.won": kit.count("points"),
}


class Pack(kit.ComponentFile, frozen=True, kw_only=True):
    """The component file: the highest card of a suit."""

    highest: int


class GoofspielScene(kit.Scene):
    """The values of an observation that the templates show."""

    def context(self) -> dict[str, Any]:
        """Return the prizes, and the players from the viewer on."""
        view, cards = self.view, range(1, self.board.highest + 1)
        players = [
            {
                **self.player(seat),
                "cards": [(card, bool(view.players[seat].hand[card - 1])) for card in cards],
                "bid": view.players[seat].bid,
                "won": view.players[seat].won,
            }
            for seat in self.seats_from_viewer
        ]
        prizes = [card for card in cards if view.deck[card - 1]]
        return {**super().context(), "prize": view.prize, "stake": view.stake, "prizes": prizes, "players": players}


class GoofspielDrawing(kit.Drawing):
    """The drawing: `panel.html`, `end.html` and `style.css` in the folder `templates`."""

    templates = Path(__file__).parent / "templates"
    scenes = GoofspielScene

    def static_context(self, setup: kit.Setup, words: Any) -> dict[str, Any]:
        """Return nothing: the style sheet is always the same."""
        return {}

    def icons_by_name(self, setup: kit.Setup) -> dict[kit.Name, str]:
        """Return nothing: the cards have no icons."""
        return {}


class Game(kit.Game):
    """Goofspiel."""

    key = "goofspiel"
    title = kit.Name("Goofspiel")
    about = kit.GameInfo(message("Bid in secret for thirteen prizes."), minutes=(5, 15), weight=1)
    seats = range(2, SEATS + 1)
    folder = Path(__file__).parent
    rule_names = RULES
    space, reasons, events, features = SPACE, REASONS, EVENTS, FEATURES
    rules = kit.Rules(start, refusal, play, points, evaluate=evaluate, observe=observe)
    Contents, State, View, Params, Work = Pack, State, kit.open_view(State), Params, Work
    drawing = GoofspielDrawing()

    def prompt(self, observation: kit.Observation) -> kit.Message:
        """Return the request for a bid."""
        return message("Bid for {prize}.", prize=observation.view.stake)

    def ending_text(self, observation: kit.Observation) -> kit.Message:
        """Return the reason of the end."""
        return message("The last prize is gone.")

    def draw_texts(self, setup: kit.Setup) -> Sequence[str]:
        """Return the texts of the prizes in records."""
        return tuple(str(card) for card in range(1, CARDS + 1))

    def move_visibility(
        self, setup: kit.Setup, plays: Sequence[tuple[int, kit.Move]], index: int, viewer: int | None
    ) -> Any:
        """Show a bid to all when everybody has bid, and before that to its own seat."""
        is_open = index < len(plays) // setup.seats * setup.seats or viewer == plays[index][0]
        return is_open or message("{player} bids.", player=kit.SeatName(plays[index][0]))

    def imagine(self, observation: kit.Observation, chance: kit.Rng) -> Any:
        """Return a state in which each bid that lies face down is any card of its hand."""
        s = super().imagine(observation, chance)
        for player in s.players[: s.seats]:
            if player.bid == FACE_DOWN:
                player.bid = chance.weighted_choice(list(player.hand)) + 1
        return s

    def invariants(self, position: kit.Position) -> Mapping[str, int]:
        """Return the sum of all prizes: in the pack, on the table and won."""
        s = position.state
        left = sum(card * count for card, count in enumerate(s.deck, 1))
        return {"prizes": left + s.stake + sum(player.won for player in s.players)}
