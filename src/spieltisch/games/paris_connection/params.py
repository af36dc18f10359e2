"""Components and options as the rules of Paris Connection read them."""

from typing import Any

import numpy as np

from spieltisch.core import bit_sets, twin
from spieltisch.games.paris_connection.board import Board
from spieltisch.games.paris_connection.state import COMPANIES, MAX_HEXES, NOBODY

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
        ("goes_on", "i2"),
        ("tower", "i2"),
        ("station", "i2", COMPANIES),
        ("stations", "u8", bit_sets.WORDS),
        ("cities", "u8", bit_sets.WORDS),
        ("capacity", "i2", MAX_HEXES),
        ("value", "i2", MAX_HEXES),
        ("value_beside", "i2", MAX_HEXES),
        ("ends", "i2", MAX_HEXES),
        ("beside", "u8", (MAX_HEXES, bit_sets.WORDS)),
        ("across", "u8", (MAX_HEXES, bit_sets.WORDS)),
        ("around", "i2", (MAX_HEXES, 6)),
    ],
    align=True,
)
"""The dtype of components and options.

`beside` adjacent hexes, `across` those behind a hatched border, `around` the adjacent ones as a list filled up with -1,
`value_beside` the highest value of a city among them; `idle_limit` the number of 1-for-1 trades in a row that are a
standstill, `goes_on` 1 if the game continues then (T6).
"""


def params(board: Board, seats: int, *, weak: bool, open_stations: bool, goes_on: bool) -> Any:
    """Return the twin of `Params` for a board and a number of seats.

    `weak` is the reading of P10 (T1); `open_stations` makes stations hexes like those in the country (P3); `goes_on`
    continues the game after a standstill (T6).
    """
    t = twin.new(Params)
    count = next(p for p in board.players if p.players == seats)
    t.seats, t.hexes, t.weak = seats, len(board.hexes), int(weak)
    t.bag = board.box.in_bag  # P1, T10
    t.portfolio, t.limit = count.portfolio, count.limit
    t.penalty, t.most_built, t.most_taken = board.turn.penalty, board.turn.most_locomotives, board.turn.most_taken
    t.idle_limit, t.goes_on = 3 * seats, int(goes_on)  # T6
    t.tower = board.tower
    t.station[:] = list(board.stations)
    for h in range(MAX_HEXES):
        t.around[h][:] = [NOBODY] * 6
    for h, hexagon in enumerate(board.hexes):
        t.capacity[h] = {
            "tower": 0,
            "station": board.turn.rural_capacity if open_stations else 1,
            "rural": board.turn.rural_capacity,
            "city": board.turn.city_capacity,
        }[hexagon.kind]
        if hexagon.kind == "station" and not open_stations:
            bit_sets.add(t.stations, h)
        if hexagon.kind == "city":
            bit_sets.add(t.cities, h)
            t.value[h], t.ends[h] = hexagon.value, int(hexagon.ends_game)
        for k, other in enumerate(board.adjacent[h]):
            t.around[h][k] = other
            t.value_beside[h] = max(t.value_beside[h], board.hexes[other].value)
            bit_sets.add(t.beside[h], other)
    for border in board.borders:
        a, b = border.hexes
        bit_sets.add(t.across[a], b)
        bit_sets.add(t.across[b], a)
    return t
