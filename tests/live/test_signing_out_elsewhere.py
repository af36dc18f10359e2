"""Check that signing out in one process on a PostgreSQL database ends what another process is storing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

import pytest

from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.tables import TableRefusal
from tests.live.held_commits import overlapping
from tests.live.live_fixture import signed_in
from tests.live.two_processes import run_in_two_servers
from tests.postgres import Server

pytestmark = pytest.mark.postgresql

Addition: TypeAlias = Callable[[], Coroutine[Any, Any, object]]


async def sign_in(live: Live, ada: Person, session: str) -> Addition:
    code = await live.people.recovery.give(ada.id, session)
    credential = await live.people.by_code(code.text, visitor="a browser", address="192.0.2.1")
    return lambda: live.people.log_in(credential)


async def make_recovery_code(live: Live, ada: Person, session: str) -> Addition:
    return lambda: live.people.recovery.give(ada.id, session)


@pytest.mark.parametrize("prepare", [sign_in, make_recovery_code])
@pytest.mark.parametrize("is_first", [True, False])
def test_signing_out_other_devices_ends_access_added_in_another_process(
    postgres: Server, prepare: Callable[[Live, Person, str], Awaitable[Addition]], is_first: bool
) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        own_session, copied_session = await signed_in(first, ada), await signed_in(first, ada)
        add = await prepare(first, ada, copied_session)

        async def sign_out() -> None:
            await second.people.log_out_others(ada.id, own_session, "new")

        if is_first:
            _, refusal = await overlapping(first, add(), sign_out())
        else:
            refusal, added = await overlapping(second, sign_out(), add())
            assert isinstance(added, TableRefusal)
        assert refusal is None
        access = await second.people.access(ada.id)
        assert (len(access.sessions), access.recovery_code) == (1, 0.0)
        assert await second.people.by_token("new") == ada

    run_in_two_servers(postgres.schema(), job)


def test_signing_out_is_refused_while_another_process_stores_a_recovery_code(postgres: Server) -> None:
    async def job(first: Live, second: Live, ada: Person, ben: Person) -> None:
        own_session, copied_session = await signed_in(first, ada), await signed_in(first, ada)
        code = await first.people.recovery.give(ada.id, own_session)
        replacing = first.people.recovery.give(ada.id, copied_session)
        _, has_ended = await overlapping(first, replacing, second.people.log_out(own_session, str(code.made)))
        assert has_ended is False
        assert await second.people.by_token(own_session) == ada

    run_in_two_servers(postgres.schema(), job)
