"""Check pages without a game in progress: layout on phones, and accessibility in both themes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import spieltisch
from spieltisch.core.words import LANGUAGES
from spieltisch.games import game_modules
from tests.guides.guide_paths import address, lessons
from tests.puzzles.puzzle_addresses import addresses, first_puzzle
from tests.web.layout_checks import (
    DESK,
    NARROW,
    PHONES,
    SCREENS,
    broken_words,
    cut_texts,
    findings,
    on_screens,
    overlaps,
    too_wide,
)
from tests.web.servers import Server
from tests.web.visitors import SHORT, Visitor, let_in, trade_on

pytestmark = pytest.mark.browser
NAME = "Gräfin Donnersmarck-Hohenlohe-Öhringen"
MINE = ("/people", "/groups", "/me/alerts", "/me/history", "/me/recovery", "/me/passkeys", "/me/leave", "/me/log-out")
FIXED = (
    "/",
    "/new",
    "/seek",
    "/puzzles",
    "/records",
    "/preferences",
    "/offline",
    "/devices",
    "/device",
    *MINE,
    "/nowhere",
)


@pytest.fixture(scope="module")
def host(server: Server) -> Iterator[Visitor]:
    """Yield a visitor with a long name."""
    with Visitor(server) as visitor:
        yield visitor


@pytest.fixture(scope="module")
def tables(server: Server, host: Visitor) -> dict[str, str]:
    """Return the paths of the host's tables: a waiting, a running and a finished table, and one table of each game."""
    with Visitor(server) as grace, Visitor(server) as mary:
        paths = {"waiting": host.table("me", "link", "open", name=NAME)}
        for kind in ("running", "finished"):
            path = paths[kind] = host.table("me", "open", "open", **(SHORT if kind == "finished" else {}))
            grace.sit(path, "Grace")
            mary.sit(path, "Mary-Ann Wolstonecraft the Elder")
            trade_on([host, grace, mary], path, 0 if kind == "running" else None)
        for key in game_modules():
            paths[key] = host.table("me", "bot:random", "bot:random", game=key)
        paths["group"] = host.submit("/groups", title=NAME).headers["location"]
        for member in (grace, mary):
            member.submit(link_of_group(host, paths["group"]))
        fields = {"title": NAME, "game-paris-connection": "on", "each": "3", "seats": "3", "days": "7"}
        paths["seasons"] = f"{paths['group']}/seasons"
        paths["new-season"] = host.submit(paths["seasons"], **fields).headers["location"]
        paths["season"] = host.submit(paths["seasons"], **fields).headers["location"]
        paths["evening"] = host.submit(paths["seasons"], **fields, kind="evening").headers["location"]
        for visitor in (host, grace, mary):
            visitor.submit(f"{paths['season']}/join")
        assert host.submit(f"{paths['season']}/begin").status_code == 303
        paths["wall"] = f"{paths['season']}/wall"
        form = {"game": "paris-connection", "seats": "3"}
        path = host.submit(f"{paths['group']}/open", **form).headers["location"]
        for member in (grace, mary):
            member.submit(f"{paths['group']}/sit", table=path.rpartition("/")[2])
        return paths


def link_of_group(host: Visitor, path: str) -> str:
    """Return the path of the link to a group."""
    (link,) = set(re.findall(r'/join-group/[^"]+', host.get(path).text))
    return str(link)


def opened(chromium: Browser, host: Visitor, **settings: Any) -> Page:
    """Open a page of the host."""
    context = chromium.new_context(**settings)
    let_in(context, host)
    return context.new_page()


def open_page(page: Page, host: Visitor, path: str, tables: dict[str, str]) -> None:
    """Open a page and wait until it is complete."""
    page.goto(f"{host.base_url}{path}")
    if page.locator("#map-drawing").count():
        expect(page.locator("#map-drawing svg")).to_be_visible()
    if path in (tables["running"], *(tables[key] for key in game_modules())):
        expect(page.locator("#choices .choice").first).to_be_visible()


@pytest.mark.screens
@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_no_page_is_too_wide_and_no_texts_overlap(
    chromium: Browser, host: Visitor, tables: dict[str, str], language: str
) -> None:
    host.submit("/preferences", language=language)
    finished_table, running_table = tables["finished"], tables["running"]
    public_pages = [f"/games/{key}/{page}" for key in game_modules() for page in ("rules", "components", "card")]
    lesson_lists = [lessons(spieltisch.game(key)) for key in game_modules()]
    learning = [
        address(lesson)
        for lesson_steps in lesson_lists
        for lesson in lesson_steps
        if lesson.tasks_done == 0 or lesson is lesson_steps[-1]
    ]
    past = finished_table.replace("/table/", "/me/history/")
    parts = [
        f"{finished_table}/log",
        f"{finished_table}/fairness",
        f"{finished_table}/replay?at=3",
        f"{running_table}/replay",
        past,
    ]
    page, problems = opened(chromium, host, viewport=PHONES[0], has_touch=True, is_mobile=True), []
    for path in (
        *tables.values(),
        *parts,
        *FIXED,
        *public_pages,
        *learning,
        *addresses(),
        *(f"/new/{key}" for key in game_modules()),
    ):
        page.set_viewport_size(PHONES[0])
        open_page(page, host, path, tables)
        assert (page.locator("html").get_attribute("lang") or "").startswith(language)
        for screen in on_screens(page, *PHONES):
            problems += [f"{path}, {screen}: {fault}" for fault in (*too_wide(page), *overlaps(page))]
    page.context.close()
    assert problems == []


