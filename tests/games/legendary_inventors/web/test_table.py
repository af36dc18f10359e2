"""Check pages of tables of Legendary Inventors late in a game: keyboard, screen reader, spectators, shared device,
replay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from spieltisch.core.words import Sentence
from spieltisch.games.legendary_inventors.log import EVENTS, WORKS
from tests.games.declared_sentences import sentence_pattern
from tests.games.legendary_inventors.moments import (
    is_choosing_rewards,
    is_full_last_age,
    is_over,
    layout_at,
    layout_before_sending_twice,
    with_one_destination,
)
from tests.sentences import sentence_after, template_after
from tests.web.conftest import PreparedTables
from tests.web.key_player import FOCUSED, reach
from tests.web.layout_checks import CARD_ANIMATIONS, CARD_PLACES
from tests.web.prepared_tables import NAMES
from tests.web.table_page import open_table
from tests.web.visitors import Visitor

PAGE = "web/pages/table_page.py"
YOUR_CHOICE = sentence_after(PAGE, "if table.to_decide == perspective.seat and not perspective.is_shared_page")
YOUR_TURN = sentence_after(PAGE, "if between else")
TO_CHOOSE = sentence_pattern(template_after(PAGE, "if between:"))
TO_MOVE = sentence_pattern(template_after(PAGE, "if between:", "return message(", "return message("))
SEND = sentence_after("games/legendary_inventors/moves.py", 'MoveKind("send",')
SENT = [sentence_pattern(EVENTS[WORKS].sentence or Sentence(""), count=count) for count in range(1, 10)]

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAYOUTS = {
    "3 full": layout_at(3, 0, lambda view: is_full_last_age(view) and not any(view.players[view.seat].exhausted)),
    "3 low": layout_at(3, 0, lambda view: is_full_last_age(view) and not any(view.players[view.seat].exhausted)),
    "5 full": layout_at(5, 0, is_full_last_age),
    "5 rewarding": layout_at(5, 1, is_choosing_rewards),
    "4 over": layout_at(4, 3, is_over),
    "3 choosing": layout_at(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "3 choosing on": layout_at(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "2 sending": layout_before_sending_twice(),
}
Open = Callable[..., Page]


def test_two_turns_on_one_device_by_tab_and_enter_without_a_handoff_screen(
    device: Open, prepared: PreparedTables
) -> None:
    prepared.speak("en")
    page = device()
    open_table(page, prepared.addresses["3 full"])
    live, own_element = page.locator("#live-part"), page.locator("#panel .is-own")
    before, board = live.get_attribute("data-version"), own_element.get_attribute("id")
    first = page.locator("#choices .choice-list .choice").first
    reach(page, first.get_attribute("aria-label") or " ".join(first.inner_text().split()))
    names = []
    for _ in range(6):
        page.keyboard.press("Enter")
        names.append(page.evaluate(FOCUSED))
        assert names[-1], "what is focused has a name"
        if page.locator("#confirm-button:focus").count():
            break
        if names[-1].startswith(f"{SEND} "):  # the whole move: it is asked about
            page.keyboard.press("Enter")
            expect(page.locator("#confirm-button")).to_be_focused()
            break
    page.keyboard.press("Enter")
    expect(page.locator(f'#live-part:not([data-version="{before}"])')).to_be_attached()
    expect(page.locator("#live-region")).to_contain_text(re.compile("|".join(SENT)))
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(page.locator("#handoff-screen")).to_have_count(0)  # the game has no secrets
    assert own_element.get_attribute("id") != board or page.locator("#panel .is-complete").count()


def test_ledgers_have_full_descriptions_of_their_abbreviations(device: Open, prepared: PreparedTables) -> None:
    prepared.speak("en")
    page = device()
    open_table(page, prepared.addresses["5 full"])
    with Visitor(prepared.server) as looker:
        table_text = re.sub(r"\s+", " ", looker.get(prepared.addresses["5 full"]).text)
    ledgers = page.locator("#panel .is-compact")
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
        for selector in (".token", ".won-patent"):
            for part in ledger.locator(selector).all():
                assert (part.get_attribute("title") or "?").partition(" (")[0] in snapshot
    assert "physics" in table_text


LEDGER_FAULTS = """() => {
  const box = (one) => one.getBoundingClientRect();
  const found = [];
  for (const team of document.querySelectorAll("#panel .is-compact")) {
    const heads = [...team.querySelectorAll(".field-headings > span")];
    const isShape = (one) => !one.textContent && one.title && box(one.firstChild).width >= 14;
    if (heads.length !== 4 || !heads.every(isShape)) found.push("heads");
    const cards = [...team.querySelectorAll(".won-patent")];
    const steps = cards.slice(1).map((one, n) => one.offsetLeft - cards[n].offsetLeft);
    if (steps.some((step) => step < 14)) found.push(`hidden cards: ${steps}`);
  }
  const counts = [...document.querySelectorAll(".run-bar > .run-count")];
  const over = counts.filter((one) => box(one).bottom > box(one.previousElementSibling).top + 3);
  if (over.length) found.push("a count over a patent");
  return [counts.length, found];
}"""


def test_text_in_ledgers_is_large_enough_to_read(device: Open, prepared: PreparedTables) -> None:
    prepared.speak("en")
    page = device()
    open_table(page, prepared.addresses["5 rewarding"])
    count, faults = page.evaluate(LEDGER_FAULTS)
    assert count > 0
    assert faults == []
    for worth in page.locator("#panel .run-worth").all_inner_texts():
        assert re.fullmatch(r"= (1 point|\d+ points)", worth)
    # A phone shows the shield of one's team before it is scrolled.
    expect(page.locator("#own-summary .team-icon").first).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#own-summary .team-icon").first).to_be_in_viewport(ratio=1)
    own_id = page.locator("#player-list .is-own-seat").get_attribute("id")
    shields = page.locator("#own-summary .team-icon use").evaluate_all(
        "icons => icons.map((icon) => icon.href.baseVal)"
    )
    assert shields == [f"#icon-{own_id}"] * 4


def test_a_spectator_sees_everything_without_any_choice(chromium: Browser, prepared: PreparedTables) -> None:
    page = chromium.new_page(locale="en")
    page.goto(prepared.addresses["5 rewarding"])
    expect(page.locator("#panel .team")).to_have_count(5)
    expect(page.locator("#panel .standing-list .is-current")).to_have_count(1)
    expect(page.locator("#choices")).to_have_count(0)
    expect(page.locator("#panel .is-target")).to_have_count(0)
    # A reward is chosen in nobody's turn.
    expect(page.locator("#status")).to_have_text(re.compile(r"^.+ to choose\.$"))
    page.goto(prepared.addresses["5 full"])
    expect(page.locator("#status")).to_have_text(re.compile(r"^.+ to move\.$"))
    page.close()


def test_a_decision_outside_any_turn_is_not_called_a_turn(device: Open, prepared: PreparedTables) -> None:
    page = device()
    for language, decide_text, turn in (
        ("en", (YOUR_CHOICE, TO_CHOOSE), (YOUR_TURN, TO_MOVE)),
        ("de", ("Du entscheidest.", r".+ entscheidet\."), ("Du bist am Zug.", r".+ ist am Zug\.")),
    ):
        prepared.speak(language)
        for name, (own_status, others_status) in (
            ("3 choosing", decide_text),
            ("5 rewarding", decide_text),
            ("5 full", turn),
        ):
            open_table(page, prepared.addresses[name])
            expect(page.locator("#status")).to_have_text(re.compile(f"^{others_status}$"))
            assert re.match(f"● {others_status}", page.title())
            seat = int((page.locator("#player-list .is-deciding").get_attribute("id") or "").removeprefix("seat-"))
            page.goto(f"{page.url}?me={seat + 1 if seat else 0}")
            expect(page.locator("#status")).to_have_text(own_status)
            assert page.title().startswith(f"● {own_status}")


def test_the_replay_steps_through_ages_in_the_language_of_the_viewer(
    chromium: Browser, device: Open, prepared: PreparedTables
) -> None:
    prepared.speak("fr")
    page = device()
    address = prepared.addresses["4 over"] + "/replay"
    page.goto(f"{address}?at=0")
    expect(page.locator("#panel .invention")).to_have_count(7)
    expect(page.locator(".age-list .is-current")).to_have_text("époque I")
    expect(page.locator("#panel .patent-fan > li")).to_have_count(0)
    last_step = int(page.locator("#live-part").get_attribute("data-last-step") or 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#live-part")).to_have_attribute("data-current-step", "1")
    page.goto(f"{address}?at={last_step - 10}")
    expect(page.locator(".age-list .is-current")).to_have_text("époque III")
    assert page.locator("#panel .patent-fan > li").count() > 5
    page.keyboard.press("End")
    expect(page.locator("#panel-end .is-winner").first).to_be_visible()
    friend = chromium.new_page(locale="nl")
    friend.goto(f"{address}?at={last_step - 10}")
    expect(friend.locator(".age-list .is-current")).to_have_text("tijdperk III")
    friend.close()


def test_the_first_step_of_a_move_is_no_longer_preselected_when_other_moves_become_legal(
    device: Open, prepared: PreparedTables
) -> None:
    prepared.speak("en")
    page = device()
    open_table(page, prepared.addresses["2 sending"])
    live, version = page.locator("#live-part"), int(page.locator("#live-part").get_attribute("data-version") or 0)
    expect(page.locator("#choices .chosen-step")).to_have_count(0)
    send(page, "send Marie Curie to Smoke signals")
    expect(live).to_have_attribute("data-version", str(version + 1))
    expect(page.locator("#prompt .undo-step")).to_have_count(0)
    moves = page.locator('#move-tree button[value^="send "]').evaluate_all("all => all.map((one) => one.value)")
    inventor = with_one_destination([move for move in moves if not move.startswith(("send fewer", "send genius"))])[0]
    # Whose only destination stands in the choice, too; a point separates the two names.
    joined = page.locator("#choices .is-before-name").first
    assert "·" in joined.evaluate("(label) => getComputedStyle(label, '::after').content")
    assert joined.evaluate("(label) => label.parentElement.lastElementChild.matches('.is-before-name')") is False
    card(page, inventor, "inventor").click(position={"x": 12, "y": 12})
    expect(card(page, inventor, "inventor")).to_have_class(re.compile(r"\bis-chosen\b"))
    expect(live).to_have_attribute("data-version", str(version + 1))


def test_the_choice_of_a_team_has_a_single_heading(device: Open, prepared: PreparedTables) -> None:
    prepared.speak("fr")
    page = device(locale="fr")
    open_table(page, prepared.addresses["3 choosing"])
    expect(page.locator("#prompt-title")).to_have_text("Choisissez votre équipe.")
    expect(page.locator("#choices :is(.choice-question, .chosen-step)")).to_have_count(0)
    expect(page.get_by_role("group", name="Choisissez votre équipe.", exact=True)).to_be_visible()
    expect(page.locator("#choices .final-choice").first).to_have_accessible_name(re.compile("^Choisir une équipe "))


def test_after_a_move_of_another_player_a_choice_has_focus_without_a_preview(
    device: Open, prepared: PreparedTables
) -> None:
    prepared.speak("en")
    page, path = device(), urlsplit(prepared.addresses["3 choosing on"]).path
    open_table(page, prepared.addresses["3 choosing on"])
    with prepared.host() as host:
        state = host.state(path)
        assert host.play(path, state["moves"][0], state["version"]).status_code == 200
    expect(page.locator(f'#live-part[data-version="{state["version"] + 1}"]')).to_be_attached()
    expect(page.locator("#choices .final-choice").first).to_be_focused()
    expect(page.locator("#panel .is-pointed")).to_have_count(0)
    with page.expect_request(lambda request: "/preview?" in request.url):
        page.keyboard.press("Tab")
    expect(page.locator("#panel .is-pointed")).to_have_count(1)


def test_in_a_low_window_the_cubes_of_an_inventor_stand_beside_the_name(device: Open, prepared: PreparedTables) -> None:
    prepared.speak("de")  # whose words are so long that a low window has no room for other notes
    page = device(locale="de")
    page.set_viewport_size({"width": 1366, "height": 560})
    open_table(page, prepared.addresses["3 low"])
    page.locator("#choices .choice", has_text="Erfinder ans Werk schicken").click()
    expect(page.locator("html")).to_have_attribute("data-prompt-fit", re.compile("brief"))
    notes = page.locator("#choices .choice > .note")
    expect(notes).to_have_count(4)
    for note in notes.all():
        expect(note).to_be_visible()
        expect(note).to_have_attribute("title", re.compile(r"^\d Spielsteine?: \w+"))


def card(page: Page, move: str, kind: str) -> Locator:
    """Return the card of the inventor or the invention of a move."""
    name = move.removeprefix("send ").split(" to ")[kind == "invention"]
    return page.locator(f'#panel [data-place="{kind}-{name.lower().replace(" ", "-")}"]')


def send(page: Page, move: str) -> None:
    """Send an inventor by clicks on two cards, with all cubes that fit."""
    for kind in ("inventor", "invention"):
        expect(card(page, move, kind)).to_have_class(re.compile(r"\bis-target\b"))
        card(page, move, kind).click(position={"x": 12, "y": 12})


def test_a_new_age_animates_the_inventions_except_with_reduced_motion(device: Open, prepared: PreparedTables) -> None:
    prepared.speak("en")
    path = prepared.addresses["4 over"]
    with prepared.host() as host:
        match = re.search(r'data-last-step="(\d+)"', host.get(f"{path}/replay?at=0").text)
        assert match

        def is_in_second_age(step: int) -> bool:
            return 'id="age-1" class="is-past-age"' in host.get(f"{path}/replay?at={step}").text

        step = bisect_left(range(int(match[1])), True, key=is_in_second_age)
    for motion in ("no-preference", "reduce"):
        page = device(reduced_motion=motion)
        page.add_init_script(CARD_ANIMATIONS)
        page.goto(f"{path}/replay?at={step - 1}")
        expect(page.locator("#age-1")).to_have_attribute("aria-current", "step")
        before, leaving = page.evaluate(CARD_PLACES)
        page.locator("#next-step-link").click()
        expect(page.locator("#age-2")).to_have_attribute("aria-current", "step")
        expect(page).to_have_url(re.compile(rf"at={step}$"))
        after, _ = page.evaluate(CARD_PLACES)
        assert before
        assert set(before) == set(leaving)
        assert not set(before) & set(after)
        animated_cards = {"gone": [[card, 0] for card in before], "new": [[card, 1] for card in after]}
        assert page.evaluate("window.animated") == (animated_cards if motion == "no-preference" else {})
        expect(page.locator("#panel [data-removed-card]")).to_have_count(0)
