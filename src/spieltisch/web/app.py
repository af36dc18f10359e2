"""The web application: routes, guards and errors put together around an open house."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from spieltisch.core.refusal import UnknownGame
from spieltisch.store import House
from spieltisch.tables import LONGEST_NAME, Table, TableRefusal
from spieltisch.web import errors, security
from spieltisch.web.answers import remember_table
from spieltisch.web.assets import Assets, Drawn
from spieltisch.web.fragments import LOBBY, Fragments
from spieltisch.web.limits import DEFAULT, KILOBYTE, Gate, Limits, keep_pace
from spieltisch.web.pages import Pages
from spieltisch.web.refusals import PageRefusal
from spieltisch.web.routes import ROUTES, games
from spieltisch.web.stream import Streams
from spieltisch.web.visits import Site


def make(
    house: House,
    streams: Streams,
    site: Site,
    *,
    limits: Limits = DEFAULT,
    pseudo: bool = False,
) -> Litestar:
    """The application for this house. `pseudo` says everything in the pseudo-locale, for tests that look for
    forgotten words.
    """
    assets = Assets()
    pages = Pages(assets, Drawn(), pseudo=pseudo, longest_name=limits.letters or LONGEST_NAME)
    return Litestar(
        route_handlers=[*ROUTES, *games.uploads(limits.upload * KILOBYTE or None)],
        guards=[keep_pace, remember_table, security.check_form],
        before_send=[security.add_headers],
        exception_handlers={
            TableRefusal: errors.refused,
            PageRefusal: errors.refused,
            UnknownGame: errors.no_game,
            HTTPException: errors.http_error,
            Exception: errors.failed,
        },
        request_max_body_size=limits.form * KILOBYTE or None,
        openapi_config=None,
        logging_config=None,
        state=State(
            {
                "house": house,
                "streams": streams,
                "site": site,
                "gate": Gate(limits),
                "assets": assets,
                "pages": pages,
                "fragments": Fragments(house, pages),
            }
        ),
    )


def announce(house: House, app: Litestar) -> Callable[[], None]:
    """Tell the streams of every change, once it is on disk. Returns the function that ends it."""
    streams, fragments = cast(Streams, app.state.streams), cast(Fragments, app.state.fragments)

    def changed(table: Table) -> None:
        fragments.lobby_version += 1
        streams.announce(table.id)
        streams.announce(LOBBY)

    return house.subscribe(None, changed)
