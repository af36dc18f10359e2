"""Tables with the same deal, at which a person may play one game only."""

from sqlalchemy import Connection, exists, select

from spieltisch.store.dialects import take_turns
from spieltisch.store.errors import StaleVersion
from spieltisch.store.quota_counts import QUOTA_LOCK
from spieltisch.store.schema import SEAT_HOLDERS, TABLES


def require_no_other_seat(connection: Connection, table_id: str, duplicate: str, person: str) -> None:
    """Raise `StaleVersion` if a person has taken a seat at another table of the duplicate, in whatever process."""
    take_turns(connection, QUOTA_LOCK)
    is_other = (TABLES.c.duplicate == duplicate) & (TABLES.c.id != table_id)
    seat = select(SEAT_HOLDERS.c.seat).join(TABLES, TABLES.c.id == SEAT_HOLDERS.c.table_id)
    if connection.execute(select(exists(seat.where(is_other, SEAT_HOLDERS.c.person == person)))).scalar():
        raise StaleVersion(table_id, 0, 0)
