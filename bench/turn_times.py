"""The time that expert bots take for whole turns, asked as a table asks them.

    python -m bench.turn_times --turns 30

In a fresh worker process, as after the start of a server, three expert bots take the first turns of a game one after
the other; then they play on. A turn lasts from the first question of its seat until another seat is to decide, and may
need several answers if something is drawn or revealed. The process time tells what other work on the machine added.
"""

from __future__ import annotations

import argparse
import asyncio
import time

import spieltisch
from spieltisch import bots
from spieltisch.bots.search import native_library
from spieltisch.bots.turns import Answer, digest
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from spieltisch.workers import Workers

BOT = "expert"
"""The bot that is measured."""
SEATS = 4
"""The number of players of a game."""
IN_A_ROW = 3
"""The number of bots between two turns of a person."""


def timed_answer(name: str, observation: bytes, seed: int) -> tuple[Answer, float]:
    """Return the answer and the process time that it took."""
    begun = time.process_time()
    return bots.choose_turn(name, observation, seed), time.process_time() - begun


async def take_turn(position: Position, workers: Workers[[str, bytes, int], tuple[Answer, float]]) -> float:
    """Play a turn of the seat to decide; return the process time."""
    seat, used = position.seat, 0.0
    while position.seat == seat and seat is not None:
        answer, seconds = await workers.run(BOT, position.observe(seat).bytes, position.number)
        used += seconds
        for move in answer:
            if position.seat != seat or digest(position.observe(seat)) != move.expected:
                break
            position.play(move.move)
    return used


async def measure(key: str, turns: int) -> None:
    """Print a game's line of the table."""
    position = spieltisch.game(key).start(SEATS, seed=1)
    begun = time.monotonic()
    workers = Workers("bot", timed_answer, 1, 60.0)
    await workers.start()
    try:
        for _ in range(IN_A_ROW):
            await take_turn(position, workers)
        fresh = time.monotonic() - begun
        walls, process_times = list[float](), list[float]()
        while position.seat is not None and len(walls) < turns:
            begun = time.monotonic()
            process_times.append(await take_turn(position, workers))
            walls.append(time.monotonic() - begun)
    finally:
        await workers.stop()
    rows = [sum(walls[at : at + IN_A_ROW]) for at in range(len(walls) - IN_A_ROW + 1)]
    print(
        f"| {key} | {len(walls)} | {sum(walls) / len(walls):.2f} | {max(walls):.2f} | {max(process_times):.2f} "
        f"| {max(rows, default=sum(walls)):.2f} | {fresh:.2f} |",
        flush=True,
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("keys", nargs="*", metavar="game", default=list(GAMES))
    parser.add_argument("--turns", type=int, default=30)
    arguments = parser.parse_args()
    print("| game | turns | mean s | longest s | longest process time | three in a row | the first three, fresh |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for key in arguments.keys:
        if native_library.find(spieltisch.game(key)) is None:
            native_library.build(key)
        asyncio.run(measure(key, arguments.turns))


if __name__ == "__main__":
    main()
