"""Check the rules pages of all games: rule numbers, languages, links, names and figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from spieltisch import games
from spieltisch.core.words import LANGUAGES
from spieltisch.guides import examples

RULES = {
    "era-of-inventions": {"E": 58, "R": 41},
    "legendary-inventors": {"L": 29, "S": 14},
    "paris-connection": {"P": 18, "T": 11},
}
"""By game, how many rules and how many rulings there are."""


WHOLE_PAGE = ""


def era_figures(box: Any) -> dict[str, Iterable[int]]:
    limits, bonuses = box.limits, box.bonuses
    return {
        "E2": {count.action_discs for count in box.players},
        "E4": {count.bonus_discs for count in box.players},
        "E5": {box.box.invention_markers},
        "E18": {limits.factories},
        "E21": {limits.loads},
        "E22": {limits.cards},
        "E34": {limits.stones},
        "E38": {limits.patents},
        "E54": {count.rounds for count in box.players},
        "E56": {bonuses.alone},
        "E57": {bonuses.of_two, bonuses.of_three, bonuses.of_more},
        "R8": {box.box.bonus_discs},
    }


def era_names(box: Any, language: str) -> Iterator[tuple[str, str]]:
    for invention in box.inventions:
        yield "E9", re.escape(invention.name.text(language))


def inventors_figures(box: Any) -> dict[str, Iterable[int]]:
    return {
        "L1": {len(box.inventors)},
        "L3": {len(box.inventions)},
        "L4": {sum(token.count for token in box.tokens)},
        "L22": {box.turn.genius_cubes},
        "S6": {box.box.cubes},
    }


def inventors_names(box: Any, language: str) -> Iterator[tuple[str, str]]:
    for field in box.fields:
        yield WHOLE_PAGE, re.escape(field.name.text(language))
    for box_item in box.classifications:
        yield WHOLE_PAGE, re.escape(f"{box_item.number} {box_item.name.text(language)}")


def paris_figures(box: Any) -> dict[str, Iterable[int]]:
    return {
        "P1": {box.box.locomotives, box.box.in_bag},
        "P2": {count.portfolio for count in box.players},
        "P4": {box.turn.most_locomotives},
        "P11": {box_item.value for box_item in box.city_classes},
        "P17": {box.turn.penalty, *(count.limit for count in box.players)},
        "T8": {box.box.value_track},
    }


def paris_names(box: Any, language: str) -> Iterator[tuple[str, str]]:
    for company in box.companies:
        yield WHOLE_PAGE, re.escape(f"{company.name.text(language)} ({company.letter})")
    for box_item in box.city_classes:
        for word in box_item.name.text(language).split():  # declined in the sentence
            yield "P11", rf"\b{word[:5]}"


Figures = Callable[[Any], dict[str, Iterable[int]]]
Names = Callable[[Any, str], Iterator[tuple[str, str]]]
SAID: dict[str, tuple[Figures, Names]] = {
    "era-of-inventions": (era_figures, era_names),
    "legendary-inventors": (inventors_figures, inventors_names),
    "paris-connection": (paris_figures, paris_names),
}
"""By game, from its components: the figures that rules say, and patterns of the names, with where they stand."""


def numbers(key: str) -> list[str]:
    return [f"{letter}{number}" for letter, last_number in RULES[key].items() for number in range(1, last_number + 1)]


def page(key: str, language: str) -> str:
    return (games.game(key).folder / "pages" / f"rules.{language}.md").read_text("utf-8")


def rules(key: str, language: str) -> dict[str, str]:
    """Return the text of each rule by its number."""
    lines = re.finditer(r"^- \*\*([A-Z]\d+)\*\* (.*)$", page(key, language), re.MULTILINE)
    return {match[1]: match[2] for match in lines}


def test_every_game_is_covered_by_the_tests_of_rules_pages() -> None:
    assert sorted(RULES) == sorted(SAID) == sorted(games.game_modules())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULES)
class TestOfEachGame:
    def test_a_rules_page_has_every_rule_once_and_in_order(self, key: str, language: str) -> None:
        assert re.findall(r"^- \*\*([A-Z]\d+)\*\* ", page(key, language), re.MULTILINE) == numbers(key)

    def test_every_rule_number_links_to_its_rule(self, key: str, language: str) -> None:
        number = rf"[{''.join(RULES[key])}]\d+"
        links = re.findall(rf"\[({number})\]\(#({number})\)", page(key, language))
        assert links
        assert all(name == target and target in numbers(key) for name, target in links)
        text_after = re.sub(
            rf"\[{number}\]\(#{number}\)|^- \*\*{number}\*\*", "", page(key, language), flags=re.MULTILINE
        )
        assert not re.search(rf"\b{number}", text_after)

    def test_translated_rules_pages_have_the_same_parts_and_rule_numbers(self, key: str, language: str) -> None:
        def parts(text: str) -> list[str]:
            return [line.split(" ")[0] for line in text.splitlines() if line.startswith("#")]

        def links(text: str) -> list[list[str]]:
            return [re.findall(r"\(#(\w+)\)", line) for line in text.splitlines()]

        assert parts(page(key, language)) == parts(page(key, "en"))
        assert links(page(key, language)) == links(page(key, "en"))

    def test_every_rule_that_refuses_a_move_or_ends_a_game_is_on_the_rules_page(self, key: str, language: str) -> None:
        named_rules = {name for name in games.game(key).rule_names.values() if re.fullmatch(r"[A-Z]\d+", name)}
        assert named_rules
        assert named_rules <= set(rules(key, language))

    def test_figures_on_rules_pages_match_the_components(self, key: str, language: str) -> None:
        for number, figures in SAID[key][0](games.game(key).components.contents).items():
            assert set(map(str, figures)) <= set(re.findall(r"\d+", rules(key, language)[number])), number

    def test_names_on_rules_pages_match_the_components(self, key: str, language: str) -> None:
        texts = {WHOLE_PAGE: page(key, language), **rules(key, language)}
        expected_names = list(SAID[key][1](games.game(key).components.contents, language))
        assert expected_names
        assert [name for text_key, name in expected_names if not re.search(name, texts[text_key])] == []


@pytest.mark.rule("L11")
@pytest.mark.parametrize(
    ("language", "second"), [("en", "second most"), ("de", "zweitmeisten"), ("fr", "deuxième"), ("nl", "op één na")]
)
def test_the_second_reward_goes_to_the_second_most_cubes(language: str, second: str) -> None:
    """Rule, reference card and worked example must agree that seating does not decide who gets the second reward."""
    inventors = games.game("legendary-inventors")
    first_step = examples(inventors)["rewards"].steps[0]
    card = (inventors.folder / "pages" / f"card.{language}.md").read_text("utf-8")
    for text in (rules(inventors.key, language)["L11"], card, first_step.text.text(language)):
        assert second in text
