"""The page with a person's alert subscriptions and settings."""

import re
from typing import Any, Final

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.alerts.channels import MAIL, PUSH, SERVICE
from spieltisch.alerts.quiet_hours import zones
from spieltisch.core.words import message
from spieltisch.live.alert_subscriptions import CONFIRM, END
from spieltisch.store import AlertSettings
from spieltisch.store.lobby import count_turns
from spieltisch.web.http.query_params import QueryParams, number
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page, redirect
from spieltisch.web.http.sessions import current_devices_cookies
from spieltisch.web.http.sign_in import require_own_person
from spieltisch.web.pages.devices import DEVICES

AWAY_MINUTES: Final = (0, 2, 5, 15, 60)
PAUSE_MINUTES: Final = (0, 30, 60, 180, 720, 1440)
"""Choices of minutes."""
_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
SIGNED_FORM: Final = {"by_token": True}
"""The option of a form that a mail program sends: anyone with its address may send it, without a session."""


@get("/me/alerts")
async def show(request: Request) -> Response[str]:
    """Show the person's subscriptions and settings, and failed subscriptions with the reason."""
    person = request.visitor.person
    context: dict[str, Any] = (
        {} if person is None else {"subscriptions": await request.live.subscriptions.of(person.id)}
    )
    return page(
        request,
        "alerts.html",
        saved=QueryParams(request).has("saved"),
        sent=QueryParams(request).has("sent"),
        mails=request.live.subscriptions.channels.sends_mail,
        key=request.live.subscriptions.channels.public_key,
        zones=zones(),
        away=AWAY_MINUTES,
        pauses=PAUSE_MINUTES,
        **context,
    )


@post("/me/alerts")
async def save_settings(request: Request) -> Redirect:
    """Save when this person is notified."""
    person, form = require_own_person(request), request.fields
    settings = AlertSettings(
        zone=form.get("zone", "UTC"),
        quiet_from=_minute(form.get("quiet-from", "")) if "quiet" in form else 0,
        quiet_to=_minute(form.get("quiet-to", "")) if "quiet" in form else 0,
        away_minutes=number("away", form.get("away", "5")),
        pause_minutes=number("pause", form.get("pause", "0")),
    )
    preferences = msgspec.structs.replace(person.preferences, alerts=settings)
    await request.live.people.update(person.id, preferences=preferences)
    return redirect("/me/alerts?saved=1")


@post("/me/alert-subscriptions")
async def add_subscription(request: Request) -> Redirect:
    """Add a subscription; ask the recipient for consent, except for browsers and services that many people share."""
    person = require_own_person(request)
    subscriptions = request.live.subscriptions
    kind = request.fields.get("kind", "")
    if kind not in (MAIL, PUSH, SERVICE):
        raise PageRefusal(400, "kind", message("Invalid request. Reload the page and try again."))
    fields = {name: request.fields.get(name, "") for name in ("address", "endpoint", "key", "secret")}
    stored_kind, address = subscriptions.normalize(kind, fields)
    if subscriptions.channels.requires_consent(stored_kind, address):
        request.rate_limits.attempt(address_of(request), person.id)
    subscription = await subscriptions.add(person, kind, fields, address_of(request), request.visitor.session_key)
    request.streams.publish(DEVICES, person.id)
    seen = await current_devices_cookies(request.live.people, request.site, request.visitor, subscription.added)
    return redirect("/me/alerts#subscriptions-title", seen)


@post("/me/alert-subscriptions/{subscription_id:str}/send")
async def send_test(request: Request, subscription_id: str) -> Redirect:
    """Send a test alert now."""
    person = require_own_person(request)
    subscription = await request.live.subscriptions.get(person.id, subscription_id)
    request.rate_limits.attempt(address_of(request), person.id)
    reason = await request.live.subscriptions.send_test(person, subscription)
    return redirect("/me/alerts#subscriptions-title" if reason else "/me/alerts?sent=1#subscriptions-title")


@post("/me/alert-subscriptions/{subscription_id:str}/remove")
async def remove_subscription(request: Request, subscription_id: str) -> Redirect:
    """Send no more alerts to an address of this person."""
    await request.live.subscriptions.remove(
        await request.live.subscriptions.get(require_own_person(request).id, subscription_id)
    )
    return redirect("/me/alerts#subscriptions-title")


@get("/alerts/{act:str}/{token:str}")
async def confirm_page(request: Request, act: str, token: str) -> Response[str]:
    """Ask for confirmation, linked from a mail: a mail program that opens all links changes nothing."""
    subscription = await request.live.subscriptions.by_token(act, token)
    return page(request, "alert_subscription.html", act=act, subscription=subscription, done=False)


@post("/alerts/{act:str}/{token:str}", opt=SIGNED_FORM, status_code=200)
async def confirm(request: Request, act: str, token: str) -> Response[str]:
    """Carry out the confirmed action; a mail program may send this by itself (RFC 8058)."""
    subscription = await request.live.subscriptions.by_token(act, token)
    if act == CONFIRM:
        await request.live.subscriptions.confirm(subscription)
    elif act == END:
        await request.live.subscriptions.remove(subscription)
    return page(request, "alert_subscription.html", act=act, subscription=subscription, done=True)


@get("/active")
async def mark_active(request: Request) -> Response[dict[str, int]]:
    """Return the number of tables at which it is this person's turn; like any request this marks them as active."""
    person = request.visitor.person_id
    return Response({"turns": await count_turns(request.live.store, person) if person else 0})


def _minute(text: str) -> int:
    """Return the minute of a day, from "22:30"; 0 for an empty text. Raise PageRefusal 400."""
    if not text:
        return 0
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise PageRefusal(400, "time", message("Enter a time like 22:30."))
    return 60 * int(match[1]) + int(match[2])
