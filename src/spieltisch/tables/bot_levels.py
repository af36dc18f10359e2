"""The ladder of the levels of bots: steps on it, and when another level is suggested to a player."""

from collections.abc import Iterable
from typing import Final

from spieltisch.tables.bot_characters import BOT_CHARACTERS
from spieltisch.tables.results import GameResult

LADDER: Final = tuple(BOT_CHARACTERS)
"""The bots that have a level, from the weakest to the strongest."""
STEPS: Final = {"easier": -1, "": 0, "harder": 1}
"""The levels that the bots of a rematch are above the earlier ones, by the words of a form."""


def shift_level(bot: str, step: int) -> str:
    """Return the bot that is `step` levels above another (below, if negative), at most the last level.

    A bot without a level stays as it is.

    >>> shift_level("easy", 1), shift_level("beginner", -1), shift_level("random", 1)
    ('medium', 'beginner', 'random')
    """
    return LADDER[min(max(LADDER.index(bot) + step, 0), len(LADDER) - 1)] if bot in LADDER else bot


def strongest_level(bots: Iterable[str]) -> str:
    """Return the strongest of these bots that has a level, the easy one if there is none.

    >>> strongest_level(["beginner", "medium", "random"]), strongest_level(["random"])
    ('medium', 'easy')
    """
    return max((bot for bot in bots if bot in LADDER), key=LADDER.index, default="easy")


def suggested_step(game: GameResult, person: str) -> int:
    """Return the step to offer someone who has played alone against bots: 1 after a win, -1 after a last place.

    Return 0 otherwise, and if no bot can be weaker or stronger.
    """
    if (bots := _opponents(game, person)) is None:
        return 0
    place, last = _place_of(game, person), max(player.place for player in game.players)
    step = 1 if place == 1 else -1 if place == last else 0
    return step if any(shift_level(bot, step) != bot for bot in bots) else 0


def next_level(game: GameResult, person: str) -> str:
    """Return the level above that of the bots at a person's table; "" unless all have the same one."""
    levels = {*(_opponents(game, person) or ())}
    return shift_level(levels.pop(), 1) if len(levels) == 1 else ""


def opposed_level(game: GameResult, person: str) -> str:
    """Return the level of the weakest bot in a rated game of a person alone against bots; "" for no level."""
    bots = _opponents(game, person) if game.is_rated else None
    return min(bots, key=LADDER.index) if bots and {*bots} <= {*LADDER} else ""


def beaten_level(game: GameResult, person: str) -> str:
    """Return the level of the weakest bot in a rated game that a person has won alone against bots; "" for no level."""
    return opposed_level(game, person) if _place_of(game, person) == 1 else ""


def _opponents(game: GameResult, person: str) -> list[str] | None:
    """Return the bots that a person has played against, sorted; None if other people took part."""
    own = game.seat_of(person)
    others = [player for seat, player in enumerate(game.players) if seat != own]
    return sorted(player.bot for player in others) if all(player.kind == "bot" for player in others) else None


def _place_of(game: GameResult, person: str) -> int | None:
    own = game.seat_of(person)
    return None if own is None else game.players[own].place
