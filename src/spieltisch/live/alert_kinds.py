"""The kinds of alerts: of each one what it tells, where it leads, and the title of several."""

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from spieltisch.alerts import texts
from spieltisch.alerts.texts import AlertText
from spieltisch.core.words import Message
from spieltisch.live.requested_analyses import may_view
from spieltisch.store import Person
from spieltisch.store.alert_queue import ANALYSIS_ALERT
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.schema import SEAT_ALERT, TURN_ALERT
from spieltisch.tables import Table, device_owner


class AlertKind(NamedTuple):
    """A kind of alerts.

    `text` writes an alert of a table to a person, or returns None if it is no longer needed. `title_of_several` returns
    the title of a number of alerts. Alerts of one table lead to its page `subpage` ("": the table, None: the lobby).
    `most` is the number of the newest that are shown (None: all).
    """

    text: Callable[[Table, QueuedAlert, Person], Awaitable[AlertText | None]]
    title_of_several: Callable[[int], Message]
    subpage: str | None = ""
    most: int | None = None


async def _turn_text(table: Table, queued: QueuedAlert, person: Person) -> AlertText | None:
    """Return None if the table no longer waits for this person, or if they have moved since that turn began."""
    moved = (table.seats[play.seat].person for play in table.moves if play.version > queued.version)
    is_due = table.summary().waiting_for == person.id and all(device_owner(mover) != person.id for mover in moved)
    return texts.turn_text(table, person.id, person.language, person.preferences.alerts.zone) if is_due else None


async def _seat_text(table: Table, queued: QueuedAlert, person: Person) -> AlertText | None:
    is_lost = person.id in table.summary().dispossessed
    return texts.seat_text(table, person.id, person.language) if is_lost else None


async def _analysis_text(table: Table, queued: QueuedAlert, person: Person) -> AlertText | None:
    return texts.analysis_text(table, person.id, person.language) if may_view(table, person.id) else None


OWN_KINDS: Final = {
    SEAT_ALERT: AlertKind(_seat_text, texts.title_of_seats, subpage=None),  # a seat is taken again in the lobby
    TURN_ALERT: AlertKind(_turn_text, texts.title_of_turns),
    ANALYSIS_ALERT: AlertKind(_analysis_text, texts.title_of_analyses, subpage="/analysis"),
}
"""The kinds that no feature adds, the most important first."""
