"""Two tables that differ only in what a seat can't know give it the same bytes, also for hostile requests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import httpx
import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.position import Position
from spieltisch.store import ComponentSet, Person, Preferences, Store, component_sets, people
from spieltisch.store.schema import DATABASE
from spieltisch.tables import Event, NewTable, RecordedEvent, Table
from spieltisch.tables.events import Started
from spieltisch.web.http.deltas import trace_of
from spieltisch.web.http.stream import END
from spieltisch.web.pages.fragments import CHAT, PLANS, SPECTATORS
from tests.async_wait import wait
from tests.tables.harness import setup
from tests.web.conftest import Server, Visitor, serving

AT = 1_800_000_000.0
SECRET = bytes(32)
KEYS = ("world-1", "world-2")
"""The ids of the tables."""
MOVES = 7
"""After these it is the turn of Ben."""
VIEWS: tuple[dict[str, str], ...] = ({}, {"Accept": "application/json"}, {"HX-Request": "true"})
STEP: dict[str, str] = {"HX-Request": "true"}
PAGES = ("", "/replay", "/replay?as=1", "/log", "/record", "/fairness", "/chat", "/clock", "/plan", "/why?words=build")
VARYING = re.compile(rb"[\w-]{40,}\.[\w-]{27}|data-version=\"\d{13}\"|\"version\":\d{13}|(?<=@)\d{13}|<time.*?</time>")
"""Signed links and times: of digests, only tags may differ."""


class Worlds(NamedTuple):
    """A server with both tables, and the sessions of Ada, Ben and Cleo, who sit there in this order."""

    server: Server
    sessions: tuple[str, ...]
    version: int
    """That of both tables."""

    def visitor(self, seat: int) -> Visitor:
        visitor = Visitor(self.server)
        visitor.cookies.set("session", self.sessions[seat])
        return visitor


def swapped_deals(position: Position, draws: Sequence[str]) -> tuple[str, ...]:
    """Return the draws with two locomotives exchanged between the hands of the first and the third seat."""
    seen = [position.observe(seat).data for seat in (0, 1, 2, None)]
    for one, other in combinations(range(len(draws)), 2):
        swapped = list(draws)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        deal = Position.start(position.setup, drew=swapped)
        now = [deal.observe(seat).data for seat in (0, 1, 2, None)]
        if [before == after for before, after in zip(seen, now, strict=True)] == [False, True, False, True]:
            return tuple(swapped)
    raise AssertionError("no two such deals")


def common_move(positions: Sequence[Position]) -> str:
    """Return a move that is legal in all positions and shows Ben and the spectators the same in each."""
    for move in positions[0].legal_moves[::-1]:
        if all(move in position.legal_moves for position in positions):
            after = [position.copy() for position in positions]
            for position in after:
                position.play(move)
            if len({(position.observe(1).bytes, position.observe(None).bytes) for position in after}) == 1:
                return str(move)
    raise AssertionError("no such move")


def made_tables(seated: Sequence[Person]) -> tuple[Table, ...]:
    """Return both tables after a few moves; their draws come from their events, as in a record without a secret."""
    rules = game("paris-connection")
    plan = NewTable(rules.key, ("me", "open", "open"))
    events = list(tables.open_table(plan, rules, rules.components, seated[0], SECRET))
    for person in seated[1:]:
        events += tables.sit(folded(KEYS[0], events), person)
    dealt = next(event for event in events if isinstance(event, Started))
    position = folded(KEYS[0], events).position
    assert position is not None
    worlds = []
    for key, draws in zip(KEYS, (dealt.setup_draws, swapped_deals(position, dealt.setup_draws)), strict=True):
        opened = msgspec.structs.replace(events[0], imported=True, commitment="")
        deal = [msgspec.structs.replace(event, setup_draws=draws) if event is dealt else event for event in events[1:]]
        worlds.append(folded(key, [opened, *deal], b""))
    for _ in range(MOVES):
        move = common_move([world.position for world in worlds if world.position is not None])
        for which, world in enumerate(worlds):
            assert world.to_decide is not None
            event = tables.move_event(world, world.to_decide, move)
            worlds[which] = tables.apply(world, [RecordedEvent(world.version + 1, AT, event)])
    return tuple(worlds)


def folded(key: str, events: Sequence[Event], secret: bytes = SECRET) -> Table:
    return tables.fold(
        key, secret, [RecordedEvent(version, AT, event) for version, event in enumerate(events, 1)], setup
    )


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    folder = tmp_path_factory.mktemp("worlds")
    store = Store(folder / DATABASE)
    try:
        added = [wait(people.add(store, name, "en", Preferences(), AT)) for name in ("Ada", "Ben", "Cleo")]
        made = made_tables([person for person, _ in added])
        for table in made:
            wait(component_sets.add(store, ComponentSet.of(table.game.components, AT)))
            lines = [(event.at, tables.encode(event.event)) for event in table.events]
            wait(store.create(table.id, table.game.key, b"", lines, table.summary()))
    finally:
        wait(store.close())
    with serving(folder) as running:
        yield Worlds(running, tuple(session for _, session in added), made[0].version)


def normal(content: bytes, key: str) -> bytes:
    """Return content without what no two tables have alike."""
    return VARYING.sub(b"", content.replace(key.encode(), b""))


def told(answer: httpx.Response, key: str) -> tuple[object, ...]:
    headers = tuple(
        (name, b"" if name in ("date", "delta-tag") else normal(value.encode(), key))
        for name, value in sorted(answer.headers.multi_items())
    )
    return answer.status_code, headers, len(answer.content), normal(answer.content, key)


def unkeyed(html: str) -> tuple[str, ...]:
    """Return digests of a fragment that anyone can compute."""
    return (
        hashlib.blake2b(b"".join(trace_of(html.splitlines())), digest_size=16).hexdigest(),
        hashlib.sha256(html.encode()).hexdigest()[:32],
    )


def looked_at(visitor: Visitor) -> tuple[list[str], list[str]]:
    """Look at the first and the last step and at the picture of both worlds; return the tags of steps and pictures."""
    bases, tags = [], []
    for key in KEYS:
        for step in (0, MOVES):
            answer = visitor.get(f"/table/{key}/replay?at={step}", headers=STEP)
            assert answer.status_code == 200
            bases += [answer.headers["delta-tag"], *unkeyed(answer.text)]
        tags.append(visitor.get(f"/table/{key}/picture").headers["etag"])
    return bases, tags


def pushed(visitor: Visitor, key: str) -> bytes:
    """Return what the stream sends of a table, up to the state of the lobby."""
    topics = [f"{kind}{key}" for kind in ("", CHAT, PLANS, END, SPECTATORS)]
    params = {"changes": "yes", "watch": [f"{topic}@0" for topic in (*topics, "lobby")]}
    with visitor.stream("GET", "/stream", params=params) as stream:
        text = b""
        for part in stream.iter_bytes():
            text += part
            if b"\nid: lobby@" in text:
                break
    return text.partition(b"event: state\nid: lobby@")[0]


def test_what_a_seat_cannot_know_changes_no_answer(worlds: Worlds) -> None:
    with (
        worlds.visitor(0) as ada,
        worlds.visitor(1) as ben,
        Visitor(worlds.server) as cid,
        Visitor(worlds.server) as no,
    ):
        cid.table("me", "bot:random", "bot:random", name="Cid")
        no.get("/")
        steps = [ada.get(f"/table/{key}/replay?at=0", headers=STEP).content for key in KEYS]
        assert normal(steps[0], KEYS[0]) != normal(steps[1], KEYS[1]), "what Ada sees differs"
        for attacker in (ben, cid, no):
            (theirs, tags), (_, own_tags) = looked_at(ada), looked_at(attacker)
            requests = list(product(PAGES, VIEWS))
            requests += [("/replay?at=0", {**STEP, "Delta-Base": base}) for base in ("", "unknown", *theirs)]
            requests += [(f"/replay?at={MOVES}", {**STEP, "If-None-Match": f'"{tag}"'}) for tag in theirs[:3]]
            requests += [
                (f"/picture{version}", {"If-None-Match": tag})
                for version in ("", f"?v={worlds.version}")
                for tag in ("", "*", *tags, *own_tags)
            ]
            for page, headers in requests:
                answers = [told(attacker.get(f"/table/{key}{page}", headers=headers), key) for key in KEYS]
                assert answers[0] == answers[1], (page, headers)
                if theirs.count(headers.get("Delta-Base", "")):
                    assert answers[0] == told(attacker.get(f"/table/{KEYS[0]}{page}", headers=STEP), KEYS[0])
            streams = [normal(pushed(attacker, key), key) for key in KEYS]
            assert b"event: state" in streams[0]
            assert streams[0] == streams[1]


def test_answers_to_ones_own_moves_tell_nothing_else(worlds: Worlds) -> None:
    """Previews, moves that are played and undone, refusals, and what is asked for where the stream is held back."""
    with worlds.visitor(0) as ada, worlds.visitor(1) as ben:
        (base, *_), _ = looked_at(ada)
        building, trade = (ben.state(f"/table/{KEYS[0]}")["moves"][at] for at in (0, -1))
        token, statuses = ben.token(), []
        for act, move in (("play", trade), ("play", building), ("undo", ""), ("play?confirmed=", trade), ("undo", "")):
            version, answers = str(ben.state(f"/table/{KEYS[0]}")["version"]), []
            for key in KEYS:
                path = f"/table/{key}/{act}" + (version if act.endswith("=") else "")
                form = {"token": token, "move": move, "version": version}
                answer = ben.post(path, data=form, headers={**STEP, "Delta-Base": base})
                watched = [f"{topic}{key}@0" for topic in ("", CHAT, PLANS, END)]
                changes = ben.get("/changes", params={"watch": watched})
                answers.append((told(answer, key), told(changes, key), "state-id" in answer.headers))
            assert answers[0] == answers[1], (act, move)
            statuses.append((answers[0][0][0], answers[0][2]))
        assert statuses == [(200, False), (200, True), (200, True), (200, True), (403, False)]


def test_no_address_of_a_drawing_can_be_computed(worlds: Worlds) -> None:
    """So no one can find out which components are played with at a table that they have never seen."""
    with worlds.visitor(1) as ben:
        addresses = set(re.findall(r'/drawn/[^"#]+', ben.get(f"/table/{KEYS[0]}").text))
        assert addresses
        for address in addresses:
            drawn, ending = ben.get(address).content, address.rpartition(".")[2]
            digest = hashlib.sha256(drawn).hexdigest()
            for computed in (digest, digest[:24], digest[:32]):
                assert ben.get(f"/drawn/{computed}.{ending}").status_code == 404


def test_a_component_file_of_another_is_not_there(worlds: Worlds) -> None:
    where = "/games/paris-connection/components"
    with worlds.visitor(0) as ada, worlds.visitor(1) as ben, Visitor(worlds.server) as stranger:
        text = (
            ada.get(f"{where}.toml").text.replace("penalty = 20", "penalty = 19").replace('name = "', 'name = "my-', 1)
        )
        digest = ada.submit(where, text=text).headers["location"].rpartition("=")[2]
        assert ada.get(f"{where}.toml?set={digest}").text == text
        seats = {f"seat-{number}": kind for number, kind in enumerate(("me", "open", "open"))}
        for visitor in (ben, stranger):
            token = visitor.token()
            for page, view in product((where, f"{where}.toml"), VIEWS):
                answers = [told(visitor.get(f"{page}?set={file}", headers=view), file) for file in (digest, "0" * 64)]
                assert answers[0] == answers[1]
                assert answers[0][0] == 404
            answers = [
                told(visitor.post("/new/paris-connection", data={"token": token, **seats, "components": file}), file)
                for file in (digest, "0" * 64)
            ]
            assert answers[0] == answers[1]
            assert answers[0][0] == 404
        assert ada.table("me", "open", "open", components=digest)
