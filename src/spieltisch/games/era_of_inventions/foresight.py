"""What a choice would do, said before it is made, and what a turn came to.

Nothing is worked out here a second time: a step is taken by the rules themselves in an imagined position, and what
differs is said. A second try, on an influence track without symbols, tells what the track gave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spieltisch.core import twin
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, SeatName, message, messages
from spieltisch.games.era_of_inventions.amounts import amount, amounts, card_name, listed
from spieltisch.games.era_of_inventions.board import Board
from spieltisch.games.era_of_inventions.factories import yield_all
from spieltisch.games.era_of_inventions.inventing import field_is_free, gold_comes_first, step_left
from spieltisch.games.era_of_inventions.notation import mix_of
from spieltisch.games.era_of_inventions.numbers import (
    BUILD_ONE,
    BUY_ONE,
    DEVELOP_ONE,
    EXCHANGE_ANY,
    EXCHANGE_LINE,
    MOVES,
    PATENT_NOTHING,
    PATENT_ONE,
    PRODUCE_MIX,
    PRODUCE_ONE,
    RUN_ONE,
    TAKE_BACK,
    TAKE_STONE,
)
from spieltisch.games.era_of_inventions.rules import do, list_steps
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    BUILD,
    BUY,
    COIN,
    FIRST_OFFICIAL,
    GOODS,
    INFLUENCE,
    INVENTIONS,
    MARKET,
    MOST_PATENTS,
    NONE,
    PRODUCE,
    STONE,
    YIELD,
)
from spieltisch.games.era_of_inventions.turns import use_disc

MOST_NAMED = 4
"""So many things are named; of more it is said how many."""


@dataclass(frozen=True)
class Change:
    """What differs for one player: goods, influence and bonus discs gained or, below zero, paid; what of the goods came
    from symbols of the influence track; the influence before.
    """

    row: list[int]
    track: list[int]
    was: int

    @property
    def paid(self) -> list[int]:
        return [max(0, -number) for number in self.row]

    @property
    def got(self) -> list[int]:
        """What was gained but for influence and what the track gave."""
        found = [max(0, number) for number in self.row]
        found[INFLUENCE] = 0
        return found


def hint(observation: Observation, move: Move) -> Message | None:
    """See `Game.hint`."""
    number = move.number
    if number < BUILD_ONE:
        return None if number >= TAKE_BACK else _opened(observation, number % ACTIONS)
    if number > PATENT_NOTHING:
        return None
    return _joined(list(_step(observation, number)))


def turn_summary(before: Observation, after: Observation, seat: int) -> list[Message]:
    """See `Game.turn_summary`. The bonuses at the end of the game belong to no move."""
    board, view = after.setup.board, after.view
    told = []
    mine = _between(before.view, view, seat)
    if any(mine.paid):
        told.append(message("Spent: {goods}.", goods=amounts(board, mine.paid)))
    if any(mine.got):
        told.append(message("Received: {goods}.", goods=amounts(board, mine.got)))
    if mine.row[INFLUENCE]:
        told.append(_pawn(mine, board))
    if view.players[seat].output != before.view.players[seat].output:
        told.append(message("Your factories now yield {goods}.", goods=amounts(board, view.players[seat].output)))
    for p in range(after.setup.seats):
        if p != seat:
            told += _received(board, p, _between(before.view, view, p))
    return told


# --- What a step would do. ---


def _step(observation: Observation, number: int) -> Iterator[Message]:
    setup, view = observation.setup, observation.view
    board, seat = setup.board, view.seat
    after = observation.imagine(0).state
    silent = twin.clone(after)
    do(after, setup.plain_params, number)
    do(silent, _without_symbols(setup), number)
    mine = _between(view, after, seat, silent)
    if RUN_ONE <= number < BUY_ONE:
        yield message("You receive {goods}.", goods=amounts(board, mine.got))
    elif BUY_ONE <= number < PRODUCE_ONE:
        yield message("{cost} for {goods}.", cost=amounts(board, mine.paid), goods=amounts(board, mine.got))
    elif EXCHANGE_LINE <= number < DEVELOP_ONE:
        yield from _then_held(board, after.players[seat], mine)
    elif number >= DEVELOP_ONE:
        yield message("Costs {cost}.", cost=amounts(board, mine.paid))
    if mine.row[INFLUENCE]:
        yield _pawn(mine, board)
    if after.players[seat].output != view.players[seat].output:
        yield message("Your factories then yield {goods}.", goods=amounts(board, after.players[seat].output))
    if PRODUCE_ONE <= number < EXCHANGE_LINE:
        yield from _paid_for(observation, number, after, silent)


def _then_held(board: Board, me: Any, mine: Change) -> Iterator[Message]:
    """What the player then has of what an exchange gives."""
    row = [have if number > 0 else 0 for have, number in zip(me.goods, mine.got[:GOODS], strict=True)]
    if any(row):
        yield message("You then have {goods}.", goods=amounts(board, row))


def _pawn(mine: Change, board: Board) -> Message:
    """Where the pawn lands, and what the track gives there."""
    before, after = mine.was, mine.was + mine.row[INFLUENCE]
    if not any(mine.track):
        return message("Influence {before} → {after}.", before=before, after=after)
    goods = amounts(board, mine.track)
    return message("Influence {before} → {after}; the track gives {goods}.", before=before, after=after, goods=goods)


def _paid_for(observation: Observation, number: int, after: Any, silent: Any) -> Iterator[Message]:
    board = observation.setup.board
    card = number - PRODUCE_ONE if number < PRODUCE_MIX else mix_of(board, number)[0]
    if card < FIRST_OFFICIAL:
        return
    told = [
        said
        for p in range(observation.setup.seats)
        if p != observation.view.seat
        for said in _received(board, p, _between(observation.view, after, p, silent))
    ]
    yield from told or [message("Nobody else is paid.")]


def _received(board: Board, p: int, change: Change) -> Iterator[Message]:
    row = [number + track for number, track in zip(change.row, [*change.track, 0, 0], strict=True)]
    if any(row):
        yield message("{player} receives {goods}.", player=SeatName(p), goods=amounts(board, row))


def _between(before: Any, after: Any, p: int, silent: Any = None) -> Change:
    """What differs for a player between two states or views. `silent`: the same on a track without symbols."""
    was, now = before.players[p], after.players[p]
    goods = now.goods if silent is None else silent.players[p].goods
    row = [goods[kind] - was.goods[kind] for kind in range(GOODS)]
    influence = sum(now.earned[:MOST_PATENTS]) - sum(was.earned[:MOST_PATENTS])
    track = [now.goods[kind] - goods[kind] for kind in range(GOODS)]
    return Change([*row, influence, now.bonus - was.bonus], track, was.influence)


@lru_cache(maxsize=32)
def _without_symbols(setup: Setup) -> Any:
    """Components and options with an influence track that gives nothing."""
    c = twin.clone(setup.plain_params)
    c.symbol[:] = [NONE] * len(c.symbol)
    return c


# --- What an action field would let a player do now. ---


def _opened(observation: Observation, action: int) -> Message | None:
    """What the seat could do in this action as things are."""
    setup = observation.setup
    s, c = observation.imagine(0).state, setup.plain_params
    use_disc(s, c, action)
    if action == YIELD:
        yield_all(s, c)
        mine = _between(observation.view, s, observation.view.seat)
        return message("Your factories yield {goods}.", goods=amounts(setup.board, mine.got))
    if action == BUY:
        return _loads(s, c)
    steps = _steps(s, c, action)
    if action == BUILD:
        return _factories(setup.board, c, steps)
    if action == PRODUCE:
        return _cards(setup.board, c, steps)
    if action == MARKET:
        return _market(setup.board, steps)
    return _fields(setup.board, s, c, steps)


def _steps(s: Any, c: Any, action: int) -> list[int]:
    out = [0] * MOVES
    return out[: list_steps(s, c, action, out, 0)]


def _factories(board: Board, c: Any, steps: Sequence[int]) -> Message:
    """Which factories can be paid for, each by itself: what one costs is gone for the others."""
    names = [board.works[number - BUILD_ONE].name for number in steps]
    if not names:
        return message("You can pay for none of the factories in the row.")
    if len(names) == 1:
        return message("You can pay for: {factory}.", factory=names[0])
    return message(
        "You can pay for any one of {count} factories, at most {most} in all: {names}.",
        count=len(names),
        most=c.most_factories,
        names=_some(names),
    )


def _cards(board: Board, c: Any, steps: Sequence[int]) -> Message:
    """Which cards can be produced, each by itself."""
    cards = sorted({n - PRODUCE_ONE if n < PRODUCE_MIX else mix_of(board, n)[0] for n in steps})
    if not cards:
        return message("You can produce none of the cards in the row.")
    names = [card_name(board.cards[card]) for card in cards]
    if len(names) == 1:
        return message("You can produce: {card}.", card=names[0])
    return message(
        "You can produce any one of {count} cards, at most {most} in all: {names}.",
        count=len(names),
        most=c.most_cards,
        names=_some(names),
    )


def _loads(s: Any, c: Any) -> Message:
    """All loads cost the same, so any of them will do to count how many can be bought."""
    while steps := _steps(s, c, BUY):
        do(s, c, steps[0])
        s.many += 1
    if not s.many:
        return message("You can buy no load.")
    return messages("You can buy {count} load.", "You can buy up to {count} loads.", s.many)


def _market(board: Board, steps: Sequence[int]) -> Message:
    gets = dict.fromkeys(board.exchanges[n - EXCHANGE_LINE].get for n in steps if n < EXCHANGE_ANY)
    things: list[Message | Name] = [amounts(board, get) for get in gets]
    if any(EXCHANGE_ANY <= n < TAKE_STONE for n in steps):
        things.append(message("another cube or coin"))
    if not things:
        return message("You can take a development stone.")
    return message("You can take a development stone, or exchange for: {things}.", things=listed(things))


def _fields(board: Board, s: Any, c: Any, steps: Sequence[int]) -> Message | None:
    """How many fields can be developed, each by itself, what the cheapest costs, and the next step of the track."""
    able = sum(number < PATENT_ONE for number in steps)
    prices = [
        c.price[its][k]
        for its in range(INVENTIONS)
        for k in range(2)
        if field_is_free(s, its, k) == 0 and gold_comes_first(s, its, k) == 0
    ]
    told = []
    if able:
        told.append(
            messages(
                "You can develop {count} open field, for {cost}.",
                "You can develop any one of {count} open fields, the cheapest for {cost}.",
                able,
                cost=amount(board, STONE, min(prices)),
            )
        )
    elif prices:
        cost = amount(board, STONE, min(prices))
        told.append(message("You can develop nothing now: the cheapest open field costs {cost}.", cost=cost))
    if step_left(s, c) == 0:
        coins = amount(board, COIN, c.step_price[s.players[s.seat].steps])
        if any(PATENT_ONE <= number <= PATENT_NOTHING for number in steps):
            told.append(message("You can register a patent for {coins}.", coins=coins))
        else:
            told.append(message("You cannot pay for a patent: the next costs {coins}.", coins=coins))
    return _joined(told)


def _some(names: Sequence[Message | Name]) -> Message | Name:
    """The first few of many things, apart by strokes: a card's name has a comma in it."""
    first = names if len(names) <= MOST_NAMED + 1 else names[:MOST_NAMED]
    found = first[-1]
    for name in reversed(first[:-1]):
        found = message("{one} / {rest}", one=name, rest=found)
    if len(first) < len(names):
        return message("{names} and {count} more", names=found, count=len(names) - len(first))
    return found


def _joined(parts: Sequence[Message]) -> Message | None:
    """Sentences one after the other; None when there is none."""
    if not parts:
        return None
    found = parts[-1]
    for part in reversed(parts[:-1]):
        found = message("{sentence} {rest}", sentence=part, rest=found)
    return found
