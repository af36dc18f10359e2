"""The lobby: first the visitor's turns, then games that start immediately, then tables for friends with two presets;
the rest is under "more".
"""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.games import game_modules
from spieltisch.store.lobby import MAX_ROWS
from spieltisch.tables.bot_characters import BOT_CHARACTERS
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES

ORDER = (
    "my-turn-title",
    "now-title",
    *(f"/new/{key}/now" for key in game_modules()),
    "friends-title",
    "mine-title",
    "open-title",
)


def test_the_lobby_begins_with_my_turn(running: tuple[str, list[Visitor]]) -> None:
    path, people = running
    decides = people[people[0].state(path)["to_decide"]]
    lobby = decides.get("/").text
    places = [lobby.index(part) for part in ORDER]
    assert places == sorted(places)
    assert lobby.index("my-turn-title") < lobby.index(f'href="{path}"') < lobby.index("now-title")
    assert lobby.count(f'href="{path}"') == 1
    assert re.search(r'<h1 id="my-turn-title">\d+ tables? (is|are) waiting for you</h1>', lobby)
    waiting = next(person for person in people if person is not decides).get("/").text
    assert waiting.index("mine-title") < waiting.index(f'href="{path}"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_level_shows_who_will_sit_there(server: Server, language: str) -> None:
    with Visitor(server, language) as visitor:
        lobby = html.unescape(visitor.get("/").text)
        assert visitor.get("/").text.count('class="face"') == 3 * len(BOT_CHARACTERS)
        response = visitor.submit("/new/paris-connection/now", bot="hard")
        names = [seat["name"] for seat in visitor.state(response.headers["location"])["seats"]]
    trio = re.search(r'data-level="hard">(.*?)</ul>', lobby, re.DOTALL)
    assert trio
    assert re.findall(r'<b translate="no">(\w+)</b>', trio[1]) == names[1:] == ["Valentin", "Willem", "Xaver"]


def test_every_game_shows_its_plate_in_the_colours_of_the_page(ada: Visitor) -> None:
    plates = re.findall(r'<use href="(/drawn/\w+\.svg)#plate"', ada.get("/").text)
    assert len(set(plates)) == len(game_modules())
    for address in plates:
        answer = ada.get(address)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert len(answer.content) < 20_000
        assert not re.search(r"<style|style=|<script|<text|<image|url\(", answer.text)
        drawn = answer.text.partition("<g ")[2]
        assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawn)) <= {"none", "currentColor", "var(--sheet, #fbf6e9)"}


def test_the_presets_fill_the_seats(ada: Visitor) -> None:
    for form, names in (
        ({"players": "3", "how": "link"}, ["Ada", "", ""]),
        ({"players": "4", "how": "here", "player-1": "Ben", "player-3": "Cleo"}, ["Ada", "Ben", "Player 3", "Cleo"]),
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


def test_the_set_up_says_which_book_plays_how(ada: Visitor) -> None:
    page = html.unescape(ada.get("/new/era-of-inventions").text)
    assert re.findall(r'<p class="book-of">(.*?)</p>', page) == [
        "German rulebook: per action, bonus disc separate",
        "Dutch rulebook: per turn, bonus disc included",
        "German rulebook: after any of your action discs",
        "Dutch and French rulebooks: only after an action you carried out",
        "Dutch and French rulebooks: when a card is needed",
        "German rulebook: as soon as the last card is drawn",
    ]


def test_an_older_table_is_on_a_further_page(own_server: Callable[..., Server]) -> None:
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
            assert "More tables" not in further
        assert re.findall(r'<li[^>]*><a href="([^"]+)"', ada.get("/tables/open").text) == [], "they are her own"
        assert ben.get("/tables/mine").status_code == ben.get("/tables/finished?from=7").status_code == 200
        assert ben.get("/tables/other").status_code == 404
        assert ben.get("/tables/open?from=-1").status_code == 400


@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False])
def test_only_seats_of_so_many_players_are_listed(server: Server, person: Person, script: bool) -> None:
    page = person(viewport=DESK, java_script_enabled=script)
    page.goto(f"{server.address}/new/era-of-inventions")
    page.locator("#more > summary").click()
    for players in (3, 5, 4):
        page.locator(f'[name="players"][value="{players}"]').check()
        expect(page.locator(".seats .field:visible")).to_have_count(players)
        expect(page.locator(f"#seat-{players - 1}")).to_be_visible()


