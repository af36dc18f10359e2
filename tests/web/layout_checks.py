"""Find layout faults of a screen: too wide, too high, cut off, overlapping texts, not accessible."""

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
"""Returns true if two frames came: what follows from a click or a change of size has been done. Once they never did,
and a test hung for ten minutes until its browser was killed. What is looked at is laid out without them.
"""
DESK: ViewportSize = {"width": 1440, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 900}
SCREENS: list[ViewportSize] = [
    {"width": 1366, "height": 650},
    {"width": 1100, "height": 600},
    {"width": 1280, "height": 640},
    {"width": 1536, "height": 695},
    {"width": 1024, "height": 768},
    {"width": 1920, "height": 1000},
    {"width": 390, "height": 844},
]
"""What browsers leave of the usual screens, and a phone: every page is made for these."""
PHONES: list[ViewportSize] = [{"width": 390, "height": 844}, {"width": 320, "height": 844}]

COLOURS: dict[Literal["light", "dark"], list[str]] = {"light": [], "dark": ["color-contrast", "link-in-text-block"]}
"""In which colours axe looks, and at which of its rules; none: all. The others see the same whatever the colours."""


def draws(page: Page) -> None:
    """Wait until all changes are drawn."""
    if not page.evaluate(FRAMES):
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("Chromium drew nothing for twenty seconds", stacklevel=1)


def on_screens(page: Page, *screens: ViewportSize) -> Iterator[str]:
    """Yield the same page on one screen after another, each time after a new layout."""
    for screen in screens:
        if page.viewport_size != screen:
            page.set_viewport_size(screen)
            draws(page)
        yield f"{screen['width']} x {screen['height']}"


def findings(page: Page, part: str = "") -> list[str]:
    """Return the violations that axe-core finds on the page, or on a part of it, in light and in dark colours.

    The content security policy of the page blocks axe, so the browser context needs `bypass_csp`.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    violations = []
    for theme, rules in COLOURS.items():
        page.emulate_media(color_scheme=theme)
        options = {"resultTypes": ["violations"], **({"runOnly": {"type": "rule", "values": rules}} if rules else {})}
        axe_findings = page.evaluate(AXE_RUN, [part, options])
        violations += [
            f"{theme}: {finding['id']}: {node['html'][:160]} {node['failureSummary']}"
            for finding in axe_findings
            for node in finding["nodes"]
        ]
    return violations


def overlaps(page: Page) -> list[str]:
    """Return the texts that overlap each other."""
    texts: list[str] = page.evaluate(OVERLAPS)
    return texts


def cut_texts(page: Page) -> list[str]:
    """Return the texts that are cut, and the words that are broken although they must not be."""
    texts: list[str] = page.evaluate(WHOLE)
    return texts


def broken_words(page: Page) -> list[str]:
    """Return the words that are broken although they must not be."""
    return [text for text in cut_texts(page) if text.startswith("broken")]


def too_small(page: Page, min_pixels: float = 14) -> list[str]:
    """Return the texts and icons smaller than this number of pixels on the screen."""
    texts: list[str] = page.evaluate(SMALL, min_pixels)
    return texts


def scrolled(page: Page) -> list[str]:
    """Return the parts of the prompt that must be scrolled."""
    selectors: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("#prompt *")]
            .filter((one) => one.scrollHeight > one.clientHeight + 1)
            .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
            .map((one) => `scrolled: ${one.id || one.className}: ${one.scrollHeight - one.clientHeight}`)"""
    )
    return selectors


def too_wide(page: Page) -> list[str]:
    """Return by how much the page is wider than the screen."""
    assert page.viewport_size
    wide = page.evaluate("document.documentElement.scrollWidth") - page.viewport_size["width"]
    return [f"too wide: {wide}"] if wide > 0 else []


def find_height_overflow(page: Page) -> list[str]:
    """Return a fault if the boards are higher than their space."""
    high = page.evaluate("(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(panel)")
    return [f"too high: {high}"] if high > 0 else []


def cut_parts(page: Page, parts: str = "section:not(.visually-hidden)") -> list[str]:
    """Return the parts of the boards whose content is wider than they are, and by how much."""
    texts: list[str] = page.evaluate(
        """(parts) => [...panel.querySelectorAll(parts)]
            .filter((one) => one.scrollWidth > one.clientWidth)
            .map((one) => `cut: ${one.id || one.className}: ${one.scrollWidth - one.clientWidth}`)""",
        parts,
    )
    return texts


CARD_ANIMATIONS = """
window.animated = {};
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const card = this.dataset?.removedCard ?? (this.matches('#panel [data-slide-stage]') ? this.id : null);
  const isGone = 'removedCard' in (this.dataset ?? {}) && frames.at(-1).translate.startsWith('0 -');
  const kind = isGone ? 'gone' : frames[0].opacity === 0 ? 'new' : 'slid';
  if (card) (window.animated[kind] ??= []).push([card, Math.round((timing.delay ?? 0) / timing.duration)]);
  return animate.call(this, frames, timing);
};
"""
"""Notes which cards go out, slide and come in, and as how manieth: for `add_init_script`."""
CARD_PLACES = """() => {
  const cards = [...document.querySelectorAll('#panel [data-slide-stage]')];
  const spot = (card) => card.tagName === 'LI' ? card : card.parentElement;
  const place = (card) => `${card.closest('section').id} ${[...spot(card).parentElement.children].indexOf(spot(card))}`;
  return [
    Object.fromEntries(cards.map((card) => [card.id, place(card)])),
    cards.filter((card) => 'slidesOut' in card.dataset).map((card) => card.id),
  ];
}"""
"""On which space each card lies, and which of them leave when the round or age ends."""
