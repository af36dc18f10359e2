"""Games of Legendary Inventors played on until a moment is found, as tables in a file: see `laid`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.state import Phase
from tests.web.prepared_tables import NAMES, Layout, Pick


def full(view: Any) -> bool:
    """The last age is laid out, and six cubes of each player lie on it."""
    return bool(
        view.age == 3
        and view.phase != Phase.REWARDS
        and opened(view) == view.seats + 3
        and cubes(view) >= 6 * view.seats
    )


def rewarding(view: Any) -> bool:
    """An invention of the last age is complete, and the most players possible choose rewards."""
    return bool(view.age == 3 and view.phase == Phase.REWARDS and view.queue[min(2, view.seats - 1)] >= 0)


def latest(view: Any) -> bool:
    """Three inventions are left; what the others brought lies with the players."""
    return bool(view.age == 3 and view.phase != Phase.REWARDS and opened(view) <= 3 and cubes(view) >= 4)


MOMENTS = (full, rewarding, latest)


def beginning(view: Any) -> bool:
    """The start of a game."""
    return True


def only_one_is_active(view: Any) -> bool:
    """One of the four inventors of the player to act can be sent."""
    return bool(view.phase == Phase.TURN and sum(map(bool, view.players[view.seat].exhausted)) == 3)


def over(view: Any) -> bool:
    """The game is played to its end."""
    return bool(view.phase == Phase.OVER)


def opened(view: Any) -> int:
    return sum(slot.card >= 0 for slot in view.slots)


def cubes(view: Any) -> int:
    return sum(int(n) for slot in view.slots if slot.card >= 0 for row in slot.cubes for n in row)


def hoard(until: Callable[[Any], bool]) -> Pick:
    """Works, and keeps what it gets: patents and tokens in turn, none of them used."""

    def pick(position: Position) -> str | None:
        if until(position.observe(None).view):
            return None
        texts = [str(move) for move in position.legal_moves]
        for start in ("take patent" if position.number % 2 else "take ", "take ", "send ", "ready", "pass", "done"):
            candidates = [
                text for text in texts if text.startswith(start) and not text.startswith(("send fewer", "send genius"))
            ]
            if candidates:
                return candidates[7919 * (position.number + 1) % len(candidates)]
        return texts[0]

    return pick


def layout(seats: int, number: int, until: Callable[[Any], bool], **options: str) -> Layout:
    secret = bytes([seats, 3 + number, *bytes(30)])  # from 3 on: then games of two get that far, too
    return Layout("legendary-inventors", NAMES[1:seats], secret, hoard(until), {"teams": "random"} | options)


def sending() -> Layout:
    """A table of two at such a moment as `then_sends` looks for."""
    return Layout("legendary-inventors", NAMES[1:2], bytes([2, 81, *bytes(30)]), industrious, {"teams": "random"})


def sends(position: Position) -> list[str]:
    """The moves that send an inventor with all cubes that fit."""
    texts = [str(move) for move in position.legal_moves]
    return [text for text in texts if text.startswith("send ") and not text.startswith(("send fewer", "send genius"))]


def then_sends(position: Position) -> str | None:
    """Return a move when only sending is possible and the same seat may then send again, send an inventor to
    a single place, or do something else.
    """
    moves = sends(position)
    for move in moves if len(moves) == len(position.legal_moves) else []:
        later = position.copy()
        later.play(move)
        again = sends(later) if not later.is_over and later.seat == position.seat else []
        if len(again) < len(later.legal_moves) and once(again):
            return move
    return None


def once(moves: list[str]) -> list[str]:
    """Those of these moves whose inventor can be sent to one place only."""
    receivers = [move.partition(" to ")[0] for move in moves]
    return [move for move in moves if receivers.count(move.partition(" to ")[0]) == 1]


def industrious(position: Position) -> str | None:
    """Sends whom it can, until there is such a moment as `then_sends` looks for."""
    if then_sends(position):
        return None
    moves = sends(position) or [str(move) for move in position.legal_moves]
    return moves[7919 * (position.number + 1) % len(moves)]
