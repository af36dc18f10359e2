"""The reasons for which the rules of Era of Inventions forbid a move, each with its rule and its sentence."""

from __future__ import annotations

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


DISCS_FIRST = REASONS(
    "E12", sentence("Discs are placed first; nothing else is done until all of them lie on the board.")
)
BOTH_SPACES_TAKEN = REASONS("E13", sentence("Both spaces of this field are taken."))
OWN_DISC_THERE = REASONS("E14", sentence("You already have a disc on this field."))
OTHER_ACTION = REASONS("E15", sentence("You are carrying out another action: {action}."), action=_action_under_way)
NO_DISC_THERE = REASONS("E15", sentence("You have no disc there."))
CHOOSE_FIRST = REASONS("E15", sentence("First choose which of your discs to carry out."))
NO_TIME_TO_CHOOSE = REASONS("E15", sentence("It is not the time to choose a disc."))
NO_ACTION_BEGUN = REASONS("E16", sentence("You have not begun an action; a disc you do not want to use is taken back."))
AFTER_A_DISC = REASONS("E42", sentence("A bonus disc is used directly after an action disc."))
USE_OR_KEEP = REASONS("E42", sentence("You may use a bonus disc now, or keep it."))
ONLY_BY_BONUS_DISC = REASONS("E43", sentence("The yield of a single factory is taken with a bonus disc."))
ONLY_EXCHANGES = REASONS(
    "E55", sentence("After the last round there is only the exchange market, and it sells no bonus discs.")
)
NO_BONUS_DISC_NOW = REASONS("R31", sentence("In the last exchange no bonus disc is used."))
NOTHING_TO_DO = REASONS("R40", sentence("You can do nothing there now; the disc may be taken back unused."))
NOBODY_PASSES = REASONS("R40", sentence("Nobody passes when discs are placed."))

# --- Factories, loads, cards. ---


def _factory(observation: Observation, move: Move) -> Any:
    return observation.setup.board.works[move.args[0]]


def _card(observation: Observation, move: Move) -> Any:
    return observation.setup.board.cards[move.args[0]]


def _mix(observation: Observation, move: Move) -> Message | Name:
    _, metal, technology = move.args
    return amounts(
        observation.setup.board, mix_row(metal, technology, tools(_card(observation, move), metal, technology))
    )


NOT_YOURS = REASONS("E20", sentence("This factory is not yours."))
MANY_FACTORIES = REASONS(
    "E18",
    sentences("One action builds at most {count} factory.", "One action builds at most {count} factories."),
    count=lambda observation, move: _limits(observation).factories,
)
NO_SUCH_FACTORY = REASONS("E18", sentence("This factory does not lie in the factory row."))
FACTORY_UNPAID = REASONS(
    "E18",
    sentence("You cannot pay for this ({thing}): it costs {cost}."),
    thing=lambda observation, move: _factory(observation, move).name,
    cost=lambda observation, move: amounts(observation.setup.board, _factory(observation, move).cost),
)
FACTORIES_IN_TURN = REASONS(
    "R24",
    sentences(
        "One turn, bonus disc included, builds at most {count} factory.",
        "One turn, bonus disc included, builds at most {count} factories.",
    ),
    count=lambda observation, move: _limits(observation).factories,
)
MANY_LOADS = REASONS(
    "E21",
    sentences("One action buys at most {count} load.", "One action buys at most {count} loads."),
    count=lambda observation, move: _limits(observation).loads,
)
LOAD_UNPAID = REASONS(
    "E21",
    sentence("You cannot pay for a load: it costs {cost}."),
    cost=lambda observation, move: amount(observation.setup.board, COIN, _limits(observation).load_price),
)
NOTHING_THERE = REASONS("R30", sentence("Nothing lies there."))
MANY_CARDS = REASONS(
    "E22",
    sentences("One action produces at most {count} invention.", "One action produces at most {count} inventions."),
    count=lambda observation, move: _limits(observation).cards,
)
CARD_UNPAID = REASONS(
    "E22",
    sentence("You cannot pay for this ({thing}): it costs {cost}."),
    thing=lambda observation, move: card_name(_card(observation, move)),
    cost=lambda observation, move: amounts(
        observation.setup.board, _card(observation, move).cost, _card(observation, move).any
    ),
)
NO_SUCH_CARD = REASONS("E23", sentence("This card does not lie on the invention row."))
MIX_UNPAID = REASONS("E27", sentence("You do not have these cubes: {goods}."), goods=_mix)
OWN_COUNTERFEIT = REASONS("E28", sentence("You hold a field of this invention, so its counterfeit is not for you."))

