"""Advice for people, computed in a separate process, which starts when a player opens a table that gives hints."""

import asyncio
import secrets
from collections.abc import Sequence
from itertools import chain, groupby, islice, takewhile
from math import hypot
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from spieltisch import tables
from spieltisch.bots.advice import PREPARING, Advice, AdvisedMove, advise
from spieltisch.bots.analysis import SIGNIFICANCE
from spieltisch.bots.comparing import EQUAL_SHARE, OTHERS, Difference, Mean
from spieltisch.bots.search import native_library
from spieltisch.core.position import Position
from spieltisch.core.words import Message, Name, Sentence, message, sentence, sentences
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.player_commands import Actor
from spieltisch.live.services import Tasks
from spieltisch.tables import Table, refusals
from spieltisch.workers import Workers, WorkFailed

ADVICE_TIMEOUT_SECONDS: Final = 60.0
"""The time after which a request is given up; it takes about a second."""

ADVICE_LEVEL: Final = "expert"
"""The level of the bot that gives advice."""
ADVICE = msgspec.json.Decoder(Advice)
MAX_REASONS: Final = 2
"""The maximum number of sentences about the replies of the others, one for each of them."""

OTHERS_SENTENCES: Final = {
    (True, True): sentences(
        "{source}: {count} more point than with the second move.",
        "{source}: {count} more points than with the second move.",
    ),
    (False, True): sentences(
        "{source}: {count} fewer point than with the second move.",
        "{source}: {count} fewer points than with the second move.",
    ),
    (True, False): sentences(
        "{source}: {count} more point than with the first move.",
        "{source}: {count} more points than with the first move.",
    ),
    (False, False): sentences(
        "{source}: {count} fewer point than with the first move.",
        "{source}: {count} fewer points than with the first move.",
    ),
}
"""Sentences that compare moves by the points of the others, by whether it is more, and whether the move is the best."""
SOURCE_SENTENCES: Final = {
    (True, True): sentence("Points for “{source}”: {count} more than with the second move."),
    (False, True): sentence("Points for “{source}”: {count} fewer than with the second move."),
    (True, False): sentence("Points for “{source}”: {count} more than with the first move."),
    (False, False): sentence("Points for “{source}”: {count} fewer than with the first move."),
}
"""Sentences that compare moves by the points from a source."""
COSTS: Final = {
    True: sentences("{source}: {count} point more, though.", "{source}: {count} points more, though."),
    False: sentences("{source}: {count} point fewer, though.", "{source}: {count} points fewer, though."),
}
"""Sentences with the largest difference in the other direction, by whether it is more."""

WINS: Final = {
    True: sentences(
        "Wins {count} more game in 100 than the second move.", "Wins {count} more games in 100 than the second move."
    ),
    False: sentences(
        "Wins {count} fewer game in 100 than the first move.", "Wins {count} fewer games in 100 than the first move."
    ),
}
"""Sentences that compare chances to win, by whether the move is the best."""
EQUAL: Final = message("As good as the first move.")
UNCLEAR: Final = message("No clear difference from the first move.")
ALL_EQUAL: Final = message("These moves are equally good.")
ALL_UNCLEAR: Final = message("No clear difference between these moves.")


class ExplainedMove(msgspec.Struct, frozen=True):
    """A recommended move with reasons.

    `chance` is its chance to win, `doubt` the standard error of that. `why` gives reasons in terms of the game: what
    it brings more or less than another move (`is_compared`), or else its effects. `replies` are the likely replies of
    the others. `ends_game` is True if the game ends with it, as its seat imagines the position.
    """

    advised: AdvisedMove
    chance: float
    doubt: float
    why: tuple[Message, ...]
    replies: tuple[Message, ...]
    ends_game: bool = False
    is_compared: bool = False


