"""Check the page of the people someone plays with: forms, refusals, two worlds, and what strangers get."""

from __future__ import annotations

import asyncio
import html
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from spieltisch import tables
from spieltisch.core.names import LANGUAGES
from spieltisch.features.playmates.rows import Mark, set_mark
from spieltisch.games import game_modules
from spieltisch.live.versions import next_version
from spieltisch.store import Person as KnownPerson
from spieltisch.tables import NewTable
from spieltisch.tables.events import SeatOffer
from spieltisch.web.http.sessions import Visitor as PageVisitor
from spieltisch.web.pages.lobby import LOBBY
from tests.web.conftest import Person
from tests.web.server_inside import House, opened
from tests.web.server_inside import person as owner
from tests.web.servers import Server
from tests.web.visitors import SHORT, Visitor, let_in, table_of_three, trade_on

JSON = {"Accept": "application/json"}


def finished(ada: Visitor, grace: Visitor, mary: Visitor) -> str:
    """Play a game of three to its end; return its path."""
    path, people = table_of_three(ada, grace, mary, **SHORT)
    trade_on(people, path, None)
    return path


def key_of(visitor: Visitor, name: str) -> str:
    """Return the key of a person on a visitor's page."""
    found = re.search(rf'name="with-([^"]+)"[^>]*> <b translate="no">{name}</b>', visitor.get("/people").text)
    assert found, name
    return html.unescape(found.group(1))


def without_chance(text: str) -> str:
    """Return an answer without what differs between any two servers: ids, tokens, times and digests."""
    return re.sub(r"[\w=-]{12,}|\d+", "*", text)


