"""Conversion of failed and refused writes to the store into a `TableRefusal`."""

from collections.abc import Awaitable
from typing import TypeVar

import structlog

from spieltisch.live.log_limit import LogLimit
from spieltisch.store import NoSuchTable, WriteFailed
from spieltisch.store.errors import SignedOut
from spieltisch.tables import refusals

T = TypeVar("T")
_log_limit = LogLimit()
_logger = structlog.get_logger()


async def await_write(write: Awaitable[T], table_id: str | None = None) -> T:
    """Return the result of a write to the store; the log names the table that it was for, once a minute.

    Raise `TableRefusal` `not-written` if nothing could be written, `signed-out` if the session of the writer has ended,
    `no-table` if the table has been removed.
    """
    try:
        return await write
    except WriteFailed as error:
        if _log_limit.allows(str(error)):
            _logger.error("not written", table=table_id, problem=str(error))
        raise refusals.not_written() from error
    except SignedOut as error:
        raise refusals.signed_out() from error
    except NoSuchTable as error:
        raise refusals.no_table() from error
