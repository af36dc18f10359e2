"""Games of Legendary Inventors played on until a moment is found, as tables in a file: see `laid`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.state import Phase
from tests.web.laid import Layout, Pick

NAMES = [
    "Margarethe von Oettingen-Wallerstein",
    "Gräfin Donnersmarck-Hohenlohe-Öhringen",
    "Jean-Baptiste Grenouille-Lamartinière",
    "Wilhelmina Charlotte van der Broekhoven",
    "Sebastian Knickerbocker-Featherstonehaug",
]


def full(view: Any) -> bool:
    """The last age is laid out, and six cubes of each player lie on it."""
    return bool(
        view.age == 3
        and view.phase != Phase.REWARDS
        and opened(view) == view.seats + 3
        and cubes(view) >= 6 * view.seats
    )


def rewarding(view: Any) -> bool:
    """In the last age an invention is complete, and as many as can be choose rewards."""
    return bool(view.age == 3 and view.phase == Phase.REWARDS and view.queue[min(2, view.seats - 1)] >= 0)


def latest(view: Any) -> bool:
    """Three inventions are left; what the others brought lies with the players."""
    return bool(view.age == 3 and view.phase != Phase.REWARDS and opened(view) <= 3 and cubes(view) >= 4)


MOMENTS = (full, rewarding, latest)


def over(view: Any) -> bool:
    """Never: the game is played to its end."""
    return False


def opened(view: Any) -> int:
    return sum(slot.card >= 0 for slot in view.slots)


def cubes(view: Any) -> int:
    return sum(int(n) for slot in view.slots if slot.card >= 0 for row in slot.cubes for n in row)


def hoard(until: Callable[[Any], bool]) -> Pick:
    """Works, and keeps what it gets: patents and tokens in turn, none of them used."""

    def pick(position: Position) -> str | None:
        if position.over or until(position.observe(None).view):
            return None
        texts = [str(move) for move in position.legal_moves]
        for start in ("take patent" if position.number % 2 else "take ", "take ", "send ", "ready", "pass", "done"):
            found = [
                text for text in texts if text.startswith(start) and not text.startswith(("send fewer", "send genius"))
            ]
            if found:
                return found[7919 * (position.number + 1) % len(found)]
        return texts[0]

    return pick


def layout(seats: int, number: int, until: Callable[[Any], bool], **options: str) -> Layout:
    secret = bytes([seats, 3 + number, *bytes(30)])  # from 3 on: then games of two get that far, too
    return Layout("legendary-inventors", NAMES[1:seats], secret, hoard(until), {"teams": "random"} | options)
