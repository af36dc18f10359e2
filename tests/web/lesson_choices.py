"""Choose moves of a lesson by mouse or keys."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

LABELS = """(move) => {
  const found = [];
  for (let item = document.querySelector(`#move-tree button[value="${move}"]`).closest('li'); item; ) {
    found.unshift(item.querySelector('.move-label').textContent);
    item = item.parentElement.closest('li');
  }
  return found;
}"""
"""The labels of a move's words, as its buttons show them."""
CELL = """([given, taken]) => {
  const [head, ...rows] = document.querySelectorAll('#choices .move-grid tr');
  const at = (cells, label) => cells.findIndex((cell) => cell.textContent.trim() === label.trim());
  return [at(rows.map((row) => row.cells[0]), given), at([...head.cells], taken) - 1];
}"""
"""The row and the column of a trade in the grid of trades."""
Press = Callable[[Locator], None]


def click(chosen_element: Locator) -> None:
    chosen_element.click()


def enter(chosen_element: Locator) -> None:
    """Press Tab until the element has the focus, and then Enter."""
    for _ in range(150):
        if chosen_element.evaluate("(one) => one === document.activeElement"):
            chosen_element.page.keyboard.press("Enter")
            return
        chosen_element.page.keyboard.press("Tab")
    raise AssertionError(f"{chosen_element} cannot be reached")


def choose(page: Page, move: str, press: Press) -> None:
    """Choose a move word by word by its buttons."""
    expect(page.locator("#choices .choice").first).to_be_visible()
    labels = page.evaluate(LABELS, move)
    for label in labels:
        if page.locator("#choices .move-grid").count():
            given_company, count, taken_company = labels[
                -3:
            ]  # after "Trade", which is no choice where it is the only one
            press(page.locator("#choices .count-buttons").get_by_role("button", name=count.strip(), exact=True))
            row, column = page.evaluate(CELL, [given_company, taken_company])
            press(page.locator("#choices .move-grid tbody tr").nth(row).locator("td").nth(column).locator("button"))
            return
        number = page.evaluate(
            """(label) => [...document.querySelectorAll('#choices .choice')]
              .findIndex((one) => !one.matches('.blocked-choice')
                && one.querySelector('.move-label')?.textContent === label)""",
            label,
        )
        if number >= 0:  # a word that is the only one to go on with is no choice
            press(page.locator("#choices .choice").nth(number))
