"""The evaluation of a position of Era of Inventions for one seat, in hundredths of an influence point.

It is used by the easy bot and in playouts. Influence counts in full. Goods count as much as they will buy, less in
heaps or near the end; factories count as much as they will still yield, and a player's inventions as much as other
players will pay. The three bonuses count at their current state. A disc on an action field counts as the best that its
action could do now, so that placing, choosing and each step of an action are measured on the same scale.
"""

from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.era_of_inventions.rules.ending import leaders, share
from spieltisch.games.era_of_inventions.state import (
    ACTIONS,
    COAL,
    COIN,
    FACTORY_ROW,
    FIRST_COUNTERFEIT,
    GOLD,
    GOODS,
    INFLUENCE,
    INVENTIONS,
    METAL,
    NOBODY,
    NONE,
    ROW,
    SILVER,
    SPACES,
    STONE,
    TECHNOLOGY,
    TOOL,
    WOOD,
    Action,
    Phase,
    Way,
)

POINT = 100
"""The value of an influence point."""
HEAP = 5
"""The number of pieces of a kind beyond which further ones are worth less."""
BONUS = 180
"""The value of a bonus disc until the last round: more than that of the two coins that buy one."""
RUNS = 45
"""The expected number of times that factories yield in a future round, in hundredths."""
PAID_AHEAD = 12
"""The expected number of times that a player's field is paid in a future round, in hundredths."""


@rule
def rounds_left(s: Any, c: Any) -> int:
    """Return the number of rounds after this one."""
    return c.rounds - s.round_number if s.phase != Phase.LAST_EXCHANGE else 0


@rule
def unit_value(s: Any, c: Any, kind: int) -> int:
    """Return the value of one piece of a kind."""
    if s.phase >= Phase.LAST_EXCHANGE:
        return 30 if kind == STONE else 14 if kind == COIN else 5
    full_value = 115 if kind == STONE else 50 if kind == COIN else 40 if kind in (WOOD, COAL) else 48
    rounds = rounds_left(s, c)
    if kind == WOOD:
        return full_value * min(rounds, 4) // 4 + 3
    return full_value if rounds >= 2 else full_value * 4 // 5 if rounds == 1 else full_value // 2


@rule
def stock_value(s: Any, c: Any, kind: int, number: int) -> int:
    """Return the value of a number of pieces of a kind; those beyond a heap count a third."""
    unit = unit_value(s, c, kind)
    if number <= HEAP or kind == STONE:
        return unit * number
    return unit * HEAP + unit * (number - HEAP) // 3


@rule
def marginal_value(s: Any, c: Any, p: int, kind: int, number: int) -> int:
    """Return the value to a player of gaining pieces of a kind, or of losing them if `number` is negative."""
    held_count = s.players[p].goods[kind]
    return stock_value(s, c, kind, held_count + number) - stock_value(s, c, kind, held_count)


@rule
def value_of_gain(s: Any, c: Any, gain: Any) -> int:
    """Return the value of a gain: goods and influence."""
    total = gain[INFLUENCE] * POINT
    for kind in range(GOODS):
        if gain[kind] != 0:
            total += gain[kind] * unit_value(s, c, kind)
    return total


@rule
def yield_value(s: Any, c: Any, output: Any) -> int:
    """Return the value of one yield of factories with this output."""
    total = 0
    for kind in range(GOODS):
        if output[kind] != 0:
            total += output[kind] * unit_value(s, c, kind)
    return total


@rule
def ownership_value(s: Any, c: Any, output: Any) -> int:
    """Return the value of owning factories with this output until the end, capacity included."""
    total = yield_value(s, c, output) * rounds_left(s, c) * RUNS // 100
    for kind in range(c.counted):
        total += output[kind] * 12
    return total


@rule
def room_to_build(s: Any, c: Any, p: int, count: int, yields_ahead: int) -> int:
    """Return the value of the best factories of the row, at most `count`, that the player can pay.

    They are paid with goods in hand, and `yields_ahead` times the yield.
    """
    wood = s.players[p].goods[WOOD] + yields_ahead * s.players[p].output[WOOD]
    coal = s.players[p].goods[COAL] + yields_ahead * s.players[p].output[COAL]
    total, used = 0, 0
    for _ in range(count):
        best, place = 0, NONE
        for i in range(FACTORY_ROW):
            factory = s.factory_row[i]
            if factory == NONE or used >> i & 1 != 0:
                continue
            cost = c.factory_cost[factory]
            if cost[WOOD] > wood or cost[COAL] > coal:
                continue
            value = ownership_value(s, c, c.factory_output[factory]) + c.factory_influence[factory] * POINT
            value -= cost[WOOD] * unit_value(s, c, WOOD) + cost[COAL] * unit_value(s, c, COAL)
            if value > best:
                best, place = value, i
        if place == NONE:
            break
        cost = c.factory_cost[s.factory_row[place]]
        wood -= cost[WOOD]
        coal -= cost[COAL]
        used |= 1 << place
        total += best
    return total


