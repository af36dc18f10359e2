"""Check the components of Legendary Inventors against the box, and the refusal of wrong files."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

import spieltisch
from spieltisch.core.provenance import MARKS
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.games.legendary_inventors.board import board
from tests.games.component_findings import component_findings
from tests.games.declared_sentences import already_has, out_of_range
from tests.sentences import sentence_after

GAME = spieltisch.game("legendary-inventors")
CHECKS, STRUCTURE = "core/component_checks.py", "core/toml_validation.py"
OWN_CHECKS = "games/legendary_inventors/component_checks.py"

TEXT = GAME.components.text
BOX = board(GAME.components)


findings = partial(component_findings, GAME)


def test_the_component_file_matches_the_contents_of_the_box() -> None:
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


def test_every_value_states_its_source_and_names_are_in_four_languages() -> None:
    mark_counts = Counter(mark.mark for _, _, mark in GAME.components.values())
    assert set(mark_counts) == set(MARKS)
    mark = GAME.components.mark_of
    assert mark("inventions.bow.spaces").mark == "reported"
    assert mark("inventions.wheel.spaces").mark == "reconstructed"
    assert mark("inventors.ada-lovelace.goal").mark == "reported"
    assert mark("inventors.hypatia.team").mark == "example"
    assert mark("players.4.inventions").mark == "printed"
    for all_pieces in (BOX.fields, BOX.teams, BOX.inventors, BOX.inventions, BOX.tokens, BOX.classifications, BOX.ages):
        for piece in all_pieces:
            assert isinstance(piece.name, Name)
            assert all(piece.name.text(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("old", "new", "path", "expected_text"),
    [
        ("cubes = 15", "cubes = 0", "box.cubes", out_of_range(0, 1, 99)),
        ("genius_cubes = 2", "genius_cubes = 0", "turn.genius_cubes", out_of_range(0, 1, 9)),
        ("players = 3\ninventions = 6", "players = 3\ninventions = 9", "players[1].inventions", out_of_range(9, 2, 8)),
        ('id = "physics"', 'id = "Physics"', "fields[0].id", sentence_after(CHECKS, "def error_text", text="Physics")),
        ("number = 5", "number = 4", "classifications[5].number", out_of_range(4, 5, 5)),
        (
            "goal = [3, 0, 3, 0]\npoints = 9",
            "goal = [3, 0, 3, 0]\npoints = 100",
            "inventors[1].points",
            out_of_range(100, 0, 99),
        ),
        ("goal = [3, 0, 3, 0]", "goal = [5, 0, 3, 0]", "inventors[1].goal[0]", out_of_range(5, 0, 4)),
        (
            "goal = [3, 0, 3, 0]",
            "goal = [1, 0, 1, 0]",
            "inventors[1].goal",
            sentence_after(
                OWN_CHECKS,
                "if all(a >= b for a, b in zip(inventor.start, inventor.goal, strict=True))",
                inventor="Archimedes",
            ),
        ),
        ('letter = "M"', 'letter = "A"', "teams[1].letter", already_has("teams.antiquity", "A")),
        (
            'letter = "M"',
            'letter = "m"',
            "teams[1].letter",
            sentence_after(CHECKS, 'str, Meta(pattern=r"^[A-Z]$", extra=error_text(', path="teams.middle-ages.letter"),
        ),
        (
            'ink = "#2f6b3a"',
            'ink = "green"',
            "teams[0].ink",
            sentence_after(
                CHECKS, 'pattern=r"^#[0-9a-fA-F]{6}$", examples=["#a7373a"], extra=error_text(', example="#a7373a"
            ),
        ),
        (
            'id = "hypatia"\nteam = "antiquity"',
            'id = "hypatia"\nteam = "rome"',
            "inventors[0].team",
            sentence_after(OWN_CHECKS, "def _teams", name="rome"),
        ),
        ("spaces = [4, 1, 2, 2]", "spaces = [6, 1, 2, 2]", "inventions[29].spaces[0]", out_of_range(6, 0, 5)),
        (
            "spaces = [4, 1, 2, 2]",
            "spaces = [0, 0, 0, 0]",
            "inventions[29].spaces",
            sentence_after(OWN_CHECKS, "def _inventions", invention="Radio"),
        ),
        (
            'kind = "refresh"\n',
            'kind = "refresh"\nvalue = 2\n',
            "tokens[3].value",
            sentence_after(OWN_CHECKS, "def _tokens"),
        ),
        (
            'kind = "upgrade"\nvalue = 3',
            'kind = "upgrade"\nvalue = 2',
            "tokens[1]",
            sentence_after(OWN_CHECKS, "if (token.kind, token.value) in seen"),
        ),
        ("count = 12", "count = 7", "tokens", sentence_after(OWN_CHECKS, "if tokens < needed", number=47, needed=48)),
        ('kind = "number"\ncount = 4', 'kind = "number"\ncount = 16', "tokens[5].count", out_of_range(16, 0, 15)),
        ('en = "Hourglass"', 'en = "Radio"', "inventions[29].name.en", already_has("inventions.hourglass", "Radio")),
    ],
)
def test_every_error_in_a_component_file_names_its_key_path(old: str, new: str, path: str, expected_text: str) -> None:
    assert TEXT.count(old) == 1
    assert (path, expected_text) in findings(TEXT.replace(old, new))


def test_missing_entries_of_a_component_file_are_reported() -> None:
    start = TEXT.index('[[inventions]]\nid = "radio"')
    text_without = TEXT[:start] + TEXT[TEXT.index("[[inventions]]", start + 5) :]
    GAME.read_components(text_without)  # eleven of an age are enough
    changed_text = TEXT.replace("age = 3", "age = 2", 5)
    assert sentence_after(OWN_CHECKS, "def _players", age=3, number=7, most=8) in [
        text for _, text in findings(changed_text)
    ]
    start = TEXT.index("[[players]]\nplayers = 5")
    text_without = TEXT[:start] + TEXT[TEXT.index("[[fields]]") :]
    assert sentence_after(CHECKS, "def check_player_counts", seats=5) in [text for _, text in findings(text_without)]
    start = TEXT.index('[[inventors]]\nid = "marie-curie"')
    text_without = TEXT[:start] + TEXT[TEXT.index("[[inventions]]") :]
    assert sentence_after(OWN_CHECKS, "if count != TEAM_SIZE", team="Contemporary era", number=3, size=4) in [
        text for _, text in findings(text_without)
    ]
