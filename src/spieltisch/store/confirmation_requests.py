"""Requests that asked recipients to confirm that they want alerts, counted for a day."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from spieltisch.store.dialects import take_turns
from spieltisch.store.quota_counts import QUOTA_LOCK
from spieltisch.store.schema import CONFIRMATION_REQUESTS
from spieltisch.store.store import Store

DAY_SECONDS: Final = 86_400.0
"""The time for which a request counts."""


async def add(store: Store, maxima: Mapping[bytes, int], at: float) -> bool:
    """Count a request at `at` (UTC seconds) and return True; return False if one of the `maxima` is reached.

    `maxima` are the numbers of requests per day to the recipient and to its domain, by their keyed hashes; 0 means no
    limit. A request that is further away than a day, in either direction, does not count: the clock may have been set.
    """
    columns = CONFIRMATION_REQUESTS.c
    is_other_day = (columns.at <= at - DAY_SECONDS) | (columns.at >= at + DAY_SECONDS)

    def job(connection: Connection) -> bool:
        take_turns(connection, QUOTA_LOCK)
        connection.execute(delete(CONFIRMATION_REQUESTS).where(is_other_day))
        for recipient, maximum in maxima.items():
            count = select(func.count()).select_from(CONFIRMATION_REQUESTS).where(columns.recipient == recipient)
            if maximum and connection.execute(count).scalar_one() >= maximum:
                return False
        rows = [{"recipient": recipient, "at": at} for recipient in maxima]
        connection.execute(insert(CONFIRMATION_REQUESTS), rows)
        return True

    return await store.write(job)
