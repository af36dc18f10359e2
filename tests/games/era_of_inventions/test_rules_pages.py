"""The rules pages: every number once, in four languages, and nothing that leads nowhere."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games.era_of_inventions.components import FILE, standard

NUMBERS = [f"E{number}" for number in range(1, 59)] + [f"R{number}" for number in range(1, 41)]


def text(language: str) -> str:
    return (FILE.with_name("pages") / f"rules.{language}.md").read_text("utf-8")


def rule(language: str, number: str) -> str:
    (line,) = (line for line in text(language).splitlines() if line.startswith(f"- **{number}** "))
    return line


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_stands_there_once_and_in_order(language: str) -> None:
    assert re.findall(r"^- \*\*([A-Z]\d+)\*\* ", text(language), re.MULTILINE) == NUMBERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_is_named_is_a_link_to_it(language: str) -> None:
    links = re.findall(r"\[([ER]\d+)\]\(#([ER]\d+)\)", text(language))
    assert links
    assert all(name == target and target in NUMBERS for name, target in links)
    rest = re.sub(r"\[[ER]\d+\]\(#[ER]\d+\)|^- \*\*[ER]\d+\*\*", "", text(language), flags=re.MULTILINE)
    assert not re.search(r"\b[ER]\d", rest)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_have_the_same_parts_and_refer_to_the_same_rules(language: str) -> None:
    def parts(page: str) -> list[str]:
        return [line.split(" ")[0] for line in page.splitlines() if line.startswith("#")]

    def links(page: str) -> list[list[str]]:
        return [re.findall(r"\(#(\w+)\)", line) for line in page.splitlines()]

    assert parts(text(language)) == parts(text("en"))
    assert links(text(language)) == links(text("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_inventions_have_the_names_of_the_components(language: str) -> None:
    for invention in standard().contents.inventions:
        assert invention.name.text(language) in rule(language, "E9"), invention.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_those_of_the_components(language: str) -> None:
    contents = standard().contents
    limits = contents.limits

    def said(number: str) -> set[str]:
        return set(re.findall(r"\d+", rule(language, number)))

    assert {str(count.action_discs) for count in contents.players} <= said("E2")
    assert {str(count.bonus_discs) for count in contents.players} <= said("E4")
    assert {str(count.rounds) for count in contents.players} <= said("E54")
    assert str(contents.box.invention_markers) in said("E5")
    assert str(contents.box.bonus_discs) in said("R8")
    wanted = {
        "E18": limits.factories,
        "E21": limits.loads,
        "E22": limits.cards,
        "E34": limits.stones,
        "E38": limits.patents,
    }
    for number, most in wanted.items():
        assert str(most) in said(number), number
    assert str(contents.bonuses.alone) in said("E56")
    assert {"3", "2", "1"} == {
        str(contents.bonuses.of_two),
        str(contents.bonuses.of_three),
        str(contents.bonuses.of_more),
    }
    assert {"3", "2", "1"} <= said("E57")
