"""Double clicks, forms sent twice, and two devices on one seat: each action happens once, and all pages agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.conftest import Server, Visitor, let_in
from tests.web.layout_checks import draws

Running = tuple[str, list[Visitor]]
TRADE = re.compile(r"trade \w+ for 1 \w+")
BUILD = re.compile(r"^Build track Ruby")
JSON = {"Accept": "application/json"}


def deciding(running: Running) -> tuple[str, list[Visitor]]:
    """The table's path and its people, who is to decide first."""
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    return path, [visitors[(seat + step) % 3] for step in range(3)]


def device_of(visitor: Visitor, server: Server) -> Visitor:
    """Another device of the same person."""
    visitor.submit("/devices")
    code = re.search(r'id="code"[^>]*>([^<]+)<', visitor.get("/devices").text)
    assert code is not None
    other = Visitor(server)
    assert other.submit("/device", code=code.group(1)).status_code == 303
    return other


def test_a_form_sent_twice_is_one_move(running: Running) -> None:
    path, (mover, *_) = deciding(running)
    state = mover.state(path)
    build = next(move for move in state["moves"] if move.startswith("build"))
    fields = {"token": mover.token(), "move": build, "version": str(state["version"])}

    def send(_: int) -> int:
        return mover.post(f"{path}/play", data=fields, headers=JSON).status_code

    with ThreadPoolExecutor(8) as pool:
        codes = sorted(pool.map(send, range(8)))
    assert codes == [200, *[409] * 7]
    assert mover.state(path)["version"] == state["version"] + 1
    late = mover.post(f"{path}/play", data=fields)  # the slow one, when all is over
    assert late.status_code == 409
    assert "That’s not possible" in late.text
    assert mover.state(path)["version"] == state["version"] + 1


def test_an_undo_sent_twice_takes_back_one_move(running: Running) -> None:
    path, (mover, *_) = deciding(running)
    for _ in range(2):
        mover.play(path, next(move for move in mover.state(path)["moves"] if move.startswith("build")))
    state = mover.state(path)
    fields = {"token": mover.token(), "version": str(state["version"])}
    with ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(mover.post, f"{path}/undo", data=fields, headers=JSON) for _ in range(4)]
    assert sorted(answer.result().status_code for answer in sent) == [200, 409, 409, 409]
    assert mover.state(path)["version"] == state["version"] + 1


def test_sitting_down_twice_takes_one_seat(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "open", "open", "open")
    grace.table("me", "open", "open", name="Grace")  # so that Grace has a name and a session
    token = grace.token()
    with ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(grace.post, f"{path}/sit", data={"token": token}) for _ in range(4)]
    assert sorted(answer.result().status_code for answer in sent) == [303, 409, 409, 409]
    assert [seat["name"] for seat in ada.state(path)["seats"]].count("Grace") == 1


def test_two_devices_on_one_seat_play_once(running: Running, server: Server) -> None:
    path, (mover, *_) = deciding(running)
    other = device_of(mover, server)
    state = mover.state(path)
    assert other.state(path)["moves"] == state["moves"]
    trades = [move for move in state["moves"] if TRADE.fullmatch(move)][:2]
    version = str(state["version"])
    forms = [
        (device, {"token": device.token(), "move": move, "version": version})
        for device, move in zip((mover, other), trades, strict=True)
    ]
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(device.post, f"{path}/play", data=form, headers=JSON) for device, form in forms]
    codes = [answer.result().status_code for answer in sent]
    assert codes.count(200) == 1
    assert {200} < set(codes) <= {200, 403, 409}
    assert mover.state(path)["to_decide"] != state["to_decide"]
    assert mover.state(path)["version"] == other.state(path)["version"] == state["version"] + 1
    other.close()


@pytest.fixture
def pages(running: Running, server: Server, chromium: Browser) -> Iterator[list[Page]]:
    """Pages of the three people, who is to decide first, and one more on another device of the first."""
    path, people = deciding(running)
    telephone = device_of(people[0], server)
    opened = []
    for visitor in (*people, telephone):
        context = chromium.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
        let_in(context, visitor)
        page = context.new_page()
        page.goto(server.address + path)
        expect(page.locator("#map-static svg")).to_be_visible()
        opened.append(page)
    yield opened
    for page in opened:
        page.context.close()
    telephone.close()


