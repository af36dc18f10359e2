"""The same deal at several tables: what is the same, who may sit where, what is kept back until when, and how tables
compare.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from spieltisch import game, tables
from spieltisch.core.words import Words
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.limits import Limits
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.records import export, import_game
from spieltisch.store import Person, Store
from spieltisch.tables import NewTable, Table
from spieltisch.tables.events import Revealed
from spieltisch.web.pages.duplicates import compare
from tests.live import test_bot_turns
from tests.live.live_fixture import ENDING, play
from tests.live.test_bot_turns import until
from tests.tables.harness import refused

PLAN = NewTable("paris-connection", ("me", "bot:random", "bot:easy"), ENDING)


async def dealt(live: Live, host: Person, *others: Person, plan: NewTable = PLAN) -> tuple[Table, ...]:
    """The host's deal, with the others at the other tables, one at each."""
    deal = await live.tables.open_duplicate(host, plan, len(others) + 1)
    first, *rest = await live.tables.duplicate_tables(deal)
    sat = [
        await live.tables.sit(table.id, other, None, by_link=True) for table, other in zip(rest, others, strict=True)
    ]
    return await live.tables.get(first.id), *sat


async def to_the_end(live: Live, table: Table, picked: int = 0) -> Table:
    """Play the first legal move, or a later one, for every seat until the end."""
    while table.status == "running":
        assert table.position is not None
        moves = list(table.position.legal_moves)
        turn, text = table.bot_to_move(), str(moves[min(picked, len(moves) - 1)])
        if turn is not None:
            table = await live.tables.run(table.id, tables.play_bot_move, turn, text)
        else:
            seat = table.to_decide or 0
            table = await live.tables.run(table.id, tables.play, table.seats[seat].person, text, table.version)
    return table


def lines(table: Table) -> list[tuple[int, str, Sequence[str]]]:
    return [(move.seat, move.move, move.drew) for move in table.moves]


@pytest.mark.parametrize("key", ["paris-connection", "era-of-inventions"])
def test_the_tables_begin_with_the_same_position_and_bots_play_the_same_while_people_do(
    tmp_path: Path, key: str
) -> None:
    plan = NewTable(key, ("me", "bot:random", "bot:beginner"))

    async def job(live: Live, ada: Person, turns: BotTurns) -> None:
        people = [ada, *[(await live.people.create(name))[0] for name in ("Ben", "Cleo")]]
        tables_dealt = await dealt(live, *people, plan=plan)
        assert len({table.commitment for table in tables_dealt}) == 1
        assert len({table.position_at(0).digest() for table in tables_dealt}) == 1
        assert len({table.names[1:] for table in tables_dealt}) == 1
        for own in range(6):  # at the last table the person plays otherwise, from the fourth own decision on
            for number, person in enumerate(people):
                now = await until(live, tables_dealt[number], lambda now: now.to_decide == 0 or now.is_over)
                assert now.position is not None
                text = str(now.position.legal_moves[-1 if number == 2 and own > 2 else 0])
                await live.tables.run(now.id, tables.play, person.id, text, now.version)
        first, second, third = [lines(await until(live, each, lambda now: now.to_decide == 0)) for each in tables_dealt]
        assert first == second
        assert first != third
        assert (
            first[: (differs := [a == b for a, b in zip(first, third, strict=False)].index(False))] == third[:differs]
        )
        assert first[differs][0] == 0, "a person differs first"

    test_bot_turns.play(tmp_path, job)


def test_a_person_plays_a_deal_once(tmp_path: Path) -> None:
    plan = NewTable("paris-connection", ("me", "here:Bo", "open"))

    async def job(live: Live, ada: Person, ben: Person) -> None:
        deal = await live.tables.open_duplicate(ada, plan, 3)
        first, second, third = await live.tables.duplicate_tables(deal)
        assert [seat.kind for seat in second.seats] == ["link", "link", "open"]
        for table in (second, third):
            with refused("already-in-duplicate"):
                await live.tables.sit(table.id, ada, None, by_link=True)
        # Before a game begins there is nothing to know, and who gets up may sit elsewhere.
        await live.tables.sit(second.id, ben, 2)
        await live.tables.run(second.id, tables.leave, ben.id)
        sits = (live.tables.sit(table.id, ben, 2) for table in (second, third))
        both = await asyncio.gather(*sits, return_exceptions=True)
        assert sorted(isinstance(result, Table) for result in both) == [False, True], "not at two at once"
        taken = next(result for result in both if isinstance(result, Table))
        await live.tables.run(taken.id, tables.leave, ben.id)
        first = await live.tables.sit(first.id, ben, 2)
        assert first.status == "running"
        await live.tables.run(first.id, tables.leave, ben.id)
        for table in (second, third):  # they have seen the deal
            with refused("already-in-duplicate"):
                await live.tables.require_can_sit(table, ben, 2)
            with refused("already-in-duplicate"):
                await live.tables.sit(table.id, ben, 2)
        await live.tables.sit(first.id, ben, 2, by_link=True)

    play(tmp_path, job)


def closed(table: Table, person: Person, other: Person) -> None:
    """Check that others see nothing of the table, and its own player no more than while they played."""
    assert table.is_withheld
    assert table.secret is None
    assert table.score_history is None
    for stranger in (other.id, None):
        with refused("withheld"):
            tables.seat_of_viewer(table, stranger)
    assert tables.seat_of_viewer(table, person.id) == 0
    if table.is_over:
        with refused("withheld"):
            table.record(0)
        with refused("withheld"):
            tables.what_if_from(table, 0, 0, 1)


