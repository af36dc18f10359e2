"""The records of Legendary Inventors: the state, the components and options the rules read, working memory, and what
a seat may see.
 Seats count from 0 clockwise; teams, inventors, inventions and kinds of tokens from 0 in the order of the component
file; fields of knowledge are physics, chemistry, mechanics, mathematics. An inventor is also known by his place (0 to
3) in his team. Open inventions lie in slots, in the order of their numbers.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from spieltisch.core import twin
from spieltisch.core.chance import Draws
from spieltisch.core.events import Events

if TYPE_CHECKING:
    from spieltisch.games.legendary_inventors.board import Board

FIELDS = 4
TEAMS = 5
TEAM_SIZE = 4
INVENTORS = TEAMS * TEAM_SIZE
AGES = 3
INVENTIONS = 36
NUMBERS = 6
KINDS = 12
MOST_SEATS = 5
MOST_OPEN = 8
MOST_SPACES = 5
MOST_KNOWLEDGE = 4
MOST_WILD = 15
TOKENS = 2
"""Tokens on an invention (L4)."""
REWARDED = 1 + TOKENS
"""Players rewarded at most (L13)."""
NOBODY = -1

# Phases: choosing teams (S7), a turn, placing the cubes of an inventor sent, rewards (L11), upgrades before the scoring
# (S1), the end.
TEAM, TURN, PLACING, REWARD, FINAL, OVER = 0, 1, 2, 3, 4, 5

# How an inventor is sent: with all cubes that fit, with fewer, with strokes of genius.
ALL, FEWER, GENIUS = 0, 1, 2

# What the front of a token does.
IS_UPGRADE, IS_REFRESH, IS_GENIUS, IS_NUMBER, IS_POINTS = 0, 1, 2, 3, 4
FRONTS = ("upgrade", "refresh", "genius", "number", "points")

# Where an invention is; from PATENT on: with seat `where - PATENT`.
UNSEEN, OPEN, GONE, PATENT = 0, 1, 2, 3

Slot = np.dtype(
    [("card", "i2"), ("tokens", "i2", TOKENS), ("free", "i2", FIELDS), ("cubes", "i2", (MOST_SEATS, FIELDS))]
)
"""A place for an open invention: its number (-1: none), its tokens' kinds (-1: taken), free spaces by field, cubes by
seat and field.
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
"""A player: team (-1: not yet chosen), cubes in the supply, exhausted inventors and their knowledge by place, tokens by
kind. Derived, for speed: patents by classification number, the points printed on them (L25), the points of the best
runs (L26).
"""

_PUBLIC = [
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
    ("slots", Slot, MOST_OPEN),
    ("players", Player, MOST_SEATS),
]

State = np.dtype([("rng", "u8"), *_PUBLIC], align=True)
"""The whole state.
 `rng` the generator; `seat` whose decision it is (-1 when over); `phase`; `age` 1 to 3 (0 while teams are chosen);
`leonardo` who has the figure; `passes` in a row (S2); `ended_by` the rule that ended the game. While cubes are placed:
`mode` how the inventor was sent, `inventor` his place in the team, `slot` the invention's; while rewards are chosen:
`slot` that of the complete invention, `queue` who chooses in which order (-1: nobody), `given` how many have chosen; in
the upgrades before the scoring: `given` how many seats have been asked. `drawn` tokens drawn so far by kind: all lay
face up, so the bag (S12) is known to whoever remembers; `gone` of these have left the game or stand on an inventor.
`whereabouts` of each invention: UNSEEN, OPEN, GONE or PATENT + seat.
"""

View = np.dtype([("viewer", "i2"), *_PUBLIC], align=True)
"""What a seat (`viewer`; -1 a spectator) may know: all but the generator (S12)."""

Params = np.dtype(
    [
        ("seats", "i2"),
        ("choosing", "i2"),
        ("laid_out", "i2"),
        ("cubes", "i2"),
        ("genius_cubes", "i2"),
        ("inventions", "i2"),
        ("kinds", "i2"),
        ("front", "i2", KINDS),
        ("value", "i2", KINDS),
        ("box", "i2", KINDS),
        ("upgrade", "i2", MOST_KNOWLEDGE + 1),
        ("refresh", "i2"),
        ("genius", "i2"),
        ("number", "i2"),
        ("members", "i2", (TEAMS, TEAM_SIZE)),
        ("team_of", "i2", INVENTORS),
        ("place_of", "i2", INVENTORS),
        ("begins", "i2", (INVENTORS, FIELDS)),
        ("goal", "i2", (INVENTORS, FIELDS)),
        ("goal_points", "i2", INVENTORS),
        ("age_of", "i2", INVENTIONS),
        ("number_of", "i2", INVENTIONS),
        ("points_of", "i2", INVENTIONS),
        ("spaces", "i2", (INVENTIONS, FIELDS)),
    ],
    align=True,
)
"""Components and options as the rules read them: `choosing` 1 when teams are chosen (S7); `upgrade` the kind of the
upgrade token of each value, `refresh`, `genius`, `number` the kinds of those tokens (-1: there is none); `members` the
inventors of each team, `place_of` an inventor's place in his team.
"""

MOST_NOTES = 96
Work = np.dtype(
    [
        ("draws", Draws),
        ("events", Events),
        ("bag", "i2", KINDS),
        ("pile", "i2", INVENTIONS),
        ("cubes", "i2", FIELDS),
        ("two", "i8", 4),
        ("best", "i4", MOST_WILD + 1),
        ("notes", "i4"),
        ("note", "i2", (MOST_NOTES, 9)),
    ]
)
"""Working memory: chance, the bag and a pile while they are drawn from, cubes about to be placed, the first legal
moves, the best runs by number of tokens, and notes of what a move did, for the log.
"""


def params(board: "Board", seats: int, *, choosing: bool) -> Any:
    """The twin of `Params` for a board, a number of seats and the way teams are given out (S7)."""
    t = twin.new(Params)
    t.seats, t.choosing = seats, int(choosing)
    t.laid_out = next(count.inventions for count in board.players if count.players == seats)
    t.cubes, t.genius_cubes = board.box.cubes, board.turn.genius_cubes
    t.inventions, t.kinds = len(board.inventions), len(board.tokens)
    t.upgrade[:] = [NOBODY] * (MOST_KNOWLEDGE + 1)
    t.refresh = t.genius = t.number = NOBODY
    for k, token in enumerate(board.tokens):
        t.front[k], t.value[k], t.box[k] = FRONTS.index(token.kind), token.value, token.count
        if token.kind == "upgrade":
            t.upgrade[token.value] = k
        elif token.kind != "points":
            setattr(t, token.kind, k)
    for number, team in enumerate(board.teams):
        t.members[number][:] = list(team.inventors)
        for place, i in enumerate(team.inventors):
            t.team_of[i], t.place_of[i] = number, place
    for i, inventor in enumerate(board.inventors):
        t.begins[i][:], t.goal[i][:] = list(inventor.start), list(inventor.goal)
        t.goal_points[i] = inventor.points
    for k, card in enumerate(board.inventions):
        t.age_of[k], t.number_of[k], t.points_of[k] = card.age, card.classification, card.points
        t.spaces[k][:] = list(card.spaces)
    return t
