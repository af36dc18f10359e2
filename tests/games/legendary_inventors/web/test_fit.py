"""Check Legendary Inventors in small windows: opponents stay visible, and no element shifts while cubes are placed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.games.legendary_inventors.moments import (
    cube_count,
    hoarding_choices_until,
    is_choosing_rewards,
    is_full_last_age,
    is_near_end,
    is_start,
    is_upgrading,
    layout_at,
)
from tests.sentences import sentence_after
from tests.web.layout_checks import draws, find_height_overflow, on_screens
from tests.web.prepared_tables import NAMES, Layout
from tests.web.table_without_server import TableWithoutServer

UPGRADE: Final = sentence_after("games/legendary_inventors/moves.py", 'MoveKind("upgrade",')
pytestmark = pytest.mark.browser
Show = Callable[[Layout], TableWithoutServer]
WINDOWS: Final[list[ViewportSize]] = [
    {"width": 1366, "height": 650},
    {"width": 1100, "height": 600},
    {"width": 1280, "height": 640},
    {"width": 1024, "height": 768},
    {"width": 1536, "height": 695},
]
PLACES: Final = """() => [...document.querySelectorAll('#panel .invention, #panel .team')].map((one) => {
  const { top, height } = one.getBoundingClientRect();
  return [one.className.split(' ')[0], top, height];
})"""
"""A script that returns the place and height of each card and team."""
OVERLAPS: Final = """() => [...document.querySelectorAll('#panel .invention')].flatMap((card) => {
  const picture = card.querySelector('.card-engraving').getBoundingClientRect();
  return [...card.querySelectorAll('.space-row, dt, .card-foot > *, .laurel')].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < picture.right && right > picture.left && top < picture.bottom && bottom > picture.top;
  }).map((one) => `${card.id}: ${one.getAttribute('class') ?? one.tagName}`);
})"""
"""A script that returns what the pictures of inventions lie on, beside names."""


FACES: Final = """() => [...document.querySelectorAll('#panel .is-compact:not(.is-open)')].map((team) => {
  const faces = [...team.querySelectorAll('.active-inventors .medallion')].map((one) => one.getBoundingClientRect());
  const name = team.querySelector('.player-name');
  const piled = faces.slice(1).filter(({ left }, number) => left < faces[number].right).length;
  return [faces.length, piled, name.clientWidth > 50 || name.scrollWidth <= name.clientWidth + 1];
})"""
"""A script that returns for each folded opponent the number of faces, those over another, and if its name has room."""


OWN_FIELDS: Final = """() => [...document.querySelectorAll('#panel .is-own .inventor')].map((inventor) =>
  [...inventor.querySelectorAll('dt')].filter((field) => field.checkVisibility()).map((field) => field.title))"""
"""A script that returns for each inventor of the viewer the fields in sight."""


def places(page: Page) -> Any:
    draws(page)
    return page.evaluate(PLACES)


@pytest.mark.screens
@pytest.mark.parametrize("moment", [is_start, is_full_last_age, is_choosing_rewards, is_near_end])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_panels_of_all_opponents_are_visible_in_a_small_window(
    without_server: Show, seats: int, moment: Callable[[Any], bool]
) -> None:
    page, problems = without_server(layout_at(seats, 0, moment)).page, []
    for screen in on_screens(page, *WINDOWS):
        problems += [f"{screen}: {fault}" for fault in find_height_overflow(page)]
    assert problems == []


def test_the_panel_of_an_opponent_is_one_line_until_a_click_unfolds_it(without_server: Show) -> None:
    page = without_server(layout_at(5, 0, is_full_last_age)).page
    page.set_viewport_size(WINDOWS[0])
    assert find_height_overflow(page) == []
    team = page.locator("#panel-teams .team").first
    expect(team.locator(".team-inventors")).to_be_hidden()
    for part in (".player-name", ".active-inventors", ".cube-supply .short-text", ".team-score .short-text"):
        expect(team.locator(part)).to_be_visible()
    places_before_last = places(page)[:-4]
    team.locator(".expand-button").click()
    expect(team.locator(".team-inventors")).to_be_visible()
    assert places(page)[:-4] == places_before_last
    team.locator(".expand-button").click()
    expect(team.locator(".team-inventors")).to_be_hidden()


def test_three_cards_fill_their_row_and_two_opponents_are_unfolded_where_there_is_room(without_server: Show) -> None:
    page = without_server(layout_at(3, 0, is_near_end)).page
    for screen in on_screens(page, *WINDOWS[:2]):
        assert find_height_overflow(page) == []
        row, last = page.locator(".invention-list").bounding_box(), page.locator(".invention").last.bounding_box()
        assert row
        assert last
        assert abs(row["x"] + row["width"] - last["x"] - last["width"]) < 1
        is_unfolded = screen == "1366 x 650"
        expect(page.locator("#panel-teams .team-inventors").first).to_be_visible(visible=is_unfolded)
        expect(page.locator("#panel-teams .expand-button").first).to_be_visible(visible=not is_unfolded)


def test_on_a_phone_one_can_read_the_second_reward_and_a_folded_own_team_is_one_line(without_server: Show) -> None:
    page = without_server(layout_at(4, 0, is_choosing_rewards)).page
    page.set_viewport_size({"width": 390, "height": 844})
    row, second = page.locator("#choices > .choice-list").bounding_box(), page.locator("#choices .choice").nth(1)
    assert row
    box = second.bounding_box()
    assert box
    assert row["x"] + row["width"] - box["x"] > 90
    heights = page.locator("#panel .team").evaluate_all("(teams) => teams.map((team) => team.offsetHeight)")
    assert max(heights) - min(heights) <= 2


@pytest.mark.parametrize("seats", [2, 5])
def test_placing_a_cube_or_previewing_a_move_shifts_no_card_and_no_team(without_server: Show, seats: int) -> None:
    secret = bytes([seats, 5, *bytes(30)])
    other_names = NAMES[1:seats]

    def with_cubes(min_cubes: int) -> Layout:
        choose_move = hoarding_choices_until(lambda view: cube_count(view) >= min_cubes)
        return Layout("legendary-inventors", other_names, secret, choose_move, {"teams": "random"})

    page = without_server(with_cubes(0)).page
    page.set_viewport_size(WINDOWS[0])
    heights = sorted(place[1:] for place in places(page))
    page = without_server(with_cubes(1)).page
    page.set_viewport_size(WINDOWS[0])
    assert sorted(place[1:] for place in places(page)) == heights
    choosing = without_server(layout_at(seats, 1, is_choosing_rewards)).page
    choosing.set_viewport_size(WINDOWS[0])
    before = places(choosing)
    choosing.locator("#choices .choice").first.hover()
    expect(choosing.locator("#panel .ghost").first).to_be_attached()
    assert places(choosing) == before


def test_the_preview_of_an_upgrade_shows_each_field_once_and_keeps_all_heights(without_server: Show) -> None:
    page = without_server(layout_at(3, 0, is_upgrading)).page
    page.set_viewport_size(WINDOWS[0])
    before = places(page)
    choices = page.locator("#choices .choice-list > .final-choice")
    page.locator("#choices .choice", has_text=UPGRADE).click()
    expect(page.locator("#choices .chosen-steps")).to_be_visible()
    while not choices.count():  # the token, the inventor
        page.locator("#choices .choice-list > .choice").first.click()
        draws(page)
    for number in range(min(choices.count(), 4)):
        page.locator(".table-head h1").hover()
        expect(page.locator("#panel .ghost")).to_have_count(0)
        choices.nth(number).hover()
        expect(page.locator("#panel .is-own .inventor .ghost").first).to_be_attached()
        assert all(len(set(fields)) == len(fields) for fields in page.evaluate(OWN_FIELDS))
        assert places(page) == before


def test_the_leader_has_a_laurel_and_the_viewers_entry_shows_their_rank(without_server: Show) -> None:
    page = without_server(layout_at(5, 0, is_full_last_age)).page
    points = [int(text) for text in page.locator("#player-list .points").all_inner_texts()]
    assert len(set(points)) > 1
    leads = page.locator("#player-list li").evaluate_all(
        "(all) => all.map((one) => one.querySelector('.is-leading') !== null)"
    )
    assert leads == [point == max(points) for point in points]
    own_points = int(page.locator("#player-list .is-own-seat .points").inner_text())
    assert page.locator("#player-list .own-rank").all_inner_texts() == [
        f"#{1 + sum(point > own_points for point in points)}"
    ]
    page = without_server(layout_at(5, 3, is_start)).page
    expect(page.locator("#player-list .is-leading, #player-list .own-rank")).to_have_count(0)  # all are equal


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_pictures_of_inventions_lie_on_no_line_of_cubes(without_server: Show, seats: int) -> None:
    page = without_server(layout_at(seats, 0, is_full_last_age)).page
    for screen in on_screens(page, *WINDOWS, {"width": 1920, "height": 1000}, {"width": 390, "height": 844}):
        assert page.evaluate(OVERLAPS) == [], screen


@pytest.mark.parametrize("seats", [4, 5])
def test_the_name_and_the_four_faces_of_a_folded_opponent_have_room(without_server: Show, seats: int) -> None:
    page = without_server(layout_at(seats, 0, is_full_last_age)).page
    for screen in on_screens(page, *WINDOWS):
        counts, piled, has_room = zip(*page.evaluate(FACES), strict=True)
        assert (len(counts), set(counts)) == (seats - 1, {4})
        assert all(has_room), screen
        if screen in ("1366 x 650", "1536 x 695"):
            assert not any(piled), screen
