"""Check alerts about mentions, sent once to people who may read the message and asked for alerts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from spieltisch import tables
from spieltisch.alerts.channels import SERVICE
from spieltisch.features.chat.commands import ChatReader, has_played
from spieltisch.features.chat.service import Chat
from spieltisch.features.playmates.rows import Mark, set_mark
from spieltisch.live.alert_sender import MINUTE
from spieltisch.live.delivery_pauses import HOST_PAUSE_SECONDS
from spieltisch.store import outbox
from spieltisch.store.alert_queue import MENTION_INTERVAL_SECONDS
from spieltisch.tables import NewTable, Table, TableSettings
from tests.live.conftest import House
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases

Run = Callable[..., None]


async def says(house: House, table: Table, person: str, text: str, room: str = "table") -> None:
    seat = table.seat_of(person)
    reader = ChatReader(person, seat, person == table.host, has_played(table, person))
    name = str(table.names[seat]) if seat is not None else "Eve"
    await house.live.service(Chat).post(table, reader, name, room, text)


async def table_with_webhook(house: House) -> Table:
    """Open a table of Ada and Ben at which Ben is alerted by a webhook."""
    await house.hooked(house.ben)
    return await house.table()


def test_a_mentioned_player_gets_one_alert_with_a_link_to_the_message(house: Run) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        await says(house, table, house.ada.id, "@Ben are you there? @Ben!")
        await house.look()
        await house.look()
        (alert_request,) = house.web.sent
        assert alert_request.json["title"] == "Ada hat dich erwähnt: Paris Connection"
        assert alert_request.json["text"].endswith("Ada: @Ben are you there? @Ben!")
        assert alert_request.json["link"] == f"https://games.example.org/table/{table.id}/chat"
        assert alert_request.json["about"] == []
        assert await outbox.due(house.live.store) == {}

    house(job)


def test_a_guest_is_mentioned_by_the_default_name_in_any_language(house: Run) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        house = house._replace(ben=await house.live.people.update(house.ben.id, name="Gast"))
        table = await house.table()
        await says(house, table, house.ada.id, "@Guest are you there?")
        await house.look()
        assert len(house.web.sent) == 1

    house(job)


@pytest.mark.parametrize(
    ("room", "text", "speaker"),
    [
        ("table", "Ben, are you there?", "ada"),
        ("table", "@Benno and ada@Ben.example", "ada"),
        ("table", "@Cleo", "ada"),
        ("note", "@Ben builds at Lyon next", "ada"),
        ("watch", "@Ben is losing", "eve"),
        ("table", "I am @Ben", "ben"),
    ],
)
def test_only_mentioned_players_who_may_read_the_message_are_alerted(
    house: Run, room: str, text: str, speaker: str
) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        eve, _ = await house.live.people.create("Eve")
        await says(house, table, {"ada": house.ada.id, "ben": house.ben.id, "eve": eve.id}[speaker], text, room)
        assert await outbox.due(house.live.store) == {}
        await house.look()
        assert house.web.sent == []

    house(job)


def test_mentions_by_spectators_alert_no_player_during_or_after_the_game(house: Run) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        eve, _ = await house.live.people.create("Eve")
        await says(house, table, eve.id, "@Ben is losing", "watch")
        for seat in table.people:
            command = tables.ask_abort if seat.number == 0 else tables.agree_abort
            table = await house.live.tables.run(table.id, command, seat.person)
        assert table.is_over
        await says(house, table, eve.id, "@Ben has lost", "watch")
        await house.look()
        assert house.web.sent == []

    house(job)


@pytest.mark.parametrize("when", ["before", "after"])
def test_mentions_by_muted_people_send_no_alert(house: Run, when: str) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        reader = ChatReader(house.ben.id, table.seat_of(house.ben.id), is_host=False, is_player=True)
        await says(house, table, house.ada.id, "Hello")
        if when == "before":
            await house.live.service(Chat).act_on(table, reader, "table", 1, "mute")
        await says(house, table, house.ada.id, "@Ben!")
        assert bool(await outbox.due(house.live.store)) is (when == "after")
        if when == "after":
            await house.live.service(Chat).act_on(table, reader, "table", 1, "mute")
        await house.look()
        assert house.web.sent == []
        assert await outbox.due(house.live.store) == {}

    house(job)


@pytest.mark.parametrize("is_blocked", [False, True])
@pytest.mark.parametrize("when", ["before", "after"])
def test_mentions_by_people_who_are_muted_or_blocked_everywhere_send_no_alert(
    house: Run, when: str, *, is_blocked: bool
) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        mark = partial(set_mark, person=house.ben.id, other=house.ada.id, mark=Mark("Ada", is_blocked))
        if when == "before":
            await house.live.store.write(mark)
        await says(house, table, house.ada.id, "@Ben!")
        assert bool(await outbox.due(house.live.store)) is (when == "after")
        if when == "after":
            await house.live.store.write(mark)
        await house.look()
        assert house.web.sent == []
        assert await outbox.due(house.live.store) == {}

    house(job)


def test_removed_messages_and_players_who_left_get_no_alert(house: Run) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        ada = ChatReader(house.ada.id, table.seat_of(house.ada.id), is_host=True, is_player=True)
        await says(house, table, house.ada.id, "@Ben!")
        await house.live.service(Chat).act_on(table, ada, "table", 1, "remove")
        await says(house, table, house.ada.id, "@Ben, come back!")
        await house.live.tables.run(table.id, tables.leave, house.ben.id)
        await house.look()
        assert house.web.sent == []

    house(job)


def test_mention_alerts_stop_during_quiet_hours_and_after_reading(house: Run) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        house.clock.now = 1_700_000_000.0  # 23:13 in Berlin
        await house.wish(house.ben, zone="Europe/Berlin", quiet_from=22 * 60, quiet_to=7 * 60, away_minutes=10)
        await says(house, table, house.ada.id, "@Ben, good night!")
        await house.look()
        house.clock.now = await house.look() or 0.0
        assert house.clock.now == 1_700_028_000.0, "seven in the morning there"
        await house.look()
        assert len(house.web.sent) == 1

        house.clock.now += MENTION_INTERVAL_SECONDS
        house.live.presence.mark_active(house.ben.id)
        house.clock.now += MINUTE
        await says(house, table, house.ada.id, "@Ben, good morning!")
        await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += MINUTE
        house.live.presence.mark_active(house.ben.id)  # he reads it
        house.clock.now += 10 * MINUTE
        await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += HOST_PAUSE_SECONDS
        await says(house, table, house.ada.id, "@Ben, and now?")
        await house.look()
        assert len(house.web.sent) == 2

    house(job)


def test_mention_alerts_are_sent_at_most_every_five_minutes(house: Run) -> None:
    async def job(house: House) -> None:
        table = await table_with_webhook(house)
        for number in range(4 * 60):
            await says(house, table, house.ada.id, f"@Ben {number}")
            await house.look()
            house.clock.now += 5
        assert len(house.web.sent) == 1 + (4 * 60 - 1) * 5 // MENTION_INTERVAL_SECONDS
        assert house.web.sent[1].json["title"] == "Du wurdest 60-mal erwähnt."

    house(job)


def test_a_turn_and_a_mention_are_combined_into_one_alert(house: Run) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        table = await house.until(await house.table(), house.ben)
        await says(house, table, house.ada.id, "@Ben, it is you!")
        assert len(house.web.sent) == 0
        await house.look()
        (only_mail,) = house.web.sent
        assert only_mail.json["title"] == "Du bist an 1 Tisch am Zug."
        assert "Ada: @Ben, it is you!" in only_mail.json["text"]
        assert only_mail.json["link"].endswith(table.id)
        assert len(only_mail.json["about"]) == 1
        house.clock.now += MENTION_INTERVAL_SECONDS
        await says(house, table, house.ada.id, "@Ben, thank you!")
        await house.until(table, house.ada)
        await house.look()
        assert house.web.sent[1].json["text"].endswith("Ada: @Ben, thank you!")

    house(job)


def test_players_who_share_a_device_are_alerted_only_of_mentions_by_others(house: Run) -> None:
    async def job(house: House) -> None:
        await house.live.subscriptions.add(house.ada, SERVICE, {"address": f"{house.web.address}/ada"})
        table = await house.live.tables.open(house.ada, NewTable("paris-connection", ("me", "here:Zoe", "link")))
        table = await house.live.tables.run(table.id, tables.sit, house.ben, by_link=True)
        await house.wish(house.ada, away_minutes=0)
        await house.look()
        sent_count = len(house.web.sent)
        house.clock.now += MENTION_INTERVAL_SECONDS
        await says(house, table, house.ada.id, "@Zoe!")
        await house.look()
        assert len(house.web.sent) == sent_count
        await says(house, table, house.ben.id, "@Zoe and @Ada!")
        await house.look()
        assert len(house.web.sent) == sent_count + 1

    house(job)


def test_mentions_at_a_table_without_chat_send_no_alert(house: Run) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        plan = NewTable("paris-connection", ("me", "link", "bot:random"), charter=TableSettings(chat=False))
        table = await house.live.tables.open(house.ada, plan)
        table = await house.live.tables.run(table.id, tables.sit, house.ben, by_link=True)
        due = await outbox.due(house.live.store)
        with refused("no-chat"):
            await says(house, table, house.ada.id, "@Ben!")
        await says(house, table, house.ada.id, "@Ben!", "note")
        assert await outbox.due(house.live.store) == due

    house(job)
