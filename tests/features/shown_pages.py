"""Collect everything that pages and the stream show of a table to a visitor."""

from __future__ import annotations

from itertools import product

from spieltisch.features.chat.service import TOPIC as CHAT
from tests.web.visitors import Visitor

JSON = {"Accept": "application/json"}
HTMX = {"HX-Request": "true"}


def pushed(visitor: Visitor, topic: str) -> str:
    """Return the first state of a topic that the stream sends to this visitor, with preceding events."""
    with visitor.stream("GET", "/stream", params={"watch": [f"{topic}@0", "lobby@0"]}) as stream:
        text = ""
        for line in stream.iter_lines():
            text += f"{line}\n"
            if line.startswith("id: lobby@"):
                return text.partition("id: lobby")[0]
    return text


def everything(visitor: Visitor, path: str) -> str:
    """Return everything that this visitor is shown of a table, on all pages."""
    subpages = ("", "/chat", "/log", "/record", "/fairness", "/replay", "/clock", "/since")
    pages = [visitor.get(path + subpath, headers=kind).text for subpath, kind in product(subpages, ({}, JSON, HTMX))]
    key = path.rpartition("/")[2]
    return "\n".join([*pages, pushed(visitor, f"{CHAT}{key}"), pushed(visitor, key), visitor.get("/").text])