@pytest.mark.screens
@pytest.mark.parametrize("language", LANGUAGES)
def test_on_no_screen_a_word_is_broken(chromium: Browser, host: Visitor, tables: dict[str, str], language: str) -> None:
    host.submit("/preferences", language=language)
    pages = [
        path
        for key in game_modules()
        for path in (
            *(f"/games/{key}/{page}" for page in ("rules", "components", "card")),
            *(address(lesson) for lesson in lessons(spieltisch.game(key), 1)[:1]),
            first_puzzle(key)[0],
            tables[key],
        )
    ]
    page, problems = opened(chromium, host, viewport=SCREENS[0]), []
    for path in (*pages, tables["finished"]):
        open_page(page, host, path, tables)
        assert (page.locator("html").get_attribute("lang") or "").startswith(language)
        for screen in on_screens(page, *SCREENS):
            problems += [f"{path}, {screen}: {fault}" for fault in broken_words(page)]
    page.context.close()
    assert problems == []


@pytest.mark.screens
def test_the_counts_of_sources_stand_beside_their_marks(chromium: Browser, host: Visitor) -> None:
    page = opened(chromium, host, viewport=SCREENS[0])
    page.goto(f"{host.base_url}/games/era-of-inventions/components")
    marks, counts = (
        [box for one in page.locator(f".source-marks {part}").all() if (box := one.bounding_box())]
        for part in (".source-mark", ".count")
    )
    page.context.close()
    assert len(marks) == len(counts) == 4
    gaps = {round(count["x"] - mark["x"] - mark["width"]) for mark, count in zip(marks, counts, strict=True)}
    assert gaps == {8}
    assert len({round(count["x"] + count["width"]) for count in counts}) == 1


@pytest.mark.tools
def test_the_layout_check_finds_overlapping_texts(chromium: Browser, host: Visitor) -> None:
    page = opened(chromium, host, viewport=PHONES[0], has_touch=True, is_mobile=True)
    page.goto(f"{host.base_url}/")
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<p id=over>Over it</p>')")
    assert too_wide(page) + overlaps(page) == []
    faults = []
    for margin in ("-1rem", "-1.5rem", "-2rem"):  # which of them is on the text depends on the lines of the heading
        page.evaluate("margin => { document.getElementById('over').style.marginTop = margin; }", margin)
        faults += overlaps(page)
    assert any("Over it" in fault for fault in faults)
    page.evaluate("document.getElementById('over').style.width = '500px'")
    assert too_wide(page)
    page.context.close()


@pytest.mark.tools
def test_the_layout_check_finds_cut_names_and_broken_words(chromium: Browser, host: Visitor) -> None:
    page = opened(chromium, host, viewport=DESK)
    page.goto(f"{host.base_url}/nowhere")
    page.evaluate(
        "document.querySelector('h1').insertAdjacentHTML('afterend', '<p id=name>Anna Schreib\u00admaschine</p>')"
    )
    name = page.locator("#name")
    assert cut_texts(page) == []
    name.evaluate("one => Object.assign(one.style, {width: '6rem'})")
    assert cut_texts(page) == []
    name.evaluate("one => Object.assign(one.style, {width: '4rem', overflowWrap: 'anywhere', hyphens: 'none'})")
    assert cut_texts(page)[0].startswith("broken: Schreib")
    name.evaluate(
        "one => Object.assign(one.style, {whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis'})"
    )
    assert cut_texts(page) == ['cut: "Anna Schreib\u00admaschine" by .']
    name.evaluate(
        "one => Object.assign(one.style, {whiteSpace: 'normal', width: '9rem', height: '1rem', lineHeight: '2'})"
    )
    assert cut_texts(page) == ['cut: "Anna Schreib\u00admaschine" by .']
    page.context.close()


@pytest.mark.tools
def test_axe_finds_low_contrast_in_the_dark_theme(chromium: Browser, host: Visitor) -> None:
    page = opened(chromium, host, viewport=DESK, bypass_csp=True)
    page.goto(f"{host.base_url}/nowhere")
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<p id=pale>Pale</p>')")
    assert findings(page) == []
    page.add_style_tag(content="@media (prefers-color-scheme: dark) { #pale { color: #333; } }")
    (finding,) = findings(page)
    assert finding.startswith("dark: color-contrast: ")
    assert 'id="pale"' in finding
    page.context.close()


@pytest.mark.screens
def test_axe_finds_no_accessibility_problem_on_any_page(
    chromium: Browser, host: Visitor, tables: dict[str, str]
) -> None:
    host.submit("/preferences", language="en")
    invitation = re.findall(r'href="(/join/[\w.-]+)"', host.get(tables["waiting"]).text)[0]
    finished_table = tables["finished"]
    own_addresses = [tables[kind] for kind in ("waiting", "running", "finished")]
    public_pages = [f"/games/paris-connection/{page}" for page in ("rules", "components", "card")]
    learning = [address(lessons(spieltisch.game(key), 2)[at]) for key in game_modules() for at in (0, -1)]
    past = finished_table.replace("/table/", "/me/history/")
    parts = [f"{finished_table}/fairness", f"{finished_table}/log", f"{finished_table}/replay?at=1", invitation, past]
    # The page's own policy would not let axe in.
    page, problems = opened(chromium, host, viewport=DESK, bypass_csp=True, locale="en"), []
    for path in (*FIXED, "/new/paris-connection", *public_pages, *learning, *addresses(), *own_addresses, *parts):
        page.set_viewport_size(DESK)
        open_page(page, host, path, tables)
        if path == tables["running"]:
            page.locator("#choices .blocked-choices summary").click()
            page.locator("#choices .blocked-choice").first.click()
            expect(page.locator("#notice .refusal")).to_be_visible()
        for screen in on_screens(page, DESK, NARROW):
            problems += [f"{path}, {screen}: {fault}" for fault in findings(page)]
    page.context.close()
    assert problems == []
