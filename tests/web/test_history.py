"""Check that "My games" shows only a person's own finished games, also without ratings."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from unittest.mock import patch

import pytest

from spieltisch.core.names import removed_person_name
from spieltisch.core.words import message
from spieltisch.tables import GameResult, ResultPlayer
from spieltisch.tables.person_totals import PersonTotals
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.history import Opponent, opponents, rows
from spieltisch.web.pages.renderer import Renderer
from tests.commands.command_line import spieltisch
from tests.sentences import sentence_after, template_after
from tests.web.conftest import Person
from tests.web.layout_checks import PHONES, cut_texts
from tests.web.servers import Server
from tests.web.visitors import SHORT, Visitor, let_in, trade_on

HISTORY = "web/templates/history.html"


def build_to_the_end(people: Sequence[Visitor], path: str) -> None:
    """Play to the end, to cities first, with all companies in turn, so that every deal gives points."""
    built_companies: Counter[str] = Counter()

    def order(move: str) -> tuple[int, int]:
        kind, *words = move.split()
        is_between_cities = kind == "build" and len(words) > 2
        return ("build", "trade", "done").index(kind) * 2 + is_between_cities, built_companies[words[0]] if words else 0

    while (now := people[0].state(path)["to_decide"]) is not None:
        move = min(people[now].state(path)["moves"], key=order)
        built_companies.update(move.split()[1:2] if move.startswith("build") else ())
        assert people[now].play(path, move).status_code == 200


def charts_address(path: str) -> str:
    """Return the address of the charts of a finished game."""
    return path.replace("/table/", "/me/history/")


def test_a_game_against_several_bots_of_one_kind_counts_once() -> None:
    ada = ResultPlayer("person", "Ada", 20, 2, person="ada")
    bots = [ResultPlayer("bot", f"Bot {place}", 21 - place, place, bot="easy@1") for place in (1, 3, 4)]
    guests = [ResultPlayer("person", removed_person_name(n), 0, place, person="") for n, place in ((1, 3), (2, 4))]
    totals = PersonTotals()
    totals.add("ada", GameResult("toy", 2.0, (ada, *bots), is_rated=True))
    totals.add("ada", GameResult("toy", 1.0, (ada, *guests, bots[1]), is_rated=True))
    assert opponents(totals) == [Opponent("Bot 1", "easy", 2, 1, 0, 1), Opponent("", "", 1, 1, 0, 0)]


def test_best_points_are_those_of_rated_games_with_as_many_players() -> None:
    totals = PersonTotals()
    for at, points, opponents_count, is_rated in (
        (1.0, 20, 1, True),
        (5.0, 25, 1, True),
        (3.0, 25, 1, True),
        (4.0, 40, 1, False),
        (6.0, 22, 1, True),
        (7.0, 30, 2, True),
    ):
        ada = ResultPlayer("person", "Ada", points, 1, person="ada")
        bots = [ResultPlayer("bot", "Basil", 1, 2, bot="easy@1")] * opponents_count
        totals.add("ada", GameResult("toy", at, (ada, *bots), is_rated=is_rated))
    assert totals.kinds["toy"].best == {2: (25, 25), 3: (30,)}
    assert totals.kinds["toy"].best_at == {2: 3.0, 3: 7.0}, "when it was first reached"


def points_with(names: str) -> str:
    return sentence_after("web/templates/history_row.html", "_n(", count=20, points="20", names=names)


def test_a_history_row_is_rendered_once_for_each_language_and_again_after_a_name_is_deleted() -> None:
    pages, titles = Renderer(Assets(), DrawnFiles()), {"toy": message("Toy")}
    names = ("Ada", "Ben & Co", removed_person_name(1))
    players = [ResultPlayer("person", name, 20, 2, person=name.lower()) for name in names]
    games = tuple((f"t{number}", GameResult("toy", 1.0, tuple(players[:2]), is_rated=True)) for number in range(20))
    deleted = ("t3", GameResult("toy", 1.0, (players[0], players[2]), is_rated=True))
    with patch.object(pages, "render", wraps=pages.render) as render:
        for _ in range(3):
            english, german = (rows(pages, language, "ada", games, titles) for language in ("en", "de"))
        assert render.call_count == 40
        assert points_with("Ben &amp; Co") in english[7]
        assert 'href="/me/history/t7"' in german[7]
        assert "Ben" not in rows(pages, "en", "ada", (*games[:3], deleted), titles)[3]
        assert points_with("Ada") in rows(pages, "en", "ben & co", games, titles)[3]
        assert render.call_count == 40 + 1 + 20


def test_a_finished_game_is_in_the_history_of_those_who_played_it(
    short_game: tuple[str, list[Visitor]], server: Server
) -> None:
    path, visitors = short_game
    ada = visitors[0]
    assert sentence_after(HISTORY, "<h1>", "_n(", count=0) in ada.get("/me/history").text
    assert ada.get(charts_address(path)).status_code == 404, "it is not over"
    build_to_the_end(visitors, path)
    for visitor in visitors:
        page = visitor.get("/me/history").text
        assert sentence_after(HISTORY, "<h1>", "_n(", count=1) in page
        assert all(f'href="{path}{part}"' in page for part in ("", "/replay", "/record", "/analysis"))
        one_game = template_after(HISTORY, "for average in averages", "_n(").text.partition("{won}")[0]
        assert one_game.format(count=1) in page
        assert sentence_after(HISTORY, "if not line.measured", "_n(", count=3) in page
        rivals = re.findall(r"</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td></tr>", page)
        assert [int(games) for games, *_ in rivals] == [1, 1]
        assert all(sum(map(int, outcomes)) == 1 for _, *outcomes in rivals), "a game is won, tied or lost"
        assert 'class="rank"' in visitor.get("/").text.partition('id="finished-games"')[2]
        charts = visitor.get(charts_address(path))
        assert charts.status_code == 200
        assert 'id="chart"' in charts.text
        assert 'id="point-sources-title"' in charts.text
    with Visitor(server) as stranger, Visitor(server) as newcomer:
        stranger.table("me", "open", "open", name="Mallory")
        assert path not in stranger.get("/me/history").text
        assert stranger.get(charts_address(path)).status_code == 404
        for page in ("/me/history", charts_address(path)):
            assert newcomer.get(page).status_code == 403


def test_ratings_are_hidden_for_a_player_who_turned_them_off(short_game: tuple[str, list[Visitor]]) -> None:
    path, visitors = short_game
    ada, ben = visitors[:2]
    trade_on(visitors, path, None)
    assert "±" in ada.get("/me/history").text
    ada.submit("/preferences", **{"ratings-shown": "1", "back": "/me/history"})
    assert "±" not in ada.get("/me/history").text
    assert "±" in ben.get("/me/history").text
    ada.submit("/preferences", **{"ratings-shown": "1", "ratings": "on"})
    assert "±" in ada.get("/me/history").text


def test_an_aborted_game_is_not_in_the_history(ada: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random")
    ada.submit(f"{path}/consent/ask-abort?confirmed=1")
    assert ada.state(path)["status"] == "aborted"
    assert path not in ada.get("/me/history").text
    assert ada.get(charts_address(path)).status_code == 404


def test_the_history_list_refuses_only_a_negative_start(ada: Visitor) -> None:
    ada.table("me", "open", "open")
    assert ada.get("/me/history?from=999999").status_code == 200
    assert ada.get("/me/history?from=-1").status_code == 400


def test_uncounted_games_are_counted_at_a_start_and_the_results_command_finds_no_difference(
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
    refusal = spieltisch("results", "rebuild", "--data", server.data)
    assert (refusal.returncode, "is using" in refusal.stderr) == (1, True)
    rebuild_output = json.loads(spieltisch("results", "rebuild", "--check", "--json", "--data", server.data).stdout)
    assert rebuild_output == {"ok": True, "faults": [], "tables": 1, "differs": []}
    assert server.stop() == 0
    with closing(sqlite3.connect(server.file)) as connection, connection:
        connection.execute("DELETE FROM results")
    missing = spieltisch("results", "rebuild", "--check", "--data", server.data)
    assert (missing.returncode, "was not counted yet" in missing.stdout) == (0, True)
    restored_server = own_server()
    with Visitor(restored_server) as ada:
        ada.cookies.update(cookies)
        assert path in ada.get("/me/history").text
    assert restored_server.stop() == 0
    result = spieltisch("results", "rebuild", "--data", server.data)
    assert (result.returncode, result.stdout) == (0, "1 finished table, 0 were put right.\n")


@pytest.mark.browser
@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_heading_of_the_history_is_broken_on_a_phone(
    short_game: tuple[str, list[Visitor]], server: Server, open_page: Person, language: str
) -> None:
    path, visitors = short_game
    trade_on(visitors, path, None)
    visitors[0].submit("/preferences", language=language)
    page = open_page(viewport=PHONES[0])
    let_in(page.context, visitors[0])
    page.goto(f"{server.address}/me/history")
    assert page.locator("#opponents-title").is_visible()
    assert cut_texts(page) == []


def shown_games(visitor: Visitor, query: str = "") -> list[str]:
    """Return the tables on a person's history page in order."""
    return re.findall(r'<a href="(/table/[\w-]+)">', visitor.get(f"/me/history{query}").text)


