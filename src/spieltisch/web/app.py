"""The web application: routes, guards and error handlers around the running server's state."""

from collections.abc import Callable, Set
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException

from spieltisch.core.errors import UnknownGame
from spieltisch.live import Live
from spieltisch.live.limits import DEFAULT, KILOBYTE, Limits
from spieltisch.tables import Table, TableRefusal
from spieltisch.tables.events import Left, Seated, SpectatorLinksRenewed
from spieltisch.web.http import errors, security
from spieltisch.web.http.after_response import respond_first
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.deltas import Deltas
from spieltisch.web.http.head_requests import answer_head
from spieltisch.web.http.pacing import Later, Pacer, call_later
from spieltisch.web.http.rate_limits import RateLimits, limit_rate
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import form_of
from spieltisch.web.http.sessions import Site, identify_visitor, identify_visitor_of_error, visitor_of
from spieltisch.web.http.stream import DUPLICATE, Streams
from spieltisch.web.http.table_access import require_table_access
from spieltisch.web.pages.fragments import CHAT, PLANS, SPECTATORS, Fragments
from spieltisch.web.pages.lobby import LOBBY
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.routes import ROUTES, games, uploaded_records

LOBBY_SECONDS: Final = 1.0
"""Minimum seconds between two pushes of the lobby, of its public part and of each person's own tables."""
SPECTATORS_SECONDS: Final = 1.0
"""Minimum seconds between two pushes of the number of spectators at a table."""


def create_app(
    live: Live,
    streams: Streams,
    site: Site,
    *,
    limits: Limits = DEFAULT,
    pseudo: bool = False,
    cache: Path | None = None,
) -> Litestar:
    """Return the application for a running server.

    `pseudo` renders everything in the pseudo-locale, for tests that search for untranslated texts. Compiled templates
    are stored in the folder `cache`.

    A handler names its dependencies: any of the parts below, `visitor`, and `form` (the form's fields).
    """
    drawn, bots, epoch = DrawnFiles(live.drawing_key), tuple(live.tables.bots), live.store.epoch
    pages = Renderer(Assets(), drawn, pseudo=pseudo, limits=limits, bots=bots, cache=cache, epoch=epoch)
    parts: dict[str, Any] = {
        "live": live,
        "streams": streams,
        "site": site,
        "rate_limits": RateLimits(limits),
        "pages": pages,
        "fragments": Fragments(live, pages),
        "deltas": Deltas(),
    }
    max_bytes = limits.upload_kilobytes * KILOBYTE or None
    app = Litestar(
        route_handlers=[*ROUTES, *games.uploads(max_bytes), *uploaded_records.uploads(max_bytes)],
        dependencies={
            **{name: _provide(part) for name, part in parts.items()},
            "visitor": Provide(visitor_of, sync_to_thread=False),
            "form": Provide(form_of),
        },
        middleware=[respond_first],
        guards=[limit_rate, security.receive_form, identify_visitor, require_table_access, security.check_form],
        before_send=[security.add_headers],
        after_exception=[identify_visitor_of_error],
        exception_handlers={
            TableRefusal: errors.refusal_response,
            PageRefusal: errors.refusal_response,
            UnknownGame: errors.no_game,
            HTTPException: errors.http_error,
            Exception: errors.bug_response,
        },
        request_max_body_size=limits.form_kilobytes * KILOBYTE or None,
        openapi_config=None,
        logging_config=None,
        state=State(parts),
    )
    app.asgi_handler = answer_head(app.asgi_handler)
    return app


def _provide(part: Any) -> Provide:
    def provide() -> Any:
        return part

    return Provide(provide, sync_to_thread=False)


def publish_changes(live: Live, app: Litestar, later: Later = call_later) -> Callable[[], None]:
    """Notify the streams of every change at a table, once it is on disk; return the function that stops this.

    `later` schedules the changes that wait until the next push of the lobby.
    """
    streams, fragments = cast(Streams, app.state.streams), cast(Fragments, app.state.fragments)

    def changed(table: Table) -> None:
        if table.is_over or isinstance(table.events[-1].event, Seated | Left | SpectatorLinksRenewed):
            live.chat.readers_changed(table.id)
        streams.publish(table.id)
        if table.opened.duplicate is not None:
            streams.publish(f"{DUPLICATE}{table.opened.duplicate.id}")

    def lobby_changed(people: Set[str] | None) -> None:
        for person in {None} if people is None else people:
            lobby.add(person)

    lobby = Pacer[str | None](partial(streams.publish, LOBBY), LOBBY_SECONDS, later)
    audience = Pacer[str](lambda table_id: streams.publish(f"{SPECTATORS}{table_id}"), SPECTATORS_SECONDS, later)

    def report_followers(subject: str) -> None:
        fragments.recount_spectators(subject)
        if streams.viewers(f"{SPECTATORS}{subject}"):
            audience.add(subject)

    streams.followers_changed, fragments.viewers = report_followers, streams.viewers
    live.tables.lobby.changed = lobby_changed
    live.chat.changed = lambda table_id, person: streams.publish(f"{CHAT}{table_id}", person)
    live.health.saving_changed = streams.tell_whether_unsaved
    live.plan_runner.changed = lambda table_id, person: streams.publish(f"{PLANS}{table_id}", person)
    return live.tables.subscribe(None, changed)
