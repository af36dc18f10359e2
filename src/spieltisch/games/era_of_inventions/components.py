"""The components of Era of Inventions: read and checked.

>>> from spieltisch.games.era_of_inventions.board import board
>>> table = board(standard())
>>> len(table.cards), len(table.works), table.inventions[8].name.fr
(39, 29, 'avion')
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from spieltisch.core import components
from spieltisch.core.components import Components
from spieltisch.games.era_of_inventions.check import CHECKS
from spieltisch.games.era_of_inventions.contents import Contents

FILE: Final = Path(__file__).with_name("components.toml")
"""The set we play with unless another is chosen."""


def read(source: str | Path) -> Components[Contents]:
    """The components in a TOML text or a file, checked.

    Raises `ComponentsError` with every finding and its line; `OSError` for a file that cannot be read.

    >>> try:
    ...     read(FILE.read_text("utf-8").replace("alone = 5", "alone = -5"))
    ... except components.ComponentsError as error:
    ...     print(str(error).partition(": ")[2])
    -5 is not from 0 to 99.
    """
    return components.read(source, Contents, CHECKS)


@lru_cache(maxsize=1)
def standard() -> Components[Contents]:
    """The components in `FILE`."""
    return read(FILE)
