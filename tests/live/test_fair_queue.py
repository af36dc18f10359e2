"""The order of bots in the queue: games of people first, and no one delays the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from spieltisch.live.fair_queue import FairQueue


def order(wanted: Sequence[tuple[str, bool, float]]) -> list[str]:
    """In which order those who came in this one were called: who they are, whether they come first, and for how many
    seconds they hold their place.
    """
    called: list[str] = []
    now = 0.0

    async def main() -> None:
        queue = FairQueue(1, lambda: now)

        async def use_slot(person: str, seconds: float, *, first: bool) -> None:
            nonlocal now
            async with queue.slot(person, first=first):
                called.append(person)
                now += seconds

        async with queue.slot("all wait for this one", first=True):
            tasks = [asyncio.create_task(use_slot(person, seconds, first=first)) for person, first, seconds in wanted]
            await asyncio.sleep(0)  # all of them run until they wait
        await asyncio.gather(*tasks)
        assert queue._free == 1

    asyncio.run(main())
    return called


def test_who_asks_for_much_holds_up_nobody() -> None:
    greedy = [("greedy", True, 2.0)] * 6
    assert order([*greedy, ("modest", True, 0.1), ("modest", True, 0.1)])[:4] == [
        "greedy",
        "modest",
        "modest",
        "greedy",
    ]


def test_time_counts_not_how_often() -> None:
    called = order([("long", True, 2.0)] * 3 + [("short", True, 0.5)] * 8)
    assert called == ["long", *["short"] * 4, "long", *["short"] * 4, "long"]


def test_games_of_people_go_first() -> None:
    assert order([("a", False, 1), ("a", False, 1), ("b", False, 1), ("c", True, 9), ("c", True, 9)]) == list("ccaba")


def test_who_was_away_gains_nothing_by_it() -> None:
    """The time that the others used while one client was away does not count against them."""
    called: list[str] = []
    now = 0.0

    async def main() -> None:
        queue = FairQueue(1, lambda: now)

        async def use_slot(person: str) -> None:
            nonlocal now
            async with queue.slot(person, first=True):
                called.append(person)
                now += 1.0

        for _ in range(20):
            await use_slot("steady")
        async with queue.slot("both wait for this one", first=True):
            tasks = [asyncio.create_task(use_slot(person)) for person in ("steady", "late") * 3]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)

    asyncio.run(main())
    assert sorted(called[20:24]) == ["late", "late", "steady", "steady"]


def test_who_goes_away_while_waiting_takes_no_place() -> None:
    async def main() -> None:
        queue = FairQueue(1)
        entered = asyncio.Event()

        async def hold(until: asyncio.Event) -> None:
            async with queue.slot("a", first=True):
                entered.set()
                await until.wait()

        async def pass_through() -> None:
            async with queue.slot("b", first=True):
                pass

        over = asyncio.Event()
        holds = asyncio.create_task(hold(over))
        await entered.wait()
        waits, called = asyncio.create_task(pass_through()), asyncio.create_task(pass_through())
        await asyncio.sleep(0)
        waits.cancel()
        over.set()
        await holds  # calls the other one, which is cancelled before it runs
        called.cancel()
        await asyncio.gather(waits, called, return_exceptions=True)
        await pass_through()
        assert queue._free == 1

    asyncio.run(main())
