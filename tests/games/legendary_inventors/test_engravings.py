"""An engraving for each invention of the box, none like another."""

from __future__ import annotations

import re

import spieltisch
from spieltisch.games.legendary_inventors.invention_pictures import ENGRAVINGS

BOX = spieltisch.game("legendary-inventors").setup(3).board


def test_each_invention_of_the_box_has_its_own() -> None:
    assert {one.id for one in BOX.inventions} == set(ENGRAVINGS)
    assert len({"".join(one) for one in ENGRAVINGS.values()}) == len(BOX.inventions)


def test_they_stay_within_their_frame() -> None:
    for name, one in ENGRAVINGS.items():
        begun = [tuple(map(float, at)) for path in one for at in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path)]
        assert begun, name
        assert all(max(abs(x), abs(y)) <= 26 for x, y in begun), name
