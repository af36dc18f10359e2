"""The page "My games" reads one page of results, totals, and ratings that are kept with the last game they count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from sqlalchemy import text

from spieltisch.store import Store, results
from spieltisch.store.removal import remove_table
from spieltisch.tables import GameResult, ResultPlayer, SeatSummary, TableSummary
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import Ladder
from tests.store.counting import instructions
from tests.store.test_lobby import OVER, on_store

KIND = ("toy", 2)


def over(*people: str) -> TableSummary:
    return TableSummary("finished", tuple(SeatSummary("person", person, person) for person in people), winners=(0,))


def result(*people: str, at: float) -> GameResult:
    players = tuple(
        ResultPlayer("person", person, 9 - n, n + 1, person, sources=((1, 9 - n),)) for n, person in enumerate(people)
    )
    return GameResult("toy", at, players, True)


async def play(store: Store, name: str, count: int, *people: str, at: float = 1.0) -> list[str]:
    """Games that these people have played to the end, with their results."""
    ids = [f"{name}-{number:04}" for number in range(count)]
    opened = (store.create(table, "toy", bytes(32), [(at, b"1")], over(*people)) for table in ids)
    await asyncio.gather(*opened)
    saved = (results.save(store, table, result(*people, at=at + number)) for number, table in enumerate(ids))
    await asyncio.gather(*saved)
    return ids


async def my_games(store: Store, person: str) -> None:
    """Read everything that the page needs when the person's totals are stored."""
    _, games, totals = await results.history(store, person, 0, 10)
    assert games
    assert totals is not None
    await results.ratings_of(store, person, [KIND])


def test_only_what_is_shown_is_read(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        await play(store, "mine", 20, "ada", "ben")
        await results.totals_of(store, "ada")
        for _ in range(2):
            await my_games(store, "ada")
        before = await instructions(store, lambda: my_games(store, "ada"))
        await play(store, "more", 300, "ada", "ben", at=100.0)
        await play(store, "others", 300, "eve", "fay", at=500.0)
        assert await instructions(store, lambda: my_games(store, "ada")) == before
        reading = patch.object(results, "_of_person", wraps=results._of_person)
        with reading as read, patch.object(Ladder, "add") as added:
            await my_games(store, "ada")
        assert (read.call_count, added.call_count) == (1, 0), "one page of results, and no rating is computed"
        assert (await results.totals_of(store, "ada")).games == 320

    on_store(tmp_path, job)


def test_a_game_is_read_alone(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        (first, *_) = await play(store, "mine", 10, "ada", "ben")

        async def ask() -> None:
            await results.uncounted(store, person="ada", table_id=first)
            await results.of_tables(store, [first])

        await ask()
        before = await instructions(store, ask)
        await play(store, "more", 200, "ada", "ben", at=100.0)
        assert await instructions(store, ask) == before

    on_store(tmp_path, job)


def test_a_result_deleted_by_hand_is_missed(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        first, *_ = await play(store, "mine", 3, "ada", "ben")
        await results.totals_of(store, "ada")
        await my_games(store, "ada")
        by_hand = text("DELETE FROM results WHERE table_id = :first").bindparams(first=first)
        await store.write(lambda connection: connection.execute(by_hand))
        await results.repair(store)
        assert await results.uncounted(store) == (first,)
        assert (await results.totals_of(store, "ada")).games == 2
        await results.save(store, first, result("ada", "ben", at=1.0))
        assert await results.uncounted(store) == ()
        assert (await results.totals_of(store, "ada")).games == 3

    on_store(tmp_path, job)


def test_ratings_are_still_there_after_a_start(tmp_path: Path) -> None:
    ratings = []

    async def before(store: Store) -> None:
        await play(store, "mine", 5, "ada", "ben")
        ratings.extend(await results.ratings_of(store, "ada", [KIND]))

    async def after(store: Store) -> None:
        with patch.object(Ladder, "add") as added:
            assert await results.ratings_of(store, "ada", [KIND]) == ratings
        assert added.call_count == 0
        await play(store, "later", 3, "ben", "ada", at=50.0)
        anew = Ladder(await results.of_game(store, *KIND))
        assert await results.ratings_of(store, "ada", [KIND]) == [anew.rating("ada")]

    on_store(tmp_path, before)
    on_store(tmp_path, after)


def test_a_ladder_is_stored_in_pieces_and_counts_if_no_game_was_added_meanwhile(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        people = [f"p{number}" for number in range(5)]
        for number, person in enumerate(people[1:]):
            await play(store, person, 2, people[0], person, at=10.0 * number)

        async def meanwhile(compute: Callable[[], Ladder], games: int) -> Ladder:
            ladder = await results.in_thread(compute, games)
            assert games == 8
            await play(store, "added", 1, *people[:2], at=99.0)
            return ladder

        with patch.object(results, "RATINGS_PER_WRITE", 2):
            await results.build_ladder(store, KIND, meanwhile)
            assert await results.missing_ladders(store) == [KIND], "it lacks a game"
            before = store.commits
            await results.build_ladder(store, KIND)
            assert store.commits - before == 4, "three pieces and the last game"
        assert await results.missing_ladders(store) == []
        anew = Ladder(await results.of_game(store, *KIND))
        with patch.object(Ladder, "add") as added:
            for person in people:
                assert await results.ratings_of(store, person, [KIND]) == [anew.rating(person)]
        assert added.call_count == 0

    on_store(tmp_path, job)


def test_what_no_longer_counts_is_in_no_list_total_or_rating(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        removed, frozen, replaced, late, *_ = await play(store, "mine", 6, "ada", "ben")
        await results.totals_of(store, "ada")
        await my_games(store, "ada")
        await remove_table(store, removed)
        frozen_summary = TableSummary("frozen", OVER.seats)
        await store.append(frozen, 1, [(99.0, b"2")], frozen_summary)
        await results.save(store, replaced, result("ben", "ada", at=3.0))
        await results.drop(store, late)
        assert await results.uncounted(store, person="ada") == (late,)
        left = await results.of_person(store, "ada")
        assert len(left) == 3
        totals = PersonTotals()
        for _, kept_result in left:
            totals.add("ada", kept_result)
        assert await results.totals_of(store, "ada") == totals
        anew = Ladder(left)
        assert await results.ratings_of(store, "ada", [KIND]) == [anew.rating("ada")]
        await results.save(store, late, result("ada", "ben", at=4.0))
        again = Ladder(await results.of_game(store, *KIND))
        assert await results.ratings_of(store, "ben", [KIND]) == [again.rating("ben")], "it came before the last"

    on_store(tmp_path, job)
