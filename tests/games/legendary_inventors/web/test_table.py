"""What every table can do, at tables of Legendary Inventors late in the game: by keyboard and by ear, for spectators,
on one device, in replay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.games.legendary_inventors.moments import full, layout, once, over, rewarding, sending
from tests.web.conftest import Laid, Visitor
from tests.web.prepared_tables import NAMES
from tests.web.test_keyboard import FOCUSED, reach

pytestmark = pytest.mark.browser
PEOPLE = NAMES
LAID = {
    "3 full": layout(3, 0, lambda view: full(view) and not any(view.players[view.seat].exhausted)),
    "5 full": layout(5, 0, full),
    "5 rewarding": layout(5, 1, rewarding),
    "4 over": layout(4, 3, over),
    "3 choosing": layout(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "3 choosing on": layout(3, 4, lambda view: bool(view.seat == 1), teams="choose"),
    "2 sending": sending(),
}
Open = Callable[..., Page]


def there(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#choices .choice, #live.finished").first).to_be_visible()


def test_a_turn_by_tab_and_enter_and_the_next_on_the_same_device_without_a_curtain(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page = device()
    there(page, laid.addresses["3 full"])
    live, own = page.locator("#live"), page.locator("#panel .is-own")
    before, board = live.get_attribute("data-version"), own.get_attribute("id")
    first = page.locator("#choices .options .choice").first
    reach(page, first.get_attribute("aria-label") or " ".join(first.inner_text().split()))
    heard = []
    for _ in range(6):
        page.keyboard.press("Enter")
        heard.append(page.evaluate(FOCUSED))
        assert heard[-1], "what is focused has a name"
        if heard[-1] == "Confirm":
            break
        if re.match(r"Send an inventor \w+", heard[-1]):  # the whole move: it is asked about
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
    there(page, laid.addresses["5 full"])
    with Visitor(laid.server) as looker:
        seen = re.sub(r"\s+", " ", looker.get(laid.addresses["5 full"]).text)
    ledgers = page.locator("#panel .is-ledger")
    expect(ledgers).to_have_count(4)
    for ledger in ledgers.all():
        heard = ledger.aria_snapshot()
        assert re.search(r"cubes: \d+ of 15", heard)
        assert re.search(r"\d+ points?", heard)
        for inventor in ledger.locator(".inventor").all():
            name = inventor.locator(".inventor-name").get_attribute("title")
            assert name is not None
            assert name in heard
        assert len(re.findall(r"\d+ upgrades? to go: \d+ points|goal reached", heard)) == 4
        assert len(re.findall(r"\d, goal \d", heard)) >= 8
        for what in (".coin-of", ".won"):
            for one in ledger.locator(what).all():
                assert (one.get_attribute("title") or "?").partition(" (")[0] in heard
    assert "physics" in seen


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
        for name, (told, named) in (("3 choosing", decide), ("5 rewarding", decide), ("5 full", turn)):
            there(page, laid.addresses[name])
            expect(page.locator("#status")).to_have_text(re.compile(f"^{named}$"))
            assert re.match(f"● {named}", page.title())
            seat = int((page.locator("#people .deciding").get_attribute("id") or "").removeprefix("seat-"))
            page.goto(f"{page.url}?me={seat + 1 if seat else 0}")
            expect(page.locator("#status")).to_have_text(told)
            assert page.title().startswith(f"● {told}")


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
    there(page, laid.addresses["2 sending"])
    live, version = page.locator("#live"), int(page.locator("#live").get_attribute("data-version") or 0)
    expect(page.locator("#choices .step")).to_have_count(0)
    send(page, "send Blaise Pascal to Hourglass")
    expect(live).to_have_attribute("data-version", str(version + 1))
    expect(page.locator("#prompt .back")).to_have_count(0)
    moves = page.locator('#tree button[value^="send "]').evaluate_all("all => all.map((one) => one.value)")
    inventor = once([one for one in moves if not one.startswith(("send fewer", "send genius"))])[0]
    card(page, inventor, "inventor").click(position={"x": 12, "y": 12})
    expect(card(page, inventor, "inventor")).to_have_class(re.compile(r"\bis-chosen\b"))
    expect(live).to_have_attribute("data-version", str(version + 1))


def test_one_question_has_one_heading(device: Open, laid: Laid) -> None:
    laid.speak("fr")
    page = device(locale="fr")
    there(page, laid.addresses["3 choosing"])
    expect(page.locator("#prompt-title")).to_have_text("Choisissez votre équipe.")
    expect(page.locator("#choices :is(.asks, .step)")).to_have_count(0)
    expect(page.get_by_role("group", name="Choisissez votre équipe.", exact=True)).to_be_visible()
    expect(page.locator("#choices .leaf").first).to_have_accessible_name(re.compile("^Choisir une équipe "))


def test_what_others_play_focuses_a_choice_but_shows_none_as_if_it_were_wanted(device: Open, laid: Laid) -> None:
    laid.speak("en")
    page, path = device(), urlsplit(laid.addresses["3 choosing on"]).path
    there(page, laid.addresses["3 choosing on"])
    with laid.host() as host:
        state = host.state(path)
        assert host.play(path, state["moves"][0], state["version"]).status_code == 200
    expect(page.locator(f'#live[data-version="{state["version"] + 1}"]')).to_be_attached()
    expect(page.locator("#choices .leaf").first).to_be_focused()
    expect(page.locator("#panel .is-pointed")).to_have_count(0)
    with page.expect_request(lambda request: "/preview?" in request.url):
        page.keyboard.press("Tab")
    expect(page.locator("#panel .is-pointed")).to_have_count(1)


def card(page: Page, move: str, kind: str) -> Locator:
    """The card of the inventor or the invention of a move."""
    name = move.removeprefix("send ").split(" to ")[kind == "invention"]
    return page.locator(f'#panel [data-place="{kind}-{name.lower().replace(" ", "-")}"]')


def send(page: Page, move: str) -> None:
    """Play a move by its two cards, with all cubes that fit: fewer are a rare variant."""
    for kind in ("inventor", "invention"):
        expect(card(page, move, kind)).to_have_class(re.compile(r"\bis-target\b"))
        card(page, move, kind).click(position={"x": 12, "y": 12})
