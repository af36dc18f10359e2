"""The names and figures of the rules pages are those of the components."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games.legendary_inventors.components import standard
from tests.test_rules_pages import page, rules

KEY = "legendary-inventors"


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_and_names_are_those_of_the_components(language: str) -> None:
    contents, said = standard().contents, rules(KEY, language)
    assert {str(len(contents.inventors))} <= set(re.findall(r"\d+", said["L1"]))
    assert str(len(contents.inventions)) in re.findall(r"\d+", said["L3"])
    assert str(sum(token.count for token in contents.tokens)) in re.findall(r"\d+", said["L4"])
    assert str(contents.turn.genius_cubes) in re.findall(r"\d+", said["L22"])
    assert str(contents.box.cubes) in re.findall(r"\d+", said["S6"])
    for field in contents.fields:
        assert field.name.text(language) in page(KEY, language)
    for its in contents.classifications:
        assert f"{its.number} {its.name.text(language)}" in page(KEY, language)
