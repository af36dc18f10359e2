"""Events that the database has lost, recorded when it is opened."""

from collections.abc import Sequence
from typing import Final

import msgspec
import structlog
from sqlalchemy import Connection, select

from spieltisch.store.dialects import insert_or_replace
from spieltisch.store.journal import LOST_EVENTS_DECODER, LostEvents
from spieltisch.store.schema import LOST_EVENTS_KEY, SETTINGS

MAX_LOGGED_TABLES: Final = 20
"""The number of tables named in the log; any further ones are only counted."""
_logger = structlog.get_logger("spieltisch.store")


def record_losses(connection: Connection, lost: Sequence[LostEvents]) -> None:
    """Store the losses in the opening transaction and log them as errors."""
    if not lost:
        return
    for loss in lost[:MAX_LOGGED_TABLES]:
        _logger.error("a table has lost its newest events", table=loss.table, noted=loss.recorded, found=loss.stored)
    _logger.error(
        "the database is older than it was when it was last written: is its -wal file gone, or an old copy in its "
        "place? The tables go on with what is there, and say so",
        tables=len(lost),
        events=sum(loss.recorded - loss.stored for loss in lost),
    )
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == LOST_EVENTS_KEY)
    earlier = list(LOST_EVENTS_DECODER.decode(connection.execute(query).scalar() or b"[]"))
    known = {(loss.table, loss.recorded) for loss in earlier}
    value = msgspec.json.encode([*earlier, *(loss for loss in lost if (loss.table, loss.recorded) not in known)])
    insert_or_replace(connection, SETTINGS, {"name": LOST_EVENTS_KEY, "value": value})
