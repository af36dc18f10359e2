""" "My games" shows a person their own finished games and no other person's; also with ratings switched off."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from unittest.mock import patch

from spieltisch.core.names import removed_person_name
from spieltisch.core.words import message
from spieltisch.tables import GameResult, ResultPlayer
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.history import Opponent, opponents, rows
from spieltisch.web.pages.renderer import Renderer
from tests.commands.test_backup import spieltisch
from tests.web.conftest import SHORT, Server, Visitor, trade_on


def build_on(people: Sequence[Visitor], path: str) -> None:
    """Play to the end, to cities first, all companies in turn, so that there are points whatever was dealt."""
    built: Counter[str] = Counter()

    def order(move: str) -> tuple[int, int]:
        kind, *words = move.split()
        is_between_cities = kind == "build" and len(words) > 2
        return ("build", "trade", "done").index(kind) * 2 + is_between_cities, built[words[0]] if words else 0

    while (now := people[0].state(path)["to_decide"]) is not None:
        move = min(people[now].state(path)["moves"], key=order)
        built.update(move.split()[1:2] if move.startswith("build") else ())
        assert people[now].play(path, move).status_code == 200


def past_of(path: str) -> str:
    """Return the address of the charts of a finished game."""
    return path.replace("/table/", "/me/history/")


def test_a_game_counts_once_against_bots_of_one_kind() -> None:
    ada = ResultPlayer("person", "Ada", 20, 2, person="ada")
    bots = [ResultPlayer("bot", f"Bot {place}", 21 - place, place, bot="easy@1") for place in (1, 3, 4)]
    guests = [ResultPlayer("person", removed_person_name(n), 0, place, person="") for n, place in ((1, 3), (2, 4))]
    totals = PersonTotals()
    totals.add("ada", GameResult("toy", 2.0, (ada, *bots), is_rated=True))
    totals.add("ada", GameResult("toy", 1.0, (ada, *guests, bots[1]), is_rated=True))
    assert opponents(totals) == [Opponent("Bot 1", "easy", 2, 1, 0, 1), Opponent("", "", 1, 1, 0, 0)]


def test_a_row_is_rendered_once_for_each_language_and_again_when_a_name_is_deleted() -> None:
    pages, titles = Renderer(Assets(), DrawnFiles()), {"toy": message("Toy")}
    names = ("Ada", "Ben & Co", removed_person_name(1))
    players = [ResultPlayer("person", name, 20, 2, person=name.lower()) for name in names]
    games = tuple((f"t{number}", GameResult("toy", 1.0, tuple(players[:2]), is_rated=True)) for number in range(20))
    deleted = ("t3", GameResult("toy", 1.0, (players[0], players[2]), is_rated=True))
    with patch.object(pages, "render", wraps=pages.render) as render:
        for _ in range(3):
            english, german = (rows(pages, language, "ada", games, titles) for language in ("en", "de"))
        assert render.call_count == 40
        assert "20 points, with Ben &amp; Co" in english[7]
        assert 'href="/me/history/t7"' in german[7]
        assert "Ben" not in rows(pages, "en", "ada", (*games[:3], deleted), titles)[3]
        assert "with Ada" in rows(pages, "en", "ben & co", games, titles)[3]
        assert render.call_count == 40 + 1 + 20


def test_a_finished_game_is_in_the_history_of_those_who_played_it(
    short: tuple[str, list[Visitor]], server: Server
) -> None:
    path, visitors = short
    ada = visitors[0]
    assert "0 finished games" in ada.get("/me/history").text
    assert ada.get(past_of(path)).status_code == 404, "it is not over"
    build_on(visitors, path)
    for visitor in visitors:
        page = visitor.get("/me/history").text
        assert "1 finished game" in page
        assert all(f'href="{path}{part}"' in page for part in ("", "/replay", "/record", "/analysis"))
        assert "1 game, " in page
        assert "Me, 3 players" in page
        rivals = re.findall(r"</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td></tr>", page)
        assert [int(games) for games, *_ in rivals] == [1, 1]
        assert all(sum(map(int, outcomes)) == 1 for _, *outcomes in rivals), "a game is won, tied or lost"
        charts = visitor.get(past_of(path))
        assert charts.status_code == 200
        assert "Points over time" in charts.text
        assert "Sources of points" in charts.text
    with Visitor(server) as stranger, Visitor(server) as nobody:
        stranger.table("me", "open", "open", name="Mallory")
        assert path not in stranger.get("/me/history").text
        assert stranger.get(past_of(path)).status_code == 404
        for page in ("/me/history", past_of(path)):
            assert nobody.get(page).status_code == 403


def test_ratings_are_off_for_whoever_wants_it(short: tuple[str, list[Visitor]]) -> None:
    path, visitors = short
    ada, ben = visitors[:2]
    trade_on(visitors, path, None)
    assert "±" in ada.get("/me/history").text
    ada.submit("/preferences", **{"ratings-shown": "1", "back": "/me/history"})
    assert "±" not in ada.get("/me/history").text
    assert "±" in ben.get("/me/history").text
    ada.submit("/preferences", **{"ratings-shown": "1", "ratings": "on"})
    assert "±" in ada.get("/me/history").text


def test_a_game_that_was_broken_off_does_not_count(ada: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random")
    ada.submit(f"{path}/consent/ask-abort?confirmed=1")
    assert ada.state(path)["status"] == "aborted"
    assert path not in ada.get("/me/history").text
    assert ada.get(past_of(path)).status_code == 404


def test_the_list_goes_on_and_an_odd_number_is_refused(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    assert ada.get("/me/history?from=999999").status_code == 200
    assert ada.get("/me/history?from=-1").status_code == 400


def test_a_server_counts_games_from_before_and_the_command_finds_nothing_wrong(
    own_server: Callable[..., Server],
) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cleo:
        path = ada.table("me", "open", "open", **SHORT)
        ben.sit(path, "Ben")
        cleo.sit(path, "Cleo")
        trade_on([ada, ben, cleo], path, None)
        assert path in ada.get("/me/history").text
        cookies = dict(ada.cookies)
    refused = spieltisch("results", "rebuild", "--data", server.data)
    assert (refused.returncode, "is using" in refused.stderr) == (1, True)
    seen = json.loads(spieltisch("results", "rebuild", "--check", "--json", "--data", server.data).stdout)
    assert seen == {"ok": True, "faults": [], "tables": 1, "differs": []}
    assert server.stop() == 0
    with closing(sqlite3.connect(server.file)) as connection, connection:
        connection.execute("DELETE FROM results")
    missing = spieltisch("results", "rebuild", "--check", "--data", server.data)
    assert (missing.returncode, "was not counted yet" in missing.stdout) == (0, True)
    again = own_server()
    with Visitor(again) as ada:
        ada.cookies.update(cookies)
        assert path in ada.get("/me/history").text
    assert again.stop() == 0
    done = spieltisch("results", "rebuild", "--data", server.data)
    assert (done.returncode, done.stdout) == (0, "1 finished table, 0 were put right.\n")


def shown_games(visitor: Visitor, query: str = "") -> list[str]:
    """The tables on the page of a person's games, in order."""
    return re.findall(r'<a href="(/table/[\w-]+)">', visitor.get(f"/me/history{query}").text)


