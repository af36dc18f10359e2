"""Results and ratings: they are the same whether counted game by game or all again."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete

from spieltisch import tables
from spieltisch.core.game import Game
from spieltisch.games import GAMES
from spieltisch.live import Live, game_history
from spieltisch.store import Person, results
from spieltisch.store.removal import remove_table
from spieltisch.store.schema import LADDERS
from spieltisch.tables import GameResult, NewTable, ResultPlayer, Table, game_result
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.tables.ratings import START_RATING, Ladder, bot_ratings
from tests import toy_game
from tests.live.live_fixture import ENDING, move, play, running
from tests.tiers import examples

TOY = toy_game.Game()
PEOPLE = ("Ada", "Ben", "Cleo")


def toys(key: str) -> Game:
    return TOY


def result(*people: str, at: float = 1.0, places: tuple[int, ...] = (), rated: bool = True) -> GameResult:
    """A game that was won by the first seat; a name with a capital is a bot's."""
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


def test_who_wins_rises_and_bots_hold_the_scale() -> None:
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
    even = Ladder([("t1", result("ada", "ben", places=(1, 1)))])
    assert even.rating("ada") == even.rating("ben")


def test_what_is_not_rated_changes_nothing_and_an_earlier_game_is_not_added_late() -> None:
    ladder = Ladder([("t1", result("ada", "Easy", rated=False)), ("t0", result("ada", "Odd"))])
    assert ladder.rating("ada").games == 0
    assert not ladder.add("t0", result("ada", "Easy", at=1.0))


def test_every_bot_stands_on_the_scale_with_a_source() -> None:
    from spieltisch.bots import BOTS

    for game in (*GAMES, "toy"):
        assert set(bot_ratings(game)) == set(BOTS)
        assert bot_ratings(game)["easy"].rating == START_RATING
        sources = {rating.source.partition(":")[0] for rating in bot_ratings(game).values()}
        assert sources <= {"by definition", "measured", "estimated"}


async def to_the_end(live: Live, table: Table) -> Table:
    while table.status == "running":
        table = await move(live, table)
    return table