def test_everything_is_kept_back_until_all_tables_are_over(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        first, second = await dealt(live, ada, ben)
        closed(first, ada, ben)
        closed(second, ben, ada)  # its host is Ada
        assert first._secret.hex() not in first.record(0).text
        first = await to_the_end(live, first)
        closed(first, ada, ben)
        with refused("withheld"):
            await live.analysis.start(first, "")
        assert first.summary().winners
        assert second.summary().is_hidden_duplicate(ada.id)
        assert not first.summary().is_hidden_duplicate(ada.id)
        exported = await live.person_data.export(ada)
        assert first._secret.hex().encode() not in exported
        await to_the_end(live, second, picked=1)
        await live.tables.reveal_duplicate(first.summary().duplicate)
        for table in (first, second):
            now = await live.tables.get(table.id)
            assert now.is_revealed
            assert now.matches_commitment
            assert sum(isinstance(each.event, Revealed) for each in now.events) == 1
            now.record(None).verify()
            assert tables.seat_of_viewer(now, None) is None
            await live.analysis.stored(now)

    play(tmp_path, job)


def test_a_table_that_is_broken_off_or_never_begun_counts_as_over(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        deal = await live.tables.open_duplicate(ada, PLAN, 3)
        first, second, third = await live.tables.duplicate_tables(deal)
        second = await live.tables.sit(second.id, ben, None, by_link=True)
        await live.tables.run(second.id, tables.ask_abort, ben.id)
        await to_the_end(live, first)
        await live.tables.reveal_duplicate(deal)
        second = await live.tables.get(second.id)
        closed(second, ben, ada)
        await live.tables.run(third.id, tables.ask_abort, ada.id)
        await live.tables.reveal_duplicate(deal)
        assert all(table.is_revealed for table in await live.tables.duplicate_tables(deal))
        results = await live.game_history.of_tables(await live.tables.duplicate_tables(deal))
        assert list(results) == [first.id]

    play(tmp_path, job)


def test_a_restart_in_the_middle_keeps_back_and_one_at_the_end_lays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids: list[str] = []

    async def never(tables: LiveTables, deal: str) -> None:
        """As if the machine had stopped between the last move and what follows from it."""

    async def first(live: Live, ada: Person, ben: Person) -> None:
        first_table, second_table = await dealt(live, ada, ben)
        await to_the_end(live, first_table)
        ids.extend((first_table.id, second_table.id))

    async def second(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        first_table, second_table = [await live.tables.get(each) for each in ids]
        assert first_table.is_over
        assert first_table.is_withheld
        assert first_table.secret is None
        with monkeypatch.context() as patch:
            patch.setattr(LiveTables, "_reveal", never)
            second_table = await to_the_end(live, second_table)
        assert second_table.is_withheld

    async def third(live: Live, ada: Person, ben: Person) -> None:
        await live.tables.replaying
        assert [(await live.tables.get(each)).is_revealed for each in ids] == [True, True]
        assert await live.store.finished_duplicates() == ()

    for job in (first, second, third):
        play(tmp_path, job)


def test_the_comparison_is_that_of_the_results(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        first, second = await dealt(live, ada, ben)
        ended = [await to_the_end(live, first), await to_the_end(live, second, picked=2)]
        results = await live.game_history.of_tables(ended)
        seats = compare(ended, results, Words("en", first.game.folder / "locale"))
        assert [seat.seat for seat in seats] == [0, 1, 2]
        for seat in seats:
            points = [table.position.scores[seat.seat] for table in ended if table.position is not None]
            assert seat.mean == round(sum(points) / 2, 1)
            assert [column.player.points for column in seat.columns] == points
            assert [column.difference for column in seat.columns] == [
                round(each - sum(points) / 2, 1) for each in points
            ]
            assert [column.is_best for column in seat.columns] == [each == max(points) for each in points]
            places = [results[table.id].players[seat.seat].place for table in ended]
            assert [column.player.place for column in seat.columns] == places
            for number in range(2):
                assert sum(source["bars"][number]["amount"] for source in seat.sources) == points[number]
            for source in seat.sources:
                assert sum(each["against"] for each in source["bars"]) == pytest.approx(0)
        assert {column.player.points for seat in seats for column in seat.columns} != {0}
        assert len({column.player.points for seat in seats for column in seat.columns}) > 1

    play(tmp_path, job)


def test_a_deal_counts_as_so_many_tables(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        with refused("too-many-tables"):
            await live.tables.open_duplicate(ada, PLAN, 4)
        assert await live.store.tables() == ()
        await live.tables.open_duplicate(ada, PLAN, 3)

    play(tmp_path, job, limits=Limits(tables_per_host=3))


def test_records_of_one_deal_are_two_games_elsewhere(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        first, second = await dealt(live, ada, ben)
        await to_the_end(live, first)
        (tmp_path / "early").mkdir()
        assert [
            file for _, file, _ in [exported async for exported in export(live.store, game, tmp_path / "early")]
        ] == [None]
        await to_the_end(live, second, picked=1)
        await live.tables.reveal_duplicate(first.summary().duplicate)
        records = [(await live.tables.get(table.id)).record(None) for table in (first, second)]
        elsewhere = await Store.open(tmp_path / "elsewhere.sqlite3")
        taken = [await import_game(elsewhere, game, record, None, 1.0) for record in records]
        assert len(set(taken)) == 2
        for record in records:
            with pytest.raises(Exception, match="this game is there already"):
                await import_game(elsewhere, game, record, None, 1.0)
        await elsewhere.close()

    play(tmp_path, job)
