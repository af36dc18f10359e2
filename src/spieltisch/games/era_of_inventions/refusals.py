"""The reasons for which the rules of Era of Inventions forbid a move, each with its rule and its sentence."""

from typing import Any

from spieltisch.core.compiled import Lookup
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.reasons import Reasons
from spieltisch.core.words import Message, Name, sentence, sentences
from spieltisch.games.era_of_inventions.goods_text import amount, amounts, card_name, field_name, mix_row, pair
from spieltisch.games.era_of_inventions.moves import tools
from spieltisch.games.era_of_inventions.state import COIN, GOLD, STONE

RULES = {n: f"E{n}" for n in range(1, 59)} | {100 + n: f"R{n}" for n in range(1, 42)}
"""The names of the rules by their numbers."""

E54 = 54
"""The rule that ends the game."""

REASONS = Reasons()
"""The reasons of this game."""


def _limits(observation: Observation) -> Any:
    return observation.setup.board.contents.limits


# --- Phases and discs. ---


def _action_under_way(observation: Observation, move: Move) -> Name:
    name: Name = observation.setup.board.contents.actions[observation.view.action].name
    return name


DISCS_FIRST = REASONS("E12", sentence("Place a disc now; actions start once all discs are placed."))
BOTH_SPACES_TAKEN = REASONS("E13", sentence("Both spaces of this field are taken."))
OWN_DISC_THERE = REASONS("E14", sentence("You already have a disc on this field."))
OTHER_ACTION = REASONS("E15", sentence("Finish your current action first: {action}."), action=_action_under_way)
NO_DISC_THERE = REASONS("E15", sentence("You don’t have a disc there."))
CHOOSE_FIRST = REASONS("E15", sentence("First choose one of your discs."))
NO_TIME_TO_CHOOSE = REASONS("E15", sentence("You can’t choose a disc now."))
NO_ACTION_BEGUN = REASONS(
    "E16", sentence("You haven’t started this action. Take the disc back if you don’t want to use it.")
)
AFTER_A_DISC = REASONS("E42", sentence("You can use a bonus disc only directly after an action disc."))
USE_OR_KEEP = REASONS("E42", sentence("First use a bonus disc or skip it."))
ONLY_BY_BONUS_DISC = REASONS("E43", sentence("You need a bonus disc to produce with just one factory."))
ONLY_EXCHANGES = REASONS("E55", sentence("After the last round you can only make exchanges, not buy bonus discs."))
NO_BONUS_DISC_NOW = REASONS("R31", sentence("You can’t use bonus discs in the last exchange."))
NOTHING_TO_DO = REASONS("R40", sentence("There’s nothing to do there now. You can take the disc back unused."))
NOBODY_PASSES = REASONS("R40", sentence("You can’t pass while placing discs."))

# --- Factories, loads, cards. ---


def _factory(observation: Observation, move: Move) -> Any:
    return observation.setup.board.works[move.args[0]]


def _card(observation: Observation, move: Move) -> Any:
    return observation.setup.board.cards[move.args[0]]


def _mix_text(observation: Observation, move: Move) -> Message | Name:
    _, metal, technology = move.args
    return amounts(
        observation.setup.board, mix_row(metal, technology, tools(_card(observation, move), metal, technology))
    )


NOT_YOURS = REASONS("E20", sentence("This factory isn’t yours."))
MANY_FACTORIES = REASONS(
    "E18",
    sentences(
        "You can build at most {count} factory per action.", "You can build at most {count} factories per action."
    ),
    count=lambda observation, move: _limits(observation).factories,
)
NO_SUCH_FACTORY = REASONS("E18", sentence("This factory isn’t in the factory row."))
FACTORY_UNPAID = REASONS(
    "E18",
    sentence("You can’t afford this ({thing}): it costs {cost}."),
    thing=lambda observation, move: _factory(observation, move).name,
    cost=lambda observation, move: amounts(observation.setup.board, _factory(observation, move).cost),
)
FACTORIES_IN_TURN = REASONS(
    "R24",
    sentences(
        "You can build at most {count} factory per turn, bonus disc included.",
        "You can build at most {count} factories per turn, bonus disc included.",
    ),
    count=lambda observation, move: _limits(observation).factories,
)
MANY_LOADS = REASONS(
    "E21",
    sentences("You can buy at most {count} load per action.", "You can buy at most {count} loads per action."),
    count=lambda observation, move: _limits(observation).loads,
)
LOAD_UNPAID = REASONS(
    "E21",
    sentence("You can’t afford a load: it costs {cost}."),
    cost=lambda observation, move: amount(observation.setup.board, COIN, _limits(observation).load_price),
)
NOTHING_THERE = REASONS("R30", sentence("There’s nothing left to buy there."))
MANY_CARDS = REASONS(
    "E22",
    sentences(
        "You can produce at most {count} invention per action.",
        "You can produce at most {count} inventions per action.",
    ),
    count=lambda observation, move: _limits(observation).cards,
)
CARD_UNPAID = REASONS(
    "E22",
    sentence("You can’t afford this ({thing}): it costs {cost}."),
    thing=lambda observation, move: card_name(_card(observation, move)),
    cost=lambda observation, move: amounts(
        observation.setup.board, _card(observation, move).cost, _card(observation, move).any
    ),
)
NO_SUCH_CARD = REASONS("E23", sentence("This card isn’t in the invention row."))
MIX_UNPAID = REASONS("E27", sentence("You don’t have these cubes: {goods}."), goods=_mix_text)
OWN_COUNTERFEIT = REASONS("E28", sentence("You developed this invention, so you can’t produce its counterfeit."))

