"""The pieces of a game and what no move may change of them, for `spieltisch.testing.check_game`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from spieltisch.core.setup import Setup

if TYPE_CHECKING:
    from spieltisch.core.position import Position


class PieceTotals:
    """The places of the pieces of a game, and their totals; a game overrides those methods that it needs."""

    def piece_locations(self, position: Position) -> Iterable[tuple[int, int, int]]:
        """Return triples of a kind of piece, a place and a count: all pieces in the game.

        Kinds and places are numbered as in MOVED events (`spieltisch.core.events`). Triples with the same kind and
        place add up. No move changes the total of a kind, and MOVED events account for every change at a place.
        """
        return ()

    def piece_counts(self, position: Position) -> Mapping[tuple[int, int], int]:
        """Return the number of pieces of each kind at each place, without zeros."""
        counts: Counter[tuple[int, int]] = Counter()
        for piece, place, count in self.piece_locations(position):
            counts[piece, place] += count
        return {location: count for location, count in counts.items() if count}

    def piece_names(self, setup: Setup) -> Sequence[str]:
        """Return the names of the kinds of piece by number, as the texts of moves write them."""
        return ()

    def invariants(self, position: Position) -> Mapping[str, int]:
        """Return further totals that no move may change, by name."""
        return {}

    def totals(self, position: Position) -> dict[str, int]:
        """Return all totals that no move may change: the pieces of each kind, and the invariants."""
        totals, names = dict(self.invariants(position)), self.piece_names(position.setup)
        for (piece, _), count in self.piece_counts(position).items():
            totals[names[piece]] = totals.get(names[piece], 0) + count
        return totals
