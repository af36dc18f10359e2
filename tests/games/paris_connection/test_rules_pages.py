"""The names and figures of the rules pages are those of the components."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games.paris_connection.components import standard
from tests.test_rules_pages import page, rules

KEY = "paris-connection"


@pytest.mark.parametrize("language", LANGUAGES)
def test_companies_and_city_classes_have_the_names_of_the_components(language: str) -> None:
    contents = standard().contents
    for company in contents.companies:
        assert f"{company.name.text(language)} ({company.letter})" in page(KEY, language)
    values = rules(KEY, language)["P11"]
    for its in contents.city_classes:
        words = its.name.text(language).split()
        assert all(re.search(rf"\b{word[:5]}", values) for word in words), (its.id, values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_those_of_the_components(language: str) -> None:
    contents = standard().contents
    lines = rules(KEY, language)
    assert {str(contents.box.locomotives), str(contents.box.in_bag)} <= set(re.findall(r"\d+", lines["P1"]))
    assert {str(count.portfolio) for count in contents.players} <= set(re.findall(r"\d+", lines["P2"]))
    assert str(contents.turn.most_locomotives) in re.findall(r"\d+", lines["P4"])
    assert {str(its.value) for its in contents.city_classes} <= set(re.findall(r"\d+", lines["P11"]))
    limits = {str(count.limit) for count in contents.players}
    assert limits | {str(contents.turn.penalty)} <= set(re.findall(r"\d+", lines["P17"]))
    assert str(contents.box.value_track) in re.findall(r"\d+", lines["T8"])
