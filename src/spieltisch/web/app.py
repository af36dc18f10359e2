"""The web application: routes, guards and error handlers around the running server's state."""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Final, cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, ExceptionHandlersMap, Guard

from spieltisch.core.errors import UnknownGame
from spieltisch.features import FEATURES
from spieltisch.live import Live
from spieltisch.live.limits import DEFAULT, KILOBYTE, Limits
from spieltisch.store import ReadFailed
from spieltisch.store.errors import SignedOut
from spieltisch.store.notices import ANNOUNCED, BANNED, CHANGED, ENDED
from spieltisch.tables import Table, TableRefusal
from spieltisch.web.http import errors, security
from spieltisch.web.http.after_response import respond_first
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.bans import refuse_banned
from spieltisch.web.http.below_path import serve_below
from spieltisch.web.http.deltas import Deltas
from spieltisch.web.http.ended_sessions import refuse_ended_sessions
from spieltisch.web.http.head_requests import answer_head
from spieltisch.web.http.hidden_routes import hide
from spieltisch.web.http.pacing import Later, Pacer, call_later
from spieltisch.web.http.parts import Parts
from spieltisch.web.http.rate_limits import RateLimits, limit_rate
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.request_ids import add_request_ids
from spieltisch.web.http.requests import Request
from spieltisch.web.http.sessions import Site, identify_visitor, identify_visitor_of_error
from spieltisch.web.http.stream import DUPLICATE, Streams
from spieltisch.web.http.table_access import require_table_access
from spieltisch.web.pages.devices import DEVICES
from spieltisch.web.pages.fragments import Fragments
from spieltisch.web.pages.lobby import LOBBY
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.table_viewers import VIEWERS, TableViewers
from spieltisch.web.pages.topics import MakeSiteTopic, MakeTableTopic, prefix_of
from spieltisch.web.routes import MODULES, games, routes_in, uploaded_records

