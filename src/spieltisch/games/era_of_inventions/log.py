"""The events of Era of Inventions and their sentences in the log, all of which are public."""

from collections.abc import Sequence
from typing import Any

from spieltisch.core.compiled import Lookup
from spieltisch.core.events import EventKinds, GameEvent, name_of, number_of
from spieltisch.core.words import Message, Name, SeatName, message, sentence, sentences
from spieltisch.games.era_of_inventions.goods_text import (
    amount,
    amounts,
    card_name,
    field_name,
    listed,
    mix_row,
    pair,
    plus,
)
from spieltisch.games.era_of_inventions.moves import tools
from spieltisch.games.era_of_inventions.state import COIN, GOLD, GOODS, INFLUENCE, STONE, Action

EVENTS = EventKinds(action=name_of("contents.actions"), count=number_of())
"""The kinds of event."""

# --- Discs. ---

PLACES = EVENTS("places", sentence("{player} places a disc on {action}."))
PLACES_LAST = EVENTS("places last", sentence("{player} places a disc on {action}, the only field left."))
CARRIES_OUT = EVENTS("carries out", sentence("{player} carries out {action}."))
TAKES_BACK = EVENTS("takes back", sentence("{player} takes the disc back from {action} unused."))
CAN_DO_NOTHING = EVENTS("can do nothing", sentence("{player} can’t use the disc on {action} and takes it back."))
FINISHES = EVENTS("finishes", sentence("{player} finishes {action}."))
USES_BONUS_DISC = EVENTS("uses bonus disc", sentence("{player} uses a bonus disc."))
KEEPS_BONUS_DISC = EVENTS("keeps bonus disc", sentence("{player} skips the bonus disc."))

# --- Factories, loads, cards. ---


def _all_yield(setup: Any, run: Sequence[GameEvent]) -> Message:
    """Return the sentence about the yield of all factories, from one event for each kind of goods."""
    assert run[0].seat is not None  # noqa: S101 - factories belong to a seat
    row = [0] * GOODS
    for event in run:
        row[event.numbers[0]] += event.numbers[1]
    action = setup.board.contents.actions[Action.YIELD].name
    goods = amounts(setup.board, row)
    return message("{player} carries out {action}: {goods}.", player=SeatName(run[0].seat), action=action, goods=goods)


def _factory(setup: Any, event: GameEvent) -> Any:
    return setup.board.works[event.numbers[0]]


def _production_cost(setup: Any, event: GameEvent) -> Message | Name:
    """Return the cost of a produced card; the event contains the card, and the metal and technology of its mix."""
    number, metal, technology = event.numbers[:3]
    card = setup.board.cards[number]
    return amounts(setup.board, plus(card.cost, mix_row(metal, technology, tools(card, metal, technology))))


FACTORIES_YIELD = EVENTS("factories yield", run_sentence=_all_yield)
BUILDS = EVENTS(
    "builds",
    sentence("{player} builds {factory} for {cost}."),
    factory=name_of("works"),
    cost=lambda setup, event: amounts(setup.board, _factory(setup, event).cost),
)
TAKES_YIELD = EVENTS(
    "takes yield",
    sentence("{player} produces with {factory}: {goods}."),
    factory=name_of("works"),
    goods=lambda setup, event: amounts(setup.board, _factory(setup, event).output),
)
BUYS = EVENTS(
    "buys",
    sentence("{player} buys the load from {store}: {goods}."),
    store=name_of("contents.stores"),
    goods=lambda setup, event: amount(setup.board, setup.plain_params.store_good[event.numbers[0]], event.numbers[1]),
)
PRODUCES = EVENTS(
    "produces",
    sentence("{player} produces {card} for {cost} and receives {gain}."),
    card=lambda setup, event: card_name(setup.board.cards[event.numbers[0]]),
    cost=_production_cost,
    gain=lambda setup, event: amounts(setup.board, setup.board.cards[event.numbers[0]].gain),
)
IS_PAID = EVENTS(
    "is paid",
    sentence("{player} receives {reward} for {field}."),
    reward=lambda setup, event: amounts(setup.board, setup.plain_params.reward[event.numbers[0]][event.numbers[1]]),
    field=lambda setup, event: field_name(setup.board, *event.numbers[:2]),
)
GETS_SYMBOL = EVENTS(
    "gets symbol",
    sentence("{player} gets {goods} from space {space} of the influence track."),
    space=number_of(),
    goods=lambda setup, event: amount(setup.board, event.numbers[1], 1),
)

