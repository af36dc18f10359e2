"""Provide visitors who make and join groups, for tests of pages of groups and of what belongs to groups."""

import html
import re

from tests.web.visitors import Visitor

JSON = {"Accept": "application/json"}
NAME = "Thursday Club"


def named(visitor: Visitor, name: str) -> Visitor:
    """Return a visitor who has this name."""
    visitor.table("me", "bot:random", "bot:random", name=name)
    return visitor


def create(visitor: Visitor) -> str:
    """Create a group; return its path."""
    answer = visitor.submit("/groups", title=NAME)
    assert answer.status_code == 303, answer.text
    path: str = answer.headers["location"]
    return path


def link_of(visitor: Visitor, path: str) -> str:
    """Return the path of the invite link on the page of a group."""
    found = re.search(r'data-share-url="[^"]*(/join-group/[^"]+)"', visitor.get(path).text)
    assert found
    return found.group(1)


def without_path(text: str, path: str) -> str:
    """Return an answer without the address it is about, and without tokens."""
    return re.sub(r"[0-9a-f]{32,}", "*", text.replace(path, "PATH").replace(html.escape(path), "PATH"))
