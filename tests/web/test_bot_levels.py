"""Bots have one ladder of levels: the same names in the same order wherever they are chosen, and in the docs."""

import re
from pathlib import Path

from spieltisch import bots
from spieltisch.commands import LEVELS_HELP
from tests.web.conftest import Server, Visitor

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"
LADDER = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE))
"""The names of the levels by the kinds of bots, as documented."""


def test_the_documented_ladder_has_all_bots_from_weak_to_strong() -> None:
    assert tuple(LADDER) == bots.BOTS
    assert list(LADDER.values()) == ["random", "beginner", "easy", "medium", "hard", "expert"]


def test_the_command_line_names_the_same_levels() -> None:
    named = [kind if kind == level else f"{kind} ({level})" for kind, level in LADDER.items()]
    assert f"From weak to strong: {', '.join(named)}." == LEVELS_HELP


def test_the_lobby_and_the_forms_offer_the_same_levels(server: Server) -> None:
    with Visitor(server) as visitor:
        lobby, form = (visitor.get(path).text for path in ("/", "/new/paris-connection"))
    offered = re.findall(r'name="bot" value="(\w+)"[^>]*><span>([^<]*)</span>', lobby)
    assert offered == [(kind, level.capitalize()) for kind, level in LADDER.items() if kind != "random"]
    named = [(kind, f"{level.capitalize()} bot") for kind, level in LADDER.items()]
    select = form[form.index('id="up_bot"') : form.index("</select>", form.index('id="up_bot"'))]
    assert re.findall(r'<option value="(\w+)"[^>]*>([^<]*)<', select) == named
    for seat in re.findall(r'<select id="seat-\d+".*?</select>', form, re.DOTALL):
        assert re.findall(r'<option value="bot:(\w+)"[^>]*>([^<]*)<', seat) == named
