"""Duels of masters that search a turn once against masters that search each of its decisions alone, as they once did.

    python -m bench.turn_duels --games 40 --share 0.1 --jobs 2 --limit 3600 --out duels.jsonl

At a table of four, each has a pair of seats; two games in a row have the same deal with the seats exchanged. A decision
searched alone has `ALONE`, a turn the budget of `levels.LEVELS`, both times `--share`. Results are added to the file
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
from spieltisch.bots import levels
from spieltisch.bots.search import native_library
from spieltisch.bots.search.searcher import Budget
from spieltisch.bots.turns import Answer, digest
from spieltisch.games import GAMES
from spieltisch.lab.arena import interval, seatings

ALONE: Final = Budget(simulations=4000, seconds=2.0)
"""The budget of a decision that is searched alone."""
SEATS: Final = 4
"""The number of players of a game."""


class Duel(NamedTuple):
    """A game and its number, the share of the budgets, and the seed of the deals."""

    game: str
    number: int
    share: float
    seed: int


class Played(NamedTuple):
    """A duel's result.

    `won` is the share of the win of the seats that search turns. `turns` and `turn_seconds` are the number of their
    answers and the processor time of all; `decisions` and `decision_seconds` those of decisions searched alone.
    """

    duel: Duel
    won: float
    turns: int
    turn_seconds: float
    decisions: int
    decision_seconds: float


def of_share(budget: Budget, share: float) -> Budget:
    """Return a share of a budget."""
    assert budget.simulations is not None
    assert budget.seconds is not None
    return msgspec.structs.replace(
        budget, simulations=round(share * budget.simulations), seconds=share * budget.seconds
    )


def play(duel: Duel) -> Played:
    """Play a duel."""
    game, sittings = spieltisch.game(duel.game), seatings(SEATS)
    searches_turns = sittings[duel.number % len(sittings)]
    position = game.start(SEATS, seed=(duel.seed << 32) + duel.number // 2)
    turn, alone = of_share(levels.LEVELS["master"], duel.share), of_share(ALONE, duel.share)
    left: Answer = ()
    turns, turn_seconds, decisions, decision_seconds = 0, 0.0, 0, 0.0
    while (seat := position.seat) is not None:
        legal, seen = position.legal_moves.numbers, position.observe(seat)
        begun = time.process_time()
        if left and left[0].expected == digest(seen):
            move, left = position.move(left[0].move).number, left[1:]
        elif len(legal) == 1:
            move = int(legal[0])
        elif searches_turns[seat]:
            answer = levels.answer_as_level("master", seen, position.number, turn)
            move, left = position.move(answer[0].move).number, answer[1:]
            turns, turn_seconds = turns + 1, turn_seconds + time.process_time() - begun
        else:
            move = levels.search(seen, position.number, alone, levels.search_params_of(game)).move
            decisions, decision_seconds = decisions + 1, decision_seconds + time.process_time() - begun
        position.play(move)
    assert position.outcome is not None
    winners = position.outcome.winners
    won = sum(searches_turns[seat] for seat in winners) / len(winners)
    return Played(duel, won, turns, turn_seconds, decisions, decision_seconds)


def table(played: list[Played]) -> str:
    """Return the results as a table."""
    lines = ["| game | games | won by turns | interval | s a turn | s a decision alone |", "|---|---|---|---|---|---|"]
    for key in GAMES:
        own = [one for one in played if one.duel.game == key]
        if not own:
            continue
        won, (low, high) = sum(one.won for one in own), interval(sum(one.won for one in own), len(own))
        turn = sum(one.turn_seconds for one in own) / max(1, sum(one.turns for one in own))
        alone = sum(one.decision_seconds for one in own) / max(1, sum(one.decisions for one in own))
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
    played = [Played(Duel(*one[0]), *one[1:]) for one in map(json.loads, lines)]
    wanted = [
        Duel(key, number, arguments.share, arguments.seed)
        for number in range(arguments.games)
        for key in arguments.keys
    ]
    known = {one.duel for one in played}
    played = [one for one in played if one.duel in wanted]
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool, arguments.out.open("a") as out:
        results = pool.imap_unordered(play, [duel for duel in wanted if duel not in known])
        while (left := end - time.monotonic()) > 0:
            try:
                one = results.next(left)
            except (StopIteration, multiprocessing.TimeoutError):
                break
            played.append(one)
            print(json.dumps(one), file=out, flush=True)
    print(table(played))


if __name__ == "__main__":
    main()
