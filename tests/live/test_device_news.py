"""A browser is told of what another one has added to its person's access, also while it adds something itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.web.http.sessions import Site, Visitor, current_devices_cookies, devices_version
from tests.live.live_fixture import play, signed_in

WEBHOOKS = "https://discord.com/api/webhooks/1"


@pytest.mark.parametrize("other_adds", ["", "recovery_code", "alerts"])
def test_what_another_browser_adds_meanwhile_is_not_taken_for_shown(tmp_path: Path, other_adds: str) -> None:
    async def job(live: Live, ada: Person, _: Person) -> None:
        people, session, copy = live.people, await signed_in(live, ada), await signed_in(live, ada)
        access = await people.access(ada.id)
        visitor = Visitor(Site(), ada, session, False, "en", "", "", access, devices_version(access))
        own = await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/own"}, session=session)
        if other_adds == "recovery_code":
            await people.recovery.give(ada.id, copy)
        elif other_adds:
            await live.subscriptions.add(ada, "service", {"address": f"{WEBHOOKS}/other"}, session=copy)
        cookies = await current_devices_cookies(people, Site(), visitor, "alerts", own.added)
        seen = int(cookies[0].value or 0) if cookies else visitor.seen_devices
        later = replace(visitor, access=await people.access(ada.id), seen_devices=seen)
        assert (other_adds or "nothing").replace("_", "-") in (later.news or ("nothing",))

    play(tmp_path, job)
