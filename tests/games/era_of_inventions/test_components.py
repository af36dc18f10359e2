"""The components of Era of Inventions: the set we play with, and files that are refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import spieltisch
from spieltisch.core.components import ComponentsError
from spieltisch.core.errors import DocumentError
from spieltisch.core.provenance import MARKS
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.games.era_of_inventions.board import GOODS, board, row
from tests.games.era_of_inventions.positions import position_with

GAME = spieltisch.game("era-of-inventions")

TEXT = GAME.components.text
BLUE = TEXT[(blue := TEXT.index('[[colours]]\nid = "blue"')) : TEXT.index("[box]", blue)]


def findings(text: str) -> list[tuple[str, str]]:
    with pytest.raises(ComponentsError) as caught:
        GAME.read_components(text)
    return [(finding.path, str(finding.message)) for finding in caught.value.findings]


def changed(old: str, new: str, after: str = "") -> str:
    """The file with `new` for the first `old` after a text."""
    head, mark, rest = TEXT.partition(after) if after else ("", "", TEXT)
    assert old in rest
    return head + mark + rest.replace(old, new, 1)


def test_what_the_box_holds() -> None:
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


def test_known_values_are_marked_as_such() -> None:
    components = GAME.components
    marks = {path: mark.mark for path, _, mark in components.values()}
    assert set(marks.values()) == set(MARKS)
    assert marks["patent_steps.2.coins"] == "example"
    assert marks["patent_steps.3.coins"] == "reconstructed"
    assert marks["invention_cards.telephone-a.cost.metal"] == "example"
    assert marks["inventions.sewing-machine.gold.influence"] == "example"
    assert marks["players.4.rounds"] == "printed"
    assert marks["start_cards.pocket-watch.name.en"] == "reported"


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_a_name_of_its_own_in_every_language(language: str) -> None:
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
    ("old", "new", "after", "path", "says"),
    [
        ('good = "coal"', 'good = "stone"', "[[stores]]", "stores[0].good", "not a kind of cube"),
        ('good = "coal"', 'good = "gold"', "[[symbols]]", "symbols[0].good", "not one of the goods"),
        ("space = 4", "space = 100", "", "symbols[1].space", "100 is not between 0 and 99"),
        (
            'invention = "telephone"',
            'invention = "phone"',
            "",
            "invention_cards[9].invention",
            "Unknown invention: phone",
        ),
        ('kind = "official"', 'kind = "counterfeit"', "", "invention_cards[0].kind", "two official cards"),
        (
            "any = 2 }",
            "any = 8 }",
            "[[invention_cards]]",
            "invention_cards[2].cost.any",
            "not between 0 and 7",
        ),
        (
            "cost = { coal = 1, any = 2 }",
            "cost = { wood = 1, any = 2 }",
            "",
            "invention_cards[2].cost",
            "cubes of your choice",
        ),
        (
            "metal = 1, technology = 1 }",
            "metal = 1, any = 1 }",
            "",
            "invention_cards[0].cost.any",
            "Only a counterfeit",
        ),
        ('id = "wood"', 'id = "timber"', "", "goods[0].id", "wood belongs here"),
        ("action_discs = 3", "action_discs = 5", "", "players[0].action_discs", "5 is not between 1 and 4"),
        ("players = 5\n", "players = 6\n", "", "players", "for 5 players are missing"),
        ("give = { any = 2 }", "give = { any = 3 }", "", "market[2].lines[0]", "any two goods"),
        (
            "give = { stone = 1 }\nget = { influence = 1 }",
            "give = { stone = 1 }\nget = { coin = 2 }",
            "",
            "market[1].lines[1]",
            "listed twice",
        ),
        ('colour = "green"', 'colour = "brown"', "", "start_factories", "one start factory"),
        (
            "total = 40",
            "total = 9",
            'id = "coin"',
            "goods[5].total",
            "The set-up deals up to 10, but the box holds only 9.",
        ),
        ("fill = 3", "fill = 19", "[[stores]]", "goods[1].total", "but the box holds only 36."),
        ('id = "coal-mine-2"', 'id = "light-bulb"', "", "factories[1].id", "something else"),
        ("step = 3", "step = 4", "", "patent_steps[3].step", "twice"),
        (BLUE, "", "", "colours", "colours: 5 required, 4 found"),
        ('short = { en = "C", de', 'short = { en = "W", de', "", "goods[1].short.en", "goods.wood already has W"),
        ('short = { en = "C", de', 'short = { en = "Co", de', "", "goods[1].short.en", "a single capital letter"),
        ('fr = "V"', 'fr = "v"', "", "colours[1].short.fr", "a single capital letter"),
        ('pattern = "dots"', 'pattern = "stripes"', "", "colours[2].pattern", " already has stripes"),
        ('ink = "#a47c00"', 'ink = "gold"', "", "colours[2].ink", "Write colours like #"),
    ],
)
def test_files_nobody_can_play_with(old: str, new: str, after: str, path: str, says: str) -> None:
    problems = findings(changed(old, new, after))
    assert any(where == path and says in what for where, what in problems), problems


def test_documents_that_describe_no_position_name_the_field() -> None:
    game = spieltisch.game("era-of-inventions")
    good = position_with(game).document()
    assert game.position(json.loads(json.dumps(good))).document() == good
    wrong = {
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
    for name, value in wrong.items():
        with pytest.raises(DocumentError) as caught:
            game.position(good | {"state": good["state"] | {name: value}})
        assert str(caught.value)
