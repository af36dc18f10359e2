"""Check leases: one owner at a time, and no writes of owners that died, slept or are late."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Condition
from typing import IO, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, select

from spieltisch.store import LeaseEnded, Store, leases
from spieltisch.store.leases import Lease
from spieltisch.store.schema import LEASES, SETTINGS
from tests.async_wait import wait
from tests.store.lease_process import WORK, engine_of
from tests.store.lease_time import pass_time

pytestmark = pytest.mark.both_databases

ROOT: Final = Path(__file__).parents[2]
OWNERS: Final = ("ada", "ben")
KEYS: Final = ("", "t1", "t2")


def take(store: Store, owner: str, *wanted_leases: Lease) -> frozenset[Lease]:
    return wait(store.write(partial(leases.take, owner=owner, leases=wanted_leases or [WORK])))


def test_a_lease_belongs_to_one_owner_until_its_term_ends(store: Store) -> None:
    other_lease = Lease("bot", "t1")
    assert take(store, "ada") == {WORK}
    assert take(store, "ben", WORK, other_lease) == {other_lease}
    wait(store.write(partial(pass_time, seconds=leases.TERM_SECONDS - 5)))
    assert take(store, "ben") == frozenset()
    assert take(store, "ada") == {WORK}, "it is renewed"
    wait(store.write(partial(pass_time, seconds=leases.TERM_SECONDS - 5)))
    assert take(store, "ben") == frozenset()
    wait(store.write(partial(pass_time, seconds=5)))
    assert take(store, "ben") == {WORK}
    assert take(store, "ada") == frozenset()


def test_an_owner_may_end_one_lease_or_all_leases(store: Store) -> None:
    bots = [Lease("bot", "t1"), Lease("bot", "t2")]
    take(store, "ada", WORK, *bots)
    wait(store.write(partial(leases.end, owner="ben", lease=WORK)))
    assert take(store, "ben", WORK, *bots) == frozenset()
    wait(store.write(partial(leases.end, owner="ada", lease=bots[0])))
    assert take(store, "ben", WORK, *bots) == {bots[0]}
    wait(store.write(partial(leases.end, owner="ada")))
    assert take(store, "ben") == {WORK}


def test_leases_of_an_ended_process_are_removed_once(store: Store) -> None:
    for owner in OWNERS:
        take(store, owner, Lease(leases.PROCESS, owner), Lease("bot", owner), Lease("bot", f"{owner}'s other"))
    wait(store.write(partial(leases.end, owner="ada")))
    assert take(store, "ben", Lease("bot", "ada"))
    assert wait(store.write(leases.remove_ended_processes)) == {"ada"}
    assert wait(store.write(leases.remove_ended_processes)) == frozenset()
    query = select(LEASES.c.key).order_by(LEASES.c.key)
    rows = wait(store.read(lambda connection: connection.execute(query).scalars().all()))
    assert rows == ["ada", "ben", "ben", "ben's other"]


def test_a_clock_set_back_does_not_extend_a_lease_forever(store: Store) -> None:
    take(store, "ada")
    wait(store.write(partial(pass_time, seconds=-2 * leases.MAX_TERM_SECONDS)))
    assert take(store, "ben") == {WORK}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["take", "end", "require"]), st.sampled_from(OWNERS), st.sampled_from(KEYS)),
        st.tuples(st.just("pass"), st.just(""), st.just("")),
    ),
    max_size=15,
)


@pytest.mark.sqlite_only
@settings(deadline=None)
@given(steps=STEPS)
def test_two_owners_never_have_the_same_lease(steps: list[tuple[str, str, str]]) -> None:
    engine, terms = create_engine("sqlite://"), dict[str, tuple[str, int]]()
    with engine.begin() as connection:
        LEASES.create(connection)
        for step, owner, key in steps:
            lease, (has, remaining_term) = Lease("bot", key), terms.get(key, ("", 0))
            if step == "take":
                is_taken = leases.take(connection, owner, [lease]) == {lease}
                assert is_taken == (has == owner or not remaining_term)
                if is_taken:
                    terms[key] = owner, 2
            elif step == "end":
                leases.end(connection, owner, lease)
                if has == owner:
                    del terms[key]
            elif step == "require":
                if has == owner and remaining_term:
                    leases.require(connection, owner, lease)
                else:
                    with pytest.raises(LeaseEnded):
                        leases.require(connection, owner, lease)
            else:
                pass_time(connection, leases.TERM_SECONDS / 2 + 1)
                terms = {key: (has, max(0, remaining_term - 1)) for key, (has, remaining_term) in terms.items()}
    engine.dispose()


def test_processes_waiting_for_a_lock_take_turns(store: Store) -> None:
    busy, turns, changed = list[str](), list[str](), Condition()
    engines = {f"owner {number}": engine_of(store.database.writing.url) for number in range(4)}

    def wait_for_lease(owner: str) -> None:
        """Try again when another owner has ended its lease: those who try all the time may starve others in SQLite."""
        is_taken = False
        while not is_taken:
            known_turns = len(turns)
            with engines[owner].begin() as connection:
                is_taken = leases.take(connection, owner, [WORK, Lease("bot", owner)]) >= {WORK}
            with changed:
                while not is_taken and len(turns) == known_turns:
                    assert changed.wait(leases.TERM_SECONDS)

    def take_turns(owner: str) -> None:
        for _ in range(10):
            wait_for_lease(owner)
            busy.append(owner)
            with engines[owner].begin() as connection:
                leases.require(connection, owner, WORK)
                is_alone = busy == [owner]
                busy.remove(owner)
                leases.end(connection, owner, WORK)
            with changed:
                turns.append(owner if is_alone else "two at a time")
                changed.notify_all()

    with ThreadPoolExecutor(len(engines)) as threads:
        for owner_turns in [threads.submit(take_turns, owner) for owner in engines]:
            owner_turns.result()
    for engine in engines.values():
        engine.dispose()
    assert sorted(turns) == sorted(10 * list(engines))


class Owner:
    """A separate process that takes a lease; see `lease_process.py`."""

    def __init__(self, process: subprocess.Popen[str], lines: IO[str], answers: IO[str]) -> None:
        self.process, self._lines, self._answers = process, lines, answers

    def write(self) -> None:
        self._lines.write("\n")
        self._lines.flush()

    def answer(self) -> str:
        return self._answers.readline().strip()


@contextmanager
def owner_process(store: Store, name: str) -> Iterator[Owner]:
    url = store.database.writing.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.store.lease_process", name, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Owner(process, process.stdin, process.stdout)
        finally:
            process.kill()


def test_a_dead_and_a_suspended_owner_lose_their_leases(store: Store) -> None:
    with ExitStack() as stack:
        dies = stack.enter_context(owner_process(store, "dies"))
        assert dies.answer() == "took"
        sleeps = stack.enter_context(owner_process(store, "sleeps"))
        dies.process.kill()
        assert sleeps.answer() == "took"
        sleeps.process.send_signal(signal.SIGSTOP)
        wakes = stack.enter_context(owner_process(store, "lives"))
        assert wakes.answer() == "took"
        sleeps.write()
        sleeps.process.send_signal(signal.SIGCONT)
        assert sleeps.answer() == "ended"
        query = select(SETTINGS.c.value).where(SETTINGS.c.name == "done")
        assert wait(store.read(lambda connection: connection.execute(query).scalar())) is None
