"""Check turns at tables of Era of Inventions by keyboard and screen reader, with the hints before each choice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

import spieltisch
from spieltisch.core.moves import MoveWord
from spieltisch.core.words import Language, Value, Words
from spieltisch.games.era_of_inventions.log import (
    CARRIES_OUT,
    DEVELOPS,
    EVENTS,
    EXCHANGES,
    EXCHANGES_TWO,
    FINISHES,
    PATENTS,
    PLACES,
    PRODUCES,
    USES_BONUS_DISC,
)
from tests.games.declared_sentences import ANY, sentence_pattern
from tests.games.era_of_inventions.moments import (
    GAME,
    can_develop,
    can_exchange_and_use_bonus_disc,
    can_patent,
    can_pay_for_patent,
    is_start,
    layout_at,
)
from tests.games.era_of_inventions.positions import goods_text
from tests.sentences import sentence_after, template_after
from tests.tiers import first_alone
from tests.web.conftest import PreparedTables
from tests.web.key_player import choice_of
from tests.web.table_page import open_table
from tests.web.visitors import Visitor

HINTS = "games/era_of_inventions/hints.py"
YIELDS, ANY_CARDS = template_after(HINTS, "if action == Action.YIELD"), template_after(HINTS, "card=names[0])")
TO_MOVE = ("if between:", "return message(", "return message(")

pytestmark = pytest.mark.browser
PEOPLE = ["Ada", "Grace", "Mary", "Émilie"]
LAYOUTS = {
    "start": layout_at(3, is_start, names=PEOPLE),
    "counterfeit": layout_at(3, can_pay_for_patent, names=PEOPLE),
    "developing": layout_at(3, can_develop, names=PEOPLE),
    "patenting": layout_at(3, can_patent, names=PEOPLE),
    "exchanging": layout_at(4, can_exchange_and_use_bonus_disc, names=PEOPLE),
    "swapping": layout_at(4, can_exchange_and_use_bonus_disc, names=PEOPLE),
    "untouched": layout_at(3, is_start, names=PEOPLE),
    "looked at": layout_at(3, can_pay_for_patent, names=PEOPLE),
}
Open = Callable[..., Page]


def named(move: str, seats: int, language: Language = "en") -> list[str]:
    """Return the names of the buttons that lead to a move, one for each word and the last for the whole move."""
    return labels(spieltisch.game(GAME).setup(seats).words(move), language)


def labels(words: Sequence[MoveWord], language: Language = "en") -> list[str]:
    """Return the names of the buttons for these words, the last of which names the whole move."""
    speak_text = Words(language, spieltisch.game(GAME).folder / "locale").say
    texts = [str(speak_text(word.label)) for word in words]
    return [*texts[:-1], " ".join(texts)]


def reach(page: Page, target: Locator) -> None:
    """Press Tab until this element has the focus."""
    expect(target).to_be_visible()
    for _ in range(60):
        if target.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached")


def turn(page: Page, host: Visitor, path: str, wanted_move: str) -> str:
    """Play the first legal move that matches a pattern with Tab and Enter, and return its sentence in the log."""
    state = host.state(path)
    candidates = [move for move in state["moves"] if re.match(wanted_move, move)]
    assert candidates, state["moves"]
    names = named(candidates[0], len(state["seats"]))
    for name in names:
        button = choice_of(page, name)
        if name != names[-1] and not button.count():
            continue  # the only word there is: it is walked over
        reach(page, button)
        page.keyboard.press("Enter")
    moved_page = page.locator(f'#live-part:not([data-version="{state["version"]}"])')
    expect(moved_page.or_(page.locator("#confirm-button")).first).to_be_attached()
    if page.locator("#confirm-button").count():
        expect(page.locator("#confirm-button")).to_be_focused()
        page.keyboard.press("Enter")
        expect(moved_page).to_be_attached()
    after = host.state(path)
    # No secrets, no handoff screen: the player to decide sees their own line first.
    expect(page.locator("#panel .player-line.is-own")).to_have_id(f"board-{after['to_decide']}")
    sentence = " ".join(after["log"][-1]["text"])
    expect(page.locator("#live-region")).to_contain_text(sentence)
    if after["to_decide"] == state["to_decide"]:
        expect(page.locator("#live-region")).to_contain_text(
            sentence_after("web/pages/table_page.py", *TO_MOVE, player=PEOPLE[after["to_decide"]])
        )
        expect(page.locator("#choices button:focus")).to_have_count(1)  # focus stays where one goes on
    return sentence


def logged(code: int, **values: Value) -> str:
    """Return a regular expression of the sentence of an event in the log."""
    sentence = EVENTS[code].sentence
    assert sentence is not None
    return sentence_pattern(sentence, **values)


TURNS = {
    "start": {"place produce": logged(PLACES)},
    "counterfeit": {
        "use produce inventions": logged(CARRIES_OUT, action="Produce inventions"),
        r"produce .* counterfeit for \d \w+ \d": logged(PRODUCES, card=f"{ANY} counterfeit"),
        "done": logged(FINISHES),
    },
    "developing": {"use develop": logged(CARRIES_OUT, action="Develop or patent"), "develop": logged(DEVELOPS)},
    "patenting": {
        "use develop": logged(CARRIES_OUT, action="Develop or patent"),
        r"patent [\w ]+ gold": logged(PATENTS),
    },
    "exchanging": {
        "use exchange": logged(CARRIES_OUT, action="Exchange market"),
        "exchange coin coin for stone": logged(EXCHANGES, give=goods_text(coin=2), get=goods_text(stone=1)),
        r"exchange wood \w+ for": logged(EXCHANGES_TWO, give=f"1 wood, 1 {ANY}"),
        "done": logged(FINISHES),
        "(exchange|buy|build|run|produce) ": logged(USES_BONUS_DISC),
    },
}
"""For each table the moves of a turn, and what is then to be heard."""


@pytest.mark.parametrize("name", first_alone("patenting", TURNS))
def test_turns_are_played_with_tab_and_enter(device: Open, prepared: PreparedTables, host: Visitor, name: str) -> None:
    page, path = device(), prepared.addresses[name]
    open_table(page, prepared.addresses[name])
    person = PEOPLE[host.state(path)["to_decide"]]
    for move, expected_speech in TURNS[name].items():
        sentence = turn(page, host, path, move)
        assert sentence.startswith(person)
        assert re.match(expected_speech, sentence)


# What is said before a choice

SAID: dict[Language, dict[str, str]] = {
    "en": {
        "yield": " – " + sentence_pattern(YIELDS, goods="1 wood") + "$",
        "produce": " – " + sentence_pattern(ANY_CARDS, most=3) + "$",
        "card": r" counterfeit \(.+ → .+ influence points?\)$",
        "paid": r" – Influence (\d+)\s→\s(\d+).* (Ada|Grace|Mary) receives 1 (coin|influence point)\.$",
        "official": r" – Influence \d+\s→\s\d+.* (receives .+|No other player is paid)\.$",
    },
    "de": {
        "yield": r" – Deine Fabriken bringen 1 Holz\.$",
        "produce": r" – Möglich: \d Karten \(höchstens 3\)\.$",
        "card": r", Plagiatskarte \(.+ → .+ Einflusspunkte?\)$",
        "paid": r" – Einfluss (\d+)\s→\s(\d+).* (Ada|Grace|Mary) bekommt 1 (Münze|Einflusspunkt)\.$",
        "official": r" – Einfluss \d+\s→\s\d+.* (bekommt .+|Kein anderer Spieler bekommt etwas)\.$",
    },
}


@pytest.mark.parametrize("language", first_alone("de", SAID))
def test_each_action_field_describes_its_possible_moves_before_a_disc_is_placed(
    device: Open, prepared: PreparedTables, host: Visitor, language: Language
) -> None:
    host.submit("/preferences", language=language)
    page = device(locale=language)
    open_table(page, prepared.addresses["untouched"])
    for move in host.state(prepared.addresses["untouched"])["moves"]:
        name = named(move, 3, language)[-1]
        button = choice_of(page, name)
        expect(button.locator(".note")).to_be_visible()
        expect(button).to_have_accessible_name(re.compile(r" – \w.+\."))
        if move == "place produce resources":
            expect(button).to_have_accessible_name(re.compile(SAID[language]["yield"]))


@pytest.mark.parametrize("language", first_alone("de", SAID))
def test_a_card_shows_cost_yield_pawn_and_payees_before_it_is_produced(
    device: Open, prepared: PreparedTables, host: Visitor, language: Language
) -> None:
    path, phrases = prepared.addresses["looked at"], SAID[language]
    host.submit("/preferences", language=language)
    page = device(locale=language, viewport={"width": 1440, "height": 1500})  # on less, notes may be left to the boards
    open_table(page, prepared.addresses["looked at"])

    def button_of_cube(name: str) -> Locator:
        button = choice_of(page, name)
        if button.count():  # else it is the only word there is, and was walked over
            button.click()
        return button

    use = named("use produce inventions", 3, language)
    button_of_cube(use[0])
    button = choice_of(page, use[1])
    expect(button).to_have_accessible_name(re.compile(phrases["produce"]))
    button.click()
    expect(choice_of(page, named("done", 3, language)[0])).to_be_visible()
    moves = host.state(path)["moves"]

    mixed = next(move for move in moves if re.match(r"produce .* counterfeit for \d \w+ \d", move))
    names = named(mixed, 3, language)
    assert re.search(phrases["card"], names[1])
    for name in names[:-1]:
        button_of_cube(name)
    button = choice_of(page, names[-1])
    expect(button).to_have_accessible_name(re.compile(phrases["paid"]))
    expect(button.locator(".note")).to_be_visible()
    while page.locator("#prompt .undo-step:visible").count():
        page.locator("#prompt .undo-step:visible").click()
    officials = [move for move in moves if re.match(r"produce .* [ab]$", move)]
    assert officials
    button_of_cube(named(officials[0], 3, language)[0])
    for move in officials:
        button = choice_of(page, named(move, 3, language)[-1])
        expect(button).to_have_accessible_name(re.compile(phrases["official"]))
    version = str(host.state(path)["version"])
    assert host.submit(f"{path}/undo", version=version).status_code == 303  # for the next language


def test_a_pair_for_the_market_can_be_chosen_starting_with_either_item(
    device: Open, prepared: PreparedTables, host: Visitor
) -> None:
    page, path, setup = device(), prepared.addresses["swapping"], spieltisch.game(GAME).setup(4)
    open_table(page, prepared.addresses["swapping"])
    turn(page, host, path, "use exchange")
    moves, choices = host.state(path)["moves"], page.locator("#choices")
    # On the board each exchange of the box is offered once.
    page.locator('#era-market [data-place="market-lower"]').first.click(position={"x": 6, "y": 6})
    lower = [move for move in moves if "market-lower" in {word.element_id for word in setup.words(move)}]
    # Many are told apart word by word.
    firsts = {good for move in lower for good in move.partition(" for ")[0].split()[1:]}
    expect(choices.locator(".choice-list .choice")).to_have_count(len(lower) if len(lower) <= 12 else len(firsts))
    page.locator("#prompt .undo-step").click()
    pair = next(move for move in moves if re.match(r"exchange (\w+) (?!\1)\w+ for ", move))
    (words,) = setup.game.alternative_phrasings(setup, setup.move(pair).number)
    assert " ".join(word.text for word in words) != pair
    for name in labels(words):
        button = choice_of(page, name)
        if button.count():  # the only word there is is walked over
            button.click()
    first_good, second_good = pair.split()[1:3]
    expect(page.locator("ol.log")).to_contain_text(f"exchanges 1 {first_good}, 1 {second_good} for")
