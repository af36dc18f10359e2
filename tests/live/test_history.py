"""Check that results and ratings are the same counted game by game or all at once."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete

from spieltisch import tables
from spieltisch.core.game import Game
from spieltisch.features import FEATURES
from spieltisch.games import GAMES
from spieltisch.games import game as game_by_key
from spieltisch.live import Live, game_history, services
from spieltisch.live.person_removal import remove_person
from spieltisch.store import Person, results
from spieltisch.store.removal import remove_table
from spieltisch.store.schema import LADDERS
from spieltisch.tables import GameResult, NewTable, ResultPlayer, Table, game_result, permissions
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import START_RATING, Ladder, bot_ratings
from tests import toy_game
from tests.live.live_fixture import ENDING, play, running, to_the_end
from tests.tiers import examples

pytestmark = pytest.mark.both_databases

TOY = toy_game.Game()
PEOPLE = ("Ada", "Ben", "Cleo")


def toys(key: str) -> Game:
    return TOY


def result(*people: str, at: float = 1.0, places: tuple[int, ...] = (), rated: bool = True) -> GameResult:
    """Return the result of a game won by the first seat; names with a capital letter are bots."""
    order = places or tuple(range(1, len(people) + 1))
    players = [
        ResultPlayer(
            "bot" if player_name.istitle() else "person",
            player_name,
            10 - place,
            place,
            player_name * player_name.islower(),
            player_name.lower(),
        )
        for player_name, place in zip(people, order, strict=True)
    ]
    return GameResult("toy", at, tuple(players), rated)


def test_winners_gain_rating_and_ratings_of_bots_are_fixed() -> None:
    ladder = Ladder([("t1", result("ada", "Easy"))])
    better = ladder.rating("ada")
    assert better.points > 1500
    assert better.doubt < 333
    assert better.games == 1
    for number in range(60):
        assert ladder.add(f"t{number + 2}", result("ada", "Easy", at=2.0 + number))
    assert bot_ratings("toy")["easy"].rating < better.points < ladder.rating("ada").points
    worse = Ladder([("t1", result("Easy", "ada"))]).rating("ada")
    assert worse.points < 1500
    stronger = Ladder([("t1", result("ada", "Expert"))]).rating("ada")
    assert stronger.points > better.points, "who beats a stronger bot rises more"
    even_ladder = Ladder([("t1", result("ada", "ben", places=(1, 1)))])
    assert even_ladder.rating("ada") == even_ladder.rating("ben")


def test_unrated_games_and_games_older_than_counted_games_do_not_change_ratings() -> None:
    ladder = Ladder([("t1", result("ada", "Easy", rated=False)), ("t0", result("ada", "Odd"))])
    assert ladder.rating("ada").games == 0
    assert not ladder.add("t0", result("ada", "Easy", at=1.0))


def test_every_bot_has_a_rating_with_a_source() -> None:
    from spieltisch.bots import BOTS

    for game in (*GAMES, "toy"):
        assert set(bot_ratings(game)) == set(BOTS)
        assert bot_ratings(game)["easy"].rating == START_RATING
        sources = {rating.source.partition(":")[0] for rating in bot_ratings(game).values()}
        assert sources <= {"by definition", "measured", "estimated"}


def test_a_game_result_has_ranks_points_and_their_sources(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_end(live, await running(live, ada, ben))
        stored_result = game_result(table)
        assert stored_result is not None
        assert table.position is not None
        assert [player.points for player in stored_result.players] == table.position.scores
        assert [
            sum(amount for _, amount in player.sources) for player in stored_result.players
        ] == table.position.scores
        assert {n for n, player in enumerate(stored_result.players) if player.place == 1} == set(
            table.summary().winners
        )
        assert [player.bot for player in stored_result.players] == ["", "", "easy"]
        assert stored_result.is_rated
        assert table.setup is not None
        for player in stored_result.players:
            assert all(table.game.point_source_name(table.setup, number) is not None for number, _ in player.sources)
        past = await live.game_history.of(ada.id)
        assert (past.games, past.uncounted) == (((table.id, stored_result),), 0)
        assert past.totals.games == 1
        rematch = await live.tables.rematch(table.id, ada)
        assert (await live.game_history.of(ben.id)).games == ((table.id, stored_result),), f"{rematch.id} is not over"

    play(tmp_path, job)


def test_a_result_knows_the_record_against_bots_of_its_level(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_end(live, await running(live, ada, ben))
        among_people = await live.game_history.find_result(ada.id, table.id)
        assert among_people is not None
        assert await live.game_history.record_against(ada.id, among_people) is None
        for name, place, bot in (("won", 1, "easy"), ("lost", 2, "easy"), ("other", 1, "hard")):
            players = (
                ResultPlayer("person", "Ada", 10, place, ada.id),
                ResultPlayer("bot", "Basil", 10, 3 - place, bot=bot),
            )
            result = GameResult("paris-connection", 1.0, players, is_rated=True)
            await live.store.create(name, "paris-connection", bytes(32), [(1.0, b"1")], table.summary())
            await results.save(live.store, name, result)
            found = await live.game_history.record_against(ada.id, result)
            expected = {"won": ("easy", 1, 1), "lost": ("easy", 1, 2), "other": ("hard", 1, 1)}[name]
            assert found == expected

    play(tmp_path, job)


def test_a_best_game_surpasses_earlier_games_with_as_many_players(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_end(live, await running(live, ada, ben))
        best = await live.game_history.find_result(ada.id, table.id)
        assert best is not None
        assert await live.game_history.surpassed_best(ada.id, best) is None, "it is the first"
        first, *others = best.players
        weaker = msgspec.structs.replace(best, players=(msgspec.structs.replace(first, points=-5), *others))
        await live.store.create("weaker", "paris-connection", bytes(32), [(1.0, b"1")], table.summary())
        await results.save(live.store, "weaker", weaker)
        assert await live.game_history.surpassed_best(ada.id, best) == -5
        assert await live.game_history.surpassed_best(ada.id, weaker) is None
        unrated = msgspec.structs.replace(best, is_rated=False)
        assert await live.game_history.surpassed_best(ada.id, unrated) is None

    play(tmp_path, job)


def test_players_who_left_joined_late_or_share_a_device_are_not_rated(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        abandoned_table = await running(live, ada, ben)
        await live.tables.run(abandoned_table.id, tables.leave, ben.id)
        replaced_table = await live.tables.run(abandoned_table.id, tables.replace_with_bot, ada.id, 1, "random")
        replaced_table = await to_the_end(live, replaced_table)
        local_table = await live.tables.open(
            ada, NewTable("paris-connection", ("me", "here:Cleo", "bot:random"), ENDING)
        )
        local_table = await to_the_end(live, local_table)
        assert [game[1].is_rated for game in (await live.game_history.of(ada.id)).games] == [False, False]
        assert (await live.game_history.of(ben.id)).games == ()
        assert (await live.game_history.ratings(ada.id, [("paris-connection", 3)]))[0].games == 0

    play(tmp_path, job)


def test_rebuilding_results_corrects_a_changed_result(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        finished_table, other_table = [await to_the_end(live, await running(live, ada, ben)) for _ in range(2)]
        await live.game_history.of(ada.id)
        right_results = dict(await results.all_results(live.store))
        await results.save(live.store, finished_table.id, result("ben", "ada", "Easy"))
        await results.drop(live.store, other_table.id)
        differences = dict(
            [difference async for difference in game_history.rebuild(live.store, live.components.game, check=True)]
        )
        assert differences == {finished_table.id: "different", other_table.id: "missing"}
        results_before = dict(await results.all_results(live.store))
        assert results_before[finished_table.id].players[0].name == "ben", "a check changes nothing"
        assert (
            dict(
                [difference async for difference in game_history.rebuild(live.store, live.components.game, check=False)]
            )
            == differences
        )
        assert dict(await results.all_results(live.store)) == right_results

    play(tmp_path, job)


DEED = st.one_of(
    st.tuples(st.just("play"), st.lists(st.sampled_from((*PEOPLE, "bot")), min_size=2, max_size=3), st.integers(0, 99)),
    st.tuples(st.just("break off"), st.sampled_from(PEOPLE), st.integers(0, 5)),
    st.tuples(st.just("remove person"), st.sampled_from(PEOPLE), st.just(0)),
    st.tuples(st.just("remove table"), st.just(""), st.integers(0, 9)),
)


@examples(8, 25)
@given(st.lists(DEED, max_size=6))
def test_recomputed_totals_equal_incremental_totals(deeds: list[tuple[str, list[str] | str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_deeds(Path(folder), deeds))


async def _deeds(folder: Path, deeds: list[tuple[str, list[str] | str, int]]) -> None:
    live = await Live.open(folder / "house.sqlite3", games=toys, features=FEATURES)
    try:
        people = {name: (await live.people.create(name))[0] for name in PEOPLE}
        finished_ids: list[str] = []
        for deed, player, number in deeds:
            if isinstance(player, list):
                finished_ids.append((await _played(live, people, player, number)).id)
            elif deed == "break off":
                table = await live.tables.open(people[player], NewTable("toy", ("me", "bot:random")))
                await live.tables.run(table.id, tables.ask_abort, people[player].id)
            elif deed == "remove person":
                await live.person_data.delete(people[player])
                people[player] = (await live.people.create(player))[0]
            elif finished_ids:
                await remove_table(live.store, finished_ids.pop(number % len(finished_ids)))
                live.game_history.look()
            for person in people.values():
                past = await live.game_history.of(person.id)
                recomputed_totals = PersonTotals()
                for _, game in past.games:
                    recomputed_totals.add(person.id, game)
                assert past.totals == recomputed_totals
            kinds = [("toy", seats) for seats in (2, 3)]
            ladders = [Ladder(await results.of_game(live.store, *kind)) for kind in kinds]
            for person in people.values():
                assert await live.game_history.ratings(person.id, kinds) == [
                    ladder.rating(person.id) for ladder in ladders
                ]
        wrong_games = {wrong_games async for _, wrong_games in game_history.rebuild(live.store, toys, check=True)}
        assert wrong_games <= {"", "missing"}
        stored_ids = {table_id for table_id, _ in await results.all_results(live.store)}
        assert stored_ids <= set(finished_ids), "what was broken off does not count"
    finally:
        await live.close()


async def _played(live: Live, people: dict[str, Person], player: list[str], number: int) -> Table:
    """Play a game of these people and bots with occasional undos and takebacks by consent."""
    chance = random.Random(number)
    host, *other_names = dict.fromkeys(name for name in player if name != "bot") or ["Ada"]
    bots = ["bot:random", "bot:easy"][: max(1 - len(other_names), player.count("bot"))]
    table = await live.tables.open(people[host], NewTable("toy", ("me", *["open"] * len(other_names), *bots)))
    for other in other_names:
        table = await live.tables.run(table.id, tables.sit, people[other], None)
    while table.status == "running":
        assert table.position is not None
        assert table.to_decide is not None
        turn, person = table.bot_to_move(), table.seats[table.to_decide].person
        text = str(chance.choice(table.position.legal_moves))
        if turn is not None:
            table = await live.tables.run(table.id, tables.play_bot_move, turn, text)
            continue
        table = await live.tables.run(table.id, tables.play, person, text, table.version)
        if table.undoable and chance.random() < 0.5:
            table = await live.tables.run(table.id, tables.undo, person, table.version)
        elif permissions.can_ask_undo(table, person) and chance.random() < 0.3:
            table = await live.tables.run(table.id, tables.ask_undo, person)
            for other in (seat.person for seat in table.people if table.undo_asked is not None):
                if other != person:
                    table = await live.tables.run(table.id, tables.agree_undo, other)
    return table


def test_missing_results_are_computed_in_another_process_unless_their_table_is_loaded(tmp_path: Path) -> None:
    folded_tables: list[str] = []
    fold = tables.fold

    def folding(table_id: str, *args: Any) -> Table:
        folded_tables.append(table_id)
        return fold(table_id, *args)

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", games=toys, features=FEATURES)
        history = live.game_history
        try:
            people = {name: (await live.people.create(name))[0] for name in PEOPLE}
            finished_ids = [(await _played(live, people, ["Ada", "bot"], number)).id for number in range(3)]
            opened_count = len(folded_tables)
            assert len((await history.of(people["Ada"].id)).games) == 3
            assert (history._workers, len(folded_tables)) == (None, opened_count), "they are in memory"
            right_results = dict(await results.all_results(live.store))
            for table_id in finished_ids:
                await results.drop(live.store, table_id)
            past = await history.of(people["Ada"].id)
            assert (dict(past.games), past.uncounted) == (right_results, 0)
            assert history._workers is not None
            (process,) = history._workers.processes
            assert process != os.getpid()
            assert len(folded_tables) == opened_count
            await history.close()
            assert history._workers is None
            await results.drop(live.store, finished_ids[0])
            async with services.running("game history", history.catch_up):
                while await results.uncounted(live.store) or history._workers is not None:
                    await asyncio.sleep(0)
            assert dict(await results.all_results(live.store)) == right_results
            assert len(folded_tables) == opened_count
            assert await results.missing_ladders(live.store) == [], "the ratings are computed before anyone asks"
            ratings = await history.ratings(people["Ada"].id, [("toy", 2)])
            await live.store.write(lambda connection: connection.execute(delete(LADDERS)))
            with patch.object(game_history, "MAX_GAMES_IN_THREAD", 2), patch.object(Ladder, "add") as ladder_add:
                assert await history.ratings(people["Ada"].id, [("toy", 2)]) == ratings
            assert (ladder_add.call_count, history._workers is None) == (0, False), "computed in the process"
        finally:
            await live.close()

    with patch.object(tables, "fold", folding):
        asyncio.run(job())


def test_a_private_table_is_only_in_the_history_of_its_players(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(
            ada, NewTable("paris-connection", ("me", "bot:random", "bot:random"), ENDING, watch="off")
        )
        await to_the_end(live, table)
        assert len((await live.game_history.of(ada.id)).games) == 1
        assert (await live.game_history.of(ben.id)).games == ()

    play(tmp_path, job)


def test_a_result_is_not_computed_from_a_table_in_memory_that_names_a_removed_person(tmp_path: Path) -> None:
    """It is still there in a process of a shared database if another one has counted the game before."""

    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_end(live, await running(live, ada, ben))
        assert await live.game_history.find_result(ada.id, table.id) is not None
        live.game_history.changed(table)
        await remove_person(live.store, game_by_key, ben, live.clock())
        counted = await live.game_history.find_result(ada.id, table.id)
        assert counted is not None
        assert not {ben.id, ben.name} & {text for player in counted.players for text in (player.person, player.name)}
        assert await results.of_person(live.store, ben.id) == ()

    play(tmp_path, job)
