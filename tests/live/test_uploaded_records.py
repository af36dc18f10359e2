"""Check uploaded records, stored once up to a limit and never listed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

import spieltisch
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.record import Record, RecordedMove
from spieltisch.live import Live
from spieltisch.live.limits import UNLIMITED, Limits
from spieltisch.live.quotas import MAX_UPLOADED, Quotas
from spieltisch.live.records import finished
from spieltisch.store import Store
from spieltisch.store.lobby import public_tables
from spieltisch.store.uploads import Upload, all_uploads
from spieltisch.tables import TableRefusal

pytestmark = pytest.mark.both_databases


def played(key: str, seed: int) -> Record:
    """Return a game of random moves at its end."""
    position, chance, plays = spieltisch.game(key).start(3, seed=seed), Rng(seed), []
    while position.seat is not None:
        legal = position.legal_moves
        played_move = position.play(legal[randbelow(chance, len(legal))])
        plays.append(RecordedMove(played_move.seat, played_move.move.text, played_move.drew))
    return Record.of(position, plays, seed=seed)


def run(path: Path, job: Callable[[Live], Awaitable[None]], limits: Limits = UNLIMITED) -> None:
    async def main() -> None:
        live = await Live.open(path / "house.sqlite3", limits=limits)
        try:
            await job(live)
        finally:
            await live.close()

    asyncio.run(main())


async def ids_of(store: Store) -> set[str]:
    return {upload.table_id for upload in await all_uploads(store)}


def test_a_new_upload_over_the_limit_replaces_the_oldest_upload(
    tmp_path: Path, toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spieltisch.live.quotas.MAX_UPLOADED", 5)
    texts = [played(toy, seed).text for seed in range(7)]

    async def job(live: Live) -> None:
        ids = [await live.uploads.add(text, "somewhere") for text in texts]
        assert await live.uploads.add(texts[-1], "somewhere") == ids[-1]
        stored_uploads = await ids_of(live.store)
        assert stored_uploads == set(ids[2:])
        assert (await live.tables.get(ids[-1])).status == "finished"
        with pytest.raises(TableRefusal, match="no-table"):
            await live.tables.get(ids[0])
        assert (await public_tables(live.store)).imported.tables == ()
        assert await finished(live.store) == ()  # neither exported with the house's games nor in its history

    run(tmp_path, job)


def test_unreadable_uploads_are_refused_and_not_stored(tmp_path: Path, toy: str) -> None:
    good_record = played(toy, 1)
    unfinished = Record.of(spieltisch.game(toy).start(3, seed=1), [], seed=1)

    async def job(live: Live) -> None:
        for text, expected_reason in (
            ("", "line 1"),
            (good_record.text.replace(good_record.game, "chess"), "chess"),
            (good_record.text.replace(good_record.components_digest, "0" * 64), "custom components"),
            (unfinished.text, "not over"),
        ):
            with pytest.raises(TableRefusal, match=expected_reason) as error:
                await live.uploads.add(text)
            assert error.value.code == "record"
        assert await ids_of(live.store) == set()

    run(tmp_path, job)


def test_an_upload_over_the_limit_replaces_the_oldest_of_its_person_or_address(tmp_path: Path, toy: str) -> None:
    texts = iter([played(toy, seed).text for seed in range(9)])

    async def job(live: Live) -> None:
        ada, _ = await live.people.create("Ada")
        honest = await live.uploads.add(next(texts), "elsewhere")
        of_ada = [await live.uploads.add(next(texts), f"address {number}", ada.id) for number in range(3)]
        unnamed = [await live.uploads.add(next(texts), "somewhere") for _ in range(5)]
        assert await ids_of(live.store) == {honest, *of_ada[1:], *unnamed[2:]}
        assert {upload.person for upload in await all_uploads(live.store)} == {None, ada.id}

    run(tmp_path, job, Limits(uploaded_records=2, uploaded_records_per_address=3))


def test_who_uploads_the_same_record_does_not_come_to_the_table_of_another_uploader(tmp_path: Path, toy: str) -> None:
    text = played(toy, 1).text

    async def job(live: Live) -> None:
        people = [(await live.people.create(name))[0].id for name in ("Ada", "Ben")]
        uploaders = [*((address, person) for address in ("here", "there") for person in people), ("here", None)]
        ids = [await live.uploads.add(text, *uploader) for uploader in [*uploaders, ("there", None)]]
        assert ids[:2] == ids[2:4], "their own is there already"
        assert len({*ids}) == 4

    run(tmp_path, job)


def test_the_uploaded_games_of_a_removed_person_go_with_them(tmp_path: Path, toy: str) -> None:
    text = msgspec.structs.replace(played(toy, 1), players=("Żywia", "Ben", "Cid")).text
    other_text = played(toy, 2).text
    kept: set[str] = set()

    async def job(live: Live) -> None:
        zoe, ben = [(await live.people.create(name))[0] for name in ("Żywia", "Ben")]
        uploads = [await live.uploads.add(each, "here", zoe.id) for each in (text, other_text)]
        for table_id in uploads:
            assert (await live.tables.get(table_id)).status == "finished"
        kept.add(await live.uploads.add(other_text, "here", ben.id))
        await live.person_data.delete(zoe)
        assert await ids_of(live.store) == kept
        for table_id in uploads:
            with pytest.raises(TableRefusal, match="no-table"):
                await live.tables.get(table_id)

    async def job_after_restart(live: Live) -> None:
        assert await live.store.lost_events() == ()
        assert await ids_of(live.store) == kept

    run(tmp_path, job)
    assert "Żywia".encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    run(tmp_path, job_after_restart)


def surplus(uploads: list[Upload]) -> set[str]:
    return set(Quotas(None, Limits(), b"").surplus_uploads(uploads))  # type: ignore[arg-type]  # it reads no store


def test_many_uploads_of_five_addresses_displace_no_uploads_of_others() -> None:
    count = [
        Upload(f"{origin}-{number}", f"{origin}-{number}", bytes([origin]))
        for number in range(120)
        for origin in range(5)
    ]
    honest = [Upload(f"honest-{number}", "ada", b"ada") for number in range(3)]
    displaced_uploads = surplus([*count, *honest])
    assert not displaced_uploads & {upload.table_id for upload in honest}
    assert len(count) + len(honest) - len(displaced_uploads) == MAX_UPLOADED


def test_the_oldest_uploads_are_removed_first() -> None:
    before = [Upload(str(number), None, None) for number in range(MAX_UPLOADED)]
    assert surplus(before) == set()
    assert surplus([Upload("new", None, b"here"), *before]) == {before[-1].table_id}
