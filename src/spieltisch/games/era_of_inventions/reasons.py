"""Why a rule forbids a move, and what the seat that decides is asked for."""

from __future__ import annotations

from typing import Any

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, message, messages
from spieltisch.games.era_of_inventions.amounts import amount, amounts, card_name, field_name, mix_row
from spieltisch.games.era_of_inventions.board import Board
from spieltisch.games.era_of_inventions.notation import mix_of, two_of
from spieltisch.games.era_of_inventions.numbers import (
    BUILD_ONE,
    DEVELOP_ONE,
    DONE,
    E12,
    E13,
    E14,
    E15,
    E16,
    E18,
    E20,
    E21,
    E22,
    E23,
    E27,
    E28,
    E29,
    E30,
    E31,
    E32,
    E33,
    E34,
    E35,
    E38,
    E39,
    E42,
    E43,
    E55,
    EXCHANGE_ANY,
    EXCHANGE_LINE,
    PATENT_ONE,
    PRODUCE_MIX,
    PRODUCE_ONE,
    R8,
    R9,
    R13,
    R14,
    R30,
    R31,
    R40,
    USE,
)
from spieltisch.games.era_of_inventions.state import (
    ACTING,
    BONUS,
    BUILD,
    BUY,
    CHOOSING,
    COIN,
    DEVELOPING,
    LAST_EXCHANGE,
    MARKET,
    PATENTING,
    PLACING,
    PRODUCE,
    STONE,
)


def explain(observation: Observation, move: Move, rule: int) -> Message:
    """Why the rule with this number forbids the move."""
    board, number = observation.setup.board, move.number
    simple = {
        E12: message("Discs are placed first; nothing else is done until all of them lie on the board."),
        E13: message("Both spaces of this field are taken."),
        E14: message("You already have a disc on this field."),
        E16: message("You have not begun an action; a disc you do not want to use is taken back."),
        E20: message("This factory is not yours."),
        E29: message("The stone is taken instead of exchanges, and only with an action disc."),
        E42: message("A bonus disc is used directly after an action disc."),
        E43: message("The yield of a single factory is taken with a bonus disc."),
        R8: message("The supply holds no more of these."),
        R9: message("You receive another kind than those you give."),
        R13: message("In the last exchange no development stone is taken."),
        R14: message("You have an invention without a patent; the marker goes there."),
        R30: message("Nothing lies there."),
        R31: message("In the last exchange no bonus disc is used."),
    }
    if rule == E42 and number == DONE:
        return message("You may use a bonus disc now, or keep it.")
    if rule in simple:
        return simple[rule]
    view = observation.view
    if rule == E15:
        return _explain_time(board, view, number)
    if rule == R40:
        return _explain_idle(board, number)
    if rule == E55:
        return message("After the last round there is only the exchange market, and it sells no bonus discs.")
    if rule in (E18, E21, E22, E23, E27, E28):
        return _explain_goods(board, view, number, rule)
    if rule in (E30, E31, E32, E33):
        return _explain_exchange(board, view, number, rule)
    return _explain_field(board, view, number, rule)


def _explain_time(board: Board, view: Any, number: int) -> Message:
    action, phase = view.action, view.phase
    if phase == ACTING:
        return message("You are carrying out another action: {action}.", action=board.contents.actions[action].name)
    if phase == CHOOSING and USE <= number < BUILD_ONE:
        return message("You have no disc there.")
    if phase == CHOOSING:
        return message("First choose which of your discs to carry out.")
    return message("It is not the time to choose a disc.")


def _explain_idle(board: Board, number: int) -> Message:
    if USE <= number < BUILD_ONE:
        return message("You can do nothing there now; the disc may be taken back unused.")
    return message("Nobody passes when discs are placed.")


def _explain_goods(board: Board, view: Any, number: int, rule: int) -> Message:
    if rule == E28:
        return message("You hold a field of this invention, so its counterfeit is not for you.")
    if rule == E23:
        return message("This card does not lie on the invention row.")
    if rule == E27:
        _, metal, technology, tool = mix_of(board, number)
        return message("You do not have these cubes: {goods}.", goods=amounts(board, mix_row(metal, technology, tool)))
    many, limits = view.many, board.contents.limits
    if rule == E18:
        if many >= limits.factories:
            return messages(
                "One action builds at most {count} factory.",
                "One action builds at most {count} factories.",
                limits.factories,
            )
        works = board.works[number - BUILD_ONE]
        if works.number not in view.factory_row:
            return message("This factory does not lie in the factory row.")
        return message("This costs {cost} ({thing}).", thing=works.name, cost=amounts(board, works.cost))
    if rule == E21:
        if many >= limits.loads:
            return messages(
                "One action buys at most {count} load.", "One action buys at most {count} loads.", limits.loads
            )
        return message("A load costs {cost}.", cost=amount(board, COIN, limits.load_price))
    if many >= limits.cards:
        return messages(
            "One action produces at most {count} invention.",
            "One action produces at most {count} inventions.",
            limits.cards,
        )
    card = board.cards[number - PRODUCE_ONE if number < PRODUCE_MIX else mix_of(board, number)[0]]
    return message("This costs {cost} ({thing}).", thing=card_name(card), cost=amounts(board, card.cost, card.any))


