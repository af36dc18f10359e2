"""The routes of the site, one module for each kind of page."""

from collections.abc import Iterable
from types import ModuleType

from litestar.handlers import BaseRouteHandler

from spieltisch.web.routes import (  # noqa: F401  # they are collected below
    alerts,
    analysis,
    assets,
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
    operator,
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

MODULES = tuple(value for value in tuple(globals().values()) if isinstance(value, ModuleType))


def routes_in(modules: Iterable[ModuleType]) -> list[BaseRouteHandler]:
    """Return the routes in modules: each function with a decorator such as `get` is one."""
    return [value for module in modules for value in vars(module).values() if isinstance(value, BaseRouteHandler)]
