"""Check the results, totals and ratings read by the page "My games"."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import text

from spieltisch.store import Store, result_rows, results
from spieltisch.store.removal import remove_table
from spieltisch.tables import GameResult, ResultPlayer, SeatSummary, TableSummary
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import Ladder
from tests.store.counting import instructions
from tests.store.lease_process import engine_of
from tests.store.store_fixture import OVER, on_store

pytestmark = pytest.mark.both_databases

KIND = ("toy", 2)


def over(*people: str) -> TableSummary:
    return TableSummary("finished", tuple(SeatSummary("person", person, person) for person in people), winners=(0,))


def result(*people: str, at: float) -> GameResult:
    players = tuple(
        ResultPlayer("person", person, 9 - n, n + 1, person, sources=((1, 9 - n),)) for n, person in enumerate(people)
    )
    return GameResult("toy", at, players, True)


async def play(store: Store, name: str, count: int, *people: str, at: float = 1.0) -> list[str]:
    """Store games that these people have played to the end, with their results."""
    ids = [f"{name}-{number:04}" for number in range(count)]
    created_tables = (store.create(table, "toy", bytes(32), [(at, b"1")], over(*people)) for table in ids)
    await asyncio.gather(*created_tables)
    saved_results = (results.save(store, table, result(*people, at=at + number)) for number, table in enumerate(ids))
    await asyncio.gather(*saved_results)
    return ids


async def read_my_games(store: Store, person: str) -> None:
    """Read everything that the page needs when the person's totals are stored."""
    _, games, totals = await results.history(store, person, 0, 10)
    assert games
    assert totals is not None
    await results.ratings_of(store, person, [KIND])