@pytest.mark.browser
def test_from_the_lobby_to_a_table_for_friends_in_two_clicks(server: Server, person: Person, ada: Visitor) -> None:
    page = person(viewport=DESK)
    page.goto(f"{server.address}/")
    cards = page.locator("#game-cards").inner_html()
    ada.table("me", "open", "open", name="Ada the Twenty-first")
    expect(page.get_by_text("Ada the Twenty-first")).to_be_visible()
    assert page.locator("#game-cards").inner_html() == cards  # what is pushed leaves them as they are
    expect(page.locator(".bot-trio:visible")).to_have_count(1)
    page.locator('.friends a[href="/new/legendary-inventors?how=here"]').click()
    page.fill("#name", "Grace")
    page.locator('[name="players"][value="3"]').check()
    expect(page.locator(".players .field:visible")).to_have_count(2)
    page.fill("#player-1", "Mary")
    page.locator("form.form .primary").click()
    page.wait_for_url("**/table/*")
    expect(page.locator("#people")).to_contain_text("Mary")
    expect(page.locator("#people")).to_contain_text("Player 3")


def test_a_running_game_has_its_picture_and_continue(running: tuple[str, list[Visitor]], ada: Visitor) -> None:
    path, people = running
    open_table = ada.table("me", "open", "open")
    for person in people:
        row = re.search(rf'<li[^>]*><a href="{path}">.*?</li>', person.get("/").text, re.DOTALL)
        assert row
        assert re.search(
            rf'<img class="plate-of" src="{path}/picture[?]v=\d+" width="400" height="240" alt="" loading="lazy"',
            row[0],
        )
        assert ">Continue</span></a>" in row[0]
    row = re.search(rf'<li[^>]*><a href="{open_table}">.*?</li>', ada.get("/").text, re.DOTALL)
    assert row
    assert "Continue" not in row[0]
    assert '<svg class="plate-of"' in row[0]  # the cover, until the game begins


AGO = {"en": "2 hours ago", "de": "vor 2 Stunden", "fr": "il y a 2 heures", "nl": "2 uur geleden"}


@pytest.mark.browser
def test_the_lobby_says_how_long_ago_the_last_move_was(server: Server, person: Person) -> None:
    for language, text in AGO.items():
        with Visitor(server, language) as visitor:
            visitor.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
            page = person(viewport=DESK)
            let_in(page.context, visitor)
        page.clock.install(time=time.time() + 2.5 * 3600)
        page.goto(f"{server.address}/")
        last = page.locator(".my-turn time")
        expect(last).to_have_text(text)
        exact = last.get_attribute("title") or ""
        page.clock.fast_forward(8 * 24 * 3600 * 1000)
        expect(last).to_have_text(exact)


@pytest.mark.browser
@pytest.mark.parametrize("screen", [DESK, PHONES[0]])
def test_what_waits_for_me_stands_beside_its_picture(server: Server, person: Person, screen: ViewportSize) -> None:
    with Visitor(server) as visitor:
        visitor.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
        page = person(viewport=screen)
        let_in(page.context, visitor)
        page.goto(f"{server.address}/")
        page.wait_for_function("document.querySelector('.my-turn img').naturalWidth === 400")
        boxes = [page.locator(f".my-turn {part}").bounding_box() for part in (".plate-of", ".game")]
    plate, name = (box for box in boxes if box)
    assert 0 < name["x"] - plate["x"] - plate["width"] < 40
    assert plate["y"] - name["height"] < name["y"] < plate["y"] + plate["height"]
