"""The rules pages: every number once, in four languages, and nothing that leads nowhere."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games.legendary_inventors.components import FILE, standard
from spieltisch.games.legendary_inventors.going_on import RULES

NUMBERS = list(RULES.values())


def text(language: str) -> str:
    return (FILE.with_name("pages") / f"rules.{language}.md").read_text("utf-8")


def lines(language: str) -> dict[str, str]:
    return {match[1]: match[2] for match in re.finditer(r"^- \*\*(\w+)\*\* (.*)$", text(language), re.MULTILINE)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_stands_there_once_and_in_order(language: str) -> None:
    assert re.findall(r"^- \*\*([A-Z]\d+)\*\* ", text(language), re.MULTILINE) == NUMBERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_is_named_is_a_link_to_it(language: str) -> None:
    links = re.findall(r"\[([LS]\d+)\]\(#([LS]\d+)\)", text(language))
    assert links
    assert all(name == target and target in NUMBERS for name, target in links)
    rest = re.sub(r"\[[LS]\d+\]\(#[LS]\d+\)|^- \*\*[LS]\d+\*\*", "", text(language), flags=re.MULTILINE)
    assert not re.search(r"\b[LS]\d", rest)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_have_the_same_parts_and_refer_to_the_same_rules(language: str) -> None:
    def parts(page: str) -> list[str]:
        return [line.split(" ")[0] for line in page.splitlines() if line.startswith("#")]

    def links(page: str) -> list[list[str]]:
        return [re.findall(r"\(#(\w+)\)", line) for line in page.splitlines()]

    assert parts(text(language)) == parts(text("en"))
    assert links(text(language)) == links(text("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_and_names_are_those_of_the_components(language: str) -> None:
    contents, said = standard().contents, lines(language)
    assert {str(len(contents.inventors))} <= set(re.findall(r"\d+", said["L1"]))
    assert str(len(contents.inventions)) in re.findall(r"\d+", said["L3"])
    assert str(sum(token.count for token in contents.tokens)) in re.findall(r"\d+", said["L4"])
    assert str(contents.turn.genius_cubes) in re.findall(r"\d+", said["L22"])
    assert str(contents.box.cubes) in re.findall(r"\d+", said["S6"])
    for field in contents.fields:
        assert field.name.text(language) in text(language)
    for its in contents.classifications:
        assert f"{its.number} {its.name.text(language)}" in text(language)