def test_people_invite_each_other_again_and_play_another_game_after_a_game(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        path = finished(ada, grace, mary)
        again = ada.submit("/people/invite", invite=key_of(ada, "Grace"))
        assert again.status_code == 303
        assert [(seat["kind"], seat["name"]) for seat in ada.state(again.headers["location"])["seats"]][:2] == [
            ("person", "Ada"),
            ("reserved", "Grace"),
        ]
        assert again.headers["location"] in grace.get("/").text
        assert again.headers["location"] not in mary.get("/").text
        assert f'href="/people?table={path.rpartition("/")[2]}"' in ada.get(f"{path}/end").text
        page = ada.get(f"/people?table={path.rpartition('/')[2]}").text
        chosen = dict.fromkeys(re.findall(r'name="(with-[^"]+)" checked', page), "on")
        assert len(chosen) == 2
        other = ada.submit("/people/invite", game="era-of-inventions", **chosen)
        state = ada.state(other.headers["location"])
        assert state["game"] == "era-of-inventions"
        assert {seat["name"] for seat in state["seats"]} == {"Ada", "Grace", "Mary"}
        for friend, name in ((grace, "Grace"), (mary, "Mary")):
            assert friend.sit(other.headers["location"], name).status_code == 303
        assert {seat["kind"] for seat in ada.state(other.headers["location"])["seats"]} == {"person"}


def answers_to_ada(server: Server, word: str) -> list[tuple[int, str]]:
    """Return all that Ada gets in a world in which Grace has marked her by a word."""
    with Visitor(server) as ada, Visitor(server, address="127.0.0.2") as grace, Visitor(server) as mary:
        path = finished(ada, grace, mary)
        assert grace.submit("/people/mark", **{word: key_of(grace, "Ada")}).status_code == 303
        key = key_of(ada, "Grace")
        answers = [ada.submit("/people/invite", invite=key) for _ in range(2)]
        answers.append(ada.submit(f"{path}/rematch"))
        answers += [ada.get(answers[0].headers["location"]), ada.get(answers[2].headers["location"])]
        answers += [ada.get("/people"), ada.get(answers[0].headers["location"], headers=JSON)]
        answers.append(ada.post("/people/invite", data={"token": ada.token(), "invite": key}, headers=JSON))
        answers.append(ada.submit("/people/invite", **{f"with-{key}": "on"}, game="paris-connection", bots="9"))
        own_tables = re.findall(r'<section class="my-tables\b.*?</section>', ada.get("/").text, re.DOTALL)
        assert len(own_tables) == 1
    seen = [(answer.status_code, without_chance(answer.text)) for answer in answers]
    return [*seen, (200, without_chance(own_tables[0]))]


def test_each_answer_to_a_blocked_sender_is_the_same_as_to_others(tmp_path: Path) -> None:
    worlds = []
    for word in ("clear", "block", "mute"):
        server = Server(tmp_path / word, "--limit", "invitations_per_hour=2")
        try:
            worlds.append(answers_to_ada(server, word))
        finally:
            server.stop(signal.SIGKILL)
    assert [status for status, _ in worlds[0]][-3:-1] == [429, 429], "the limit is reached"
    assert worlds[0] == worlds[1]
    assert worlds[0] == worlds[2]


def test_a_seat_that_is_kept_for_someone_takes_no_room_from_their_own(own_server: Callable[..., Server]) -> None:
    """Otherwise others could keep so many seats for a person that they may take none, not even those."""
    server = own_server("--limit", "seats_per_person=1")
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        finished(ada, grace, mary)
        kept = ada.submit("/people/invite", invite=key_of(ada, "Grace")).headers["location"]
        again = mary.submit("/people/invite", invite=key_of(mary, "Grace")).headers["location"]
        assert grace.sit(kept, "Grace").status_code == 303
        assert grace.sit(again, "Grace").status_code == 409, "one that she has taken counts"


def test_who_takes_a_kept_seat_of_a_blocked_host_finds_that_table_again(own_server: Callable[..., Server]) -> None:
    server = own_server("--limit", "seats_per_person=1")
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        finished(ada, grace, mary)
        kept = ada.submit("/people/invite", invite=key_of(ada, "Grace")).headers["location"]
        assert grace.submit("/people/mark", block=key_of(grace, "Ada")).status_code == 303
        assert kept not in grace.get("/").text
        assert grace.sit(kept, "Grace").status_code == 303
        assert kept in grace.get("/").text
        assert kept.rpartition("/")[2] in grace.get("/me/export").text
        own = grace.submit("/new/paris-connection", **{"seat-0": "me", "seat-1": "link", "seat-2": "link"})
        assert own.status_code == 409, "it is one of her seats"
        assert grace.leave(kept).status_code == 303
        assert kept not in grace.get("/").text, "kept again, and hidden again"


async def blocking(house: House) -> tuple[PageVisitor, KnownPerson, KnownPerson]:
    """Return a visitor who blocks Ada, Ada, and Cleo."""
    visitor = await house.visitor("Ben")
    ada, cleo = owner(await house.visitor("Ada")), owner(await house.visitor("Cleo"))
    mark = Mark(ada.name, is_blocked=True)
    await house.live.store.write(lambda connection: set_mark(connection, owner(visitor).id, ada.id, mark))
    return visitor, ada, cleo


def test_the_version_of_the_lobby_tells_no_one_of_tables_of_a_host_whom_they_block(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            visitor, ada, cleo = await blocking(house)
            ben = owner(visitor)
            offers = {1: SeatOffer("reserved", ben.id, ben.name)}

            async def seen(language: str) -> tuple[int, str]:
                asking = replace(visitor, language=language)
                page = await house.fragments.lobby.page(asking, dict.fromkeys(game_modules(), "easy"), {})
                version = re.search(r'data-version="(\d+)"', page)
                assert version is not None
                return int(version[1]), page

            languages = iter(LANGUAGES)
            known, _ = await seen(next(languages))
            for host, is_shown in ((ada, False), (cleo, True), (ada, False)):
                plan = NewTable("paris-connection", ("me", "reserved", "link"))
                table = await house.live.tables.open(host, plan, reserved=offers)
                version, page = await seen(next(languages))
                assert (version > known) == (table.id in page) == is_shown
                known = version

    asyncio.run(job())


def test_a_table_that_is_hidden_from_who_blocks_its_host_is_not_pushed_to_their_lobby(tmp_path: Path) -> None:
    async def job() -> None:
        async with opened(tmp_path) as house:
            visitor, ada, cleo = await blocking(house)
            ben = owner(visitor)
            offers = {1: SeatOffer("reserved", ben.id, ben.name)}
            plan = NewTable("paris-connection", ("me", "reserved", "link"))
            first = await house.fragments.event(LOBBY, 0, visitor)
            assert first is not None
            known = first[0]
            for host, is_shown in ((ada, False), (cleo, True), (ada, False)):
                table = await house.live.tables.open(host, plan, reserved=offers)
                for _ in range(2):
                    pushed = await house.fragments.event(LOBBY, known, visitor)
                    assert (pushed is not None) == is_shown
                    if pushed is not None:
                        assert table.id in pushed[1].html
                        known = pushed[0]
                    if table.seats[2].kind == "link":
                        table = await house.live.tables.run(table.id, tables.replace_with_bot, host.id, 2, "random")
            await house.live.store.write(lambda connection: set_mark(connection, ben.id, ada.id, None))
            house.live.tables.lobby.grow(next_version(), {ben.id}, is_public=False)
            shown = await house.fragments.event(LOBBY, known, visitor)
            assert shown is not None
            assert table.id in shown[1].html

    asyncio.run(job())


def test_strangers_and_forged_forms_reach_no_one(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary, Visitor(server) as stranger:
        finished(ada, grace, mary)
        key = key_of(ada, "Grace")
        assert stranger.get("/people").status_code == 403
        for path in ("/people/invite", "/people/mark"):
            fields = {"invite": key, "block": key}
            assert stranger.post(path, data={"token": stranger.token(), **fields}).status_code == 403
            assert ada.post(path, data=fields).status_code == 403, "without a token"
            foreign = mary.post(path, data={"token": mary.token(), **fields}, headers=JSON)
            assert (foreign.status_code, foreign.json()["code"]) == (404, "no-person"), "a key is of one viewer"
        assert "Grace" not in stranger.get("/").text
        assert ada.submit("/people/mark").status_code == 404


@pytest.mark.browser
def test_who_is_blocked_is_marked_and_unblocked_on_the_page(
    own_server: Callable[..., Server], open_page: Person
) -> None:
    server, page = own_server(), open_page()
    with Visitor(server) as ada, Visitor(server) as grace, Visitor(server) as mary:
        finished(ada, grace, mary)
        let_in(page.context, ada)
        page.goto(f"{server.address}/people")
        page.locator('[name="block"]').first.click()
        expect(page.locator(".people .tag")).to_have_count(1)
        page.locator('[name="clear"]').click()
        expect(page.locator(".people .tag")).to_have_count(0)
        page.locator('[name="invite"]').first.click()
        expect(page.locator(".seats .seat-kind-reserved")).to_have_count(1)
