"""The pauses of clocks that the processes of a server have agreed on: what the tables may not have recorded yet."""

from collections.abc import Collection
from typing import Final

import msgspec
from sqlalchemy import Connection, select

from spieltisch.store import leases
from spieltisch.store.dialects import insert_or_replace, take_turns
from spieltisch.store.leases import PROCESS, Lease
from spieltisch.store.schema import PAUSES_KEY, SETTINGS

PAUSES_LOCK: Final = 0x5B1E19
"""The number for `take_turns`."""
_DECODER: Final = msgspec.json.Decoder(list[tuple[float, float]])


def settle(
    connection: Connection, process: str, silences: Collection[tuple[float, float]]
) -> tuple[list[tuple[float, float]], bool]:
    """Add the times in which this process stood still, if all others did so too, to the stored pauses.

    Return the stored pauses, and whether another process ran in one of these times. One that was there all the time
    has renewed its lease on itself.
    """
    leases.take(connection, process, [Lease(PROCESS, process)])
    take_turns(connection, PAUSES_LOCK)
    query = select(SETTINGS.c.value).where(SETTINGS.c.name == PAUSES_KEY)
    pauses = _DECODER.decode(connection.execute(query).scalar() or b"[]")
    has_run_elsewhere = False
    for since, to in silences:
        if leases.has_other_process(connection, process, to - since):
            has_run_elsewhere = True
        elif since != to and not any(began < to and since < ended for began, ended in pauses):
            pauses.append((since, to))
    insert_or_replace(connection, SETTINGS, {"name": PAUSES_KEY, "value": msgspec.json.encode(pauses)})
    return pauses, has_run_elsewhere
