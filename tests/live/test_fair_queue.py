"""Check the order of bots in the queue: games of people first, and fair shares for all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from spieltisch.live.fair_queue import FairQueue


def order_of_calls(requests: Sequence[tuple[str, bool, float]]) -> list[str]:
    """Return the order in which queued requests are called; each has a name, a priority and a duration."""
    calls: list[str] = []
    now = 0.0

    async def main() -> None:
        queue = FairQueue(1, lambda: now)

        async def use_slot(person: str, seconds: float, *, first: bool) -> None:
            nonlocal now
            async with queue.slot(person, first=first):
                calls.append(person)
                now += seconds

        async with queue.slot("all wait for this one", first=True):
            tasks = [asyncio.create_task(use_slot(person, seconds, first=first)) for person, first, seconds in requests]
            await asyncio.sleep(0)  # all of them run until they wait
        await asyncio.gather(*tasks)
        assert queue._free == 1

    asyncio.run(main())
    return calls


def test_a_client_with_many_requests_does_not_delay_other_clients() -> None:
    greedy = [("greedy", True, 2.0)] * 6
    assert order_of_calls([*greedy, ("modest", True, 0.1), ("modest", True, 0.1)])[:4] == [
        "greedy",
        "modest",
        "modest",
        "greedy",
    ]


def test_the_fair_queue_shares_time_and_not_numbers_of_requests() -> None:
    calls = order_of_calls([("long", True, 2.0)] * 3 + [("short", True, 0.5)] * 8)
    assert calls == ["long", *["short"] * 4, "long", *["short"] * 4, "long"]


def test_queued_calls_for_people_precede_calls_for_bots() -> None:
    assert order_of_calls([("a", False, 1), ("a", False, 1), ("b", False, 1), ("c", True, 9), ("c", True, 9)]) == list(
        "ccaba"
    )


def test_idle_clients_save_up_no_time() -> None:
    """A client that was idle gets no advantage over clients that used the queue meanwhile."""
    calls: list[str] = []
    now = 0.0

    async def main() -> None:
        queue = FairQueue(1, lambda: now)

        async def use_slot(person: str) -> None:
            nonlocal now
            async with queue.slot(person, first=True):
                calls.append(person)
                now += 1.0

        for _ in range(20):
            await use_slot("steady")
        async with queue.slot("both wait for this one", first=True):
            tasks = [asyncio.create_task(use_slot(person)) for person in ("steady", "late") * 3]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)

    asyncio.run(main())
    assert sorted(calls[20:24]) == ["late", "late", "steady", "steady"]


def test_cancelled_requests_take_no_slot_of_the_fair_queue() -> None:
    async def main() -> None:
        queue = FairQueue(1)
        entered = asyncio.Event()

        async def hold_slot(is_released: asyncio.Event) -> None:
            async with queue.slot("a", first=True):
                entered.set()
                await is_released.wait()

        async def pass_through() -> None:
            async with queue.slot("b", first=True):
                pass

        has_ended = asyncio.Event()
        holds = asyncio.create_task(hold_slot(has_ended))
        await entered.wait()
        waiting_call, calls = asyncio.create_task(pass_through()), asyncio.create_task(pass_through())
        await asyncio.sleep(0)
        waiting_call.cancel()
        has_ended.set()
        await holds  # calls the other one, which is cancelled before it runs
        calls.cancel()
        await asyncio.gather(waiting_call, calls, return_exceptions=True)
        await pass_through()
        assert queue._free == 1

    asyncio.run(main())
