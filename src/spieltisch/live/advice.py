"""Advice for people, worked out in a process of its own, which starts when the first of them asks."""

from __future__ import annotations

import asyncio
import secrets
from itertools import chain, groupby, islice
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from spieltisch import tables
from spieltisch.bots.advice import Advice, AdvisedMove, advise
from spieltisch.bots.analysis import SIGNIFICANCE
from spieltisch.bots.search import native_library
from spieltisch.core.position import Position
from spieltisch.core.words import Message
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.player_commands import Actor
from spieltisch.tables import Table, refusals
from spieltisch.workers import Workers, WorkFailed

SECONDS: Final = 60.0
"""After which an answer is given up; it takes less than one, and the first a start of the process."""

ADVICE_LEVEL: Final = "master"
ADVICE = msgspec.json.Decoder(Advice)
MAX_REASONS: Final = 2
"""So many sentences are told of what the others may do then, one of each of them."""


class ExplainedMove(msgspec.Struct, frozen=True):
    """A move that is advised: its chance to win with the doubt of that; why, in the game's own terms; what the others
    may do then; and whether the game `ends` with it, as its seat imagines it.
    """

    advised: AdvisedMove
    chance: float
    doubt: float
    why: tuple[Message, ...]
    then: tuple[Message, ...]
    ends: bool = False


class ExplainedAdvice(msgspec.Struct, frozen=True):
    """The best moves, best first, and how far their chances are to be trusted."""

    even: float
    trust: float
    moves: tuple[ExplainedMove, ...]

    @property
    def undecided(self) -> bool:
        """Whether none of the chances is farther from even than doubt goes."""
        return bool(self.moves) and all(abs(one.chance - self.even) <= SIGNIFICANCE * one.doubt for one in self.moves)


class AdviceWorker:
    """One process that advises, one question after the other."""

    def __init__(self, live: LiveTables) -> None:
        self._tables = live
        self._workers = Workers("adviser", advise, 1, SECONDS)
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def hints(self, table_id: str, speaker: Actor, seen: int, address: str = "") -> tuple[Table, ExplainedAdvice]:
        """The best moves for who has to decide, best first. Raises `TableRefusal` not-your-seat, turn, stale,
        no-advice, no-advice-yet, no-advice-now, not-running.
        """
        async with self._asking.setdefault(address, asyncio.Lock()):  # nobody waits for all that one address asks
            table = await self._tables.get(table_id)
            person = speaker.id_at(table)
            position = tables.position_for_advice(table, person, seen)
            if await asyncio.to_thread(native_library.find, table.game) is None:
                raise refusals.no_advice_yet()
            try:
                asked, before = position.observe(position.seat).bytes, 0 if table.what_if is None else table.what_if.at
                answer = await self._workers.run(ADVICE_LEVEL, asked, secrets.randbits(63), before)
            except WorkFailed as problem:
                raise refusals.no_advice_now() from problem
        found = ADVICE.decode(answer)
        table = await self._tables.run(table_id, tables.hint_taken, person)
        return table, await asyncio.to_thread(explain, position, found)

    async def stop(self) -> None:
        """End the process, if there is one."""
        await self._workers.stop()


def explain(position: Position, advice: Advice) -> ExplainedAdvice:
    """Advice in the words of the game; the position is the one it was given for, true or imagined."""
    return ExplainedAdvice(
        advice.even_chance, advice.trust, tuple(_hint(position, advice, one) for one in advice.moves)
    )


def _hint(position: Position, advice: Advice, one: AdvisedMove) -> ExplainedMove:
    seen, game = position.observe(position.seat), position.setup.game
    why = tuple(game.advice_reasons(seen, one.line.own_events)) or tuple(filter(None, [position.hint(one.move)]))
    theirs = groupby(one.line.reply_events, lambda event: event.seat)
    first = (game.log(position.setup, tuple(own), seen.seat)[:1] for _, own in theirs)
    then = islice(chain.from_iterable(first), MAX_REASONS)
    after = seen.imagine(0)
    after.play(one.move)
    return ExplainedMove(one, advice.chance(one), advice.doubt(one), why, tuple(then), after.over)
