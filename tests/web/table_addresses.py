"""List every address below that of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from litestar.handlers import HTTPRouteHandler

from spieltisch import tables
from spieltisch.web.app import ROUTES
from spieltisch.web.routes import games

PARTS = {
    "seat:str": ("0", "9", "x"),
    "room:str": ("table", "x"),
    "bot:str": ("easy", "chess"),
    "question:str": (*tables.CONSENT_COMMANDS, "x"),
    "number:str": ("1", "x"),
    "number:int": ("0", "x"),
    "action:str": ("remove", "x"),
}


def addresses() -> Iterator[tuple[str, str]]:
    """Return every method and address below that of a table, with `{id}` for the table."""
    handlers = [route for route in (*ROUTES, *games.uploads(None)) if isinstance(route, HTTPRouteHandler)]
    assert len(handlers) == len(ROUTES) + 1, "a route that is no handler is not looked at"
    table_pages = [
        (path, handler.http_methods) for handler in handlers for path in handler.paths if path.startswith("/table/")
    ]
    assert len(table_pages) > 15
    for path, methods in table_pages:
        names = re.findall(r"{(.*?)}", path)
        assert names.pop(0) == "table_id:str"
        for values in product(*(PARTS[name] for name in names)):
            filled = path.replace("{table_id:str}", "{id}")
            for name, value in zip(names, values, strict=True):
                filled = filled.replace(f"{{{name}}}", value)
            for method in {"GET", "POST", "HEAD", "OPTIONS", "PUT", *methods}:
                yield str(method), filled
    yield from (("GET", "/table/{id}/nowhere"), ("POST", "/table/{id}/nowhere"), ("POST", "/table/{id}"))


ADDRESSES = sorted(set(addresses()))
