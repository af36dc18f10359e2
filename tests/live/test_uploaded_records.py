"""Games that visitors bring along: kept once, as many as there is room for, in nobody's list."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import spieltisch
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.record import Record, RecordedMove
from spieltisch.live import Live
from spieltisch.live.records import MAX_UPLOADED, finished
from spieltisch.store.lobby import public_tables
from spieltisch.tables import TableRefusal


def played(key: str, seed: int) -> Record:
    """A game of random moves, to its end."""
    position, chance, plays = spieltisch.game(key).start(3, seed=seed), Rng(seed), []
    while position.seat is not None:
        legal = position.legal_moves
        done = position.play(legal[randbelow(chance, len(legal))])
        plays.append(RecordedMove(done.seat, done.move.text, done.drew))
    return Record.of(position, plays, seed=seed)


def run(path: Path, job: Callable[[Live], Awaitable[None]]) -> None:
    async def main() -> None:
        live = await Live.open(path / "house.sqlite3")
        try:
            await job(live)
        finally:
            await live.close()

    asyncio.run(main())


def test_the_newest_pushes_out_the_oldest(tmp_path: Path, toy: str) -> None:
    texts = [played(toy, seed).text for seed in range(MAX_UPLOADED + 2)]

    async def job(live: Live) -> None:
        ids = [await live.uploads.add(text, "somewhere") for text in texts]
        assert await live.uploads.add(texts[-1], "elsewhere") == ids[-1]
        kept = set(await live.store.uploaded_tables())
        assert kept == set(ids[2:])
        assert (await live.tables.get(ids[-1])).status == "finished"
        with pytest.raises(TableRefusal, match="This table doesn’t exist"):
            await live.tables.get(ids[0])
        assert (await public_tables(live.store)).imported == ()
        assert await finished(live.store) == ()  # neither exported with the house's games nor in its history

    run(tmp_path, job)


def test_what_cannot_be_read_is_said_and_nothing_is_kept(tmp_path: Path, toy: str) -> None:
    good = played(toy, 1)
    unfinished = Record.of(spieltisch.game(toy).start(3, seed=1), [], seed=1)

    async def job(live: Live) -> None:
        for text, why in (
            ("", "line 1"),
            (good.text.replace(good.game, "chess"), "chess"),
            (good.text.replace(good.components_digest, "0" * 64), "custom components"),
            (unfinished.text, "not over"),
        ):
            with pytest.raises(TableRefusal, match=why) as caught:
                await live.uploads.add(text)
            assert caught.value.code == "record"
        assert await live.store.uploaded_tables() == ()

    run(tmp_path, job)
