"""Describe tables of Legendary Inventors played to a certain position, which `prepared` stores in a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spieltisch.core.position import Position
from spieltisch.games.legendary_inventors.state import Phase
from tests.web.prepared_tables import NAMES, Layout, Pick


def is_full_last_age(view: Any) -> bool:
    """Return True if six cubes of each player are on the inventions of the last age."""
    return bool(
        view.age == 3
        and view.phase != Phase.REWARDS
        and open_invention_count(view) == view.seats + 3
        and cube_count(view) >= 6 * view.seats
    )


def is_choosing_rewards(view: Any) -> bool:
    """Return True if the maximum number of players choose rewards in the last age."""
    return bool(view.age == 3 and view.phase == Phase.REWARDS and view.queue[min(2, view.seats - 1)] >= 0)


def is_near_end(view: Any) -> bool:
    """Return True if only three inventions are left."""
    return bool(
        view.age == 3 and view.phase != Phase.REWARDS and open_invention_count(view) <= 3 and cube_count(view) >= 4
    )


MOMENTS = {"full": is_full_last_age, "rewarding": is_choosing_rewards, "latest": is_near_end}


def is_start(view: Any) -> bool:
    """Return True at the start of a game."""
    return True


def has_one_active_inventor(view: Any) -> bool:
    """Return True if the deciding player can send only one of the four inventors."""
    return bool(view.phase == Phase.TURN and sum(map(bool, view.players[view.seat].exhausted)) == 3)


def is_upgrading(view: Any) -> bool:
    """Return True if a player upgrades inventors before the scoring."""
    return bool(view.phase == Phase.LAST_UPGRADES)


def is_over(view: Any) -> bool:
    """Return True if the game is over."""
    return bool(view.phase == Phase.OVER)


def open_invention_count(view: Any) -> int:
    return sum(slot.card >= 0 for slot in view.slots)


def cube_count(view: Any) -> int:
    return sum(int(n) for slot in view.slots if slot.card >= 0 for row in slot.cubes for n in row)


def hoarding_choices_until(is_moment: Callable[[Any], bool]) -> Pick:
    """Return a function that plays without ever using patents and tokens until the wanted position."""

    def choose_move(position: Position) -> str | None:
        if is_moment(position.observe(None).view):
            return None
        texts = [str(move) for move in position.legal_moves]
        for start in ("take patent" if position.number % 2 else "take ", "take ", "send ", "ready", "pass", "done"):
            candidates = [
                text for text in texts if text.startswith(start) and not text.startswith(("send fewer", "send genius"))
            ]
            if candidates:
                return candidates[7919 * (position.number + 1) % len(candidates)]
        return texts[0]

    return choose_move


def layout_at(seats: int, number: int, is_moment: Callable[[Any], bool], **options: str) -> Layout:
    secret = bytes([seats, 3 + number, *bytes(30)])  # from 3 on: then games of two get that far, too
    return Layout(
        "legendary-inventors", NAMES[1:seats], secret, hoarding_choices_until(is_moment), {"teams": "random"} | options
    )


def layout_before_sending_twice() -> Layout:
    """Describe a table of two played to the position that `send_before_a_second_one` finds."""
    return Layout(
        "legendary-inventors", NAMES[1:2], bytes([2, 81, *bytes(30)]), send_until_two_in_a_row, {"teams": "random"}
    )


def full_sends(position: Position) -> list[str]:
    """Return the moves that send an inventor with all cubes that fit."""
    texts = [str(move) for move in position.legal_moves]
    return [text for text in texts if text.startswith("send ") and not text.startswith(("send fewer", "send genius"))]


def send_before_a_second_one(position: Position) -> str | None:
    """Return the next move on the way to a position in which a player may send inventors twice in a row.

    This is any move when only sending is possible and the same player may then send again; otherwise it sends an
    inventor to the only possible invention, or does something else.
    """
    moves = full_sends(position)
    for move in moves if len(moves) == len(position.legal_moves) else []:
        later_position = position.copy()
        later_position.play(move)
        second_sending = (
            full_sends(later_position) if not later_position.is_over and later_position.seat == position.seat else []
        )
        if len(second_sending) < len(later_position.legal_moves) and with_one_destination(second_sending):
            return move
    return None


def with_one_destination(moves: list[str]) -> list[str]:
    """Return the moves whose inventor can be sent to only one place."""
    receivers = [move.partition(" to ")[0] for move in moves]
    return [move for move in moves if receivers.count(move.partition(" to ")[0]) == 1]


def send_until_two_in_a_row(position: Position) -> str | None:
    """Send inventors until the position that `send_before_a_second_one` finds."""
    if send_before_a_second_one(position):
        return None
    moves = full_sends(position) or [str(move) for move in position.legal_moves]
    return moves[7919 * (position.number + 1) % len(moves)]
