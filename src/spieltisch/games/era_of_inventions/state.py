"""The records of Era of Inventions: the state, working memory, and the view of a seat.

Goods are numbered as in `board.GOODS`, cards and factories as on the board, seats 0 to 4 clockwise. Spaces of the
invention row are numbered along its path, from 0 (below, far right) to 6 (above, far right); those of the factory row
from the left. A pile is a set: for each card 1 if the pile contains it, otherwise 0.
"""

from enum import IntEnum

import numpy as np

from spieltisch.core.chance import Draws
from spieltisch.core.events import Events
from spieltisch.core.observation import open_view

WOOD, COAL, METAL, TECHNOLOGY, TOOL, COIN, STONE = range(7)
CUBES, EXCHANGEABLE, GOODS = 5, 6, 7
INFLUENCE, BONUS_DISC = 7, 8
MAX_SEATS = 5
MAX_STORES, MAX_LINES, MAX_STEPS, MAX_SPACES = 8, 8, 8, 200
ACTIONS, SPACES = 6, 2
INVENTIONS, GOLD, SILVER = 9, 0, 1
START_CARDS, OFFICIAL_CARDS, COUNTERFEITS = 12, 18, 9
FIRST_OFFICIAL, FIRST_COUNTERFEIT = 12, 30
CARDS = 39
START_FACTORIES, FACTORIES = 5, 29
ROW, FACTORY_ROW = 7, 5
BOXES = 3
NOBODY = -1
NONE = -1

# Codes of draws: an invention card, a factory card, or the start player.
DRAWN_CARD, DRAWN_FACTORY, DRAWN_SEAT = 0, CARDS, CARDS + FACTORIES


class Action(IntEnum):
    """The six actions (A to F)."""

    BUILD, YIELD, BUY, PRODUCE, MARKET, DEVELOP = range(6)


class Phase(IntEnum):
    """The current phase.

    In this order: discs are placed; the seat chooses one of its discs; it carries out an action; it may use a bonus
    disc; it makes its last exchanges; the game is over.
    """

    PLACING, CHOOSING, ACTING, BONUS, LAST_EXCHANGE, OVER = range(6)


class Way(IntEnum):
    """The use of action F, once it is decided."""

    UNDECIDED, DEVELOPING, PATENTING = range(3)


# Sources of influence.
INVENTED, PATENTED, PRODUCED, PAID, BUILT, EXCHANGED, MOST_PATENTS, MOST_INVESTED, MOST_CAPACITY = range(9)
SOURCES = 9

Player = np.dtype(
    [
        ("goods", "i2", GOODS),
        ("output", "i2", GOODS),
        ("influence", "i2"),
        ("earned", "i2", SOURCES),
        ("hand", "i2"),
        ("bonus", "i2"),
        ("bought", "i2"),
        ("markers", "i2"),
        ("steps", "i2"),
    ]
)
"""A player.

`output` is the joint yield of the player's factories (derived), `earned` the influence by source, `hand` the action
discs in hand, `bonus` the bonus discs, `bought` those of them that were bought too recently to be used, `markers` the
invention markers, `steps` the steps on the patent track.
"""

State = np.dtype(
    [
        ("rng", "u8"),
        ("seats", "i2"),
        ("seat", "i2"),
        ("phase", "i2"),
        ("ended_by", "i2"),
        ("round_number", "i2"),
        ("first", "i2"),
        ("action", "i2"),
        ("done_steps", "i2"),
        ("spent", "i2"),
        ("way", "i2"),
        ("used", "i2", BOXES),
        ("new_original", "i2"),
        ("discs", "i2", (ACTIONS, SPACES)),
        ("holder", "i2", (INVENTIONS, 2)),
        ("patented", "i2", (INVENTIONS, 2)),
        ("row", "i2", ROW),
        ("pile", "i2", CARDS),
        ("discards", "i2", CARDS),
        ("fresh", "i2", CARDS),
        ("aside", "i2", CARDS),
        ("gone", "i2", CARDS),
        ("factory_row", "i2", FACTORY_ROW),
        ("factory_pile", "i2", FACTORIES),
        ("factory_discards", "i2", FACTORIES),
        ("owner", "i2", FACTORIES),
        ("load", "i2", MAX_STORES),
        ("supply", "i2", GOODS),
        ("bonus_supply", "i2"),
        ("players", Player, MAX_SEATS),
    ],
    align=True,
)
"""The complete state.

`rng` is the generator; `seat` the seat to move (-1 when over); `ended_by` the rule that ended the game; `round_number`
counts from 1; `first` is the start player. Of the current action: `action` (-1: none), `done_steps` in it, `spent`
development stones, `way` the use of F, `used` exchanges by box; while the seat decides on a bonus disc, `action` and
`done_steps` are those that still count for the turn (R24). `new_original` is 1 if a gold field was taken in this round
(E49).

`discs` are the seats on the spaces of the action fields; `holder` and `patented` belong to gold and silver fields.
Cards: `row`; `pile`, `discards`, `fresh` (next to the pile, E37), `aside` (not in play yet, E9), `gone` (out of the
game, E47). Factories likewise; `owner` is -1 for those that no one owns. `load` belongs to ships and warehouses.
`supply` of goods may go below zero unless the table plays with the contents of the box (R8); `bonus_supply` is that of
bonus discs.
"""

View = open_view(State)
"""The view of a seat (`viewer`; -1 for a spectator): everything except the generator (R37)."""

Work = np.dtype([("draws", Draws), ("events", Events), ("set", "i2", MAX_SEATS)])
"""Working memory: chance, and the set from which the start player is drawn."""
