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

from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Name, Value
from spieltisch.games.paris_connection.log import EVENTS
from spieltisch.games.paris_connection.refusals import REASONS
from tests.games.declared_sentences import event_text, reason_text

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
    dealt_shares = dict(zip(COLOURS, DEALT[seats], strict=True))
    held_shares = {p: dealt_shares | dict((shares or {}).get(p, {})) for p in range(1, seats + 1)}
    remaining_shares = {k: BOX - len(on_map[k]) - sum(row[k] for row in held_shares.values()) for k in COLOURS}
    for colour, depot_target in (depots or {}).items():
        held_shares[seats][colour] += remaining_shares[colour] - depot_target
        remaining_shares[colour] = depot_target
    state = {
        "phase": "building" if building else "turn",
        "seat": seat,
        "building": {"company": building[0], "placed": building[1]} if building else None,
        "trades_in_a_row": idle,
        "ended_by": None,
        "depots": remaining_shares,
        "map": on_map,
        "players": [_player(held_shares[p], dealt_shares) for p in held_shares],
    }
    return Position.of_twin(setup, game.restore(setup, state))


def _player(held_shares: Row, dealt_shares: Row) -> dict[str, Row]:
    """Return a player who was dealt one portfolio and holds another."""
    taken_shares = {k: max(0, held_shares[k] - dealt_shares[k]) for k in COLOURS}
    given_shares = {k: max(0, dealt_shares[k] - held_shares[k]) for k in COLOURS}
    return {"portfolio": held_shares, "taken": taken_shares, "given": given_shares, "owed": given_shares}


def deal(seats: int, start: int = 1) -> list[str]:
    """Return set-up draws that give every seat the default portfolio, with stations in the order of companies."""
    hand = [colour for colour, n in zip(COLOURS, DEALT[seats], strict=True) for _ in range(n)]
    return [*hand * seats, *COLOURS, f"seat {start}"]


def value(position: Position, colour: str) -> int:
    """Return a company's value."""
    return int(position.observe(None).view.value[COLOURS.index(colour)])


def depot_count(position: Position, colour: str) -> int:
    """Return the number of locomotives left in a company's depot."""
    return int(position.observe(None).view.depot[COLOURS.index(colour)])


def shares_held(position: Position, seat: int, colour: str) -> int:
    """Return the number of locomotives of a company that a seat (from 1) holds."""
    return int(position.state.players[seat - 1].shares[COLOURS.index(colour)])


def hexes_of_company(position: Position, colour: str) -> set[str]:
    """Return the hexes of a company."""
    return set(position.document()["state"]["map"][colour])


def builds(position: Position, colour: str | None = None) -> set[str]:
    """Return the hexes in which a company, or any company, may build."""
    build_moves = [move.text.split(" ", 2) for move in position.legal_moves if move.text.startswith("build ")]
    return {words[2] for words in build_moves if colour in (None, words[1])}


def log_line(code: int, seat: int | None, **values: Value) -> str:
    """Return the English sentence of an event."""
    return event_text(EVENTS, code, seat, values)


def hex_text(position: Position, move_name: str) -> Name:
    """Return the name of a hex in sentences: "Amiens W" is "west of Amiens"."""
    name: Name = next(place.name for place in position.setup.board.hexes if place.move_name == move_name)
    return name


def reason(code: int, **values: Value) -> tuple[str, str]:
    """Return the rule and the English sentence of a reason, as `refused` does."""
    return reason_text(REASONS, code, values)
