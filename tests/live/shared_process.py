"""A process that shares a database and opens tables forever, each of three new people, the first with a webhook.

For each line of its input it forks a child that does so until the test kills it. The child prints `child PID`, then
`stands`, then `told` whenever one of the processes has sent the alert about a table that this child has opened.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from spieltisch import tables
from spieltisch.alerts.channels import SERVICE
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.store import outbox
from spieltisch.tables import NewTable
from tests.live.killed_children import fork_children, say

TERM = 1.0
"""The term of leases, so that no one waits for long."""


@asynccontextmanager
async def sharing(url: str) -> AsyncIterator[Live]:
    """Run a process that sends alerts unless another process does."""
    live = await Live.open(url, guard=SsrfGuard(private=True), features=FEATURES, is_shared=True)
    live.leases._term = TERM
    try:
        await live.start(live.leases.running())
        await live.start(live.alert_sender.running())
        yield live
    finally:
        await live.close()


async def play(url: str, address: str) -> None:
    async with sharing(url) as live:
        say("stands")
        while True:
            name = secrets.token_hex(4)
            ada, ben, cleo = [
                (await live.people.create(f"{person_prefix} {name}"))[0] for person_prefix in ("Ada", "Ben", "Cleo")
            ]
            for person in (ada, ben, cleo):
                hook = f"{address.replace('127.0.0.1', f'{secrets.token_hex(4)}.example.org')}/{person.id}"
                await live.subscriptions.add(person, SERVICE, {"address": hook})
            table = await live.tables.open(ada, NewTable("toy", ("me", "link", "link")))
            for person in (ben, cleo):
                table = await live.tables.run(table.id, tables.sit, person, by_link=True)
            while await outbox.due(live.store):
                await asyncio.sleep(0.02)  # until one of the processes has sent it
            say("told")


def resolve(host: str, port: int, *_: object, **__: object) -> list[tuple[Any, ...]]:
    """Resolve every host name as this machine, since people with one host would wait for each other."""
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]


if __name__ == "__main__":
    socket.getaddrinfo = resolve  # type: ignore[assignment]  # as far as it is called
    fork_children(lambda number: play(sys.argv[1], sys.argv[2]))
