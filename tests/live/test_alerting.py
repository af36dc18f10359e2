"""Told that it is one's turn: by mail, by a webhook, by a push to a browser, on a clock that is set by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select

from spieltisch import tables
from spieltisch.alerts import push, texts
from spieltisch.alerts.channels import MAIL, PUSH, SERVICE, WEBHOOK
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.live import Live
from spieltisch.live.alert_sender import MINUTE
from spieltisch.live.delivery_pauses import MAX_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS, RECIPIENT_PAUSE_SECONDS
from spieltisch.live.limits import Limits
from spieltisch.store import alert_subscriptions, outbox
from spieltisch.store.alert_queue import queue_seat_alerts
from spieltisch.store.alert_subscriptions import AlertSubscription
from spieltisch.store.removal import remove_person, remove_table
from spieltisch.store.schema import OUTBOX, SEAT_ALERT
from spieltisch.tables import NewTable, TableRefusal
from spieltisch.tables.summary import FormerPlayer, TableSummary
from tests.live.conftest import Clock, House
from tests.live.fake_services import Browser, web_server
from tests.live.live_fixture import move


def test_one_mail_a_turn_in_ones_own_language_with_what_has_happened(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        way = await house.mailed(house.ben)
        table = await house.until(await house.table(), house.ben)
        await house.look()
        await house.look()
        (mail,) = house.post.mails
        assert mail["To"] == "ben@example.org"
        assert mail["Subject"] == "Du bist am Zug: Paris Connection"
        text = mail.get_content()
        assert "am Tisch von Ada" in text
        assert f"https://games.example.org/table/{table.id}\n" in text
        own = table.seat_of(house.ben.id)
        assert own is not None
        assert all(message.text for line in table.log(own) for message in line.messages)
        assert "Ada" in text.split("\n", 2)[2], "what Ada did"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert mail["List-Unsubscribe"].startswith("<https://games.example.org/alerts/end/")
        assert (await house.live.subscriptions.get(house.ben.id, way.id)).sent == house.clock.now

    house(job)


def test_a_webhook_gets_it_again_under_the_same_id_until_it_takes_it(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        way = await house.hooked(house.ben)
        house.web.status = 500
        await house.until(await house.table(), house.ben)
        pause, times = MIN_BACKOFF_SECONDS, []
        for _ in range(12):
            due = await house.look()
            times.append(house.clock.now)
            due = await house.live.alert_sender.send_due()
            assert due == house.clock.now + pause, "the pauses grow"
            house.clock.now, pause = due, min(2 * pause, MAX_BACKOFF_SECONDS)
        kept = await house.live.subscriptions.get(house.ben.id, way.id)
        assert "500" in str(kept.reason), "its owner is told why"
        assert kept.failed == times[-1]
        house.web.status = 204
        await house.look()
        assert len(house.web.sent) == 13
        assert len({sent.json["id"] for sent in house.web.sent}) == 1
        assert house.web.sent[0].json["turns"] == 1
        await house.look()
        kept = await house.live.subscriptions.get(house.ben.id, way.id)
        assert (len(house.web.sent), kept.reason, kept.sent) == (13, None, house.clock.now)

    house(job)


def test_what_waits_is_there_after_a_restart(tmp_path: Path) -> None:
    """The queue is stored; nothing of it is kept in the process."""

    async def main() -> None:
        with web_server() as web:
            clock = Clock()
            for start in range(2):
                guard = SsrfGuard(private=True)
                live = await Live.open(tmp_path / "house.sqlite3", clock=clock, guard=guard)
                if not start:
                    ada, _ = await live.people.create("Ada")
                    await live.subscriptions.add(ada, SERVICE, {"address": f"{web.address}/hook"})
                    table = await live.tables.open(
                        ada, NewTable("paris-connection", ("me", "bot:random", "bot:random"))
                    )
                    while table.summary().waiting_for != ada.id:
                        table = await move(live, table)
                else:
                    await live.alert_sender.send_due()
                    await live.alert_sender.wait_idle()
                await live.close()
            assert [sent.json["turns"] for sent in web.sent] == [1]

    asyncio.run(main())


@pytest.mark.parametrize("end", ["passed", "moved", "undone", "removed", "closed", "left"])
def test_nothing_is_told_of_a_turn_that_is_over(house: Callable[..., None], end: str) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        table = await house.until(await house.table(), house.ben)
        assert await outbox.due(house.live.store)
        ben = table.seat_of(house.ben.id)
        assert ben is not None
        if end == "passed":
            while table.to_decide == ben:
                table = await move(house.live, table)
        elif end == "moved":
            assert table.position is not None
            built = next(str(move) for move in table.position.legal_moves if str(move).startswith("build"))
            table = await house.live.tables.run(table.id, tables.play, house.ben.id, built, table.version)
            assert table.to_decide == ben, "his turn goes on, and he knows of it"
        elif end == "undone":
            mover = table.moves[-1].seat
            table = await house.live.tables.run(table.id, tables.ask_undo, table.seats[mover].person)
            for seat in table.people:
                if table.undo_asked is not None and seat.number != mover:
                    table = await house.live.tables.run(table.id, tables.agree_undo, seat.person)
            assert table.to_decide == mover
        elif end == "removed":
            await remove_table(house.live.store, table.id)
        elif end == "closed":
            for person in table.people:
                table = await house.live.tables.run(
                    table.id, tables.ask_abort if person.number == 0 else tables.agree_abort, person.person
                )
        else:
            table = await house.live.tables.run(table.id, tables.leave, house.ben.id)
        await house.look()
        assert house.web.sent == []
        assert await outbox.due(house.live.store) == {}

    house(job)


def test_a_browser_is_told_by_its_own_key_and_forgotten_when_it_is_gone(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        browser = Browser(house.web)
        way = await house.live.subscriptions.add(house.ben, PUSH, browser.given)
        table = await house.until(await house.table(), house.ben)
        await house.look()
        (sent,) = house.web.sent
        alert = browser.read(sent, house.live.subscriptions.channels.public_key)
        assert alert["title"] == "Du bist am Zug: Paris Connection"
        assert (alert["url"], alert["turns"]) == (f"/table/{table.id}", 1)
        assert "am Tisch von Ada" in alert["body"]
        for status in (404, 410):
            house.web.status = status
            house.web.sent.clear()
            house.clock.now += RECIPIENT_PAUSE_SECONDS
            table = await house.until(await move(house.live, table), house.ada)
            table = await house.until(table, house.ben)
            for _ in range(2):
                await house.look()
                house.clock.now += MAX_BACKOFF_SECONDS
            assert len(house.web.sent) == 1, "nothing is sent again to who is gone"
            kept = await house.live.subscriptions.get(house.ben.id, way.id)
            assert (kept.state, str(status) in str(kept.reason)) == ("gone", True)
            way = await house.live.subscriptions.add(house.ben, PUSH, browser.given)
            assert way.state == "active", "who asks again is told again"

    house(job)


def test_a_mail_server_that_hangs_holds_up_nobody_else(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        way = await house.mailed(house.ben)
        await house.hooked(house.ben)
        channels = house.live.subscriptions.channels
        house.post.hangs, channels._server = True, msgspec.structs.replace(house.post.settings, seconds=0.5)
        await house.until(await house.table(), house.ben)
        await house.look()
        assert len(house.web.sent) == 1
        kept = await house.live.subscriptions.get(house.ben.id, way.id)
        assert str(kept.reason) == "The mail server did not answer in time."
        house.post.hangs, channels._server = False, house.post.settings
        house.clock.now += MIN_BACKOFF_SECONDS
        await house.look()
        assert len(house.post.mails) == 1

    house(job)


def test_a_server_that_stops_waits_for_nobody_who_does_not_answer(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        await house.hooked(house.ben)
        await house.until(await house.table(), house.ben)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)

    house(job, seconds=3600.0)


def test_quiet_hours_in_ones_own_zone(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        house.clock.now = 1_700_000_000.0  # 23:13 in Berlin, on November 14th of 2023
        await house.wish(house.ben, zone="Europe/Berlin", quiet_from=22 * 60, quiet_to=7 * 60)
        await house.until(await house.table(), house.ben)
        await house.look()
        assert house.web.sent == []
        due = await house.look()
        assert due == 1_700_028_000.0, "seven in the morning there"
        house.clock.now = due
        await house.look()
        assert len(house.web.sent) == 1

    house(job)


def test_only_who_has_not_looked_for_a_while(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.wish(house.ben, away_minutes=10)
        house.live.presence.mark_active(house.ben.id)
        table = await house.until(await house.table(), house.ben)
        house.clock.now += 9 * MINUTE
        await house.look()
        house.live.presence.mark_active(house.ben.id)
        house.clock.now += 9 * MINUTE
        await house.look()
        assert house.web.sent == []
        house.clock.now += MINUTE
        await house.look()
        assert [sent.json["link"] for sent in house.web.sent] == [f"https://games.example.org/table/{table.id}"]

    house(job)


def test_one_digest_instead_of_several(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.wish(house.ben, pause_minutes=60)
        first = await house.until(await house.table(), house.ben)
        await house.look()
        others = [await house.until(await house.table(), house.ben) for _ in range(3)]
        await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += 60 * MINUTE
        await house.look()
        single, digest = house.web.sent
        assert single.json["link"].endswith(first.id)
        assert digest.json["title"] == "Du bist an 3 Tischen am Zug."
        assert digest.json["link"] == "https://games.example.org/"
        assert digest.json["text"].count("am Tisch von Ada") == len(others)
        assert digest.json["turns"] == 4

    house(job)


def test_what_came_meanwhile_waits_for_what_has_to_be_sent_again(house: Callable[..., None]) -> None:
    """A repeat says nothing but what it said first."""

    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.until(await house.table(), house.ben)
        house.web.status = 503
        await house.look()
        await house.until(await house.table(), house.ben)
        await house.look()
        assert len(house.web.sent) == 1, "it does not make the other go sooner"
        house.web.status = 200
        house.clock.now += MIN_BACKOFF_SECONDS
        await house.look()
        house.clock.now += RECIPIENT_PAUSE_SECONDS
        await house.look()
        ids = [sent.json["id"] for sent in house.web.sent]
        assert len(ids) == 3
        assert ids[0] == ids[1] != ids[2]
        assert len({payload["about"][0][0] for payload in (sent.json for sent in house.web.sent)}) == 2
        assert house.web.sent[0].json["text"] == house.web.sent[1].json["text"]

    house(job)


def test_who_goes_for_good_takes_their_ways_along(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        way = await house.hooked(house.ben)
        assert f"{house.web.address}/hook" in (await house.live.person_data.export(house.ben)).decode()
        await house.until(await house.table(), house.ben)
        await remove_person(house.live.store, house.ben.id, (), {}, {})
        assert await outbox.due(house.live.store) == {}
        with pytest.raises(TableRefusal, match="no-subscription"):
            await house.live.subscriptions.get(house.ben.id, way.id)

    house(job)


def test_who_loses_a_seat_is_told_unless_they_are_back(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        table = await house.table()
        seat = table.seat_of(house.ben.id)
        assert seat is not None
        for is_back in (True, False):
            await house.live.tables.run(table.id, tables.reclaim_seat, house.ada.id, seat, lambda _: False)
            if is_back:
                await house.live.tables.run(table.id, tables.sit, house.ben)
            await house.look()
            assert len(house.post.mails) == (not is_back)
        (mail,) = house.post.mails
        assert "Paris Connection" in mail["Subject"]
        assert mail.get_content().splitlines()[-5] == "https://games.example.org/", "the lobby, where one sits down"
        await move(house.live, table)
        await house.look()
        assert len(house.post.mails) == 1

    house(job)


def test_who_loses_a_seat_is_told_even_if_the_game_is_aborted_with_it(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        table = await house.table()
        seat = table.seat_of(house.ben.id)
        assert seat is not None
        await house.live.tables.run(table.id, tables.ask_abort, house.ada.id)
        for other in {player.person for player in table.people} - {house.ada.id, house.ben.id}:
            await house.live.tables.run(table.id, tables.agree_abort, other)
        table = await house.live.tables.run(table.id, tables.reclaim_seat, house.ada.id, seat, lambda _: False)
        assert table.status == "aborted"
        await house.look()
        assert len(house.post.mails) == 1

    house(job)


def test_a_second_seat_taken_from_a_device_is_told_too(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.mailed(house.ben)
        table = await house.table()

        def without(*lost: int) -> TableSummary:
            former = {seat: (FormerPlayer(f"{house.ben.id}/{seat}", "Ben"),) for seat in lost}
            seats = [replace(seat, given_away_from=former.get(n, ())) for n, seat in enumerate(table.summary().seats)]
            return replace(table.summary(), seats=tuple(seats))

        for version, before, after in ((90, without(), without(2)), (91, without(2), without(1, 2))):
            queue = partial(queue_seat_alerts, table_id=table.id, version=version, before=before, after=after)
            await house.live.store.write(queue)
        queued = select(OUTBOX.c.version).where(OUTBOX.c.kind == SEAT_ALERT)
        versions = await house.live.store.read(lambda connection: connection.execute(queued).scalars().all())
        assert sorted(versions) == [90, 91]

    house(job)


def test_nobody_is_mailed_who_has_not_said_that_they_want_it(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.live.subscriptions.add(house.ben, MAIL, {"address": "ben@example.org"})
        table = await house.until(await house.table(), house.ben)
        await house.look()
        (request_mail,) = house.post.mails
        assert "Ada" not in request_mail.get_content()
        path = next(word for word in request_mail.get_content().split() if "/alerts/confirm/" in word)
        named = await house.live.subscriptions.by_token("confirm", path.rpartition("/")[2])
        await house.live.subscriptions.confirm(named)
        with pytest.raises(TableRefusal, match="no-subscription"):
            await house.live.subscriptions.by_token("end", path.rpartition("/")[2])
        table = await house.until(await move(house.live, table), house.ada)
        await house.until(table, house.ben)
        await house.look()
        assert len(house.post.mails) == 2
        ends = house.post.mails[1]["List-Unsubscribe"].strip("<>").rpartition("/")[2]
        await house.live.subscriptions.remove(await house.live.subscriptions.by_token("end", ends))
        with pytest.raises(TableRefusal, match="no-subscription"):
            await house.live.subscriptions.by_token("end", ends)
        assert await house.live.subscriptions.of(house.ben.id) == ()

    house(job)


def test_a_way_too_many_and_addresses_that_are_none(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for number in range(3):
            await house.live.subscriptions.add(house.ben, MAIL, {"address": f"ben{number}@example.org"})
        with pytest.raises(TableRefusal, match="too-many-subscriptions"):
            await house.live.subscriptions.add(house.ben, MAIL, {"address": "ben@example.org"})
        same = await house.live.subscriptions.add(house.ben, MAIL, {"address": "ben1@example.org"})
        assert same in await house.live.subscriptions.of(house.ben.id)
        for address in (
            "ben",
            "ben@",
            "@example.org",
            "ben@example",
            "b en@example.org",
            "ben@example.org\r\nBcc: x@y.zz",
            "a" * 300 + "@example.org",
        ):
            with pytest.raises(TableRefusal, match="mail address"):
                await house.live.subscriptions.add(house.ada, MAIL, {"address": address})
        for address in (
            "file:///etc/passwd",
            "exec://rm",
            "syslog://",
            "mailto://a:b@example.org",
            "discord://",
            "nothing",
            "json://example.org",
        ):
            with pytest.raises(TableRefusal, match="address"):
                await house.live.subscriptions.add(house.ada, SERVICE, {"address": address})
        odd = {"key": "AAAA"}, {"endpoint": "https://[2001:4860:4860::8888]/x"}, {"endpoint": "https://[::1]:8443/x"}
        for given in odd:
            with pytest.raises(TableRefusal, match="address"):
                await house.live.subscriptions.add(house.ada, PUSH, {**Browser(house.web).given, **given})

    house(job, limits=Limits(alert_subscriptions=3))


def test_by_default_nothing_goes_into_a_private_network(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        for refused in (f"{house.web.address}/hook",):
            with pytest.raises(TableRefusal, match="https"):
                await house.live.subscriptions.add(house.ben, SERVICE, {"address": refused})
        address = {"address": house.web.address.replace("http", "https")}
        with pytest.raises(TableRefusal, match="private network"):
            await house.live.subscriptions.add(house.ben, SERVICE, address)
        way = AlertSubscription("stored", house.ben.id, WEBHOOK, address, "active", house.clock.now)
        await alert_subscriptions.add(house.live.store, way, lambda *_: None)
        reason = await house.live.subscriptions.send_test(house.ben, way)
        assert "private network" in str(reason)
        assert house.web.sent == []
        assert house.web.challenges == []

    house(job, private=False)


@pytest.mark.parametrize("cause", ["stored address", "channel", "words"])
def test_whatever_goes_wrong_counts_as_not_delivered_and_its_pause_grows(
    house: Callable[..., None], cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(house: House) -> None:
        def fail(*_: object) -> None:
            raise LookupError("nobody has foreseen this")

        given = Browser(house.web).given
        way = await house.live.subscriptions.add(house.ben, PUSH, given)
        if cause == "stored address":  # of an earlier version
            way = msgspec.structs.replace(way, address={**given, "endpoint": "https://[2001:4860:4860::8888]/x"})
            await alert_subscriptions.save(house.live.store, way)
        elif cause == "channel":
            monkeypatch.setattr(push, "http_ece", None)
        else:
            monkeypatch.setattr(texts, "turn_text", fail)
        await house.until(await house.table(), house.ben)
        for pause in (MIN_BACKOFF_SECONDS, 2 * MIN_BACKOFF_SECONDS, 4 * MIN_BACKOFF_SECONDS):
            await house.look()
            due = await house.live.alert_sender.send_due()
            assert due == house.clock.now + pause
            kept = await house.live.subscriptions.get(house.ben.id, way.id)
            assert (kept.failed, str(kept.reason)) == (house.clock.now, "The message could not be sent.")
            house.clock.now = due
        if cause != "words":
            reason = await house.live.subscriptions.send_test(house.ben, way)
            assert str(reason) == "The message could not be sent.", "on the page, too"
        monkeypatch.undo()
        if cause != "stored address":
            await house.look()
            assert len(house.web.sent) == 1

    house(job)
