"""Provide browsers on machines with other fonts, where every family is one wide or one narrow font."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browsers import TO_CLOSE, at_most, launch

WIDE_FACE, NARROW_FACE = "Liberation Mono", "Liberation Sans Narrow"
"""Two of the faces in Debian's fonts-liberation."""
PATIENCE = 30
"""Seconds in which a page shows the texts that are awaited."""
INSTALLED = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<match target="pattern"><edit name="family" mode="assign" binding="strong"><string>{face}</string></edit></match>
</fontconfig>
"""

BOXES = r"""() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walk.nextNode()) {
    const node = walk.currentNode, range = document.createRange();
    const apart = node.parentElement.closest("symbol, defs, script, noscript, option, code, pre, .visually-hidden");
    if (apart || !node.parentElement.checkVisibility() || !/[\p{L}\p{N}]/u.test(node.data)) continue;
    range.selectNodeContents(node);
    const { left, top, width, height } = range.getBoundingClientRect();
    found.push([node.data.trim().slice(0, 40), left, top, width, height]);
  }
  return found;
}"""
"""Every text seen on a page with its box, but for marks; letters in signs, and code, have faces of their own."""

PROBE = """(family) => {
  const probe = document.createElement("span");
  probe.textContent = "Wilhelmina illicitly";
  probe.style.fontFamily = family;
  probe.style.position = "absolute";
  document.body.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width;
}"""


@contextmanager
def browser_with_font(browser: Browser, folder: Path, face: str) -> Iterator[Browser]:
    """Launch another browser in which every font family is this font."""
    config = folder / f"{face}.conf"
    config.write_text(INSTALLED.format(face=face), "utf-8")
    started_browser = launch(browser.browser_type, env={**os.environ, "FONTCONFIG_FILE": str(config)})
    yield started_browser
    with at_most(TO_CLOSE):
        started_browser.close()


def boxes(page: Page) -> list[tuple[str, list[float]]]:
    """Return the texts of a page, each with its box: left, top, width, height."""
    page.evaluate("document.fonts.ready.then(() => null)")
    return [(text, box) for text, *box in page.evaluate(BOXES)]


def boxes_of_texts(page: Page, texts: Sequence[str]) -> list[list[float]]:
    """Return the boxes of these texts once the page shows no others, such as a note about its connection."""
    deadline, found = time.monotonic() + PATIENCE, boxes(page)
    while [text for text, _ in found] != list(texts):
        assert time.monotonic() < deadline, {text for text, _ in found} ^ set(texts)
        found = boxes(page)
    return [box for _, box in found]


def width(page: Page, family: str) -> float:
    """Return the width of some words in a family that the page does not contain."""
    measured_width: float = page.evaluate(PROBE, family)
    return measured_width
