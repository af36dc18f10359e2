"""Who is visiting: the person behind a session's cookie, their language and look, and the token of their forms."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlsplit

from babel import negotiate_locale
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Scope

from spieltisch.core.words import LANGUAGES, message
from spieltisch.live import Live, People
from spieltisch.live.passkeys import RelyingParty
from spieltisch.live.people import THEMES
from spieltisch.store import Person
from spieltisch.web.http.addresses import EVERYWHERE, is_loopback, local_addresses, web_address
from spieltisch.web.http.refusals import PageRefusal

YEAR: Final = 365 * 24 * 3600
BACKGROUND_PATHS: Final = frozenset({"/stream", "/health", "/offline", "/service-worker.js", "/manifest.webmanifest"})
"""What browsers ask for while nobody looks."""
LONGEST_ORIGIN: Final = 300
Connection = ASGIConnection[Any, Any, Any, Any]


class ShareAddress(NamedTuple):
    """Where links that are handed on lead. `address` is for others; `base` stands before a path to make it that, and is
    empty where the visitor's own address will do. `local_only`: no other machine reaches it.
    """

    address: str
    base: str = ""
    local_only: bool = False


NO_SHARE_ADDRESS: Final = ShareAddress("")
"""For visitors who hand on no links."""


@dataclass(frozen=True)
class Site:
    """How this server is reached. `public` is its address for people ("https://table.example"), "" for whatever they
    typed. It listens on `host` and `port`, and at the `addresses` of this machine in its network.
    """

    public: str = ""
    host: str = "127.0.0.1"
    port: int = 0
    addresses: tuple[str, ...] = ()

    @property
    def local(self) -> str:
        """The address for a browser on this machine, without a slash at its end."""
        return web_address(self.host, self.port).rstrip("/")

    @property
    def network(self) -> str:
        """The address for the network, without a slash at its end; "" where the server does not listen there."""
        found = self.addresses or (local_addresses() if self.host in EVERYWHERE else ())
        return web_address(found[0], self.port).rstrip("/") if found else ""

    def share_address(self, origin: str) -> ShareAddress:
        """Return where the links of a visitor lead who came under `origin`."""
        if self.public:
            return ShareAddress(self.public, self.public)
        try:
            name = urlsplit(origin).hostname or ""
        except ValueError:  # no browser's `Host`
            name = ""
        if not name or len(origin) > LONGEST_ORIGIN:
            origin, name = self.local, self.host
        if name in self.addresses or not is_loopback(name):
            return ShareAddress(origin)
        return ShareAddress(self.network, self.network) if self.network else ShareAddress(origin, local_only=True)

    @property
    def https(self) -> bool:
        return self.public.startswith("https:")

    def cookie(self, name: str) -> str:
        """The name under which a cookie is kept: over https one that no other host and no plain http can set."""
        return f"__Host-{name}" if self.https else name

    def origin(self, connection: Connection) -> str:
        """Where a form of ours comes from, as the browser writes it in `Origin`."""
        return (
            self.public.rstrip("/")
            if self.public
            else f"{connection.url.scheme}://{connection.headers.get('host', '')}"
        )


@dataclass(frozen=True)
class Visitor:
    """One request's visitor. `key` is the session cookie, made up when there was none; `person` is None until they
    gave a name; `sessions` are when each of the person's sessions began, the oldest first. `origin` is under which
    address they came.
    """

    site: Site
    person: Person | None
    session_key: str
    is_new: bool
    language: str
    theme: str
    origin: str
    sessions: tuple[float, ...] = ()

    @property
    def person_id(self) -> str | None:
        return self.person.id if self.person else None

    @property
    def share_address(self) -> ShareAddress:
        """Where their invitations lead."""
        return self.site.share_address(self.origin)

    @property
    def form_token(self) -> str:
        """What a form of this session carries. It cannot be known without the cookie, which no other site can read."""
        return hmac.digest(self.session_key.encode(), b"spieltisch form", hashlib.sha256).hex()

    def is_valid_form_token(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.form_token.encode())

    @property
    def stream_key(self) -> str:
        """Changes when the stream has to be opened anew: another session or language. Not the session itself."""
        return hashlib.sha256(f"{self.session_key} {self.language}".encode()).hexdigest()[:16]

    def signed_out(self) -> Visitor:
        """The same browser, when its person is gone."""
        return replace(self, person=None, sessions=())

    @property
    def relying_party(self) -> RelyingParty | None:
        """This server as their devices know it; None where browsers keep no passkeys: they ask for https and a name,
        or for `localhost`.
        """
        try:
            name = urlsplit(self.origin).hostname or ""
        except ValueError:  # no browser's `Host`
            return None
        secure = name == "localhost" or (self.site.https and not _is_number(name))
        return RelyingParty(name, self.origin) if secure else None

    def cookies(self) -> list[Cookie]:
        return [session_cookie(self.site, self.session_key)] if self.is_new else []


def _is_number(name: str) -> bool:
    """Whether a host is no name but an address."""
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def session_cookie(site: Site, key: str) -> Cookie:
    return _cookie(site, "session", key)


def appearance_cookies(site: Site, language: str, theme: str) -> list[Cookie]:
    """Language and theme, kept for visitors who have given no name yet."""
    return [_cookie(site, "language", language), _cookie(site, "theme", theme)]


def devices_cookie(site: Site, version: int) -> Cookie:
    """Up to when this browser has seen which devices there are."""
    return _cookie(site, "devices", str(version))


def devices_version(sessions: Sequence[float]) -> int:
    """Grows with every new session of a person; `sessions` are when they began.

    >>> devices_version([12.5, 13.0])
    13000
    """
    return int(1000 * max(sessions, default=0))


def _cookie(site: Site, name: str, value: str) -> Cookie:
    return Cookie(
        key=site.cookie(name), value=value, path="/", secure=site.https, httponly=True, samesite="lax", max_age=YEAR
    )


def visitor_of(request: Connection) -> Visitor:
    """The visitor behind a request, as `know_visitor` has found out."""
    return cast(Visitor, request.scope["state"]["visitor"])


def require_relying_party(visitor: Visitor) -> RelyingParty:
    """This server as the visitor's devices know it. Raises PageRefusal 409 where browsers keep no passkeys."""
    if visitor.relying_party is None:
        words = message(
            "Passkeys cannot be used at this address: browsers keep them only for a name that is reached by https, or"
            " for http://localhost."
        )
        raise PageRefusal(409, "no-passkeys", words)
    return visitor.relying_party


