"""The components of Legendary Inventors: the set we play with, and files that are refused."""

from __future__ import annotations

from collections import Counter

import pytest

import spieltisch
from spieltisch.core.components import ComponentsError
from spieltisch.core.provenance import MARKS
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.games.legendary_inventors.board import board

GAME = spieltisch.game("legendary-inventors")

TEXT = GAME.components.text
BOX = board(GAME.components)


def findings(text: str) -> list[tuple[str, str]]:
    with pytest.raises(ComponentsError) as caught:
        GAME.read_components(text)
    return [(finding.path, str(finding.message)) for finding in caught.value.findings]


def test_the_box() -> None:
    assert [team.letter for team in BOX.teams] == list("AMRNC")
    assert len(BOX.inventors) == 20
    assert Counter(card.age for card in BOX.inventions) == {1: 12, 2: 12, 3: 12}
    assert Counter((card.age, card.classification) for card in BOX.inventions) == {
        (age, number): 2 for age in (1, 2, 3) for number in range(6)
    }
    assert {(card.age, sum(card.spaces), card.points) for card in BOX.inventions} == {(1, 5, 1), (2, 7, 2), (3, 9, 3)}
    assert sum(token.count for token in BOX.tokens) == 52
    starts = Counter(value for inventor in BOX.inventors for value in inventor.start if value)
    assert starts == {1: 26, 2: 7}  # 33 start tokens
    assert {count.players: count.inventions for count in BOX.players} == {2: 5, 3: 6, 4: 7, 5: 8}


def test_every_value_says_where_it_is_from_and_names_are_in_four_languages() -> None:
    marks = Counter(mark.mark for _, _, mark in GAME.components.values())
    assert set(marks) == set(MARKS)
    mark = GAME.components.mark_of
    assert mark("inventions.bow.spaces").mark == "reported"
    assert mark("inventions.wheel.spaces").mark == "reconstructed"
    assert mark("inventors.ada-lovelace.goal").mark == "reported"
    assert mark("inventors.hypatia.team").mark == "example"
    assert mark("players.4.inventions").mark == "printed"
    for things in (BOX.fields, BOX.teams, BOX.inventors, BOX.inventions, BOX.tokens, BOX.classifications, BOX.ages):
        for piece in things:
            assert isinstance(piece.name, Name)
            assert all(piece.name.text(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("old", "new", "path", "says"),
    [
        ("cubes = 15", "cubes = 0", "box.cubes", "0 is not between 1 and 99."),
        ("genius_cubes = 2", "genius_cubes = 0", "turn.genius_cubes", "0 is not between 1 and 9."),
        (
            "players = 3\ninventions = 6",
            "players = 3\ninventions = 9",
            "players[1].inventions",
            "9 is not between 2 and 8.",
        ),
        (
            'id = "physics"',
            'id = "Physics"',
            "fields[0].id",
            "Physics may only contain lowercase letters a to z, digits and hyphens.",
        ),
        ("number = 5", "number = 4", "classifications[5].number", "4 is not between 5 and 5."),
        (
            "goal = [3, 0, 3, 0]\npoints = 9",
            "goal = [3, 0, 3, 0]\npoints = 100",
            "inventors[1].points",
            "100 is not between 0 and 99.",
        ),
        ("goal = [3, 0, 3, 0]", "goal = [5, 0, 3, 0]", "inventors[1].goal[0]", "5 is not between 0 and 4."),
        (
            "goal = [3, 0, 3, 0]",
            "goal = [1, 0, 1, 0]",
            "inventors[1].goal",
            "Archimedes has already reached the goal at the start.",
        ),
        ('letter = "M"', 'letter = "A"', "teams[1].letter", "teams.antiquity already has A."),
        (
            'letter = "M"',
            'letter = "m"',
            "teams[1].letter",
            "teams.middle-ages.letter must be one capital letter from A to Z.",
        ),
        ('ink = "#2f6b3a"', 'ink = "green"', "teams[0].ink", "Write colours like #a7373a."),
        (
            'id = "hypatia"\nteam = "antiquity"',
            'id = "hypatia"\nteam = "rome"',
            "inventors[0].team",
            "Unknown team: rome.",
        ),
        ("spaces = [4, 1, 2, 2]", "spaces = [6, 1, 2, 2]", "inventions[29].spaces[0]", "6 is not between 0 and 5."),
        ("spaces = [4, 1, 2, 2]", "spaces = [0, 0, 0, 0]", "inventions[29].spaces", "Radio has no spaces."),
        (
            'kind = "refresh"\n',
            'kind = "refresh"\nvalue = 2\n',
            "tokens[3].value",
            "Tokens of this kind can’t have a value.",
        ),
        (
            'kind = "upgrade"\nvalue = 3',
            'kind = "upgrade"\nvalue = 2',
            "tokens[1]",
            "Two kinds of tokens are identical.",
        ),
        ("count = 12", "count = 7", "tokens", "There are 47 tokens, but up to 48 are needed."),
        ('kind = "number"\ncount = 4', 'kind = "number"\ncount = 16', "tokens[5].count", "16 is not between 0 and 15."),
        ('en = "Hourglass"', 'en = "Radio"', "inventions[29].name.en", "inventions.hourglass already has Radio."),
    ],
)
def test_what_nobody_can_play_with_is_found_with_its_key_path(old: str, new: str, path: str, says: str) -> None:
    assert TEXT.count(old) == 1
    assert (path, says) in findings(TEXT.replace(old, new))


def test_missing_things_are_found() -> None:
    start = TEXT.index('[[inventions]]\nid = "radio"')
    without = TEXT[:start] + TEXT[TEXT.index("[[inventions]]", start + 5) :]
    GAME.read_components(without)  # eleven of an age are enough
    few = TEXT.replace("age = 3", "age = 2", 5)
    assert "Age 3 has 7 inventions but needs 8." in [text for _, text in findings(few)]
    start = TEXT.index("[[players]]\nplayers = 5")
    without = TEXT[:start] + TEXT[TEXT.index("[[fields]]") :]
    assert "The values for 5 players are missing." in [text for _, text in findings(without)]
    start = TEXT.index('[[inventors]]\nid = "marie-curie"')
    without = TEXT[:start] + TEXT[TEXT.index("[[inventions]]") :]
    assert "Contemporary era has 3 inventors; a team needs 4." in [text for _, text in findings(without)]
