"""Why a move of Legendary Inventors is not allowed, in a sentence."""

from typing import Any

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, message, messages
from spieltisch.games.legendary_inventors.going_on import (
    L1,
    L6,
    L7,
    L8,
    L9,
    L10,
    L11,
    L13,
    L17,
    L19,
    L21,
    L22,
    S1,
    S2,
    S6,
    S7,
    S9,
    S11,
)
from spieltisch.games.legendary_inventors.refusals import token_to_turn_over, upgrade_fits, upgrade_held
from spieltisch.games.legendary_inventors.sending import someone_active, someone_works, worked_on, works
from spieltisch.games.legendary_inventors.space import PLACE, READY, SENDINGS, TURN_OVER, UPGRADE, digit
from spieltisch.games.legendary_inventors.state import (
    FIELDS,
    INVENTIONS,
    INVENTORS,
    MOST_KNOWLEDGE,
    NOBODY,
    PLACING,
)


def explain(observation: Observation, move: Move, rule: int) -> Message:
    """Why the rule forbids the move."""
    view, board = observation.view, observation.setup.board
    if rule == L11:
        return message(
            "First the rewards for {invention} are chosen.",
            invention=board.inventions[view.slots[view.slot].card].name,
        )
    if rule == S7 and view.age == 0:
        return message("First everybody chooses a team.")
    if rule == L6 and view.phase == PLACING and move.number < PLACE:
        return message("First place the cubes of the inventor you are sending.")
    if move.number < UPGRADE:
        return _sending(observation, move.number, rule)
    if move.number < READY:
        return _upgrading(observation, move.number, rule)
    if move.number >= PLACE and view.phase == PLACING:
        return _placing(observation, move.number, rule)
    return {
        L1: message("Somebody has this team already."),
        L6: message("You are not sending an inventor."),
        L9: message("All your inventors are active."),
        L10: message("No invention has just been completed."),
        L13: message("This reward is not there, or somebody has taken it."),
        L17: message("The last age is over: nobody takes another turn."),
        L21: _refreshing(observation),
        S1: message("Only the last upgrades before the scoring are ended like this."),
        S2: message("You pass only when none of your inventors is exhausted and none can place a cube without tokens."),
        S7: message("Teams are chosen only at the beginning."),
    }[rule]


def _sending(observation: Observation, number: int, rule: int) -> Message:
    view, board = observation.view, observation.setup.board
    mode, n = divmod(number, SENDINGS)
    inventor, card = divmod(n, INVENTIONS)
    me, table = view.players[view.seat], observation.setup.plain_params
    own, place = table.team_of[inventor] == me.team, table.place_of[inventor]
    name, invention = board.inventors[inventor].name, board.inventions[card].name
    if rule in (L7, S9, S11):
        if not someone_works(view, table, mode):
            return _nobody_works(rule)
        if own and not works(view, table, mode, place):
            return _works_on_nothing(rule, name)
        if not own or not worked_on(view, table, mode, card):
            return _nobody_works_on(rule, invention)
        return _no_fit(rule, name, invention)
    if rule == L6 and someone_active(me) != 0:
        return message("All your inventors are exhausted.")
    if rule == L6 and not own:
        return message("{inventor} is not in your team.", inventor=name)
    if rule == L6 and me.exhausted[place]:
        return message("{inventor} is exhausted.", inventor=name)
    return {
        L6: message("Not face up: {invention}.", invention=invention),
        L17: message("The last age is over: nobody takes another turn."),
        L22: message("You have no stroke of genius."),
        S6: message("You have no cube left: no inventor can work."),
    }[rule]


def _nobody_works(rule: int) -> Message:
    return {
        L7: message("None of your active inventors can place a cube."),
        S9: message("None of your active inventors can place two cubes; fewer is none at all."),
        S11: message("None of your active inventors can place an additional cube."),
    }[rule]


