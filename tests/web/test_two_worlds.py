"""Check that two tables that differ only in secrets of others send the same bytes, also to hostile requests."""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import httpx
import msgspec
import pytest

from spieltisch import game, tables
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.features.chat.service import TOPIC as CHAT
from spieltisch.features.planned_turns.service import TOPIC as PLANS
from spieltisch.store import UPLOADED_PREFIX, ComponentSet, Person, Preferences, Store, component_sets, people
from spieltisch.store.schema import DATABASE
from spieltisch.tables import Event, NewTable, RecordedEvent, Table
from spieltisch.tables.events import Started
from spieltisch.web.http.deltas import trace_of
from spieltisch.web.http.stream import END
from spieltisch.web.pages.table_viewers import VIEWERS
from tests.async_wait import wait
from tests.paths import ROOT
from tests.tables.harness import setup
from tests.web.servers import Server, running_server
from tests.web.visitors import Visitor

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
    """A server with both tables, and the sessions of Ada, Ben and Cleo, seated in this order."""

    server: Server
    sessions: tuple[str, ...]
    version: int
    """The version of both tables."""

    def visitor(self, seat: int) -> Visitor:
        visitor = Visitor(self.server)
        visitor.cookies.set("session", self.sessions[seat])
        return visitor


def swapped_deals(position: Position, draws: Sequence[str]) -> tuple[str, ...]:
    """Return the draws with two locomotives exchanged between the hands of the first and the third seat."""
    observation_data = [position.observe(seat).data for seat in (0, 1, 2, None)]
    for first_index, second_index in combinations(range(len(draws)), 2):
        swapped = list(draws)
        swapped[first_index], swapped[second_index] = swapped[second_index], swapped[first_index]
        deal = Position.start(position.setup, drew=swapped)
        now = [deal.observe(seat).data for seat in (0, 1, 2, None)]
        if [before == after for before, after in zip(observation_data, now, strict=True)] == [False, True, False, True]:
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
    start_event = next(event for event in events if isinstance(event, Started))
    position = folded(KEYS[0], events).position
    assert position is not None
    worlds = []
    for key, draws in zip(
        KEYS, (start_event.setup_draws, swapped_deals(position, start_event.setup_draws)), strict=True
    ):
        opened_event = msgspec.structs.replace(events[0], imported=True, commitment="")
        deal = [
            msgspec.structs.replace(event, setup_draws=draws) if event is start_event else event for event in events[1:]
        ]
        worlds.append(folded(key, [opened_event, *deal], b""))
    for _ in range(MOVES):
        move = common_move([world.position for world in worlds if world.position is not None])
        for world_index, world in enumerate(worlds):
            assert world.to_decide is not None
            event = tables.move_event(world, world.to_decide, move)
            worlds[world_index] = tables.apply(world, [RecordedEvent(world.version + 1, AT, event)])
    return tuple(worlds)


def folded(key: str, events: Sequence[Event], secret: bytes = SECRET) -> Table:
    return tables.fold(
        key, secret, [RecordedEvent(version, AT, event) for version, event in enumerate(events, 1)], setup
    )


@pytest.fixture(scope="module")
def two_worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    folder = tmp_path_factory.mktemp("worlds")
    store = Store(folder / DATABASE)
    try:
        people_added = [wait(people.add(store, name, "en", Preferences(), AT)) for name in ("Ada", "Ben", "Cleo")]
        made_worlds = made_tables([person for person, _ in people_added])
        for table in made_worlds:
            wait(component_sets.add(store, ComponentSet.of(table.game.components, AT)))
            lines = [(event.at, tables.encode(event.event)) for event in table.events]
            wait(store.create(table.id, table.game.key, b"", lines, table.summary()))
    finally:
        wait(store.close())
    with running_server(folder) as started_server:
        yield Worlds(started_server, tuple(session for _, session in people_added), made_worlds[0].version)


def normalized(content: bytes, key: str) -> bytes:
    """Return content without values that always differ between two tables."""
    return VARYING.sub(b"", content.replace(key.encode(), b""))


