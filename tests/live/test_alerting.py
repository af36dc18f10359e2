"""Check turn alerts by mail, webhook and browser push on a manual clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from spieltisch import tables
from spieltisch.alerts import push, texts
from spieltisch.alerts.channels import PUSH, SERVICE
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.alert_sender import MINUTE
from spieltisch.live.delivery_pauses import MAX_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS, RECIPIENT_PAUSE_SECONDS
from spieltisch.store import alert_subscriptions, outbox
from spieltisch.store.removal import remove_table
from spieltisch.tables import NewTable
from tests.live.conftest import Clock, House
from tests.live.fake_services import Browser, web_server
from tests.live.live_fixture import move
from tests.sentences import sentence_after

NOT_SENT = sentence_after("alerts/channels.py", '_logger.exception("an alert could not be sent", kind=kind)')

pytestmark = pytest.mark.both_databases


def test_each_turn_sends_one_mail_in_the_players_language(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        subscription = await house.mailed(house.ben)
        table = await house.until(await house.table(), house.ben)
        await house.look()
        await house.look()
        (mail,) = house.post.mails
        assert mail["To"] == "ben@example.org"
        assert mail["Subject"] == "Du bist am Zug: Paris Connection"
        text = mail.get_content()
        assert "am Tisch von Ada" in text
        assert f"https://games.example.org/table/{table.id}\n" in text
        own_seat = table.seat_of(house.ben.id)
        assert own_seat is not None
        assert all(message.text for line in table.log(own_seat) for message in line.messages)
        assert "Ada" in text.split("\n", 2)[2], "what Ada did"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert mail["List-Unsubscribe"].startswith("<https://games.example.org/alerts/end/")
        assert (await house.live.subscriptions.get(house.ben.id, subscription.id)).sent == house.clock.now

    house(job)


def test_a_failed_webhook_alert_is_retried_with_the_same_id(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        subscription = await house.hooked(house.ben)
        house.web.status = 500
        await house.until(await house.table(), house.ben)
        pause, times = MIN_BACKOFF_SECONDS, []
        for _ in range(12):
            due = await house.look()
            times.append(house.clock.now)
            due = await house.live.alert_sender.send_due()
            assert due == house.clock.now + pause, "the pauses grow"
            house.clock.now, pause = due, min(2 * pause, MAX_BACKOFF_SECONDS)
        stored_subscription = await house.live.subscriptions.get(house.ben.id, subscription.id)
        assert "500" in str(stored_subscription.reason), "its owner is told why"
        assert stored_subscription.failed == times[-1]
        house.web.status = 204
        await house.look()
        assert len(house.web.sent) == 13
        assert len({request.json["id"] for request in house.web.sent}) == 1
        assert house.web.sent[0].json["turns"] == 1
        await house.look()
        stored_subscription = await house.live.subscriptions.get(house.ben.id, subscription.id)
        assert (len(house.web.sent), stored_subscription.reason, stored_subscription.sent) == (
            13,
            None,
            house.clock.now,
        )

    house(job)


def test_queued_alerts_survive_a_restart(tmp_path: Path) -> None:
    async def main() -> None:
        with web_server() as web:
            clock = Clock()
            for start in range(2):
                guard = SsrfGuard(private=True)
                live = await Live.open(tmp_path / "house.sqlite3", clock=clock, guard=guard, features=FEATURES)
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
                    await live.alert_sender.sending.wait_idle()
                await live.close()
            assert [request.json["turns"] for request in web.sent] == [1]

    asyncio.run(main())


@pytest.mark.parametrize("end", ["passed", "moved", "undone", "removed", "closed", "left"])
def test_a_queued_alert_for_a_turn_that_is_over_is_not_sent(house: Callable[..., None], end: str) -> None:
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
            build_move = next(str(move) for move in table.position.legal_moves if str(move).startswith("build"))
            table = await house.live.tables.run(table.id, tables.play, house.ben.id, build_move, table.version)
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


def test_push_alerts_use_the_key_of_the_browser_and_expired_subscriptions_are_removed(
    house: Callable[..., None],
) -> None:
    async def job(house: House) -> None:
        browser = Browser(house.web)
        subscription = await house.live.subscriptions.add(house.ben, PUSH, browser.given)
        table = await house.until(await house.table(), house.ben)
        await house.look()
        (alert_request,) = house.web.sent
        alert = browser.read(alert_request, house.live.subscriptions.channels.public_key)
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
            stored_subscription = await house.live.subscriptions.get(house.ben.id, subscription.id)
            assert (stored_subscription.state, str(status) in str(stored_subscription.reason)) == ("gone", True)
            subscription = await house.live.subscriptions.add(house.ben, PUSH, browser.given)
            assert subscription.state == "active", "who asks again is told again"

    house(job)


def test_a_hanging_mail_server_does_not_delay_other_alerts(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        subscription = await house.mailed(house.ben)
        await house.hooked(house.ben)
        channels = house.live.subscriptions.channels
        house.post.hangs, channels._server = True, msgspec.structs.replace(house.post.settings, seconds=0.5)
        await house.until(await house.table(), house.ben)
        await house.look()
        assert len(house.web.sent) == 1
        stored_subscription = await house.live.subscriptions.get(house.ben.id, subscription.id)
        assert str(stored_subscription.reason) == sentence_after(
            "alerts/mail.py", "except (TimeoutError, aiosmtplib.SMTPTimeoutError) as error:"
        )
        house.post.hangs, channels._server = False, house.post.settings
        house.clock.now += MIN_BACKOFF_SECONDS
        await house.look()
        assert len(house.post.mails) == 1

    house(job)


def test_a_stopping_server_does_not_wait_for_receivers_of_alerts(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        house.web.answers.clear()
        await house.hooked(house.ben)
        await house.until(await house.table(), house.ben)
        await house.live.alert_sender.send_due()
        await asyncio.to_thread(house.web.asked.acquire)

    house(job, seconds=3600.0)


def test_quiet_hours_follow_the_players_time_zone(house: Callable[..., None]) -> None:
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


def test_only_absent_players_are_alerted(house: Callable[..., None]) -> None:
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
        assert [request.json["link"] for request in house.web.sent] == [f"https://games.example.org/table/{table.id}"]

    house(job)


def test_several_alerts_are_sent_as_one_digest(house: Callable[..., None]) -> None:
    async def job(house: House) -> None:
        await house.hooked(house.ben)
        await house.wish(house.ben, pause_minutes=60)
        first = await house.until(await house.table(), house.ben)
        await house.look()
        other_subscriptions = [await house.until(await house.table(), house.ben) for _ in range(3)]
        await house.look()
        assert len(house.web.sent) == 1
        house.clock.now += 60 * MINUTE
        await house.look()
        single, digest = house.web.sent
        assert single.json["link"].endswith(first.id)
        assert digest.json["title"] == "Du bist an 3 Tischen am Zug."
        assert digest.json["link"] == "https://games.example.org/"
        assert digest.json["text"].count("am Tisch von Ada") == len(other_subscriptions)
        assert digest.json["turns"] == 4

    house(job)


def test_new_alerts_wait_for_the_retry_of_older_ones(house: Callable[..., None]) -> None:
    """A retry must send the same text as the first attempt, without newer alerts."""

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
        ids = [request.json["id"] for request in house.web.sent]
        assert len(ids) == 3
        assert ids[0] == ids[1] != ids[2]
        assert len({payload["about"][0][0] for payload in (request.json for request in house.web.sent)}) == 2
        assert house.web.sent[0].json["text"] == house.web.sent[1].json["text"]

    house(job)


@pytest.mark.parametrize("cause", ["stored address", "channel", "words"])
def test_after_any_error_an_alert_is_retried_with_growing_pauses(
    house: Callable[..., None], cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def job(house: House) -> None:
        def fail(*_: object) -> None:
            raise LookupError("nobody has foreseen this")

        browser_subscription = Browser(house.web).given
        subscription = await house.live.subscriptions.add(house.ben, PUSH, browser_subscription)
        if cause == "stored address":  # of an earlier version
            subscription = msgspec.structs.replace(
                subscription, address={**browser_subscription, "endpoint": "https://[2001:4860:4860::8888]/x"}
            )
            await alert_subscriptions.save(house.live.store, subscription)
        elif cause == "channel":
            monkeypatch.setattr(push, "http_ece", None)
        else:
            monkeypatch.setattr(texts, "turn_text", fail)
        await house.until(await house.table(), house.ben)
        for pause in (MIN_BACKOFF_SECONDS, 2 * MIN_BACKOFF_SECONDS, 4 * MIN_BACKOFF_SECONDS):
            await house.look()
            due = await house.live.alert_sender.send_due()
            assert due == house.clock.now + pause
            stored_subscription = await house.live.subscriptions.get(house.ben.id, subscription.id)
            assert (stored_subscription.failed, str(stored_subscription.reason)) == (house.clock.now, NOT_SENT)
            house.clock.now = due
        if cause != "words":
            reason = await house.live.subscriptions.send_test(house.ben, subscription)
            assert str(reason) == NOT_SENT, "on the page, too"
        monkeypatch.undo()
        if cause != "stored address":
            await house.look()
            assert len(house.web.sent) == 1

    house(job)
