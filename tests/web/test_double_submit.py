"""Check that double clicks, repeated forms and two devices on one seat cause each action once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.sentences import sentence_after, template_after
from tests.web.key_player import word_labels
from tests.web.layout_checks import draws
from tests.web.servers import Server
from tests.web.table_moves import Running, deciding
from tests.web.table_page import choose, version
from tests.web.visitors import Visitor, let_in

TRADE = re.compile(r"trade \w+ for 1 \w+")
BUILD, TRADE_WORD = (word_labels("paris-connection", move)[0] for move in ("build red Amiens", "trade red for 1 black"))
BUILD_RUBY = re.compile(rf"^{BUILD} Ruby")
YOUR_TURN = sentence_after("web/pages/table_page.py", "if between else")
JSON = {"Accept": "application/json"}


def device_of(visitor: Visitor, server: Server) -> Visitor:
    """Return another device of the same person."""
    visitor.submit("/devices")
    code = re.search(r'id="code"[^>]*>([^<]+)<', visitor.get("/devices").text)
    assert code is not None
    other_device = Visitor(server)
    assert other_device.submit("/device", code=code.group(1)).status_code == 303
    return other_device


def test_a_move_form_sent_twice_plays_one_move(running_table: Running) -> None:
    path, (mover, *_) = deciding(running_table)
    state = mover.state(path)
    build = next(move for move in state["moves"] if move.startswith("build"))
    fields = {"token": mover.token(), "move": build, "version": str(state["version"])}

    def send_request(_: int) -> int:
        return mover.post(f"{path}/play", data=fields, headers=JSON).status_code

    with ThreadPoolExecutor(8) as pool:
        codes = sorted(pool.map(send_request, range(8)))
    assert codes == [200, *[409] * 7]
    assert mover.state(path)["version"] == state["version"] + 1
    late_response = mover.post(f"{path}/play", data=fields)  # the slow one, when all is over
    assert late_response.status_code == 409
    assert '<section class="sheet has-cover error-page">' in late_response.text
    assert mover.state(path)["version"] == state["version"] + 1


def test_an_undo_sent_twice_takes_back_one_move(running_table: Running) -> None:
    path, (mover, *_) = deciding(running_table)
    for _ in range(2):
        mover.play(path, next(move for move in mover.state(path)["moves"] if move.startswith("build")))
    state = mover.state(path)
    fields = {"token": mover.token(), "version": str(state["version"])}
    with ThreadPoolExecutor(4) as pool:
        responses = [pool.submit(mover.post, f"{path}/undo", data=fields, headers=JSON) for _ in range(4)]
    assert sorted(answer.result().status_code for answer in responses) == [200, 409, 409, 409]
    assert mover.state(path)["version"] == state["version"] + 1


def test_sitting_down_twice_takes_one_seat(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "open", "open", "open")
    grace.table("me", "open", "open", name="Grace")  # so that Grace has a name and a session
    token = grace.token()
    with ThreadPoolExecutor(4) as pool:
        responses = [pool.submit(grace.post, f"{path}/sit", data={"token": token}) for _ in range(4)]
    assert sorted(answer.result().status_code for answer in responses) == [303, 409, 409, 409]
    assert [seat["name"] for seat in ada.state(path)["seats"]].count("Grace") == 1


def test_the_same_move_from_two_devices_on_one_seat_is_played_once(running_table: Running, server: Server) -> None:
    path, (mover, *_) = deciding(running_table)
    other_device = device_of(mover, server)
    state = mover.state(path)
    assert other_device.state(path)["moves"] == state["moves"]
    trades = [move for move in state["moves"] if TRADE.fullmatch(move)][:2]
    version = str(state["version"])
    forms = [
        (device, {"token": device.token(), "move": move, "version": version})
        for device, move in zip((mover, other_device), trades, strict=True)
    ]
    with ThreadPoolExecutor(2) as pool:
        responses = [pool.submit(device.post, f"{path}/play", data=form, headers=JSON) for device, form in forms]
    codes = [answer.result().status_code for answer in responses]
    assert codes.count(200) == 1
    assert {200} < set(codes) <= {200, 403, 409}
    assert mover.state(path)["to_decide"] != state["to_decide"]
    assert mover.state(path)["version"] == other_device.state(path)["version"] == state["version"] + 1
    other_device.close()


@pytest.fixture
def pages(running_table: Running, server: Server, chromium: Browser) -> Iterator[list[Page]]:
    """Return the pages of three people, the deciding player first, and another device of that player."""
    path, people = deciding(running_table)
    telephone = device_of(people[0], server)
    open_pages = []
    for visitor in (*people, telephone):
        context = chromium.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
        let_in(context, visitor)
        page = context.new_page()
        page.goto(server.address + path)
        expect(page.locator("#map-drawing svg")).to_be_visible()
        open_pages.append(page)
    yield open_pages
    for page in open_pages:
        page.context.close()
    telephone.close()


@pytest.mark.browser
def test_a_double_click_plays_one_move(pages: list[Page]) -> None:
    own_page, other_page, *_ = pages
    choose(own_page, BUILD, "Ruby")
    before = version(own_page)
    held_routes: list[Route] = []
    own_page.route(
        "**/play", lambda route: held_routes.append(route)
    )  # a slow line: the second click comes before any answer
    leaf = own_page.locator("#choices .final-choice").first
    leaf.evaluate("button => { button.click(); button.click(); }")
    leaf.dblclick()
    draws(own_page)
    assert len(held_routes) == 1
    held_routes[0].continue_()
    expect(other_page.locator("#live-part")).to_have_attribute("data-version", str(before + 1))
    expect(own_page.locator("#live-part")).to_have_attribute("data-version", str(before + 1))
    expect(own_page.locator("#notice")).to_be_empty()


@pytest.mark.browser
def test_two_devices_on_one_seat_continue_the_same_turn(pages: list[Page]) -> None:
    own_page, other_page, _, telephone = pages
    before = version(own_page)
    choose(telephone, BUILD, "Ruby")
    choose(own_page, BUILD, "Ruby")
    telephone.locator("#choices").get_by_role("button", name=BUILD_RUBY).first.click()
    for page in pages:
        expect(page.locator("#live-part")).to_have_attribute("data-version", str(before + 1))
    own_page.locator("#choices").get_by_role("button", name=BUILD_RUBY).first.click()
    for page in pages:
        expect(page.locator("#live-part")).to_have_attribute("data-version", str(before + 2))
    name = own_page.locator("#player-list .is-own-seat .seat-name").get_attribute("title") or ""
    built_text = template_after("games/paris_connection/log.py", "BUILT =").text.partition("{place}")[0]
    built_text = built_text.format(player=name, company="Ruby")
    for line in range(2):
        expect(other_page.locator(".log li").nth(line)).to_contain_text(built_text)


@pytest.mark.browser
def test_title_and_icon_of_a_hidden_tab_show_that_it_is_the_viewers_turn(
    running_table: Running, pages: list[Page], server: Server
) -> None:
    path, (mover, *_) = deciding(running_table)
    own_page, following, _, _ = pages
    icon = following.locator("link[rel=icon]")
    plain_icon = icon.get_attribute("data-plain-icon-url") or ""
    turn = icon.get_attribute("data-turn-icon-url") or ""
    assert plain_icon != turn
    assert "svg" in following.request.get(server.address + turn).headers["content-type"]
    expect(icon).to_have_attribute("href", plain_icon)
    expect(own_page.locator("link[rel=icon]")).to_have_attribute("href", turn)
    waiting_title = sentence_after("web/templates/lobby_live.html", 'id="my-turn-title"', count=1)
    lobby = following.context.new_page()  # in front of the table's tab, which is hidden from now on
    lobby.goto(server.address)
    lobby.bring_to_front()
    expect(lobby.locator("link[rel=icon]")).to_have_attribute("href", plain_icon)
    mover.play(path, next(move for move in mover.state(path)["moves"] if TRADE.fullmatch(move)))
    expect(following).to_have_title(re.compile(f"^● {YOUR_TURN}"))
    expect(icon).to_have_attribute("href", turn)
    expect(lobby).to_have_title(re.compile(f"^● {waiting_title}"))
    expect(lobby.locator("link[rel=icon]")).to_have_attribute("href", turn)
    name = following.locator("#player-list .is-own-seat .seat-name").get_attribute("title")
    to_move_sentence = sentence_after("web/pages/table_page.py", "if between:", "return", "return", player=name or "")
    expect(own_page).to_have_title(re.compile(f"^{to_move_sentence}"))
    expect(own_page.locator("link[rel=icon]")).to_have_attribute("href", plain_icon)


@pytest.mark.browser
def test_a_click_on_an_outdated_choice_plays_nothing(pages: list[Page]) -> None:
    own_page = pages[0]
    choose(own_page, BUILD, "Ruby")
    played_versions: list[str] = []
    own_page.route("**/play*", lambda route: played_versions.append(route.request.post_data or ""))
    # A push has changed the page; the event that announces the change comes a moment later.
    own_page.evaluate("document.getElementById('live-part').dataset.version = '999'; 0")
    leaf = own_page.locator("#choices .final-choice").first
    leaf.evaluate("button => button.click()")
    draws(own_page)
    assert played_versions == []
    own_page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:page-updated')); 0")
    choose(own_page, BUILD, "Ruby")
    with own_page.expect_request("**/play*"):
        leaf.evaluate("button => button.click()")
    draws(own_page)
    assert len(played_versions) == 1


@pytest.mark.browser
def test_a_confirmed_move_is_played_only_on_the_version_shown_before(pages: list[Page], running_table: Running) -> None:
    path, (mover, *_) = deciding(running_table)
    own_page = pages[0]
    held_routes: list[Route] = []
    own_page.route(
        "**/play*", lambda route: held_routes.append(route) if "confirmed" in route.request.url else route.continue_()
    )
    trade = next(move for move in mover.state(path)["moves"] if TRADE.fullmatch(move))
    choose(own_page, TRADE_WORD)
    own_page.locator(f'#move-tree button[value="{trade}"]').evaluate("button => button.click()")
    expect(own_page.locator("#confirm-button")).to_be_visible()
    before = version(own_page)
    own_page.locator("#confirm-button").evaluate(
        "button => { document.querySelector('input[name=version]').value = '999'; button.click(); }"
    )
    draws(own_page)
    assert [route.request.url.rpartition("=")[2] for route in held_routes] == [str(before)]
    build = next(move for move in mover.state(path)["moves"] if move.startswith("build"))
    assert mover.play(path, build).status_code == 200  # the other device is quicker
    with own_page.expect_response("**/play*") as answer:
        held_routes[0].continue_()
    assert answer.value.status == 409
    assert trade not in str(mover.state(path)["log"])
    assert mover.state(path)["version"] == before + 1
