"""Run analyses that take a second, and wait for them."""

from __future__ import annotations

from typing import Final

from tests.web.visitors import Visitor

QUICK_ANALYSES: Final = ("--limit", "analysis_seconds=1")
"""Options of a server: a second for a game, so few trial games, and the whole way."""


def wait_for_analysis(visitor: Visitor, path: str) -> None:
    """Request an analysis and wait until it is shown."""
    assert visitor.submit(f"{path}/analysis").status_code == 303
    while 'id="analysis-progress"' in visitor.get(f"{path}/analysis").text:
        pass
