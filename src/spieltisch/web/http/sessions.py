"""The visitor of a request: person and session, language and theme, form token."""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field, replace
from functools import cached_property
from ipaddress import ip_address
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

from babel import negotiate_locale
from litestar.datastructures import Cookie
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Scope

from spieltisch.bots import BEGINNER
from spieltisch.core.words import LANGUAGES, guest_names, language_tag, message
from spieltisch.live import People
from spieltisch.live.passkeys import RelyingParty
from spieltisch.live.people import THEMES
from spieltisch.store import Person, ReadFailed
from spieltisch.store.people import NO_ACCESS, Access
from spieltisch.store.sessions import ACTING_SESSION
from spieltisch.tables import Table
from spieltisch.web.http.addresses import EVERYWHERE, is_loopback, local_addresses, web_address
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request

YEAR: Final = 365 * 24 * 3600
SESSION_SEED: Final = re.compile(r"[\w-]{43}", re.ASCII)
"""The form of what the key of a next session is made from."""
BACKGROUND_PATHS: Final = frozenset(
    {"/stream", "/changes", "/health", "/offline", "/service-worker.js", "/manifest.webmanifest"}
)
"""Paths that browsers request without the person looking at a page."""
MAX_ORIGIN_LENGTH: Final = 300


class ShareAddress(NamedTuple):
    """The address for links that a visitor shares.

    `address` is the one that others can reach; `base` is its prefix for a path, empty if the visitor's own address will
    do. `is_local_only`: no other machine can reach it.
    """

    address: str
    base: str = ""
    is_local_only: bool = False


NO_SHARE_ADDRESS: Final = ShareAddress("")
"""For visitors who have no links to share."""


@dataclass(frozen=True)
class Site:
    """The addresses of this server.

    `public` is its address for people ("https://table.example", "https://example.org/games"), "" for whichever address
    they typed. The server listens on `host` and `port`, and at the `addresses` of this machine in its network.
    `contact` is the URL at which the operator is reached, `imprint` a text in Markdown, `metrics_token` what opens
    `/metrics`; each may be "".
    """

    public: str = ""
    host: str = "127.0.0.1"
    port: int = 0
    addresses: tuple[str, ...] = ()
    contact: str = ""
    imprint: str = ""
    metrics_token: str = field(default="", repr=False)

    @cached_property
    def path(self) -> str:
        """The path below which the server is, without a trailing slash; "" where it has a host name of its own."""
        return urlsplit(self.public).path

    @property
    def local(self) -> str:
        """The URL for a browser on this machine, without a trailing slash."""
        return web_address(self.host, self.port).rstrip("/")

    @property
    def network(self) -> str:
        """The URL in the network, without a trailing slash; "" if the server does not listen there."""
        addresses = self.addresses or (local_addresses() if self.host in EVERYWHERE else ())
        return web_address(addresses[0], self.port).rstrip("/") if addresses else ""

    def share_address(self, origin: str) -> ShareAddress:
        """Return the address for the links of a visitor whose own address is `origin`."""
        if self.public:
            return ShareAddress(self.public, self.public)
        try:
            name = urlsplit(origin).hostname or ""
        except ValueError:  # a `Host` header that no browser sends
            name = ""
        if not name or len(origin) > MAX_ORIGIN_LENGTH:
            origin, name = self.local, self.host
        if name in self.addresses or not is_loopback(name):
            return ShareAddress(origin)
        return ShareAddress(self.network, self.network) if self.network else ShareAddress(origin, is_local_only=True)

    @property
    def is_https(self) -> bool:
        """True if the public address uses https."""
        return self.public.startswith("https:")

    def cookie(self, name: str) -> str:
        """Return the stored name of a cookie.

        Over https it has a prefix with which no plain http response can set it, and no other host unless this server is
        below a path: browsers know a cookie of one host only for the whole host. The path is part of the name, because
        servers above and below get each other's cookies.
        """
        if not self.path:
            return f"__Host-{name}" if self.is_https else name
        return f"{'__Secure-' if self.is_https else ''}{name}{self.path.replace('/', '!')}"

    def origin(self, request: Request) -> str:
        """Return the origin of this site's forms, as the browser sends it in `Origin`."""
        return (
            self.public.removesuffix(self.path)
            if self.public
            else f"{request.url.scheme}://{request.headers.get('host', '')}"
        )


