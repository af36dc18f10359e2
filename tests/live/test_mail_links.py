"""Links by mail grow old, go with their way and their person, and follow who becomes one with another self."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from spieltisch.alerts.channels import MAIL
from spieltisch.live import Live
from spieltisch.live.mail_links import MOST_SELVES, SECONDS, MailLinks
from spieltisch.store import Person
from tests.live.outside import Post, posting
from tests.tables.sitting import refused


class House(NamedTuple):
    live: Live
    ada: Person
    post: Post
    links: MailLinks
    now: list[float]

    async def told(self, person: Person, address: str = "ada@example.org") -> None:
        way = await self.live.ways.add(person, MAIL, {"address": address})
        await self.live.ways.confirm(way)

    async def link(self, many: int = 1) -> str:
        """What stands in the newest mail, when so many have come."""
        self.links.ask("ada@example.org")
        for _ in range(many):
            await asyncio.to_thread(self.post.arrived.acquire, timeout=30)
        text = str(self.post.mails[-1].get_content())
        return next(word for word in text.split() if "link=" in word).partition("=")[2]


@pytest.fixture
def house(tmp_path: Path) -> Callable[[Callable[[House], Awaitable[None]]], None]:
    def run(job: Callable[[House], Awaitable[None]]) -> None:
        async def main() -> None:
            now = [0.0]
            async with posting() as post:
                live = await Live.open(tmp_path / "house.sqlite3", mail=post.settings)
                links = MailLinks(live.store, live.ways.channels, live.ways.address, lambda: now[0])
                try:
                    ada, _ = await live.people.arrive("Ada")
                    await asyncio.wait_for(job(House(live, ada, post, links, now)), 60)
                finally:
                    await links.close()
                    await live.close()

        asyncio.run(main())

    return run


def test_a_link_is_good_for_a_quarter_of_an_hour(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.told(house.ada)
        token = await house.link()
        house.now[0] += SECONDS - 1
        assert (await house.links.person(token)).id == house.ada.id
        house.now[0] += 1
        with refused("no-code"):
            await house.links.take(token)

    house(job)


def test_of_several_one_is_used_and_all_are_void(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.told(house.ada)
        first, second = await house.link(), await house.link()
        found = await asyncio.gather(*(house.links.take(first) for _ in range(5)), return_exceptions=True)
        assert [one.id for one in found if isinstance(one, Person)] == [house.ada.id]
        with refused("no-code"):
            await house.links.take(second)

    house(job)


@pytest.mark.parametrize("end", ["removed", "gone", "merged"])
def test_a_link_goes_with_its_way_and_its_person(house: Callable[..., None], end: str) -> None:
    async def job(house: House) -> None:
        await house.told(house.ada)
        token = await house.link()
        if end == "removed":
            (way,) = await house.live.ways.of(house.ada.id)
            await house.live.ways.remove(way)
        elif end == "gone":
            await house.live.selves.go(house.ada)
        else:
            one, _ = await house.live.people.arrive("Ada at the desk")
            await house.live.selves.merge(one, house.ada)
            assert (await house.links.take(token)).id == one.id
            return
        with refused("no-code"):
            await house.links.take(token)

    house(job)


def test_who_is_several_people_at_one_address_gets_a_link_for_each(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(MOST_SELVES + 1):
            person, _ = await house.live.people.arrive(f"Ada {number}", "de")
            await house.told(person)
        await house.link(MOST_SELVES)
        texts = [str(mail.get_content()) for mail in house.post.mails]
        assert len(texts) == MOST_SELVES
        assert all(f"Ada {number + 1}" in text for number, text in enumerate(texts))

    house(job)
