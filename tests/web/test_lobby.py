"""Check the lobby: the visitor's turns, games against bots, tables for friends with presets, and further lists."""

from __future__ import annotations

import asyncio
import html
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.games import game, game_modules
from spieltisch.store import results
from spieltisch.store.lobby import MAX_ROWS
from spieltisch.tables import GameResult, ResultPlayer, SeatSummary, TableSummary
from spieltisch.tables.bot_characters import BOT_CHARACTERS
from tests.sentences import sentence_after
from tests.web.conftest import Person, wait_for_true
from tests.web.layout_checks import DESK, PHONES
from tests.web.server_inside import opened, person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

THIRD_PLAYER = sentence_after("web/routes/lobby.py", 'f"player-{number}"', number=3)
ORDER = (
    "my-turn-title",
    "open-tables-title",
    "play-now-title",
    *(f"/new/{key}/now" for key in game_modules()),
    "puzzles-title",
    "with-friends-title",
)
"""The sections of the lobby in their order; for a visitor without tables the open ones are the last."""


def test_the_lobby_begins_with_tables_that_wait_for_the_visitor(
    running_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, people = running_table
    with Visitor(server) as hugo, Visitor(server) as newcomer:
        open_table = hugo.table("me", "open", "link", "open", "bot:easy", name="Hugo")
        newcomers_lobby = newcomer.get("/").text
    places = [newcomers_lobby.index(part) for part in (*ORDER[2:], *ORDER[1:2])]
    assert places == sorted(places)
    open_row = newcomers_lobby.partition(f'href="{open_table}"')[2].partition("</a>")[0]
    texts = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", open_row))
    assert re.search(r"Hugo, [A-Z]\w+, 2 free seats, [^,]+ .*Sit down", texts)
    deciding_visitor = people[people[0].state(path)["to_decide"]]
    lobby = deciding_visitor.get("/").text
    places = [lobby.index(part) for part in ORDER]
    assert places == sorted(places)
    assert lobby.index("my-turn-title") < lobby.index(f'href="{path}"') < lobby.index("play-now-title")
    assert lobby.count(f'href="{path}"') == 1
    own_row = lobby.partition(f'href="{path}"')[2].partition("</a>")[0]
    seated = re.findall(r'<span class="person"[^>]*>([^<]+)<', own_row)
    assert len(seated) == len(people) - 1, "without the visitor's own name"
    turns = deciding_visitor.get("/active").json()["turns"]
    title = sentence_after("web/templates/lobby_live.html", 'id="my-turn-title"', count=turns)
    assert f'<h1 id="my-turn-title">{title}</h1>' in lobby
    waiting_lobby = next(person for person in people if person is not deciding_visitor).get("/").text
    places = [waiting_lobby.index(part) for part in ("my-tables-title", f'href="{path}"', "play-now-title")]
    assert places == sorted(places)
    assert lobby.count("my-tables-title") == 0, "no list without tables"


def test_a_game_card_shows_the_levels_that_its_player_has_beaten(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            ada = await house.visitor("Ada", "fr")
            seats = SeatSummary("person", person(ada).id, "Ada"), SeatSummary("bot", "", "Basil")
            for level, place in (("easy", 1), ("beginner", 1), ("medium", 2)):
                summary = TableSummary("finished", seats, winners=(place - 1,))
                await house.live.store.create(level, "paris-connection", bytes(32), [(1.0, b"1")], summary)
                players = (
                    ResultPlayer("person", "Ada", 10, place, person(ada).id),
                    ResultPlayer("bot", "Basil", 10, 3 - place, bot=level),
                )
                result = GameResult("paris-connection", 1.0, players, is_rated=True)
                await results.save(house.live.store, level, result)
            records = await house.live.game_history.level_records(person(ada).id)
            page = await house.fragments.lobby.page(ada, dict.fromkeys(game_modules(), "medium"), records)
            cards = page.split('class="card"')[1:]
            shown = [re.findall(r'data-beaten="(\w+)"', card) for card in cards]
            assert shown == [["beginner", "easy"] if key == "paris-connection" else [] for key in game_modules()]
            last = [re.findall(r'class="level-record">[^<]*?(\d+)[^<]*?(\d+)', card) for card in cards]
            assert last == [[("0", "1")] if key == "paris-connection" else [] for key in game_modules()], "lost, too"

    asyncio.run(job())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_level_in_the_lobby_shows_the_bots_of_the_new_game(server: Server, language: str) -> None:
    with Visitor(server, language) as visitor:
        lobby = html.unescape(visitor.get("/").text)
        assert visitor.get("/").text.count('class="bot-portrait"') == 3 * len(BOT_CHARACTERS)
        response = visitor.submit("/new/paris-connection/now", bot="hard")
        names = [seat["name"] for seat in visitor.state(response.headers["location"])["seats"]]
    trio = re.search(r'data-bot-level="hard">(.*?)</ul>', lobby, re.DOTALL)
    assert trio
    assert re.findall(r'<b translate="no">(\w+)</b>', trio[1]) == names[1:] == ["Valentin", "Willem", "Xaver"]


def engravings(html: str) -> list[str]:
    """Return the addresses of the engravings on a page."""
    return re.findall(r'class="game-cover"[^>]*><use\s+href="([^"#]+)#plate"', html)


def test_invitation_waiting_table_and_error_wear_the_engraving_of_the_game(ada: Visitor, server: Server) -> None:
    table = ada.table("me", "link", "bot:easy", game="era-of-inventions")
    waiting_page = ada.get(table).text
    (engraving,) = engravings(waiting_page)
    invitation = re.findall(r'id="invite-links".*?(/join/[\w.-]+)', waiting_page, re.DOTALL)[0]
    with Visitor(server) as grace, Visitor(server) as hugo:
        assert engravings(grace.get(invitation).text) == [engraving]
        assert grace.submit(invitation, name="Grace").status_code == 303
        assert engravings(grace.get(table).text) == []  # the game is on
        late_answer = hugo.get(invitation)
        assert late_answer.status_code == 409
        assert engravings(late_answer.text) == [engraving]
        assert re.search(rf'<a class="button primary" href="{table}">Watch</a>', late_answer.text)
        assert hugo.get(table).status_code == 200
        missing_page = hugo.get("/nowhere").text
        assert len(engravings(missing_page)) == 1
        assert "eyebrow" not in missing_page


def test_a_full_table_without_spectators_offers_no_way_to_watch(ada: Visitor, server: Server) -> None:
    table = ada.table("me", "link", "bot:easy", watch="off")
    invitation = re.findall(r'id="invite-links".*?(/join/[\w.-]+)', ada.get(table).text, re.DOTALL)[0]
    with Visitor(server) as grace, Visitor(server) as hugo:
        assert grace.submit(invitation, name="Grace").status_code == 303
        late_answer = hugo.get(invitation)
    assert late_answer.status_code == 409
    assert table not in late_answer.text
    assert "Watch" not in late_answer.text


def test_every_game_in_the_lobby_has_a_picture_in_the_colours_of_the_page(ada: Visitor) -> None:
    plates = engravings(ada.get("/").text)
    assert len(set(plates)) == len(game_modules())
    for address in plates:
        answer = ada.get(address)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert len(answer.content) < 20_000
        assert not re.search(r"<style|style=|<script|<text|<image|url\(", answer.text)
        picture_markup = answer.text.partition("<g ")[2]
        assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', picture_markup)) <= {
            "none",
            "currentColor",
            "var(--sheet, #fbf6e9)",
        }


def test_presets_of_a_new_table_fill_the_seats(ada: Visitor) -> None:
    for form, names in (
        ({"players": "3", "how": "link"}, ["Ada", "", ""]),
        (
            {"players": "4", "how": "here", "player-1": "Ben", "player-3": "Cleo"},
            ["Ada", "Ben", THIRD_PLAYER, "Cleo"],
        ),
        (
            {"players": "4", "how": "link", "seat-1": "bot:easy", "seat-3": "bot:expert"},
            ["Ada", "Gustave", "", "Leopold"],
        ),
        # What was chosen for a seat that is no longer listed does not count.
        ({"players": "3", "how": "link", "seat-1": "bot:easy", "seat-3": "bot:expert"}, ["Ada", "Gustave", ""]),
    ):
        response = ada.submit("/new/paris-connection", **{"name": "Ada", **form})
        assert response.status_code == 303, response.text
        assert [seat["name"] for seat in ada.state(response.headers["location"])["seats"]] == names
    for form in ({"players": "7", "how": "link"}, {"players": "-1"}, {"players": "3", "how": "reserved"}):
        assert ada.submit("/new/paris-connection", **{"name": "Ada", **form}).status_code == 422


def test_options_of_a_new_table_name_the_rulebook_of_each_choice(ada: Visitor) -> None:
    page = html.unescape(ada.get("/new/era-of-inventions").text)
    options = game("era-of-inventions").options
    books = {value: str(book) for option in options for value, book in option.rulebook_editions}
    countries = [("each action", ["German"]), ("each turn", ["Dutch"]), ("disc", ["German"])]
    countries += [("action carried out", ["Dutch", "French"]), ("when needed", ["Dutch", "French"])]
    countries += [("when the last is drawn", ["German"])]
    assert [
        (value, [country for country in ("Dutch", "French", "German") if country in book])
        for value, book in books.items()
    ] == countries
    labels = {value: str(label) for option in options for value, label in option.choices}
    assert re.findall(r'<p class="rules-link">(.*?)</p>', page) == [
        f"{books[value]}: {labels[value]}" for value, _ in countries
    ]


def test_older_tables_are_on_further_pages_of_the_lobby(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as ben:
        paths = [ada.table("me", "open", "open")]
        seats = {f"seat-{number}": kind for number, kind in enumerate(("me", "open", "open"))}
        form = {"token": ada.token(), **seats}
        paths += [ada.post("/new/paris-connection", data=form).headers["location"] for _ in range(MAX_ROWS + 1)]
        for visitor, name in ((ada, "mine"), (ben, "open")):
            lobby = visitor.get("/").text
            assert not any(f'href="{path}"' in lobby for path in paths[:2])
            assert f'href="/tables/{name}?from={MAX_ROWS}"' in lobby
            further = visitor.get(f"/tables/{name}?from={MAX_ROWS}").text
            assert re.findall(r'<li[^>]*><a href="([^"]+)"', further) == paths[1::-1]
            assert f'href="/tables/{name}?from=' not in further
        assert re.findall(r'<li[^>]*><a href="([^"]+)"', ada.get("/tables/open").text) == [], "they are her own"
        assert ben.get("/tables/mine").status_code == ben.get("/tables/finished?from=7").status_code == 200
        assert ben.get("/tables/other").status_code == 404
        assert ben.get("/tables/open?from=-1").status_code == 400


def test_a_lobby_full_of_waiting_tables_links_to_the_remaining_tables(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada:
        seats = {"here-1": "Ben", "here-2": "Cleo"}
        path = ada.table("me", "here", "here", **seats)
        form = {"token": ada.token(), "seat-0": "me", "seat-1": "here", "seat-2": "here", **seats}
        for _ in range(MAX_ROWS):
            ada.post("/new/paris-connection", data=form)
        lobby = ada.get("/").text
        cards, _, lines = lobby.partition('id="my-turn-title"')[2].partition('id="more-turns"')
        rows = [part.count('<li class="is-my-turn">') for part in (cards, lines)]
        assert rows == [2, MAX_ROWS - 2], "from the third on, a table is a line"
        assert f'href="{path}"' not in lobby
        assert f'href="/tables/mine?from={MAX_ROWS}"' in lobby


@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False])
def test_the_form_of_a_new_table_lists_a_seat_for_each_player(server: Server, open_page: Person, script: bool) -> None:
    page = open_page(viewport=DESK, java_script_enabled=script)
    page.goto(f"{server.address}/new/era-of-inventions")
    page.locator("#table-options > summary").click()
    for players in (3, 5, 4):
        page.locator(f'[name="players"][value="{players}"]').check()
        expect(page.locator(".seats .field:visible")).to_have_count(players)
        expect(page.locator(f"#seat-{players - 1}")).to_be_visible()


@pytest.mark.browser
def test_two_clicks_in_the_lobby_open_a_table_for_friends(server: Server, open_page: Person, ada: Visitor) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{server.address}/")
    cards = page.locator("#game-cards").inner_html()
    ada.table("me", "open", "open", name="Ada the Twenty-first")
    expect(page.get_by_text("Ada the Twenty-first")).to_be_visible()
    assert page.locator("#game-cards").inner_html() == cards  # what is pushed leaves them as they are
    expect(page.locator(".bot-trio:visible")).to_have_count(1)
    page.locator('#play-with-friends a[href="/new/legendary-inventors?how=here"]').click()
    page.fill("#name", "Grace")
    page.locator('[name="players"][value="3"]').check()
    expect(page.locator(".players .field:visible")).to_have_count(2)
    page.fill("#player-1", "Mary")
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")
    expect(page.locator("#player-list")).to_contain_text("Mary")
    expect(page.locator("#player-list")).to_contain_text(THIRD_PLAYER)


def test_a_running_game_is_listed_in_the_lobby_with_a_picture_and_a_button(
    running_table: tuple[str, list[Visitor]], ada: Visitor
) -> None:
    path, people = running_table
    open_table = ada.table("me", "open", "open")
    for player in people:
        row = re.search(rf'<li[^>]*><a href="{path}">.*?</li>', player.get("/").text, re.DOTALL)
        assert row
        assert re.search(
            rf'<img class="game-cover" src="{path}/picture[?]v=\d+"\swidth="400" height="240" alt="" loading="lazy"',
            row[0],
        )
        assert re.search('<span class="small">[^<]+</span></a>', row[0])
    row = re.search(rf'<li[^>]*><a href="{open_table}">.*?</li>', ada.get("/").text, re.DOTALL)
    assert row
    assert '<span class="small">' not in row[0]
    assert '<svg class="game-cover"' in row[0]  # the cover, until the game begins


def watched(visitor: Visitor) -> list[str]:
    """Return the paths of the tables that the lobby offers to watch."""
    section = visitor.get("/").text.partition('id="running-tables"')[2].partition("</section>")[0]
    return re.findall(r'<a href="([^"]+)">', section)


def test_the_lobby_offers_to_watch_running_games_of_public_tables_only(
    ada: Visitor, grace: Visitor, mary: Visitor, server: Server
) -> None:
    private_paths = []
    for kind, watch in (("open", "off"), ("open", "link"), ("link", "open")):
        private_paths.append(ada.table("me", kind, "bot:random", watch=watch))
        share = r'data-action="invite" data-share-url="[^"]*" data-copy-url="([^"]+)'
        links = re.findall(share, ada.get(private_paths[-1]).text) if kind == "link" else []
        assert grace.submit([*links, f"{private_paths[-1]}/sit"][0], name="Grace").status_code == 303
    path = ada.table("me", "open", "bot:random")
    with Visitor(server) as stranger:
        assert path not in watched(stranger), "it waits for a player"
        assert grace.sit(path, "Grace").status_code == 303
        assert path in watched(stranger)
        assert path in watched(mary)
        assert path not in watched(grace), "among her own tables"
        assert not set(private_paths) & set(watched(stranger))
        picture = f'<a href="{path}"><img class="game-cover" src="{path}/picture"'
        assert picture in stranger.get("/").text, "without a version, so that no move pushes the lobby"
        assert stranger.get(f"{path}/picture").headers["content-type"].startswith("image/svg+xml")
        assert stranger.get(path).status_code == 200
        assert ada.submit(f"{path}/consent/ask-abort").status_code == 303
        assert grace.submit(f"{path}/consent/agree-abort").status_code in (303, 409)
        assert path not in watched(stranger), "over"


AGO = {"en": "2 hours ago", "de": "vor 2 Stunden", "fr": "il y a 2 heures", "nl": "2 uur geleden"}


@pytest.mark.browser
def test_the_lobby_says_how_long_ago_the_last_move_was(server: Server, open_page: Person) -> None:
    for language, text in AGO.items():
        with Visitor(server, language) as visitor:
            visitor.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
            page = open_page(viewport=DESK)
            let_in(page.context, visitor)
        page.clock.install(time=time.time() + 2.5 * 3600)
        page.goto(f"{server.address}/")
        last_time = page.locator(".my-turn time")
        expect(last_time).to_have_text(text)
        exact = last_time.get_attribute("title") or ""
        page.clock.fast_forward(8 * 24 * 3600 * 1000)
        expect(last_time).to_have_text(exact)


@pytest.mark.browser
@pytest.mark.parametrize("screen", [DESK, PHONES[0]])
def test_a_game_waiting_for_the_visitor_is_listed_beside_its_picture(
    server: Server, open_page: Person, screen: ViewportSize
) -> None:
    with Visitor(server) as visitor:
        visitor.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
        page = open_page(viewport=screen)
        let_in(page.context, visitor)
        page.goto(f"{server.address}/")
        wait_for_true(page, "() => document.querySelector('.my-turn img').naturalWidth === 400")
        boxes = [page.locator(f".my-turn {part}").bounding_box() for part in (".game-cover", ".game-name")]
    plate, name = (box for box in boxes if box)
    assert 0 < name["x"] - plate["x"] - plate["width"] < 40
    assert plate["y"] - name["height"] < name["y"] < plate["y"] + plate["height"]


@pytest.mark.browser
def test_on_a_phone_waiting_tables_are_folded_and_stay_so(server: Server, open_page: Person) -> None:
    with Visitor(server) as visitor:
        for _ in range(3):
            visitor.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
        page = open_page(viewport=PHONES[0])
        let_in(page.context, visitor)
        page.goto(f"{server.address}/")
        row, fold = page.locator("#more-turns .tables"), page.locator("#more-turns > .expand-button")
        expect(row).to_be_visible()
        expect(fold).to_have_attribute("aria-expanded", "true")
        fold.click()
        expect(row).to_be_hidden()
        page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:page-updated'))")
        expect(row).to_be_hidden()
        fold.click()
        expect(row).to_be_visible()


def lobby_version(visitor: Visitor) -> str:
    """Return the version of the lobby on a visitor's page."""
    found = re.search(r'data-topic="lobby"[^>]* data-version="(\d+)"', visitor.get("/").text)
    assert found
    return found.group(1)


@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.parametrize("is_public", [True, False])
def test_the_removal_of_a_person_changes_the_lobby_of_those_only_who_saw_their_tables(
    own_server: Callable[..., Server], is_public: bool, is_named: bool
) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as eve, Visitor(server) as zoe:
        path = ada.table("me", "link", "open" if is_public else "link", name="Ada Lovelace")
        links = re.findall(r'href="(/join/[^"]+)">Invite link for seat', ada.get(path).text)
        assert ben.submit(links[0], name="Ben").status_code == 303
        zoe.table("me", "link", "link", name="Zoe")
        if is_named:
            eve.table("me", "link", "link", name="Eve")
        before = {visitor: lobby_version(visitor) for visitor in (ben, eve)}
        assert zoe.submit("/me/leave", sure="on").status_code == 200
        for visitor, version in before.items():
            assert visitor.get(f"/changes?watch=lobby@{version}").status_code == 204, "they knew nothing of Zoe's"
        assert ada.submit("/me/leave", sure="on").status_code == 200
        answers = [visitor.get(f"/changes?watch=lobby@{version}") for visitor, version in before.items()]
        assert [answer.status_code for answer in answers] == [200, 200 if is_public else 204]
        assert "Ada Lovelace" not in "".join(answer.text for answer in answers)
