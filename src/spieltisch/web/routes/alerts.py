"""The page with a person's alert subscriptions and settings."""

import re
from typing import Any, Final

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.alerts.channels import MAIL, PUSH, SERVICE
from spieltisch.alerts.quiet_hours import zones
from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.live.alert_subscriptions import CONFIRM, END
from spieltisch.store import AlertSettings, Person
from spieltisch.store.lobby import count_turns
from spieltisch.web.http.query_params import QueryParams, number
from spieltisch.web.http.rate_limits import RateLimits, address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Form, Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import Site, Visitor, current_devices_cookies
from spieltisch.web.http.stream import Streams
from spieltisch.web.pages.fragments import DEVICES

AWAY_MINUTES: Final = (0, 2, 5, 15, 60)
PAUSE_MINUTES: Final = (0, 30, 60, 180, 720, 1440)
"""Choices of minutes."""
_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
SIGNED_FORM: Final = {"by_token": True}
"""The option of a form that a mail program sends: anyone with its address may send it, without a session."""


def person_of(visitor: Visitor) -> Person:
    """Return the visitor's person. Raise PageRefusal 403 for a visitor without a name."""
    if visitor.person is None:
        raise PageRefusal(403, "nobody", message("Join a table first: settings are saved under your name."))
    return visitor.person


@get("/me/alerts")
async def show(request: Request, live: Live, visitor: Visitor) -> Response[str]:
    """Show the person's subscriptions and settings, and failed subscriptions with the reason."""
    person = visitor.person
    context: dict[str, Any] = {} if person is None else {"subscriptions": await live.subscriptions.of(person.id)}
    return page(
        request,
        "alerts.html",
        kept=QueryParams(request).has("kept"),
        sent=QueryParams(request).has("sent"),
        mails=live.subscriptions.channels.sends_mail,
        key=live.subscriptions.channels.public_key,
        zones=zones(),
        away=AWAY_MINUTES,
        pauses=PAUSE_MINUTES,
        **context,
    )


@post("/me/alerts")
async def save_settings(live: Live, visitor: Visitor, form: Form) -> Redirect:
    """Save when this person is notified."""
    person = person_of(visitor)
    settings = AlertSettings(
        zone=form.get("zone", "UTC"),
        quiet_from=_minute(form.get("quiet-from", "")),
        quiet_to=_minute(form.get("quiet-to", "")),
        away_minutes=number("away", form.get("away", "5")),
        pause_minutes=number("pause", form.get("pause", "0")),
    )
    preferences = msgspec.structs.replace(person.preferences, alerts=settings)
    await live.people.update(person.id, preferences=preferences)
    return redirect("/me/alerts?kept=1")


@post("/me/alert-subscriptions")
async def add_subscription(
    request: Request,
    live: Live,
    visitor: Visitor,
    form: Form,
    rate_limits: RateLimits,
    site: Site,
    streams: Streams,
) -> Redirect:
    """Add a subscription; ask the recipient for consent, except for browsers and services that many people share."""
    person = person_of(visitor)
    kind = form.get("kind", "")
    if kind not in (MAIL, PUSH, SERVICE):
        raise PageRefusal(400, "kind", message("Invalid request. Reload the page and try again."))
    fields = {name: form.get(name, "") for name in ("address", "endpoint", "key", "secret")}
    stored_kind, address = live.subscriptions.normalize(kind, fields)
    if live.subscriptions.channels.is_asked_first(stored_kind, address):
        rate_limits.attempt(address_of(request), person.id)
    subscription = await live.subscriptions.add(person, kind, fields, address_of(request), visitor.session_key)
    streams.publish(DEVICES, person.id)
    seen = await current_devices_cookies(live.people, site, visitor, "alerts", subscription.added)
    return redirect("/me/alerts#subscriptions", seen)


@post("/me/alert-subscriptions/{subscription_id:str}/send")
async def send_test(
    request: Request, live: Live, visitor: Visitor, rate_limits: RateLimits, subscription_id: str
) -> Redirect:
    """Send a test alert now."""
    person = person_of(visitor)
    subscription = await live.subscriptions.get(person.id, subscription_id)
    rate_limits.attempt(address_of(request), person.id)
    reason = await live.subscriptions.send_test(person, subscription)
    return redirect("/me/alerts#subscriptions" if reason else "/me/alerts?sent=1#subscriptions")


@post("/me/alert-subscriptions/{subscription_id:str}/remove")
async def remove_subscription(live: Live, visitor: Visitor, subscription_id: str) -> Redirect:
    """Remove a subscription."""
    await live.subscriptions.remove(await live.subscriptions.get(person_of(visitor).id, subscription_id))
    return redirect("/me/alerts#subscriptions")


@get("/alerts/{act:str}/{token:str}")
async def confirm_page(request: Request, live: Live, act: str, token: str) -> Response[str]:
    """Ask for confirmation, linked from a mail: a mail program that opens all links changes nothing."""
    subscription = await live.subscriptions.by_token(act, token)
    return page(request, "alert_subscription.html", act=act, subscription=subscription, done=False)


@post("/alerts/{act:str}/{token:str}", opt=SIGNED_FORM, status_code=200)
async def confirm(request: Request, live: Live, act: str, token: str) -> Response[str]:
    """Carry out the confirmed action; a mail program may send this by itself (RFC 8058)."""
    subscription = await live.subscriptions.by_token(act, token)
    if act == CONFIRM:
        await live.subscriptions.confirm(subscription)
    elif act == END:
        await live.subscriptions.remove(subscription)
    return page(request, "alert_subscription.html", act=act, subscription=subscription, done=True)


@get("/active")
async def mark_active(live: Live, visitor: Visitor) -> Response[dict[str, int]]:
    """Return the number of tables at which it is this person's turn; like any request this marks them as active."""
    return Response({"turns": await count_turns(live.store, visitor.person_id) if visitor.person_id else 0})


def _minute(text: str) -> int:
    """Return the minute of a day, from "22:30"; 0 for an empty text. Raise PageRefusal 400."""
    if not text:
        return 0
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise PageRefusal(400, "time", message("Enter a time like 22:30."))
    return 60 * int(match[1]) + int(match[2])
