"""The meaning of the numbers of an observation of Legendary Inventors."""

from spieltisch.core.features import Meaning, category, count, member_flags, scalar, seat_number
from spieltisch.games.legendary_inventors import state

FEATURES: dict[str, Meaning | None] = {
    "seats": count("players", state.MAX_SEATS),
    "seat": seat_number(state.MAX_SEATS),
    "phase": category("phase", max(state.Phase)),
    "age": count("ages", state.AGES),
    "leonardo": seat_number(state.MAX_SEATS),
    "passes": count("turns", state.MAX_SEATS),
    "ended_by": category("rule", max(state.RULES)),
    "mode": category("mode", state.GENIUS),
    "inventor": category("place in the team", state.TEAM_SIZE - 1, low=-1),
    "slot": category("slot", state.MAX_OPEN - 1, low=-1),
    "queue": seat_number(state.MAX_SEATS),
    "given": count("seats", state.MAX_SEATS),
    "drawn": count("tokens"),
    "gone": count("tokens"),
    "whereabouts": category("whereabouts", state.PATENT + state.MAX_SEATS - 1, seats_from=state.PATENT),
    "slots.card": category("invention", state.INVENTIONS - 1, low=-1),
    "slots.tokens": category("kind of token", state.KINDS - 1, low=-1),
    "slots.free": count("spaces", state.MAX_SPACES),
    "slots.cubes": count("cubes", player_axis=1),
    "players.team": category("team", state.TEAMS - 1, low=-1),
    "players.cubes": count("cubes"),
    "players.exhausted": member_flags("inventor"),
    "players.knowledge": count("level", state.MAX_KNOWLEDGE),
    "players.tokens": count("tokens"),
    "players.numbers": count("patents", state.INVENTIONS),
    "players.printed": scalar("points"),
    "players.runs": count("points"),
}