def everything_sent(answer: httpx.Response, key: str) -> tuple[object, ...]:
    differing = {"date", "delta-tag"}
    if "content-encoding" in answer.headers:
        differing.add("content-length")  # equal texts have equal sizes, but the id of a table compresses like no other
    headers = tuple(
        (name, b"" if name in differing else normalized(value.encode(), key))
        for name, value in sorted(answer.headers.multi_items())
    )
    return answer.status_code, headers, len(answer.content), normalized(answer.content, key)


def public_digests(html: str) -> tuple[str, ...]:
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
            bases += [answer.headers["delta-tag"], *public_digests(answer.text)]
        tags.append(visitor.get(f"/table/{key}/picture").headers["etag"])
    return bases, tags


def pushed(visitor: Visitor, key: str) -> bytes:
    """Return the events of a table sent by the stream, up to the state of the lobby."""
    topics = [f"{kind}{key}" for kind in ("", CHAT, PLANS, END, VIEWERS)]
    params = {"changes": "yes", "watch": [f"{topic}@0" for topic in (*topics, "lobby")]}
    with visitor.stream("GET", "/stream", params=params) as stream:
        text = b""
        for part in stream.iter_bytes():
            text += part
            if b"\nid: lobby@" in text:
                break
    return text.partition(b"event: state\nid: lobby@")[0]


def test_hidden_information_changes_no_answer_to_visitors_from_whom_it_is_hidden(two_worlds: Worlds) -> None:
    with (
        two_worlds.visitor(0) as ada,
        two_worlds.visitor(1) as ben,
        Visitor(two_worlds.server) as cid,
        Visitor(two_worlds.server) as no,
    ):
        cid.table("me", "bot:random", "bot:random", name="Cid")
        no.get("/")
        steps = [ada.get(f"/table/{key}/replay?at=0", headers=STEP).content for key in KEYS]
        assert normalized(steps[0], KEYS[0]) != normalized(steps[1], KEYS[1]), "what Ada sees differs"
        for attacker in (ben, cid, no):
            (own_answer, tags), (_, own_tags) = looked_at(ada), looked_at(attacker)
            requests = list(product(PAGES, VIEWS))
            requests += [("/replay?at=0", {**STEP, "Delta-Base": base}) for base in ("", "unknown", *own_answer)]
            requests += [(f"/replay?at={MOVES}", {**STEP, "If-None-Match": f'"{tag}"'}) for tag in own_answer[:3]]
            requests += [
                (f"/picture{version}", {"If-None-Match": tag})
                for version in ("", f"?v={two_worlds.version}")
                for tag in ("", "*", *tags, *own_tags)
            ]
            for page, headers in requests:
                answers = [everything_sent(attacker.get(f"/table/{key}{page}", headers=headers), key) for key in KEYS]
                assert answers[0] == answers[1], (page, headers)
                if own_answer.count(headers.get("Delta-Base", "")):
                    assert answers[0] == everything_sent(attacker.get(f"/table/{KEYS[0]}{page}", headers=STEP), KEYS[0])
            streams = [normalized(pushed(attacker, key), key) for key in KEYS]
            assert b"event: state" in streams[0]
            assert streams[0] == streams[1]


def test_answers_to_a_players_moves_reveal_nothing_hidden_from_that_player(two_worlds: Worlds) -> None:
    """The answers are those to previews, moves, undos, refusals, and requests for changes without a stream."""
    with two_worlds.visitor(0) as ada, two_worlds.visitor(1) as ben:
        (base, *_), _ = looked_at(ada)
        building, trade = (ben.state(f"/table/{KEYS[0]}")["moves"][at] for at in (0, -1))
        token, statuses = ben.token(), []
        for act, move in (("play", trade), ("play", building), ("undo", ""), ("play?confirmed=", trade), ("undo", "")):
            version, answers = str(ben.state(f"/table/{KEYS[0]}")["version"]), []
            for key in KEYS:
                path = f"/table/{key}/{act}" + (version if act.endswith("=") else "")
                form = {"token": token, "move": move, "version": version}
                answer = ben.post(path, data=form, headers={**STEP, "Delta-Base": base})
                watched_topics = [f"{topic}{key}@0" for topic in ("", CHAT, PLANS, END)]
                changes = ben.get("/changes", params={"watch": watched_topics})
                answers.append(
                    (everything_sent(answer, key), everything_sent(changes, key), "state-id" in answer.headers)
                )
            assert answers[0] == answers[1], (act, move)
            statuses.append((answers[0][0][0], answers[0][2]))
        assert statuses == [(200, False), (200, True), (200, True), (200, True), (403, False)]


