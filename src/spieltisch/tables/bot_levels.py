"""The ladder of the levels of bots: steps on it, and when another level is suggested to a player."""

from collections.abc import Sequence
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


def suggested_step(games: Sequence[GameResult], person: str) -> int:
    """Return the step to offer someone who has played alone against bots: -1 after a last place, 1 after two wins.

    `games` are their last games of a kind, newest first. The two wins were against the same bots. Return 0 otherwise,
    and if no bot can be weaker or stronger.
    """
    if not games or (bots := _opponents(games[0], person)) is None:
        return 0
    places = [_place_of(game, person) for game in games[:2]]
    if places[0] == max(player.place for player in games[0].players) > 1:
        step = -1
    elif places == [1, 1] and _opponents(games[1], person) == bots:
        step = 1
    else:
        return 0
    return step if any(shift_level(bot, step) != bot for bot in bots) else 0


def beaten_level(game: GameResult, person: str) -> str:
    """Return the level of the weakest bot in a rated game that a person has won alone against bots; "" for no level."""
    bots = _opponents(game, person) if game.is_rated and _place_of(game, person) == 1 else None
    return min(bots, key=LADDER.index) if bots and {*bots} <= {*LADDER} else ""


def _opponents(game: GameResult, person: str) -> list[str] | None:
    """Return the bots that a person has played against, sorted; None if other people took part."""
    own = game.seat_of(person)
    others = [player for seat, player in enumerate(game.players) if seat != own]
    return sorted(player.bot for player in others) if all(player.kind == "bot" for player in others) else None


def _place_of(game: GameResult, person: str) -> int | None:
    own = game.seat_of(person)
    return None if own is None else game.players[own].place
