"""The cast of bots: names that may stand beside people's, faces that can be drawn, one character for each seat."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from spieltisch.bots import BOTS
from spieltisch.tables.bot_characters import BOT_CHARACTERS, character_named, pick_name
from spieltisch.tables.confusables import skeleton
from spieltisch.tables.names import clean_name
from spieltisch.web.http.assets import STATIC

EVERYBODY = [character for level in BOT_CHARACTERS.values() for character in level]


def test_every_level_of_play_has_its_characters() -> None:
    assert set(BOT_CHARACTERS) == set(BOTS) - {"random"}
    assert {len(level) for level in BOT_CHARACTERS.values()} == {6}


def test_their_names_are_names_and_nobody_takes_one_for_another() -> None:
    assert [clean_name(character.name) for character in EVERYBODY] == [character.name for character in EVERYBODY]
    assert all(skeleton(first.name) != skeleton(second.name) for first, second in combinations(EVERYBODY, 2))


def test_every_face_is_made_of_parts_that_are_drawn_and_no_two_are_the_same() -> None:
    drawn = set(re.findall(r'<g id="(\w+)"', (STATIC / "faces.svg").read_text("utf-8")))
    assert {part for character in EVERYBODY for part in character.face_parts.split()} == drawn - {"frame"}
    assert (
        len({character.face_parts for character in EVERYBODY})
        == len({str(character.greeting) for character in EVERYBODY})
        == len(EVERYBODY)
    )


@pytest.mark.parametrize("bot", BOTS)
def test_bots_of_a_table_have_different_names_and_none_of_a_person_s(bot: str) -> None:
    taken = ["Hertha", "Рercival"]  # the first letter is Cyrillic
    for seat in range(6):
        taken.append(pick_name(bot, seat, taken))
    assert len({skeleton(name) for name in taken}) == 8
    assert all(character_named(name) for name in taken[2:])


def test_a_bot_from_before_is_nobody_of_the_cast() -> None:
    assert character_named("Elektro") is None
