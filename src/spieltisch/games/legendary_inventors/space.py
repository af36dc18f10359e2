"""The move space of Legendary Inventors and what chance can give, by number."""

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.state import (
    FIELDS,
    INVENTIONS,
    INVENTORS,
    KINDS,
    MOST_SEATS,
    MOST_SPACES,
    TEAMS,
)

SENDINGS = INVENTORS * INVENTIONS
BASE = MOST_SPACES + 1

# Send an inventor to an invention: with all cubes that fit, with fewer, with strokes of genius.
SEND = 0
SEND_FEWER = SEND + SENDINGS
SEND_GENIUS = SEND_FEWER + SENDINGS
# Upgrade a field of an inventor; turn a token over for it; make ready, refresh, pass, be done.
UPGRADE = SEND_GENIUS + SENDINGS
TURN_OVER = UPGRADE + INVENTORS * FIELDS
READY = TURN_OVER + KINDS * INVENTORS * FIELDS
REFRESH = READY + 1
PASS = REFRESH + 1
DONE = PASS + 1
# Choose a reward: the patent, or a token of a kind. Choose a team.
TAKE_PATENT = DONE + 1
TAKE_TOKEN = TAKE_PATENT + 1
CHOOSE_TEAM = TAKE_TOKEN + KINDS
# Place so many cubes in each field, as digits.
PLACE = CHOOSE_TEAM + TEAMS
MOVES = PLACE + BASE**FIELDS

# What is drawn: a team, a seat, an invention, a kind of token.
DRAWN_TEAM = 0
DRAWN_SEAT = DRAWN_TEAM + TEAMS
DRAWN_INVENTION = DRAWN_SEAT + MOST_SEATS
DRAWN_TOKEN = DRAWN_INVENTION + INVENTIONS


@rule
def digit(move: int, f: int) -> int:
    """The cubes that a move of placing puts into field f."""
    n = move - PLACE
    for _ in range(FIELDS - 1 - f):
        n = n // BASE
    return n % BASE


@rule
def place_move(a: int, b: int, c: int, d: int) -> int:
    """The number of placing so many cubes in the four fields."""
    return PLACE + ((a * BASE + b) * BASE + c) * BASE + d