SERVED: Final = tuple(feature.served() for feature in FEATURES)
"""The features as they are on a running server."""
ROUTES: Final = routes_in((*MODULES, *(served.routes for served in SERVED if served.routes is not None)))
"""All routes, except those whose limits are options of the server."""
TOPICS: Final[Mapping[str, MakeTableTopic]] = {
    prefix: make for served in SERVED for prefix, make in served.topics.items()
}
"""Classes that render the topics which features add to a table, by the prefix of the topic."""
FEATURE_SITE_TOPICS: Final[Mapping[str, MakeSiteTopic]] = {
    topic: make for served in SERVED for topic, make in served.site_topics.items()
}
"""Classes that render the topics which features add to any page, by topic or prefix."""
FOLDERS: Final = {feature.name: feature.templates for feature in FEATURES}
"""The folders with the templates of features."""
LOBBY_SECONDS: Final = 1.0
"""Minimum seconds between two pushes of the lobby, of its public part and of each person's own tables."""
VIEWERS_SECONDS: Final = 1.0
"""Minimum seconds between two pushes of the viewers of a table."""


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

    Guards and handlers get everything they need from `Request`.
    """
    drawn, bots = DrawnFiles(live.drawing_key), tuple(live.tables.bots)
    pages = Renderer(
        Assets(),
        drawn,
        pseudo=pseudo,
        limits=limits,
        bots=bots,
        cache=cache,
        epoch=lambda: live.store.epoch,
        folders=FOLDERS,
        path=site.path,
    )
    fragments = Fragments(
        live,
        pages,
        TOPICS,
        [make for served in SERVED for make in served.sections],
        FEATURE_SITE_TOPICS,
        [make for served in SERVED for make in served.lobby_sections],
    )
    checks = [partial(served.is_banned, live) for served in SERVED if served.is_banned is not None]

    def is_banned(person: str | None, address: str) -> bool:
        return any(check(person, address) for check in checks)

    rate_limits = RateLimits(limits, live.leases.count_processes)
    parts = Parts(live, streams, site, rate_limits, pages, fragments, Deltas(), is_banned)
    guards = [limit_rate, security.receive_form, identify_visitor, require_table_access, security.check_form]
    exception_handlers = {
        TableRefusal: errors.refusal_response,
        PageRefusal: errors.refusal_response,
        UnknownGame: errors.no_game,
        HTTPException: errors.http_error,
        SignedOut: errors.signed_out,
        ReadFailed: errors.not_read,
        Exception: errors.bug_response,
    }
    max_bytes = limits.upload_kilobytes * KILOBYTE or None

    def application(routes: Sequence[BaseRouteHandler], *more_guards: Guard) -> Litestar:
        return Litestar(
            route_handlers=routes,
            middleware=[add_request_ids, respond_first, refuse_ended_sessions],
            request_class=Request,
            # All routes are of HTTP, so these are called with requests of this class.
            guards=cast(list[Guard], [*guards[:3], *more_guards, *guards[3:]]),
            exception_handlers=cast(ExceptionHandlersMap, exception_handlers),
            before_send=[security.add_headers],
            after_exception=[identify_visitor_of_error],
            request_max_body_size=limits.form_kilobytes * KILOBYTE or None,
            openapi_config=None,
            logging_config=None,
            state=State({"parts": parts}),
        )

    app = application(
        [*ROUTES, *games.uploads(max_bytes), *uploaded_records.uploads(max_bytes)], cast(Guard, refuse_banned)
    )
    for hidden in [served.hidden for served in SERVED if served.hidden is not None]:
        # Whoever is let in there may be at an address that is banned, and end the ban.
        hidden_app = application(routes_in([hidden.routes]))
        app.asgi_handler = hide(app.asgi_handler, cast(ASGIApp, hidden_app), hidden.path, hidden.admits)
    app.asgi_handler = serve_below(answer_head(app.asgi_handler), site.path)
    return app


def publish_changes(live: Live, app: Litestar, later: Later = call_later) -> Callable[[], None]:
    """Notify the streams of every change at a table, once it is on disk; return the function that stops this.

    `later` schedules the changes that wait until the next push of the lobby.
    """
    parts = cast(Parts, app.state.parts)
    streams, table_viewers = parts.streams, parts.fragments.part(TableViewers)

    def changed(table: Table) -> None:
        streams.publish(table.id)
        if live.store.is_shared and streams.is_followed(table.id):  # a spectator may have taken a seat
            audience.add(table.id)
        if table.opened.duplicate is not None:
            streams.publish(f"{DUPLICATE}{table.opened.duplicate.id}")

    def lobby_changed(people: Set[str] | None) -> None:
        for person in {None} if people is None else people:
            lobby.add(person)

    lobby = Pacer[str | None](partial(streams.publish, LOBBY), LOBBY_SECONDS, later)
    audience = Pacer[str](lambda table_id: show_viewers(table_id), VIEWERS_SECONDS, later)

    def show_viewers(table_id: str) -> None:
        streams.publish(f"{VIEWERS}{table_id}")
        if live.store.is_shared:
            table_viewers.tell_others(table_id)

    def report_followers(subject: str) -> None:
        table_viewers.recount(subject)
        is_table = live.store.is_shared and subject != LOBBY and not prefix_of(subject)
        if is_table or streams.viewers(f"{VIEWERS}{subject}"):
            audience.add(subject)

    streams.followers_changed, table_viewers.viewers = report_followers, streams.viewers
    table_viewers.processes.changed = report_followers
    live.tables.lobby.changed = lobby_changed
    live.health.saving_changed = streams.tell_whether_unsaved
    live.publish = streams.publish
    live.tables.is_watched = streams.is_followed
    live.notices.missed.append(streams.look_again)
    live.notices.on(ANNOUNCED, lambda _, text: streams.announce(text))
    live.notices.on(BANNED, lambda *_: streams.end_where(parts.is_banned))
    if live.store.is_shared:
        live.notices.on(CHANGED, lambda _, person, *added: streams.publish(DEVICES, person))
        live.notices.on(ENDED, lambda _, person, *added: streams.end_of(person))
    return live.tables.subscribe(None, changed)