def test_games_are_filtered_by_state_and_kind(short: tuple[str, list[Visitor]]) -> None:
    finished, visitors = short
    ada = visitors[0]
    trade_on(visitors, finished, None)
    waiting = ada.table("me", "open", "open")
    own_table = ada.table("me", "here", game="legendary-inventors", **{"here-1": "Ben"})
    assert shown_games(ada) == [own_table, waiting, finished]
    assert shown_games(ada, "?show=turn") == [own_table]
    assert shown_games(ada, "?show=running") == [own_table, waiting]
    assert shown_games(ada, "?show=finished") == [finished]
    assert shown_games(ada, "?game=paris-connection") == [waiting, finished]
    assert shown_games(ada, "?show=turn&game=paris-connection") == []
    assert shown_games(ada, "?show=finished&game=legendary-inventors") == []
    assert "No games here yet." in ada.get("/me/history?show=turn&game=paris-connection").text
    page = ada.get("/me/history?show=running&game=paris-connection").text
    assert '<a href="/me/history?show=running&amp;game=paris-connection" aria-current="true">' in page
    assert '<a href="/me/history?show=finished&amp;game=paris-connection">' in page
    assert '<a href="/me/history?game=paris-connection">All</a>' in page
    for query in ("?show=mine", "?game=chess"):
        assert ada.get(f"/me/history{query}").status_code == 404
