"""The meaning of the numbers of an observation of Paris Connection."""

from spieltisch.core.features import Meaning, category, count, hex_plane, seat_number
from spieltisch.games.paris_connection.rules.turns import RULES
from spieltisch.games.paris_connection.state import COMPANIES, MAX_SEATS, Phase

LOCOMOTIVES = 255
FEATURES: dict[str, Meaning | None] = {
    "seats": count("players", MAX_SEATS),
    "seat": seat_number(MAX_SEATS),
    "phase": category("phase", max(Phase)),
    "company": category("company", COMPANIES - 1, low=-1),
    "built": count("locomotives", LOCOMOTIVES),
    "idle": count("trades"),
    "ended_by": category("rule", max(RULES)),
    "depot": count("locomotives", LOCOMOTIVES),
    "value": count("points a share"),
    "net": hex_plane(),
    "full": hex_plane(),
    "front": None,
    "players.shares": count("locomotives", LOCOMOTIVES),
    "players.taken": count("locomotives"),
    "players.given": count("locomotives"),
    "players.owed": count("locomotives", LOCOMOTIVES),
    "players.held": count("locomotives"),
}
"""`front` follows from the networks and the map."""
