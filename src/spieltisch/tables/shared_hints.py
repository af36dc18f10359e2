"""Commands with which the people at a table agree that everyone may use hints, and turn them off again."""

from spieltisch.tables import events, permissions, preconditions, refusals
from spieltisch.tables.table import Table


def ask_hints(table: Table, person: str) -> tuple[events.Event, ...]:
    """Propose that everyone may use hints. If there is no one to ask, they may immediately.

    Refusals: not-running, not-your-seat, already-asked, no-advice (if the deal is also played at other tables).
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if table.hints_asked is not None:
        raise refusals.already_asked()
    if not permissions.can_ask_hints(table, person):
        raise refusals.no_advice(table.hints != "off")
    return (events.HintsRequested(seat=seat),)


def agree_hints(table: Table, person: str) -> tuple[events.Event, ...]:
    """Agree to hints for everyone. Refusals: not-running, not-your-seat, nothing-asked."""
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if table.hints_asked is None or seat not in table.awaiting_consent(table.hints_asked):
        raise refusals.nothing_asked()
    return (events.HintsAgreed(seat=seat),)


def refuse_hints(table: Table, person: str) -> tuple[events.Event, ...]:
    """Refuse hints, withdraw one's own proposal, or turn off the hints that all had agreed to.

    Refusals: not-running, not-your-seat, nothing-asked.
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person)
    if table.hints_asked is None:
        raise refusals.nothing_asked()
    return (events.HintsRefused(seat=seat),)
