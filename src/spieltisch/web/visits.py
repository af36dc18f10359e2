"""Who is asking: the person behind a cookie, their language and look, and the token their forms must carry."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from babel import negotiate_locale
from litestar import Request
from litestar.datastructures import Cookie

from spieltisch.core.words import LANGUAGES

if TYPE_CHECKING:
    from spieltisch.store import House, Person

YEAR: Final = 365 * 24 * 3600
THEMES: Final = ("", "light", "dark")


@dataclass(frozen=True)
class Site:
    """How this server is reached. `public` is its address for people ("https://table.example"), "" for whatever they
    typed.
    """

    public: str = ""

    @property
    def https(self) -> bool:
        return self.public.startswith("https:")

    def cookie(self, name: str) -> str:
        """The name under which a cookie is kept: over https one that no other host and no plain http can set."""
        return f"__Host-{name}" if self.https else name

    def origin(self, request: Request[Any, Any, Any]) -> str:
        """Where a form of ours comes from, as the browser writes it in `Origin`."""
        return self.public.rstrip("/") if self.public else f"{request.url.scheme}://{request.headers.get('host', '')}"


@dataclass(frozen=True)
class Visit:
    """One request's visitor. `key` is the session cookie, made up when there was none; `person` is None until they
    gave a name.
    """

    site: Site
    person: Person | None
    key: str
    new: bool
    language: str
    theme: str

    @property
    def person_id(self) -> str | None:
        return self.person.id if self.person else None

    @property
    def form_token(self) -> str:
        """What a form of this session carries. It cannot be known without the cookie, which no other site can read."""
        return hmac.digest(self.key.encode(), b"spieltisch form", hashlib.sha256).hex()

    def holds(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.form_token.encode())

    @property
    def who(self) -> str:
        """Changes when the stream has to be opened anew: another session or language. Not the session itself."""
        return hashlib.sha256(f"{self.key} {self.language}".encode()).hexdigest()[:16]

    def cookies(self) -> list[Cookie]:
        return [session_cookie(self.site, self.key)] if self.new else []


def session_cookie(site: Site, key: str) -> Cookie:
    return _cookie(site, "session", key)


def look_cookies(site: Site, language: str, theme: str) -> list[Cookie]:
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


def visit_of(request: Request[Any, Any, Any], site: Site, house: House) -> Visit:
    """The visitor behind a request; computed once for it."""
    known = request.scope["state"].get("visit")
    if isinstance(known, Visit):
        return known
    key = request.cookies.get(site.cookie("session"), "")
    new = not 16 <= len(key) <= 200 or not key.isascii()
    if new:
        key = secrets.token_urlsafe(24)
    person = None if new else house.person(key)
    visit = Visit(
        site=site,
        person=person,
        key=key,
        new=new,
        language=_language(request, person.language if person else request.cookies.get(site.cookie("language"), "")),
        theme=_theme(person.preferences.theme if person else request.cookies.get(site.cookie("theme"), "")),
    )
    request.scope["state"]["visit"] = visit
    return visit


def _language(request: Request[Any, Any, Any], chosen: str) -> str:
    if chosen in LANGUAGES:
        return chosen
    wanted = []
    for part in request.headers.get("accept-language", "")[:400].split(","):
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
