"""Operate mouse and keyboard, and count clicks and keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from playwright.sync_api import Locator, Page, expect


class InputDevice(Protocol):
    """An input device that chooses elements and counts its actions."""

    count: int

    def press(self, locator: Locator) -> None: ...


class Mouse:
    def __init__(self) -> None:
        self.count = 0

    def press(self, locator: Locator) -> None:
        """Click an element, near the corner of a card where no other element is."""
        self.count += 1
        locator.click(position={"x": 9, "y": 9} if locator.evaluate("(one) => !(one instanceof SVGElement)") else None)


class Keyboard:
    def __init__(self) -> None:
        self.count = 0

    def press(self, locator: Locator) -> None:
        """Press Enter on an element, which `test_tab_and_arrow_keys_reach_every_place_on_the_boards` shows to be
        reachable.
        """
        self.count += 1
        locator.press("Enter")


def press_and_wait(page: Page, key_press: Callable[[], None]) -> None:
    """Press an element that changes the table, and wait until the page shows the change."""
    before = page.locator("#live-part").get_attribute("data-version")
    key_press()
    expect(page.locator(f'#live-part:not([data-version="{before}"])')).to_be_attached()
