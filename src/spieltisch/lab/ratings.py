"""The ratings of a new bot and of the baselines, from duels: the model of Bradley and Terry, on Elo's scale.

With ratings a and b, the first of two bots wins the share 1 / (1 + 10^((b - a) / 400)) of their duels. The ratings are
those of maximum likelihood (Hunter, "MM Algorithms for Generalized Bradley-Terry Models", 2004). As in bayeselo, each
duel has one more game, won by both alike, so that a bot that has won all games is not infinitely better.
"""

import tomllib
from collections.abc import Iterable, Sequence
from math import log
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from spieltisch.bots.baselines import BASELINES, SEATS, SETUPS
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.lab.arena import Z_SCORE, DuelScore, interval

ANCHOR: Final = "easy-1"
"""The bot whose rating is fixed."""
ANCHOR_RATING: Final = 1500.0
"""The rating of that bot."""
POINTS_PER_LOGIT: Final = 400 / log(10)
"""The rating points for a step of 1 in the logarithm of the odds."""
VIRTUAL_GAMES: Final = 1.0
"""The number of games that a duel has beyond those that were played."""
FILE: Final = Path(__file__).with_name("baseline_duels.toml")
"""The file with the duels of the baselines, by game."""


class BotRating(msgspec.Struct, frozen=True):
    """A bot's rating, its 95 % confidence interval, and the number of its games."""

    bot: str
    rating: float
    low: float
    high: float
    games: int


def rated_setup(game: Game) -> Setup:
    """Return the setup in which the baselines of a game are rated. Raise ValueError if they are not.

    >>> import spieltisch
    >>> rated_setup(spieltisch.game("paris-connection")).seats
    4
    """
    if game.key not in SETUPS:
        raise ValueError(f"the baselines have no ratings in {game.key}; they have in {', '.join(SETUPS)}")
    options: dict[str, Any] = dict(SETUPS[game.key])
    return game.setup(SEATS, **options)


def stored_duels(game: str) -> list[DuelScore]:
    """Return the duels of the baselines with each other in a game."""
    duels = []
    for pair, (games, won) in tomllib.loads(FILE.read_text(encoding="utf-8"))[game].items():
        bot, opponent = pair.split()
        if {bot, opponent} <= set(BASELINES):
            duels.append(DuelScore(bot, opponent, games, won / games, *interval(won, games)))
    return duels


def fit_ratings(duels: Iterable[DuelScore]) -> list[BotRating]:
    """Return the ratings of all bots that duels connect with the anchor, best first.

    The intervals come from the Fisher information at the maximum.

    >>> best, anchor = fit_ratings([DuelScore("mason", "easy-1", 99, 0.75, 0.66, 0.83)])
    >>> best.bot, round(best.rating), round(best.high - best.rating), anchor.rating
    ('mason', 1689, 78, 1500.0)
    """
    played = _duels_linked_to_anchor([duel for duel in duels if duel.games])
    names = [ANCHOR, *sorted({name for duel in played for name in (duel.bot, duel.opponent)} - {ANCHOR})]
    strength, information = np.zeros(len(names)), np.eye(1)
    for _ in range(100):
        slope, information = _slope(played, names, strength)
        step = np.linalg.solve(information[1:, 1:], slope[1:])
        strength[1:] += np.clip(step, -1.0, 1.0)  # a whole step may lead away from the maximum
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    errors = np.zeros(len(names))
    errors[1:] = np.sqrt(np.diag(np.linalg.inv(information[1:, 1:])))
    ratings = []
    for name, at, error in zip(names, strength.tolist(), errors.tolist(), strict=True):
        rating, margin = ANCHOR_RATING + POINTS_PER_LOGIT * at, POINTS_PER_LOGIT * Z_SCORE * error
        games = sum(duel.games for duel in played if name in (duel.bot, duel.opponent))
        ratings.append(BotRating(name, rating, rating - margin, rating + margin, games))
    return sorted(ratings, key=lambda rated: -rated.rating)


def _slope(duels: Sequence[DuelScore], names: Sequence[str], strength: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient of the log likelihood and its negative second derivative, the Fisher information."""
    slope, information = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for duel in duels:
        bot, opponent = names.index(duel.bot), names.index(duel.opponent)
        games = duel.games + VIRTUAL_GAMES
        won = duel.share * duel.games + VIRTUAL_GAMES / 2
        expected = 1 / (1 + np.exp(strength[opponent] - strength[bot]))
        slope[[bot, opponent]] += np.array([1, -1]) * (won - games * expected)
        weight = games * expected * (1 - expected)
        information[np.ix_([bot, opponent], [bot, opponent])] += weight * np.array([[1, -1], [-1, 1]])
    return slope, information


def _duels_linked_to_anchor(duels: Sequence[DuelScore]) -> list[DuelScore]:
    """Return the duels between bots that have met the anchor, or others that have."""
    reached, before = {ANCHOR}, 0
    while before < len(reached):
        before = len(reached)
        reached |= {name for duel in duels if {duel.bot, duel.opponent} & reached for name in (duel.bot, duel.opponent)}
    return [duel for duel in duels if duel.bot in reached]
