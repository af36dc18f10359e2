"""The names and figures of the rules pages are those of the components."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.games.era_of_inventions.components import standard
from tests.test_rules_pages import rules

KEY = "era-of-inventions"


@pytest.mark.parametrize("language", LANGUAGES)
def test_inventions_have_the_names_of_the_components(language: str) -> None:
    for invention in standard().contents.inventions:
        assert invention.name.text(language) in rules(KEY, language)["E9"], invention.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_those_of_the_components(language: str) -> None:
    contents = standard().contents
    limits = contents.limits

    def said(number: str) -> set[str]:
        return set(re.findall(r"\d+", rules(KEY, language)[number]))

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
