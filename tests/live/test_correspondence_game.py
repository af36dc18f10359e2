"""Check alerts of a game over four days with three people in two time zones, a planned turn, and two outages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest

from spieltisch import bots, tables
from spieltisch.alerts.channels import MAIL, PUSH, SERVICE
from spieltisch.alerts.quiet_hours import quiet_until
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.alerts.texts import local_time
from spieltisch.features import FEATURES
from spieltisch.features.chat.commands import ChatReader
from spieltisch.features.chat.service import Chat
from spieltisch.features.planned_turns.commands import plan
from spieltisch.features.planned_turns.service import Planner
from spieltisch.live import Live
from spieltisch.live.bot_turns import BotTurns
from spieltisch.store import AlertSettings, Person, Preferences, outbox
from spieltisch.tables import NewTable, Table, TableSettings
from spieltisch.tables.events import PlayerReturned, TimeUp
from spieltisch.tables.table_settings import HOUR, MINUTE
from tests.features.planned_turns.sample_moves import offered, trade
from tests.live.alert_process import turns
from tests.live.fake_services import Browser, Post, Web, posting, web_server
from tests.live.hand_set_clocks import Clocks
from tests.live.live_fixture import ENDING, move
from tests.live.running_bots import until
from tests.sentences import sentence_after

PLAYED = sentence_after("features/planned_turns/commands.py", "_PLAYED: Final =")

pytestmark = pytest.mark.both_databases

BERLIN = ZoneInfo("Europe/Berlin")
BEGIN = datetime(2027, 3, 12, 10, tzinfo=BERLIN)
"""A Friday; on the Sunday clocks in New York are set."""
LATEST = 15 * MINUTE
"""The longest time, in seconds, from when a player could be alerted until the alert is sent."""
CHARTER = TableSettings(
    "days", turn_time=12 * HOUR, day_start=9, day_end=21, time_zone="Europe/Berlin", on_timeout="bot-sits", bot="random"
)
NIGHT = {"quiet_from": 22 * 60, "quiet_to": 7 * 60, "away_minutes": 5}
TELLING = {
    "Ada": AlertSettings(zone="Europe/Berlin", **NIGHT),
    "Ben": AlertSettings(zone="America/New_York", **NIGHT),
    "Cleo": AlertSettings(zone="Europe/Berlin", **NIGHT),
}
LANGUAGES = {"Ada": "de", "Ben": "en", "Cleo": "fr"}


class Told(NamedTuple):
    """An alert that a person received, its time (UTC seconds), and the event with which the current turn began."""

    at: float
    name: str
    title: str
    text: str
    began: int


class House:
    """The server with its clocks, its people and their alerts."""

    def __init__(self, path: Path, post: Post, web: Web) -> None:
        self.path, self.post, self.web = path, post, web
        self.browser = Browser(web)
        self.hands = Clocks()
        self.hands.wall = BEGIN.timestamp()
        self.told: list[Told] = []
        self.away: set[str] = set()
        self.patience = {"Ada": 3 * HOUR, "Ben": 5 * HOUR, "Cleo": 3 * HOUR}
        """The time from an alert to the player's move."""
        self.pace = 15 * MINUTE
        """The time between two checks for due alerts and moves."""
        self.planned: str | None = None
        """The planned move. The player who decides next avoids its place, and trades."""
        self.people: dict[str, Person] = {}
        self.table_id = ""
        self.live: Live
        self._read = 0, 0

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.hands.wall, BERLIN)

    @asynccontextmanager
    async def up(self) -> AsyncIterator[None]:
        """Run the server."""
        self.live = await Live.open(
            self.path,
            features=FEATURES,
            clock=lambda: self.hands.wall,
            steady=lambda: self.hands.steady,
            mail=self.post.settings,
            guard=SsrfGuard(private=True),
            push_services=[urlsplit(self.web.address).netloc],
            address=lambda: "https://games.example.org",
        )
        await self.live.start(self.live.service(Planner).running())
        await self.live.start(BotTurns(self.live, choose=bots.choose_turn, pace=0).running())
        try:
            yield
        finally:
            await self.live.close()

    async def begin(self) -> None:
        """Create three people with subscriptions and their table, at which Ben begins."""
        for name, telling in TELLING.items():
            preferences = Preferences(alerts=telling)
            self.people[name], _ = await self.live.people.create(name, LANGUAGES[name], preferences)
        ada, ben, cleo = self.people.values()
        subscription = await self.live.subscriptions.add(ada, MAIL, {"address": "ada@example.org"})
        self.post.mails.clear()  # which ask for it
        await self.live.subscriptions.confirm(subscription)
        await self.live.subscriptions.add(ben, PUSH, self.browser.given)
        await self.live.subscriptions.add(cleo, SERVICE, {"address": f"{self.web.address}/cleo"})
        while True:
            table = await self.live.tables.open(
                ada, NewTable("paris-connection", ("me", "link", "link"), ENDING, charter=CHARTER)
            )
            for person in (ben, cleo):
                table = await self.live.tables.run(table.id, tables.sit, person, by_link=True)
            if table.summary().waiting_for == ben.id:
                break
            for person in (ada, ben, cleo):  # chance dealt otherwise: start again
                command = tables.ask_abort if person is ada else tables.agree_abort
                await self.live.tables.run(table.id, command, person.id)
        self.table_id = table.id

    async def table(self) -> Table:
        return await self.live.tables.get(self.table_id)

    async def until(self, day: int, hour: int) -> None:
        """Let time pass until an hour of a day (from 1) in Berlin, or the end of the game."""
        end = BEGIN.replace(hour=hour) + timedelta(days=day - 1)
        while self.now < end and not (await self.table()).is_over:
            await self.step()

    async def step(self) -> None:
        """Let some minutes pass, send due alerts, and let alerted players move after their usual delay."""
        for _ in range(self.pace // 30):
            self.hands.run(30)
            self.live.clock()
        await self.live.timekeeper.run_due()
        await self.live.service(Planner).playing.wait_idle()
        table = await until(self.live, await self.table(), lambda now: now.bot_to_move() is None)
        await self.live.alert_sender.send_due()
        await self.live.alert_sender.sending.wait_idle()
        self.read(table)
        for name, person in self.people.items():
            if table.summary().waiting_for == person.id and self.plays(name, table):
                self.live.presence.mark_active(person.id)
                while table.summary().waiting_for == person.id:
                    table = await (move if self.planned is None else trade)(self.live, table)
                self.planned = None
                return

    def plays(self, name: str, table: Table) -> bool:
        """Return True if the player to move plays now."""
        telling, turn_began_at = TELLING[name], turns(table)[-1][0]
        asleep = quiet_until(self.hands.wall, telling.zone, telling.quiet_from, telling.quiet_to) is not None
        alerted_at = next((alert.at for alert in self.told if (alert.name, alert.began) == (name, turn_began_at)), None)
        is_alert_known = alerted_at is not None and alerted_at + self.patience[name] <= self.hands.wall
        return is_alert_known and not asleep and name not in self.away

    def read(self, table: Table) -> None:
        """Record the alerts that people have received since the last call."""
        mails, sent_requests = self._read
        self._read = len(self.post.mails), len(self.web.sent)
        come = [("Ada", str(mail["Subject"]), str(mail.get_content())) for mail in self.post.mails[mails:]]
        for request in self.web.sent[sent_requests:]:
            if request.path == "/cleo":
                come.append(("Cleo", request.json["title"], request.json["text"]))
            else:
                pushed_alert = self.browser.read(request, self.live.subscriptions.channels.public_key)
                come.append(("Ben", pushed_alert["title"], pushed_alert["body"]))
        turn_began_at = turns(table)[-1][0] if not table.is_over else 0
        self.told += [Told(self.hands.wall, *alert, turn_began_at) for alert in come]
        for name, title, text in come:
            time = tables.deadline(table)
            if table.summary().waiting_for == self.people[name].id:
                assert time is not None
                assert local_time(time.until, TELLING[name].zone, LANGUAGES[name]) in text, title

    async def plan(self, name: str) -> None:
        """Plan a building turn for a player while another decides."""
        table, person = await self.table(), self.people[name].id
        assert table.summary().waiting_for != person
        builds = reversed(offered(table, person, "build"))
        self.planned = next(build for build in builds if not any(plan(table, person, [build, "done"]).expected_gains))
        await self.live.service(Planner).add(self.table_id, person, [self.planned, "done"])

    async def outcome(self, name: str) -> str:
        """Return the outcome of the last plan of a player."""
        *_, last_plan = await self.live.service(Planner).plans_of(self.table_id, self.people[name].id)
        return str(last_plan.outcome)

    async def go_away(self, hours: int) -> None:
        """Let this time pass without a running server."""
        self.hands.wall += hours * HOUR
        self.hands.steady = 7.0

    async def say(self, name: str, text: str) -> None:
        table, person = await self.table(), self.people[name]
        reader = ChatReader(person.id, table.seat_of(person.id), person.id == table.host, is_player=True)
        await self.live.service(Chat).post(table, reader, name, "table", text)


def due_alerts(table: Table) -> list[tuple[str, int]]:
    """Return the expected alerts: the player's name, and the version of the event with which the turn began.

    Turns played by a bot cause no alert, nor does the first turn of Cleo, which she had planned.
    """
    sat: dict[int, frozenset[int]] = {}
    bot_seats: frozenset[int] = frozenset()
    for event in table.events:
        if isinstance(event.event, TimeUp) and event.event.until_return:
            bot_seats |= {event.event.seat}
        elif isinstance(event.event, PlayerReturned):
            bot_seats -= {event.event.seat}
        sat[event.version] = bot_seats
    seats = {seat.person: seat.number for seat in table.people}
    due = [
        (str(table.names[seats[person]]), version)
        for version, person in turns(table)
        if person and seats[person] not in sat[version]
    ]
    due.remove(next(entry for entry in due if entry[0] == "Cleo"))
    return due


def test_every_turn_of_a_game_of_four_days_is_alerted(tmp_path: Path) -> None:
    async def main() -> None:
        with web_server() as web:
            async with posting() as post:
                await four_days(House(tmp_path / "house.sqlite3", post, web))

    asyncio.run(main())


async def four_days(house: House) -> None:
    async with house.up():
        await house.begin()
        await house.until(1, 11)
        await house.say("Ada", "@Ben, good morning over there!")  # where it is five o'clock
        await house.plan("Cleo")
        planned_turns = house.planned
        await house.until(2, 3)
        assert await house.outcome("Cleo") == PLAYED
        assert planned_turns in [play.move for play in (await house.table()).moves]
        assert await outbox.due(house.live.store), "somebody sleeps, and is to be told in the morning"
    await house.go_away(1)
    async with house.up():
        house.away = {"Cleo"}
        await house.until(2, 12)
        before = tables.deadline(await house.table())
    await house.go_away(2)
    async with house.up():
        await house.live.timekeeper.run_due()
        after = tables.deadline(await house.table())
        assert before is not None
        assert after is not None
        assert (before.seat, after.seat) == (2, 2)
        assert after.until - before.until == 14 * HOUR, "two of them in the play window; nobody's time ran meanwhile"
        await house.until(4, 9)
        table = await house.table()
        assert [event.event.seat for event in table.events if isinstance(event.event, TimeUp)] == [2]
        assert table.acting_bot(2) == "random"
        house.away, house.patience, house.pace = set(), dict.fromkeys(house.patience, 0), 5 * MINUTE
        await house.live.tables.run(table.id, tables.resume_play, house.people["Cleo"].id)
        await house.until(4, 22)
        table = await house.table()
        assert table.is_over
        check(house, table)
        for person in house.people.values():
            games = (await house.live.game_history.of(person.id)).games
            assert [game_id for game_id, _ in games] == [table.id]
        assert await outbox.due(house.live.store) == {}


def check(house: House, table: Table) -> None:
    """Check that every player was alerted once for each of their turns, at a time that they had chosen."""
    of_turns = [alert for alert in house.told if "mentioned" not in alert.title]
    assert [(alert.name, alert.began) for alert in of_turns] == due_alerts(table)
    assert [alert.name for alert in house.told if "@Ben, good morning over there!" in alert.text] == ["Ben"]
    alert_times = {event.version: event.at for event in table.events}
    for turn_alert in of_turns:
        telling, turn_began_at = TELLING[turn_alert.name], alert_times[turn_alert.began]
        expected_alert_at = (
            quiet_until(turn_began_at, telling.zone, telling.quiet_from, telling.quiet_to) or turn_began_at
        )
        assert 0 <= turn_alert.at - expected_alert_at <= LATEST, turn_alert
        received_at = datetime.fromtimestamp(turn_alert.at, ZoneInfo(telling.zone))
        assert 7 <= received_at.hour < 22, turn_alert
    last_alert_at = max(turn_alert.at for turn_alert in house.told)
    assert timedelta(days=3) < datetime.fromtimestamp(last_alert_at, BERLIN) - BEGIN < timedelta(days=4)
    assert {turn_alert.name for turn_alert in of_turns} == set(house.people)
