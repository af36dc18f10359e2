"""The effect of bots' styles: how often each plays what each style likes, and how often it wins.

    python -m bench.styles era-of-inventions --games 40 --seed 1

A medium bot of each style that the game knows, and one without, play each other at four seats, rotating from game to
game. Counted are the decisions at which a style liked some legal moves but not others.
"""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial

import spieltisch
from spieltisch import bots
from spieltisch.bots import styles
from spieltisch.bots.search import native_library
from spieltisch.core.moves import Move

LEVEL = "medium"
"""The level of the bots."""
SEATS = 4
"""The number of players of a game."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    native_library.build(arguments.game)
    game = spieltisch.game(arguments.game)
    names = [LEVEL, *(f"{LEVEL}+{style}" for style in game.styles)]
    bonuses = {style: bonus for style in game.styles if (bonus := styles.bonus_of(game, style))}
    chances, liked = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    seats, won = Counter[str](), Counter[str]()
    for number in range(arguments.games):
        players = [names[(number + seat) % len(names)] for seat in range(SEATS)]
        position, turns = game.start(SEATS, seed=(arguments.seed << 32) + number), bots.Turns()
        while (seat := position.seat) is not None:
            legal = position.legal_moves
            move: Move = legal[0]
            if len(legal) > 1:
                move = position.setup.move(
                    turns.decide(players[seat], position.observe(seat), partial(int, position.number))
                )
            seen = position.observe(seat)
            for style, bonus in bonuses.items():
                if 0 < sum(bonus(seen, one) > 0 for one in legal) < len(legal):
                    chances[players[seat], style] += 1
                    liked[players[seat], style] += bonus(seen, move) > 0
            position.play(move)
        assert position.outcome is not None
        seats.update(players)
        for seat in position.outcome.winners:
            won[players[seat]] += 1 / len(position.outcome.winners)  # type: ignore[assignment]  # a win that is shared
    for name in names:
        shares = "  ".join(f"{style} {liked[name, style] / chances[name, style]:.0%}" for style in game.styles)
        print(f"{name}: plays what is liked by  {shares}; wins {won[name] / seats[name]:.0%} of {seats[name]}")


if __name__ == "__main__":
    main()
