"""Check the characters of bots: distinct valid names and drawable faces."""

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


def test_every_level_of_bots_has_characters() -> None:
    assert set(BOT_CHARACTERS) == set(BOTS) - {"random"}
    assert {len(level) for level in BOT_CHARACTERS.values()} == {6}


def test_names_of_bot_characters_are_valid_and_distinct() -> None:
    assert [clean_name(character.name) for character in EVERYBODY] == [character.name for character in EVERYBODY]
    assert all(skeleton(first.name) != skeleton(second.name) for first, second in combinations(EVERYBODY, 2))


def test_every_bot_has_a_unique_face_of_drawn_parts() -> None:
    face_names = set(re.findall(r'<g id="face-(\w+)"', (STATIC / "faces.svg").read_text("utf-8")))
    assert {part for character in EVERYBODY for part in character.face_parts.split()} == face_names - {"frame"}
    assert (
        len({character.face_parts for character in EVERYBODY})
        == len({str(character.greeting) for character in EVERYBODY})
        == len(EVERYBODY)
    )


@pytest.mark.parametrize("bot", BOTS)
def test_bots_of_a_table_have_names_different_from_each_other_and_from_people(bot: str) -> None:
    taken_names = ["Hertha", "Рercival"]  # the first letter is Cyrillic
    for seat in range(6):
        taken_names.append(pick_name(bot, seat, taken_names))
    assert len({skeleton(name) for name in taken_names}) == 8
    assert all(character_named(name) for name in taken_names[2:])


def test_an_unknown_bot_name_has_no_character() -> None:
    assert character_named("Elektro") is None
