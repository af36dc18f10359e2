"""The components of Legendary Inventors: read, checked, and laid out as a board.

>>> box = board(standard())
>>> len(box.inventors), len(box.inventions), box.inventions[0].name.de, box.teams[0].inventors
(20, 36, 'Bogen', (0, 1, 2, 3))
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from spieltisch.core import components
from spieltisch.core.components import Components, ComponentsError, Finding
from spieltisch.games.legendary_inventors.board import Board, board
from spieltisch.games.legendary_inventors.check import CHECKS
from spieltisch.games.legendary_inventors.contents import Contents

__all__ = [
    "FILE",
    "Board",
    "Components",
    "ComponentsError",
    "Contents",
    "Finding",
    "board",
    "read",
    "standard",
]

FILE: Final = Path(__file__).with_name("components.toml")
"""The set we play with unless another is chosen."""


def read(source: str | Path) -> Components[Contents]:
    """The components in a TOML text or a file, checked.

    Raises `ComponentsError` with every finding and its line; `OSError` for a file that cannot be read.

    >>> try:
    ...     read(FILE.read_text("utf-8").replace("cubes = 15", "cubes = 0"))
    ... except ComponentsError as error:
    ...     print(error)
    line 13: 0 is not from 1 to 99.
    """
    return components.read(source, Contents, CHECKS)


@lru_cache(maxsize=1)
def standard() -> Components[Contents]:
    """The components in `FILE`."""
    return read(FILE)
