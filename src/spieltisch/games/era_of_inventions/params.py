"""The components and options of Era of Inventions as the rules read them."""

from typing import Any

import numpy as np

from spieltisch.core import twin
from spieltisch.games.era_of_inventions import state
from spieltisch.games.era_of_inventions.board import Board, row

Params = np.dtype(
    [
        ("seats", "i2"),
        ("any_gain", "i2"),
        ("wait_round", "i2"),
        ("counted", "i2"),
        ("turn_limits", "i2"),
        ("last_symbols", "i2"),
        ("after_action", "i2"),
        ("turn_at_once", "i2"),
        ("boxed", "i2"),
        ("action_discs", "i2"),
        ("bonus_discs", "i2"),
        ("bonus_total", "i2"),
        ("rounds", "i2"),
        ("markers", "i2"),
        ("start", "i2", state.GOODS),
        ("total", "i2", state.GOODS),
        ("most_factories", "i2"),
        ("most_loads", "i2"),
        ("load_price", "i2"),
        ("most_cards", "i2"),
        ("most_exchanges", "i2"),
        ("most_stones", "i2"),
        ("most_patents", "i2"),
        ("most_in_box", "i2", state.BOXES),
        ("cards_leave", "i2"),
        ("factories_leave", "i2"),
        ("cost", "i2", (state.CARDS, state.GOODS)),
        ("wild", "i2", state.CARDS),
        ("gain", "i2", (state.CARDS, state.GOODS + 1)),
        ("invention", "i2", state.CARDS),
        ("price", "i2", (state.INVENTIONS, 2)),
        ("field_influence", "i2", (state.INVENTIONS, 2)),
        ("reward", "i2", (state.INVENTIONS, 2, state.GOODS + 1)),
        ("factory_cost", "i2", (state.FACTORIES, state.GOODS)),
        ("factory_output", "i2", (state.FACTORIES, state.GOODS)),
        ("factory_influence", "i2", state.FACTORIES),
        ("lines", "i2"),
        ("line_box", "i2", state.MAX_LINES),
        ("line_give", "i2", (state.MAX_LINES, state.GOODS)),
        ("line_get", "i2", (state.MAX_LINES, state.GOODS + 2)),
        ("free_box", "i2"),
        ("patent_steps", "i2"),
        ("step_price", "i2", state.MAX_STEPS),
        ("step_influence", "i2", state.MAX_STEPS),
        ("spaces", "i2"),
        ("symbol", "i2", state.MAX_SPACES),
        ("stores", "i2"),
        ("store_good", "i2", state.MAX_STORES),
        ("store_fill", "i2", state.MAX_STORES),
        ("store_add", "i2", state.MAX_STORES),
        ("bonus_points", "i2", state.MAX_SEATS + 1),
    ],
    align=True,
)
"""The components and options as the rules read them.

`wild` is the number of "?" cubes of a card, `field_influence` the influence for developing a field, `bonus_points` the
influence by the number of players in the lead (E56, E57), `counted` the number of kinds that count as capacity (R12);
`boxed` is 1 if the supply is limited (R8).
"""


def params(
    board: Board,
    seats: int,
    *,
    any_gain: bool,
    wait_round: bool,
    cubes_only: bool,
    turn_limits: bool,
    last_symbols: bool,
    after_action: bool,
    turn_at_once: bool,
    boxed: bool,
) -> Any:
    """Return the twin of `Params` for a board, seats and options (R1, R2, R7, R8, R10, R12, R24, R26)."""
    contents = board.contents
    t = twin.new(Params)
    player_count = next(p for p in contents.players if p.players == seats)
    t.seats, t.any_gain, t.wait_round = seats, int(any_gain), int(wait_round)
    t.counted = state.CUBES if cubes_only else state.GOODS
    t.turn_limits, t.last_symbols, t.after_action = int(turn_limits), int(last_symbols), int(after_action)
    t.turn_at_once, t.boxed = int(turn_at_once), int(boxed)
    t.action_discs, t.bonus_discs, t.rounds = player_count.action_discs, player_count.bonus_discs, player_count.rounds
    t.bonus_total, t.markers = contents.box.bonus_discs, contents.box.invention_markers
    t.start[:] = row(contents.start.goods)
    t.total[:] = [good.total for good in contents.goods]
    limits = contents.limits
    t.most_factories, t.most_loads, t.load_price = limits.factories, limits.loads, limits.load_price
    t.most_cards, t.most_exchanges = limits.cards, limits.exchanges
    t.most_stones, t.most_patents = limits.stones, limits.patents
    t.most_in_box[:] = [box.most for box in contents.market]
    t.cards_leave, t.factories_leave = contents.rows.inventions_leave, contents.rows.factories_leave
    _lay_cards(board, t)
    _lay_market(board, t)
    kinds = [good.id for good in contents.goods]
    t.patent_steps = len(contents.patent_steps)
    for n, step in enumerate(contents.patent_steps):
        t.step_price[n], t.step_influence[n] = step.coins, step.influence
    t.spaces = contents.track.spaces
    t.symbol[:] = [state.NONE] * state.MAX_SPACES
    for symbol in contents.symbols:
        t.symbol[symbol.space] = kinds.index(symbol.good)
    t.stores = len(contents.stores)
    for n, store in enumerate(contents.stores):
        t.store_good[n], t.store_fill[n], t.store_add[n] = kinds.index(store.good), store.fill, store.add
    bonuses = contents.bonuses
    t.bonus_points[:] = [0, bonuses.alone, bonuses.of_two, bonuses.of_three, bonuses.of_more, bonuses.of_more]
    return t


def _lay_cards(board: Board, t: Any) -> None:
    """Fill in the cards, inventions and factories."""
    for card in board.cards:
        t.cost[card.number][:] = card.cost
        t.wild[card.number] = card.any
        t.gain[card.number][:] = card.gain
        t.invention[card.number] = card.invention
    for i, invention in enumerate(board.inventions):
        for k, field in enumerate((invention.gold, invention.silver)):
            t.price[i][k], t.field_influence[i][k] = field.stones, field.influence
            t.reward[i][k][:] = (*row(field.reward), field.reward.influence)
    for works in board.works:
        t.factory_cost[works.number][:] = works.cost
        t.factory_output[works.number][:] = works.output
        t.factory_influence[works.number] = works.influence


def _lay_market(board: Board, t: Any) -> None:
    """Fill in the lines of the market."""
    t.lines, t.free_box = len(board.exchanges), board.free_box
    for line in board.exchanges:
        t.line_box[line.number] = line.box
        t.line_give[line.number][:] = line.give
        t.line_get[line.number][:] = line.get
