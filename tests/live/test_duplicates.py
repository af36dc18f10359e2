"""Check duplicate games: equal deals, seats, what is hidden until when, and the comparison of tables."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from spieltisch import game, tables
from spieltisch.core.words import Words, message
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.limits import Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.records import export, import_game
from spieltisch.store import Person, Store
from spieltisch.tables import NewTable, Table
from spieltisch.tables.events import Frozen, RecordedEvent, Revealed
from spieltisch.web.pages.duplicates import compare
from tests.live import running_bots
from tests.live.live_fixture import ENDING, play, to_the_end
from tests.live.running_bots import until
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases

PLAN = NewTable("paris-connection", ("me", "bot:random", "bot:easy"), ENDING)


async def dealt(live: Live, host: Person, *other_people: Person, plan: NewTable = PLAN) -> tuple[Table, ...]:
    """Let the host open a deal, with one other person at each further table."""
    duplicate = await live.tables.open_duplicate(host, plan, len(other_people) + 1)
    first, *other_duplicates = await live.tables.duplicate_tables(duplicate)
    sat = [
        await live.tables.sit(table.id, other, None, by_link=True)
        for table, other in zip(other_duplicates, other_people, strict=True)
    ]
    return await live.tables.get(first.id), *sat


def lines(table: Table) -> list[tuple[int, str, Sequence[str]]]:
    return [(move.seat, move.move, move.drew) for move in table.moves]


@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions"])
def test_tables_of_one_deal_begin_alike_and_bots_repeat_their_moves_while_people_play_alike(
    tmp_path: Path, key: str
) -> None:
    plan = NewTable(key, ("me", "bot:random", "bot:beginner"))

    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        people = [ada, *[(await live.people.create(name))[0] for name in ("Ben", "Cleo")]]
        tables_dealt = await dealt(live, *people, plan=plan)
        assert len({table.commitment for table in tables_dealt}) == 1
        assert len({table.position_at(0).digest() for table in tables_dealt}) == 1
        assert len({table.names[1:] for table in tables_dealt}) == 1
        for own_deal in range(6):  # at the last table the person plays otherwise, from the fourth own decision on
            for number, person in enumerate(people):
                now = await until(live, tables_dealt[number], lambda now: now.to_decide == 0 or now.is_over)
                assert now.position is not None
                text = str(now.position.legal_moves[-1 if number == 2 and own_deal > 2 else 0])
                await live.tables.run(now.id, tables.play, person.id, text, now.version)
        first, second, third = [
            lines(await until(live, table_id, lambda now: now.to_decide == 0)) for table_id in tables_dealt
        ]
        assert first == second
        assert first != third
        assert (
            first[: (differs := [a == b for a, b in zip(first, third, strict=False)].index(False))] == third[:differs]
        )
        assert first[differs][0] == 0, "a person differs first"

    running_bots.play(tmp_path, job)


def test_a_person_can_play_a_deal_only_once(tmp_path: Path) -> None:
    plan = NewTable("paris-connection", ("me", "here:Bo", "open"))

    async def job(live: Live, ada: Person, ben: Person) -> None:
        duplicate = await live.tables.open_duplicate(ada, plan, 3)
        first, second, third = await live.tables.duplicate_tables(duplicate)
        assert [seat.kind for seat in second.seats] == ["link", "link", "open"]
        for table in (second, third):
            with refused("already-in-duplicate"):
                await live.tables.sit(table.id, ada, None, by_link=True)
        # Before a game begins there is nothing to know, and who gets up may sit elsewhere.
        await live.tables.sit(second.id, ben, 2)
        await live.tables.run(second.id, tables.leave, ben.id)
        sit_calls = (live.tables.sit(table.id, ben, 2) for table in (second, third))
        outcomes = await asyncio.gather(*sit_calls, return_exceptions=True)
        assert sorted(isinstance(result, Table) for result in outcomes) == [False, True], "not at two at once"
        seated_table = next(result for result in outcomes if isinstance(result, Table))
        await live.tables.run(seated_table.id, tables.leave, ben.id)
        first = await live.tables.sit(first.id, ben, 2)
        assert first.status == "running"
        await live.tables.run(first.id, tables.leave, ben.id)
        for table in (second, third):  # they have seen the duplicate
            with refused("already-in-duplicate"):
                await live.tables.require_can_sit(table, ben, 2)
            with refused("already-in-duplicate"):
                await live.tables.sit(table.id, ben, 2)
        await live.tables.sit(first.id, ben, 2, by_link=True)

    play(tmp_path, job)


def expect_hidden_table(table: Table, person: Person, other_person: Person) -> None:
    """Check that others see nothing of the table, and that its player sees no more than during the game."""
    assert table.is_withheld
    assert table.secret is None
    assert table.score_history is None
    for stranger in (other_person.id, None):
        with refused("withheld"):
            tables.seat_of_viewer(table, stranger)
    assert tables.seat_of_viewer(table, person.id) == 0
    if table.is_over:
        with refused("withheld"):
            table.record(0)
        if table.status == "finished":  # nor after an update that froze it, so that it is not over
            frozen = RecordedEvent(table.version + 1, table.changed_at, Frozen(version=1, message=message("Changed")))
            with refused("withheld"):
                tables.apply(table, [frozen]).record(0)
        with refused("withheld"):
            tables.what_if_from(table, 0, 0, 1)


def test_a_table_of_a_deal_is_hidden_until_all_its_tables_are_over(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        first, second = await dealt(live, ada, ben)
        expect_hidden_table(first, ada, ben)
        expect_hidden_table(second, ben, ada)  # its host is Ada
        assert first._secret.hex() not in first.record(0).text
        first = await to_the_end(live, first)
        expect_hidden_table(first, ada, ben)
        with refused("withheld"):
            await live.analysis.start(first, "")
        assert first.summary().winners
        assert second.summary().is_hidden_duplicate(ada.id)
        assert not first.summary().is_hidden_duplicate(ada.id)
        exported_data = await live.person_data.export(ada)
        assert first._secret.hex().encode() not in exported_data
        await to_the_end(live, second, picked=1)
        await live.tables.reveal_duplicate(first.summary().duplicate)
        for table in (first, second):
            now = await live.tables.get(table.id)
            assert now.is_revealed
            assert now.matches_commitment
            assert sum(isinstance(recorded_event.event, Revealed) for recorded_event in now.events) == 1
            now.record(None).verify()
            assert tables.seat_of_viewer(now, None) is None
            await live.analysis.stored(now)

    play(tmp_path, job)


def test_an_aborted_or_closed_table_of_a_deal_counts_as_over(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        duplicate = await live.tables.open_duplicate(ada, PLAN, 3)
        first, second, third = await live.tables.duplicate_tables(duplicate)
        second = await live.tables.sit(second.id, ben, None, by_link=True)
        await live.tables.run(second.id, tables.ask_abort, ben.id)
        await to_the_end(live, first)
        await live.tables.reveal_duplicate(duplicate)
        second = await live.tables.get(second.id)
        expect_hidden_table(second, ben, ada)
        await live.tables.run(third.id, tables.ask_abort, ada.id)
        await live.tables.reveal_duplicate(duplicate)
        assert all(table.is_revealed for table in await live.tables.duplicate_tables(duplicate))
        results = await live.game_history.of_tables(await live.tables.duplicate_tables(duplicate))
        assert list(results) == [first.id]

    play(tmp_path, job)


def test_a_restart_does_not_reveal_tables_of_a_running_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids: list[str] = []

    async def fail_to_reveal(tables: LiveTables, duplicate: str) -> None:
        """Do nothing, as if the machine had stopped between the last move and the reveal of the deal."""

    async def first(live: Live, ada: Person, ben: Person) -> None:
        first_table, second_table = await dealt(live, ada, ben)
        await to_the_end(live, first_table)
        ids.extend((first_table.id, second_table.id))

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        first_table, second_table = [await live.tables.get(table_id) for table_id in ids]
        assert first_table.is_over
        assert first_table.is_withheld
        assert first_table.secret is None
        with monkeypatch.context() as patch:
            patch.setattr(LiveTables, "_reveal", fail_to_reveal)
            second_table = await to_the_end(live, second_table)
        assert second_table.is_withheld

    async def third(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        assert [(await live.tables.get(table_id)).is_revealed for table_id in ids] == [True, True]
        assert await live.store.finished_duplicates() == ()

    for job in (first, second, third):
        play(tmp_path, job)


def test_the_comparison_of_a_deal_matches_the_results_of_its_tables(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        first, second = await dealt(live, ada, ben)
        # The last moves bring points in every deal, the first ones do not.
        final_tables = [await to_the_end(live, first, picked=-1), await to_the_end(live, second)]
        results = await live.game_history.of_tables(final_tables)
        seats = compare(final_tables, results, Words("en", first.game.folder / "locale"))
        assert [seat.seat for seat in seats] == [0, 1, 2]
        for seat in seats:
            points = [table.position.scores[seat.seat] for table in final_tables if table.position is not None]
            assert seat.mean == round(sum(points) / 2, 1)
            assert [column.player.points for column in seat.columns] == points
            assert [column.difference for column in seat.columns] == [
                round(value - sum(points) / 2, 1) for value in points
            ]
            assert [column.is_best for column in seat.columns] == [value == max(points) for value in points]
            places = [results[table.id].players[seat.seat].place for table in final_tables]
            assert [column.player.place for column in seat.columns] == places
            for number in range(2):
                assert sum(source["bars"][number]["amount"] for source in seat.sources) == points[number]
            for source in seat.sources:
                assert sum(bar["against"] for bar in source["bars"]) == pytest.approx(0)
        assert {column.player.points for seat in seats for column in seat.columns} != {0}
        assert len({column.player.points for seat in seats for column in seat.columns}) > 1

    play(tmp_path, job)


def test_every_table_of_a_deal_counts_in_the_quota(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        with refused("too-many-tables"):
            await live.tables.open_duplicate(ada, PLAN, 4)
        assert await live.store.tables() == ()
        await live.tables.open_duplicate(ada, PLAN, 3)

    play(tmp_path, job, limits=Limits(tables_per_host=3))


def test_records_of_tables_of_one_deal_are_imported_as_two_games(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        first, second = await dealt(live, ada, ben)
        await to_the_end(live, first)
        (tmp_path / "early").mkdir()
        assert [
            file
            for _, file, _ in [
                exported_record async for exported_record in export(live.store, game, tmp_path / "early")
            ]
        ] == [None]
        await to_the_end(live, second, picked=1)
        await live.tables.reveal_duplicate(first.summary().duplicate)
        records = [(await live.tables.get(table.id)).record(None) for table in (first, second)]
        other_store = await Store.open(tmp_path / "elsewhere.sqlite3")
        imported_games = [await import_game(other_store, game, record, None, 1.0) for record in records]
        assert len(set(imported_games)) == 2
        for record in records:
            with pytest.raises(Exception, match="this game is there already"):
                await import_game(other_store, game, record, None, 1.0)
        await other_store.close()

    play(tmp_path, job)
