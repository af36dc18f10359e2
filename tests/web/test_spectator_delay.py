"""Check that spectators with a delay get the same bytes whatever was played since, also to hostile requests."""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from difflib import unified_diff
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from litestar.handlers import HTTPRouteHandler

from spieltisch import game, tables
from spieltisch.features.chat.commands import ChatReader, readable_rooms, writable_rooms
from spieltisch.features.chat.pages import chat_reader
from spieltisch.features.chat.service import TOPIC as CHAT
from spieltisch.features.chat.service import Chat
from spieltisch.features.planned_turns.service import TOPIC as PLANS
from spieltisch.live import Live
from spieltisch.live.server_clock import ServerClock
from spieltisch.store import ComponentSet, Person, Preferences, Store, component_sets, people
from spieltisch.store.schema import DATABASE
from spieltisch.tables import Event, NewTable, RecordedEvent, Table, TableSettings
from spieltisch.tables.spectator_delay import at_version
from spieltisch.tables.table_settings import DAY, HOUR, MINUTE, UNTIL_END, WATCH_DELAYS
from spieltisch.web.app import ROUTES
from spieltisch.web.http.stream import END
from spieltisch.web.pages.perspectives import view_of
from spieltisch.web.pages.shared_replay import LED
from spieltisch.web.pages.table_settings import DELAY_TEXTS, SPECTATOR_TEXTS
from spieltisch.web.pages.table_viewers import VIEWERS
from tests.async_wait import wait
from tests.live.live_fixture import move, play
from tests.paths import ROOT
from tests.tables.harness import setup
from tests.tiers import first_alone
from tests.web.server_inside import opened
from tests.web.server_inside import person as owner
from tests.web.servers import Server, running_server
from tests.web.table_addresses import ADDRESSES
from tests.web.visitors import Visitor, first_events

SECRET = bytes(32)
KEYS = {"one-day": 1440, "until-end": UNTIL_END}
"""The ids of the tables at each server, with their delays."""
SEEN_MOVES = 7
WORLDS = (1, 4)
"""The number of moves that spectators do not see yet, in each world."""
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Eve")
"""The players, Dora, who has opened the tables and has no seat, and Eve, a stranger."""
JSON = {"Accept": "application/json"}
STEP = {"HX-Request": "true"}
VARYING = re.compile(rb"[\w-]{40,}\.[\w-]{27}|(?<=data-version=\")\d{13}|(?<=\"version\":)\d{13}|(?<=@)\d{13}")
"""Signed links, and versions that are times."""


class World(NamedTuple):
    """A server with the tables, the sessions of `NAMES`, and the version that spectators and players see."""

    server: Server
    sessions: tuple[str, ...]
    seen: int
    newest: int

    def visitor(self, session: str) -> Visitor:
        visitor = Visitor(self.server)
        visitor.cookies.set("session", session)
        return visitor


def made_table(key: str, seated: list[Person], unseen: int, now: float) -> Table:
    """Return a table of which spectators see the first `SEEN_MOVES` moves, and not the `unseen` ones after them."""
    rules = game("paris-connection")
    charter = TableSettings("days", turn_time=24 * HOUR, watch_delay=KEYS[key])
    plan = NewTable(rules.key, ("open", "open", "open"), charter=charter)

    def fold(events: list[Event]) -> Table:
        recorded = [RecordedEvent(version, now - 2 * DAY, event) for version, event in enumerate(events, 1)]
        return tables.fold(key, SECRET, recorded, setup)

    events = list(tables.open_table(plan, rules, rules.components, seated[3], SECRET))
    for person in seated[:3]:
        events += tables.sit(fold(events), person)
    table = fold(events)
    for number in range(SEEN_MOVES + unseen):
        at = now - (2 * DAY if number < SEEN_MOVES else HOUR + MINUTE * (unseen if key == "one-day" else 5 - unseen))
        assert table.position is not None
        assert table.to_decide is not None
        played = table.position.legal_moves[0 if number < SEEN_MOVES else -unseen]
        event = tables.move_event(table, table.to_decide, str(played))
        table = tables.apply(table, [RecordedEvent(table.version + 1, at, event)])
    return table


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[list[World]]:
    folder, now = tmp_path, time.time()
    common = folder / "common"
    common.mkdir()
    with ExitStack() as servers:
        store = Store(common / DATABASE)
        try:
            added = [wait(people.add(store, name, "en", Preferences(), now - HOUR)) for name in NAMES]
            wait(component_sets.add(store, ComponentSet.of(game("paris-connection").components, now - HOUR)))
            for name in ("link", "address", "recovery"):
                wait(store.get_setting(f"{name} key"))
        finally:
            wait(store.close())
        found = []
        for number, unseen in enumerate(WORLDS):
            place = folder / str(number)
            shutil.copytree(common, place)
            store = Store(place / DATABASE)
            try:
                for key in KEYS:
                    table = made_table(key, [person for person, _ in added], unseen, now)
                    deal = at_version(table, table.version - SEEN_MOVES - unseen)
                    for state, first in ((deal, 0), (table, deal.version)):
                        lines = [(event.at, tables.encode(event.event)) for event in state.events[first:]]
                        if first:
                            wait(store.append(key, first, lines, state.summary()))
                        else:
                            wait(store.create(key, state.game.key, b"", lines, state.summary()))
            finally:
                wait(store.close())
            server = servers.enter_context(running_server(place))
            found.append(World(server, tuple(key for _, key in added), table.version - unseen, table.version))
        assert len({world.seen for world in found}) == 1
        with found[1].visitor(found[1].sessions[0]) as ada:
            for key in KEYS:
                for path, fields in (
                    ("chat", {"room": "table", "text": "My best move yet"}),
                    ("replay/lead", {"at": "1"}),
                ):
                    assert ada.submit(f"/table/{key}/{path}", **fields).status_code in (200, 303)
        yield found