def test_the_address_of_a_drawing_cannot_be_computed_from_its_content(two_worlds: Worlds) -> None:
    """Otherwise a stranger could test guesses about the components of a table."""
    with two_worlds.visitor(1) as ben:
        addresses = set(re.findall(r'/drawn/[^"#]+', ben.get(f"/table/{KEYS[0]}").text))
        assert addresses
        for address in addresses:
            drawing_content, ending = ben.get(address).content, address.rpartition(".")[2]
            digest = hashlib.sha256(drawing_content).hexdigest()
            for computed in (digest, digest[:24], digest[:32]):
                assert ben.get(f"/drawn/{computed}.{ending}").status_code == 404


def test_the_component_file_of_another_person_cannot_be_found(two_worlds: Worlds) -> None:
    upload_address = "/games/paris-connection/components"
    with two_worlds.visitor(0) as ada, two_worlds.visitor(1) as ben, Visitor(two_worlds.server) as stranger:
        text = (
            ada.get(f"{upload_address}.toml")
            .text.replace("penalty = 20", "penalty = 19")
            .replace('name = "', 'name = "my-', 1)
        )
        digest = ada.submit(upload_address, text=text).headers["location"].rpartition("=")[2]
        assert ada.get(f"{upload_address}.toml?set={digest}").text == text
        seats = {f"seat-{number}": kind for number, kind in enumerate(("me", "open", "open"))}
        for visitor in (ben, stranger):
            token = visitor.token()
            for page, view in product((upload_address, f"{upload_address}.toml"), VIEWS):
                answers = [
                    everything_sent(visitor.get(f"{page}?set={file}", headers=view), file)
                    for file in (digest, "0" * 64)
                ]
                assert answers[0] == answers[1]
                assert answers[0][0] == 404
            answers = [
                everything_sent(
                    visitor.post("/new/paris-connection", data={"token": token, **seats, "components": file}), file
                )
                for file in (digest, "0" * 64)
            ]
            assert answers[0] == answers[1]
            assert answers[0][0] == 404
        assert ada.table("me", "open", "open", components=digest)


def test_equal_component_values_do_not_lead_to_the_file_of_another_person(two_worlds: Worlds) -> None:
    """Ada's file has remarks, and Ben's has the same values in another order without remarks."""
    where, remark = "/games/paris-connection/components", "call-ada-at-4711"
    with two_worlds.visitor(0) as ada, two_worlds.visitor(1) as ben, Visitor(two_worlds.server) as stranger:
        plain = ada.get(f"{where}.toml").text.replace("penalty = 20", "penalty = 18")
        remarked = plain.replace('evidence = "', f'evidence = "{remark} ') + f"\n# {remark}\n"
        texts = {ada: remarked, ben: plain}
        digests = {
            visitor: visitor.submit(where, text=text).headers["location"].rpartition("=")[2]
            for visitor, text in texts.items()
        }
        digest = digests[ben]
        assert digests[ada] == digest
        for visitor, text in texts.items():
            assert visitor.get(f"{where}.toml?set={digest}").text == text
            export = visitor.get("/me/export").text
            page = visitor.get(f"{where}?set={digest}").text
            assert [remark in shown for shown in (export, page)] == [visitor is ada] * 2
        record = Record.read(ROOT / "tests" / "golden" / "paris-connection" / "4-depots-secret.txt")
        answers = []
        for visitor in (stranger, ben):
            for file in (digest, "0" * 64):
                fields = {"token": visitor.token(), "text": record.text.replace(record.components_digest, file)}
                refused = visitor.post("/records", data=fields, headers=VIEWS[1])
                answers.append((refused.status_code, refused.text.replace(file[:12], "")))
        assert answers[0] == answers[1] == answers[3], "nobody learns of others' files by a record"
        assert answers[2] != answers[3], "who has the file is told what else is wrong"
        accepted = ben.submit("/records", text=record.text).headers["location"]
        computed = urlsafe_b64encode(hashlib.sha256(record.text.encode()).digest()[:9]).decode()
        assert stranger.get(accepted).status_code == 200
        assert stranger.get(f"/table/{UPLOADED_PREFIX}{computed}").status_code == 404
