"""What can go wrong on a screen: too wide, too high, cut off, text over text."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
DESK: ViewportSize = {"width": 1440, "height": 900}


def overlaps(page: Page) -> list[str]:
    """Which texts lie over each other."""
    found: list[str] = page.evaluate(OVERLAPS)
    return found


def too_wide(page: Page) -> list[str]:
    """By how much the page is wider than the screen."""
    assert page.viewport_size
    wide = page.evaluate("document.documentElement.scrollWidth") - page.viewport_size["width"]
    return [f"too wide: {wide}"] if wide > 0 else []


def too_high(page: Page) -> list[str]:
    """By how much the boards are higher than the room for them."""
    high = page.evaluate("(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(panel)")
    return [f"too high: {high}"] if high > 0 else []


def cut(page: Page, parts: str = "section:not(.unseen)") -> list[str]:
    """Which parts of the boards hold more than they are wide, and by how much."""
    found: list[str] = page.evaluate(
        """(parts) => [...panel.querySelectorAll(parts)]
            .filter((one) => one.scrollWidth > one.clientWidth)
            .map((one) => `cut: ${one.id || one.className}: ${one.scrollWidth - one.clientWidth}`)""",
        parts,
    )
    return found
