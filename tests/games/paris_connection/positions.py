"""Hand-made positions of Paris Connection for the tests of its rules.

`position_with` puts every company on a different station and deals the same portfolios every time; a test names the
differences. By default:

    purple  Gare du Nord         next to Amiens, Lille SE, Reims
    brown   Gare de l'Est        next to Reims, Reims SE, Troyes
    black   Gare de Lyon         next to Troyes, Orléans E, Orléans
    yellow  Gare d'Austerlitz    next to Orléans, Le Mans E, Le Mans NE
    blue    Gare Montparnasse    next to Le Mans NE, Caen E, Rouen
    red     Gare Saint-Lazare    next to Rouen, Amiens W, Amiens
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from spieltisch.core.components import Components
from spieltisch.core.errors import IllegalMove
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Words

COLOURS = ("purple", "brown", "black", "yellow", "blue", "red")
DEALT = {3: (2, 2, 2, 2, 1, 1), 4: (2, 2, 1, 1, 1, 1), 5: (1, 1, 1, 1, 1, 1), 6: (1, 1, 1, 1, 1, 0)}
"""The locomotives that `made` deals to every seat, by the number of seats and by company."""
BOX = 32
"""Locomotives of a company in depot, portfolios and on the map (P1)."""

Row = dict[str, int]


def position_with(
    game: Game,
    *,
    seats: int = 3,
    seat: int = 1,
    track: Mapping[str, Sequence[str]] | None = None,
    shares: Mapping[int, Mapping[str, int]] | None = None,
    depots: Mapping[str, int] | None = None,
    building: tuple[str, int] | None = None,
    idle: int = 0,
    components: Components[Any] | None = None,
    **options: Any,
) -> Position:
    """Return a position in which seat `seat` (from 1) decides.

    `track`: hexes of a company besides its station; `shares`: what a seat holds of a company, got or given by trades;
    `depots`: what is left of a company, the others taken by the last seat in trades; `building`: the company being
    built and how many stand already; `idle`: trades of one for one in a row.
    """
    setup = game.setup(seats, components, **options)
    stations = [setup.board.hexes[h].move_name for h in setup.board.stations]
    on_map = {k: [station, *(track or {}).get(k, ())] for k, station in zip(COLOURS, stations, strict=True)}
    dealt = dict(zip(COLOURS, DEALT[seats], strict=True))
    held = {p: dealt | dict((shares or {}).get(p, {})) for p in range(1, seats + 1)}
    left = {k: BOX - len(on_map[k]) - sum(row[k] for row in held.values()) for k in COLOURS}
    for colour, wanted in (depots or {}).items():
        held[seats][colour] += left[colour] - wanted
        left[colour] = wanted
    state = {
        "phase": "building" if building else "turn",
        "seat": seat,
        "building": {"company": building[0], "placed": building[1]} if building else None,
        "trades_in_a_row": idle,
        "ended_by": None,
        "depots": left,
        "map": on_map,
        "players": [_player(held[p], dealt) for p in held],
    }
    return Position.of_twin(setup, game.restore(setup, state))


def _player(held: Row, dealt: Row) -> dict[str, Row]:
    """A player who was dealt one portfolio and holds another."""
    taken = {k: max(0, held[k] - dealt[k]) for k in COLOURS}
    given = {k: max(0, dealt[k] - held[k]) for k in COLOURS}
    return {"portfolio": held, "taken": taken, "given": given, "owed": given}


def deal(seats: int, start: int = 1) -> list[str]:
    """Draws for the set-up that give every seat the same as `made`, with the companies in the stations' order."""
    hand = [colour for colour, n in zip(COLOURS, DEALT[seats], strict=True) for _ in range(n)]
    return [*hand * seats, *COLOURS, f"seat {start}"]


def value(position: Position, colour: str) -> int:
    """A company's value."""
    return int(position.observe(None).view.value[COLOURS.index(colour)])


def depot(position: Position, colour: str) -> int:
    """Return the number of locomotives left in a company's depot."""
    return int(position.observe(None).view.depot[COLOURS.index(colour)])


def held(position: Position, seat: int, colour: str) -> int:
    """Return the number of locomotives of a company that a seat (from 1) holds."""
    return int(position.state.players[seat - 1].shares[COLOURS.index(colour)])


def on_map(position: Position, colour: str) -> set[str]:
    """Return the hexes of a company."""
    return set(position.document()["state"]["map"][colour])


def builds(position: Position, colour: str | None = None) -> set[str]:
    """The hexes in which a company, or any, may be built."""
    build_moves = [move.text.split(" ", 2) for move in position.legal_moves if move.text.startswith("build ")]
    return {words[2] for words in build_moves if colour in (None, words[1])}


def refused(position: Position, move: str) -> tuple[str, str]:
    """The rule that forbids a move and its English sentence; playing it raises the same and changes nothing."""
    refusal = position.why_not(move)
    assert refusal is not None, f"{move} is allowed"
    assert position.move(move) not in position.legal_moves
    before = position.digest(), position.number
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    assert caught.value.refusal == refusal
    assert (position.digest(), position.number) == before
    return refusal.rule, str(Words("en").say(refusal.message))


def allowed(position: Position, move: str) -> bool:
    """Return True if a move is legal. Check it by the list of moves and by its refusal."""
    free = position.why_not(move) is None
    assert free == (position.move(move) in position.legal_moves)
    return free
