"""Pages of tables of Legendary Inventors late in a game: turns by keyboard and screen reader, spectators, several
people on one device, replay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.games.legendary_inventors.moments import full, layout, once, over, rewarding, sending
from tests.web.conftest import Laid, Visitor
from tests.web.key_player import FOCUSED, reach
from tests.web.layout_checks import CARD_ANIMATIONS, CARD_PLACES
from tests.web.prepared_tables import NAMES

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAID = {
    "3 full": layout(3, 0, lambda view: full(view) and not any(view.players[view.seat].exhausted)),
    "3 low": layout(3, 0, lambda view: full(view) and not any(view.players[view.seat].exhausted)),
    "5 full": layout(5, 0, full),
    "5 rewarding": layout(5, 1, rewarding),
    "4 over": layout(4, 3, over),
    "3 choosing": layout(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "3 choosing on": layout(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "2 sending": sending(),
}
Open = Callable[..., Page]


def open_table(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#choices .choice, #live.finished").first).to_be_visible()


def test_a_turn_by_tab_and_enter_and_the_next_on_the_same_device_without_a_curtain(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page = device()
    open_table(page, laid.addresses["3 full"])
    live, own = page.locator("#live"), page.locator("#panel .is-own")
    before, board = live.get_attribute("data-version"), own.get_attribute("id")
    first = page.locator("#choices .options .choice").first
    reach(page, first.get_attribute("aria-label") or " ".join(first.inner_text().split()))
    names = []
    for _ in range(6):
        page.keyboard.press("Enter")
        names.append(page.evaluate(FOCUSED))
        assert names[-1], "what is focused has a name"
        if names[-1] == "Confirm":
            break
        if re.match(r"Send an inventor \w+", names[-1]):  # the whole move: it is asked about
            page.keyboard.press("Enter")
            expect(page.locator("#confirm")).to_be_focused()
            break
    page.keyboard.press("Enter")
    expect(page.locator(f'#live:not([data-version="{before}"])')).to_be_attached()
    expect(page.locator("#said")).to_contain_text(" to work on ")
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(page.locator("#curtain")).to_have_count(0)  # the game has no secrets
    assert own.get_attribute("id") != board or page.locator("#panel .is-complete").count()


def test_ledgers_say_in_full_what_they_show_in_brief(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page = device()
    open_table(page, laid.addresses["5 full"])
    with Visitor(laid.server) as looker:
        seen = re.sub(r"\s+", " ", looker.get(laid.addresses["5 full"]).text)
    ledgers = page.locator("#panel .is-ledger")
    expect(ledgers).to_have_count(4)
    for ledger in ledgers.all():
        snapshot = ledger.aria_snapshot()
        assert re.search(r"cubes: \d+ of 15", snapshot)
        assert re.search(r"\d+ points?", snapshot)
        for inventor in ledger.locator(".inventor").all():
            name = inventor.locator(".inventor-name").get_attribute("title")
            assert name is not None
            assert name in snapshot
        assert len(re.findall(r"\d+ upgrades? to go: \d+ points|goal reached", snapshot)) == 4
        assert len(re.findall(r"\d, goal \d", snapshot)) >= 8
        for what in (".coin-of", ".won"):
            for part in ledger.locator(what).all():
                assert (part.get_attribute("title") or "?").partition(" (")[0] in snapshot
    assert "physics" in seen


LEDGER_FAULTS = """() => {
  const box = (one) => one.getBoundingClientRect();
  const found = [];
  for (const team of document.querySelectorAll("#panel .is-ledger")) {
    const heads = [...team.querySelectorAll(".letters > span")];
    const isShape = (one) => !one.textContent && one.title && box(one.firstChild).width >= 14;
    if (heads.length !== 4 || !heads.every(isShape)) found.push("heads");
    const cards = [...team.querySelectorAll(".won")];
    const steps = cards.slice(1).map((one, n) => one.offsetLeft - cards[n].offsetLeft);
    if (steps.some((step) => step < 14)) found.push(`hidden cards: ${steps}`);
  }
  const counts = [...document.querySelectorAll(".run-bar > .more-of")];
  const over = counts.filter((one) => box(one).bottom > box(one.previousElementSibling).top + 3);
  if (over.length) found.push("a count over a patent");
  return [counts.length, found];
}"""


def test_ledgers_can_be_read(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page = device()
    open_table(page, laid.addresses["5 rewarding"])
    count, faults = page.evaluate(LEDGER_FAULTS)
    assert count > 0
    assert faults == []
    for worth in page.locator("#panel .run-worth").all_inner_texts():
        assert re.fullmatch(r"= (1 point|\d+ points)", worth)
    # A phone shows the shield of one's team before it is scrolled.
    expect(page.locator("#strip .of-team").first).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#strip .of-team").first).to_be_in_viewport(ratio=1)
    own = page.locator("#people .own").get_attribute("id")
    shields = page.locator("#strip .of-team use").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert shields == [f"#sign-{own}"] * 4


def test_who_looks_on_sees_all_and_can_choose_nothing(chromium: Browser, laid: Laid) -> None:
    page = chromium.new_page(locale="en")
    page.goto(laid.addresses["5 rewarding"])
    expect(page.locator("#panel .team")).to_have_count(5)
    expect(page.locator("#panel .order .is-now")).to_have_count(1)
    expect(page.locator("#choices")).to_have_count(0)
    expect(page.locator("#panel .is-target")).to_have_count(0)
    # A reward is chosen in nobody's turn.
    expect(page.locator("#status")).to_have_text(re.compile(r"^.+ to choose\.$"))
    page.goto(laid.addresses["5 full"])
    expect(page.locator("#status")).to_have_text(re.compile(r"^.+ to move\.$"))
    page.close()


def test_what_is_decided_in_nobodys_turn_is_not_called_a_turn(device: Open, laid: Laid) -> None:
    page = device()
    for language, decide, turn in (
        ("en", ("Your choice.", r".+ to choose\."), ("It’s your turn.", r".+ to move\.")),
        ("de", ("Du entscheidest.", r".+ entscheidet\."), ("Du bist am Zug.", r".+ ist am Zug\.")),
    ):
        laid.speak(language)
        for name, (status, named) in (("3 choosing", decide), ("5 rewarding", decide), ("5 full", turn)):
            open_table(page, laid.addresses[name])
            expect(page.locator("#status")).to_have_text(re.compile(f"^{named}$"))
            assert re.match(f"● {named}", page.title())
            seat = int((page.locator("#people .deciding").get_attribute("id") or "").removeprefix("seat-"))
            page.goto(f"{page.url}?me={seat + 1 if seat else 0}")
            expect(page.locator("#status")).to_have_text(status)
            assert page.title().startswith(f"● {status}")


def test_replay_steps_through_ages_in_the_language_of_who_looks(chromium: Browser, device: Open, laid: Laid) -> None:
    laid.speak("fr")
    page = device()
    address = laid.addresses["4 over"] + "/replay"
    page.goto(f"{address}?at=0")
    expect(page.locator("#panel .invention")).to_have_count(7)
    expect(page.locator(".ages .is-now")).to_have_text("époque I")
    expect(page.locator("#panel .fan > li")).to_have_count(0)
    last = int(page.locator("#live").get_attribute("data-last") or 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#live")).to_have_attribute("data-at", "1")
    page.goto(f"{address}?at={last - 10}")
    expect(page.locator(".ages .is-now")).to_have_text("époque III")
    assert page.locator("#panel .fan > li").count() > 5
    page.keyboard.press("End")
    expect(page.locator("#panel-end .is-winner").first).to_be_visible()
    friend = chromium.new_page(locale="nl")
    friend.goto(f"{address}?at={last - 10}")
    expect(friend.locator(".ages .is-now")).to_have_text("tijdperk III")
    friend.close()


def test_what_every_move_began_with_is_not_taken_as_chosen_when_there_is_more(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page = device()
    open_table(page, laid.addresses["2 sending"])
    live, version = page.locator("#live"), int(page.locator("#live").get_attribute("data-version") or 0)
    expect(page.locator("#choices .step")).to_have_count(0)
    send(page, "send Marie Curie to Smoke signals")
    expect(live).to_have_attribute("data-version", str(version + 1))
    expect(page.locator("#prompt .back")).to_have_count(0)
    moves = page.locator('#tree button[value^="send "]').evaluate_all("all => all.map((one) => one.value)")
    inventor = once([move for move in moves if not move.startswith(("send fewer", "send genius"))])[0]
    card(page, inventor, "inventor").click(position={"x": 12, "y": 12})
    expect(card(page, inventor, "inventor")).to_have_class(re.compile(r"\bis-chosen\b"))
    expect(live).to_have_attribute("data-version", str(version + 1))


def test_one_question_has_one_heading(device: Open, laid: Laid) -> None:
    laid.speak("fr")
    page = device(locale="fr")
    open_table(page, laid.addresses["3 choosing"])
    expect(page.locator("#prompt-title")).to_have_text("Choisissez votre équipe.")
    expect(page.locator("#choices :is(.asks, .step)")).to_have_count(0)
    expect(page.get_by_role("group", name="Choisissez votre équipe.", exact=True)).to_be_visible()
    expect(page.locator("#choices .leaf").first).to_have_accessible_name(re.compile("^Choisir une équipe "))


def test_what_others_play_focuses_a_choice_but_shows_none_as_if_it_were_wanted(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page, path = device(), urlsplit(laid.addresses["3 choosing on"]).path
    open_table(page, laid.addresses["3 choosing on"])
    with laid.host() as host:
        state = host.state(path)
        assert host.play(path, state["moves"][0], state["version"]).status_code == 200
    expect(page.locator(f'#live[data-version="{state["version"] + 1}"]')).to_be_attached()
    expect(page.locator("#choices .leaf").first).to_be_focused()
    expect(page.locator("#panel .is-pointed")).to_have_count(0)
    with page.expect_request(lambda request: "/preview?" in request.url):
        page.keyboard.press("Tab")
    expect(page.locator("#panel .is-pointed")).to_have_count(1)


def test_in_a_low_window_what_an_inventor_would_place_is_read_beside_the_name(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page = device()
    page.set_viewport_size({"width": 1366, "height": 650})
    open_table(page, laid.addresses["3 low"])
    page.locator("#choices .choice", has_text="Send an inventor to work").click()
    expect(page.locator("html")).to_have_attribute("data-fit", re.compile("brief"))
    notes = page.locator("#choices .choice > .note")
    expect(notes).to_have_count(4)
    for note in notes.all():
        expect(note).to_be_visible()
        expect(note).to_have_text(re.compile(r"^\d cubes?: \w+"))


def card(page: Page, move: str, kind: str) -> Locator:
    """The card of the inventor or the invention of a move."""
    name = move.removeprefix("send ").split(" to ")[kind == "invention"]
    return page.locator(f'#panel [data-place="{kind}-{name.lower().replace(" ", "-")}"]')


def send(page: Page, move: str) -> None:
    """Play a move by its two cards, with all cubes that fit: fewer are a rare variant."""
    for kind in ("inventor", "invention"):
        expect(card(page, move, kind)).to_have_class(re.compile(r"\bis-target\b"))
        card(page, move, kind).click(position={"x": 12, "y": 12})


def test_a_new_age_sends_the_last_invention_out_and_brings_new_ones_but_not_with_less_motion(
    device: Open, laid: Laid
) -> None:
    laid.speak("en")
    path = laid.addresses["4 over"]
    with laid.host() as host:
        found = re.search(r'data-last="(\d+)"', host.get(f"{path}/replay?at=0").text)
        assert found

        def is_in_second_age(step: int) -> bool:
            return 'id="age-1" class="is-past"' in host.get(f"{path}/replay?at={step}").text

        step = bisect_left(range(int(found[1])), True, key=is_in_second_age)
    for motion in ("no-preference", "reduce"):
        page = device(reduced_motion=motion)
        page.add_init_script(CARD_ANIMATIONS)
        page.goto(f"{path}/replay?at={step - 1}")
        expect(page.locator("#age-1")).to_have_attribute("aria-current", "step")
        before, leaving = page.evaluate(CARD_PLACES)
        page.locator("#step-on").click()
        expect(page.locator("#age-2")).to_have_attribute("aria-current", "step")
        expect(page).to_have_url(re.compile(rf"at={step}$"))
        after, _ = page.evaluate(CARD_PLACES)
        assert before
        assert set(before) == set(leaving)
        assert not set(before) & set(after)
        shown = {"gone": [[card, 0] for card in before], "new": [[card, 1] for card in after]}
        assert page.evaluate("window.animated") == (shown if motion == "no-preference" else {})
        expect(page.locator("#panel [data-gone]")).to_have_count(0)