# --- The exchange market. ---


def _goods_given(observation: Observation, move: Move) -> Message | Name:
    board = observation.setup.board
    give = board.exchanges[move.args[0]].give if move.kind == "exchange" else pair(*move.args[:2])
    return amounts(board, give)


def _box(observation: Observation, move: Move) -> Any:
    board = observation.setup.board
    box = board.exchanges[move.args[0]].box if move.kind == "exchange" else board.free_box
    return board.contents.market[box]


STONE_OR_EXCHANGES = REASONS("E29", sentence("The stone is taken instead of exchanges, and only with an action disc."))
MANY_EXCHANGES = REASONS(
    "E30",
    sentences("One action makes at most {count} exchange.", "One action makes at most {count} exchanges."),
    count=lambda observation, move: _limits(observation).exchanges,
)
MANY_IN_BOX = REASONS(
    "E30",
    sentences(
        "One action uses a box at most {count} time ({box}).", "One action uses a box at most {count} times ({box})."
    ),
    count=lambda observation, move: _box(observation, move).most,
    box=lambda observation, move: _box(observation, move).name,
)
UNPAID = sentence("You do not have {goods}.")
UPPER_UNPAID = REASONS("E31", UNPAID, goods=_goods_given)
MIDDLE_UNPAID = REASONS("E32", UNPAID, goods=_goods_given)
LOWER_UNPAID = REASONS("E33", UNPAID, goods=_goods_given)
LINE_UNPAID = Lookup((UPPER_UNPAID, MIDDLE_UNPAID, LOWER_UNPAID))
"""The reasons by box."""
OTHER_KIND = REASONS("R9", sentence("You receive another kind than those you give."))
NO_STONE_NOW = REASONS("R13", sentence("In the last exchange no development stone is taken."))
SUPPLY_EMPTY = REASONS("R8", sentence("The supply holds no more of these."))

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


EITHER_OR = sentence("One action either develops inventions or registers patents.")
PATENTING_NOW = REASONS("E34", EITHER_OR)
MANY_STONES = REASONS(
    "E34",
    sentences(
        "One action pays at most {count} development stone.", "One action pays at most {count} development stones."
    ),
    count=lambda observation, move: _limits(observation).stones,
)
GOLD_FIRST = REASONS("E35", sentence("The silver field is open once the gold field is taken."))
FIELD_TAKEN = REASONS("E36", sentence("This field is taken: {field}."), field=_field_name)
FIELD_UNPAID = REASONS(
    "E36", sentence("You cannot pay for this ({thing}): it costs {cost}."), thing=_field_name, cost=_field_price
)
DEVELOPING_NOW = REASONS("E38", EITHER_OR)
MANY_PATENTS = REASONS(
    "E38",
    sentences("One action registers at most {count} patent.", "One action registers at most {count} patents."),
    count=lambda observation, move: _limits(observation).patents,
)
PATENTS_IN_TURN = REASONS(
    "R24",
    sentences(
        "One turn, bonus disc included, registers at most {count} patent.",
        "One turn, bonus disc included, registers at most {count} patents.",
    ),
    count=lambda observation, move: _limits(observation).patents,
)
TOP_OF_THE_TRACK = REASONS("E38", sentence("You have climbed all steps of the patent track."))
STEP_UNPAID = REASONS("E38", sentence("You cannot pay for the next step: it costs {cost}."), cost=_step_price)
NOT_TO_PATENT = REASONS("E39", sentence("A patent is for an invention of your own that has none yet."))
MARKER_MUST_GO = REASONS("R14", sentence("You have an invention without a patent; the marker goes there."))
