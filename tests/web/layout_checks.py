"""What can go wrong on a screen: too wide, too high, cut off, text over text, not for everybody."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize

OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
SMALL = (Path(__file__).parent / "too_small.js").read_text("utf-8")
WHOLE = (Path(__file__).parent / "cut_texts.js").read_text("utf-8")
WALK = (Path(__file__).parent / "walk_choices.js").read_text("utf-8")
AXE = (Path(__file__).parent / "vendor" / "axe-4.14.1.min.js").read_text("utf-8")
AXE_RUN = "([part, options]) => axe.run(part || document, options).then((all) => all.violations)"
FRAMES = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  setTimeout(() => done(false), 20000);
})"""
"""Whether two frames came: what follows from a click or a change of size has been done. Once they never did, and a test
hung for ten minutes until its browser was killed. What is looked at is laid out without them.
"""
DESK: ViewportSize = {"width": 1440, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 900}
PHONES: list[ViewportSize] = [{"width": 390, "height": 844}, {"width": 320, "height": 844}]

COLOURS: dict[Literal["light", "dark"], list[str]] = {"light": [], "dark": ["color-contrast", "link-in-text-block"]}
"""In which colours axe looks, and at which of its rules; none: all. The others see the same whatever the colours."""


def draws(page: Page) -> None:
    """Wait until what has changed is drawn."""
    if not page.evaluate(FRAMES):
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("Chromium drew nothing for twenty seconds", stacklevel=1)


def on_screens(page: Page, *screens: ViewportSize) -> Iterator[str]:
    """The same page on one screen after the other, each time laid out anew."""
    for screen in screens:
        if page.viewport_size != screen:
            page.set_viewport_size(screen)
            draws(page)
        yield f"{screen['width']} x {screen['height']}"


def findings(page: Page, part: str = "") -> list[str]:
    """What axe-core finds on the page, or on a part of it, in light and in dark colours.

    The page's own policy would not let axe in: its context needs `bypass_csp`.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = []
    for theme, rules in COLOURS.items():
        page.emulate_media(color_scheme=theme)
        options = {"resultTypes": ["violations"], **({"runOnly": {"type": "rule", "values": rules}} if rules else {})}
        its = page.evaluate(AXE_RUN, [part, options])
        found += [
            f"{theme}: {finding['id']}: {node['html'][:160]} {node['failureSummary']}"
            for finding in its
            for node in finding["nodes"]
        ]
    return found


def overlaps(page: Page) -> list[str]:
    """Which texts lie over each other."""
    found: list[str] = page.evaluate(OVERLAPS)
    return found


def not_whole(page: Page) -> list[str]:
    """Which texts are cut, and which words are broken where none may be."""
    found: list[str] = page.evaluate(WHOLE)
    return found


def too_small(page: Page) -> list[str]:
    """Which texts and signs are under 14 pixels on the screen."""
    found: list[str] = page.evaluate(SMALL, 14)
    return found


def scrolled(page: Page) -> list[str]:
    """Which parts of the prompt have to be scrolled, each in a box of its own."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("#prompt *")]
            .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
            .filter((one) => one.scrollHeight > one.clientHeight + 1)
            .map((one) => `scrolled: ${one.id || one.className}: ${one.scrollHeight - one.clientHeight}`)"""
    )
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


def cut(page: Page, parts: str = "section:not(.visually-hidden)") -> list[str]:
    """Which parts of the boards hold more than they are wide, and by how much."""
    found: list[str] = page.evaluate(
        """(parts) => [...panel.querySelectorAll(parts)]
            .filter((one) => one.scrollWidth > one.clientWidth)
            .map((one) => `cut: ${one.id || one.className}: ${one.scrollWidth - one.clientWidth}`)""",
        parts,
    )
    return found
