"""The clock of a table, as people set it up and see it."""

from __future__ import annotations

import html
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from tests.tiers import first_alone
from tests.web.conftest import Person, Server, Visitor, let_in
from tests.web.layout_checks import DESK, PHONES
from tests.web.test_hot_seat_players import waits_for

DAYS = {"clock": "own-days", "hours": "24", "opens": "0", "closes": "24", "holidays": "3", "zone": "Europe/Berlin"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"clock": "days", "zone": "Mars/Olympus"}, "“Mars/Olympus” is not a time zone"),
        ({**DAYS, "hours": "9999999999"}, "is not a number from 1 to 720"),
        ({**DAYS, "when_up": "<b>"}, "“&lt;b&gt;” is not a valid table setting"),
    ],
)
def test_a_charter_that_cannot_be_is_refused_with_a_sentence(
    ada: Visitor, fields: dict[str, str], sentence: str
) -> None:
    answer = ada.submit(
        "/new/paris-connection", name="Ada", **{f"seat-{n}": "me" if not n else "open" for n in range(3)}, **fields
    )
    assert answer.status_code == 422
    assert sentence in answer.text


def test_a_holiday_is_taken_and_the_game_goes_on_from_the_record(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "open", "here", **{"here-2": "Cleo"}, **DAYS)
    grace.sit(path, "Grace")
    today = datetime.now(ZoneInfo("Europe/Berlin")).date().isoformat()
    assert grace.submit(f"{path}/clock/holiday", first=today, last=today).status_code == 303
    assert ada.state(path)["log"][-1]["text"] == [f"Grace is on holiday from {today} to {today}."]
    assert grace.submit(f"{path}/clock/holiday", first=today, last=today).status_code == 422
    assert "3 days of holiday" in ada.get(f"{path}/clock?me=0").text
    assert "2 days of holiday" in grace.get(f"{path}/clock").text
    assert ada.get(f"{path}/record").status_code == 200


def test_hints_are_for_whom_the_charter_says(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random", hints="off")
    while not (state := ada.state(path))["moves"]:
        pass  # the bots begin
    answer = ada.submit(f"{path}/hint", version=str(state["version"]))
    assert answer.status_code == 409
    assert "Hints are off at this table." in answer.text
    assert "Hints are off at this table." in ada.get(path).text


def words(visitor: Visitor, path: str) -> str:
    """Return the text of a page."""
    return " ".join(html.unescape(re.sub("<[^>]+>", "", visitor.get(path).text)).split())


@pytest.mark.parametrize("when_up", ["bot-plays", "bot-sits"])
def test_a_bot_plays_when_the_time_of_a_turn_is_up_and_every_page_says_so(
    ada: Visitor, grace: Visitor, mary: Visitor, when_up: str
) -> None:
    """The shortest time that there is, on a server that is as it comes."""
    charter = {"clock": "own-live", "bank": "0", "seconds": "5", "when_up": when_up, "up_bot": "random"}
    path = ada.table("me", "open", "open", **charter)
    grace.sit(path, "Grace")
    mary.sit(path, "Mary")
    first = ada.state(path)["to_decide"]
    name, absent = [("Ada", ada), ("Grace", grace), ("Mary", mary)][first]
    player = (grace, mary, ada)[first]
    assert f"{name} has until" in words(player, path)
    state = waits_for(player, path, (first + 1) % 3)
    log_lines = [" ".join(line["text"]) for line in state["log"]]
    ends = {"bot-plays": "a bot plays this turn.", "bot-sits": "a bot plays until they’re back."}[when_up]
    up = next(number for number, text in enumerate(log_lines) if text == f"{name} ran out of time; {ends}")
    assert len(log_lines) > up + 1, "and then the bot has played"
    assert f"{name} ran out of time; {ends}" in words(player, path)
    assert "You have until" in words(player, path)
    sits = when_up == "bot-sits"
    assert (f"You ran out of time. A bot is playing for {name}." in words(absent, path)) is sits
    if sits:
        assert absent.submit(f"{path}/resume").status_code == 303
        assert "I’m back" not in words(absent, path)


@pytest.mark.browser
@pytest.mark.parametrize("size", first_alone(PHONES[0], [DESK, PHONES[0]]), ids=["desk", "phone"])
def test_each_reads_the_time_in_their_own_zone(
    running_on_the_clock: str, ada: Visitor, grace: Visitor, server: Server, person: Person, size: ViewportSize
) -> None:
    """Two browsers, half a day apart: the same moment, on the table and in the lobby."""
    log_lines = {}
    for visitor, zone in ((ada, "America/New_York"), (grace, "Asia/Kolkata")):
        page = person(viewport=size, timezone_id=zone, locale="en-GB")
        let_in(page.context, visitor)
        page.goto(server.address + running_on_the_clock)
        log_lines[zone] = time_shown(page, "#clock time")
        page.goto(server.address)
        expect(page.locator(f"a[href='{running_on_the_clock}'] time.due")).to_have_text(log_lines[zone][1])
        page.goto(f"{server.address}{running_on_the_clock}/clock")
        assert time_shown(page, "main time")[0] == log_lines[zone][0]
    moments = {moment for moment, _ in log_lines.values()}
    assert len(moments) == 1
    assert len({text for _, text in log_lines.values()}) == 2


def time_shown(page: Page, where: str) -> tuple[str, str]:
    time = page.locator(where).first
    expect(time).not_to_contain_text("UTC")
    return time.get_attribute("datetime") or "", time.inner_text()


@pytest.fixture
def running_on_the_clock(ada: Visitor, grace: Visitor, mary: Visitor) -> str:
    path = ada.table("me", "open", "open", **DAYS)
    grace.sit(path, "Grace")
    mary.sit(path, "Mary")
    return path


@pytest.mark.browser
def test_a_clock_is_set_up_in_every_language_and_said_at_the_table(server: Server, person: Person) -> None:
    page = person(viewport=PHONES[0], timezone_id="Asia/Tokyo")
    page.goto(f"{server.address}/new/paris-connection")
    for language in LANGUAGES:
        page.locator(f"#switches [name=language][value={language}]").click()
        expect(page.locator("html")).to_have_attribute("lang", re.compile(f"{language}-"))
        page.locator("#charter > summary").click()
        expect(page.locator("#hours")).to_be_hidden()
        page.locator("#clock").select_option("own-days")
        expect(page.locator("#hours")).to_be_visible()
        expect(page.locator("#bank")).to_be_hidden()
        expect(page.locator("#zone")).to_have_value("Asia/Tokyo")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#opens").fill("9")
    page.locator("#closes").fill("21")
    page.locator("#name").fill("Ada")
    page.locator("main form.form .primary").click()
    expect(page.locator("#live .hint").filter(has_text="Asia/Tokyo")).to_contain_text("9 tot 21 uur")
