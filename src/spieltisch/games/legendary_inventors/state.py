"""The records of Legendary Inventors: the state, the view of a seat, and working memory.

Seats count from 0 clockwise; teams, inventors, inventions and kinds of tokens from 0 in the order of the component
file; fields of knowledge are physics, chemistry, mechanics, mathematics. An inventor is also identified by his place (0
to 3) in his team. Open inventions are in slots, in the order of their numbers.
"""

from enum import IntEnum

import numpy as np

from spieltisch.core.chance import Draws
from spieltisch.core.events import Events
from spieltisch.core.observation import open_view

FIELDS = 4
TEAMS = 5
TEAM_SIZE = 4
INVENTORS = TEAMS * TEAM_SIZE
AGES = 3
INVENTIONS = 36
NUMBERS = 6
KINDS = 12
MAX_SEATS = 5
MAX_OPEN = 8
MAX_SPACES = 5
MAX_KNOWLEDGE = 4
MAX_WILD = 15
TOKENS = 2
"""The number of tokens on an invention (L4)."""
REWARDED = 1 + TOKENS
"""The maximum number of players rewarded for an invention (L13)."""
NOBODY = -1


class Phase(IntEnum):
    """The phase of the game.

    Choosing teams (S7), a turn, placing the cubes of an inventor sent, rewards (L11), upgrades before the scoring (S1),
    the end.
    """

    TEAMS = 0
    TURN = 1
    PLACING = 2
    REWARDS = 3
    LAST_UPGRADES = 4
    OVER = 5


# The modes of sending an inventor: with all cubes that fit, with fewer, with strokes of genius.
ALL, FEWER, GENIUS = 0, 1, 2

# The fronts of tokens.
IS_UPGRADE, IS_REFRESH, IS_GENIUS, IS_NUMBER, IS_POINTS = 0, 1, 2, 3, 4
FRONTS = ("upgrade", "refresh", "genius", "number", "points")

# The whereabouts of an invention; from PATENT on: held by seat `whereabouts - PATENT`.
UNSEEN, OPEN, GONE, PATENT = 0, 1, 2, 3

RULES = {n: f"L{n}" for n in range(1, 30)} | {100 + n: f"S{n}" for n in range(1, 15)}
"""The names of the rules by number."""
L17, S2 = 17, 102
"""The possible values of `ended_by`."""

Slot = np.dtype(
    [("card", "i2"), ("tokens", "i2", TOKENS), ("free", "i2", FIELDS), ("cubes", "i2", (MAX_SEATS, FIELDS))]
)
"""A slot for an open invention.

`card` the invention (-1: none), `tokens` the kinds of its tokens (-1: taken), `free` spaces by field, `cubes` by seat
and field.
"""

Player = np.dtype(
    [
        ("team", "i2"),
        ("cubes", "i2"),
        ("exhausted", "i2", TEAM_SIZE),
        ("knowledge", "i2", (TEAM_SIZE, FIELDS)),
        ("tokens", "i2", KINDS),
        ("numbers", "i2", NUMBERS),
        ("printed", "i2"),
        ("runs", "i2"),
    ]
)
"""A player.

`team` (-1: not yet chosen), `cubes` in the supply, `exhausted` inventors and their `knowledge` by place, `tokens` by
kind. Derived, for speed: `numbers` patents by classification number, `printed` the points printed on them (L25), `runs`
the points of the best runs (L26).
"""

State = np.dtype(
    [
        ("rng", "u8"),
        ("seats", "i2"),
        ("seat", "i2"),
        ("phase", "i2"),
        ("age", "i2"),
        ("leonardo", "i2"),
        ("passes", "i2"),
        ("ended_by", "i2"),
        ("mode", "i2"),
        ("inventor", "i2"),
        ("slot", "i2"),
        ("queue", "i2", REWARDED),
        ("given", "i2"),
        ("drawn", "i2", KINDS),
        ("gone", "i2", KINDS),
        ("whereabouts", "i2", INVENTIONS),
        ("slots", Slot, MAX_OPEN),
        ("players", Player, MAX_SEATS),
    ],
    align=True,
)
"""The whole state.

`rng` the generator; `seat` the seat to decide (-1 when over); `phase`; `age` 1 to 3 (0 while teams are chosen);
`leonardo` the seat with the figure; `passes` in a row (S2); `ended_by` the rule that ended the game.

While cubes are placed: `mode` the mode in which the inventor was sent, `inventor` his place in the team, `slot` the
slot of the invention. While rewards are chosen: `slot` that of the complete invention, `queue` the seats that choose,
in order (-1: none), `given` the number of seats that have chosen. In the upgrades before the scoring: `given` the
number of seats that have been asked.

`drawn` tokens drawn so far, by kind: all were face up, so a player can know the bag (S12) by remembering them; `gone`
those of them that have left the game or are on an inventor. `whereabouts` of each invention: UNSEEN, OPEN, GONE or
PATENT + seat.
"""

View = open_view(State)
"""The view of a seat (`viewer`; -1 a spectator): all but the generator (S12)."""

Work = np.dtype(
    [
        ("draws", Draws),
        ("events", Events),
        ("bag", "i2", KINDS),
        ("pile", "i2", INVENTIONS),
        ("cubes", "i2", FIELDS),
        ("two", "i8", 4),
        ("best", "i4", MAX_WILD + 1),
    ]
)
"""Working memory.

Draws, events, the bag and a pile while they are drawn from, cubes about to be placed, the first legal moves, and the
best runs by number of tokens.
"""
