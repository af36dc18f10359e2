"""Check the clock of a table as people set it up and see it."""

from __future__ import annotations

import html
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from spieltisch.core.words import LANGUAGES
from spieltisch.tables.refusals import no_advice
from spieltisch.tables.table_settings import PRESETS, TableSettings
from spieltisch.web.pages.table_settings import TIMEOUT_TEXTS, describe
from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.conftest import Person
from tests.web.layout_checks import DESK, PHONES
from tests.web.servers import Server
from tests.web.table_moves import waits_for
from tests.web.visitors import Visitor, let_in

CLOCK = "web/templates/clock.html"
DAYS = {"clock": "own-days", "hours": "24", "opens": "0", "closes": "24", "holidays": "3", "zone": "Europe/Berlin"}


def test_the_description_of_a_clock_ends_with_the_sentence_about_the_bot() -> None:
    """The template appends the name of the bot to the description, so its sentence must be the last."""
    settings = msgspec.structs.replace(PRESETS["days"], hints="off", chat=False, away_hours=3)
    *_, last = describe(settings)
    assert last == TIMEOUT_TEXTS["bot-plays"]


def test_a_number_of_hours_of_absence_is_shown_without_decimals() -> None:
    (text,) = describe(TableSettings(away_hours=3.0))
    assert re.findall(r"[\d.]+(?= )", str(text)) == ["3"]


@pytest.mark.parametrize(
    ("fields", "function", "values"),
    [
        ({"clock": "days", "zone": "Mars/Olympus"}, "def _require_zone", {"name": "Mars/Olympus"}),
        ({**DAYS, "hours": "9999999999"}, "def _parse_number", {"text": "9999999999", "least": 1, "most": 720}),
        ({**DAYS, "on_timeout": "<b>"}, "def _invalid_setting", {"word": "<b>"}),
    ],
)
def test_invalid_clock_settings_are_refused_with_the_reason(
    ada: Visitor, fields: dict[str, str], function: str, values: dict[str, str | int]
) -> None:
    answer = ada.submit(
        "/new/paris-connection", name="Ada", **{f"seat-{n}": "me" if not n else "open" for n in range(3)}, **fields
    )
    assert answer.status_code == 422
    assert "<b>" not in answer.text
    assert sentence_after("tables/table_settings.py", function, **values) in html.unescape(answer.text)


def test_a_holiday_is_logged_and_subtracted_once_from_the_days_of_its_player(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "open", "here", **{"here-2": "Cleo"}, **DAYS)
    grace.sit(path, "Grace")
    today = datetime.now(ZoneInfo("Europe/Berlin")).date().isoformat()
    assert grace.submit(f"{path}/clock/holiday", first=today, last=today).status_code == 303
    booked = sentence_after("tables/fold_clock.py", "register(e.HolidayTaken)", player="Grace", first=today, last=today)
    assert ada.state(path)["log"][-1]["text"] == [booked]
    assert grace.submit(f"{path}/clock/holiday", first=today, last=today).status_code == 422
    for visitor, page, days_left in ((ada, "clock?me=0", 3), (grace, "clock", 2)):
        days_text = sentence_after("web/templates/clock_page.html", "{{ _n(", count=days_left)
        assert days_text in visitor.get(f"{path}/{page}").text
    assert ada.get(f"{path}/record").status_code == 200