def _nobody_works_on(rule: int, invention: Any) -> Message:
    return {
        L7: message("{invention}: none of your active inventors can place a cube there.", invention=invention),
        S9: message(
            "{invention}: none of your active inventors can place two cubes there; fewer is none at all.",
            invention=invention,
        ),
        S11: message(
            "{invention}: none of your active inventors can place an additional cube there.", invention=invention
        ),
    }[rule]


def _works_on_nothing(rule: int, inventor: Any) -> Message:
    return {
        L7: message("{inventor} can place a cube on no invention.", inventor=inventor),
        S9: message("{inventor} can place two cubes on no invention; fewer is none at all.", inventor=inventor),
        S11: message("{inventor} can place an additional cube on no invention.", inventor=inventor),
    }[rule]


def _no_fit(rule: int, inventor: Any, invention: Any) -> Message:
    both = {"inventor": inventor, "invention": invention}
    return {
        L7: message("None of the knowledge of {inventor} fits a free space of {invention}.", **both),
        S9: message("{inventor} has no two cubes that fit {invention}; fewer is none at all.", **both),
        S11: message("An additional cube of {inventor} finds no free space of {invention}.", **both),
    }[rule]


def _placing(observation: Observation, number: int, rule: int) -> Message:
    view, board = observation.view, observation.setup.board
    me = view.players[view.seat]
    inventor = board.inventors[board.teams[me.team].inventors[view.inventor]].name
    if rule == S6 and sum(digit(number, f) for f in range(FIELDS)) < me.cubes:
        return messages(
            "You have {count} cube left, and it must be placed.",
            "You have {count} cubes left, and as many must be placed.",
            me.cubes,
        )
    return {
        L6: message("In one field the knowledge of {inventor} is not enough.", inventor=inventor),
        L7: message("At least one cube must be placed."),
        L8: message("In one field there are not so many free spaces."),
        L22: message("Your strokes of genius do not allow exactly these cubes: at least one must be additional."),
        S6: messages("You have only {count} cube left.", "You have only {count} cubes left.", me.cubes),
        S9: message("These are not fewer cubes than fit."),
    }[rule]


def _upgrading(observation: Observation, number: int, rule: int) -> Message:
    view, board = observation.view, observation.setup.board
    n = number - (TURN_OVER if number >= TURN_OVER else UPGRADE)
    kind, n = divmod(n, INVENTORS * FIELDS)
    inventor, f = divmod(n, FIELDS)
    me, table = view.players[view.seat], observation.setup.plain_params
    if number < TURN_OVER and upgrade_held(me, table) != 0:
        return message("You have no upgrade token.")
    if number < TURN_OVER and upgrade_fits(me, table) != 0:
        return message("None of your inventors has a value exactly one lower than one of your upgrade tokens.")
    if number >= TURN_OVER and token_to_turn_over(me, table) != 0:
        return message("You have no token to turn over.")
    name, field = board.inventors[inventor].name, board.fields[f].name
    if rule == L19 and board.team_of[inventor] != me.team:
        return message("{inventor} is not in your team.", inventor=name)
    place = table.place_of[inventor]
    if rule == L19:
        return _no_upgrade(name, field, me.knowledge[place][f] + 1)
    if me.tokens[kind] == 0:
        return message("You have no such token ({token}).", token=board.tokens[kind].name)
    return message(
        "The back of a token is a 1 and goes on an empty field; {inventor} has a value in {field} already.",
        inventor=name,
        field=field,
    )


def _no_upgrade(name: Any, field: Any, value: int) -> Message:
    if value > MOST_KNOWLEDGE:
        return message("{inventor} has the highest value in {field}.", inventor=name, field=field)
    return message(
        "To upgrade {inventor} in {field} you need an upgrade token of exactly {value}.",
        inventor=name,
        field=field,
        value=value,
    )


def _refreshing(observation: Observation) -> Message:
    view, c = observation.view, observation.setup.plain_params
    if view.phase == PLACING or view.seat < 0 or c.refresh == NOBODY or view.players[view.seat].tokens[c.refresh] == 0:
        return message("You have no refresh token.")
    return message("All your inventors are active.")