@rule
def room_to_buy(s: Any, c: Any, p: int, count: int) -> int:
    """Return the value of the best loads, at most `count`, that the player can pay."""
    coins = s.players[p].goods[COIN]
    total, used = 0, 0
    for _ in range(count):
        if coins < c.load_price:
            break
        best, place = 0, NONE
        for store in range(c.stores):
            if used >> store & 1 == 0 and s.load[store] > 0:
                value = marginal_value(s, c, p, c.store_good[store], s.load[store]) - c.load_price * unit_value(
                    s, c, COIN
                )
                if value > best:
                    best, place = value, store
        if place == NONE:
            break
        coins -= c.load_price
        used |= 1 << place
        total += best
    return total


@rule
def production_gain(s: Any, c: Any, p: int, card: int) -> int:
    """Return the value of producing a card, less its cost and half of the payments to other players."""
    value = value_of_gain(s, c, c.gain[card]) - c.wild[card] * unit_value(s, c, METAL)
    for kind in range(GOODS):
        value -= c.cost[card][kind] * unit_value(s, c, kind)
    invention = c.invention[card]
    if invention >= 0:
        for grade in range(2):
            holder = s.holder[invention][grade]
            if holder != p and holder != NOBODY and (card < FIRST_COUNTERFEIT or s.patented[invention][grade] == 1):
                value -= value_of_gain(s, c, c.reward[invention][grade]) // 2
    return value


@rule
def room_to_produce(s: Any, c: Any, p: int, count: int, yields_ahead: int) -> int:
    """Return the value of the best cards of the row, at most `count`, that the player can pay.

    They are paid with cubes in hand, and `yields_ahead` times the yield.
    """
    player = s.players[p]
    coal = player.goods[COAL] + yields_ahead * player.output[COAL]
    metal = player.goods[METAL] + yields_ahead * player.output[METAL]
    technology = player.goods[TECHNOLOGY] + yields_ahead * player.output[TECHNOLOGY]
    tool = player.goods[TOOL] + yields_ahead * player.output[TOOL]
    total, used = 0, 0
    for _ in range(count):
        best, place = 0, NONE
        for i in range(ROW):
            card = s.row[i]
            if card == NONE or used >> i & 1 != 0:
                continue
            cost, invention = c.cost[card], c.invention[card]
            if cost[COAL] > coal or cost[METAL] > metal or cost[TECHNOLOGY] > technology or cost[TOOL] > tool:
                continue
            if c.wild[card] > metal + technology + tool:
                continue
            if card >= FIRST_COUNTERFEIT and (s.holder[invention][GOLD] == p or s.holder[invention][SILVER] == p):
                continue
            value = production_gain(s, c, p, card)
            if value > best:
                best, place = value, i
        if place == NONE:
            break
        card = s.row[place]
        cost = c.cost[card]
        coal -= cost[COAL]
        metal -= cost[METAL]
        technology -= cost[TECHNOLOGY]
        tool -= cost[TOOL]
        for _cube in range(c.wild[card]):
            if metal >= technology and metal >= tool:
                metal -= 1
            elif technology >= tool:
                technology -= 1
            else:
                tool -= 1
        used |= 1 << place
        total += best
    return total


@rule
def field_value(s: Any, c: Any, invention: int, grade: int) -> int:
    """Return the value of holding a field from now on, without its influence."""
    return (
        value_of_gain(s, c, c.reward[invention][grade]) * rounds_left(s, c) * PAID_AHEAD // 100
        + c.price[invention][grade] * 10
    )