def test_the_history_is_filtered_by_state_and_kind(short_game: tuple[str, list[Visitor]]) -> None:
    finished, visitors = short_game
    ada = visitors[0]
    trade_on(visitors, finished, None)
    waiting_table = ada.table("me", "open", "open")
    own_table = ada.table("me", "here", game="legendary-inventors", **{"here-1": "Ben"})
    assert shown_games(ada) == [own_table, waiting_table, finished]
    assert shown_games(ada, "?show=turn") == [own_table]
    assert shown_games(ada, "?show=running") == [own_table, waiting_table]
    assert shown_games(ada, "?show=finished") == [finished]
    assert shown_games(ada, "?game=paris-connection") == [waiting_table, finished]
    assert shown_games(ada, "?show=turn&game=paris-connection") == []
    assert shown_games(ada, "?show=finished&game=legendary-inventors") == []
    assert '<p class="empty">' in ada.get("/me/history?show=turn&game=paris-connection").text
    page = ada.get("/me/history?show=running&game=paris-connection").text
    assert '<a href="/me/history?show=running&amp;game=paris-connection" aria-current="true">' in page
    assert '<a href="/me/history?show=finished&amp;game=paris-connection">' in page
    assert '<a href="/me/history?game=paris-connection">' in page
    for query in ("?show=mine", "?game=chess"):
        assert ada.get(f"/me/history{query}").status_code == 404
