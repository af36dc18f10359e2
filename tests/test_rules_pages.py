"""The rules pages of all games: every number once, in four languages, and nothing that leads nowhere."""

from __future__ import annotations

import re

import pytest

from spieltisch import games
from spieltisch.core.words import LANGUAGES

RULES = {
    "era-of-inventions": {"E": 58, "R": 40},
    "legendary-inventors": {"L": 29, "S": 14},
    "paris-connection": {"P": 18, "T": 11},
}
"""By game, how many rules and how many rulings there are."""


def numbers(key: str) -> list[str]:
    return [f"{letter}{number}" for letter, most in RULES[key].items() for number in range(1, most + 1)]


def page(key: str, language: str) -> str:
    return (games.game(key).folder / "pages" / f"rules.{language}.md").read_text("utf-8")


def rules(key: str, language: str) -> dict[str, str]:
    """The text of each rule by its number."""
    lines = re.finditer(r"^- \*\*([A-Z]\d+)\*\* (.*)$", page(key, language), re.MULTILINE)
    return {match[1]: match[2] for match in lines}


def test_no_game_is_left_out() -> None:
    assert sorted(RULES) == sorted(games.modules())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULES)
class TestOfEachGame:
    def test_every_rule_stands_there_once_and_in_order(self, key: str, language: str) -> None:
        assert re.findall(r"^- \*\*([A-Z]\d+)\*\* ", page(key, language), re.MULTILINE) == numbers(key)

    def test_every_rule_that_is_named_is_a_link_to_it(self, key: str, language: str) -> None:
        number = rf"[{''.join(RULES[key])}]\d+"
        links = re.findall(rf"\[({number})\]\(#({number})\)", page(key, language))
        assert links
        assert all(name == target and target in numbers(key) for name, target in links)
        rest = re.sub(rf"\[{number}\]\(#{number}\)|^- \*\*{number}\*\*", "", page(key, language), flags=re.MULTILINE)
        assert not re.search(rf"\b{number}", rest)

    def test_it_has_the_same_parts_and_refers_to_the_same_rules(self, key: str, language: str) -> None:
        def parts(text: str) -> list[str]:
            return [line.split(" ")[0] for line in text.splitlines() if line.startswith("#")]

        def links(text: str) -> list[list[str]]:
            return [re.findall(r"\(#(\w+)\)", line) for line in text.splitlines()]

        assert parts(page(key, language)) == parts(page(key, "en"))
        assert links(page(key, language)) == links(page(key, "en"))

    def test_every_rule_that_refuses_a_move_or_ends_a_game_stands_there(self, key: str, language: str) -> None:
        named = {name for name in games.game(key).rule_names.values() if re.fullmatch(r"[A-Z]\d+", name)}
        assert named
        assert named <= set(rules(key, language))