def test_hints_are_refused_at_a_table_without_hints(ada: Visitor, grace: Visitor) -> None:
    path = ada.table("me", "bot:random", "bot:random", hints="off")
    while not (state := ada.state(path))["moves"]:
        pass  # the bots begin
    fields = {"token": ada.token(), "version": str(state["version"])}
    answer = ada.post(f"{path}/hint", data=fields, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (409, "no-advice")
    assert answer.json()["message"] == str(no_advice(table_gives_any=False).message)
    assert sentence_after("web/pages/table_settings.py", '"off":') in ada.get(path).text


def page_text(visitor: Visitor, path: str) -> str:
    return " ".join(html.unescape(re.sub("<[^>]+>", "", visitor.get(path).text)).split())


@pytest.mark.parametrize("on_timeout", ["bot-plays", "bot-sits"])
def test_a_bot_plays_for_a_player_out_of_time_and_the_pages_show_the_substitution(
    ada: Visitor, grace: Visitor, mary: Visitor, on_timeout: str
) -> None:
    """The clock has the shortest time allowed, and the server has default limits."""
    charter = {"clock": "own-live", "bank": "0", "seconds": "5", "on_timeout": on_timeout, "timeout_bot": "random"}
    path = ada.table("me", "open", "open", **charter)
    grace.sit(path, "Grace")
    mary.sit(path, "Mary")
    first = ada.state(path)["to_decide"]
    name, absent = [("Ada", ada), ("Grace", grace), ("Mary", mary)][first]
    player = (grace, mary, ada)[first]
    assert sentence_after(CLOCK, 'id="clock"', "{% else %}", player=name) in page_text(player, path)
    state = waits_for(player, path, (first + 1) % 3)
    log_lines = [" ".join(line["text"]) for line in state["log"]]
    case = {"bot-plays": "elif event.bot:", "bot-sits": "if event.bot and event.until_return:"}[on_timeout]
    timeout = sentence_after("tables/fold_clock.py", case, player=name)
    assert len(log_lines) > log_lines.index(timeout) + 1, "and then the bot has played"
    assert timeout in page_text(player, path)
    assert sentence_after(CLOCK, 'id="clock"') in page_text(player, path)
    is_replaced = on_timeout == "bot-sits"
    replaced_sentence = sentence_after(CLOCK, "in played_for", player=name)
    assert (replaced_sentence in page_text(absent, path)) is is_replaced
    assert (f'formaction="{path}/resume"' in absent.get(path).text) is is_replaced
    if is_replaced:
        assert absent.submit(f"{path}/resume").status_code == 303
        assert f'formaction="{path}/resume"' not in absent.get(path).text


@pytest.mark.browser
@pytest.mark.parametrize("size", first_alone(PHONES[0], [DESK, PHONES[0]]), ids=["desk", "phone"])
def test_deadlines_are_shown_in_the_time_zone_of_each_browser(
    running_on_the_clock: str, ada: Visitor, grace: Visitor, server: Server, open_page: Person, size: ViewportSize
) -> None:
    """Two browsers half a day apart show the same moment on the table page and in the lobby."""
    log_lines = {}
    for visitor, zone in ((ada, "America/New_York"), (grace, "Asia/Kolkata")):
        page = open_page(viewport=size, timezone_id=zone, locale="en-GB")
        let_in(page.context, visitor)
        page.goto(server.address + running_on_the_clock)
        log_lines[zone] = time_shown(page, "#clock time")
        page.goto(server.address)
        expect(page.locator(f"a[href='{running_on_the_clock}'] time.deadline")).to_have_text(log_lines[zone][1])
        page.goto(f"{server.address}{running_on_the_clock}/clock")
        assert time_shown(page, "main time")[0] == log_lines[zone][0]
    moments = {moment for moment, _ in log_lines.values()}
    assert len(moments) == 1
    assert len({text for _, text in log_lines.values()}) == 2


def time_shown(page: Page, selector: str) -> tuple[str, str]:
    time = page.locator(selector).first
    expect(time).not_to_contain_text("UTC")
    return time.get_attribute("datetime") or "", time.inner_text()


@pytest.mark.browser
def test_a_deadline_of_minutes_is_shown_without_its_date(
    ada: Visitor, grace: Visitor, server: Server, open_page: Person
) -> None:
    path = ada.table("me", "open", "bot:random", clock="own-live", bank="30", seconds="30")
    grace.sit(path, "Grace")
    page = open_page(locale="en-GB", timezone_id="Asia/Kolkata")
    let_in(page.context, ada)
    page.goto(server.address + path)
    expect(page.locator("#clock time")).to_have_text(re.compile(r"^\d\d:\d\d \(\d\d:\d\d\)$"))
    expect(page.locator("#clock time")).to_have_attribute("title", re.compile(r"20\d\d, \d\d:\d\d \("))


@pytest.fixture
def running_on_the_clock(ada: Visitor, grace: Visitor, mary: Visitor) -> str:
    path = ada.table("me", "open", "open", **DAYS)
    grace.sit(path, "Grace")
    mary.sit(path, "Mary")
    return path


@pytest.mark.browser
def test_a_clock_is_set_up_in_every_language_and_shown_on_the_table_page(server: Server, open_page: Person) -> None:
    page = open_page(viewport=PHONES[0], timezone_id="Asia/Tokyo")
    page.goto(f"{server.address}/new/paris-connection")
    for language in LANGUAGES:
        page.locator(f"#language-and-theme [name=language][value={language}]").click()
        expect(page.locator("html")).to_have_attribute("lang", re.compile(f"{language}-"))
        page.locator("#table-settings > summary").click()
        expect(page.locator("#hours")).to_be_hidden()
        page.locator("#clock").select_option("own-days")
        expect(page.locator("#hours")).to_be_visible()
        expect(page.locator("#bank")).to_be_hidden()
        expect(page.locator("#time-zone")).to_have_value("Asia/Tokyo")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#opens").fill("9")
    page.locator("#closes").fill("21")
    page.locator("#name").fill("Ada")
    page.locator("main form.form .primary").click()
    expect(page.locator("#live-part .hint").filter(has_text="Asia/Tokyo")).to_contain_text("9 tot 21 uur")
