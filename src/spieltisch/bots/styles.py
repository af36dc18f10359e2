"""The styles of bots: what a bot prefers among moves that are about as good, and how it ends a game that it is losing.

A style is data: the weights of traits of moves, in points (`Game.styles`, `Game.traits`). Hints, analyses and ratings
use no style.
"""

from hashlib import blake2b
from typing import Final

from spieltisch.bots.lost_games import move_instead
from spieltisch.bots.search.searcher import MoveBonus, Searcher
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation

STYLES: Final = ("builder", "trader", "collector", "blocker", "hunter")
"""The styles that a bot may have, as each game defines them (`Game.styles`)."""


def bonus_of(game: Game, style: str) -> MoveBonus | None:
    """Return the bonus of moves in a style; None for no style, or one that the game does not have.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> trader, seen = bonus_of(position.setup.game, "trader"), position.observe(position.seat)
    >>> {move.args[2] for move in position.legal_moves if move.kind == "trade" and trader(seen, move)}
    {2}
    """
    weights = game.styles.get(style)
    if weights is None:
        return None
    weighted = [(game.traits[trait], weight) for trait, weight in weights.items()]
    return lambda seen, move: sum(weight * trait(seen, move) for trait, weight in weighted)


def seed_of(seed: int, style: str) -> int:
    """Return the seed of a bot with a style, so that bots of different styles break ties differently.

    >>> seed_of(7, ""), seed_of(7, "trader") == seed_of(7, "builder")
    (7, False)
    """
    if not style:
        return seed
    return int.from_bytes(blake2b(f"{seed} {style}".encode(), digest_size=8).digest(), "big") >> 1


def one_ply_move(searcher: Searcher, seen: Observation, seed: int, percentage: int, bonus: MoveBonus | None) -> int:
    """Return the number of the best move one ply ahead, with its bonus, of a random part of the legal moves.

    A move that would end a game that is being lost is compared with all others (`bots.lost_games`).
    Raise ValueError if it is not the seat's decision.
    """
    gains, rng = searcher.gains(seen, seed), Rng(seed)
    worth = {move: gain + (bonus(seen, seen.setup.move(move)) if bonus else 0.0) for move, gain in gains.items()}
    moves = list(worth)
    for i in range(len(moves) - 1, 0, -1):
        j = randbelow(rng, i + 1)
        moves[i], moves[j] = moves[j], moves[i]
    best = max(moves[: max(2, len(moves) * percentage // 100)], key=worth.__getitem__)
    return move_instead(seen, seed, best, gains)
