"""The moves of Paris Connection in words, the reasons against them, and the log.
 `build red Lyon`, `done`, `trade red for 2 blue`: companies go by the colour of their locomotives, hexes by the names
of the board.
"""

from collections.abc import Sequence
from typing import Any

from spieltisch.core import bits
from spieltisch.core.moves import Move, Word
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.games.paris_connection.rules import (
    DONE,
    FIRST_TRADE,
    MOVES,
    P3,
    P4,
    P5,
    P6,
    P7,
    P8,
    P9,
    P10,
    P14,
    P15,
    T2,
    T6,
)
from spieltisch.games.paris_connection.state import BUILDING, COMPANIES, MOST_HEXES


def build_move(company: int, h: int) -> int:
    """The number of building a company in a hex."""
    return company * MOST_HEXES + h


def trade_move(give: int, take: int, number: int) -> int:
    """The number of a trade."""
    return FIRST_TRADE + (give * COMPANIES + take) * 2 + number - 1


def parts(move: int) -> tuple[int, int, int]:
    """A trade's companies given and taken, and how many are taken."""
    t = move - FIRST_TRADE
    return t // (2 * COMPANIES), t // 2 % COMPANIES, t % 2 + 1


def words(setup: Setup, number: int) -> tuple[Word, ...]:
    """The words of a move; empty when it has none on this board (a hex beyond the last, a trade of a company for
    itself).
    """
    board = setup.board
    if number == DONE:
        return (Word("done", message("Stop building")),)
    if 0 <= number < DONE:
        company, h = divmod(number, MOST_HEXES)
        if h >= len(board.hexes):
            return ()
        place = board.hexes[h]
        return (
            Word("build", message("Build track")),
            company_word(board, company),
            Word(place.move_name, place.name, place=place.place),
        )
    if number >= MOVES or number < 0:
        return ()
    give, take, many = parts(number)
    how_many = message("for one") if many == 1 else message("for two")
    return (
        Word("trade", message("Trade")),
        company_word(board, give),
        Word(f"for {many}", how_many),
        company_word(board, take),
    )


def company_word(board: Any, company: int) -> Word:
    """A company in a move: its colour as text, its name and mark for people."""
    one = board.companies[company]
    return Word(one.id, one.name, mark=f"company-{one.id}")


def explain(observation: Observation, move: Move, rule: int) -> Message:
    """Why the rule forbids the move."""
    board, view = observation.setup.board, observation.view
    if move.number == DONE:
        return message("You may stop only after placing at least one locomotive.")
    if move.number > DONE:
        return _explain_trade(observation, *parts(move.number), rule)
    company, h = divmod(move.number, MOST_HEXES)
    name, place = board.companies[company].name, board.hexes[h].name
    if rule == P4 and view.depot[company] == 0:
        return message("The depot of {company} is empty.", company=name)
    if rule == P4:
        return message(
            "All locomotives of one turn come from one depot; you are building {company}.",
            company=board.companies[view.company].name,
        )
    if rule == P8 and board.hexes[h].kind == "city":
        return messages(
            "A city has room for {count} locomotive, and this one is full ({place}).",
            "A city has room for {count} locomotives, and this one is full ({place}).",
            board.turn.city_capacity,
            place=place,
        )
    if rule == P8:
        return messages(
            "A hex in the country has room for {count} locomotive, and this one is full ({place}).",
            "A hex in the country has room for {count} locomotives, and this one is full ({place}).",
            board.turn.rural_capacity,
            place=place,
        )
    return {
        P3: message("A station is closed to all companies but the one that starts there ({place}).", place=place),
        P5: message("{company} has no locomotive next to this hex ({place}).", company=name, place=place),
        P6: message(
            "A hatched border parts this hex ({place}) from the locomotives of {company}.", company=name, place=place
        ),
        P7: message("{company} has a locomotive in this hex already ({place}).", company=name, place=place),
        P9: message("Nobody builds where the Eiffel tower stands."),
        P10: message(
            "A locomotive in this hex ({place}) would cut off another company that has not reached a city yet.",
            place=place,
        ),
    }[rule]


def _explain_trade(observation: Observation, give: int, take: int, many: int, rule: int) -> Message:
    board, view = observation.setup.board, observation.view
    given, taken = board.companies[give].name, board.companies[take].name
    if rule == P4:
        return message("You have begun to build; a turn is either building or trading.")
    if rule == T2:
        return message("You take locomotives of another company than the one you give back.")
    if view.players[view.seat].shares[give] == 0:
        return message("You hold no locomotive of {company}.", company=given)
    if view.depot[take] == 0:
        return message("The depot of {company} is empty.", company=taken)
    return message("The depot of {company} does not hold two locomotives.", company=taken)


def tell(before: Observation, move: Move, after: Observation, seat: int) -> list[Message]:
    """The log of a move: what was done, and the end of the game if it ended. Everything in it is public."""
    board, player = before.setup.board, SeatName(seat)
    told = []
    if move.number < DONE:
        company, h = divmod(move.number, MOST_HEXES)
        name, place = board.companies[company].name, board.hexes[h].name
        if board.hexes[h].kind == "city":
            value = after.view.value[company]
            told.append(
                message(
                    "{player} builds {company}: {place}. Its value is now {value}.",
                    player=player,
                    company=name,
                    place=place,
                    value=value,
                )
            )
        else:
            told.append(message("{player} builds {company}: {place}.", player=player, company=name, place=place))
    elif move.number == DONE:
        told.append(message("{player} stops building.", player=player))
    else:
        give, take, many = parts(move.number)
        given, taken = board.companies[give].name, board.companies[take].name
        told.append(
            messages(
                "{player} gives back {count_given} {given} and takes {count} {taken}.",
                "{player} gives back {count_given} {given} and takes {count} {taken}.",
                many,
                player=player,
                count_given=1,
                given=given,
                taken=taken,
            )
        )
    if after.over:
        told.append(ending(after))
    return told


def ending(observation: Observation) -> Message:
    """Why the game ended."""
    board, view = observation.setup.board, observation.view
    if view.ended_by == P15:
        goal = next(h for h in board.hexes if h.ends_game and any(bits.has(net, h.number) for net in view.net))
        return message("The game is over: a locomotive has reached {city}.", city=goal.name)
    return {
        P14: message("The game is over: locomotives are left in at most one depot."),
        T6: message("The game is over: nothing but trades of one for one was played for three rounds."),
    }[view.ended_by]


def prompt(observation: Observation) -> Message:
    """What the player who decides is asked for."""
    view, board = observation.view, observation.setup.board
    if view.phase == BUILDING:
        left = min(board.turn.most_locomotives - view.built, view.depot[view.company])
        return messages(
            "Build {company}: you may place {count} more locomotive, or stop.",
            "Build {company}: you may place {count} more locomotives, or stop.",
            left,
            company=board.companies[view.company].name,
        )
    return message("Your turn: build track, or trade a locomotive.")


def draw_words(setup: Setup) -> Sequence[str]:
    """What chance can give: a locomotive or a station's company, and the start player."""
    return [*(one.id for one in setup.board.companies), *(f"seat {p + 1}" for p in range(setup.seats))]