# --- The exchange market. ---


def _goods_given(observation: Observation, move: Move) -> Message | Name:
    board = observation.setup.board
    give = board.exchanges[move.args[0]].give if move.kind == "exchange" else pair(*move.args[:2])
    return amounts(board, give)


def _box(observation: Observation, move: Move) -> Any:
    board = observation.setup.board
    box = board.exchanges[move.args[0]].box if move.kind == "exchange" else board.free_box
    return board.contents.market[box]


STONE_OR_EXCHANGES = REASONS(
    "E29", sentence("You can take the stone only with an action disc and instead of exchanging.")
)
MANY_EXCHANGES = REASONS(
    "E30",
    sentences(
        "You can make at most {count} exchange per action.", "You can make at most {count} exchanges per action."
    ),
    count=lambda observation, move: _limits(observation).exchanges,
)
MANY_IN_BOX = REASONS(
    "E30",
    sentences(
        "You can use a box at most {count} time per action ({box}).",
        "You can use a box at most {count} times per action ({box}).",
    ),
    count=lambda observation, move: _box(observation, move).most,
    box=lambda observation, move: _box(observation, move).name,
)
UNPAID = sentence("You don’t have {goods}.")
UPPER_UNPAID = REASONS("E31", UNPAID, goods=_goods_given)
MIDDLE_UNPAID = REASONS("E32", UNPAID, goods=_goods_given)
LOWER_UNPAID = REASONS("E33", UNPAID, goods=_goods_given)
LINE_UNPAID = Lookup((UPPER_UNPAID, MIDDLE_UNPAID, LOWER_UNPAID))
"""The reasons by box."""
OTHER_KIND = REASONS("R9", sentence("You must receive a different kind from those you give."))
NO_STONE_NOW = REASONS("R13", sentence("You can’t take a development stone in the last exchange."))
SUPPLY_EMPTY = REASONS("R8", sentence("None of these are left in the supply."))

# --- Inventions and patents. ---


def _field_name(observation: Observation, move: Move) -> Message:
    return field_name(observation.setup.board, *move.args)


def _field_price(observation: Observation, move: Move) -> Message:
    board, (invention, k) = observation.setup.board, move.args
    field = board.inventions[invention].gold if k == GOLD else board.inventions[invention].silver
    return amount(board, STONE, field.stones)


def _step_price(observation: Observation, move: Move) -> Message:
    board, me = observation.setup.board, observation.view.players[observation.view.seat]
    return amount(board, COIN, board.contents.patent_steps[me.steps].coins)


EITHER_OR = sentence("In one action, you can either develop inventions or register patents.")
PATENTING_NOW = REASONS("E34", EITHER_OR)
MANY_STONES = REASONS(
    "E34",
    sentences(
        "You can pay at most {count} development stone per action.",
        "You can pay at most {count} development stones per action.",
    ),
    count=lambda observation, move: _limits(observation).stones,
)
GOLD_FIRST = REASONS("E35", sentence("The silver field opens only once the gold field is taken."))
FIELD_TAKEN = REASONS("E36", sentence("This field is already taken: {field}."), field=_field_name)
FIELD_UNPAID = REASONS(
    "E36", sentence("You can’t afford this ({thing}): it costs {cost}."), thing=_field_name, cost=_field_price
)
DEVELOPING_NOW = REASONS("E38", EITHER_OR)
MANY_PATENTS = REASONS(
    "E38",
    sentences(
        "You can register at most {count} patent per action.", "You can register at most {count} patents per action."
    ),
    count=lambda observation, move: _limits(observation).patents,
)
PATENTS_IN_TURN = REASONS(
    "R24",
    sentences(
        "You can register at most {count} patent per turn, bonus disc included.",
        "You can register at most {count} patents per turn, bonus disc included.",
    ),
    count=lambda observation, move: _limits(observation).patents,
)
TOP_OF_THE_TRACK = REASONS("E38", sentence("Your patent marker has reached the last space."))
STEP_UNPAID = REASONS(
    "E38", sentence("You can’t afford the next space on the patent track: it costs {cost}."), cost=_step_price
)
NOT_TO_PATENT = REASONS("E39", sentence("You can only patent your own inventions that have no patent yet."))
MARKER_MUST_GO = REASONS("R14", sentence("Choose an invention to patent: you still have one without a patent."))
