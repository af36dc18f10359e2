"""The log: what a move did, in sentences. Everything in it is public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, SeatName, message, messages
from spieltisch.games.era_of_inventions.amounts import (
    amount,
    amounts,
    card_name,
    field_name,
    listed,
    mix_row,
    plus,
)
from spieltisch.games.era_of_inventions.board import Board
from spieltisch.games.era_of_inventions.notation import mix_of, two_of
from spieltisch.games.era_of_inventions.numbers import (
    BUILD_ONE,
    BUY_ONE,
    DEVELOP_ONE,
    DONE,
    EXCHANGE_ANY,
    EXCHANGE_LINE,
    KEEP,
    PATENT_NOTHING,
    PATENT_ONE,
    PLACE,
    PRODUCE_MIX,
    PRODUCE_ONE,
    RUN_ONE,
    TAKE_BACK,
    TAKE_STONE,
    USE,
)
from spieltisch.games.era_of_inventions.producing import paid_for
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    BONUS,
    CARDS,
    COIN,
    GOLD,
    GOODS,
    INFLUENCE,
    LAST_EXCHANGE,
    MOST_PATENTS,
    NOBODY,
    STONE,
    YIELD,
)


def tell(before: Observation, move: Move, after: Observation, seat: int, drew: Sequence[str]) -> list[Message]:
    """The log of one move."""
    told = []
    if before.view.phase == BONUS and move.number != KEEP:
        told.append(message("{player} uses a bonus disc.", player=SeatName(seat)))
    told.append(_what(before, move.number, seat))
    told += _payments(before, move.number)
    told += _forced(before, after, move.number, seat)
    told += _next_round(before, after, drew)
    if after.over:
        told += _bonuses(after)
        told.append(ending(after))
    return told


def _what(before: Observation, number: int, seat: int) -> Message:
    board, view, player = before.setup.board, before.view, SeatName(seat)
    if number < BUILD_ONE:
        return _disc(board, view, number, player)
    if number < RUN_ONE:
        works = board.works[number - BUILD_ONE]
        cost = amounts(board, works.cost)
        return message("{player} builds {factory} for {cost}.", player=player, factory=works.name, cost=cost)
    if number < BUY_ONE:
        works = board.works[number - RUN_ONE]
        goods = amounts(board, works.output)
        return message(
            "{player} takes the yield of {factory}: {goods}.", player=player, factory=works.name, goods=goods
        )
    if number < PRODUCE_ONE:
        store, c = board.contents.stores[number - BUY_ONE], before.setup.plain_params
        goods = amount(board, c.store_good[number - BUY_ONE], view.load[number - BUY_ONE])
        return message("{player} buys the load of {store}: {goods}.", player=player, store=store.name, goods=goods)
    if number < EXCHANGE_LINE:
        return _produced(board, number, player)
    if number < DEVELOP_ONE:
        return _exchanged(board, number, player)
    return _field(board, view, number, player)


def _disc(board: Board, view: Any, number: int, player: SeatName) -> Message:
    if number < USE:
        action = board.contents.actions[number - PLACE].name
        return message("{player} places a disc on {action}.", player=player, action=action)
    if number >= TAKE_BACK:
        action = board.contents.actions[number - TAKE_BACK].name
        return message("{player} takes the disc back from {action} unused.", player=player, action=action)
    action = board.contents.actions[number - USE].name
    if number - USE == YIELD:
        goods = amounts(board, view.players[player.seat].output)
        return message("{player} carries out {action}: {goods}.", player=player, action=action, goods=goods)
    return message("{player} carries out {action}.", player=player, action=action)


def _produced(board: Board, number: int, player: SeatName) -> Message:
    if number < PRODUCE_MIX:
        card = board.cards[number - PRODUCE_ONE]
        cost: Sequence[int] = card.cost
    else:
        index, metal, technology, tool = mix_of(board, number)
        card = board.cards[index]
        cost = plus(card.cost, mix_row(metal, technology, tool))
    return message(
        "{player} produces {card} for {cost} and receives {gain}.",
        player=player,
        card=card_name(card),
        cost=amounts(board, cost),
        gain=amounts(board, card.gain),
    )


def _exchanged(board: Board, number: int, player: SeatName) -> Message:
    if number == TAKE_STONE:
        return message("{player} takes a development stone.", player=player)
    if number < EXCHANGE_ANY:
        line = board.exchanges[number - EXCHANGE_LINE]
        give, get = amounts(board, line.give), amounts(board, line.get)
    else:
        one, two, third = two_of(number)
        give = amounts(board, [(kind == one) + (kind == two) for kind in range(GOODS)])
        get = amount(board, third, 1)
    return message("{player} exchanges {give} for {get}.", player=player, give=give, get=get)


def _field(board: Board, view: Any, number: int, player: SeatName) -> Message:
    if number == KEEP:
        return message("{player} uses no bonus disc.", player=player)
    if number == DONE:
        if view.phase == LAST_EXCHANGE:
            return message("{player} exchanges no more.", player=player)
        action = board.contents.actions[view.action].name
        return message("{player} has finished: {action}.", player=player, action=action)
    if number < PATENT_ONE:
        its, k = divmod(number - DEVELOP_ONE, 2)
        field = board.inventions[its].gold if k == GOLD else board.inventions[its].silver
        return message(
            "{player} develops {field} for {stones} and gains {influence}.",
            player=player,
            field=field_name(board, its, k),
            stones=amount(board, STONE, field.stones),
            influence=amount(board, INFLUENCE, field.influence),
        )
    step = board.contents.patent_steps[view.players[player.seat].steps]
    coins, influence = amount(board, COIN, step.coins), amount(board, INFLUENCE, step.influence)
    if number == PATENT_NOTHING:
        return message(
            "{player} registers a patent for {coins} without placing a marker and gains {influence}.",
            player=player,
            coins=coins,
            influence=influence,
        )
    return message(
        "{player} registers a patent on {field} for {coins} and gains {influence}.",
        player=player,
        field=field_name(board, *divmod(number - PATENT_ONE, 2)),
        coins=coins,
        influence=influence,
    )


def _payments(before: Observation, number: int) -> Iterator[Message]:
    """Who is paid for a produced card, and the symbols of the influence track."""
    setup, view = before.setup, before.view
    c, board = setup.plain_params, setup.board
    where = {p: view.players[p].influence for p in range(setup.seats)}

    def moved(p: int, points: int) -> Iterator[Message]:
        where[p] += points
        kind = c.symbol[where[p] % c.spaces]
        if points and kind >= 0 and view.phase != LAST_EXCHANGE and (p == view.seat or c.any_gain):
            yield message(
                "{player} gets {goods} from space {space} of the influence track.",
                space=where[p],
                player=SeatName(p),
                goods=amount(board, kind, 1),
            )

    yield from moved(view.seat, _influence(before, number))
    if not PRODUCE_ONE <= number < EXCHANGE_LINE:
        return
    card = number - PRODUCE_ONE if number < PRODUCE_MIX else mix_of(board, number)[0]
    for k in range(2):
        p = paid_for(view, c, card, k)
        if p == NOBODY:
            continue
        its = c.invention[card]
        yield message(
            "{player} is paid {reward} for {field}.",
            player=SeatName(p),
            reward=amounts(board, c.reward[its][k]),
            field=field_name(board, its, k),
        )
        yield from moved(p, c.reward[its][k][INFLUENCE])


def _influence(before: Observation, number: int) -> int:
    """The influence that the move itself gives."""
    c, board, view = before.setup.plain_params, before.setup.board, before.view
    if BUILD_ONE <= number < RUN_ONE:
        return int(c.factory_influence[number - BUILD_ONE])
    if PRODUCE_ONE <= number < EXCHANGE_LINE:
        card = number - PRODUCE_ONE if number < PRODUCE_MIX else mix_of(board, number)[0]
        return int(c.gain[card][INFLUENCE])
    if EXCHANGE_LINE <= number < EXCHANGE_ANY:
        return int(c.line_get[number - EXCHANGE_LINE][INFLUENCE])
    if DEVELOP_ONE <= number < PATENT_ONE:
        its, k = divmod(number - DEVELOP_ONE, 2)
        return int(c.worth[its][k])
    if PATENT_ONE <= number <= PATENT_NOTHING:
        return int(c.step_influence[view.players[view.seat].steps])
    return 0


def _forced(before: Observation, after: Observation, number: int, seat: int) -> Iterator[Message]:
    """Discs that went to the only field left, or came back because nothing could be done with them."""
    board = before.setup.board
    same_round = before.view.round_number == after.view.round_number
    own = number % ACTIONS if number < BUILD_ONE else before.view.action  # PLACE, USE, TAKE_BACK lie one after another
    for a, action in enumerate(board.contents.actions):
        then, now = set(before.view.discs[a]) - {NOBODY}, set(after.view.discs[a]) - {NOBODY}
        if same_round:
            for p in sorted(now - then - ({seat} if a == own else set())):
                yield message(
                    "{player} places a disc on {action}, the only field left.", player=SeatName(p), action=action.name
                )
        for p in sorted(then - now - ({seat} if a == own else set())):
            yield message(
                "{player} can do nothing with the disc on {action} and takes it back.",
                player=SeatName(p),
                action=action.name,
            )


def _next_round(before: Observation, after: Observation, drew: Sequence[str]) -> Iterator[Message]:
    setup, view = before.setup, after.view
    if view.phase == LAST_EXCHANGE and before.view.phase != LAST_EXCHANGE:
        yield message("The last round is over. Everybody may use the exchange market once more.")
    if view.round_number == before.view.round_number:
        return
    yield message("Round {round} begins. Start player: {player}.", round=view.round_number, player=SeatName(view.first))
    board, codes = setup.board, [setup.draw_codes[text] for text in drew if text in setup.draw_codes]
    cards = [card_name(board.cards[code]) for code in codes if code < CARDS]
    works = [board.works[code - CARDS].name for code in codes if code >= CARDS]
    if cards:
        yield message("New on the invention row: {cards}.", cards=listed(cards, apart=True))
    if works:
        yield message("New in the factory row: {factories}.", factories=listed(works))


def _bonuses(after: Observation) -> Iterator[Message]:
    for p in range(after.setup.seats):
        patents, invested, capacity = after.view.players[p].earned[MOST_PATENTS:]
        player = SeatName(p)
        if patents:
            yield messages(
                "{player} gains {count} influence point for the highest patent marker.",
                "{player} gains {count} influence points for the highest patent marker.",
                patents,
                player=player,
            )
        if invested:
            yield messages(
                "{player} gains {count} influence point for the most development stones invested.",
                "{player} gains {count} influence points for the most development stones invested.",
                invested,
                player=player,
            )
        if capacity:
            yield messages(
                "{player} gains {count} influence point for the greatest production capacity.",
                "{player} gains {count} influence points for the greatest production capacity.",
                capacity,
                player=player,
            )


def ending(observation: Observation) -> Message:
    """Why the game ended."""
    return messages(
        "The game is over after {count} round.",
        "The game is over after {count} rounds.",
        observation.view.round_number,
    )
