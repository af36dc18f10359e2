"""Check the components of Era of Inventions against the box, and the refusal of wrong files."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Any

import pytest

import spieltisch
from spieltisch.core.errors import DocumentError
from spieltisch.core.provenance import MARKS
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.games.era_of_inventions.board import GOODS, board, row
from tests.games.component_findings import component_findings
from tests.games.declared_sentences import already_has, appears_twice, out_of_range
from tests.games.era_of_inventions.positions import position_with
from tests.sentences import sentence_after

GAME = spieltisch.game("era-of-inventions")
CHECKS, STRUCTURE = "core/component_checks.py", "core/toml_validation.py"
OWN_CHECKS = "games/era_of_inventions/component_checks.py"

TEXT = GAME.components.text
BLUE = TEXT[(blue := TEXT.index('[[colours]]\nid = "blue"')) : TEXT.index("[box]", blue)]


findings = partial(component_findings, GAME)


def changed(old: str, new: str, after: str = "") -> str:
    """Return the component file with `old` replaced by `new`, at its first occurrence after a text."""
    head, mark, text_after = TEXT.partition(after) if after else ("", "", TEXT)
    assert old in text_after
    return head + mark + text_after.replace(old, new, 1)


def test_the_component_file_matches_the_contents_of_the_box() -> None:
    contents = GAME.components.contents
    table = board(GAME.components)
    assert Counter(card.kind for card in table.cards) == {"start": 12, "official": 18, "counterfeit": 9}
    assert len(table.works) == 29
    assert [good.id for good in contents.goods] == list(GOODS)
    assert sum(invention.gold.stones for invention in contents.inventions) == 23
    assert sum(invention.silver.stones for invention in contents.inventions) == 16
    for card in contents.invention_cards:  # a counterfeit asks for as many cubes as the official cards
        if card.kind == "counterfeit":
            twins = [twin for twin in contents.invention_cards if twin.invention == card.invention and twin != card]
            assert {sum(row(twin.cost)) for twin in twins} == {card.cost.any + card.cost.coal}
            assert {twin.gain for twin in twins} == {card.gain}


def test_known_component_values_state_their_source() -> None:
    components = GAME.components
    marks_by_path = {path: mark.mark for path, _, mark in components.values()}
    assert set(marks_by_path.values()) == set(MARKS)
    assert marks_by_path["patent_steps.2.coins"] == "example"
    assert marks_by_path["patent_steps.3.coins"] == "reconstructed"
    assert marks_by_path["invention_cards.telephone-a.cost.metal"] == "example"
    assert marks_by_path["inventions.sewing-machine.gold.influence"] == "example"
    assert marks_by_path["players.4.rounds"] == "printed"
    assert marks_by_path["start_cards.pocket-watch.name.en"] == "reported"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_piece_has_a_unique_name_in_every_language(language: str) -> None:
    contents = GAME.components.contents
    tables: tuple[tuple[Any, ...], ...] = (
        contents.goods,
        contents.colours,
        contents.actions,
        contents.stores,
        (*contents.start_cards, *contents.inventions),
        (*contents.start_factories, *contents.factories),
    )
    for table in tables:
        names: list[Name] = [item.name for item in table]
        texts = [name.text(language) for name in names]
        assert len(set(texts)) == len(texts), texts


@pytest.mark.parametrize(
    ("old", "new", "after", "path", "expected_text"),
    [
        (
            'good = "coal"',
            'good = "stone"',
            "[[stores]]",
            "stores[0].good",
            sentence_after(OWN_CHECKS, "if store.good not in GOODS[:5]", id="stone"),
        ),
        (
            'good = "coal"',
            'good = "gold"',
            "[[symbols]]",
            "symbols[0].good",
            sentence_after(OWN_CHECKS, "def _names_of_goods", id="gold"),
        ),
        ("space = 4", "space = 100", "", "symbols[1].space", out_of_range(100, 0, 99)),
        (
            'invention = "telephone"',
            'invention = "phone"',
            "",
            "invention_cards[9].invention",
            sentence_after(OWN_CHECKS, "def _cards", id="phone"),
        ),
        (
            'kind = "official"',
            'kind = "counterfeit"',
            "",
            "invention_cards[0].kind",
            sentence_after(
                OWN_CHECKS, 'elif kinds[card.invention, card.kind] != (2 if card.kind == "official" else 1)'
            ),
        ),
        (
            "any = 2 }",
            "any = 8 }",
            "[[invention_cards]]",
            "invention_cards[2].cost.any",
            out_of_range(8, 0, 7),
        ),
        (
            "cost = { coal = 1, any = 2 }",
            "cost = { wood = 1, any = 2 }",
            "",
            "invention_cards[2].cost",
            sentence_after(OWN_CHECKS, '("invention_cards", i, "cost"),'),
        ),
        (
            "metal = 1, technology = 1 }",
            "metal = 1, any = 1 }",
            "",
            "invention_cards[0].cost.any",
            sentence_after(OWN_CHECKS, 'if card.kind == "official" and card.cost.any'),
        ),
        (
            'id = "wood"',
            'id = "timber"',
            "",
            "goods[0].id",
            sentence_after(OWN_CHECKS, "if index < len(GOODS) and good.id != GOODS[index]", id="wood"),
        ),
        ("action_discs = 3", "action_discs = 5", "", "players[0].action_discs", out_of_range(5, 1, 4)),
        ("players = 5\n", "players = 6\n", "", "players", sentence_after(CHECKS, "def check_player_counts", seats=5)),
        (
            "give = { any = 2 }",
            "give = { any = 3 }",
            "",
            "market[2].lines[0]",
            sentence_after(OWN_CHECKS, "if (line.give.any, line.get.other) != (2, 1) or any(give) or any(get)"),
        ),
        (
            "give = { stone = 1 }\nget = { influence = 1 }",
            "give = { stone = 1 }\nget = { coin = 2 }",
            "",
            "market[1].lines[1]",
            sentence_after(OWN_CHECKS, "elif (*give, *get) in seen"),
        ),
        (
            'colour = "green"',
            'colour = "brown"',
            "",
            "start_factories",
            sentence_after(
                OWN_CHECKS, "if sorted(factory.colour for factory in contents.start_factories) != sorted(colours)"
            ),
        ),
        (
            "total = 40",
            "total = 9",
            'id = "coin"',
            "goods[5].total",
            sentence_after(OWN_CHECKS, "def _supply", dealt=10, total=9),
        ),
        (
            "fill = 3",
            "fill = 19",
            "[[stores]]",
            "goods[1].total",
            sentence_after(OWN_CHECKS, "def _supply", dealt=37, total=36),
        ),
        (
            'id = "coal-mine-2"',
            'id = "light-bulb"',
            "",
            "factories[1].id",
            sentence_after(OWN_CHECKS, "def _ids", id="light-bulb"),
        ),
        ("step = 3", "step = 4", "", "patent_steps[3].step", appears_twice("patent_steps.4")),
        (
            BLUE,
            "",
            "",
            "colours",
            sentence_after(STRUCTURE, "def _constraint_error", path="colours", wanted=5, number=4),
        ),
        ('short = { en = "C", de', 'short = { en = "W", de', "", "goods[1].short.en", already_has("goods.wood", "W")),
        (
            'short = { en = "C", de',
            'short = { en = "Co", de',
            "",
            "goods[1].short.en",
            sentence_after(OWN_CHECKS, "def _marks"),
        ),
        ('fr = "V"', 'fr = "v"', "", "colours[1].short.fr", sentence_after(OWN_CHECKS, "def _marks")),
        ('pattern = "dots"', 'pattern = "stripes"', "", "colours[2].pattern", already_has("colours.green", "stripes")),
        (
            'ink = "#a47c00"',
            'ink = "gold"',
            "",
            "colours[2].ink",
            sentence_after(
                CHECKS, 'pattern=r"^#[0-9a-fA-F]{6}$", examples=["#a7373a"], extra=error_text(', example="#a7373a"
            ),
        ),
    ],
)
def test_every_error_in_a_component_file_names_its_key_path(
    old: str, new: str, after: str, path: str, expected_text: str
) -> None:
    problems = findings(changed(old, new, after))
    assert (path, expected_text) in problems


def test_an_impossible_position_document_is_refused_naming_the_wrong_field() -> None:
    game = spieltisch.game("era-of-inventions")
    valid_document = position_with(game).document()
    assert game.position(json.loads(json.dumps(valid_document))).document() == valid_document
    wrong_fields = {
        "phase": "sleeping",
        "seat": 9,
        "round": 0,
        "start_player": 5,
        "new_original": 1,
        "action": {"field": "build-factories"},
        "discs": {},
        "row": ["light-bulb"] * 7,
        "factory_row": ["light-bulb"] * 5,
        "stores": {},
        "supply": {"wood": "many"},
        "players": [],
        "pile": ["light-bulb", "light-bulb"],
        "inventions": {},
        "ended_by": "E54",
    }
    for name, value in wrong_fields.items():
        with pytest.raises(DocumentError) as error:
            game.position(valid_document | {"state": valid_document["state"] | {name: value}})
        assert str(error.value)
