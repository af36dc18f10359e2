"""Duels of expert bots: those that search a turn once against those that search each of its decisions alone.

    python -m bench.turn_duels --games 40 --share 0.1 --jobs 2 --limit 3600 --out duels.jsonl

At a table of four, each has a pair of seats; two games in a row have the same deal with the seats exchanged. A decision
searched alone has `ALONE`, a turn the budget of `levels.LEVELS`, both times `--share`. With another share for `--alone`
both can be given equal times for a turn. Results are added to the file
`--out`; a game in it is not played again. After `--limit` seconds the games in progress are dropped. Equal seeds give
the same deals; moves depend on how far a search gets in its time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.bots.turns import Answer, single
from spieltisch.core.observation import Observation
from spieltisch.games import GAMES
from spieltisch.lab.arena import interval, seatings

ALONE: Final = Budget(simulations=4000, seconds=2.0)
"""The budget of a decision that is searched alone."""
SEATS: Final = 4
"""The number of players of a game."""


class Duel(NamedTuple):
    """A game and its number, the shares of the budgets of a turn and of a decision alone, and the seed of the deals."""

    game: str
    number: int
    share: float
    alone: float
    seed: int


class DuelResult(NamedTuple):
    """A duel's result.

    `won` is the share of the win of the seats that search turns; `turns` are the turns, and `seconds` the processor
    time of all, of the seats that search decisions alone and of those that search turns. A turn lasts until another
    seat is to decide.
    """

    duel: Duel
    won: float
    turns: tuple[int, int]
    seconds: tuple[float, float]


def scale_budget(budget: Budget, share: float) -> Budget:
    """Return a share of a budget."""
    assert budget.simulations is not None
    assert budget.seconds is not None
    return msgspec.structs.replace(
        budget, simulations=round(share * budget.simulations), seconds=share * budget.seconds
    )


def play_duel(duel: Duel) -> DuelResult:
    """Play a duel."""
    game, sittings = spieltisch.game(duel.game), seatings(SEATS)
    searches_turns = sittings[duel.number % len(sittings)]
    position = game.start(SEATS, seed=(duel.seed << 32) + duel.number // 2)
    turn, alone = scale_budget(levels.LEVELS["expert"], duel.share), scale_budget(ALONE, duel.alone)
    params, left, last = levels.search_params_of(game), bots.Turns(), -1

    def in_turns(seen: Observation, seed: int) -> Answer:
        return levels.answer_as_level("expert", seen, seed, turn)

    def one_decision(seen: Observation, seed: int) -> Answer:
        return single(seen, levels.search(seen, seed, alone, params).move)

    turns, seconds = [0, 0], [0.0, 0.0]
    while (seat := position.seat) is not None:
        side, seen, begun = searches_turns[seat], position.observe(seat), time.process_time()
        move = left.decide(in_turns if side else one_decision, seen, lambda: position.number)
        seconds[side] += time.process_time() - begun
        turns[side] += seat != last
        position.play(move)
        last = seat
    assert position.outcome is not None
    winners = position.outcome.winners
    won = sum(searches_turns[seat] for seat in winners) / len(winners)
    return DuelResult(duel, won, (turns[0], turns[1]), (seconds[0], seconds[1]))


def render_table(played: list[DuelResult]) -> str:
    """Return the results as a table."""
    lines = ["| game | games | won by turns | interval | s a turn | s a turn, alone |", "|---|---|---|---|---|---|"]
    for key in GAMES:
        own = [row for row in played if row.duel.game == key]
        if not own:
            continue
        won, (low, high) = sum(row.won for row in own), interval(sum(row.won for row in own), len(own))
        alone, turn = (sum(row.seconds[i] for row in own) / max(1, sum(row.turns[i] for row in own)) for i in (0, 1))
        lines.append(
            f"| {key} | {len(own)} | {won / len(own):.0%} | {100 * low:.0f} to {high:.0%} | {turn:.2f} | {alone:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("keys", nargs="*", metavar="game", default=list(GAMES))
    parser.add_argument("--games", type=int, default=40, help="games of each game")
    parser.add_argument("--share", type=float, default=0.1, help="the share of the budgets")
    parser.add_argument("--alone", type=float, help="the share of the budget of a decision alone, if another")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1e6, help="seconds after which it stops")
    parser.add_argument("--out", type=Path, default=Path("turn_duels.jsonl"))
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.limit
    for key in arguments.keys:
        if native_library.find(spieltisch.game(key)) is None:
            native_library.build(key)
    lines = arguments.out.read_text().splitlines() if arguments.out.exists() else []
    played = [msgspec.convert(json.loads(line), DuelResult) for line in lines]
    wanted = [
        Duel(
            key,
            number,
            arguments.share,
            arguments.share if arguments.alone is None else arguments.alone,
            arguments.seed,
        )
        for number in range(arguments.games)
        for key in arguments.keys
    ]
    known = {row.duel for row in played}
    played = [row for row in played if row.duel in wanted]
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool, arguments.out.open("a") as out:
        results = pool.imap_unordered(play_duel, [duel for duel in wanted if duel not in known])
        while (left := end - time.monotonic()) > 0:
            try:
                duel_row = results.next(left)
            except (StopIteration, multiprocessing.TimeoutError):
                break
            played.append(duel_row)
            print(json.dumps(duel_row), file=out, flush=True)
    print(render_table(played))


if __name__ == "__main__":
    main()
