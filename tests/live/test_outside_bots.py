"""Check bots from outside that the host has listed."""

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
from tests.live.running_bots import SECONDS, until
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
def bot_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(CODE, encoding="utf-8")
    return path


async def opened(path: Path, names: Sequence[str], patience: float) -> tuple[Live, Person, BotTurns]:
    live = await Live.open(path / "house.sqlite3", outside=await external_bots.load_external_bots(names))
    ada, _ = await live.people.create("Ada")
    turns = BotTurns(live, pace=0, first_pause=0.02, seconds_to_think=patience)
    await live.start(turns.running())
    return live, ada, turns


def test_a_listed_bot_plays_in_a_worker(bot_file: Path) -> None:
    async def main() -> None:
        live, ada, turns = await opened(bot_file.parent, [f"{bot_file}:last"], SECONDS)
        with refused("bot"):
            await live.tables.open(
                ada, NewTable("paris-connection", ("bot:mine.py:raises", "bot:random", "bot:random"))
            )
        table = await live.tables.open(ada, NewTable("paris-connection", ("bot:mine.py:last", "bot:random", "open")))
        with refused("bot"):
            await live.tables.run(table.id, tables.replace_with_bot, ada.id, 2, "mine.py:raises", live.tables.bots)
        await live.tables.run(table.id, tables.replace_with_bot, ada.id, 2, "mine.py:last", live.tables.bots)
        await until(live, table, lambda now: {play.seat for play in now.moves} == {0, 1, 2})
        assert int(bot_file.with_name("who").read_text()) in turns.workers.processes
        assert str(os.getpid()) != bot_file.with_name("who").read_text()
        await live.close()

    asyncio.run(asyncio.wait_for(main(), SECONDS))


@pytest.mark.parametrize(
    ("bot", "failure", "patience"),
    [
        ("raises", "it raised ZeroDivisionError", SECONDS),
        ("dies", "its process died", SECONDS),
        ("nonsense", "it raised UnknownMove", SECONDS),
        ("hangs", "it took too long", 5.0),
    ],
)
def test_a_faulty_listed_bot_is_shown_and_can_be_replaced(
    bot_file: Path, bot: str, failure: str, patience: float
) -> None:
    async def main() -> None:
        live, ada, _ = await opened(bot_file.parent, [f"{bot_file}:{bot}"], patience)
        table = await live.tables.open(ada, NewTable("paris-connection", (f"bot:mine.py:{bot}",) * 3))
        failing = await until(live, table, lambda now: now.bot_trouble is not None)
        assert [event.event.reason for event in failing.events if isinstance(event.event, BotFailed)] == [failure]
        assert "a secret" not in repr(failing.events)
        assert failing.bot_trouble is not None
        await live.tables.run(
            table.id, tables.replace_with_bot, ada.id, failing.bot_trouble.seat, "random", live.tables.bots
        )
        await until(live, table, lambda now: len(now.moves) > 0)
        await live.close()

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def test_a_bot_removed_from_the_list_is_not_run(bot_file: Path) -> None:
    async def main() -> None:
        live, ada, _ = await opened(bot_file.parent, [f"{bot_file}:last"], SECONDS)
        table = await live.tables.open(ada, NewTable("paris-connection", ("bot:mine.py:last",) * 3))
        before = await until(live, table, lambda now: len(now.moves) >= 2)
        await live.close()
        live, ada, _ = await opened(bot_file.parent, [], SECONDS)
        failing = await until(live, before, lambda now: now.bot_trouble is not None)
        assert failing.bot_trouble is not None
        assert failing.bot_trouble.what == "it may not play here"
        await live.close()

    asyncio.run(asyncio.wait_for(main(), SECONDS))


@pytest.mark.parametrize(
    ("names", "expected_text"),
    [
        (["{file}:nobody"], "has no 'nobody'"),
        (["nobody"], "there is no bot 'nobody'"),
        (["{file}:last", "{file}:last"], r"two bots are called mine\.py:last"),
    ],
)
def test_a_list_of_bots_with_a_mistake_is_refused(bot_file: Path, names: list[str], expected_text: str) -> None:
    with pytest.raises(UnknownBot, match=f"^--bot: .*{expected_text}"):
        asyncio.run(external_bots.load_external_bots([name.format(file=bot_file) for name in names]))
