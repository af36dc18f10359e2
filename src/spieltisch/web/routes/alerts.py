"""The page "me": in which ways I am told that it is my turn, and when."""

from __future__ import annotations

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
from spieltisch.web.http.sessions import Visitor

AWAY_MINUTES: Final = (0, 2, 5, 15, 60)
PAUSE_MINUTES: Final = (0, 30, 60, 180, 720, 1440)
"""Minutes to choose from."""
_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
SIGNED_FORM: Final = {"by_token": True}
"""Of a form that a mail program sends: who has its address may send it, without a session."""


def person_of(visitor: Visitor) -> Person:
    """Who asks. Raises PageRefusal 403 for a visitor without a name."""
    if visitor.person is None:
        raise PageRefusal(403, "nobody", message("Sit down at a table first: preferences are kept with your name."))
    return visitor.person


@get("/me/alerts")
async def show(request: Request, live: Live, visitor: Visitor) -> Response[str]:
    """In which ways this person is told, and when; what was not taken, and why."""
    person = visitor.person
    context: dict[str, Any] = {} if person is None else {"ways": await live.subscriptions.of(person.id)}
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


@post(["/me/alerts", "/me/telling"])
async def save_settings(live: Live, visitor: Visitor, form: Form) -> Redirect:
    """When this person is told."""
    person = person_of(visitor)
    telling = AlertSettings(
        zone=form.get("zone", "UTC"),
        quiet_from=_minute(form.get("quiet-from", "")),
        quiet_to=_minute(form.get("quiet-to", "")),
        away_minutes=number("away", form.get("away", "5")),
        pause_minutes=number("pause", form.get("pause", "0")),
    )
    preferences = msgspec.structs.replace(person.preferences, alerts=telling)
    await live.people.update(person.id, preferences=preferences)
    return redirect("/me/alerts?kept=1")


@post(["/me/alert-subscriptions", "/me/ways"])
async def add_subscription(
    request: Request, live: Live, visitor: Visitor, form: Form, rate_limits: RateLimits
) -> Redirect:
    """One more way; a mail asks at once whether its address is theirs."""
    person = person_of(visitor)
    kind = form.get("kind", "")
    if kind not in (MAIL, PUSH, SERVICE):
        raise PageRefusal(400, "kind", message("This request cannot be understood."))
    given = {name: form.get(name, "") for name in ("address", "endpoint", "key", "secret")}
    if kind == MAIL:
        rate_limits.attempt(address_of(request), person.id)
    way = await live.subscriptions.add(person, kind, given)
    if kind == MAIL and way.state == "new":
        await live.subscriptions.send_test(person, way)
    return redirect("/me/alerts#ways")


@post(["/me/alert-subscriptions/{way:str}/send", "/me/ways/{way:str}/send"])
async def send_test(request: Request, live: Live, visitor: Visitor, rate_limits: RateLimits, way: str) -> Redirect:
    """Send something there now."""
    person = person_of(visitor)
    found = await live.subscriptions.get(person.id, way)
    rate_limits.attempt(address_of(request), person.id)
    reason = await live.subscriptions.send_test(person, found)
    return redirect("/me/alerts#ways" if reason else "/me/alerts?sent=1#ways")


@post(["/me/alert-subscriptions/{way:str}/remove", "/me/ways/{way:str}/remove"])
async def remove_subscription(live: Live, visitor: Visitor, way: str) -> Redirect:
    """This person is not told there any more."""
    await live.subscriptions.remove(await live.subscriptions.get(person_of(visitor).id, way))
    return redirect("/me/alerts#ways")


@get("/alerts/{act:str}/{token:str}")
async def confirm_page(request: Request, live: Live, act: str, token: str) -> Response[str]:
    """From a mail: whether this is meant. A mail program that looks at all addresses changes nothing."""
    way = await live.subscriptions.by_token(act, token)
    return page(request, "alert_subscription.html", act=act, way=way, done=False)


@post("/alerts/{act:str}/{token:str}", opt=SIGNED_FORM, status_code=200)
async def confirm(request: Request, live: Live, act: str, token: str) -> Response[str]:
    """It is meant; a mail program may say so by itself (RFC 8058)."""
    way = await live.subscriptions.by_token(act, token)
    if act == CONFIRM:
        await live.subscriptions.confirm(way)
    elif act == END:
        await live.subscriptions.remove(way)
    return page(request, "alert_subscription.html", act=act, way=way, done=True)


@get("/active")
async def mark_active(live: Live, visitor: Visitor) -> Response[dict[str, int]]:
    """That somebody looks at their page is noted for whatever is asked for; at how many tables it is their turn."""
    return Response({"turns": await count_turns(live.store, visitor.person_id) if visitor.person_id else 0})


def _minute(text: str) -> int:
    """The minute of a day, from "22:30"; 0 for nothing."""
    if not text:
        return 0
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise PageRefusal(400, "time", message("A time of day looks like 22:30."))
    return 60 * int(found[1]) + int(found[2])


ROUTES: list[Any] = [
    show,
    save_settings,
    add_subscription,
    send_test,
    remove_subscription,
    confirm_page,
    confirm,
    mark_active,
]
