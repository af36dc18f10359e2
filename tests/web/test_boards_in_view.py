"""Check boards larger than their window: the relevant part is visible, and keys reach every place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.web.clicked_tables import TABLES
from tests.web.input_devices import Mouse, press_and_wait
from tests.web.key_player import word_labels
from tests.web.layout_checks import SCREENS, draws, on_screens
from tests.web.prepared_tables import Layout
from tests.web.table_without_server import TableWithoutServer

pytestmark = pytest.mark.browser
Show = Callable[[Layout], TableWithoutServer]

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
CUT_TEXT: Final = """(all) => all.flatMap((one) => [...one.children])
  .filter((part) => !part.matches('.visually-hidden') && part.scrollHeight > part.clientHeight + 3)
  .map((part) => part.textContent)"""
"""The texts of choices that are cut: all but the tails of letters."""


def test_a_phone_scrolls_to_the_board_of_the_decision_and_shows_its_choices_uncut(without_server: Show) -> None:
    page = without_server(TABLES["produce"]).page
    page.set_viewport_size(PHONE)
    page.evaluate("for (const one of document.querySelectorAll('#panel [aria-expanded=false]')) one.click()")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.locator("#panel .card-frame.is-target")).to_have_count(0)
    expect(page.locator("#panel .card-frame").first).not_to_be_in_viewport()
    name = word_labels("era-of-inventions", "use produce inventions")[-1]
    press_and_wait(page, page.locator("#choices").get_by_role("button", name=name).click)
    expect(page.locator("#panel .card-frame.is-target").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#choices .is-long:not(.has-note)").first).to_be_attached()
    assert page.locator("#choices .choice:not(.blocked-choice, .has-note)").evaluate_all(CUT_TEXT) == []


def test_the_frame_of_a_chosen_card_is_not_cut_on_a_phone(without_server: Show) -> None:
    page = without_server(TABLES["send"]).page
    page.set_viewport_size(PHONE)
    Mouse().press(page.locator("#panel .invention.is-target").nth(1))
    card = page.locator("#panel .invention.is-chosen")
    expect(card).to_have_count(1)
    room, frame = card.evaluate(
        """(card) => {
          const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(card);
          const edge = card.closest('.panel-frame > section').getBoundingClientRect().right;
          const frame = outlineStyle === 'solid' ? parseFloat(outlineWidth) : 0;
          return [edge - card.getBoundingClientRect().right - frame - parseFloat(outlineOffset), frame];
        }"""
    )
    assert room >= 0
    assert frame == 3


CUT_ROWS: Final = """() => {
  const foot = document.getElementById('prompt-foot').getBoundingClientRect();
  const question = document.querySelector('.prompt-question').getBoundingClientRect();
  const isSticky = (row) => getComputedStyle(row).position === 'sticky';
  const rows = [...document.querySelectorAll('#choices > .choice-list > .choice')].filter((row) => !isSticky(row));
  const straddles = ({ top, bottom }, edge) => top < edge - 1 && bottom > edge + 1;
  const isCut = (box) => straddles(box, question.bottom) || straddles(box, foot.top);
  const isDrawn = (row) => Number(getComputedStyle(row).opacity) > 0;
  const cut = rows.filter((row) => isCut(row.getBoundingClientRect()) && isDrawn(row));
  const isMarked = getComputedStyle(document.getElementById('prompt-foot'), '::before').content !== 'none';
  const hasMore = rows.some((row) => row.getBoundingClientRect().bottom > foot.top + 1);
  return [cut.map((row) => row.textContent), isMarked, hasMore];
}"""
"""The choices that are cut by question or foot, whether a mark says that there are more, and whether there are."""


@pytest.mark.parametrize("name", ["start", "produce", "send"])
def test_in_a_low_window_choices_are_whole_or_not_drawn(without_server: Show, name: str) -> None:
    page = without_server(TABLES[name]).page
    for height in (300, 330, 360, 390, 420):
        page.set_viewport_size({"width": 844, "height": height})
        draws(page)
        draws(page)
        for distance in (0, 13, -13):
            page.locator("#prompt").evaluate("(one, distance) => one.scrollBy(0, distance)", distance)
            draws(page)
            cut_choices, is_marked, has_more = page.evaluate(CUT_ROWS)
            assert cut_choices == []
            assert is_marked or not has_more


FADED: Final = """() => {
  const isFading = ({ maskImage, opacity, backgroundImage }, isDrawnOver) => maskImage !== 'none'
    || (isDrawnOver ? backgroundImage.startsWith('linear-gradient') : !['0', '1'].includes(opacity));
  return [...document.querySelectorAll('#live-part :is(a, button, summary, [data-place].is-target)')].flatMap((one) => {
    const around = [];
    for (let part = one; part; part = part.parentElement) around.push(part);
    const isUnderFade = (part) => isFading(getComputedStyle(part))
      || ['::before', '::after'].some((pseudo) => isFading(getComputedStyle(part, pseudo), true));
    return around.filter(isUnderFade).map((part) => part.outerHTML.slice(0, 90));
  });
}"""
"""Return what fades something that can be pressed, or is drawn over it in a pale colour."""


@pytest.mark.parametrize("name", TABLES)
def test_no_element_that_can_be_clicked_is_drawn_faded(without_server: Show, name: str) -> None:
    page = without_server(TABLES[name]).page
    for screen in on_screens(page, *SCREENS[:-1]):  # a phone's rows of choices fade at their ends
        assert page.evaluate(FADED) == [], screen


UNREACHED: Final = """() => {
  const press = (from, key) => {
    from.focus();
    from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return document.activeElement;
  };
  const shown = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  return ['#map-drawing', '#panel', '#own-summary', '#choices'].flatMap((region) => {
    const all = [...document.querySelectorAll(`${region} :is(.is-target, .choice)`)].filter(shown);
    const stops = () => all.filter((one) => one.tabIndex === 0);
    let at = stops()[0];
    for (const key of at ? ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft'] : []) at = press(at, key);
    const isOneStop = region === '#choices' || stops().length === Math.min(all.length, 1);
    const reached = new Set(stops().slice(0, 1));
    for (const one of reached) {
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) reached.add(press(one, key));
    }
    const other = [...all.filter((one) => !reached.has(one)), ...[...reached].filter((one) => !all.includes(one))];
    return [...isOneStop ? [] : [`${region} has not one Tab stop`], ...other.map((one) => one.outerHTML)];
  });
}"""
"""Return what Tab and arrows do not lead to in each region, though it can be chosen, or lead to though it cannot."""


@pytest.mark.parametrize("name", TABLES)
def test_tab_and_arrow_keys_reach_every_place_on_the_boards(without_server: Show, name: str) -> None:
    page = without_server(TABLES[name]).page
    assert page.locator(":is(#map-drawing, #panel, #own-summary) .is-target").count() > 1
    assert page.evaluate(UNREACHED) == []
