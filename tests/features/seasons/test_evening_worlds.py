"""Check that nothing a visitor can ask for depends on what is played at another table of the same deal."""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import pytest

from spieltisch.features import FEATURES
from spieltisch.features.chat.service import TOPIC as CHAT
from spieltisch.features.groups.service import Groups
from spieltisch.features.planned_turns.service import TOPIC as PLANS
from spieltisch.features.seasons.service import TOPIC as SEASON
from spieltisch.features.seasons.service import Seasons
from spieltisch.live import Live
from spieltisch.store.schema import DATABASE
from spieltisch.web.http.stream import DUPLICATE, END
from tests.features.live_groups import group_of
from tests.features.seasons.evening_players import EVENING, again, dealt
from tests.features.seasons.season_players import joined, more_people, sit_all
from tests.live.live_fixture import move
from tests.tiers import first_alone
from tests.web.servers import Server, running_server
from tests.web.table_addresses import ADDRESSES
from tests.web.visitors import Visitor, first_events

PICKED: Final = (0, -1)
"""The move that is played each time at the other table, in each world."""
JSON: Final = {"Accept": "application/json"}
VARYING: Final = re.compile(
    rb"[\w-]{40,}\.[\w-]{27}|(?<=data-version=\")\d{13}|(?<=\"version\":)\d{13}|(?<=@)\d{13}|/drawn/[\w.-]+"
)
"""Signed links, versions that are times, and drawings."""
IGNORED: Final = {"date", "delta-tag", "request-id", "content-length"}


class Evening(NamedTuple):
    """An evening with two tables: the sessions of a player of the second, and of the host of the group, who watches."""

    player: str
    host: str
    other_table: str
    pages: tuple[str, ...]
    topics: tuple[str, ...]


async def opened(place: Path, now: float) -> Live:
    """Return the inside of a server at which no time passes."""
    return await Live.open(place / DATABASE, clock=lambda: now, steady=lambda: 0.0, features=FEATURES)


async def prepare(place: Path, now: float) -> Evening:
    """Begin an evening at which all have sat down."""
    live = await opened(place, now)
    gus, host_session = await live.people.create("Gus")
    people, sessions = [], {}
    for name in ("Ada", "Ben"):
        person, session = await live.people.create(name)
        people.append(person)
        sessions[person.id] = session
    people += await more_people(live, 4)
    season = await joined(live, await group_of(live, gus, *people), people, EVENING)
    for member in (gus, *people):
        await live.service(Groups).choose(member.id, season.group_id, has_alerts=True, is_ranked=True)
    await live.service(Seasons).begin(gus.id, season.group_id, season.id)
    season = await again(live, season)
    await sit_all(live, season, people)
    tables = await dealt(live, season)
    own = next(table for table in tables if table.seat_of(people[0].id) is not None)
    other = next(table for table in tables if table is not own)
    assert own.opened.duplicate is not None
    duplicate, group = own.opened.duplicate.id, f"/group/{season.group_id}"
    await live.close()
    return Evening(
        sessions[people[0].id],
        host_session,
        other.id,
        (
            *("/", "/offline", "/me/history", "/tables/mine", "/tables/open", "/me/export", "/people"),
            *(group, f"{group}/seasons", f"{group}/season/{season.id}", f"{group}/season/{season.id}/wall"),
            *(f"/duplicate/{duplicate}", f"/table/{own.id}", f"/table/{own.id}/log"),
        ),
        (
            *(f"{kind}{other.id}" for kind in ("", CHAT, PLANS, END)),
            *(f"{SEASON}{season.id}", f"{DUPLICATE}{duplicate}"),
        ),
    )


async def play_on(place: Path, now: float, table_id: str, picked: int, moves: int) -> tuple[str, str]:
    """Play at a table; return a digest of its position, and its status."""
    live = await opened(place, now)
    table = await live.tables.get(table_id)
    for _ in range(moves):
        if table.status == "running":
            table = await move(live, table, picked)
    assert table.position is not None
    found = table.position.digest(), table.status
    await live.close()
    return found


def sent(answer: httpx.Response, server: Server) -> tuple[object, ...]:
    """Return an answer without what always differs between two servers, and the counts of moves."""
    headers = [(name, value) for name, value in sorted(answer.headers.multi_items()) if name not in IGNORED]
    content = VARYING.sub(b"", answer.content.replace(server.address.encode(), b""))
    content = re.sub(rb"\d+ moves?|W/\"[^\"]*\"", b"", content)
    return answer.status_code, [VARYING.sub(b"", value.encode()) for _, value in headers], content


def pushed(visitor: Visitor, server: Server, topics: tuple[str, ...]) -> bytes:
    """Return what a stream sends first of all topics and, at its end, of the lobby."""
    text = first_events(visitor, [f"{topic}@0" for topic in topics])
    return re.sub(rb"\d+ moves?", b"", VARYING.sub(b"", text.replace(server.address.encode(), b"")))


def requests(evening: Evening) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield method, address and headers of requests for all pages of the evening and all of its other table."""
    yield from (("GET", page, headers) for page in evening.pages for headers in ({}, JSON))
    asked = [(method, address) for method, address in ADDRESSES if method in ("GET", "HEAD", "POST")]
    yield from ((method, address.format(id=evening.other_table), {}) for method, address in asked)
    for page in ("", "/replay", "/log", "/record", "/chat", "/picture", "/end", "/since"):
        yield "GET", f"/table/{evening.other_table}{page}", JSON


@pytest.mark.parametrize("moves", first_alone(10_000, [10_000, 6], "fuzz"))
def test_what_is_played_at_one_table_changes_no_answer_to_people_of_another(tmp_path: Path, moves: int) -> None:
    now, common = time.time() - 60, tmp_path / "common"
    common.mkdir()
    evening = asyncio.run(prepare(common, now))
    with ExitStack() as stack:
        servers, played = [], []
        for number, picked in enumerate(PICKED):
            place = tmp_path / str(number)
            shutil.copytree(common, place)
            played.append(asyncio.run(play_on(place, now, evening.other_table, picked, moves)))
            servers.append(stack.enter_context(running_server(place)))
        assert played[0][0] != played[1][0], "the worlds differ"
        assert played[0][1] == played[1][1] == ("running" if moves == 6 else "finished")
        for session in (evening.player, evening.host):
            visitors = [stack.enter_context(Visitor(server)) for server in servers]
            for visitor in visitors:
                visitor.cookies.set("session", session)
            tokens = [visitor.token() for visitor in visitors]
            streams = [pushed(*each, evening.topics) for each in zip(visitors, servers, strict=True)]
            assert streams[0] == streams[1]
            for method, address, headers in requests(evening):
                answers = []
                for visitor, server, token in zip(visitors, servers, tokens, strict=True):
                    options: dict[str, Any] = {"headers": headers}
                    if method == "POST":
                        options["data"] = {"token": token, "seat": "1", "move": "done", "version": "1", "at": "0"}
                    answers.append(sent(visitor.request(method, address, **options), server))
                assert answers[0] == answers[1], (method, address)
                if address in evening.pages and not headers:
                    assert answers[0][0] == 200 or session != evening.player, (answers[0][0], address)