@pytest.mark.sqlite_only
def test_only_the_requested_page_of_results_is_read(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        await play(store, "mine", 20, "ada", "ben")
        await results.totals_of(store, "ada")
        for _ in range(2):
            await read_my_games(store, "ada")
        before = await instructions(store, lambda: read_my_games(store, "ada"))
        await play(store, "more", 300, "ada", "ben", at=100.0)
        await play(store, "others", 300, "eve", "fay", at=500.0)
        assert await instructions(store, lambda: read_my_games(store, "ada")) == before
        reading = patch.object(results, "_of_person", wraps=results._of_person)
        with reading as read_statements, patch.object(Ladder, "add") as ladder_add:
            await read_my_games(store, "ada")
        assert (read_statements.call_count, ladder_add.call_count) == (1, 0), (
            "one page of results, and no rating is computed"
        )
        assert (await results.totals_of(store, "ada")).games == 320

    on_store(tmp_path, job)


@pytest.mark.sqlite_only
def test_looking_up_one_result_reads_no_other_results(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        (first, *_) = await play(store, "mine", 10, "ada", "ben")

        async def read_result() -> None:
            await results.uncounted(store, person="ada", table_id=first)
            await results.of_tables(store, [first])

        await read_result()
        before = await instructions(store, read_result)
        await play(store, "more", 200, "ada", "ben", at=100.0)
        assert await instructions(store, read_result) == before

    on_store(tmp_path, job)


def test_a_result_deleted_by_hand_is_reported_as_missing(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        first, *_ = await play(store, "mine", 3, "ada", "ben")
        await results.totals_of(store, "ada")
        await read_my_games(store, "ada")
        by_hand = text("DELETE FROM results WHERE table_id = :first").bindparams(first=first)
        await store.write(lambda connection: connection.execute(by_hand))
        await results.repair(store)
        assert await results.uncounted(store) == (first,)
        assert (await results.totals_of(store, "ada")).games == 2
        await results.save(store, first, result("ada", "ben", at=1.0))
        assert await results.uncounted(store) == ()
        assert (await results.totals_of(store, "ada")).games == 3

    on_store(tmp_path, job)


def test_ratings_are_kept_over_a_restart_without_recounting(tmp_path: Path) -> None:
    ratings = []

    async def before(store: Store) -> None:
        await play(store, "mine", 5, "ada", "ben")
        ratings.extend(await results.ratings_of(store, "ada", [KIND]))

    async def after(store: Store) -> None:
        with patch.object(Ladder, "add") as ladder_add:
            assert await results.ratings_of(store, "ada", [KIND]) == ratings
        assert ladder_add.call_count == 0
        await play(store, "later", 3, "ben", "ada", at=50.0)
        rebuilt_ladder = Ladder(await results.of_game(store, *KIND))
        assert await results.ratings_of(store, "ada", [KIND]) == [rebuilt_ladder.rating("ada")]

    on_store(tmp_path, before)
    on_store(tmp_path, after)


def test_a_rating_ladder_is_stored_in_parts_unless_a_game_was_added_meanwhile(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        people = [f"p{number}" for number in range(5)]
        for number, person in enumerate(people[1:]):
            await play(store, person, 2, people[0], person, at=10.0 * number)

        async def add_meanwhile(compute: Callable[[], Ladder], games: int) -> Ladder:
            ladder = await results.in_thread(compute, games)
            assert games == 8
            await play(store, "added", 1, *people[:2], at=99.0)
            return ladder

        with patch.object(results, "RATINGS_PER_WRITE", 2):
            await results.build_ladder(store, KIND, add_meanwhile)
            assert await results.missing_ladders(store) == [KIND], "it lacks a game"
            before = store.commits
            await results.build_ladder(store, KIND)
            assert store.commits - before == 4, "three pieces and the last game"
        assert await results.missing_ladders(store) == []
        rebuilt_ladder = Ladder(await results.of_game(store, *KIND))
        with patch.object(Ladder, "add") as ladder_add:
            for person in people:
                assert await results.ratings_of(store, person, [KIND]) == [rebuilt_ladder.rating(person)]
        assert ladder_add.call_count == 0

    on_store(tmp_path, job)


def test_uncounted_results_appear_in_no_list_total_or_rating(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        removed_game, frozen_game, replaced_game, late_game, *_ = await play(store, "mine", 6, "ada", "ben")
        await results.totals_of(store, "ada")
        await read_my_games(store, "ada")
        await remove_table(store, removed_game)
        frozen_summary = TableSummary("frozen", OVER.seats)
        await store.append(frozen_game, 1, [(99.0, b"2")], frozen_summary)
        await results.save(store, replaced_game, result("ben", "ada", at=3.0))
        await results.drop(store, late_game)
        assert await results.uncounted(store, person="ada") == (late_game,)
        person_games = await results.of_person(store, "ada")
        assert len(person_games) == 3
        totals = PersonTotals()
        for _, kept_result in person_games:
            totals.add("ada", kept_result)
        assert await results.totals_of(store, "ada") == totals
        anew = Ladder(person_games)
        assert await results.ratings_of(store, "ada", [KIND]) == [anew.rating("ada")]
        await results.save(store, late_game, result("ada", "ben", at=4.0))
        again = Ladder(await results.of_game(store, *KIND))
        assert await results.ratings_of(store, "ben", [KIND]) == [again.rating("ben")], "it came before the last"

    on_store(tmp_path, job)


def test_results_stored_concurrently_by_several_processes_are_all_counted(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        ids = [f"t{number}" for number in range(30)]
        await play(store, "earlier", 2, "ada", "ben")
        await results.totals_of(store, "ada")
        await asyncio.gather(
            *(store.create(table, "toy", bytes(32), [(9.0, b"1")], over("ada", "ben")) for table in ids)
        )

        def add(own_names: list[str]) -> None:
            engine = engine_of(store.database.writing.url)
            for table in own_names:
                with engine.begin() as connection:
                    result_rows.add_result(connection, table, result("ada", "ben", at=10.0))
            engine.dispose()

        await asyncio.gather(*(asyncio.to_thread(add, ids[number::3]) for number in range(3)))
        assert (await results.totals_of(store, "ada")).games == 32

    on_store(tmp_path, job)
