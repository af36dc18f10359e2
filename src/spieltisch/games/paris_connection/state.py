"""The records of Paris Connection: the state, the components and options the rules read, working memory, and what a
seat may see.
 Companies are numbered 0 to 5 in the order of the component file, seats 0 to 5 clockwise, hexes by (row, column).
Sets of hexes are four 64-bit words (`spieltisch.core.bits`).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from spieltisch.core import bits, twin
from spieltisch.core.chance import Draws
from spieltisch.core.events import Events

if TYPE_CHECKING:
    from spieltisch.games.paris_connection.board import Board

COMPANIES = 6
MOST_SEATS = 6
MOST_HEXES = 256
NOBODY = -1

# Phases of a turn.
TURN, BUILDING, OVER = 0, 1, 2

Player = np.dtype(
    [
        ("shares", "i2", COMPANIES),
        ("taken", "i2", COMPANIES),
        ("given", "i2", COMPANIES),
        ("owed", "i2", COMPANIES),
        ("held", "i2"),
    ]
)
"""A portfolio: locomotives by company; in trades taken and given back by company; the least that must have been dealt
(T5); how many in all.
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
    ("net", "u8", (COMPANIES, bits.WORDS)),
    ("full", "u8", bits.WORDS),
    ("players", Player, MOST_SEATS),
]

State = np.dtype(
    [
        ("rng", "u8"),
        *_PUBLIC,
        ("front", "u8", (COMPANIES, bits.WORDS)),
        ("way", "u8", (COMPANIES, bits.WORDS)),
        ("ways", "u8", bits.WORDS),
    ],
    align=True,
)
"""The whole state.
 `rng` the generator; `seat` whose decision it is (-1 when over); `phase`; `company` and `built`: what is being built
and how many locomotives so far in this turn; `idle` 1-for-1 trades in a row (T6); `ended_by` the rule that ended the
game; `depot`, `value`, `net` (hexes) by company; `full` hexes that take no more locomotives. Derived, for speed:
`front` the hexes beside a company's network, not in it (P5, P6); `way` the first shortest way of a company without a
city to a free one (P10), empty when it has one; `ways` all of them together.
"""

View = np.dtype([("viewer", "i2"), *_PUBLIC], align=True)
"""What a seat (`viewer`; -1 a spectator) may know: the public part, and of `players[...].shares` the own row only,
all rows when the game is over.
"""

Params = np.dtype(
    [
        ("seats", "i2"),
        ("hexes", "i2"),
        ("weak", "i2"),
        ("bag", "i2"),
        ("portfolio", "i2"),
        ("limit", "i2"),
        ("penalty", "i2"),
        ("most_built", "i2"),
        ("most_taken", "i2"),
        ("idle_limit", "i2"),
        ("tower", "i2"),
        ("station", "i2", COMPANIES),
        ("stations", "u8", bits.WORDS),
        ("cities", "u8", bits.WORDS),
        ("capacity", "i2", MOST_HEXES),
        ("value", "i2", MOST_HEXES),
        ("ends", "i2", MOST_HEXES),
        ("beside", "u8", (MOST_HEXES, bits.WORDS)),
        ("across", "u8", (MOST_HEXES, bits.WORDS)),
        ("around", "i2", (MOST_HEXES, 6)),
    ],
    align=True,
)
"""Components and options as the rules read them: `beside` adjacent hexes, `across` those behind a hatched border,
`around` the adjacent ones as a list filled up with -1.
"""

Work = np.dtype(
    [
        ("draws", Draws),
        ("events", Events),
        ("bag", "i2", COMPANIES),
        ("queue", "i2", MOST_HEXES),
        ("parent", "i2", MOST_HEXES),
        ("seen", "u8", bits.WORDS),
    ]
)
"""Working memory: chance, the bag during the deal, and the search for a way."""


def params(board: "Board", seats: int, *, weak: bool) -> Any:
    """The twin of `Params` for a board, a number of seats and the reading of P10 (T1)."""
    t = twin.new(Params)
    count = next(p for p in board.players if p.players == seats)
    t.seats, t.hexes, t.weak = seats, len(board.hexes), int(weak)
    t.bag = board.box.in_bag  # P1, T10
    t.portfolio, t.limit = count.portfolio, count.limit
    t.penalty, t.most_built, t.most_taken = board.turn.penalty, board.turn.most_locomotives, board.turn.most_taken
    t.idle_limit = 3 * seats  # T6
    t.tower = board.tower
    t.station[:] = list(board.stations)
    for h in range(MOST_HEXES):
        t.around[h][:] = [NOBODY] * 6
    for h, hexagon in enumerate(board.hexes):
        t.capacity[h] = {
            "tower": 0,
            "station": 1,
            "rural": board.turn.rural_capacity,
            "city": board.turn.city_capacity,
        }[hexagon.kind]
        if hexagon.kind == "station":
            bits.add(t.stations, h)
        if hexagon.kind == "city":
            bits.add(t.cities, h)
            t.value[h], t.ends[h] = hexagon.value, int(hexagon.ends_game)
        for k, other in enumerate(board.adjacent[h]):
            t.around[h][k] = other
            bits.add(t.beside[h], other)
    for border in board.borders:
        a, b = border.hexes
        bits.add(t.across[a], b)
        bits.add(t.across[b], a)
    return t
