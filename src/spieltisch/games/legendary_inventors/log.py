"""The log of Legendary Inventors: what a move did, also what the rules went on to do of themselves.
All is public, so the move is simply played once more from what the viewer saw, and the rules note what happens.
"""

from collections.abc import Sequence
from typing import Any

from spieltisch.core import twin
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.games.legendary_inventors import rules
from spieltisch.games.legendary_inventors.ages import (
    LOG_AGE,
    LOG_AGE_ENDS,
    LOG_COMPLETE,
    LOG_PASSED,
    LOG_PATENT,
    LOG_READY,
    LOG_REFRESHED,
    LOG_SENT,
    LOG_TEAM,
    LOG_TOKEN,
    LOG_TURNED,
    LOG_UPGRADED,
)
from spieltisch.games.legendary_inventors.going_on import S2
from spieltisch.games.legendary_inventors.space import DONE
from spieltisch.games.legendary_inventors.state import FIELDS, PLACING, Work


def tell(
    state: Any, before: Observation, move: Move, after: Observation, seat: int, drew: Sequence[str]
) -> list[Message]:
    """The log of a move. `state` is a twin made from the observation before it; it is played on."""
    setup = before.setup
    work = twin.new(Work)
    for i, text in enumerate(drew):
        work.draws.forced[i] = setup.draw_codes[text]
    work.draws.given = len(drew)
    rules.play(state, setup.plain_params, work, move.number)
    told = [_said(setup.board, work.note[n]) for n in range(work.notes)]
    if move.number == DONE:
        told.insert(0, message("{player} upgrades no more.", player=SeatName(seat)))
    elif after.view.phase == PLACING:
        inventor = setup.board.teams[after.view.players[seat].team].inventors[after.view.inventor]
        told.append(
            message(
                "{player} sends {inventor} to work on {invention} and chooses the cubes.",
                player=SeatName(seat),
                inventor=setup.board.inventors[inventor].name,
                invention=setup.board.inventions[after.view.slots[after.view.slot].card].name,
            )
        )
    return [*told, ending(after)] if after.over else told


def _said(board: Any, note: Sequence[int]) -> Message:
    """One note of the rules as a sentence."""
    what, player = note[0], SeatName(note[1])
    if what == LOG_SENT:
        return _sent(board, note)
    if what == LOG_COMPLETE:
        return _complete(board, note)
    if what in (LOG_UPGRADED, LOG_TURNED):
        names = {"player": player, "inventor": board.inventors[note[2]].name, "field": board.fields[note[3]].name}
        if what == LOG_UPGRADED:
            return message("{player} upgrades {inventor}: {field} is now {value}.", **names, value=note[4])
        return message(
            "{player} turns a token over ({token}) and upgrades {inventor}: {field} is now 1.",
            **names,
            token=board.tokens[note[4]].name,
        )
    if what == LOG_AGE_ENDS:
        age = board.ages[note[1] - 1].name
        if note[2]:
            return message("Everybody has passed: the end of {age}.", age=age)
        return message("All inventions but one are complete: the end of {age}.", age=age)
    if what == LOG_AGE:
        return message(
            "New inventions lie on the table: {age}. {player} begins.",
            age=board.ages[note[1] - 1].name,
            player=SeatName(note[2]),
        )
    if what == LOG_TEAM:
        return message("{player} takes the team {team}.", player=player, team=board.teams[note[2]].name)
    if what == LOG_PATENT:
        return message(
            "{player} takes the patent: {invention}.", player=player, invention=board.inventions[note[2]].name
        )
    if what == LOG_TOKEN:
        return message("{player} takes a token: {token}.", player=player, token=board.tokens[note[2]].name)
    return {
        LOG_READY: message("{player} makes all inventors ready.", player=player),
        LOG_REFRESHED: message("{player} uses a refresh token: all inventors are active.", player=player),
        LOG_PASSED: message("{player} passes.", player=player),
    }[what]


def _sent(board: Any, note: Sequence[int]) -> Message:
    player, inventor, invention = SeatName(note[1]), board.inventors[note[2]].name, board.inventions[note[3]].name
    cubes, genius = sum(note[4 : 4 + FIELDS]), note[8]
    if genius == 0:
        return messages(
            "{player} sends {inventor} to work on {invention}: {count} cube.",
            "{player} sends {inventor} to work on {invention}: {count} cubes.",
            cubes,
            player=player,
            inventor=inventor,
            invention=invention,
        )
    return messages(
        "{player} sends {inventor} to work on {invention}: {count} cube, with strokes of genius ({genius}).",
        "{player} sends {inventor} to work on {invention}: {count} cubes, with strokes of genius ({genius}).",
        cubes,
        player=player,
        inventor=inventor,
        invention=invention,
        genius=genius,
    )


def _complete(board: Any, note: Sequence[int]) -> Message:
    values = {"invention": board.inventions[note[1]].name, "player": SeatName(note[2]), "first": SeatName(note[4])}
    if note[5] < 0:
        return message("Complete: {invention}. {player} has Leonardo. A reward goes to {first}.", **values)
    values["second"] = SeatName(note[5])
    if note[6] < 0:
        return message("Complete: {invention}. {player} has Leonardo. Rewards go to {first}, then {second}.", **values)
    values["third"] = SeatName(note[6])
    return message(
        "Complete: {invention}. {player} has Leonardo. Rewards go to {first}, then {second}, then {third}.",
        **values,
    )


def ending(observation: Observation) -> Message:
    """Why the game ended."""
    if observation.view.ended_by == S2:
        return message("The game is over: everybody has passed in the last age.")
    return message("The game is over: all inventions of the last age but one are complete.")
