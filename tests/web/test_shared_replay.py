"""Check that several people can look at a replay together: one leads, the others follow if they want."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from spieltisch.web.pages.shared_replay import LED
from spieltisch.web.pages.table_viewers import VIEWERS
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in, trade_on


@pytest.fixture
def played_table(running_table: tuple[str, list[Visitor]]) -> tuple[str, list[Visitor]]:
    """Return a running table after five moves."""
    path, visitors = running_table
    for _ in range(5):
        mover = visitors[visitors[0].state(path)["to_decide"]]
        assert mover.play(path, mover.state(path)["moves"][0]).status_code == 200
    return path, visitors


@pytest.fixture
def finished_table(short_game: tuple[str, list[Visitor]]) -> tuple[str, list[Visitor]]:
    """Return the table of a finished game of nine moves."""
    path, visitors = short_game
    trade_on(visitors, path, None)
    return path, visitors


def led_steps(stream: httpx.Response) -> Iterator[str]:
    """Yield the step of each push of who leads; "" when someone has ended."""
    event = ""
    for line in stream.iter_lines():
        event += f"{line}\n"
        if not line:
            if f"id: {LED}" in event:
                match = re.search(r'data-led-step="(\d+)', event)
                yield match[1] if match else ""
            event = ""


def test_a_player_leads_the_replay_and_everyone_who_may_see_it_is_told(
    played_table: tuple[str, list[Visitor]], server: Server
) -> None:
    path, (ada, grace, _) = played_table
    key = path.rpartition("/")[2]
    address = f"{path}/replay/lead"
    with Visitor(server) as stranger:
        assert stranger.submit(address, at="2").status_code == 403
        stranger.table("me", "bot:random", "bot:random", name="Eve")
        assert stranger.submit(address, at="2").status_code == 403, "a spectator"
        assert ada.submit(address, at="2").status_code == 200
        with stranger.stream("GET", "/stream", params={"watch": [f"{LED}{key}@0"]}) as stream:
            steps = led_steps(stream)
            assert next(steps) == "2"
            assert ada.submit(address, at="6").status_code == 404
            assert ada.submit(address, at="3").status_code == 200
            assert next(steps) == "3"
            assert grace.submit(address, at="1").status_code == 200, "another player takes the lead"
            assert next(steps) == "1"
            assert ada.submit(address, at="").status_code == 200, "no longer hers to end"
            assert grace.submit(address, at="").status_code == 200
            assert next(steps) == ""


def test_reading_a_replay_or_following_it_tells_no_one(played_table: tuple[str, list[Visitor]]) -> None:
    """Compare what Ada is shown while Grace reads and follows the replay and while she does not."""
    path, (ada, grace, _) = played_table
    key = path.rpartition("/")[2]
    assert ada.submit(f"{path}/replay/lead", at="2").status_code == 200

    def shown() -> list[bytes]:
        return [ada.get(path + page).content for page in ("", "/replay?at=2", "/chat")]

    before = shown()
    with ada.stream("GET", "/stream", params={"watch": [f"{key}@0", f"{VIEWERS}{key}@0"]}) as own_stream:
        lines = own_stream.iter_lines()
        next(line for line in lines if "data-present-seats" in line)
        with grace.stream("GET", "/stream", params={"watch": [f"{LED}{key}@0"]}) as stream:
            assert next(led_steps(stream)) == "2"
            grace.get(f"{path}/replay?at=2")
            assert shown() == before
        with grace.stream("GET", "/stream", params={"watch": [f"{key}@0"]}):
            present = next(line for line in lines if "data-present-seats" in line)
    assert re.search(r'data-present-seats=\\?"0 1', present), "the first news of her is that she opened the table"


def test_those_whom_a_player_leads_are_shown_where_that_player_plays_on(
    finished_table: tuple[str, list[Visitor]],
) -> None:
    path, (ada, grace, _) = finished_table
    play_on = {"at": "4", "seat": "1", "bot": "random"}

    def shown() -> str:
        found = re.search(r'href="(/join/[^"]+)"', grace.get(f"{path}/replay?at=2").text)
        return grace.get(found[1]).headers["location"] if found else ""

    assert ada.submit(f"{path}/what-if", **play_on).status_code == 303
    assert not shown(), "no one is led"
    assert ada.submit(f"{path}/replay/lead", at="4").status_code == 200
    assert grace.submit(f"{path}/what-if", **play_on).status_code == 303
    assert not shown(), "someone else leads"
    table = ada.submit(f"{path}/what-if", **play_on).headers["location"]
    assert shown().startswith(f"{table}?link=")
    assert 'id="what-if-origin"' in grace.get(shown()).text, "as a spectator"
    assert grace.get(table).status_code == 404, "without the link"
    assert ada.submit(f"{path}/replay/lead", at="").status_code == 200
    assert shown(), "her page of the replay was left for it"
    assert ada.submit(f"{path}/replay/lead", at="5").status_code == 200
    assert not shown(), "back at the replay"
    assert ada.submit(f"{path}/what-if", **(play_on | {"seat": "9"})).status_code == 422
    assert ada.submit(f"{path}/replay/lead", at="").status_code == 200
    assert "data-led-step" not in grace.get(f"{path}/replay?at=2").text, "a refused game keeps no lead"


@pytest.mark.browser
def test_the_pages_of_those_who_follow_go_to_the_steps_of_the_leader(
    finished_table: tuple[str, list[Visitor]], server: Server, open_page: Person
) -> None:
    path, (ada, grace, _) = finished_table
    leader, follower = open_page(locale="en"), open_page(locale="de")
    for page, visitor in ((leader, ada), (follower, grace)):
        let_in(page.context, visitor)
        page.goto(f"{server.address}{path}/replay?at=1")
    follow_button = follower.locator("#follow-button")
    expect(follow_button).to_be_hidden()
    rows = leader.locator("#perspective-links > a").evaluate_all("(all) => all.map(({ offsetTop }) => offsetTop)")
    assert len(rows) == 4
    assert len(set(rows)) == 1
    leader.locator("#replay-more > summary").click()
    leader.locator("#lead-button").click()
    expect(leader.locator("#led-replay [data-is-own]")).to_be_visible()
    expect(follow_button).to_be_visible()
    leader.locator("#next-step-link").click()
    expect(follower.locator("[data-led-step='2']")).to_be_visible()
    expect(leader.locator("#lead-button")).to_be_visible()  # no step folds it
    expect(follower.locator("#live-part")).to_have_attribute("data-current-step", "1")
    follow_button.click()
    expect(follower.locator("#live-part")).to_have_attribute("data-current-step", "2")
    leader.locator("#last-step-link").click()
    expect(follower.locator("#live-part")).to_have_attribute("data-current-step", "9")
    follower.locator("#first-step-link").click()
    expect(follow_button).to_have_attribute("aria-pressed", "false")
    leader.locator("#previous-step-link").click()
    expect(follower.locator("[data-led-step='8']")).to_be_visible()
    expect(follower.locator("#live-part")).to_have_attribute("data-current-step", "0")
    follow_button.click()
    expect(follower.locator("#live-part")).to_have_attribute("data-current-step", "8")
    leader.locator("#what-if-details summary").click()
    leader.locator("#what-if-details .primary").click()
    leader.wait_for_url("**/table/*")
    follower.wait_for_url(f"{leader.url}?link=*")
    expect(follower.locator("#what-if-origin")).to_be_visible()
    leader.goto(f"{server.address}{path}/replay?at=1")
    follower.goto(f"{server.address}{path}/replay?at=1")
    expect(follower.locator("#led-replay a")).to_be_visible()
    leader.locator("#replay-more > summary").click()
    leader.locator("#lead-button").click()
    expect(follower.locator("[data-led-step='1']")).to_be_visible()
    expect(follower.locator("#led-replay a")).to_be_hidden()
    leader.locator("#lead-button").click()
    expect(follow_button).to_be_hidden()
