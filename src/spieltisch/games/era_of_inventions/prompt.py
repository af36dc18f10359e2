"""The request to the seat to move."""

from typing import Any

from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, message, messages
from spieltisch.games.era_of_inventions.board import Board
from spieltisch.games.era_of_inventions.goods_text import amount
from spieltisch.games.era_of_inventions.state import COIN, Action, Phase, Way


def prompt(observation: Observation) -> Message:
    """Return the request to the seat to move."""
    view, board = observation.view, observation.setup.board
    limits, done = board.contents.limits, view.done_steps
    if view.phase == Phase.PLACING:
        return message("Place a disc on an action field.")
    if view.phase == Phase.CHOOSING:
        return message("Choose one of your discs: carry out its action, or take it back unused.")
    if view.phase == Phase.BONUS:
        return message("Use a bonus disc? You have {count}.", count=int(view.players[view.seat].bonus))
    if view.phase == Phase.LAST_EXCHANGE:
        return messages(
            "Last exchange: {count} more exchange.",
            "Last exchange: up to {count} more exchanges.",
            limits.exchanges - done,
        )
    return _prompt_action(board, view)


def _prompt_action(board: Board, view: Any) -> Message:
    limits, done, action, way = board.contents.limits, view.done_steps, view.action, view.way
    cards = limits.cards - done
    if action == Action.BUILD:
        return messages("Build one more factory.", "Build up to {count} more factories.", limits.factories - done)
    if action == Action.BUY:
        return messages(
            "Buy one more load for {price}.",
            "Buy up to {count} more loads for {price} each.",
            limits.loads - done,
            price=amount(board, COIN, limits.load_price),
        )
    if action == Action.PRODUCE and not done:
        return messages("Produce one invention.", "Produce up to {count} inventions.", cards)
    if action == Action.PRODUCE:
        return messages("Produce one more invention.", "Produce up to {count} more inventions.", cards)
    if action == Action.MARKET:
        return messages(
            "Exchange market: {count} more exchange.",
            "Exchange market: up to {count} more exchanges.",
            limits.exchanges - done,
        )
    if way == Way.PATENTING:
        return messages(
            "Move one more space up the patent track.",
            "Move up to {count} more spaces up the patent track.",
            limits.patents - done,
        )
    stones = limits.stones - view.spent
    if way == Way.DEVELOPING:
        return messages(
            "Develop: up to {count} more development stone.", "Develop: up to {count} more development stones.", stones
        )
    return message("Develop inventions, or register patents.")