@dataclass(frozen=True)
class Visitor:
    """The visitor of one request.

    `session_key` is the session cookie, generated if there was none. `person` is None until the visitor has given a
    name. `access` is what opens sessions as that person; `seen_devices` is the version of it that this browser has
    shown. `origin` is the address that the visitor used. `language` has a region, see `language_tag`.
    """

    site: Site
    person: Person | None
    session_key: str
    is_new: bool
    language: str
    theme: str
    origin: str
    access: Access = NO_ACCESS
    seen_devices: int = 0

    @property
    def news(self) -> tuple[str, ...]:
        """The kinds of access that another browser has added for the person: `session`, `recovery-code` and so on."""
        added = {
            "session": self.access.sessions[-1] if len(self.access.sessions) > 1 else 0.0,
            "recovery-code": self.access.recovery_code,
            "passkey": max(self.access.passkeys, default=0.0),
            "alerts": max(self.access.alerts, default=0.0),
        }
        return tuple(kind for kind, at in added.items() if version_at(at) > self.seen_devices)

    @property
    def person_id(self) -> str | None:
        """The id of the person; None without one."""
        return self.person.id if self.person else None

    @property
    def is_unnamed(self) -> bool:
        """True if a form should ask for a name: there is no person, or one called "Guest" for want of a name."""
        return self.person is None or self.person.name in guest_names()

    @property
    def share_address(self) -> ShareAddress:
        """The address for this visitor's invitations."""
        return self.site.share_address(self.origin)

    @property
    def form_token(self) -> str:
        """The token in each form of this session.

        It cannot be computed without the cookie, which no other site can read.
        """
        return hmac.digest(self.session_key.encode(), b"spieltisch form", hashlib.sha256).hex()

    def is_valid_form_token(self, token: str) -> bool:
        """Return True if this is the token of this session, comparing in constant time."""
        return hmac.compare_digest(token.encode(), self.form_token.encode())

    @property
    def stream_key(self) -> str:
        """A key that changes when the stream must be reopened: for another session or language.

        It does not reveal the session key.
        """
        return hashlib.sha256(f"{self.session_key} {self.language}".encode()).hexdigest()[:16]

    def next_session_key(self, seed: str) -> str:
        """Return the key of the session that follows this one, made from a random `seed` of `SESSION_SEED`'s form.

        No one can choose it: by the key of an earlier session, its browser would be signed in again unnoticed.
        """
        return urlsafe_b64encode(hmac.digest(self.session_key.encode(), seed.encode(), "sha256")).rstrip(b"=").decode()

    def signed_out(self) -> Self:
        """Return the same browser without its person."""
        return replace(self, person=None, access=NO_ACCESS)

    @property
    def relying_party(self) -> RelyingParty | None:
        """This server as a WebAuthn relying party; None where browsers store no passkeys.

        They require https and a host name, or `localhost`.
        """
        try:
            name = urlsplit(self.origin).hostname or ""
        except ValueError:  # a `Host` header that no browser sends
            return None
        secure = name == "localhost" or (self.site.is_https and not _is_number(name))
        return RelyingParty(name, self.origin) if secure else None

    def cookies(self) -> list[Cookie]:
        """Return the session cookie if it is new."""
        return [session_cookie(self.site, self.session_key)] if self.is_new else []


def _is_number(name: str) -> bool:
    """Return True if a host is an IP address instead of a name."""
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def session_cookie(site: Site, key: str) -> Cookie:
    """Return the cookie by which later requests belong to a session."""
    return _cookie(site, "session", key)


def appearance_cookies(site: Site, language: str, theme: str) -> list[Cookie]:
    """Return the cookies with language and theme, for visitors who have given no name yet."""
    return [_cookie(site, "language", language), _cookie(site, "theme", theme)]


def devices_cookie(site: Site, version: int) -> Cookie:
    """Return the cookie with the version of the device list that this browser has seen."""
    return _cookie(site, "devices", str(version))


def level_cookies(site: Site, table: Table) -> list[Cookie]:
    """Return the cookie with the bots that this browser has played against last in a game; none without bots."""
    bots = [seat.bot for seat in table.seats if seat.kind == "bot"]
    return [_cookie(site, f"level-{table.opened.game}", bots[0])] if bots else []


def bot_level(request: Request, game: str) -> str:
    """Return the bots that this browser has played against last in a game: at first those of the beginner's level."""
    bot = request.cookies.get(request.site.cookie(f"level-{game}"), BEGINNER)
    return bot if bot in request.live.tables.bots else BEGINNER


def devices_version(access: Access) -> int:
    """Return a number that grows with each session, recovery code, passkey and alert subscription.

    >>> devices_version(Access((12.5, 13.0), recovery_code=12.0))
    1300000
    """
    return version_at(max(access.times))


