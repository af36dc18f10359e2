"""Check that each inventor of the box has a portrait of their own, drawn with the ink of their team."""

from __future__ import annotations

import re

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.icons import ICONS
from tests.games.legendary_inventors.drawn import BOX, rendered

OWN = {key.removeprefix("portrait-"): one.content for key, one in ICONS.items() if key.startswith("portrait-")}
SHARED = {key for key in ICONS if key.startswith("face-")}
FRAME = (96, 120)


def test_each_inventor_has_a_different_portrait() -> None:
    assert set(OWN) == {inventor.id for inventor in BOX.inventors}
    assert len(set(OWN.values())) == len(BOX.inventors)


def test_portraits_differ_in_more_than_their_shared_parts() -> None:
    own_paths = {key: set(re.findall(r' d="([^"]+)"', content)) for key, content in OWN.items()}
    for key, paths in own_paths.items():
        others = set[str]().union(*(other for name, other in own_paths.items() if name != key))
        assert paths - others, key


def test_each_shared_part_is_used_and_each_used_part_is_there() -> None:
    assert {part for content in OWN.values() for part in re.findall(r'href="#([^"]+)"', content)} == SHARED


def test_portraits_begin_their_lines_within_their_frame() -> None:
    for key, portrait in [*OWN.items(), *((key, ICONS[key].content) for key in SHARED)]:
        starts = [tuple(map(float, at)) for at in re.findall(r"M(-?[\d.]+)[ ]?(-?[\d.]+)", portrait)]
        assert starts, key
        assert all(-2 <= x <= FRAME[0] + 2 and -2 <= y <= FRAME[1] + 2 for x, y in starts), key


def test_the_ground_of_a_portrait_has_the_ink_of_the_team(position_in_mid_game: Position) -> None:
    text = rendered(position_in_mid_game.observe(0))
    for inventor in BOX.inventors:
        (symbol,) = re.findall(rf'<symbol id="icon-inventor-{inventor.id}".*?</symbol>', text, re.DOTALL)
        assert f'<use href="#portrait-ground" class="ink-{inventor.team}"/>' in symbol
        assert "portrait-letter" not in symbol


def test_an_inventor_without_a_portrait_is_drawn_with_a_letter(game: Game) -> None:
    source = (game.folder / "components.toml").read_text("utf-8")
    source = source.replace('id = "hypatia"', 'id = "hypatia-of-a"').replace(
        "inventors.hypatia.", "inventors.hypatia-of-a."
    )
    text = rendered(game.start(seats=5, seed=7, components=game.read_components(source)).observe(0))
    (symbol,) = re.findall(r'<symbol id="icon-inventor-hypatia-of-a".*?</symbol>', text, re.DOTALL)
    assert ">H</text>" in symbol
    assert 'id="inventor-hypatia-of-a"' in text