GOES_WITHOUT = EVENTS(
    "goes without",
    sentence("{player} misses out on {goods}: none left in the supply."),
    goods=lambda setup, event: amount(setup.board, event.numbers[0], event.numbers[1]),
)

# --- The exchange market. ---

EXCHANGES = EVENTS(
    "exchanges",
    sentence("{player} exchanges {give} for {get}."),
    give=lambda setup, event: amounts(setup.board, setup.board.exchanges[event.numbers[0]].give),
    get=lambda setup, event: amounts(setup.board, setup.board.exchanges[event.numbers[0]].get),
)
EXCHANGES_TWO = EVENTS(
    "exchanges two",
    sentence("{player} exchanges {give} for {get}."),
    give=lambda setup, event: amounts(setup.board, pair(*event.numbers[:2])),
    get=lambda setup, event: amount(setup.board, event.numbers[2], 1),
)
TAKES_STONE = EVENTS("takes stone", sentence("{player} takes a development stone."))
EXCHANGES_NO_MORE = EVENTS("exchanges no more", sentence("{player} stops exchanging."))

# --- Inventions and patents. ---


def _field(setup: Any, event: GameEvent) -> Any:
    invention = setup.board.inventions[event.numbers[0]]
    return invention.gold if event.numbers[1] == GOLD else invention.silver


def _step_cost(setup: Any, event: GameEvent) -> Message:
    """Return the cost of a step of the patent track."""
    return amount(setup.board, COIN, setup.board.contents.patent_steps[event.numbers[0]].coins)


def _step_influence(setup: Any, event: GameEvent) -> Message:
    """Return the influence of a step of the patent track."""
    return amount(setup.board, INFLUENCE, setup.board.contents.patent_steps[event.numbers[0]].influence)


DEVELOPS = EVENTS(
    "develops",
    sentence("{player} develops {field} for {stones} and gains {influence}."),
    field=lambda setup, event: field_name(setup.board, *event.numbers[:2]),
    stones=lambda setup, event: amount(setup.board, STONE, _field(setup, event).stones),
    influence=lambda setup, event: amount(setup.board, INFLUENCE, _field(setup, event).influence),
)
PATENTS = EVENTS(
    "patents",
    sentence("{player} registers a patent on {field} for {coins} and gains {influence}."),
    field=lambda setup, event: field_name(setup.board, *event.numbers[1:3]),
    coins=_step_cost,
    influence=_step_influence,
)
PATENTS_NOTHING = EVENTS(
    "patents nothing",
    sentence("{player} registers a patent for {coins} without a marker and gains {influence}."),
    coins=_step_cost,
    influence=_step_influence,
)

# --- The course of the game. ---


def _new_cards(setup: Any, run: Sequence[GameEvent]) -> Message:
    cards = [card_name(setup.board.cards[event.numbers[0]]) for event in run]
    return message("New in the invention row: {cards}.", cards=listed(cards, apart=True))


def _new_factories(setup: Any, run: Sequence[GameEvent]) -> Message:
    works = [setup.board.works[event.numbers[0]].name for event in run]
    return message("New in the factory row: {factories}.", factories=listed(works))


ROUND_BEGINS = EVENTS("round begins", sentence("Round {round} begins. Start player: {player}."), round=number_of())
NEW_CARD = EVENTS("new card", run_sentence=_new_cards)
NEW_FACTORY = EVENTS("new factory", run_sentence=_new_factories)
LAST_EXCHANGE_BEGINS = EVENTS(
    "last exchange begins", sentence("The last round is over. All players may use the exchange market once more.")
)
BONUSES = Lookup(
    (
        EVENTS(
            "most patents",
            sentences(
                "{player} gains {count} influence point for the highest patent marker.",
                "{player} gains {count} influence points for the highest patent marker.",
            ),
        ),
        EVENTS(
            "most invested",
            sentences(
                "{player} gains {count} influence point for the most development stones invested.",
                "{player} gains {count} influence points for the most development stones invested.",
            ),
        ),
        EVENTS(
            "most capacity",
            sentences(
                "{player} gains {count} influence point for the greatest production capacity.",
                "{player} gains {count} influence points for the greatest production capacity.",
            ),
        ),
    )
)
"""The events of the three bonuses at the end (E56)."""

ENDING = sentences("The game is over after {count} round.", "The game is over after {count} rounds.")
GAME_ENDS = EVENTS("game ends", ENDING)