async def identify_visitor(connection: Connection, _: BaseRouteHandler | None = None) -> None:
    """A guard of the whole site that refuses nothing: it finds out who is visiting, once for a request."""
    state = connection.scope["state"]
    if "visitor" not in state:
        site, live = cast(Site, connection.app.state.site), cast(Live, connection.app.state.live)
        visitor = state["visitor"] = await _visitor(connection, site, live.people)
        if visitor.person is not None:
            live.presence.mark_seen(visitor.person.id)
            if connection.url.path not in BACKGROUND_PATHS:
                live.presence.mark_active(visitor.person.id)


async def identify_visitor_of_error(_: Exception, scope: Scope) -> None:
    """The same for a request that came past no guard, because there is nothing at its address."""
    await identify_visitor(ASGIConnection(scope))


async def refresh_visitor(visitor: Visitor, people: People) -> Visitor:
    """The visitor as they are known now: they may have signed out since, here or elsewhere."""
    if visitor.person is None:
        return visitor
    person = await people.by_token(visitor.session_key)
    return replace(visitor, person=person, sessions=await people.sessions(person.id) if person else ())


async def _visitor(connection: Connection, site: Site, people: People) -> Visitor:
    key = connection.cookies.get(site.cookie("session"), "")
    new = not 16 <= len(key) <= 200 or not key.isascii()
    if new:
        key = secrets.token_urlsafe(24)
    person = None if new else await people.by_token(key)
    return Visitor(
        site=site,
        person=person,
        session_key=key,
        is_new=new,
        language=_language(
            connection, person.language if person else connection.cookies.get(site.cookie("language"), "")
        ),
        origin=site.origin(connection),
        theme=_theme(person.preferences.theme if person else connection.cookies.get(site.cookie("theme"), "")),
        sessions=await people.sessions(person.id) if person else (),
    )


def _language(connection: Connection, chosen: str) -> str:
    if chosen in LANGUAGES:
        return chosen
    wanted = []
    for part in connection.headers.get("accept-language", "")[:400].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), tag.strip().replace("-", "_")))
        except ValueError:
            continue
    wanted.sort(key=lambda pair: pair[0])
    found: str | None = negotiate_locale([tag for _, tag in wanted if tag], LANGUAGES)
    return found or "en"


def _theme(chosen: str) -> str:
    return chosen if chosen in THEMES else ""
