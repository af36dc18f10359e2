"""The records of Paris Connection: the state, the view of a seat, and working memory.

Companies are numbered 0 to 5 in the order of the component file, seats 0 to 5 clockwise, hexes by (row, column). Sets
of hexes are four 64-bit words (`spieltisch.core.bit_sets`).
"""

from enum import IntEnum

import numpy as np

from spieltisch.core import bit_sets
from spieltisch.core.chance import Draws
from spieltisch.core.events import Events

COMPANIES = 6
MAX_SEATS = 6
MAX_HEXES = 256
NOBODY = -1


class Phase(IntEnum):
    """The phase of a turn."""

    TURN = 0
    BUILDING = 1
    OVER = 2


Player = np.dtype(
    [
        ("shares", "i2", COMPANIES),
        ("taken", "i2", COMPANIES),
        ("given", "i2", COMPANIES),
        ("owed", "i2", COMPANIES),
        ("held", "i2"),
    ]
)
"""A portfolio.

`shares` locomotives by company; `taken` and `given` locomotives taken and given back in trades, by company; `owed` the
minimum that must have been dealt (T5), by company; `held` the total.
"""

_PUBLIC = [
    ("seats", "i2"),
    ("seat", "i2"),
    ("phase", "i2"),
    ("company", "i2"),
    ("built", "i2"),
    ("idle", "i2"),
    ("ended_by", "i2"),
    ("depot", "i2", COMPANIES),
    ("value", "i2", COMPANIES),
    ("net", "u8", (COMPANIES, bit_sets.WORDS)),
    ("full", "u8", bit_sets.WORDS),
    ("players", Player, MAX_SEATS),
]

State = np.dtype(
    [
        ("rng", "u8"),
        *_PUBLIC,
        ("front", "u8", (COMPANIES, bit_sets.WORDS)),
        ("way", "u8", (COMPANIES, bit_sets.WORDS)),
        ("ways", "u8", bit_sets.WORDS),
    ],
    align=True,
)
"""The whole state.

`rng` the generator; `seat` the seat to decide (-1 when over); `phase`; `company` and `built`: the company being built
and its locomotives placed so far in this turn; `idle` 1-for-1 trades in a row, counted up to the limit (T6); `ended_by`
the rule that ended the game; `depot`, `value`, `net` (hexes) by company; `full` hexes that take no more locomotives.

Derived, for speed: `front` the hexes adjacent to a company's network, not in it (P5, P6); `way` the first shortest path
of a company without a city to a free one (P10), empty if the company has a city; `ways` the union of all of them.
"""

View = np.dtype([("viewer", "i2"), *_PUBLIC, ("front", "u8", (COMPANIES, bit_sets.WORDS))], align=True)
"""The view of a seat (`viewer`; -1 a spectator).

The public part, and of `players[...].shares` only the seat's own row; all rows when the game is over.
"""

Work = np.dtype(
    [
        ("draws", Draws),
        ("events", Events),
        ("bag", "i2", COMPANIES),
        ("queue", "i2", MAX_HEXES),
        ("parent", "i2", MAX_HEXES),
        ("seen", "u8", bit_sets.WORDS),
    ]
)
"""Working memory: draws, events, the bag during the deal, and the search for a path."""
