"""The template context of one observation in one language, as far as all games share it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import SeatName, Value, Words
from spieltisch.drawing.text_fitting import initials


def format_number(number: int) -> str:
    """Return a number as text with a true minus sign.

    >>> format_number(12), format_number(-3)
    ('12', '−3')
    """
    return str(number).replace("-", "−")


class Scene:
    """One observation with its words, the players' names by seat, and the moves to mark.

    A game extends `context` with its template context, `score_row` with the parts of a player's points, and `rank_key`
    with whatever decides the ranks.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> scene = Scene(position.observe(2), Words("en"), names=["Ada", "Bo", "Cy"])
    >>> scene.name(1), scene.seats_from_viewer, scene.context()["over"]
    ('Bo', [2, 0, 1], False)
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
        self.is_over = observation.is_over
        self.seats = range(observation.setup.seats)
        self.words = words
        self.names = names
        self.last = last
        self.marked_elements = {word.element_id for move in last for word in self.setup.words(move) if word.element_id}
        """The elements that the moves to mark name."""

    def context(self) -> dict[str, Any]:
        """Return the context of the templates."""
        return {"seats": len(self.seats), "over": self.is_over, "end": self.end() if self.is_over else None}

    def say(self, what: Value) -> str:
        """Return the text of a value."""
        return self.words.say(what, self.names)

    def name(self, seat: int) -> str:
        """Return the name of the player in a seat."""
        return self.say(SeatName(seat))

    @cached_property
    def initials(self) -> list[str]:
        """The players' initials on their plates, by seat; distinct from all other symbols on the boards."""
        drawing = self.setup.game.drawing
        symbols = drawing.symbol_meanings(self.setup, self.words) if drawing else []
        return initials([self.name(seat) for seat in self.seats], [symbol for symbol, _ in symbols])

    @property
    def seats_from_viewer(self) -> list[int]:
        """The seats clockwise from the viewer's own; from the first for a viewer without one."""
        own = max(self.viewer, 0)
        return [(own + n) % len(self.seats) for n in self.seats]

    def player(self, seat: int) -> dict[str, Any]:
        """Return the player of a seat: name, initial, whether it is the viewer and whether the decision is theirs."""
        return {
            "seat": seat,
            "name": self.name(seat),
            "initial": self.initials[seat],
            "own": seat == self.viewer,
            "deciding": seat == self.view.seat,
        }

    # --- The end. ---

    def end(self) -> dict[str, Any]:
        """Return the reason and rule of the end, the winners, and a row for each player in order of rank.

        Players who share a rank are in order of seats.
        """
        game = self.setup.game
        totals = [points for points in self.observation.scores if points is not None]  # at the end all are known
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
        """Return the parts of a player's points, for the row of the final account."""
        return {}

    def rank_key(self, row: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the key that decides the rank of a row, points first."""
        return (row["total"],)
