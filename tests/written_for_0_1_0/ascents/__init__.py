"""Ascents: climb in two colours, with a secret hand, drawing from one pack in no fixed order of turns."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from spieltisch import kit
from spieltisch.kit import ALL_SEATS, MOVED, POINTS, draw, emit, message, messages, randbelow, rule, sentence, sentences

SEATS, COLOURS, VALUES = 4, 2, 8
CARDS = COLOURS * VALUES
Player = np.dtype([("hand", "i2", CARDS), ("held", "i2"), ("top", "i2", COLOURS), ("points", "i2")])
NUMBERS = [(name, "i2") for name in ("seats", "seat", "ended_by", "left")]
CARD_SETS = [("deck", "i2", CARDS), ("gone", "i2", CARDS)]
State = np.dtype([("rng", "u8"), *NUMBERS, *CARD_SETS, ("players", Player, SEATS)], align=True)
Params = np.dtype([("seats", "i2"), ("hand", "i2"), ("shuffled_seats", "i2")])
Work = np.dtype([("draws", kit.Draws), ("events", kit.Events)])
RULES = {1: "A1", 2: "A2", 3: "A3", 4: "A4"}
PACK_EMPTY = 4
PILE, PACK, FIRST_HAND = 0, 1, 2


def card_word(setup: kit.Setup, card: int) -> kit.MoveWord:
    """Return the word for a card, such as red-3."""
    colour = setup.board.colours[card // VALUES]
    label = message("{colour} {value}", colour=colour.label, value=card % VALUES + 1)
    return kit.MoveWord(f"{colour.id}-{card % VALUES + 1}", label)


SPACE = kit.MoveSpace(
    kit.MoveKind("play", message("Play a card"), kit.Parameter("card", CARDS, card_word, message("Which card?"))),
    kit.MoveKind("discard", message("Discard a card"), kit.Parameter("card", CARDS, card_word)),
)
PLAY, DISCARD = SPACE.codes
kind_of, part, move_number = SPACE.kind_of, SPACE.part, SPACE.number

REASONS = kit.Reasons(
    top=lambda observation, move: int(observation.view.players[observation.view.seat].top[move.args[0] // VALUES])
)
NOT_HELD = REASONS("A2", sentence("You don’t hold this card."))
TOO_LOW = REASONS("A2", sentence("Your last card of this colour is {top}."))

EVENTS = kit.EventKinds(value=kit.number_of(0), colour=lambda setup, event: setup.board.colours[event.numbers[1]].label)
PLAYED = EVENTS("played", sentence("{player} plays {colour} {value}."))
DISCARDED = EVENTS("discarded", sentence("{player} discards {colour} {value}."))
DRAWN = EVENTS(
    "drawn",
    sentence("{player} draws {colour} {value}."),
    visible_to=lambda setup, event, viewer: viewer == event.seat,
    hidden_sentence=sentence("{player} draws a card."),
)
AGAIN = EVENTS("again", run_sentence=lambda setup, events: message("{player} again.", player=seat_of(events[0])))
LEFT = EVENTS("left", sentences("{count} card is left.", "{count} cards are left."), count=kit.number_of(0))


def seat_of(event: kit.GameEvent) -> kit.SeatName:
    """Return the player of an event."""
    return kit.SeatName(event.seat or 0)


@rule
def start(s: Any, c: Any, w: Any) -> None:
    """A1: draw the hands; a random seat begins if the option says so."""
    s.seats, s.left = c.seats, CARDS
    for k in range(CARDS):
        s.deck[k] = 1
    for p in range(c.seats):
        for _ in range(c.hand):
            take(s, w, p)
    if c.shuffled_seats == 1:
        s.seat = randbelow(s, c.seats)


@rule
def take(s: Any, w: Any, p: int) -> None:
    """A1, A2: draw a card."""
    card = draw(s, w.draws, s.deck, CARDS, 0)
    s.players[p].hand[card] += 1
    s.players[p].held += 1
    s.left -= 1
    emit(w, DRAWN, p, card % VALUES + 1, card // VALUES)
    emit(w, MOVED, p, 0, 1, PACK, FIRST_HAND + p)


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    """A2: the card is held, and it is higher than the last one."""
    card = part(move, 0)
    if s.players[s.seat].hand[card] == 0:
        return NOT_HELD
    is_lower = card % VALUES + 1 <= s.players[s.seat].top[card // VALUES]
    return TOO_LOW if kind_of(move) == PLAY and is_lower else 0


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    """A2: list the cards that are held, first those that can be played."""
    n = 0
    for kind in range(DISCARD + 1):
        for card in range(CARDS if s.seat >= 0 else 0):
            move = move_number(kind, card)
            if refusal(s, c, w, move) == 0:
                out[n] = move
                n += 1
    return n


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    """A2 to A4: play or discard a card, and draw one."""
    card, p = part(move, 0), s.seat
    value, colour = card % VALUES + 1, card // VALUES
    s.players[p].hand[card] -= 1
    s.players[p].held -= 1
    s.gone[card] += 1
    emit(w, MOVED, p, 0, 1, FIRST_HAND + p, PILE)
    if kind_of(move) == PLAY:
        s.players[p].top[colour] = value
        s.players[p].points += value
        emit(w, PLAYED, p, value, colour)
        emit(w, POINTS, p, value, 0)
    else:
        emit(w, DISCARDED, p, value, colour)
    take(s, w, p)
    emit(w, LEFT, -1, s.left)
    if s.left == 0:
        s.seat, s.ended_by = -1, PACK_EMPTY
    elif kind_of(move) == PLAY and value == 1:
        emit(w, AGAIN, p)
    else:
        s.seat = (p + 1) % s.seats


@rule
def points(s: Any, c: Any, p: int) -> Any:
    """A3: the points are those of the cards played."""
    return s.players[p].points


@rule
def evaluate(s: Any, c: Any, p: int) -> Any:
    """Return the points, less a little for each value that was skipped."""
    return 10 * s.players[p].points - s.players[p].top[0] - s.players[p].top[1]


@rule
def observe(s: Any, viewer: int, o: Any) -> None:
    """A1: show everything but the pack and the hands of others."""
    o.viewer, o.seats, o.seat, o.ended_by, o.left = viewer, s.seats, s.seat, s.ended_by, s.left
    for k in range(CARDS):
        o.gone[k] = s.gone[k]
    for p in range(s.seats):
        observed_player, own_player, is_hidden = o.players[p], s.players[p], viewer != p and viewer != ALL_SEATS
        observed_player.points, observed_player.held = own_player.points, own_player.held
        for k in range(COLOURS):
            observed_player.top[k] = own_player.top[k]
        if not is_hidden:
            for k in range(CARDS):
                observed_player.hand[k] = own_player.hand[k]


FEATURES: dict[str, kit.Meaning | None] = {
    "seats": kit.count("players", SEATS),
    "seat": kit.seat_number(SEATS),
    "ended_by": kit.category("rule", PACK_EMPTY),
    "left": kit.count("cards", CARDS),
    "deck": None,
    "gone": kit.member_flags("card"),
    "players.hand": kit.member_flags("card"),
    "players.held": kit.count("cards", CARDS),
    "players.top": kit.category("value", VALUES),
    "players.points": kit.scalar("points"),
}


class Colour(msgspec.Struct, frozen=True):
    """A colour of cards."""

    id: str
    label: kit.Name


class Pack(kit.ComponentFile, frozen=True, kw_only=True):
    """The component file: the size of a hand, and the colours."""

    hand: int
    colours: tuple[Colour, ...]


class AscentsScene(kit.Scene):
    """The values of an observation that the templates show."""

    def context(self) -> dict[str, Any]:
        """Return the players from the viewer on."""
        return {**super().context(), "left": self.view.left, "players": [*map(self.player, self.seats_from_viewer)]}


class AscentsDrawing(kit.Drawing):
    """The drawing: a panel and the end."""

    templates = Path(__file__).parent / "templates"
    scenes = AscentsScene

    def static_context(self, setup: kit.Setup, words: Any) -> dict[str, Any]:
        """Return nothing: the style sheet is always the same."""
        return {}

    def icons_by_name(self, setup: kit.Setup) -> dict[kit.Name, str]:
        """Return nothing: the cards have no icons."""
        return {}


class Game(kit.Game):
    """Ascents."""

    key, title = "ascents", kit.Name("Ascents")
    about = kit.GameInfo(message("Climb in two colours."), minutes=(5, 10), weight=1)
    seats = range(2, SEATS + 1)
    options = (
        kit.Option(
            "shuffled_seats",
            message("First player"),
            message("Who begins."),
            ((False, message("the first seat")), (True, message("any seat"))),
            False,
        ),
    )
    folder = Path(__file__).parent
    rule_names = RULES
    space, reasons, events, features = SPACE, REASONS, EVENTS, FEATURES
    rules = kit.Rules(start, refusal, play, points, legal, evaluate, observe=observe)
    Contents, State, View, Params, Work = Pack, State, kit.open_view(State), Params, Work
    evaluation_per_point = 10
    drawing = AscentsDrawing()

    def board(self, components: kit.Components[Any]) -> Pack:
        """Return the contents of the component file."""
        contents: Pack = components.contents
        return contents

    def prompt(self, observation: kit.Observation) -> kit.Message:
        """Return the request for a card."""
        return messages("Play a card; {count} is left.", "Play a card; {count} are left.", observation.view.left)

    def ending_text(self, observation: kit.Observation) -> kit.Message:
        """Return the reason of the end."""
        return message("The pack is empty.")

    def hint(self, observation: kit.Observation, move: kit.Move, events: Sequence[kit.GameEvent]) -> kit.Message | None:
        """Return the points of a card."""
        gained_points = sum(event.numbers[0] for event in events if event.kind == "points")
        return messages("{count} point.", "{count} points.", gained_points) if gained_points else None

    def draw_texts(self, setup: kit.Setup) -> Sequence[str]:
        """Return the texts of the cards in records."""
        return tuple(card_word(setup, card).text for card in range(CARDS))

    def draw_visible(self, setup: kit.Setup, number: int, seat: int | None, index: int, viewer: int | None) -> bool:
        """Return True for whoever drew: the hands go seat by seat, later cards to the seat that played."""
        return (index // setup.board.hand if seat is None else seat) == viewer

    def imagine(self, observation: kit.Observation, chance: kit.Rng) -> Any:
        """Return a state in which pack and hands of others are any of the cards that are not seen."""
        s = super().imagine(observation, chance)
        unseen = [1 - s.gone[k] - sum(player.hand[k] for player in s.players) for k in range(CARDS)]
        for player in s.players[: s.seats]:
            while sum(player.hand) < player.held:
                card = chance.weighted_choice(unseen)
                unseen[card] -= 1
                player.hand[card] += 1
        s.deck[:] = unseen
        return s

    def piece_names(self, setup: kit.Setup) -> Sequence[str]:
        """Return the one kind of piece."""
        return ("cards",)

    def piece_locations(self, position: kit.Position) -> Sequence[tuple[int, int, int]]:
        """Return where the cards are."""
        s = position.state
        hands = [(0, FIRST_HAND + p, sum(player.hand)) for p, player in enumerate(s.players)]
        return [(0, PILE, sum(s.gone)), (0, PACK, sum(s.deck)), *hands]

    def invariants(self, position: kit.Position) -> Mapping[str, int]:
        """Return the sum of all cards held, as the players count them."""
        s = position.state
        return {"counted": sum(player.held for player in s.players) + s.left + sum(s.gone)}
