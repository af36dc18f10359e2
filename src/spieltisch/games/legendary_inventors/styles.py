"""The styles of bots in Legendary Inventors: the traits of moves, and what each is worth to a style, in points.

A bot of any style takes a win that is at hand. One move ahead it would rather use up what is no longer worth anything.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.games.legendary_inventors.state import AGES, TOKENS

LAST_OPEN: Final = 2
"""The number of open inventions of an age of which the next one to be completed is the last (L15, L17)."""


def _slot(seen: Observation, move: Move) -> Any:
    """Return the open invention to which a move sends an inventor, or None."""
    if not move.kind.startswith("send"):
        return None
    return next(slot for slot in seen.view.slots if slot.card == move.args[1])


def _cubes(seen: Observation, slot: Any) -> list[int]:
    """Return the number of cubes on an invention by seat, the observing seat's own first."""
    others = [seat for seat in range(seen.setup.seats) if seat != seen.seat]
    return [sum(slot.cubes[seat]) for seat in (seen.seat, *others)]


def trains(seen: Observation, move: Move) -> float:
    """Return 1 for the knowledge of inventors, and for sending one with all cubes to where there is most room."""
    if move.kind in ("upgrade", "turn"):
        return 1.0
    slot = _slot(seen, move)
    return float(slot is not None and sum(slot.free) == max(sum(s.free) for s in seen.view.slots if s.card >= 0))


def collects(seen: Observation, move: Move) -> float:
    """Return 1 for a token of which the seat has none, and for an invention the share of its tokens of such kinds."""
    owned = seen.view.players[seen.seat].tokens
    if move.kind == "take token":
        return float(owned[move.args[0]] == 0)
    slot = _slot(seen, move)
    return 0.0 if slot is None else len({kind for kind in slot.tokens if kind >= 0 and owned[kind] == 0}) / TOKENS


def contests(seen: Observation, move: Move) -> float:
    """Return 1 for an invention on which another player has at least as many cubes."""
    slot = _slot(seen, move)
    if slot is None:
        return 0.0
    own, *others = _cubes(seen, slot)
    return float(max(others) >= max(own, 1))


def finishes(seen: Observation, move: Move) -> float:
    """Return 1 for a patent, and for sending an inventor to an invention the share of its spaces that are filled."""
    if move.kind == "take patent":
        return 1.0
    slot = _slot(seen, move)
    if slot is None:
        return 0.0
    filled = sum(_cubes(seen, slot))
    return float(filled / max(1, filled + sum(slot.free)))


def tokens(seen: Observation, move: Move) -> float:
    """Return 1 for a token, and for sending an inventor to an invention with tokens of most kinds."""
    if move.kind == "take token":
        return 1.0
    slot = _slot(seen, move)
    kinds = [len({kind for kind in s.tokens if kind >= 0}) for s in seen.view.slots if s.card >= 0]
    return float(slot is not None and len({kind for kind in slot.tokens if kind >= 0}) == max(kinds))


def wins(seen: Observation, move: Move) -> float:
    """Return 1 for completing the invention that ends the game (L17), if the first choice of rewards gives the lead."""
    view = seen.view
    if view.age != AGES or move.kind == "send fewer" or sum(slot.card >= 0 for slot in view.slots) != LAST_OPEN:
        return 0.0
    slot = _slot(seen, move)
    if slot is None:
        return 0.0
    params, player = seen.setup.plain_params, view.players[seen.seat]
    inventor, free = list(params.members[player.team]).index(move.args[0]), sum(slot.free)
    placed = sum(map(min, player.knowledge[inventor], slot.free))
    placed += params.genius_cubes if move.kind == "send genius" else 0
    own, *others = _cubes(seen, slot)
    if min(placed, player.cubes) < free or own + free <= max(others):
        return 0.0
    # Every score is public here.
    own_points = sum(score or 0 for seat, score in enumerate(seen.scores) if seat == seen.seat)
    most_points = max(score or 0 for seat, score in enumerate(seen.scores) if seat != seen.seat)
    return float(own_points + params.points_of[slot.card] > most_points)


WIN: Final = 3.0
"""Points for the move that wins the game at once, more than any other trait brings."""
TRAITS: Final[Mapping[str, Callable[[Observation, Move], float]]] = MappingProxyType(
    {"trains": trains, "collects": collects, "contests": contests, "finishes": finishes, "tokens": tokens, "wins": wins}
)
"""The traits of moves."""

STYLES: Final[Mapping[str, Mapping[str, float]]] = MappingProxyType(
    {
        "builder": {"trains": 0.4, "wins": WIN},
        "trader": {"tokens": 0.4, "wins": WIN},
        "collector": {"collects": 0.4, "wins": WIN},
        "blocker": {"contests": 0.4, "wins": WIN},
        "hunter": {"finishes": 0.4, "wins": WIN},
    }
)
"""The weights of each style's traits, in points."""