def without_recent(found: re.Match[bytes]) -> bytes:
    """Return an element with a time; b"" if the time is that of the test, such as that of a message."""
    seconds = time.time() - datetime.fromisoformat(found[1].decode()).timestamp()
    return b"" if abs(seconds) < HOUR / 2 else found[0]


def normalized(content: bytes, world: World) -> bytes:
    """Return content without what always differs between two servers."""
    content = VARYING.sub(b"", content.replace(world.server.address.encode(), b""))
    return re.sub(rb"<time[^>]*datetime=\\?\"([^\"\\]+)[^>]*>[^<]*</time>", without_recent, content)


class Sent(NamedTuple):
    """All that a visitor can tell two worlds apart by."""

    status: int
    headers: tuple[tuple[str, bytes], ...]
    content: bytes


def differences(answers: list[Sent]) -> list[object]:
    """Return the status, the headers and the lines in which two answers differ."""
    first, second = answers
    if first == second:
        return []
    one, other = (answer.content.decode(errors="replace").splitlines() for answer in answers)
    return [first[:2], second[:2], *unified_diff(one, other, n=0)]


def sent(answer: httpx.Response, world: World) -> Sent:
    """Return an answer without what always differs between two servers."""
    headers = tuple(
        (name, normalized(value.encode(), world))
        for name, value in sorted(answer.headers.multi_items())
        if name not in ("date", "delta-tag", "request-id", "content-length")
    )
    content = re.sub(rb"/drawn/[\w.-]+", b"", normalized(answer.content, world))
    return Sent(answer.status_code, headers, content)


