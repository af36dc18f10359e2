"""Provide visitors in a group with a season, for tests of its pages."""

from __future__ import annotations

from collections.abc import Sequence

from tests.features.group_visitors import create, link_of, named
from tests.web.visitors import SHORT, Visitor

NAMES = ("Ada", "Ben", "Cleo")
FORM = {"title": "Autumn Cup", "game-paris-connection": "on", "each": "2", "seats": "3", "days": "7", "clock": ""}


def group_of(visitors: list[Visitor], names: Sequence[str] = NAMES) -> str:
    """Return the path of a group of visitors with these names, whose games end soon."""
    path = create(named(visitors[0], names[0]))
    link = link_of(visitors[0], path)
    for visitor, name in zip(visitors[1:], names[1:], strict=True):
        assert visitor.submit(link, name=name).status_code == 303
    ends = {"option-standstill": SHORT["option-standstill"]}
    assert visitors[0].submit(f"{path}/defaults/paris-connection", **ends).status_code == 303
    return path


def season_of(host: Visitor, path: str, **fields: str) -> str:
    """Create a season, or an evening, in a group; return its path."""
    answer = host.submit(f"{path}/seasons", **{**FORM, **fields})
    assert answer.status_code == 303, answer.text
    season: str = answer.headers["location"]
    return season
