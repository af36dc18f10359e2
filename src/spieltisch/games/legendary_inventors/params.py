"""Components and options of Legendary Inventors as the rules read them."""

from typing import Any

import numpy as np

from spieltisch.core import twin
from spieltisch.games.legendary_inventors import state
from spieltisch.games.legendary_inventors.board import Board

Params = np.dtype(
    [
        ("seats", "i2"),
        ("choosing", "i2"),
        ("laid_out", "i2"),
        ("cubes", "i2"),
        ("genius_cubes", "i2"),
        ("patents_in_run", "i2"),
        ("inventions", "i2"),
        ("kinds", "i2"),
        ("front", "i2", state.KINDS),
        ("value", "i2", state.KINDS),
        ("box", "i2", state.KINDS),
        ("upgrade", "i2", state.MAX_KNOWLEDGE + 1),
        ("refresh", "i2"),
        ("genius", "i2"),
        ("number", "i2"),
        ("members", "i2", (state.TEAMS, state.TEAM_SIZE)),
        ("team_of", "i2", state.INVENTORS),
        ("place_of", "i2", state.INVENTORS),
        ("begins", "i2", (state.INVENTORS, state.FIELDS)),
        ("goal", "i2", (state.INVENTORS, state.FIELDS)),
        ("goal_points", "i2", state.INVENTORS),
        ("age_of", "i2", state.INVENTIONS),
        ("number_of", "i2", state.INVENTIONS),
        ("points_of", "i2", state.INVENTIONS),
        ("spaces", "i2", (state.INVENTIONS, state.FIELDS)),
    ],
    align=True,
)
"""The dtype of components and options.

`choosing` 1 if teams are chosen (S7); `upgrade` the kind of the upgrade token of each value, `refresh`, `genius`,
`number` the kinds of those tokens (-1: there is none); `members` the inventors of each team, `place_of` an inventor's
place in his team.
"""


def params(board: Board, seats: int, *, choosing: bool, enough_cubes: bool, patents_in_run: int) -> Any:
    """Return the twin of `Params` for a board and a number of seats.

    `choosing`: teams are chosen, not drawn (S7); `enough_cubes`: two players have the cubes of two colours each (S6);
    `patents_in_run`: the number of patents that a run needs (S5).
    """
    t = twin.new(Params)
    t.seats, t.choosing = seats, int(choosing)
    t.laid_out = next(count.inventions for count in board.players if count.players == seats)
    t.cubes, t.genius_cubes = board.box.cubes * (2 if enough_cubes and seats == 2 else 1), board.turn.genius_cubes
    t.patents_in_run = patents_in_run
    t.inventions, t.kinds = len(board.inventions), len(board.tokens)
    t.upgrade[:] = [state.NOBODY] * (state.MAX_KNOWLEDGE + 1)
    t.refresh = t.genius = t.number = state.NOBODY
    for k, token in enumerate(board.tokens):
        t.front[k], t.value[k], t.box[k] = state.FRONTS.index(token.kind), token.value, token.count
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