def hostile_requests(worlds: list[World], key: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield method, address and headers of requests about a table."""
    versions = sorted({world.seen for world in worlds} | {world.newest for world in worlds})
    steps = sorted({0, *(version - worlds[0].seen + SEEN_MOVES for version in versions)})
    asked = ((method, address) for method, address in ADDRESSES if method in ("GET", "HEAD", "POST"))
    yield from ((method, address.format(id=key), {}) for method, address in asked)
    pages = ("", "/replay", "/replay?as=1", "/log", "/record", "/chat", "/clock", "/plan", "/picture", "/end", "/since")
    for page, headers in product(pages, (JSON, STEP)):
        yield "GET", f"/table/{key}{page}", headers
    for step in steps:
        yield "GET", f"/table/{key}/replay?at={step}&since={step}", STEP
        yield "GET", f"/table/{key}/replay?at={step}&as=all", {}
    with ExitStack() as stack:
        players = [stack.enter_context(world.visitor(world.sessions[0])) for world in worlds]
        tags = [player.get(f"/table/{key}/picture").headers["etag"] for player in players]
        bases = [
            player.get(f"/table/{key}/replay?at={SEEN_MOVES}", headers=STEP).headers["delta-tag"] for player in players
        ]
    for version, tag in product(versions, (*tags, "*", "")):
        yield "GET", f"/table/{key}/picture?v={version}", {"If-None-Match": tag}
        yield "HEAD", f"/table/{key}/picture?v={version}", {"If-None-Match": tag}
    for base in (*bases, "x"):
        yield "GET", f"/table/{key}/replay?at={SEEN_MOVES}", {**STEP, "Delta-Base": base}
        yield "GET", f"/table/{key}", {**STEP, "Delta-Base": base, "If-None-Match": f'"{base}"'}


def pushed(visitor: Visitor, world: World, known: int) -> bytes:
    """Return what a stream sends of both tables and, at its end, of the lobby."""
    kinds = ("", CHAT, PLANS, END, LED, VIEWERS)
    topics = [f"{kind}{key}@{known}" for key in KEYS for kind in kinds]
    text = first_events(visitor, topics)
    return re.sub(rb"/drawn/[\w.-]+", b"", normalized(text, world))


def compare_lists(visitors: list[Visitor], worlds: list[World]) -> None:
    """Compare the pages that list tables, and what streams send of them."""
    pages = ("/", "/offline", "/me/history", "/tables/mine", "/tables/open", "/me/data")
    for page in pages:
        answers = [sent(visitor.get(page), world) for visitor, world in zip(visitors, worlds, strict=True)]
        assert not differences(answers), page
    for known in (0, worlds[0].seen, worlds[0].newest, worlds[1].newest):
        streams = [pushed(visitor, world, known) for visitor, world in zip(visitors, worlds, strict=True)]
        assert streams[0] == streams[1], known
        changes = [
            sent(visitor.get("/changes", params={"watch": [f"{key}@{known}" for key in KEYS]}), world)
            for visitor, world in zip(visitors, worlds, strict=True)
        ]
        assert not differences(changes), known


@pytest.mark.parametrize("attacker", first_alone("Dora", ["Dora", "Eve", ""], "fuzz"))
def test_moves_since_the_delay_change_no_answer_to_people_without_a_seat(worlds: list[World], attacker: str) -> None:
    with ExitStack() as stack:
        if attacker:
            session = worlds[0].sessions[NAMES.index(attacker)]
        else:
            found = stack.enter_context(Visitor(worlds[0].server))
            found.get("/")
            session = found.cookies["session"]
        visitors = [stack.enter_context(world.visitor(session)) for world in worlds]
        tokens = [visitor.token() for visitor in visitors]
        compare_lists(visitors, worlds)
        for key in KEYS:
            for method, address, headers in hostile_requests(worlds, key):
                answers = []
                for visitor, token, world in zip(visitors, tokens, worlds, strict=True):
                    options: dict[str, Any] = {"headers": headers}
                    if method == "POST":
                        fields = {
                            "seat": "0",
                            "move": "done",
                            "version": str(worlds[0].newest),
                            "room": "watch",
                            "text": "Hello",
                        }
                        options["data"] = {"token": token, **fields}
                    answers.append(sent(visitor.request(method, address, **options), world))
                assert not differences(answers), (method, address, headers)
        compare_lists(visitors, worlds)


def test_one_place_decides_what_people_without_a_seat_see() -> None:
    """Test that nothing but `view_of` and the count of viewers makes a perspective, and which forms are open."""
    modules = {
        str(path.relative_to(ROOT / "src/spieltisch"))
        for path in (ROOT / "src/spieltisch").rglob("*.py")
        if "perspective_of(" in path.read_text()
    }
    assert modules == {"web/pages/perspectives.py", "web/pages/table_viewers.py"}
    forms = {
        path.removeprefix("/table/{table_id:str}/")
        for route in ROUTES
        if isinstance(route, HTTPRouteHandler) and route.opt.get("open_to_spectators")
        for path in route.paths
    }
    of_seats = {"sit", "leave", "renew-table-link", "renew-spectators", "renew/{seat:str}", "reclaim/{seat:str}"}
    of_host = {"replace/{seat:str}/{bot:str}", "reclaim/{seat:str}/cancel"}
    of_chat = {"report", "chat", "chat/greeting", "chat/{room:str}/{number:str}/{action:str}"}
    assert forms == of_seats | of_host | of_chat


def test_the_delay_is_chosen_with_the_table_and_shown_to_all(server: Server, ada: Visitor) -> None:
    with Visitor(server) as grace, Visitor(server) as stranger:
        form = ada.get("/new/paris-connection").text
        assert re.findall(
            r'<option value="(\w+)"', form.partition('name="watch_delay"')[2].partition("</select>")[0]
        ) == [*WATCH_DELAYS]
        path = ada.table("me", "open", "bot:random", watch_delay="15")
        told = str(DELAY_TEXTS[15])
        links = set(re.findall(r"/join/[\w.-]+", ada.get(path).text))
        invitations = [text for link in links if "seat-form" in (text := grace.get(link).text)]
        assert invitations
        assert all(told in text for text in (grace.get(path).text, *invitations))
        note = str(SPECTATOR_TEXTS[15])
        assert note not in stranger.get(path).text, "there is nothing to see yet"
        assert grace.sit(path, "Grace").status_code == 303
        assert told in ada.get(path).text
        answer = stranger.post(f"{path}/what-if", data={"token": stranger.token()}, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")
        for page in (path, f"{path}/clock"):
            assert (note in stranger.get(page).text) == (page == path)
        answer = ada.submit(
            "/new/paris-connection", **{"seat-0": "me", "seat-1": "open", "watch_delay": "7"}, name="Ada"
        )
        assert answer.status_code == 422


def test_a_stream_sends_a_move_to_spectators_when_its_delay_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    age = 0.0
    monkeypatch.setattr(ServerClock, "seconds_since", lambda clock, at: age)

    async def main() -> None:
        nonlocal age
        async with opened(tmp_path) as house:
            ada, stranger = await house.visitor("Ada"), await house.visitor()
            plan = NewTable(
                "paris-connection", ("me", "bot:random", "bot:random"), charter=TableSettings(watch_delay=5)
            )
            table = await house.live.tables.open(owner(ada), plan)
            start = await house.fragments.event(table.id, 0, stranger)
            assert start is not None
            assert start[0] == table.version
            moved, due = await move(house.live, table), asyncio.Event()
            publish = house.live.publish

            def hear(topic: str, person: str | None) -> None:
                publish(topic, person)
                if topic == table.id:
                    due.set()

            monkeypatch.setattr(house.live, "publish", hear)
            age = 5 * MINUTE - 0.01  # also at the first look after the move, which sets the timer
            chat_event = await house.fragments.event(f"{CHAT}{table.id}", 0, stranger)
            assert chat_event is not None
            chat, before = house.live.service(Chat), chat_event[0]
            reader = ChatReader(owner(ada).id, 0, is_host=True, is_player=True)
            await chat.post(moved, reader, "Ada", "table", "My best move yet")
            assert await house.fragments.event(f"{CHAT}{table.id}", before, stranger) is None
            assert await house.fragments.event(f"{CHAT}{table.id}", before, ada) is not None
            assert await house.fragments.event(table.id, table.version, stranger) is None
            to_ada = await house.fragments.event(table.id, table.version, ada)
            assert to_ada is not None
            assert to_ada[0] == moved.version
            age = 5 * MINUTE
            await asyncio.wait_for(due.wait(), 60)
            event = await house.fragments.event(table.id, table.version, stranger)
            assert event is not None
            assert event[0] == moved.version

    asyncio.run(main())


def test_players_see_the_game_as_it_is_and_others_as_it_was(worlds: list[World]) -> None:
    with ExitStack() as stack:
        players = [stack.enter_context(world.visitor(world.sessions[0])) for world in worlds]
        strangers = [stack.enter_context(Visitor(world.server)) for world in worlds]
        for key, delay in KEYS.items():
            states = [player.state(f"/table/{key}") for player in players]
            assert states[1]["version"] - states[0]["version"] == WORLDS[1] - WORLDS[0]
            assert states[0]["to_decide"] != states[1]["to_decide"]
            for stranger, world in zip(strangers, worlds, strict=True):
                seen = world.seen - (SEEN_MOVES if delay == UNTIL_END else 0)
                assert stranger.state(f"/table/{key}")["version"] == seen
                assert str(SPECTATOR_TEXTS[delay]) in stranger.get(f"/table/{key}").text


def test_who_took_a_seat_during_the_delay_reads_no_messages_of_spectators(tmp_path: Path) -> None:
    async def job(live: Live, ada: Person, ben: Person) -> None:
        plan = NewTable("paris-connection", ("me", "link", "bot:random"), charter=TableSettings(watch_delay=UNTIL_END))
        table = await live.tables.open(ada, plan)
        table = await live.tables.run(table.id, tables.sit, ben, by_link=True)
        await live.tables.run(table.id, tables.leave, ben.id)
        late, _ = await live.people.create("Late")
        await live.tables.sit(table.id, late, 1, by_link=True)
        await live.tables.run(table.id, tables.leave, late.id)
        table = await live.tables.run(table.id, tables.replace_with_bot, ada.id, 1, "random")
        rooms = {}
        for name, person_id in (("Ada", ada.id), ("Ben", ben.id), ("Late", late.id), ("", None)):
            seen, perspective = await view_of(live, table, person_id)
            reader = chat_reader(seen, perspective, person_id)
            rooms[name] = readable_rooms(seen, reader), writable_rooms(seen, reader)
        assert rooms["Ada"] == (("table", "note"), ("table", "note"))
        assert rooms["Ben"] == rooms["Late"] == (("note",), ("note",))
        assert rooms[""] == (("watch",), ())

    play(tmp_path, job)
