"""The components of Paris Connection: read, checked, and laid out as a board.

>>> france = board(standard())
>>> len(france.hexes), france.named["Marseille"].value, france.named["Orléans E"].name.fr
(126, 4, 'à l’est d’Orléans')
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from spieltisch.core import components
from spieltisch.core.components import Components, ComponentsError, Finding
from spieltisch.games.paris_connection.board import Board, Border, Hex, board, neighbours
from spieltisch.games.paris_connection.check import CONNECTED, LAID_OUT
from spieltisch.games.paris_connection.contents import Contents

__all__ = [
    "FILE",
    "Board",
    "Border",
    "Components",
    "ComponentsError",
    "Contents",
    "Finding",
    "Hex",
    "board",
    "neighbours",
    "read",
    "standard",
]

FILE: Final = Path(__file__).with_name("components.toml")
"""The set we play with unless another is chosen."""


def read(source: str | Path) -> Components[Contents]:
    """The components in a TOML text or a file, checked.

    Raises `ComponentsError` with every finding and its line; `OSError` for a file that cannot be read.

    >>> try:
    ...     read(FILE.read_text("utf-8").replace('letter = "B"', 'letter = "A"'))
    ... except ComponentsError as error:
    ...     print(error)
    line 25: companies.purple already has A.
    """
    return components.read(source, Contents, LAID_OUT, CONNECTED)


@lru_cache(maxsize=1)
def standard() -> Components[Contents]:
    """The components in `FILE`."""
    return read(FILE)
