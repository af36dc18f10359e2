"""The rules pages: every number once, in four languages, and nothing that leads nowhere."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games.paris_connection.components import FILE, standard

NUMBERS = [f"P{number}" for number in range(1, 19)] + [f"T{number}" for number in range(1, 12)]


def text(language: str) -> str:
    return (FILE.with_name("pages") / f"rules.{language}.md").read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_stands_there_once_and_in_order(language: str) -> None:
    assert re.findall(r"^- \*\*([A-Z]\d+)\*\* ", text(language), re.MULTILINE) == NUMBERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_is_named_is_a_link_to_it(language: str) -> None:
    links = re.findall(r"\[([PT]\d+)\]\(#([PT]\d+)\)", text(language))
    assert links
    assert all(name == target and target in NUMBERS for name, target in links)
    rest = re.sub(r"\[[PT]\d+\]\(#[PT]\d+\)|^- \*\*[PT]\d+\*\*", "", text(language), flags=re.MULTILINE)
    assert not re.search(r"\b[PT]\d", rest)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_have_the_same_parts_and_refer_to_the_same_rules(language: str) -> None:
    def parts(page: str) -> list[str]:
        return [line.split(" ")[0] for line in page.splitlines() if line.startswith("#")]

    def links(page: str) -> list[list[str]]:
        return [re.findall(r"\(#(\w+)\)", line) for line in page.splitlines()]

    assert parts(text(language)) == parts(text("en"))
    assert links(text(language)) == links(text("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_companies_and_city_classes_have_the_names_of_the_components(language: str) -> None:
    contents = standard().contents
    for company in contents.companies:
        assert f"{company.name.text(language)} ({company.letter})" in text(language)
    (values,) = (line for line in text(language).splitlines() if line.startswith("- **P11**"))
    for its in contents.city_classes:
        words = its.name.text(language).split()
        assert all(re.search(rf"\b{word[:5]}", values) for word in words), (its.id, values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_those_of_the_components(language: str) -> None:
    contents = standard().contents
    lines = {match[1]: match[2] for match in re.finditer(r"^- \*\*(\w+)\*\* (.*)$", text(language), re.MULTILINE)}
    assert {str(contents.box.locomotives), str(contents.box.in_bag)} <= set(re.findall(r"\d+", lines["P1"]))
    assert {str(count.portfolio) for count in contents.players} <= set(re.findall(r"\d+", lines["P2"]))
    assert str(contents.turn.most_locomotives) in re.findall(r"\d+", lines["P4"])
    assert {str(its.value) for its in contents.city_classes} <= set(re.findall(r"\d+", lines["P11"]))
    limits = {str(count.limit) for count in contents.players}
    assert limits | {str(contents.turn.penalty)} <= set(re.findall(r"\d+", lines["P17"]))
    assert str(contents.box.value_track) in re.findall(r"\d+", lines["T8"])