class ExplainedAdvice(msgspec.Struct, frozen=True):
    """The best moves, best first, with the factor by which their chances are to be trusted.

    Their labels begin with the same `shared_words` words. `equality` says once that they do not differ, or not clearly.
    """

    even: float
    trust: float
    moves: tuple[ExplainedMove, ...]
    shared_words: int = 0
    equality: Message | None = None

    @property
    def is_undecided(self) -> bool:
        """True if no chance differs significantly from an even one."""
        return bool(self.moves) and all(
            abs(move.chance - self.even) <= SIGNIFICANCE * move.doubt for move in self.moves
        )

    @property
    def shared_reason(self) -> Message | None:
        """The first reason, if there are several moves and it is that of all."""
        reasons = [move.why[:1] for move in self.moves]
        return reasons[0][0] if len(reasons) > 1 and reasons[0] and reasons.count(reasons[0]) == len(reasons) else None


class AdviceWorker:
    """A process that gives advice, one request at a time."""

    def __init__(self, live: LiveTables) -> None:
        self._tables = live
        self._workers = Workers("adviser", advise, 1, ADVICE_TIMEOUT_SECONDS)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.preparing = Tasks[None]()

    @property
    def processes(self) -> tuple[int, ...]:
        """The id of the process, if it is alive."""
        return self._workers.processes

    def prepare(self, position: Position) -> None:
        """Unless the process runs, start it in the background and let it load the game, before a hint is asked for."""
        if None not in self.preparing and not self.processes:
            self.preparing.start(None, self._prepare, position)

    async def _prepare(self, position: Position) -> None:
        try:
            if await asyncio.to_thread(native_library.find, position.setup.game) is not None:
                await self._workers.run(ADVICE_LEVEL, position.observe(position.seat).bytes, 0, 0, PREPARING)
        except WorkFailed:
            pass  # it is in the log, and a hint starts another process

    async def hints(
        self, table_id: str, speaker: Actor, seen_version: int, address: str = ""
    ) -> tuple[Table, ExplainedAdvice]:
        """Return the table and the best moves of the seat to move, best first.

        Raise `TableRefusal` `not-your-seat`, `turn`, `stale`, `no-advice`, `no-advice-yet`, `no-advice-now` or
        `not-running`.
        """
        async with self._locks.setdefault(address, asyncio.Lock()):  # one request at a time from one address
            table = await self._tables.get(table_id)
            person = speaker.id_at(table)
            position = tables.position_for_advice(table, person, seen_version)
            if await asyncio.to_thread(native_library.find, table.game) is None:
                raise refusals.no_advice_yet()
            try:
                observation, earlier_moves = (
                    position.observe(position.seat).bytes,
                    0 if table.what_if is None else table.what_if.at,
                )
                encoded = await self._workers.run(ADVICE_LEVEL, observation, secrets.randbits(63), earlier_moves)
            except WorkFailed as error:
                raise refusals.no_advice_now() from error
        answer = ADVICE.decode(encoded)
        table = await self._tables.run(table_id, tables.hint_taken, person)
        return table, await asyncio.to_thread(explain, position, answer)

    async def close(self) -> None:
        """End the process, if it runs."""
        await asyncio.gather(self.preparing.end(), self._workers.stop())


def explain(position: Position, advice: Advice) -> ExplainedAdvice:
    """Return advice in the terms of the game; `position` is the one it was given for, true or imagined."""
    compared = [_comparison(position, advice, move) for move in advice.moves]
    equal = _equal_sentence(compared)
    pairs = zip(advice.moves, [()] * len(compared) if equal else compared, strict=True)
    return ExplainedAdvice(
        advice.even_chance,
        advice.trust,
        tuple(_explain_move(position, advice, move, comparison) for move, comparison in pairs),
        _count_shared_words([[word.label for word in position.words(move.move)] for move in advice.moves]),
        equal,
    )


def _equal_sentence(compared: Sequence[tuple[Message, ...]]) -> Message | None:
    """Return the sentence that says once what all comparisons with the best move say; None if they say more."""
    if len(compared) < 2 or compared[0] or not all(said in ((EQUAL,), (UNCLEAR,)) for said in compared[1:]):
        return None
    return ALL_UNCLEAR if (UNCLEAR,) in compared else ALL_EQUAL


