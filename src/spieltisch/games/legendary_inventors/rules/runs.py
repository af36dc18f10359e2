"""Runs of classification numbers (L24, L26, S5): an exact computation of the best arrangement.

Sort the runs of an arrangement by length and call them columns: column j (from 1) has a patent with number i if there
are at least j of them, else it needs a token there. A longer column never costs more if it is further left, so the
columns are independent, and the best arrangement is a knapsack: choose the length of each column so that the total cost
is at most the number of tokens. A column with fewer patents than a run needs (S5) is omitted: where its tokens and
patents could replace patents of another column, they bring as much or more by extending that one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spieltisch.core.compiled import rule
from spieltisch.games.legendary_inventors.state import MAX_WILD, NUMBERS

TOKEN = -1


@rule
def best_runs(numbers: Any, wild: int, min_patents: int, best_points: Any) -> int:
    """Return the points of the best runs from `numbers[i]` patents with number i and `wild` number tokens (L26).

    `wild` counts classification tokens. A run needs `min_patents` patents (S5). `best` has room for MAX_WILD + 1
    numbers.
    """
    tokens = min(wild, MAX_WILD)
    columns = 0
    for i in range(NUMBERS):
        columns = max(columns, numbers[i])
    for token_count in range(tokens + 1):
        best_points[token_count] = 0
    for j in range(1, columns + 1):
        for token_count in range(tokens, -1, -1):
            highest = best_points[token_count]
            cost = 0
            patent_count = 0
            for top in range(NUMBERS + tokens):
                if top < NUMBERS and numbers[top] >= j:
                    patent_count += 1
                else:
                    cost += 1
                if cost > token_count:
                    break
                if top > 0 and patent_count >= min_patents and best_points[token_count - cost] + top > highest:
                    highest = best_points[token_count - cost] + top
            best_points[token_count] = highest
    return best_points[tokens]


@dataclass(frozen=True)
class Run:
    """A run: for each number from 0 on the patent (an invention's number), or TOKEN for a classification token."""

    cards: tuple[int, ...]

    @property
    def points(self) -> int:
        """The highest number of the run (L26)."""
        return len(self.cards) - 1


def arrangement(patents: Sequence[tuple[int, int]], wild: int, min_patents: int = 1) -> tuple[Run, ...]:
    """Return the best runs, longest first, from patents and tokens.

    Patents are pairs of classification number and invention; a run needs `min_patents` of them (S5).

    >>> arrangement([(0, 7), (1, 3), (2, 9), (0, 8)], 1)
    (Run(cards=(7, 3, 9, -1)),)
    """
    by_number = [[card for number, card in patents if number == i] for i in range(NUMBERS)]
    tokens = min(wild, MAX_WILD)
    columns = max(map(len, by_number))
    # best[q]: the best result so far with q tokens, as points and the tops of the columns (0: no run).
    best_results: list[tuple[int, tuple[int, ...]]] = [(0, ())] * (tokens + 1)
    for j in range(1, columns + 1):
        extended = []
        for token_count in range(tokens + 1):
            choices = [(best_results[token_count][0], (*best_results[token_count][1], 0))]
            cost, patent_count = 0, 0
            for top in range(NUMBERS + tokens):
                has = top < NUMBERS and len(by_number[top]) >= j
                patent_count, cost = patent_count + has, cost + (not has)
                if cost > token_count:
                    break
                if top > 0 and patent_count >= min_patents:
                    points, tops = best_results[token_count - cost]
                    choices.append((points + top, (*tops, top)))
            extended.append(max(choices, key=lambda choice: choice[0]))
        best_results = extended
    runs = [
        Run(tuple(by_number[i][j] if i < NUMBERS and len(by_number[i]) > j else TOKEN for i in range(top + 1)))
        for j, top in enumerate(best_results[tokens][1])
        if top > 0
    ]
    return tuple(sorted(runs, key=lambda run: -run.points))
