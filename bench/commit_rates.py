"""The rates of one commit, as JSON on the output; `bench.compare_commits` runs this with the sources of each commit.

It uses nothing that older commits do not have.
"""

from __future__ import annotations

import json
import random
import sys
from time import thread_time

import spieltisch
from spieltisch.lab.bench import bench

CALLS = 400
"""The number of positions at which single calls are timed."""


def measure_rates(key: str, seconds: float) -> dict[str, float]:
    """Return games a second of the compiled rules, and calls a second from Python, 4 seats."""
    games = bench(spieltisch.game(key, compiled=True).setup(4), seconds).games_per_second
    chance, seed = random.Random(1), 0
    positions: list[spieltisch.Position] = []
    game = spieltisch.game(key)
    while len(positions) < CALLS:
        position = game.start(4, seed=seed)
        seed += 1
        while not position.is_over and len(positions) < CALLS:
            if chance.random() < 0.2:
                positions.append(position.copy())
            position.play(chance.choice(position.legal_moves))
    start = thread_time()
    for position in positions:
        position.observe(position.seat)
    observed = thread_time()
    for position in positions:
        _ = position.legal_moves
    listed = thread_time()
    return {
        "games": games,
        "observe": CALLS / (observed - start),
        "legal_moves": CALLS / (listed - observed),
        "both": CALLS / (listed - start),
    }


if __name__ == "__main__":
    print(json.dumps({key: measure_rates(key, float(sys.argv[1])) for key in sys.argv[2:]}))
