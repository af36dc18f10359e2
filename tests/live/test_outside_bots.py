"""Bots from outside at the table: only those that the host has listed, in the processes of the others."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from spieltisch import tables
from spieltisch.bots.external import UnknownBot
from spieltisch.live import Live, external_bots
from spieltisch.live.bot_turns import BotTurns
from spieltisch.store import Person
from spieltisch.tables import NewTable
from spieltisch.tables.events import BotFailed
from tests.live.test_bot_turns import SECONDS, until
from tests.tables.harness import refused

CODE = """
import os, pathlib
WHO = pathlib.Path(__file__).with_name("who")

def last(seen, seed, seconds):
    WHO.write_text(str(os.getpid()))
    return seen.imagine(seed).legal_moves[-1].text

def raises(seen, seed, seconds):
    raise ZeroDivisionError("a secret of the bot")

def dies(seen, seed, seconds):
    os._exit(3)

def nonsense(seen, seed, seconds):
    return "a castle in the air"

def hangs(seen, seed, seconds):
    while True:
        pass
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(CODE, encoding="utf-8")
    return path


async def opened(path: Path, names: Sequence[str], patience: float) -> tuple[Live, Person, BotTurns]:
    live = await Live.open(path / "house.sqlite3", outside=await external_bots.load_external_bots(names))
    ada, _ = await live.people.create("Ada")
    turns = BotTurns(live.tables, pace=0, first_pause=0.02, seconds_to_think=patience)
    await turns.start()
    return live, ada, turns


def test_a_listed_bot_plays_in_a_worker(file: Path) -> None:
    async def main() -> None:
        live, ada, turns = await opened(file.parent, [f"{file}:last"], SECONDS)
        with refused("bot"):
            await live.tables.open(
                ada, NewTable("paris-connection", ("bot:mine.py:raises", "bot:random", "bot:random"))
            )
        table = await live.tables.open(ada, NewTable("paris-connection", ("bot:mine.py:last", "bot:random", "open")))
        with refused("bot"):
            await live.tables.run(table.id, tables.replace_with_bot, ada.id, 2, "mine.py:raises", live.tables.bots)
        await live.tables.run(table.id, tables.replace_with_bot, ada.id, 2, "mine.py:last", live.tables.bots)
        await until(live, table, lambda now: {play.seat for play in now.moves} == {0, 1, 2})
        assert int(file.with_name("who").read_text()) in turns.workers.processes
        assert str(os.getpid()) != file.with_name("who").read_text()
        await turns.stop()
        await live.close()

    asyncio.run(asyncio.wait_for(main(), SECONDS))


@pytest.mark.parametrize(
    ("bot", "what", "patience"),
    [
        ("raises", "it raised ZeroDivisionError", SECONDS),
        ("dies", "its process died", SECONDS),
        ("nonsense", "it raised UnknownMove", SECONDS),
        ("hangs", "it took too long", 5.0),
    ],
)
def test_what_it_does_wrong_is_shown_and_the_host_puts_another_in(
    file: Path, bot: str, what: str, patience: float
) -> None:
    async def main() -> None:
        live, ada, turns = await opened(file.parent, [f"{file}:{bot}"], patience)
        table = await live.tables.open(ada, NewTable("paris-connection", (f"bot:mine.py:{bot}",) * 3))
        failing = await until(live, table, lambda now: now.bot_trouble is not None)
        assert [event.event.reason for event in failing.events if isinstance(event.event, BotFailed)] == [what]
        assert "a secret" not in repr(failing.events)
        assert failing.bot_trouble is not None
        await live.tables.run(
            table.id, tables.replace_with_bot, ada.id, failing.bot_trouble.seat, "random", live.tables.bots
        )
        await until(live, table, lambda now: len(now.moves) > 0)
        await turns.stop()
        await live.close()

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def test_a_bot_that_is_listed_no_more_is_not_run(file: Path) -> None:
    async def main() -> None:
        live, ada, turns = await opened(file.parent, [f"{file}:last"], SECONDS)
        table = await live.tables.open(ada, NewTable("paris-connection", ("bot:mine.py:last",) * 3))
        before = await until(live, table, lambda now: len(now.moves) >= 2)
        await turns.stop()
        await live.close()
        live, ada, turns = await opened(file.parent, [], SECONDS)
        failing = await until(live, before, lambda now: now.bot_trouble is not None)
        assert failing.bot_trouble is not None
        assert failing.bot_trouble.what == "it may not play here"
        await turns.stop()
        await live.close()

    asyncio.run(asyncio.wait_for(main(), SECONDS))


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["{file}:nobody"], "has no 'nobody'"),
        (["nobody"], "there is no bot 'nobody'"),
        (["{file}:last", "{file}:last"], r"two bots are called mine\.py:last"),
    ],
)
def test_a_list_with_a_mistake_is_refused(file: Path, names: list[str], says: str) -> None:
    with pytest.raises(UnknownBot, match=f"^--bot: .*{says}"):
        asyncio.run(external_bots.load_external_bots([name.format(file=file) for name in names]))
