"""Whole games, in Python, of bots that sample what they cannot know.

A searching bot decides by its observation. If a move may reveal hidden information to its seat, a bot that tried its
moves on the true state would use what it cannot know. So bots get their observation here and sample the rest, as at a
table.
"""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

from spieltisch.bots import Turns, external, is_built_in, parse_bot_name
from spieltisch.bots.external import BotFailed, traceback_of
from spieltisch.core import game_loops
from spieltisch.core.chance import Rng, next_u64, randbelow
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup


def needs_python(setup: Setup, bots: Sequence[str]) -> bool:
    """Return True if the compiled loops cannot play these bots.

    These are searching and external ones, and the easy one if a move may reveal hidden information: it must not try
    its moves on the true state.
    """
    if any(name not in ("random", "easy") for name in bots):
        return True
    return setup.game.has_hidden_information and setup.game.moves_reveal and "easy" in bots


def play_games(setup: Setup, pool: Any, first: int, count: int, bots: Sequence[Sequence[str]], max_moves: int,
               totals: Any, orders: Any, ends: Any, lengths: Any, log: Any) -> int:  # fmt: skip
    """Play games as `play_games` of `spieltisch.core.game_loops` does, with the same results.

    The game with seed x depends on nothing but x and `bots`, of which `bots[x % len(bots)][p]` is in seat p. Random
    bots decide as they do there.
    """
    played = 0
    for g in range(count):
        seed = first + g
        position, mind, turns = Position.start(setup, seed=seed), Rng(seed ^ game_loops.BOT_SEED_SALT), Turns()
        sitting = bots[seed % len(bots)]
        at = _log_move(log, 1, setup, -1, -1, position.setup_draws)
        moved: dict[int, int] = {}
        while (seat := position.seat) is not None and position.number < max_moves:
            moved.setdefault(seat, len(moved) + 1)
            if sitting[seat] == "random":
                moves = position.legal_moves.numbers
                number = moves[randbelow(mind, len(moves))]
            else:
                number = _decide(position, turns, sitting[seat], mind)
            at = _log_move(log, at, setup, seat, number, position.play(number).drew)
        pool[0] = position.state
        totals[g][:] = position.scores
        orders[g][:] = [moved.get(seat, 0) for seat in range(position.seats)]
        ends[g] = pool[0].ended_by if position.is_over else game_loops.STOPPED
        lengths[g] = position.number
        played += position.number
        if len(log) > 0:
            log[0] = at
    return played


def _decide(position: Position, turns: Turns, name: str, mind: Rng) -> int:
    """Return the move of a bot; an error of an external one is reported with its name and where it was raised."""
    try:
        with _time_limit(name):
            number = turns.decide(name, position.observe(position.seat), lambda: next_u64(mind))
        if not is_built_in(name) and (refusal := position.why_not(number)) is not None:
            raise BotFailed(f"that is not allowed ({refusal.rule}): {refusal.message}")
    except Exception as error:
        if is_built_in(name):
            raise
        words = f"{name} failed at move {position.number + 1}: {type(error).__name__}: {error}"
        raise BotFailed(f"{words}\n{traceback_of(error)}".rstrip()) from error
    return number


@contextmanager
def _time_limit(name: str) -> Iterator[None]:
    """Stop an external bot with a budget when an answer would be given up at a table, too. Raise BotFailed.

    Not on Windows, which has no such timer, and not in other threads.
    """
    budget = None if is_built_in(name) else parse_bot_name(name).seconds
    if budget is None or not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    seconds = max(external.ANSWER_SECONDS, 2 * budget)

    def stop(number: int, frame: FrameType | None) -> None:
        raise BotFailed(f"it had not answered after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _log_move(log: Any, at: int, setup: Setup, seat: int, move: int, drew: Sequence[str]) -> int:
    """Log a move as `log_move` of the compiled loops does, if there is a log."""
    numbers = [seat, move, len(drew), *(setup.draw_codes[text] for text in drew)]
    if len(log) == 0 or at < 0 or at + len(numbers) > len(log):
        return -1
    log[at : at + len(numbers)] = numbers
    return at + len(numbers)
