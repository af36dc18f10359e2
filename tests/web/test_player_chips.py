"""Check the chips of the players at a table: a face or a first letter, whole names, and room for both."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.web.conftest import Person
from tests.web.layout_checks import draws
from tests.web.servers import Server
from tests.web.table_moves import waits_for
from tests.web.visitors import Visitor, let_in
from tests.web.whole_games import comes

pytestmark = pytest.mark.browser

CUT_NAMES = """() => [...document.querySelectorAll("#player-list .seat-name")]
  .filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent.trim())"""


@pytest.mark.parametrize("game", ["era-of-inventions", "legendary-inventors", "paris-connection"])
def test_faces_and_first_letters_leave_room_for_whole_names(server: Server, open_page: Person, game: str) -> None:
    with Visitor(server) as ada, Visitor(server) as grace:
        path = ada.table("me", "open", "bot:random", "bot:random", game=game)
        assert grace.sit(path, "Grace").status_code == 303
        page = open_page(locale="en")
        let_in(page.context, ada)
    sizes: list[ViewportSize] = [
        {"width": 1366, "height": 650},
        {"width": 1024, "height": 768},
        {"width": 844, "height": 390},
    ]
    page.goto(server.address + path)
    for size in sizes:
        page.set_viewport_size(size)
        draws(page)
        chips = page.locator("#player-list li")
        expect(chips).to_have_count(4)
        assert page.evaluate(CUT_NAMES) == [], size
        for bot in page.locator("#player-list .seat-kind-bot").all():
            expect(bot.locator(".bot-portrait")).to_be_visible()
            tag = bot.locator(".tag").first.bounding_box()
            assert tag is not None
            assert tag["width"] <= 1, "the face says that it is a bot; only screen readers read the word"
        has_shield = game == "era-of-inventions" and size["width"] >= 1024  # it has the first letter, too
        expect(chips.nth(1).locator(".seat-shield" if has_shield else ".monogram")).to_be_visible()
        assert chips.nth(1).locator(".monogram").get_attribute("data-initial") == "G"
        expect(chips.nth(0).locator(".monogram")).to_have_count(0)


@pytest.mark.parametrize("size", [(1024, 768), (844, 390), (390, 844)])
def test_five_names_are_whole_where_chips_are_narrow(server: Server, open_page: Person, size: tuple[int, int]) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "bot:random", "bot:random", "bot:random", "bot:random", game="era-of-inventions")
        page = open_page(locale="en", viewport={"width": size[0], "height": size[1]})
        let_in(page.context, ada)
    page.goto(server.address + path)
    expect(page.locator("#player-list li")).to_have_count(5)
    comes(page, "#choices")  # no bot moves now
    draws(page)
    # As for who leads with points of two digits: the laurel surrounds these.
    page.evaluate("""() => {
      const laurel = '<svg class="first-place-laurel is-leading" viewBox="-12 -12 24 24"></svg>';
      for (const points of document.querySelectorAll("#player-list .points")) {
        points.textContent = "17";
        points.insertAdjacentHTML("beforebegin", laurel);
      }
    }""")
    assert page.evaluate(CUT_NAMES) == []
    expect(page.locator("#player-list .is-leading")).to_have_count(5)


def test_who_waits_sees_one_button_and_links_at_a_distance(server: Server, open_page: Person) -> None:
    with Visitor(server) as ada, Visitor(server) as grace:
        path = ada.table("me", "open", "bot:random", "bot:random")
        assert grace.sit(path, "Grace").status_code == 303
        waiting = grace if waits_for(ada, path, 0, 1)["to_decide"] == 0 else ada
        page = open_page(locale="en", viewport={"width": 1366, "height": 650})
        let_in(page.context, waiting)
    page.goto(server.address + path)
    plan, notify = (
        page.locator("#plan-link"),
        page.get_by_role("link", name="Notify me").and_(page.locator(".prompt a")),
    )
    expect(plan).to_be_visible()
    draws(page)
    distance = page.evaluate(
        "([plan, notify]) => notify.getBoundingClientRect().top - plan.getBoundingClientRect().bottom",
        [plan.element_handle(), notify.element_handle()],
    )
    assert 12 <= distance <= 16


def test_in_a_low_window_the_menu_stands_in_the_header_beside_its_links(server: Server, open_page: Person) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "bot:random", "bot:random", game="legendary-inventors")
        page = open_page(locale="de", viewport={"width": 844, "height": 390})
        let_in(page.context, ada)
    page.goto(server.address + path)
    menu, header = page.locator("#table-menu > summary").bounding_box(), page.locator(".site-header").bounding_box()
    links = page.locator(".site-header nav").bounding_box()
    assert menu is not None
    assert header is not None
    assert links is not None
    assert menu["y"] + menu["height"] <= header["y"] + header["height"] + 8
    assert links["x"] + links["width"] <= menu["x"]
    page.locator("#table-menu > summary").click()
    assert page.evaluate("""() => {
      const list = document.querySelector(".menu-list");
      return list.scrollWidth <= list.clientWidth + 1;
    }""")


def test_in_a_low_window_cards_are_in_sight_below_the_fields_of_actions(server: Server, open_page: Person) -> None:
    with Visitor(server) as ada:
        era = ada.table("me", "bot:random", "bot:random", game="era-of-inventions")
        inventors = ada.table(
            "me", "bot:random", "bot:random", game="legendary-inventors", **{"option-teams": "random"}
        )
        page = open_page(locale="de", viewport={"width": 844, "height": 390})
        let_in(page.context, ada)
    page.goto(server.address + era)
    tops = page.locator("#panel .action-field").evaluate_all("(all) => all.map((one) => one.offsetTop)")
    assert len(tops) == 6
    assert len(set(tops)) == 1
    expect(page.locator("#panel #era-invention-row")).to_be_in_viewport()
    page.goto(server.address + inventors)
    cards = page.locator("#panel .invention")
    for card in cards.all()[:3]:
        expect(card).to_be_in_viewport(ratio=1)
