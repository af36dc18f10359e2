"""Requests that a person may make at a table now: a takeback, an end without a result, hints."""

from spieltisch.tables.table import Table
from spieltisch.tables.table_state import ConsentRequest


def acting_host(table: Table) -> str:
    """Return the person who may act as the host now, "" if no one may.

    Before the game no one may at a table that keeps seats for all who asked for it: the host is one of them, and could
    give the others' seats away, or close it.
    """
    return "" if table.opened.keeps_seats and table.status == "open" else table.host


def undo_target(table: Table, seat: int) -> int | None:
    """Return the number of moves that would remain if this seat took back its last turn; None if it cannot.

    A takeback needs consent. It is possible only if since that turn began nothing was drawn and nothing was
    revealed. If only the others know whether their moves did so, it is not possible.
    """
    if table.status != "running":
        return None
    move_count = next(
        (play.number for play in reversed(table.moves) if play.seat == seat and play.ended_decision), None
    )
    reveals = table.game.has_hidden_information and table.game.moves_reveal
    if move_count is None or any(
        play.drew or (play.revealed if play.seat == seat else play.secret or reveals)
        for play in table.moves[move_count:]
    ):
        return None
    return move_count


def can_ask_undo(table: Table, person: str | None) -> bool:
    """Return True if this person may ask the others for a takeback of their last turn."""
    seat = table.seat_of(person)
    return seat is not None and table.undo_asked is None and undo_target(table, seat) is not None


def needs_no_consent(table: Table, person: str | None) -> bool:
    """Return True if no other person has to agree to this person's requests.

    That is so against bots, and where all others play on the person's device.
    """
    seat = table.seat_of(person)
    return seat is not None and not table.awaiting_consent(ConsentRequest(seat))


def can_abort_alone(table: Table, person: str | None) -> bool:
    """Return True if the game ends immediately when this person asks for it: no one present has to agree."""
    seat = table.seat_of(person)
    return seat is not None and set(table.awaiting_consent(ConsentRequest(seat))) <= set(table.excused)


def can_ask_hints(table: Table, person: str | None) -> bool:
    """Return True if this person may propose hints for everyone: not while a deal is played at several tables."""
    if table.status != "running" or table.seat_of(person) is None or table.opened.duplicate is not None:
        return False
    return table.hints_asked is None and not allows_hints(table, person)


def allows_advice(table: Table, person: str | None) -> bool:
    """Return True if it is this person's decision and they may have advice."""
    return allows_hints(table, person) and table.seat_of(person) == table.to_decide


def allows_hints(table: Table, person: str | None) -> bool:
    """Return True if this person plays and the settings allow them hints.

    The settings allow hints to those who play against bots only, to all, or to no one; the people may agree on all.
    """
    seat, hints = table.seat_of(person), table.hints
    only_bots = all(other.kind == "bot" for other in table.seats if other.number != seat)
    return table.status == "running" and seat is not None and (hints == "all" or (only_bots and hints == "bots"))
