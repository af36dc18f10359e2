"""Check that each invention of the box has an engraving of its own."""

from __future__ import annotations

import re

import spieltisch
from spieltisch.games.legendary_inventors.icons import ICONS

PICTURES = {key.removeprefix("picture-"): icon.content for key, icon in ICONS.items() if key.startswith("picture-")}
BOX = spieltisch.game("legendary-inventors").setup(3).board


def test_each_invention_has_a_different_engraving() -> None:
    assert {invention.id for invention in BOX.inventions} == set(PICTURES)
    assert len(set(PICTURES.values())) == len(BOX.inventions)


def test_engravings_stay_within_their_frame() -> None:
    for name, drawing in PICTURES.items():
        stroke_starts = [tuple(map(float, at)) for at in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", drawing)]
        assert stroke_starts, name
        assert all(max(abs(x), abs(y)) <= 26 for x, y in stroke_starts), name