@rule
def room_to_develop(s: Any, c: Any, p: int, spent: int) -> int:
    """Return the value of the best fields that the player can pay with the stones in hand."""
    stones = min(s.players[p].goods[STONE], c.most_stones - spent)
    total, used = 0, 0
    while stones > 0 and s.players[p].markers > 0:
        best, place = 0, NONE
        for field in range(2 * INVENTIONS):
            invention, grade = field // 2, field % 2
            if used >> field & 1 != 0 or s.holder[invention][grade] != NOBODY or c.price[invention][grade] > stones:
                continue
            if grade == SILVER and s.holder[invention][GOLD] == NOBODY:
                continue
            value = (
                c.field_influence[invention][grade] * POINT
                + field_value(s, c, invention, grade)
                - c.price[invention][grade] * unit_value(s, c, STONE)
            )
            if value > best:
                best, place = value, field
        if place == NONE:
            break
        stones -= c.price[place // 2][place % 2]
        used |= 1 << place
        total += best
    return total


@rule
def room_to_patent(s: Any, c: Any, p: int, count: int) -> int:
    """Return the value of the next steps of the patent track, at most `count`."""
    player = s.players[p]
    coins, step, total = player.goods[COIN], player.steps, 0
    for _ in range(count):
        if step >= c.patent_steps or c.step_price[step] > coins:
            break
        value = c.step_influence[step] * POINT + 25 - c.step_price[step] * unit_value(s, c, COIN)
        if value <= 0:
            break
        coins -= c.step_price[step]
        step += 1
        total += value
    return total


@rule
def action_potential(s: Any, c: Any, p: int, action: int, yields_ahead: int) -> int:
    """Return the value that a disc on this field can still gain.

    It is a little higher during the action if another player's disc is on the field, too.
    """
    is_acting = s.phase == Phase.ACTING and s.seat == p and s.action == action
    done_steps = s.done_steps if is_acting else 0
    yields = 0 if is_acting else yields_ahead
    total = 0
    if action == Action.BUILD:
        total = room_to_build(s, c, p, c.most_factories - done_steps, yields)
    elif action == Action.YIELD:
        total = yield_value(s, c, s.players[p].output)
    elif action == Action.BUY:
        total = room_to_buy(s, c, p, c.most_loads - done_steps)
    elif action == Action.PRODUCE:
        total = room_to_produce(s, c, p, c.most_cards - done_steps, yields)
    elif action == Action.MARKET:
        total = unit_value(s, c, STONE) if done_steps == 0 else 0
    else:
        way = s.way if is_acting else 0
        if way != Way.PATENTING:
            total = room_to_develop(s, c, p, s.spent if is_acting else 0)
        if way != Way.DEVELOPING:
            total = max(total, room_to_patent(s, c, p, c.most_patents - done_steps))
    if is_acting and total > 0:
        for i in range(SPACES):
            if s.discs[action][i] != p and s.discs[action][i] != NOBODY:
                total += 3
    return total


@rule
def bonuses(s: Any, c: Any) -> Any:
    """Return the leaders in each of the three bonuses, computed once for all players."""
    return leaders(s, c, 0), leaders(s, c, 1), leaders(s, c, 2)


@rule
def score_value(s: Any, c: Any, p: int, leading: Any) -> int:
    """Return the influence of a player with a share of the bonuses that the player leads in.

    The share grows with the rounds. Once only the last exchange is left, the bonuses count in full, so that the end is
    worth exactly as much as the moment before it.
    """
    if s.phase == Phase.OVER:
        return s.players[p].influence * POINT
    total, played_percent = 0, 100 * s.round_number // (2 * c.rounds) if s.phase != Phase.LAST_EXCHANGE else 100
    for bonus in range(3):
        total += share(s, c, p, leading[bonus])
    return s.players[p].influence * POINT + total * played_percent * POINT // 100


@rule
def prospects(s: Any, c: Any, p: int, leading: Any) -> int:
    """Return the value of player p's influence, goods, and prospects."""
    player = s.players[p]
    total = score_value(s, c, p, leading)
    for kind in range(GOODS):
        total += stock_value(s, c, kind, player.goods[kind])
    if s.phase == Phase.LAST_EXCHANGE or s.phase == Phase.OVER:
        return total
    total += ownership_value(s, c, player.output) + player.bonus * (BONUS if rounds_left(s, c) > 0 else 8)
    for invention in range(INVENTIONS):
        for grade in range(2):
            if s.holder[invention][grade] == p:
                total += field_value(s, c, invention, grade)
                if s.patented[invention][grade] == 1:
                    total += value_of_gain(s, c, c.reward[invention][grade]) * rounds_left(s, c) * PAID_AHEAD // 200
    total += player.steps * 15
    yields_ahead = 0
    for i in range(SPACES):
        if s.discs[Action.YIELD][i] == p:
            yields_ahead = 1
    for action in range(ACTIONS):
        for i in range(SPACES):
            if s.discs[action][i] == p:
                total += action_potential(s, c, p, action, yields_ahead)
    return total


@rule
def outlook(s: Any, c: Any, p: int) -> int:
    """Return the value of player p's influence, goods, and prospects."""
    return prospects(s, c, p, bonuses(s, c))


@rule
def evaluate(s: Any, c: Any, p: int) -> int:
    """Return the outlook, less a quarter of the best other player's score."""
    best_score, leading = 0, bonuses(s, c)
    for other_seat in range(s.seats):
        if other_seat != p:
            best_score = max(best_score, score_value(s, c, other_seat, leading))
    return prospects(s, c, p, leading) - best_score // 4