def _count_shared_words(labels: Sequence[Sequence[Message | Name]]) -> int:
    """Return with how many equal words several labels begin; at least one word of each remains."""
    equal = takewhile(lambda words: len(words) == words.count(words[0]) > 1, zip(*labels, strict=False))
    return min([sum(1 for _ in equal), *(len(words) - 1 for words in labels)])


def _explain_move(
    position: Position, advice: Advice, advised: AdvisedMove, comparison: tuple[Message, ...]
) -> ExplainedMove:
    observation, game = position.observe(position.seat), position.setup.game
    why = comparison or tuple(game.advice_reasons(observation, advised.line.own_events))
    if not why:
        why = tuple(filter(None, [position.hint(advised.move)]))
    by_seat = groupby(advised.line.reply_events, lambda event: event.seat)
    first_sentences = (game.log(position.setup, tuple(own), observation.seat)[:1] for _, own in by_seat)
    replies = islice(chain.from_iterable(first_sentences), MAX_REASONS)
    imagined = observation.imagine(0)
    imagined.play(advised.move)
    return ExplainedMove(
        advised,
        advice.chance(advised),
        advice.doubt(advised),
        why,
        tuple(replies),
        ends_game=imagined.is_over,
        is_compared=bool(comparison),
    )


def _comparison(position: Position, advice: Advice, advised: AdvisedMove) -> tuple[Message, ...]:
    """Return what the best move brings more than the second, or another one less than the best, and what it costs.

    Points by source say it best, as far as these do not cost more than they bring; then chances; else what differs at
    all. Nothing is said of which the simulated games are not sure.
    """
    comparison, is_best = advised.comparison, advised is advice.moves[0]
    if comparison is None:
        return ()
    brought = next((found for found in comparison.differences if found.is_good == is_best), None)
    cost = next((found for found in comparison.differences if found.is_good != is_best), None)
    is_reason = brought is not None and (cost is None or abs(cost.points) <= abs(brought.points))
    games = _more_games_won(advice, advised, comparison.won) if comparison.won else 0
    if brought is not None and (is_reason or (comparison.won and not games)):
        text = _compare_points(position, brought, is_best=is_best)
    elif games:
        text = WINS[is_best].fill({"count": games})
    elif cost is not None and comparison.won and not is_best:
        return (_compare_points(position, cost, is_best=is_best),)
    elif comparison.won is None or cost is not None or is_best:
        return ()  # a second move says that it is equal to the first
    else:
        gap = abs(advice.chance(advised) - advice.chance(advice.moves[0]))  # it is shown beside the sentence
        return (EQUAL if comparison.is_equal and gap < EQUAL_SHARE else UNCLEAR,)
    if cost is None:
        return (text,)
    return (message("{comparison} {cost}", comparison=text, cost=_fill(COSTS[cost.points > 0], position, cost)),)


def _more_games_won(advice: Advice, advised: AdvisedMove, simulated: Mean) -> int:
    """Return how many games of 100 the best move wins more than the second, or another one fewer than the best.

    These are the chances that are shown; 0 if the search and the simulated games together are not sure of it.
    """
    is_best = advised is advice.moves[0]
    other = advice.moves[1 if is_best else 0]
    together = Mean(advised.won - other.won, hypot(advised.doubt, other.doubt)).joined(simulated)
    chances = [round(100 * advice.chance(move)) for move in ((advised, other) if is_best else (other, advised))]
    return max(0, chances[0] - chances[1]) if together.is_sure and (together.mean > 0) == is_best else 0


def _compare_points(position: Position, difference: Difference, *, is_best: bool) -> Message:
    """Return the sentence about the points after a move and after the one with which it is compared."""
    texts = OTHERS_SENTENCES if difference.source == OTHERS else SOURCE_SENTENCES
    return _fill(texts[difference.points > 0, is_best], position, difference)


def _fill(text: Sentence, position: Position, difference: Difference) -> Message:
    """Return a sentence about a difference."""
    setup, number = position.setup, difference.source
    name = message("The others") if number == OTHERS else setup.game.point_source_name(setup, number)
    return text.fill({"source": name or "", "count": round(abs(difference.points))})
