"""Check pages of tables of Era of Inventions late in a game: boards, reasons, replay and spectators."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.games.era_of_inventions.moments import (
    GAME,
    bot_choices_until,
    can_build,
    can_buy,
    can_only_take_back_discs,
    is_late_action,
    layout_at,
)
from tests.sentences import sentence_after
from tests.web.conftest import PreparedTables
from tests.web.layout_checks import CARD_ANIMATIONS, CARD_PLACES, on_screens, overlaps
from tests.web.prepared_tables import Layout
from tests.web.table_page import open_table
from tests.web.table_without_server import TableWithoutServer
from tests.web.visitors import Visitor

GIVE_UP = sentence_after("games/era_of_inventions/moves.py", 'MoveKind("take back",')

pytestmark = pytest.mark.browser
PEOPLE = ["Ada", "Grace", "Mary", "Émilie"]
LAYOUTS = {
    "late": layout_at(4, lambda position: is_late_action(position) and not can_buy(position), 10, PEOPLE),
    "building": layout_at(4, can_build, names=PEOPLE),
    "giving up": Layout(
        GAME, PEOPLE[1:3], bytes([3, *bytes(31)]), bot_choices_until(can_only_take_back_discs, "random")
    ),
}
Open = Callable[..., Page]
WINDOWS: Final[list[ViewportSize]] = [
    {"width": width, "height": height}
    for width, height in (
        (1366, 650),
        (1366, 625),
        (1280, 720),
        (1440, 764),
        (1536, 695),
        (1920, 1000),
        (2560, 1300),
        (1024, 768),
    )
]
"""The windows in which the boards have all the height, and no more than it."""


def test_previewing_a_factory_does_not_resize_the_boards(device: Open, prepared: PreparedTables) -> None:
    page = device(viewport={"width": 1366, "height": 650})
    open_table(page, prepared.addresses["building"])
    page.locator("#era-factories").scroll_into_view_if_needed()
    sizes = """() => [...document.querySelectorAll(".era-part, .factory-row, .factory-row > li, .player-line")]
      .map((one) => [one.offsetWidth, one.offsetHeight])"""
    before = page.evaluate(sizes)
    page.locator("#era-factories .is-target").first.hover()
    expect(page.locator("#era-factories .ghost").first).to_be_attached()
    assert page.evaluate(sizes) == before


def test_the_boards_lie_within_the_influence_track(device: Open, prepared: PreparedTables) -> None:
    page = device(viewport={"width": 1440, "height": 764}, locale="de")
    open_table(page, prepared.addresses["late"])
    assert layout_faults(page) == []
    boxes = "[...document.querySelectorAll('.track-side')].map((side) => side.getBoundingClientRect().toJSON())"
    edges = page.evaluate(boxes)
    top, right, bottom, left = edges
    for part in page.locator("#panel :is(#era-fields, #era-invention-row, #era-market, .other-player-lines)").all():
        box = part.bounding_box()
        assert box is not None
        assert left["right"] <= box["x"]
        assert box["x"] + box["width"] <= right["left"]
        assert top["bottom"] <= box["y"]
        assert box["y"] + box["height"] <= bottom["top"]
    works = page.locator("#era-factories .card-frame").first
    parts = (".cost .goods-amount >> nth=0", ".card-picture", ".card-yield")
    cost, icon, gain = (works.locator(part).bounding_box() for part in parts)
    assert cost
    assert icon
    assert gain
    assert cost["x"] + cost["width"] <= icon["x"] + 1 < gain["x"] + 1


NAMED = (
    ".action-field",
    "#era-invention-row .card-frame",
    "#era-factories .card-frame",
    ".invention-card",
    ".patent-track",
    ".player-line.is-own .bonus-standing",
)
"""All that has a name on the boards: actions, cards, factories, inventions, patent track and the bonuses at the end."""
UNNAMED = """(kinds) => kinds.flatMap((kind) => [...document.querySelectorAll(kind)].filter((one) => {
  const isShown = (name) => getComputedStyle(name).clipPath === 'none' && name.getBoundingClientRect().width > 4;
  const name = [...one.querySelectorAll('h3, .short-action-name, .stat-name')].find(isShown);
  return !name || parseFloat(getComputedStyle(name).fontSize) < 11.5 || name.scrollWidth > name.clientWidth + 1;
}).map((one) => `${kind}: ${one.textContent.trim()}`))"""
"""A script that returns what has no name, or one that is cut or too small."""
EMPTY = """() => {
  const [room, boards] = [panel, panel.querySelector('.era')].map((one) => one.getBoundingClientRect());
  return [panel.scrollHeight - panel.clientHeight, Math.round(room.bottom - boards.bottom)];
}"""
"""A script that returns how much of the boards is cut, and how much room below them is empty, in pixels."""
OUT_OF_ORDER = """() => [...panel.querySelectorAll('.card-frame, .market-box li, .price')].filter((one) => {
  const [cost, gain] = one.matches('.card-frame')
    ? ['.cost .icon', '.card-yield .icon'].map((part) => one.querySelector(part))
    : [...one.querySelectorAll('.icon')];
  if (!cost || !gain) return false;
  const [from, to] = [cost, gain].map((part) => part.getBoundingClientRect());
  return from.right > to.left + 1 && from.bottom > to.top + 1;
}).map((one) => one.textContent)"""
"""A script that returns what shows its gain before its cost."""


INKS = """() => ['symbol', 'ahead'].map((kind) => Math.max(0, ...[...document.querySelectorAll(`.track-${kind}`)]
  .map((one) => parseFloat(getComputedStyle(one).opacity))))"""
"""A script that returns the opacity of the symbols on the track, and of those that the own pawn reaches next."""

CROWDED = """() => [...panel.querySelectorAll('.invention-field')].filter((one) => {
  const [price, reward] = [one.querySelector('.price > [aria-hidden]'), one.querySelector('.reward')];
  return price && reward.getBoundingClientRect().left - price.getBoundingClientRect().right < 3;
}).map((one) => `crowded: ${one.textContent}`)"""
"""A script that returns the fields of inventions in which the price touches the line before the reward."""
FADED = """() => {
  const ink = getComputedStyle(panel.querySelector('.player-label > .icon')).color;
  const shields = [...panel.querySelectorAll('.invention-markers .icon')];
  const faded = shields.filter((one) => getComputedStyle(one).color !== ink);
  return faded.map((one) => `no ink: ${one.parentElement.title}`);
}"""
"""A script that returns whose shields on the patent track have letters of another ink than the other shields."""


def layout_faults(page: Page) -> list[str]:
    """Return what is cut, empty, without a name, faded or in the wrong order on the boards, or shown twice."""
    cut, empty = page.evaluate(EMPTY)
    assert page.viewport_size
    faults = [f"cut: {cut}"] if cut > 0 else []
    if page.viewport_size["width"] >= 1280 and empty > 12:  # narrower boards are one column
        faults.append(f"empty: {empty}")
    if page.locator("#own-summary li").first.is_hidden() or page.locator(".is-own .good-count").first.is_visible():
        faults.append("own goods are not shown once")
    printed, ahead = page.evaluate(INKS)
    if printed > 0.5 or ahead not in (0, 1):
        faults.append(f"the track has inks of {printed} and {ahead}")
    scripts = (OUT_OF_ORDER, CROWDED, FADED)
    found = [fault for script in scripts for fault in page.evaluate(script)]
    return [*faults, *page.evaluate(UNNAMED, NAMED), *found, *overlaps(page)]


@pytest.mark.screens
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_boards_fill_every_window_and_name_everything_on_them(
    device: Open, prepared: PreparedTables, language: str
) -> None:
    prepared.speak(language)
    page, problems = device(viewport=WINDOWS[0], locale=language), []
    for name in ("late", "building"):
        page.set_viewport_size(WINDOWS[0])
        open_table(page, prepared.addresses[name])
        for screen in on_screens(page, *WINDOWS):
            problems += [f"{name}, {screen}: {fault}" for fault in layout_faults(page)]
    prepared.speak("en")
    assert problems == []


def test_a_folded_influence_track_stays_folded_in_the_same_browser(device: Open, prepared: PreparedTables) -> None:
    page = device(viewport={"width": 1366, "height": 650})
    open_table(page, prepared.addresses["late"])
    fold, track, boards = page.locator(".fold-track"), page.locator("#era-track"), page.locator("#era-invention-row")
    wide = boards.bounding_box()
    assert wide
    fold.click()
    expect(track).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    wider = boards.bounding_box()
    assert wider
    assert wider["width"] > wide["width"] + 10
    assert overlaps(page) == []
    page.reload()
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(track).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    expect(track).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")
    assert boards.bounding_box() == wide
    # The track is the last part of the boards: until it has come, nothing is shown that would move.
    page.evaluate("document.getElementById('era-track').remove()")
    expect(boards).to_be_hidden()


def test_in_a_small_window_the_influence_track_is_folded_until_the_player_unfolds_it(
    device: Open, prepared: PreparedTables
) -> None:
    page = device(viewport={"width": 1024, "height": 768})
    open_table(page, prepared.addresses["late"])
    fold, track = page.locator(".fold-track"), page.locator("#era-track")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(track).to_be_hidden()
    assert page.evaluate("panel.scrollHeight <= panel.clientHeight")
    expect(page.locator("#own-summary li").first).to_be_visible()  # the goods are shown there, and
    expect(page.locator(".player-line.is-own .good-count").first).to_be_hidden()  # not twice
    page.set_viewport_size({"width": 1366, "height": 650})
    expect(track).to_be_visible()
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(track).to_be_hidden()
    fold.click()
    expect(track).to_be_visible()
    page.reload()
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(track).to_be_visible()
    page.goto(f"{prepared.server.address}/games/era-of-inventions/first-round")
    expect(page.locator("#own-summary li").first).to_be_visible()  # in a lesson, too
    expect(page.locator(".player-line.is-own .good-count").first).to_be_hidden()


def test_panels_of_other_players_show_three_facts_until_unfolded(device: Open, prepared: PreparedTables) -> None:
    page = device(viewport={"width": 1366, "height": 650})
    open_table(page, prepared.addresses["late"])
    line = page.locator("#era-players details").first
    expect(line.locator("summary .player-fact")).to_have_count(3)
    expect(line.locator(".player-details")).to_be_hidden()
    line.locator("summary").click()
    expect(line.locator(".player-details .good-count")).to_have_count(7)
    expect(line.locator(".player-details .player-name")).to_be_visible()


def test_a_phone_shows_uncommon_choices_when_no_others_are_left(device: Open, prepared: PreparedTables) -> None:
    page = device(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_table(page, prepared.addresses["giving up"])
    give_up = page.locator("#choices > .choice-list > .choice:not(.blocked-choice)", has_text=GIVE_UP)
    expect(give_up).to_be_in_viewport(ratio=1)
    give_up.tap()
    expect(page.locator("#choices > .choice-list > .choice:not(.blocked-choice)").first).to_be_in_viewport(ratio=1)


# Reasons


def test_elements_of_every_board_that_cannot_be_chosen_name_the_rule(
    device: Open, prepared: PreparedTables, host: Visitor
) -> None:
    page = device()
    open_table(page, prepared.addresses["late"])
    rules = host.get(f"/games/{GAME}/rules").text
    for board in (
        "#era-fields",
        "#era-factories",
        "#era-invention-row",
        "#era-stores",
        "#era-inventions",
        "#era-market",
    ):
        place = page.locator(f"{board} .is-blocked").first
        place.click(position={"x": 6, "y": 6})
        expect(page.locator("#notice .refusal")).to_be_visible()
        for rule in page.locator("#notice a.rule-link").all():
            number = rule.inner_text()
            assert f'id="{number}"' in rules
            assert (rule.get_attribute("href") or "").endswith(f"/games/{GAME}/rules#{number}")
        assert page.locator("#notice a.rule-link").count()
        page.keyboard.press("Escape")
        expect(page.locator("#notice")).to_be_empty()


# Replay, and who looks on


def test_a_new_round_animates_the_cards_except_with_reduced_motion(
    device: Open, prepared: PreparedTables, host: Visitor
) -> None:
    path = prepared.addresses["late"]
    replay = host.get(f"{path}/replay?at=0").text
    match = re.search(r'data-last-step="(\d+)"', replay)
    assert match

    def round_at(step: int) -> int:
        round_text = re.search(r"<b>Round (\d+) of 8</b>", host.get(f"{path}/replay?at={step}").text)
        return int(round_text[1]) if round_text else 8

    step = bisect_left(range(int(match[1])), 5, key=round_at)
    for motion in ("no-preference", "reduce"):
        page = device(reduced_motion=motion)
        page.add_init_script(CARD_ANIMATIONS)
        page.goto(f"{path}/replay?at={step - 1}")
        expect(page.locator("#next-step-link")).to_be_visible()
        before, leaving = page.evaluate(CARD_PLACES)
        page.locator("#next-step-link").click()
        expect(page.locator("#era-fields .round-number")).to_have_text("Round 5 of 8")
        expect(page).to_have_url(re.compile(rf"at={step}$"))
        after, _ = page.evaluate(CARD_PLACES)
        removed_cards, new_cards = set(leaving) - set(after), set(after) - set(before)
        moved_cards = {card for card, place in before.items() if after.get(card, place) != place}
        assert removed_cards
        assert moved_cards
        assert new_cards
        # Upwards, as the arrow of their space points; one kind after the other.
        card_movements = (
            {"gone": (removed_cards, 0), "slid": (moved_cards, 1), "new": (new_cards, 2)}
            if motion == "no-preference"
            else {}
        )
        animated_cards = page.evaluate("window.animated")
        assert {
            kind: ({card for card, _ in cards}, {turn for _, turn in cards}) for kind, cards in animated_cards.items()
        } == {kind: (cards, {turn}) for kind, (cards, turn) in card_movements.items()}
        expect(page.locator("#panel [data-removed-card]")).to_have_count(0)


def boards(page: str) -> list[str]:
    """Return the boards without words and without the facts about other players."""
    panel = page[page.index('id="panel"') : page.index('id="era-track"')]
    panel = re.sub(r'<span class="player-stat player-fact".*?</svg><b>\d+</b></span>', "", panel)
    return re.findall(r'id="[\w-]+"|href="#icon-[\w-]+"|<b>\d+</b>', panel)


def test_a_replay_shows_the_boards_of_each_step_in_the_language_of_the_viewer(
    prepared: PreparedTables, host: Visitor
) -> None:
    path = prepared.addresses["late"]
    match = re.search(r'data-last-step="(\d+)"', host.get(f"{path}/replay?at=0").text)
    assert match
    last_step = int(match[1])
    steps = [0, last_step // 3, 2 * last_step // 3, last_step]
    pages = [host.get(f"{path}/replay?at={at}").text for at in steps]
    rounds = [int(match[1]) for page in pages if (match := re.search(r"<b>Round (\d+) of 8</b>", page))]
    assert rounds[0] == 1
    assert rounds == sorted(rounds)
    assert rounds[-1] >= 7
    sealed = [page.count('class="is-patented"') for page in pages]
    assert sealed[0] == 0
    assert sealed == sorted(sealed)
    assert sealed[-1] >= 4
    assert boards(pages[-1]) == boards(host.get(path).text)
    for language, word in (("fr", "Manche"), ("nl", "Ronde")):
        with Visitor(prepared.server, language) as friend:
            page = friend.get(f"{path}/replay?at={steps[2]}").text
        assert f'lang="{language}-' in page
        assert f"<b>{word} {rounds[2]} " in page
        assert page.count('class="is-patented"') == sealed[2]


def test_a_spectator_sees_all_boards_without_any_choice(
    chromium: Browser, prepared: PreparedTables, host: Visitor
) -> None:
    page = chromium.new_page(locale="en")
    page.goto(prepared.addresses["late"])
    expect(page.locator("#era-players .player-line")).to_have_count(4)
    expect(page.locator("#choices")).to_have_count(0)
    expect(page.locator("#panel .is-target, #panel .is-blocked, #panel .is-own")).to_have_count(0)
    own_boards, spectator_boards = boards(host.get(prepared.addresses["late"]).text), boards(page.content())
    page.close()
    own_element = re.compile(r'id="own-')
    assert sorted(spectator_boards) == sorted(part for part in own_boards if not own_element.match(part))


COVERED_MARKS: Final = """() => [...document.querySelectorAll('#panel .discard-mark')].filter((mark) => {
  const { left, width, top, height } = mark.getBoundingClientRect();
  const at = (y) => document.elementFromPoint(left + width / 2, y);
  return [top + 2, top + height - 3].some((y) => !mark.contains(at(y)));
}).length"""
STORES_TOO_NARROW: Final = """() => [...document.querySelectorAll('#panel .store')].filter((store) => {
  const { width } = store.querySelector('.store-contents').getBoundingClientRect();
  return width > store.getBoundingClientRect().width + 1;
}).map((store) => store.textContent.trim())"""


def test_marks_of_discards_are_whole_and_numbers_of_stores_apart(
    without_server: Callable[[Layout], TableWithoutServer],
) -> None:
    page = without_server(LAYOUTS["late"]).page
    page.set_viewport_size({"width": 1366, "height": 650})
    page.evaluate("""() => {
      for (const number of document.querySelectorAll(".store .store-contents b")) number.textContent = "10";
      for (const refill of document.querySelectorAll(".store .store-refill")) refill.lastChild.textContent = "11";
    }""")
    assert page.locator("#panel .discard-mark").count() > 2
    assert page.evaluate(COVERED_MARKS) == 0
    assert page.evaluate(STORES_TOO_NARROW) == []
