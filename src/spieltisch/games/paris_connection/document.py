"""A state of Paris Connection as JSON in the game's own words, and back."""

from collections.abc import Mapping
from typing import Any

from spieltisch.core import bits, twin
from spieltisch.core.refusal import DocumentError
from spieltisch.core.setup import Setup
from spieltisch.games.paris_connection import rules
from spieltisch.games.paris_connection.rules import network
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY, Phase, State, Work

PHASES = {phase: phase.name.lower() for phase in Phase}
ROWS = ("portfolio", "taken", "given", "owed")
FIELDS = ("shares", "taken", "given", "owed")


def describe(setup: Setup, s: Any) -> dict[str, Any]:
    """The document of a state (a twin)."""
    ids = [one.id for one in setup.board.companies]
    found: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "seat": s.seat + 1 if s.seat >= 0 else None,
        "building": {"company": ids[s.company], "placed": s.built} if s.phase == Phase.BUILDING else None,
        "trades_in_a_row": s.idle,
        "ended_by": rules.RULES[s.ended_by] if s.ended_by else None,
        "depots": dict(zip(ids, s.depot, strict=True)),
        "map": {ids[k]: [setup.board.hexes[h].move_name for h in bits.members(s.net[k])] for k in range(COMPANIES)},
        "players": [],
    }
    for p in range(setup.seats):
        player = s.players[p]
        found["players"].append(
            {row: dict(zip(ids, getattr(player, field), strict=True)) for row, field in zip(ROWS, FIELDS, strict=True)}
        )
    return found


def restore(setup: Setup, document: Mapping[str, Any]) -> Any:
    """The twin a document describes; what is derived is worked out anew. Raises DocumentError naming the field."""
    read = _Reader(setup)
    c, w, s = setup.plain_params, twin.new(Work), twin.new(State)
    s.seats = setup.seats
    names = {name: phase for phase, name in PHASES.items()}
    s.phase = names[read.one_of(document, "phase", list(names))]
    s.seat, s.company = NOBODY, NOBODY
    if s.phase != Phase.OVER:
        s.seat = read.number(document, "seat", 1, setup.seats) - 1
    if s.phase == Phase.BUILDING:
        building = read.table(document, "building")
        s.company = read.ids.index(read.one_of(building, "company", read.ids))
        s.built = read.number(building, "placed", 1, c.most_built - 1)
    s.idle = read.number(document, "trades_in_a_row", 0, c.idle_limit)
    if s.phase == Phase.OVER:
        why = read.one_of(document, "ended_by", ["P14", "P15", "T6"])
        s.ended_by = next(number for number, name in rules.RULES.items() if name == why)
    s.depot[:] = read.row(document, "depots")
    bits.add(s.full, c.tower)
    _restore_map(read, s, document)
    _restore_players(read, s, document)
    for k in range(COMPANIES):
        held = s.depot[k] + bits.count(s.net[k]) + sum(player.shares[k] for player in s.players)
        if held != c.bag + 1:
            raise DocumentError(
                f"{read.ids[k]}: {held} locomotives where the box has {c.bag + 1} besides the value marker"
            )
    _check_end(s, c)
    network.find_ways(s, c, w, NOBODY, NOBODY)
    meant = describe(setup, s)
    for field in ("seat", "building", "ended_by"):
        if document.get(field) != meant[field]:
            raise DocumentError(f"{field}: {str(document.get(field))[:60]!r} does not fit the phase")
    return s


def _check_end(s: Any, c: Any) -> None:
    """Over is exactly what one of the rules about the end has ended."""
    why = 0
    if any(c.ends[h] for net in s.net for h in bits.members(net)):
        why = rules.P15
    elif rules.depots_left(s) <= 1:
        why = rules.P14
    elif s.idle == c.idle_limit:
        why = rules.T6
    if why != s.ended_by:
        over = f"it is over by {rules.RULES[why]}" if why else "it is not over"
        raise DocumentError(f"phase: with this map, these depots and trades in a row, {over}")


def _restore_map(read: "_Reader", s: Any, document: Mapping[str, Any]) -> None:
    setup, c = read.setup, read.setup.plain_params
    lines = read.table(document, "map")
    for k, company in enumerate(read.ids):
        named = lines.get(company)
        if not isinstance(named, list) or not named:
            raise DocumentError(f"map.{company}: a list of hexes is needed")
        for name in named:
            hexagon = setup.board.named.get(name) if isinstance(name, str) else None
            if hexagon is None:
                raise DocumentError(f"map.{company}: there is no hex {name!r}")
            if bits.has(s.net[k], hexagon.number) or bits.has(s.full, hexagon.number):
                raise DocumentError(f"map.{company}: no room in {name!r}")
            network.settle(s, c, k, hexagon.number)
            s.value[k] += c.value[hexagon.number]
        if sum(bits.has(s.net[k], h) for h in setup.board.stations) != 1:
            raise DocumentError(f"map.{company}: a company stands on one station")


def _restore_players(read: "_Reader", s: Any, document: Mapping[str, Any]) -> None:
    players = document.get("players")
    if not isinstance(players, list) or len(players) != read.setup.seats:
        raise DocumentError(f"players: {read.setup.seats} are needed")
    for p, described in enumerate(players):
        if not isinstance(described, Mapping):
            raise DocumentError(f"players.{p + 1}: a table is needed")
        for row, field in zip(ROWS, FIELDS, strict=True):
            getattr(s.players[p], field)[:] = read.row(described, row)
        player = s.players[p]
        player.held = sum(player.shares)
        dealt = [player.shares[k] - player.taken[k] + player.given[k] for k in range(COMPANIES)]
        if sum(dealt) != read.setup.plain_params.portfolio or any(n < player.owed[k] for k, n in enumerate(dealt)):
            raise DocumentError(f"players.{p + 1}: no deal and these trades lead to this portfolio")


class _Reader:
    """Reads fields of a document, or says which one is wrong."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.ids = [one.id for one in setup.board.companies]

    def table(self, document: Mapping[str, Any], field: str) -> Mapping[str, Any]:
        found = document.get(field)
        if not isinstance(found, Mapping):
            raise DocumentError(f"{field}: a table is needed")
        return found

    def one_of(self, document: Mapping[str, Any], field: str, choices: list[str]) -> str:
        found = document.get(field)
        if found not in choices:
            raise DocumentError(f"{field}: {found!r} is none of {', '.join(choices)}")
        return str(found)

    def number(self, document: Mapping[str, Any], field: str, least: int, most: int) -> int:
        found = document.get(field)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise DocumentError(f"{field}: {found!r} is no number from {least} to {most}")
        return found

    def row(self, document: Mapping[str, Any], field: str) -> list[int]:
        found = self.table(document, field)
        if set(found) != set(self.ids):
            raise DocumentError(f"{field}: the companies are {', '.join(self.ids)}")
        return [self.number(found, company, 0, 999) for company in self.ids]