def test_places_points_and_what_brought_them(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await to_the_end(live, await running(live, ada, ben))
        stored = game_result(table)
        assert stored is not None
        assert table.position is not None
        assert [player.points for player in stored.players] == table.position.scores
        assert [sum(amount for _, amount in player.sources) for player in stored.players] == table.position.scores
        assert {n for n, player in enumerate(stored.players) if player.place == 1} == set(table.summary().winners)
        assert [player.bot for player in stored.players] == ["", "", "easy"]
        assert stored.is_rated
        assert table.setup is not None
        for player in stored.players:
            assert all(table.game.point_source_name(table.setup, number) is not None for number, _ in player.sources)
        past = await live.game_history.of(ada.id)
        assert (past.games, past.uncounted) == (((table.id, stored),), 0)
        assert past.totals.games == 1
        again = await live.tables.rematch(table.id, ada)
        assert (await live.game_history.of(ben.id)).games == ((table.id, stored),), f"{again.id} is not over"

    play(tmp_path, job)


def test_who_left_or_came_later_or_sits_beside_somebody_is_not_rated(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        left = await running(live, ada, ben)
        await live.tables.run(left.id, tables.leave, ben.id)
        replaced = await live.tables.run(left.id, tables.replace_with_bot, ada.id, 1, "random")
        replaced = await to_the_end(live, replaced)
        beside = await live.tables.open(ada, NewTable("paris-connection", ("me", "here:Cleo", "bot:random"), ENDING))
        beside = await to_the_end(live, beside)
        assert [game[1].is_rated for game in (await live.game_history.of(ada.id)).games] == [False, False]
        assert (await live.game_history.of(ben.id)).games == ()
        assert (await live.game_history.ratings(ada.id, [("paris-connection", 3)]))[0].games == 0

    play(tmp_path, job)


def test_a_result_that_was_tampered_with_is_found_and_put_right(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        over, other = [await to_the_end(live, await running(live, ada, ben)) for _ in range(2)]
        await live.game_history.of(ada.id)
        right = dict(await results.all_results(live.store))
        await results.save(live.store, over.id, result("ben", "ada", "Easy"))
        await results.drop(live.store, other.id)
        differences = dict(
            [difference async for difference in game_history.rebuild(live.store, live.components.game, check=True)]
        )
        assert differences == {over.id: "different", other.id: "missing"}
        kept = dict(await results.all_results(live.store))
        assert kept[over.id].players[0].name == "ben", "a check changes nothing"
        assert (
            dict(
                [difference async for difference in game_history.rebuild(live.store, live.components.game, check=False)]
            )
            == differences
        )
        assert dict(await results.all_results(live.store)) == right

    play(tmp_path, job)


DEED = st.one_of(
    st.tuples(st.just("play"), st.lists(st.sampled_from((*PEOPLE, "bot")), min_size=2, max_size=3), st.integers(0, 99)),
    st.tuples(st.just("break off"), st.sampled_from(PEOPLE), st.integers(0, 5)),
    st.tuples(st.just("remove person"), st.sampled_from(PEOPLE), st.just(0)),
    st.tuples(st.just("remove table"), st.just(""), st.integers(0, 9)),
)


@examples(8, 25)
@given(st.lists(DEED, max_size=6))
def test_counted_anew_is_as_counted_one_by_one(deeds: list[tuple[str, list[str] | str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_deeds(Path(folder), deeds))


async def _deeds(folder: Path, deeds: list[tuple[str, list[str] | str, int]]) -> None:
    live = await Live.open(folder / "house.sqlite3", games=toys)
    try:
        people = {name: (await live.people.create(name))[0] for name in PEOPLE}
        over: list[str] = []
        for deed, player, number in deeds:
            if isinstance(player, list):
                over.append((await _played(live, people, player, number)).id)
            elif deed == "break off":
                table = await live.tables.open(people[player], NewTable("toy", ("me", "bot:random")))
                await live.tables.run(table.id, tables.ask_abort, people[player].id)
            elif deed == "remove person":
                await live.person_data.delete(people[player])
                people[player] = (await live.people.create(player))[0]
            elif over:
                await remove_table(live.store, over.pop(number % len(over)))
                live.game_history.look()
            for person in people.values():
                past = await live.game_history.of(person.id)
                anew = PersonTotals()
                for _, game in past.games:
                    anew.add(person.id, game)
                assert past.totals == anew
            kinds = [("toy", seats) for seats in (2, 3)]
            ladders = [Ladder(await results.of_game(live.store, *kind)) for kind in kinds]
            for person in people.values():
                assert await live.game_history.ratings(person.id, kinds) == [
                    ladder.rating(person.id) for ladder in ladders
                ]
        wrong = {wrong async for _, wrong in game_history.rebuild(live.store, toys, check=True)}
        assert wrong <= {"", "missing"}
        kept = {table_id for table_id, _ in await results.all_results(live.store)}
        assert kept <= set(over), "what was broken off does not count"
    finally:
        await live.close()


async def _played(live: Live, people: dict[str, Person], player: list[str], number: int) -> Table:
    """A game of these people and bots, who take moves back now and then, with and without asking."""
    chance = random.Random(number)
    host, *others = dict.fromkeys(name for name in player if name != "bot") or ["Ada"]
    bots = ["bot:random", "bot:easy"][: max(1 - len(others), player.count("bot"))]
    table = await live.tables.open(people[host], NewTable("toy", ("me", *["open"] * len(others), *bots)))
    for other in others:
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
        elif table.can_ask_undo(person) and chance.random() < 0.3:
            table = await live.tables.run(table.id, tables.ask_undo, person)
            for other in (seat.person for seat in table.people if table.undo_asked is not None):
                if other != person:
                    table = await live.tables.run(table.id, tables.agree_undo, other)
    return table


def test_missing_results_are_computed_in_another_process_and_those_of_games_here_from_memory(tmp_path: Path) -> None:
    folded: list[str] = []
    fold = tables.fold

    def folding(table_id: str, *args: Any) -> Table:
        folded.append(table_id)
        return fold(table_id, *args)

    async def job() -> None:
        live = await Live.open(tmp_path / "house.sqlite3", games=toys)
        history = live.game_history
        try:
            people = {name: (await live.people.create(name))[0] for name in PEOPLE}
            over = [(await _played(live, people, ["Ada", "bot"], number)).id for number in range(3)]
            opened = len(folded)
            assert len((await history.of(people["Ada"].id)).games) == 3
            assert (history._workers, len(folded)) == (None, opened), "they are in memory"
            right = dict(await results.all_results(live.store))
            for table_id in over:
                await results.drop(live.store, table_id)
            past = await history.of(people["Ada"].id)
            assert (dict(past.games), past.uncounted) == (right, 0)
            assert history._workers is not None
            (process,) = history._workers.processes
            assert process != os.getpid()
            assert len(folded) == opened
            await history.stop()
            assert history._workers is None
            await results.drop(live.store, over[0])
            catching_up = asyncio.create_task(history.catch_up())
            while await results.uncounted(live.store) or history._workers is not None:
                await asyncio.sleep(0)
            catching_up.cancel()
            assert dict(await results.all_results(live.store)) == right
            assert len(folded) == opened
            assert await results.missing_ladders(live.store) == [], "the ratings are computed before anyone asks"
            ratings = await history.ratings(people["Ada"].id, [("toy", 2)])
            await live.store.write(lambda connection: connection.execute(delete(LADDERS)))
            with patch.object(game_history, "MAX_GAMES_IN_THREAD", 2), patch.object(Ladder, "add") as added:
                assert await history.ratings(people["Ada"].id, [("toy", 2)]) == ratings
            assert (added.call_count, history._workers is None) == (0, False), "computed in the process"
        finally:
            await live.close()

    with patch.object(tables, "fold", folding):
        asyncio.run(job())


def test_a_private_table_of_others_is_in_nobody_elses_history(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.open(
            ada, NewTable("paris-connection", ("me", "bot:random", "bot:random"), ENDING, watch="off")
        )
        await to_the_end(live, table)
        assert len((await live.game_history.of(ada.id)).games) == 1
        assert (await live.game_history.of(ben.id)).games == ()

    play(tmp_path, job)
