"""The addresses of the site, a module for each kind of page."""

from litestar.handlers import BaseRouteHandler

from spieltisch.web.routes import (
    analysis,
    devices,
    files,
    first_round,
    games,
    health,
    history,
    lobby,
    manifest,
    me,
    moves,
    network,
    oneself,
    preferences,
    replay,
    seats,
    stream,
    studies,
    table,
)

ROUTES: list[BaseRouteHandler] = [
    *analysis.ROUTES,
    *devices.ROUTES,
    *files.ROUTES,
    *first_round.ROUTES,
    *games.ROUTES,
    *health.ROUTES,
    *history.ROUTES,
    *lobby.ROUTES,
    *manifest.ROUTES,
    *me.ROUTES,
    *moves.ROUTES,
    *network.ROUTES,
    *oneself.ROUTES,
    *preferences.ROUTES,
    *replay.ROUTES,
    *seats.ROUTES,
    *stream.ROUTES,
    *studies.ROUTES,
    *table.ROUTES,
]
