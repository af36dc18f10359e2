"""The seatings of a season: in which round who sits at which table, in which place of the turn order.

A plain local search, the same for everyone who runs it again. It needs no solver, takes a moment for the sizes of a
group of friends, and the tests prove how even the seatings of each size are.
"""

from collections.abc import Sequence
from itertools import combinations, count
from typing import Final, TypeAlias

from spieltisch.core.chance import Rng, randbelow

TRIES: Final = 20_000
"""The number of exchanges that are tried for each of the two aims; fewer if the seatings cannot become more even."""
SLACK: Final = 3
"""By how much an exchange may make the seatings less even at the beginning, on the way to better ones."""
Tables: TypeAlias = list[list[int]]
Seatings: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""For each round its tables, each with its players by number, in turn order."""


def table_sizes(players: int, wanted: int, seats: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the tables of a round, which differ by one at most; () if there are too few players.

    As few players pause as possible; of these sizes, those nearest to the wanted one.

    >>> table_sizes(10, 4, range(3, 6)), table_sizes(7, 4, [4])
    ((4, 3, 3), (4,))
    """
    choices = []
    for tables in range(1, players // seats[0] + 1):
        seated = min(players, tables * seats[-1])
        size, larger = divmod(seated, tables)
        sizes = (size + 1,) * larger + (size,) * (tables - larger)
        choices.append((players - seated, sum(abs(each - wanted) for each in sizes) / tables, sizes))
    return min(choices)[2] if choices else ()


def tables_of_evening(players: int, wanted: int, seats: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the tables of a deal, which are all equal; () if there are too few players.

    There are two tables at least, with two people at each. As few bots as possible fill them up; of these sizes, the
    one nearest to the wanted one.

    >>> tables_of_evening(7, 3, range(3, 7)), tables_of_evening(3, 3, range(3, 7))
    ((4, 4), ())
    """
    choices = []
    for tables in range(2, players // 2 + 1):
        size = max(-(-players // tables), seats[0])
        if size <= seats[-1]:
            choices.append((tables * size - players, abs(size - wanted), tables, size))
    return (min(choices)[3],) * min(choices)[2] if choices else ()


def rounds_for(players: int, sizes: Sequence[int], games: int) -> int:
    """Return the number of rounds in which each of the players has at least this number of games.

    >>> rounds_for(5, (4,), 4), rounds_for(6, (3, 3), 4)
    (5, 4)
    """
    return -(-games * players // sum(sizes))


def seatings(players: int, sizes: Sequence[int], rounds: int) -> Seatings:
    """Return the tables of each round: all meet, pause and sit in each place of the turn order as evenly as possible.

    The pauses of two players differ by one at most.
    """
    chance = Rng(rounds * 1000 + players)
    paused = players - sum(sizes)
    plan: list[Tables] = []
    for number in range(rounds):
        away = {(number * paused + each) % players for each in range(paused)}
        here = [player for player in range(players) if player not in away]
        plan.append([[here.pop(randbelow(chance, len(here))) for _ in range(size)] for size in sizes])
    if len(sizes) > 1:
        _even_meetings(plan, players, chance)
    _even_places(plan, players, max(sizes), chance)
    return tuple(tuple(map(tuple, tables)) for tables in plan)


def evening_seatings(players: int, sizes: Sequence[int], rounds: int) -> Seatings:
    """Return the tables of each deal of an evening. The numbers after those of the players are bots.

    The bots of a deal have the same seats at all tables, or one less of them.
    """
    smaller, larger = divmod(players, len(sizes))
    people = [smaller + (number < larger) for number in range(len(sizes))]
    plan = [[list(table) for table in tables] for tables in seatings(players, people, rounds)]
    for number, tables in enumerate(plan):
        bots = count(players)
        for table, size in zip(tables, sizes, strict=True):
            for seat in sorted((number + more) % size for more in range(size - len(table))):
                table.insert(seat, next(bots))
    _even_places(plan, players, max(sizes), Rng(rounds * 1000 + players))
    return tuple(tuple(map(tuple, tables)) for tables in plan)


def _even_meetings(plan: Sequence[Tables], players: int, chance: Rng) -> None:
    """Exchange players of two tables of a round, so that the sum of the squares of the meetings falls."""
    met = [[0] * players for _ in range(players)]
    for one, other in [pair for tables in plan for table in tables for pair in combinations(table, 2)]:
        met[one][other] += 1
        met[other][one] += 1
    pairs = players * (players - 1) // 2
    total = sum(map(sum, met)) // 2
    mean, more = divmod(total, pairs)
    excess = sum(each * each for row in met for each in row) // 2 - pairs * mean**2 - more * (2 * mean + 1)
    for number in range(TRIES):
        if not excess:
            return
        tables = plan[randbelow(chance, len(plan))]
        first = randbelow(chance, len(tables))
        second = (first + 1 + randbelow(chance, len(tables) - 1)) % len(tables)
        left, right = tables[first], tables[second]
        here, there = randbelow(chance, len(left)), randbelow(chance, len(right))
        one, other = left[here], right[there]
        with_left, with_right = [each for each in left if each != one], [each for each in right if each != other]
        ones, others = met[one], met[other]
        change = sum(others[each] - ones[each] + 1 for each in with_left)
        change += sum(ones[each] - others[each] + 1 for each in with_right)
        if change > SLACK * (TRIES - number) // (2 * TRIES):
            continue
        excess += 2 * change
        left[here], right[there] = other, one
        for leaving, joining, companions in ((one, other, with_left), (other, one, with_right)):
            for each in companions:
                met[leaving][each] -= 1
                met[each][leaving] -= 1
                met[joining][each] += 1
                met[each][joining] += 1


def _even_places(plan: Sequence[Tables], players: int, places: int, chance: Rng) -> None:
    """Exchange two places of a table, so that the sum of the squares of how often a player has a place falls.

    Bots, whose numbers follow those of the players, keep theirs.
    """
    had = [[0] * places for _ in range(players)]
    tables = [table for of_round in plan for table in of_round]
    for table in tables:
        for place, player in enumerate(table):
            if player < players:
                had[player][place] += 1
    for number in range(TRIES):
        table = tables[randbelow(chance, len(tables))]
        here = randbelow(chance, len(table))
        there = (here + 1 + randbelow(chance, len(table) - 1)) % len(table)
        if max(table[here], table[there]) >= players:
            continue
        one, other = had[table[here]], had[table[there]]
        change = one[there] - one[here] + 1 + other[here] - other[there] + 1
        if change <= SLACK * (TRIES - number) // (2 * TRIES):
            table[here], table[there] = table[there], table[here]
            one[here], one[there] = one[here] - 1, one[there] + 1
            other[there], other[here] = other[there] - 1, other[here] + 1
