"""What one observation shows, in somebody's language: what every game says of its players and of its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from spieltisch.core.words import SeatName
from spieltisch.drawing.text_fitting import initials

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation
    from spieltisch.core.words import Value, Words


def format_number(number: int) -> str:
    """A number as it stands in a table, with a true minus sign.

    >>> format_number(12), format_number(-3)
    ('12', '−3')
    """
    return str(number).replace("-", "−")


class Scene:
    """One observation with its words, the players' names by seat, and the moves to be marked.

    A game says in `context` what its templates are given, beginning with what stands here; in `account` what a player's
    points are made of, and in `rank` what decides the places.
    """

    def __init__(
        self, observation: Observation, words: Words, names: Sequence[str] = (), last: Sequence[Move] = ()
    ) -> None:
        self.observation = observation
        self.setup = observation.setup
        self.board: Any = observation.setup.board
        self.params: Any = observation.setup.plain_params
        self.view: Any = observation.view
        self.viewer: int = observation.view.viewer
        self.over = observation.over
        self.seats = range(observation.setup.seats)
        self.words = words
        self.names = names
        self.marked_elements = {word.element_id for move in last for word in self.setup.words(move) if word.element_id}
        """The places that the moves to be marked name."""

    def context(self) -> dict[str, Any]:
        """What the templates are given."""
        return {"seats": len(self.seats), "over": self.over, "end": self.end() if self.over else None}

    def say(self, what: Value) -> str:
        return self.words.say(what, self.names)

    def name(self, seat: int) -> str:
        return self.say(SeatName(seat))

    @cached_property
    def initials(self) -> list[str]:
        """What stands on the players' plates, by seat: nothing else that is written on the boards."""
        drawing = self.setup.game.drawing
        written = drawing.symbol_meanings(self.setup, self.words) if drawing else []
        return initials([self.name(seat) for seat in self.seats], [sign for sign, _ in written])

    @property
    def seats_from_viewer(self) -> list[int]:
        """The seats clockwise, from the viewer's own; from the first for who has none."""
        own = max(self.viewer, 0)
        return [(own + n) % len(self.seats) for n in self.seats]

    def player(self, seat: int) -> dict[str, Any]:
        """Who sits there, whether it is the viewer, and whether the decision is theirs."""
        return {
            "seat": seat,
            "name": self.name(seat),
            "initial": self.initials[seat],
            "own": seat == self.viewer,
            "deciding": seat == self.view.seat,
        }

    # --- The end. ---

    def end(self) -> dict[str, Any]:
        """Why the game ended, by which rule, who won, and a row for each player, the first place first. Those who
        share a place stand in the order of seats.
        """
        game = self.setup.game
        totals = [points for points in self.observation.scores if points is not None]  # all are known at the end
        winners = game.winners(totals, self.observation)
        rows = []
        for seat in self.seats:
            player = self.player(seat)
            rows.append({**player, **self.score_row(player), "winner": seat in winners, "total": totals[seat]})
        for row in rows:
            row["place"] = 1 + sum(self.rank_key(other) > self.rank_key(row) for other in rows)
            row["shared"] = sum(self.rank_key(other) == self.rank_key(row) for other in rows) > 1
        return {
            "reason": self.say(game.ending_text(self.observation)),
            "rule": game.rule_names[self.view.ended_by],
            "winners": [self.name(seat) for seat in winners],
            "rows": sorted(rows, key=lambda row: (row["place"], row["seat"])),
        }

    def score_row(self, player: Mapping[str, Any]) -> dict[str, Any]:
        """What a player's points are made of, for the row at the end."""
        return {}

    def rank_key(self, row: Mapping[str, Any]) -> tuple[int, ...]:
        """What decides the place of a row, the points first."""
        return (row["total"],)
