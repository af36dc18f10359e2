"""The records of Era of Inventions: the state, the components and options the rules read, working memory, and what a
seat may see.

Goods are numbered as in `board.GOODS`, cards and factories as on the board, seats 0 to 4 clockwise. Spaces of the
invention row are numbered along its path, from 0 (below, far right) to 6 (above, far right); those of the factory row
from the left. A pile is a set: for each card 1 when it is in it, 0 when not.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from spieltisch.core import twin
from spieltisch.core.chance import Draws
from spieltisch.core.events import Events

if TYPE_CHECKING:
    from spieltisch.games.era_of_inventions.board import Board

WOOD, COAL, METAL, TECHNOLOGY, TOOL, COIN, STONE = range(7)
CUBES, GOODS = 5, 7
INFLUENCE, BONUS_DISC = 7, 8
MOST_SEATS = 5
ACTIONS, SPACES = 6, 2
INVENTIONS, GOLD, SILVER = 9, 0, 1
START_CARDS, OFFICIAL_CARDS, COUNTERFEITS = 12, 18, 9
FIRST_OFFICIAL, FIRST_COUNTERFEIT = 12, 30
CARDS = 39
START_FACTORIES, FACTORIES = 5, 29
ROW, FACTORY_ROW = 7, 5
BOXES = 3
MOST_STORES, MOST_LINES, MOST_STEPS, MOST_SPACES = 8, 8, 8, 200
NOBODY = -1
NONE = -1

# The six actions (A to F).
BUILD, YIELD, BUY, PRODUCE, MARKET, DEVELOP = range(6)

# What happens now: discs are placed; the seat chooses one of its discs; it carries out an action; it may use a bonus
# disc; it exchanges a last time; the game is over.
PLACING, CHOOSING, ACTING, BONUS, LAST_EXCHANGE, OVER = range(6)

# What action F is used for, once that is decided.
UNDECIDED, DEVELOPING, PATENTING = range(3)

# Where influence comes from.
INVENTED, PATENTED, PRODUCED, PAID, BUILT, EXCHANGED, MOST_PATENTS, MOST_INVESTED, MOST_CAPACITY = range(9)
SOURCES = 9

Player = np.dtype(
    [
        ("goods", "i2", GOODS),
        ("output", "i2", GOODS),
        ("influence", "i2"),
        ("earned", "i2", SOURCES),
        ("hand", "i2"),
        ("bonus", "i2"),
        ("bought", "i2"),
        ("markers", "i2"),
        ("steps", "i2"),
    ]
)
"""A player: goods; what the own factories yield together (derived); influence, and by source; action discs in hand;
bonus discs, and how many of them were bought too lately to be used; invention markers; steps on the patent track.
"""

_PUBLIC = [
    ("seats", "i2"),
    ("seat", "i2"),
    ("phase", "i2"),
    ("ended_by", "i2"),
    ("round_number", "i2"),
    ("first", "i2"),
    ("action", "i2"),
    ("many", "i2"),
    ("spent", "i2"),
    ("way", "i2"),
    ("used", "i2", BOXES),
    ("new_original", "i2"),
    ("discs", "i2", (ACTIONS, SPACES)),
    ("holder", "i2", (INVENTIONS, 2)),
    ("patented", "i2", (INVENTIONS, 2)),
    ("row", "i2", ROW),
    ("pile", "i2", CARDS),
    ("discards", "i2", CARDS),
    ("fresh", "i2", CARDS),
    ("aside", "i2", CARDS),
    ("gone", "i2", CARDS),
    ("factory_row", "i2", FACTORY_ROW),
    ("factory_pile", "i2", FACTORIES),
    ("factory_discards", "i2", FACTORIES),
    ("owner", "i2", FACTORIES),
    ("load", "i2", MOST_STORES),
    ("supply", "i2", GOODS),
    ("bonus_supply", "i2"),
    ("players", Player, MOST_SEATS),
]

State = np.dtype([("rng", "u8"), *_PUBLIC], align=True)
"""The whole state.