def version_at(at: float) -> int:
    """Return the version of what was added last at `at`, fine enough for `store.people.TICK_SECONDS`."""
    return int(100_000 * at)


async def current_devices_cookies(people: People, site: Site, visitor: Visitor, at: float) -> list[Cookie]:
    """Return the cookie of a browser that has just added to its person's access `at` a time, so it is not told of it.

    No cookie if there is anything that another browser has added, before or meanwhile, and that this one has not shown
    yet: it would not be told any more.
    """
    if visitor.person is None or visitor.news:
        return []
    access = await people.access(visitor.person.id)
    if not {at, *visitor.access.times}.issuperset(access.times):
        return []
    return [devices_cookie(site, devices_version(access))]


def _cookie(site: Site, name: str, value: str) -> Cookie:
    return Cookie(
        key=site.cookie(name),
        value=value,
        path=f"{site.path}/",
        secure=site.is_https,
        httponly=True,
        samesite="lax",
        max_age=YEAR,
    )


def require_relying_party(visitor: Visitor) -> RelyingParty:
    """Return this server as a WebAuthn relying party.

    Raise PageRefusal 409 where browsers store no passkeys.
    """
    if visitor.relying_party is None:
        words = message("Passkeys don’t work at this address: they need https with a host name, or http://localhost.")
        raise PageRefusal(409, "no-passkeys", words)
    return visitor.relying_party


async def identify_visitor(request: Request, _: BaseRouteHandler | None = None) -> None:
    """Store the visitor of the request in its scope, once for each request.

    A guard of the whole site that refuses nothing.
    """
    state, live = request.scope["state"], request.live
    if "visitor" not in state:
        visitor = state["visitor"] = await _visitor(request, request.site, live.people)
        ACTING_SESSION.set(visitor.session_key if visitor.person is not None else "")
        if visitor.person is not None:
            live.presence.mark_seen(visitor.person.id)
            if request.url.path not in BACKGROUND_PATHS:
                live.presence.mark_active(visitor.person.id)


async def identify_visitor_of_error(_: Exception, scope: Scope) -> None:
    """Identify the visitor of a request that passed no guard, because no route matched or the store cannot be read."""
    request = Request(scope)
    try:
        await identify_visitor(request)
    except ReadFailed:
        scope["state"]["visitor"] = await _visitor(request, request.site, None)


async def refresh_visitor(visitor: Visitor, people: People) -> Visitor:
    """Return the visitor with their current session: they may have logged out since, here or elsewhere."""
    if visitor.person is None:
        return visitor
    person = await people.by_token(visitor.session_key, is_pushed=True)
    return replace(visitor, person=person, access=await people.access(person.id) if person else NO_ACCESS)


async def _visitor(request: Request, site: Site, people: People | None) -> Visitor:
    """Return who sends a request; without `people`, someone without a name."""
    key = request.cookies.get(site.cookie("session"), "")
    is_new = not 16 <= len(key) <= 200 or not key.isascii()
    if is_new:
        key = secrets.token_urlsafe(24)
    person = None if is_new or people is None else await people.by_token(key)
    seen = request.cookies.get(site.cookie("devices"), "")
    return Visitor(
        site=site,
        person=person,
        session_key=key,
        is_new=is_new,
        language=_language(request, person.language if person else request.cookies.get(site.cookie("language"), "")),
        origin=site.origin(request),
        theme=_theme(person.preferences.theme if person else request.cookies.get(site.cookie("theme"), "")),
        access=await people.access(person.id) if people and person else NO_ACCESS,
        seen_devices=int(seen) if len(seen) <= 16 and seen.isascii() and seen.isdecimal() else 0,
    )


def _language(request: Request, chosen: str) -> str:
    """Return the chosen language, else the one the browser prefers, with the region that the browser names for it."""
    preferred = []
    for part in request.headers.get("accept-language", "")[:400].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            preferred.append((-float(weight or 1), tag.strip().replace("-", "_")))
        except ValueError:
            continue
    preferred.sort(key=lambda pair: pair[0])
    tags = [tag for _, tag in preferred if tag]
    language: str = chosen if chosen in LANGUAGES else negotiate_locale(tags, LANGUAGES) or "en"
    regions = (tag.rpartition("_")[2].upper() for tag in tags if tag.lower().startswith(f"{language}_"))
    return language_tag(language, next(regions, ""))


def _theme(chosen: str) -> str:
    return chosen if chosen in THEMES else ""
