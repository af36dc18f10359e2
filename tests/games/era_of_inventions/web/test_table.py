"""Pages of tables of Era of Inventions late in a game: turns by keyboard and screen reader, hints before a choice,
reasons, replay, spectators, several people on one device.
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
    giving_up,
    late,
    patenting,
    paying_a_patent,
    start,
    table,
    well,
)
from tests.tiers import first_alone
from tests.web.conftest import Laid, Visitor
from tests.web.key_player import choice_of
from tests.web.layout_checks import CARD_ANIMATIONS, CARD_PLACES, overlaps
from tests.web.prepared_tables import Layout

pytestmark = pytest.mark.browser
PEOPLE = ["Ada", "Grace", "Mary", "Émilie"]
LAID = {
    "start": table(3, start, names=PEOPLE),
    "counterfeit": table(3, paying_a_patent, names=PEOPLE),
    "developing": table(3, developing, names=PEOPLE),
    "patenting": table(3, patenting, names=PEOPLE),
    "exchanging": table(4, exchanging_soon, names=PEOPLE),
    "swapping": table(4, exchanging_soon, names=PEOPLE),
    "late": table(4, lambda position: late(position) and not buying(position), 10, PEOPLE),
    "untouched": table(3, start, names=PEOPLE),
    "building": table(4, building, names=PEOPLE),
    "looked at": table(3, paying_a_patent, names=PEOPLE),
    "giving up": Layout(GAME, PEOPLE[1:3], bytes([3, *bytes(31)]), well(giving_up, "random")),
}


@pytest.fixture
def host(laid: Laid) -> Iterator[Visitor]:
    """Yield a visitor with all seats on one device."""
    with laid.host() as visitor:
        visitor.submit("/preferences", language="en")
        yield visitor


Open = Callable[..., Page]


def open_table(page: Page, laid: Laid, name: str) -> None:
    page.goto(laid.addresses[name])
    expect(page.locator("#choices .choice").first).to_be_visible()
    page.wait_for_load_state()


def test_a_factory_that_is_looked_at_leaves_the_boards_as_large_as_they_are(device: Open, laid: Laid) -> None:
    page = device(viewport={"width": 1366, "height": 650})
    open_table(page, laid, "building")
    page.locator("#era-factories").scroll_into_view_if_needed()
    sizes = """() => [...document.querySelectorAll(".era-part, .works, .works > li, .line-of")]
      .map((one) => [one.offsetWidth, one.offsetHeight])"""
    before = page.evaluate(sizes)
    page.locator("#era-factories .is-target").first.hover()
    expect(page.locator("#era-factories .ghost").first).to_be_attached()
    assert page.evaluate(sizes) == before


def test_the_boards_are_a_board_within_the_influence_track(device: Open, laid: Laid) -> None:
    page = device(viewport={"width": 1440, "height": 764}, locale="de")
    open_table(page, laid, "late")
    for words in LABELLED:
        assert page.locator(words).first.evaluate(SHOWN), words
    overflow = "panel.scrollHeight - panel.clientHeight"
    assert page.evaluate(overflow) <= 0
    edges = page.evaluate("[...document.querySelectorAll('.side')].map((one) => one.getBoundingClientRect().toJSON())")
    top, right, bottom, left = edges
    for part in page.locator("#panel :is(#era-fields, #era-row, #era-market, .ledger)").all():
        box = part.bounding_box()
        assert box is not None
        assert left["right"] <= box["x"]
        assert box["x"] + box["width"] <= right["left"]
        assert top["bottom"] <= box["y"]
        assert box["y"] + box["height"] <= bottom["top"]
    works = page.locator("#era-factories .card-of").first
    cost, sign, gain = (works.locator(part).bounding_box() for part in (".cost .good >> nth=0", ".engraving", ".gain"))
    assert cost
    assert sign
    assert gain
    assert cost["x"] + cost["width"] <= sign["x"] + 1 < gain["x"] + 1
    page.set_viewport_size({"width": 1366, "height": 650})
    for words in LABELLED:
        assert not page.locator(words).first.evaluate(SHOWN), words
        assert page.locator(words).first.inner_text()  # for screen readers
    assert page.evaluate(overflow) <= 0
    page.set_viewport_size({"width": 1366, "height": 625})
    assert page.evaluate(overflow) <= 0


LABELLED = ("#field-build-factories h3", "#era-row .card-of h3", ".invention-of h3", "#era-stores h2 .wording")
"""The first words next to an icon, for each kind of heading."""
SHOWN = "one => one.getBoundingClientRect().width > 4 && getComputedStyle(one).clipPath === 'none'"
"""A script that returns whether words are visible."""


def test_the_influence_track_is_folded_and_stays_so_in_this_browser(device: Open, laid: Laid) -> None:
    page = device(viewport={"width": 1366, "height": 650})
    open_table(page, laid, "late")
    fold, track, boards = page.locator(".fold-track"), page.locator("#era-track"), page.locator("#era-row")
    wide = boards.bounding_box()
    assert wide
    fold.click()
    expect(track).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    wider = boards.bounding_box()
    assert wider
    assert wider["width"] > wide["width"] + 10
    assert overlaps(page) == []
    page.reload()
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(track).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    expect(track).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")
    assert boards.bounding_box() == wide


def test_in_a_small_window_the_influence_track_is_folded_until_the_player_unfolds_it(device: Open, laid: Laid) -> None:
    page = device(viewport={"width": 1024, "height": 768})
    open_table(page, laid, "late")
    fold, track = page.locator(".fold-track"), page.locator("#era-track")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(track).to_be_hidden()
    assert page.evaluate("panel.scrollHeight <= panel.clientHeight")
    expect(page.locator("#strip li").first).to_be_visible()  # the goods are shown there, and
    expect(page.locator(".line-of.is-own .have").first).to_be_hidden()  # not twice
    page.set_viewport_size({"width": 1366, "height": 650})
    expect(track).to_be_visible()
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(track).to_be_hidden()
    fold.click()
    expect(track).to_be_visible()
    page.reload()
    expect(page.locator("#choices .choice").first).to_be_visible()
    expect(track).to_be_visible()
    page.goto(f"{laid.server.address}/games/era-of-inventions/first-round")
    expect(page.locator(".line-of.is-own .have").first).to_be_visible()  # a lesson has no strip


def test_of_other_players_three_facts_are_shown_until_their_line_is_unfolded(device: Open, laid: Laid) -> None:
    page = device(viewport={"width": 1366, "height": 650})
    open_table(page, laid, "late")
    line = page.locator("#era-ledger details").first
    expect(line.locator("summary .fact")).to_have_count(3)
    expect(line.locator(".more")).to_be_hidden()
    line.locator("summary").click()
    expect(line.locator(".more .have")).to_have_count(7)
    expect(line.locator(".more .player-name")).to_be_visible()


def test_where_only_uncommon_choices_are_left_a_phone_shows_them(device: Open, laid: Laid) -> None:
    page = device(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_table(page, laid, "giving up")
    give_up = page.locator("#choices > .options > .choice:not(.blocked)", has_text="Take the disc back unused")
    expect(give_up).to_be_in_viewport(ratio=1)
    give_up.tap()
    expect(page.locator("#choices > .options > .choice:not(.blocked)").first).to_be_in_viewport(ratio=1)


# By keyboard and by ear


def named(move: str, seats: int, language: Language = "en") -> list[str]:
    """The names of the buttons that lead to a move: its words one after the other, and at last all of them."""
    return labels(spieltisch.game(GAME).setup(seats).words(move), language)


def labels(words: Sequence[MoveWord], language: Language = "en") -> list[str]:
    """The names of the buttons for these words one after the other; the last says all of them."""
    say = Words(language, spieltisch.game(GAME).folder / "locale").say
    texts = [str(say(word.label)) for word in words]
    return [*texts[:-1], " ".join(texts)]


def reach(page: Page, target: Locator) -> None:
    """Press Tab until this is focused."""
    expect(target).to_be_visible()
    for _ in range(60):
        if target.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached")


def turn(page: Page, host: Visitor, path: str, wish: str) -> str:
    """Play the first legal move that matches, by Tab and Enter alone. Return its sentence in the log."""
    state = host.state(path)
    candidates = [move for move in state["moves"] if re.match(wish, move)]
    assert candidates, state["moves"]
    names = named(candidates[0], len(state["seats"]))
    for name in names:
        button = choice_of(page, name)
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
    after = host.state(path)
    # No secrets, no handoff screen: the player to decide sees their own line first.
    expect(page.locator("#panel .line-of.is-own")).to_have_id(f"board-{after['to_decide']}")
    sentence = " ".join(after["log"][-1]["text"])
    expect(page.locator("#said")).to_contain_text(sentence)
    if after["to_decide"] == state["to_decide"]:
        expect(page.locator("#said")).to_contain_text(f"{PEOPLE[after['to_decide']]} to move.")
        expect(page.locator("#choices button:focus")).to_have_count(1)  # focus stays where one goes on
    return sentence


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


@pytest.mark.parametrize("name", first_alone("patenting", TURNS))
def test_turns_by_tab_and_enter(device: Open, laid: Laid, host: Visitor, name: str) -> None:
    page, path = device(), laid.addresses[name]
    open_table(page, laid, name)
    person = PEOPLE[host.state(path)["to_decide"]]
    for move, heard in TURNS[name].items():
        sentence = turn(page, host, path, move)
        assert re.match(f"{person} .*{heard}", sentence)


# What is said before a choice

SAID: dict[Language, dict[str, str]] = {
    "en": {
        "yield": r" – Your factories yield 1 wood\.$",
        "produce": r" – You can produce any of these \d cards \(at most 3\): .+\.$",
        "card": r" counterfeit \(.+ → .+ influence points?\)$",
        "paid": r" – Influence (\d+)\s→\s(\d+).* (Ada|Grace|Mary) receives 1 (coin|influence point)\.$",
        "official": r" – Influence \d+\s→\s\d+.* (receives .+|No other player is paid)\.$",
    },
    "de": {
        "yield": r" – Deine Fabriken bringen 1 Holz\.$",
        "produce": r" – Du kannst \d Karten produzieren \(höchstens 3 davon\): .+\.$",
        "card": r", Plagiatskarte \(.+ → .+ Einflusspunkte?\)$",
        "paid": r" – Einfluss (\d+)\s→\s(\d+).* (Ada|Grace|Mary) bekommt 1 (Münze|Einflusspunkt)\.$",
        "official": r" – Einfluss \d+\s→\s\d+.* (bekommt .+|Kein anderer Spieler bekommt etwas)\.$",
    },
}


@pytest.mark.parametrize("language", first_alone("de", SAID))
def test_before_a_disc_is_placed_each_field_says_what_it_would_let_one_do(
    device: Open, laid: Laid, host: Visitor, language: Language
) -> None:
    host.submit("/preferences", language=language)
    page = device(locale=language)
    open_table(page, laid, "untouched")
    for move in host.state(laid.addresses["untouched"])["moves"]:
        name = named(move, 3, language)[-1]
        button = choice_of(page, name)
        expect(button.locator(".note")).to_be_visible()
        expect(button).to_have_accessible_name(re.compile(r" – \w.+\."))
        if move == "place produce resources":
            expect(button).to_have_accessible_name(re.compile(SAID[language]["yield"]))


@pytest.mark.parametrize("language", first_alone("de", SAID))
def test_before_a_card_is_produced_it_says_what_it_costs_and_yields_where_the_pawn_lands_and_who_is_paid(
    device: Open, laid: Laid, host: Visitor, language: Language
) -> None:
    path, phrases = laid.addresses["looked at"], SAID[language]
    host.submit("/preferences", language=language)
    page = device(locale=language, viewport={"width": 1440, "height": 1500})  # on less, notes may be left to the boards
    open_table(page, laid, "looked at")

    def press(name: str) -> Locator:
        button = choice_of(page, name)
        if button.count():  # else it is the only word there is, and was walked over
            button.click()
        return button

    use = named("use produce inventions", 3, language)
    press(use[0])
    button = choice_of(page, use[1])
    expect(button).to_have_accessible_name(re.compile(phrases["produce"]))
    button.click()
    expect(choice_of(page, named("done", 3, language)[0])).to_be_visible()
    moves = host.state(path)["moves"]

    mixed = next(move for move in moves if re.match(r"produce .* counterfeit for \d \w+ \d", move))
    names = named(mixed, 3, language)
    assert re.search(phrases["card"], names[1])
    for name in names[:-1]:
        press(name)
    button = choice_of(page, names[-1])
    expect(button).to_have_accessible_name(re.compile(phrases["paid"]))
    expect(button.locator(".note")).to_be_visible()
    while page.locator("#prompt .back:visible").count():
        page.locator("#prompt .back:visible").click()
    officials = [move for move in moves if re.match(r"produce .* [ab]$", move)]
    assert officials
    press(named(officials[0], 3, language)[0])
    for move in officials:
        button = choice_of(page, named(move, 3, language)[-1])
        expect(button).to_have_accessible_name(re.compile(phrases["official"]))
    version = str(host.state(path)["version"])
    assert host.submit(f"{path}/undo", version=version).status_code == 303  # for the next language


def test_a_pair_for_the_market_may_be_begun_with_either_of_its_two(device: Open, laid: Laid, host: Visitor) -> None:
    page, path, setup = device(), laid.addresses["swapping"], spieltisch.game(GAME).setup(4)
    open_table(page, laid, "swapping")
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
        button = choice_of(page, name)
        if button.count():  # the only word there is is walked over
            button.click()
    first_good, second_good = pair.split()[1:3]
    expect(page.locator("ol.log")).to_contain_text(f"exchanges 1 {first_good}, 1 {second_good} for")


# Reasons


def test_what_is_off_on_any_board_says_by_which_rule(device: Open, laid: Laid, host: Visitor) -> None:
    page = device()
    open_table(page, laid, "late")
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


def test_a_new_round_sends_old_cards_out_slides_the_others_and_brings_new_ones_but_not_with_less_motion(
    device: Open, laid: Laid, host: Visitor
) -> None:
    path = laid.addresses["late"]
    replay = host.get(f"{path}/replay?at=0").text
    found = re.search(r'data-last="(\d+)"', replay)
    assert found

    def round_at(step: int) -> int:
        shown = re.search(r"<b>Round (\d+) of 8</b>", host.get(f"{path}/replay?at={step}").text)
        return int(shown[1]) if shown else 8

    step = bisect_left(range(int(found[1])), 5, key=round_at)
    for motion in ("no-preference", "reduce"):
        page = device(reduced_motion=motion)
        page.add_init_script(CARD_ANIMATIONS)
        page.goto(f"{path}/replay?at={step - 1}")
        expect(page.locator("#step-on")).to_be_visible()
        before, leaving = page.evaluate(CARD_PLACES)
        page.locator("#step-on").click()
        expect(page.locator("#era-fields .round")).to_have_text("Round 5 of 8")
        expect(page).to_have_url(re.compile(rf"at={step}$"))
        after, _ = page.evaluate(CARD_PLACES)
        gone, new = set(leaving) - set(after), set(after) - set(before)
        moved = {card for card, place in before.items() if after.get(card, place) != place}
        assert gone
        assert moved
        assert new
        # Upwards, as the arrow of their space points; one kind after the other.
        told = {"gone": (gone, 0), "slid": (moved, 1), "new": (new, 2)} if motion == "no-preference" else {}
        shown = page.evaluate("window.animated")
        assert {kind: ({card for card, _ in cards}, {turn for _, turn in cards}) for kind, cards in shown.items()} == {
            kind: (cards, {turn}) for kind, (cards, turn) in told.items()
        }
        expect(page.locator("#panel [data-gone]")).to_have_count(0)


def boards(page: str) -> list[str]:
    """Return the content of the boards, without the words, and without the facts in the lines of other players."""
    panel = page[page.index('id="panel"') : page.index('id="era-track"')]
    panel = re.sub(r'<span class="stat fact".*?</svg><b>\d+</b></span>', "", panel)
    return re.findall(r'id="[\w-]+"|href="#sign-[\w-]+"|<b>\d+</b>', panel)


def test_a_replay_shows_the_boards_of_then_to_anybody_in_their_language(laid: Laid, host: Visitor) -> None:
    path = laid.addresses["late"]
    match = re.search(r'data-last="(\d+)"', host.get(f"{path}/replay?at=0").text)
    assert match
    last = int(match[1])
    steps = [0, last // 3, 2 * last // 3, last]
    pages = [host.get(f"{path}/replay?at={at}").text for at in steps]
    rounds = [int(match[1]) for page in pages if (match := re.search(r"<b>Round (\d+) of 8</b>", page))]
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
    own_boards, spectator_boards = boards(host.get(laid.addresses["late"]).text), boards(page.content())
    page.close()
    own = re.compile(r'id="own-')
    assert sorted(spectator_boards) == sorted(part for part in own_boards if not own.match(part))
