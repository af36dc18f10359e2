"""The signs of Paris Connection: a company's letter on its patterned ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spieltisch.games.paris_connection.contents import Company

PATTERNS: Final = {
    "solid": (12, 12, 0),
    "stripes": (4.4, 4.4, -45),
    "dots": (5.2, 5.2, 0),
    "chevrons": (6, 5, 90),
    "grid": (5, 5, 0),
    "waves": (8, 5.2, 0),
}
"""Width and height of the repeated piece of a company's pattern, and the angle it is turned by."""


def mark(company: Company) -> str:
    """The class of a company's mark; `signs.svg` defines its sign."""
    return f"company-{company.id}"