def version(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-version") or 0)


def choose(page: Page, *words: str) -> None:
    for word in words:
        page.locator("#choices .options").get_by_role("button", name=word, exact=True).click()


@pytest.mark.browser
def test_a_double_click_is_one_move(pages: list[Page]) -> None:
    own_page, other, *_ = pages
    choose(own_page, "Build track", "Ruby")
    before = version(own_page)
    held: list[Route] = []
    own_page.route("**/play", lambda route: held.append(route))  # a slow line: the second click comes before any answer
    leaf = own_page.locator("#choices .leaf").first
    leaf.evaluate("button => { button.click(); button.click(); }")
    leaf.dblclick()
    draws(own_page)
    assert len(held) == 1
    held[0].continue_()
    expect(other.locator("#live")).to_have_attribute("data-version", str(before + 1))
    expect(own_page.locator("#live")).to_have_attribute("data-version", str(before + 1))
    expect(own_page.locator("#notice")).to_be_empty()


@pytest.mark.browser
def test_what_one_device_plays_the_other_sees_and_plays_on(pages: list[Page]) -> None:
    own_page, other, _, telephone = pages
    before = version(own_page)
    choose(telephone, "Build track", "Ruby")
    choose(own_page, "Build track", "Ruby")
    telephone.locator("#choices").get_by_role("button", name=BUILD).first.click()
    for page in pages:
        expect(page.locator("#live")).to_have_attribute("data-version", str(before + 1))
    own_page.locator("#choices").get_by_role("button", name=BUILD).first.click()
    for page in pages:
        expect(page.locator("#live")).to_have_attribute("data-version", str(before + 2))
    for line in range(2):
        expect(other.locator(".log li").nth(line)).to_contain_text("builds for Ruby")


@pytest.mark.browser
def test_title_and_icon_say_that_it_is_my_turn_in_a_hidden_tab(
    running: Running, pages: list[Page], server: Server
) -> None:
    path, (mover, *_) = deciding(running)
    own_page, following, _, _ = pages
    icon = following.locator("link[rel=icon]")
    plain = icon.get_attribute("data-plain") or ""
    turn = icon.get_attribute("data-turn") or ""
    assert plain != turn
    assert "svg" in following.request.get(server.address + turn).headers["content-type"]
    expect(icon).to_have_attribute("href", plain)
    expect(own_page.locator("link[rel=icon]")).to_have_attribute("href", turn)
    lobby = following.context.new_page()  # in front of the table's tab, which is hidden from now on
    lobby.goto(server.address)
    lobby.bring_to_front()
    expect(lobby.locator("link[rel=icon]")).to_have_attribute("href", plain)
    mover.play(path, next(move for move in mover.state(path)["moves"] if TRADE.fullmatch(move)))
    expect(following).to_have_title(re.compile("^● It’s your turn"))
    expect(icon).to_have_attribute("href", turn)
    expect(lobby).to_have_title(re.compile("^● 1 table is waiting for you"))
    expect(lobby.locator("link[rel=icon]")).to_have_attribute("href", turn)
    expect(own_page).to_have_title(re.compile(" to move"))
    expect(own_page.locator("link[rel=icon]")).to_have_attribute("href", plain)


@pytest.mark.browser
def test_a_click_on_what_is_no_longer_so_plays_nothing(pages: list[Page]) -> None:
    own_page = pages[0]
    choose(own_page, "Build track", "Ruby")
    played: list[str] = []
    own_page.route("**/play*", lambda route: played.append(route.request.post_data or ""))
    # A push has changed the page; the event that announces the change comes a moment later.
    own_page.evaluate("document.getElementById('live').dataset.version = '999'; 0")
    leaf = own_page.locator("#choices .leaf").first
    leaf.evaluate("button => button.click()")
    draws(own_page)
    assert played == []
    own_page.evaluate("document.dispatchEvent(new CustomEvent('spieltisch:changed')); 0")
    choose(own_page, "Build track", "Ruby")
    with own_page.expect_request("**/play*"):
        leaf.evaluate("button => button.click()")
    draws(own_page)
    assert len(played) == 1


@pytest.mark.browser
def test_what_is_confirmed_is_what_was_shown(pages: list[Page], running: Running) -> None:
    path, (mover, *_) = deciding(running)
    own_page = pages[0]
    sent: list[Route] = []
    own_page.route(
        "**/play*", lambda route: sent.append(route) if "confirmed" in route.request.url else route.continue_()
    )
    trade = next(move for move in mover.state(path)["moves"] if TRADE.fullmatch(move))
    choose(own_page, "Trade")
    own_page.locator(f'#tree button[value="{trade}"]').evaluate("button => button.click()")
    expect(own_page.locator("#confirm")).to_be_visible()
    before = version(own_page)
    own_page.locator("#confirm").evaluate(
        "button => { document.querySelector('input[name=version]').value = '999'; button.click(); }"
    )
    draws(own_page)
    assert [route.request.url.rpartition("=")[2] for route in sent] == [str(before)]
    build = next(move for move in mover.state(path)["moves"] if move.startswith("build"))
    assert mover.play(path, build).status_code == 200  # the other device is quicker
    with own_page.expect_response("**/play*") as answer:
        sent[0].continue_()
    assert answer.value.status == 409
    assert trade not in str(mover.state(path)["log"])
    assert mover.state(path)["version"] == before + 1
