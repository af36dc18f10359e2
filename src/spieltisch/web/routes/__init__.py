"""The routes of the site, one module for each kind of page."""

from litestar.handlers import BaseRouteHandler

from spieltisch.web.routes import (
    alerts,
    analysis,
    assets,
    chat,
    clock,
    devices,
    duplicates,
    games,
    health,
    history,
    identity,
    lessons,
    lobby,
    moves,
    plans,
    preferences,
    puzzles,
    pwa,
    replay,
    seats,
    stream,
    table,
    uploaded_records,
    what_if,
)

MODULES = (
    alerts,
    analysis,
    assets,
    chat,
    clock,
    devices,
    duplicates,
    games,
    health,
    history,
    identity,
    lessons,
    lobby,
    moves,
    plans,
    preferences,
    puzzles,
    pwa,
    replay,
    seats,
    stream,
    table,
    uploaded_records,
    what_if,
)
ROUTES = [
    *(value for module in MODULES for value in vars(module).values() if isinstance(value, BaseRouteHandler)),
]
"""All routes: a function with a decorator such as `get` in one of the modules is one."""