`rng` the generator; `seat` whose decision it is (-1 when over); `phase`; `ended_by` the rule that ended the game;
`round_number` from 1; `first` the start player. Of the action under way: `action` (-1: none), `many` things done in it,
`spent` development stones, `way` what F is used for, `used` exchanges by box. `new_original`: a gold field was taken in
this round (E49). `discs` the seats on the spaces of the action fields; `holder` and `patented` of gold and silver
fields. Cards: `row`; `pile`, `discards`, `fresh` (beside the pile, E37), `aside` (not in play yet, E9), `gone` (out of
the game, E47). Factories likewise, `owner` -1 for those nobody owns. `load` of ships and warehouses; `supply` of goods,
which may go below zero (R8), and of bonus discs.
"""

View = np.dtype([("viewer", "i2"), *_PUBLIC], align=True)
"""What a seat (`viewer`; -1 a spectator) may know: everything but the generator (R37)."""

Params = np.dtype(
    [
        ("seats", "i2"),
        ("any_gain", "i2"),
        ("wait_round", "i2"),
        ("counted", "i2"),
        ("action_discs", "i2"),
        ("bonus_discs", "i2"),
        ("bonus_total", "i2"),
        ("rounds", "i2"),
        ("markers", "i2"),
        ("start", "i2", GOODS),
        ("total", "i2", GOODS),
        ("most_factories", "i2"),
        ("most_loads", "i2"),
        ("load_price", "i2"),
        ("most_cards", "i2"),
        ("most_exchanges", "i2"),
        ("most_stones", "i2"),
        ("most_patents", "i2"),
        ("most_in_box", "i2", BOXES),
        ("cards_leave", "i2"),
        ("factories_leave", "i2"),
        ("cost", "i2", (CARDS, GOODS)),
        ("wild", "i2", CARDS),
        ("gain", "i2", (CARDS, GOODS + 1)),
        ("invention", "i2", CARDS),
        ("price", "i2", (INVENTIONS, 2)),
        ("worth", "i2", (INVENTIONS, 2)),
        ("reward", "i2", (INVENTIONS, 2, GOODS + 1)),
        ("factory_cost", "i2", (FACTORIES, GOODS)),
        ("factory_output", "i2", (FACTORIES, GOODS)),
        ("factory_influence", "i2", FACTORIES),
        ("lines", "i2"),
        ("line_box", "i2", MOST_LINES),
        ("line_give", "i2", (MOST_LINES, GOODS)),
        ("line_get", "i2", (MOST_LINES, GOODS + 2)),
        ("free_box", "i2"),
        ("patent_steps", "i2"),
        ("step_price", "i2", MOST_STEPS),
        ("step_influence", "i2", MOST_STEPS),
        ("spaces", "i2"),
        ("symbol", "i2", MOST_SPACES),
        ("stores", "i2"),
        ("store_good", "i2", MOST_STORES),
        ("store_fill", "i2", MOST_STORES),
        ("store_add", "i2", MOST_STORES),
        ("bonus_points", "i2", MOST_SEATS + 1),
    ],
    align=True,
)
"""Components and options as the rules read them: `wild` the "?" cubes of a card, `worth` the influence for developing a
field, `bonus_points` by how many share the lead (E56, E57), `counted` how many kinds count as capacity (R12).
"""

Work = np.dtype([("draws", Draws), ("events", Events), ("set", "i2", MOST_SEATS)])
"""Working memory: chance, and the set from which the start player is drawn."""


def params(board: "Board", seats: int, *, any_gain: bool, wait_round: bool, cubes_only: bool) -> Any:
    """The twin of `Params` for a board, a number of seats and the options (R1, R2, R12)."""
    contents = board.contents
    t = twin.new(Params)
    count = next(p for p in contents.players if p.players == seats)
    t.seats, t.any_gain, t.wait_round = seats, int(any_gain), int(wait_round)
    t.counted = CUBES if cubes_only else GOODS
    t.action_discs, t.bonus_discs, t.rounds = count.action_discs, count.bonus_discs, count.rounds
    t.bonus_total, t.markers = contents.box.bonus_discs, contents.box.invention_markers
    start = contents.start.goods
    t.start[:] = [start.wood, start.coal, start.metal, start.technology, start.tool, start.coin, start.stone]
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
    t.symbol[:] = [NONE] * MOST_SPACES
    for symbol in contents.symbols:
        t.symbol[symbol.space] = kinds.index(symbol.good)
    t.stores = len(contents.stores)
    for n, store in enumerate(contents.stores):
        t.store_good[n], t.store_fill[n], t.store_add[n] = kinds.index(store.good), store.fill, store.add
    bonuses = contents.bonuses
    t.bonus_points[:] = [0, bonuses.alone, bonuses.of_two, bonuses.of_three, bonuses.of_more, bonuses.of_more]
    return t


def _lay_cards(board: "Board", t: Any) -> None:
    for card in board.cards:
        t.cost[card.number][:] = card.cost
        t.wild[card.number] = card.any
        t.gain[card.number][:] = card.gain
        t.invention[card.number] = card.invention
    for i, invention in enumerate(board.inventions):
        for k, field in enumerate((invention.gold, invention.silver)):
            t.price[i][k], t.worth[i][k] = field.stones, field.influence
            reward = field.reward
            t.reward[i][k][:] = [
                reward.wood, reward.coal, reward.metal, reward.technology, reward.tool, reward.coin, reward.stone,
                reward.influence,
            ]  # fmt: skip
    for works in board.works:
        t.factory_cost[works.number][:] = works.cost
        t.factory_output[works.number][:] = works.output
        t.factory_influence[works.number] = works.influence


def _lay_market(board: "Board", t: Any) -> None:
    t.lines, t.free_box = len(board.exchanges), board.free_box
    for line in board.exchanges:
        t.line_box[line.number] = line.box
        t.line_give[line.number][:] = line.give
        t.line_get[line.number][:] = line.get
