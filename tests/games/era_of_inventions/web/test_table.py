"""What every table can do, at tables of Era of Inventions far on in a game: turns by keyboard and by ear, what is said
before a choice, reasons, replay, spectators, several people on one device.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import spieltisch
from spieltisch.core.moves import MoveWord
from spieltisch.core.words import Language, Words
from tests.games.era_of_inventions.moments import (
    GAME,
    building,
    buying,
    developing,
    exchanging_soon,
    late,
    patenting,
    paying_a_patent,
    start,
    table,
)
from tests.web.conftest import Laid, Visitor

pytestmark = pytest.mark.browser
PEOPLE = ["Ada", "Grace", "Mary", "Émilie"]
LAID = {
    "start": table(3, start, names=PEOPLE),
    "counterfeit": table(3, paying_a_patent, names=PEOPLE),
    "developing": table(3, developing, names=PEOPLE),
    "patenting": table(3, patenting, names=PEOPLE),
    "exchanging": table(4, exchanging_soon, names=PEOPLE),
    "swapping": table(4, exchanging_soon, names=PEOPLE),
    "late": table(4, lambda position: late(position) and not buying(position), 3, PEOPLE),
    "untouched": table(3, start, names=PEOPLE),
    "building": table(4, building, names=PEOPLE),
    "looked at": table(3, paying_a_patent, names=PEOPLE),
}


@pytest.fixture
def host(laid: Laid) -> Iterator[Visitor]:
    """Who has all of them on one device."""
    with laid.host() as visitor:
        visitor.submit("/preferences", language="en")
        yield visitor


Open = Callable[..., Page]


def there(page: Page, laid: Laid, name: str) -> None:
    page.goto(laid.addresses[name])
    expect(page.locator("#choices .choice").first).to_be_visible()
    page.wait_for_load_state()


def test_a_factory_that_is_looked_at_leaves_the_boards_as_large_as_they_are(device: Open, laid: Laid) -> None:
    page = device(viewport={"width": 1366, "height": 650})
    there(page, laid, "building")
    page.locator("#era-factories").scroll_into_view_if_needed()
    sizes = """() => [...document.querySelectorAll(".era-part, .works, .works > li, .line-of")]
      .map((one) => [one.offsetWidth, one.offsetHeight])"""
    before = page.evaluate(sizes)
    page.locator("#era-factories .is-target").first.hover()
    expect(page.locator("#era-factories .ghost").first).to_be_attached()
    assert page.evaluate(sizes) == before


# By keyboard and by ear


def named(move: str, seats: int, language: Language = "en") -> list[str]:
    """The names of the buttons that lead to a move: its words one after the other, and at last all of them."""
    return labels(spieltisch.game(GAME).setup(seats).words(move), language)


def labels(words: Sequence[MoveWord], language: Language = "en") -> list[str]:
    """The names of the buttons for these words one after the other; the last says all of them."""
    say = Words(language, spieltisch.game(GAME).folder / "locale").say
    said = [str(say(word.label)) for word in words]
    return [*said[:-1], " ".join(said)]


def reach(page: Page, target: Locator) -> None:
    """Press Tab until this is focused."""
    expect(target).to_be_visible()
    for _ in range(60):
        if target.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached")


def turn(page: Page, host: Visitor, path: str, wish: str) -> str:
    """The first legal move that matches, by Tab and Enter alone. Answers what is said of it."""
    state = host.state(path)
    found = [move for move in state["moves"] if re.match(wish, move)]
    assert found, state["moves"]
    names = named(found[0], len(state["seats"]))
    choices = page.locator("#choices")
    for name in names:
        button = choices.get_by_role("button", name=name, exact=True)
        if name != names[-1] and not button.count():
            continue  # the only word there is: it is walked over
        reach(page, button)
        page.keyboard.press("Enter")
    moved = page.locator(f'#live:not([data-version="{state["version"]}"])')
    expect(moved.or_(page.locator("#confirm")).first).to_be_attached()
    if page.locator("#confirm").count():
        expect(page.locator("#confirm")).to_be_focused()
        page.keyboard.press("Enter")
        expect(moved).to_be_attached()
    then = host.state(path)
    # No secrets, no curtain: whoever is to decide sees their own line first.
    expect(page.locator("#panel .line-of.is-own")).to_have_id(f"board-{then['to_decide']}")
    said = " ".join(then["log"][-1]["text"])
    expect(page.locator("#said")).to_contain_text(said)
    if then["to_decide"] == state["to_decide"]:
        expect(page.locator("#said")).to_contain_text(f"{PEOPLE[then['to_decide']]} to move.")
        expect(page.locator("#choices button:focus")).to_have_count(1)  # focus stays where one goes on
    return said


TURNS = {
    "start": {"place produce": "places a disc on "},
    "counterfeit": {
        "use produce inventions": "carries out Produce inventions.",
        r"produce .* counterfeit for \d \w+ \d": "produces .* counterfeit for ",
        "done": "finishes ",
    },
    "developing": {"use develop": "carries out Develop or patent.", "develop": "develops "},
    "patenting": {"use develop": "carries out Develop or patent.", r"patent [\w ]+ gold": "registers a patent on "},
    "exchanging": {
        "use exchange": "carries out Exchange market.",
        "exchange coin coin for stone": "exchanges 2 coins for 1 development stone.",
        r"exchange wood \w+ for": "exchanges 1 wood, 1 ",
        "done": "finishes ",
        "(exchange|buy|build|run|produce) ": "uses a bonus disc",
    },
}
"""For each table the moves of a turn, and what is then to be heard."""


@pytest.mark.parametrize("name", TURNS)
def test_turns_by_tab_and_enter(device: Open, laid: Laid, host: Visitor, name: str) -> None:
    page, path = device(), laid.addresses[name]
    there(page, laid, name)
    who = PEOPLE[host.state(path)["to_decide"]]
    for move, heard in TURNS[name].items():
        said = turn(page, host, path, move)
        assert re.match(f"{who} .*{heard}", said)


# What is said before a choice

SAID: dict[Language, dict[str, str]] = {
    "en": {
        "yield": r"^Your factories yield 1 wood\.$",
        "produce": r"^You can produce any of these \d cards \(at most 3\): .+\.$",
        "card": r" counterfeit \(.+ → .+ influence points?\)$",
        "paid": r"^Influence (\d+)\s→\s(\d+).* (Ada|Grace|Mary) receives 1 influence point\.$",
        "official": r"^Influence \d+\s→\s\d+.* (receives .+|No other player is paid)\.$",
    },
    "de": {
        "yield": r"^Deine Fabriken bringen 1 Holz\.$",
        "produce": r"^Du kannst \d Karten produzieren \(höchstens 3 davon\): .+\.$",
        "card": r", Plagiatskarte \(.+ → .+ Einflusspunkte?\)$",
        "paid": r"^Einfluss (\d+)\s→\s(\d+).* (Ada|Grace|Mary) bekommt 1 Einflusspunkt\.$",
        "official": r"^Einfluss \d+\s→\s\d+.* (bekommt .+|Kein anderer Spieler bekommt etwas)\.$",
    },
}


@pytest.mark.parametrize("language", SAID)
def test_before_a_disc_is_placed_each_field_says_what_it_would_let_one_do(
    device: Open, laid: Laid, host: Visitor, language: Language
) -> None:
    host.submit("/preferences", language=language)
    page = device(locale=language)
    there(page, laid, "untouched")
    for move in host.state(laid.addresses["untouched"])["moves"]:
        name = named(move, 3, language)[-1]
        button = page.locator("#choices").get_by_role("button", name=name, exact=True)
        expect(button.locator(".note")).to_be_visible()
        expect(button).to_have_accessible_description(re.compile(r"\w.+\."))
        if move == "place produce resources":
            expect(button).to_have_accessible_description(re.compile(SAID[language]["yield"]))


@pytest.mark.parametrize("language", SAID)
def test_before_a_card_is_produced_it_says_what_it_costs_and_yields_where_the_pawn_lands_and_who_is_paid(
    device: Open, laid: Laid, host: Visitor, language: Language
) -> None:
    path, said = laid.addresses["looked at"], SAID[language]
    host.submit("/preferences", language=language)
    page = device(locale=language, viewport={"width": 1440, "height": 1500})  # on less, notes may be left to the boards
    there(page, laid, "looked at")
    choices = page.locator("#choices")

    def press(name: str) -> Locator:
        button = choices.get_by_role("button", name=name, exact=True)
        if button.count():  # else it is the only word there is, and was walked over
            button.click()
        return button

    use = named("use produce inventions", 3, language)
    press(use[0])
    button = choices.get_by_role("button", name=use[1], exact=True)
    expect(button).to_have_accessible_description(re.compile(said["produce"]))
    button.click()
    expect(choices.get_by_role("button", name=named("done", 3, language)[0], exact=True)).to_be_visible()
    moves = host.state(path)["moves"]

    mixed = next(move for move in moves if re.match(r"produce .* counterfeit for \d \w+ \d", move))
    names = named(mixed, 3, language)
    assert re.search(said["card"], names[1])
    for name in names[:-1]:
        press(name)
    button = choices.get_by_role("button", name=names[-1], exact=True)
    expect(button).to_have_accessible_description(re.compile(said["paid"]))
    expect(button.locator(".note")).to_be_visible()
    while page.locator("#prompt .back:visible").count():
        page.locator("#prompt .back:visible").click()
    officials = [move for move in moves if re.match(r"produce .* [ab]$", move)]
    assert officials
    press(named(officials[0], 3, language)[0])
    for move in officials:
        button = choices.get_by_role("button", name=named(move, 3, language)[-1], exact=True)
        expect(button).to_have_accessible_description(re.compile(said["official"]))
    version = str(host.state(path)["version"])
    assert host.submit(f"{path}/undo", version=version).status_code == 303  # for the next language


def test_a_pair_for_the_market_may_be_begun_with_either_of_its_two(device: Open, laid: Laid, host: Visitor) -> None:
    page, path, setup = device(), laid.addresses["swapping"], spieltisch.game(GAME).setup(4)
    there(page, laid, "swapping")
    turn(page, host, path, "use exchange")
    moves, choices = host.state(path)["moves"], page.locator("#choices")
    # On the board each exchange of the box is offered once.
    page.locator('#era-market [data-place="market-lower"]').first.click(position={"x": 6, "y": 6})
    lower = [move for move in moves if "market-lower" in {word.element_id for word in setup.words(move)}]
    # Many are told apart word by word.
    firsts = {good for move in lower for good in move.partition(" for ")[0].split()[1:]}
    expect(choices.locator(".options .choice")).to_have_count(len(lower) if len(lower) <= 12 else len(firsts))
    page.locator("#prompt .back").click()
    pair = next(move for move in moves if re.match(r"exchange (\w+) (?!\1)\w+ for ", move))
    (words,) = setup.game.alternative_phrasings(setup, setup.move(pair).number)
    assert " ".join(word.text for word in words) != pair
    for name in labels(words):
        button = choices.get_by_role("button", name=name, exact=True)
        if button.count():  # the only word there is is walked over
            button.click()
    one, two = pair.split()[1:3]
    expect(page.locator("ol.log")).to_contain_text(f"exchanges 1 {one}, 1 {two} for")


# Reasons


def test_what_is_off_on_any_board_says_by_which_rule(device: Open, laid: Laid, host: Visitor) -> None:
    page = device()
    there(page, laid, "late")
    rules = host.get(f"/games/{GAME}/rules").text
    for board in ("#era-fields", "#era-factories", "#era-row", "#era-stores", "#era-inventions", "#era-market"):
        place = page.locator(f"{board} .is-blocked").first
        place.click(position={"x": 6, "y": 6})
        expect(page.locator("#notice .refusal")).to_be_visible()
        for rule in page.locator("#notice a.rule").all():
            number = rule.inner_text()
            assert f'id="{number}"' in rules
            assert (rule.get_attribute("href") or "").endswith(f"/games/{GAME}/rules#{number}")
        assert page.locator("#notice a.rule").count()
        page.keyboard.press("Escape")
        expect(page.locator("#notice")).to_be_empty()


# Replay, and who looks on


def boards(page: str) -> list[str]:
    """What lies on the boards, without the words."""
    panel = page[page.index('id="panel"') : page.index('id="era-track"')]
    return re.findall(r'id="[\w-]+"|href="#sign-[\w-]+"|<b>\d+</b>', panel)


def test_a_replay_shows_the_boards_of_then_to_anybody_in_their_language(laid: Laid, host: Visitor) -> None:
    path = laid.addresses["late"]
    found = re.search(r'data-last="(\d+)"', host.get(f"{path}/replay?at=0").text)
    assert found
    last = int(found[1])
    steps = [0, last // 3, 2 * last // 3, last]
    pages = [host.get(f"{path}/replay?at={at}").text for at in steps]
    rounds = [int(found[1]) for page in pages if (found := re.search(r"<b>Round (\d+) of 8</b>", page))]
    assert rounds[0] == 1
    assert rounds == sorted(rounds)
    assert rounds[-1] >= 7
    sealed = [page.count('class="sealed"') for page in pages]
    assert sealed[0] == 0
    assert sealed == sorted(sealed)
    assert sealed[-1] >= 4
    assert boards(pages[-1]) == boards(host.get(path).text)
    for language, word in (("fr", "Manche"), ("nl", "Ronde")):
        with Visitor(laid.server, language) as friend:
            page = friend.get(f"{path}/replay?at={steps[2]}").text
        assert f'lang="{language}-' in page
        assert f"<b>{word} {rounds[2]} " in page
        assert page.count('class="sealed"') == sealed[2]


def test_who_looks_on_sees_all_boards_and_can_choose_nothing(chromium: Browser, laid: Laid, host: Visitor) -> None:
    page = chromium.new_page(locale="en")
    page.goto(laid.addresses["late"])
    expect(page.locator("#era-ledger .line-of")).to_have_count(4)
    expect(page.locator("#choices")).to_have_count(0)
    expect(page.locator("#panel .is-target, #panel .is-blocked, #panel .is-own")).to_have_count(0)
    mine, theirs = boards(host.get(laid.addresses["late"]).text), boards(page.content())
    page.close()
    own = re.compile(r'id="own-')
    assert sorted(theirs) == sorted(part for part in mine if not own.match(part))