def _explain_exchange(board: Board, view: Any, number: int, rule: int) -> Message:
    many, limits = view.many, board.contents.limits
    if rule == E30 and many >= limits.exchanges:
        return messages(
            "One action makes at most {count} exchange.",
            "One action makes at most {count} exchanges.",
            limits.exchanges,
        )
    if number < EXCHANGE_ANY:
        line = board.exchanges[number - EXCHANGE_LINE]
        box, give = line.box, line.give
    else:
        one, two, _ = two_of(number)
        box, give = board.free_box, tuple((kind == one) + (kind == two) for kind in range(7))
    if rule == E30:
        its = board.contents.market[box]
        return messages(
            "One action uses a box at most {count} time ({box}).",
            "One action uses a box at most {count} times ({box}).",
            its.most,
            box=its.name,
        )
    return message("You do not have {goods}.", goods=amounts(board, give))


def _explain_field(board: Board, view: Any, number: int, rule: int) -> Message:
    limits, way = board.contents.limits, view.way
    if (rule == E34 and way == PATENTING) or (rule == E38 and way == DEVELOPING):
        return message("One action either develops inventions or registers patents.")
    if rule == E38:
        return _explain_step(board, view)
    its, k = divmod(number - (PATENT_ONE if number >= PATENT_ONE else DEVELOP_ONE), 2)
    if rule == E39:
        return message("A patent is for an invention of your own that has none yet.")
    if rule == E35:
        return message("The silver field is open once the gold field is taken.")
    field = board.inventions[its].silver if k else board.inventions[its].gold
    if rule == E34:
        return messages(
            "One action pays at most {count} development stone.",
            "One action pays at most {count} development stones.",
            limits.stones,
        )
    if view.holder[its][k] >= 0:
        return message("This field is taken: {field}.", field=field_name(board, its, k))
    return message(
        "This costs {cost} ({thing}).", thing=field_name(board, its, k), cost=amount(board, STONE, field.stones)
    )


def _explain_step(board: Board, view: Any) -> Message:
    limits, me = board.contents.limits, view.players[view.seat]
    if view.many >= limits.patents:
        return messages(
            "One action registers at most {count} patent.",
            "One action registers at most {count} patents.",
            limits.patents,
        )
    if me.steps >= len(board.contents.patent_steps):
        return message("You have climbed all steps of the patent track.")
    return message("The next step costs {cost}.", cost=amount(board, COIN, board.contents.patent_steps[me.steps].coins))


def prompt(observation: Observation) -> Message:
    """What the player who decides is asked for, and what that player has."""
    view, board = observation.view, observation.setup.board
    goods = amounts(board, view.players[view.seat].goods)
    return message("{asked} You have: {goods}.", asked=_asked(board, view), goods=goods)


def _asked(board: Board, view: Any) -> Message:
    limits, many = board.contents.limits, view.many
    if view.phase == PLACING:
        return message("Place a disc on an action field.")
    if view.phase == CHOOSING:
        return message("Choose one of your discs: carry out its action, or take it back unused.")
    if view.phase == BONUS:
        return message("You may use a bonus disc now.")
    if view.phase == LAST_EXCHANGE:
        return messages(
            "The last exchange: {count} more exchange, or done.",
            "The last exchange: {count} more exchanges, or done.",
            limits.exchanges - many,
        )
    return _prompt_action(board, view)


def _prompt_action(board: Board, view: Any) -> Message:
    limits, many = board.contents.limits, view.many
    action, way = view.action, view.way
    if action == BUILD:
        return messages("Build: {count} more factory.", "Build: {count} more factories.", limits.factories - many)
    if action == BUY:
        return messages(
            "Buy: {count} more load, {price} each.",
            "Buy: {count} more loads, {price} each.",
            limits.loads - many,
            price=amount(board, COIN, limits.load_price),
        )
    if action == PRODUCE:
        return messages("Produce: {count} more invention.", "Produce: {count} more inventions.", limits.cards - many)
    if action == MARKET:
        return messages(
            "Exchange market: {count} more exchange.",
            "Exchange market: {count} more exchanges.",
            limits.exchanges - many,
        )
    if way == PATENTING:  # action F
        return messages("Patents: {count} more step.", "Patents: {count} more steps.", limits.patents - many)
    stones = limits.stones - view.spent
    if way == DEVELOPING:
        return messages(
            "Develop: {count} more development stone may be paid.",
            "Develop: {count} more development stones may be paid.",
            stones,
        )
    return message("Develop inventions, or register patents.")
