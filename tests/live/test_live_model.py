"""Compare tables on a real file with a simple model under any order of commands, bots, crashes and further games.

The model and its rules are those of tables in memory (`tests/tables/test_table_model.py`); here everything goes through
the file, and more can happen. A crash copies the file as it is on disk and opens the copy in another server: the copy
must contain everything that was acknowledged and nothing else.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import Connection

from spieltisch import bots, tables
from spieltisch.live import Live
from spieltisch.store.lobby import own_tables
from spieltisch.tables import BotTurn, Event, NewTable, Table, TableRefusal
from tests.async_wait import wait
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, Somebody, refused
from tests.tables.table_model import WHO, TableModel

P = ParamSpec("P")
T = TypeVar("T")
PEOPLE = (ADA, BEN, CLEO, DORA)
MEMORY = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)  # noqa: S108  # the machine's own
"""A folder whose files need not wait for a disk: a crash here is a copy, and no disk decides what is kept of it."""
SEATS = st.lists(st.sampled_from(("open", "link", "bot:random", "bot:easy")), min_size=1, max_size=3)
OVER = ("finished", "aborted")


class Drawn:
    """Provide the same secrets and ids of tables in every run, since Hypothesis repeats its steps."""

    many = 0

    def token_bytes(self, size: int) -> bytes:
        self.many += 1
        return hashlib.sha256(b"%d" % self.many).digest()[:size]

    def token_urlsafe(self, size: int) -> str:
        return self.token_bytes(size).hex()


DRAWN = Drawn()


class Disk(Sitting):
    """A table in play on a file, with a server that may crash and be opened again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runner = asyncio.Runner()
        self.files = 0
        self.announced: list[tuple[str, int]] = []
        self.live = self._opened()

    def wait(self, job: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(job)

    @property
    def path(self) -> Path:
        return self.folder / f"{self.files}.sqlite3"

    def _opened(self) -> Live:
        live = self.wait(Live.open(self.path))
        live.tables.subscribe(None, self._announce)
        return live

    def _announce(self, table: Table) -> None:
        """Check that everything announced is on disk, and that nothing is announced twice."""
        stored_events = wait(self.live.store.events(table.id))  # a listener cannot await
        assert len(stored_events) == table.version
        assert all(version < table.version for name, version in self.announced if name == table.id)
        self.announced.append((table.id, table.version))

    def show(self, table: Table) -> None:
        self.table, self.written = table, list(table.events)

    def does(
        self, command: Callable[Concatenate[Table, P], Sequence[Event]], *args: P.args, **kwargs: P.kwargs
    ) -> Sequence[Event]:
        before = self.table
        try:
            self.show(self.wait(self.live.tables.run(before.id, command, *args, **kwargs)))
        except TableRefusal:
            assert self.wait(self.live.tables.get(before.id)) is before
            assert len(self.wait(self.live.store.events(before.id))) == before.version
            raise
        if self.table.version > before.version:
            assert self.announced[-1] == (self.table.id, self.table.version)
        return [event.event for event in self.table.events[before.version :]]

    def crash(self, halfway: Callable[[Live], Coroutine[Any, Any, object]] | None = None) -> None:
        """Open the file in another server as it is on disk, optionally halfway through a command."""
        is_held, release = threading.Event(), threading.Event()

        def hold_disk(_: Connection) -> None:
            is_held.set()
            release.wait()

        async def copy() -> None:
            writing = asyncio.create_task(self.live.store.write(hold_disk))
            await asyncio.to_thread(is_held.wait)
            command = asyncio.ensure_future(halfway(self.live)) if halfway is not None else None
            try:
                while command is not None and not command.done() and self.live.store._writer._queue.empty():
                    await asyncio.sleep(0)
                assert command is None or not command.done() or command.exception() is not None
                for suffix in ("", "-wal"):
                    file_copy = self.path.with_name(self.path.name + suffix)
                    if file_copy.exists():
                        shutil.copy(file_copy, self.folder / f"{self.files + 1}.sqlite3{suffix}")
            finally:
                release.set()
            await writing
            if command is not None:
                await asyncio.gather(command, return_exceptions=True)

        old_live, announced = self.live, list(self.announced)
        self.wait(copy())
        self.wait(old_live.close())
        self.announced = announced
        self.files += 1
        self.live = self._opened()
        self.wait(_replayed(self.live))
        self.show(self.wait(self.live.tables.get(self.table.id)))

    def folded(self) -> Table:
        self.crash()
        return self.table

    def close(self) -> None:
        self.wait(self.live.close())
        self.runner.close()


async def _replayed(live: Live) -> None:
    await live.tables.replaying


class LiveModel(TableModel):
    """The model of a table and of the tables played before."""

    sitting: Disk

    def begin(self) -> Disk:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY)
        self.past: list[Table] = []
        self.turn: BotTurn | None = None
        DRAWN.many = 0
        disk = Disk(Path(self.folder.name))
        disk.show(disk.wait(disk.live.tables.open(ADA, NewTable("toy", ("me", "open", "link")))))
        return disk

    @initialize(seats=SEATS, has_open_seat=st.sampled_from((False, False, False, True)))
    def another_table(self, seats: list[str], has_open_seat: bool) -> None:
        """Open another table, mostly with bots and without open seats."""
        opened_table = self.sitting.live.tables.open(ADA, NewTable("toy", ("me", *seats)))
        self.sitting.show(self.sitting.wait(opened_table))
        self.seats = [ADA.id, *("" for _ in seats)]
        self.texts = [""] * len(self.seats)
        if not has_open_seat:
            self.everybody_sits()

    @precondition(lambda self: self.sitting.table.status == "open")
    @rule()
    def everybody_sits(self) -> None:
        absent = (person for person in PEOPLE if person.id not in self.seats)
        for seat in self.sitting.table.seats:
            if seat.kind in ("open", "link", "reserved"):
                self.sits(next(absent), seat.number, True)

    @precondition(lambda self: self.sitting.table.bot_to_move() is not None)
    @rule(seed=st.integers(0, 1 << 62))
    def a_bot_plays(self, seed: int) -> None:
        turn = self.turn = self.sitting.table.bot_to_move()
        assert turn is not None
        assert self.sitting.table.position is not None
        move = bots.choose(turn.bot, self.sitting.table.position.observe(turn.seat).bytes, seed)
        self.sitting.does(tables.play_bot_move, turn, move)
        self.moves.append(move)

    @rule(choice_number=st.integers(0, 10_000), count=st.integers(1, 12))
    def goes_on(self, choice_number: int, count: int) -> None:
        for n in range(count):
            if self.sitting.table.bot_to_move() is not None:
                self.a_bot_plays(choice_number + n)
            elif (seat := self.sitting.table.to_decide) is not None and self.seats[seat]:
                self.plays(next(person for person in PEOPLE if person.id == self.seats[seat]), choice_number + n)

    @precondition(lambda self: self.sitting.table.bot_to_move() is not None)
    @rule()
    def a_bot_fails(self) -> None:
        turn = self.sitting.table.bot_to_move()
        assert turn is not None
        self.sitting.does(tables.report_bot_failure, turn, "it was asked to")
        assert self.sitting.table.bot_trouble is not None
        self.turn = turn

    @precondition(lambda self: self.turn is not None and self.sitting.table.bot_to_move() != self.turn)
    @rule()
    def a_bot_is_too_late(self) -> None:
        assert self.turn is not None
        with refused("stale"):
            self.sitting.does(tables.play_bot_move, self.turn, "take 1")

    @rule(person=WHO, seat=st.integers(0, 3), bot=st.sampled_from(("random", "easy", "clever")))
    def a_bot_takes_the_seat(self, person: Somebody, seat: int, bot: str) -> None:
        table_before = self.sitting.table
        if self.attempt(lambda: self.sitting.does(tables.replace_with_bot, person.id, seat, bot)):
            failing = table_before.bot_trouble is not None and table_before.bot_trouble.seat == seat
            assert table_before.host == person.id
            assert not self.seats[seat]
            assert table_before.seats[seat].kind != "bot" or failing
            assert (self.sitting.table.seats[seat].kind, self.sitting.table.seats[seat].bot) == ("bot", bot)

    @rule(choice_number=st.integers(0, 10_000))
    def clicks_twice_at_once(self, choice_number: int) -> None:
        """Send the same page twice at once; only one of the requests plays a move."""
        table, disk = self.sitting.table, self.sitting
        seat = table.to_decide
        if seat is None or not self.seats[seat] or table.position is None:
            return
        move = str(table.position.legal_moves[choice_number % len(table.position.legal_moves)])

        async def two_clicks() -> list[Table | BaseException]:
            clicks = [
                disk.live.tables.run(table.id, tables.play, self.seats[seat], move, table.version) for _ in range(2)
            ]
            return await asyncio.gather(*clicks, return_exceptions=True)

        outcomes = disk.wait(two_clicks())
        (after,) = (result for result in outcomes if isinstance(result, Table))
        expected_code = "over" if after.is_over else "stale"  # the game may have ended by it
        assert [result.code for result in outcomes if isinstance(result, TableRefusal)] == [expected_code]
        disk.show(after)
        self.moves.append(move)

    @rule()
    def crashes(self) -> None:
        before = self.sitting.table
        self.sitting.crash()
        self.is_the_same(before, self.sitting.table)

    @rule(choice_number=st.integers(0, 10_000))
    def crashes_in_the_middle_of_a_move(self, choice_number: int) -> None:
        table = self.sitting.table
        seat = table.to_decide
        if seat is None or not self.seats[seat] or table.position is None:
            return
        move = str(table.position.legal_moves[choice_number % len(table.position.legal_moves)])
        self.sitting.crash(lambda live: live.tables.run(table.id, tables.play, self.seats[seat], move, table.version))
        self.is_the_same(table, self.sitting.table)

    @precondition(lambda self: self.sitting.table.status in OVER)
    @rule(person=WHO)
    def goes_on_at_another_table(self, person: Somebody) -> None:
        table_before, disk = self.sitting.table, self.sitting
        seat = table_before.seat_of(person.id)
        try:
            new_table = disk.wait(disk.live.tables.rematch(table_before.id, person))
        except TableRefusal:
            assert seat is None
            return
        assert seat is not None
        rematch = disk.wait(disk.live.tables.rematch(table_before.id, person))
        assert rematch is new_table, "whoever asks later comes to the same table"
        self.past.append(disk.wait(disk.live.tables.get(table_before.id)))
        assert self.past[-1].rematch == new_table.id
        disk.show(new_table)
        self.turn, self.moves = None, []
        self.seats = [person.id if seat.kind == "person" else "" for seat in new_table.seats]
        self.texts = [""] * len(self.seats)

    @rule(person=WHO)
    def looks_into_the_lobby(self, person: Somebody) -> None:
        disk, table = self.sitting, self.sitting.table
        lobby = disk.wait(own_tables(disk.live.store, person.id))
        unfinished = {table.id: table for table in lobby.unfinished.tables}
        # A seat that is reserved for somebody, or that they left, shows them the way back.
        assert (table.id in unfinished) == (self.has_a_seat(table, person) and table.status not in OVER)
        if table.id in unfinished:
            assert unfinished[table.id].version == table.version
            turn = table.to_decide is not None and self.seats[table.to_decide] == person.id
            assert unfinished[table.id].summary.is_turn_of(person.id) == turn
        finished_ids = {table.id for table in lobby.finished.tables}
        assert all((table.id in finished_ids) == self.has_a_seat(table, person) for table in self.past)

    def has_a_seat(self, table: Table, person: Somebody) -> bool:
        return table.host == person.id or any(seat.person == person.id for seat in table.seats)

    @invariant()
    def the_file_is_what_the_model_says(self) -> None:
        table = self.sitting.table
        assert len(self.sitting.wait(self.sitting.live.store.events(table.id))) == table.version
        assert table.replay_difference is None
        assert table.status != "frozen"
        assert table.undo_asked is None or table.bot_to_move() is None

    def is_the_same(self, table: Table, other_table: Table) -> None:
        assert [tables.encode(recorded_event.event) for recorded_event in table.events] == [
            tables.encode(recorded_event.event) for recorded_event in other_table.events
        ]
        assert table.summary() == other_table.summary()
        assert table.moves == other_table.moves
        assert table.bot_to_move() == other_table.bot_to_move()
        assert all(table.log(seat) == other_table.log(seat) for seat in (None, 0, 1))
        assert (table.position is None) == (other_table.position is None)
        if table.position is not None and other_table.position is not None:
            assert table.position.digest() == other_table.position.digest()

    def teardown(self) -> None:
        try:
            before = self.sitting.table
            self.sitting.crash()
            self.is_the_same(before, self.sitting.table)
            for table in self.past:
                self.is_the_same(table, self.sitting.wait(self.sitting.live.tables.get(table.id)))
        finally:
            self.sitting.close()
            self.folder.cleanup()


@pytest.mark.parametrize(("examples", "steps"), [(2, 10), pytest.param(16, 40, marks=pytest.mark.fuzz)])
def test_random_commands_crashes_and_restarts_match_the_simple_model(
    toy: str, examples: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pytest --all --hypothesis-profile=fuzz` tries many more sequences."""
    model_settings = settings(max_examples=examples, stateful_step_count=steps)
    run_settings = settings() if settings.get_current_profile_name() == "fuzz" else model_settings
    monkeypatch.setattr("spieltisch.live.live_tables.secrets", DRAWN)
    profile = settings(run_settings, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(LiveModel, settings=profile)
