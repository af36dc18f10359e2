"""The drawing of Paris Connection: what its templates are given.

`board.svg` is the map, which never changes, and holds the definitions the others use; `style.css` has the looks, for
paper and dark. `pieces.svg` lies on the map in the same frame; `panel.html` has the companies, the own screen and the
players; `end.html` the whole scoring. These are drawn from an observation: nobody is shown more than their seat knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.core import bits
from spieltisch.core.observation import EVERYBODY
from spieltisch.core.words import Name, SeatName, Words
from spieltisch.games.paris_connection.plate import at, engraving, names_of_ranges, plate, spots
from spieltisch.games.paris_connection.state import Phase

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.games.paris_connection.board import Board
    from spieltisch.games.paris_connection.contents import Company


@dataclass(frozen=True)
class Holding:
    """What a perspective knows of one player's portfolio, by company; `shares` is None where it is hidden."""

    held: int
    shares: list[int] | None
    taken: list[int]
    given: list[int]
    owed: list[int]

    def least(self, company: int) -> int:
        """How many of a company this player holds for certain, as everybody can know (T5)."""
        return self.owed[company] + self.taken[company] - self.given[company]


@dataclass(frozen=True)
class Seen:
    """An observation in plain Python: the one place that knows how its record is read."""

    viewer: int
    seat: int
    over: bool
    idle: int
    ended_by: int
    depot: list[int]
    value: list[int]
    nets: list[list[int]]
    players: list[Holding]

    @classmethod
    def of(cls, observation: Observation) -> Seen:
        view: Any = observation.view
        viewer, over = int(view.viewer), int(view.phase) == Phase.OVER
        return cls(
            viewer=viewer,
            seat=int(view.seat),
            over=over,
            idle=int(view.idle),
            ended_by=int(view.ended_by),
            depot=_numbers(view.depot),
            value=_numbers(view.value),
            nets=[bits.members(net) for net in view.net],
            players=[
                Holding(
                    held=int(player.held),
                    shares=_numbers(player.shares) if over or viewer in (seat, EVERYBODY) else None,
                    taken=_numbers(player.taken),
                    given=_numbers(player.given),
                    owed=_numbers(player.owed),
                )
                for seat, player in enumerate(view.players)
                if seat < int(view.seats)
            ],
        )


def _numbers(field: Any) -> list[int]:
    return [int(value) for value in field]


class ParisDrawing:
    """How Paris Connection is drawn: a folder of templates, and what they are given."""

    templates: Path = Path(__file__).parent / "templates"

    def static(self, setup: Setup, words: Words) -> dict[str, Any]:
        """What `board.svg` and `style.css` are given. It depends on the components and the language only."""
        return engraving(setup.board, setup.components.name, words)

    def scene(
        self, observation: Observation, words: Words, names: Sequence[str] = (), last: Sequence[Move] = ()
    ) -> dict[str, Any]:
        """What `pieces.svg`, `panel.html` and `end.html` are given.

        `names` are the players' names by seat; `last` the moves to be marked on the map, those since the viewer's own.
        """
        setup, seen = observation.setup, Seen.of(observation)
        board: Board = setup.board
        aid = bool(setup.options["memory_aid"]) or seen.over
        taken = {index for net in seen.nets for index in net}
        placed = [word for move in last for word in setup.words(move)]
        return {
            "frame": plate(board)[0],
            "pieces": _pieces(board, seen.nets),
            "ranges": [
                line
                for place, lines in names_of_ranges(board, words).items()
                if place in board.at and board.at[place].number not in taken
                for line in lines
            ],
            "rings": [
                {"id": f"last-{hexagon.place}", **at(hexagon)}
                for hexagon in board.hexes
                if hexagon.place in {word.place for word in placed}
            ],
            "companies": _companies(board, seen, words),
            "track": board.box.value_track,
            "depots_left": sum(depot > 0 for depot in seen.depot),
            "idle": {"count": seen.idle, "limit": setup.plain_params.idle_limit},
            "limit": setup.plain_params.limit,
            "penalty": setup.plain_params.penalty,
            "memory_aid": aid,
            "players": _players(seen, words, names, setup.plain_params.limit, aid=aid),
            "mine": _mine(observation, seen),
            "end": _end(observation, seen, words, names) if seen.over else None,
        }

    def marks(self, setup: Setup) -> dict[Name, str]:
        """The class of the mark that stands beside each of these names in a sentence."""
        board: Board = setup.board
        return {company.name: _mark(company) for company in board.companies}


# --- The pieces. ---


def _pieces(board: Board, nets: Sequence[Sequence[int]]) -> list[dict[str, str]]:
    """Every locomotive on the map. A company has one in a hex at most (P7), so company and hex are its id for ever."""
    standing: dict[int, list[Company]] = {}
    for company, net in zip(board.companies, nets, strict=True):
        for index in net:
            standing.setdefault(index, []).append(company)
    return [
        {
            "id": f"loco-{company.id}-{hexagon.column}-{hexagon.row}",
            "company": company.id,
            **at(hexagon, spot),
        }
        for hexagon in board.hexes
        if hexagon.number in standing
        for company, spot in zip(standing[hexagon.number], spots(hexagon, len(standing[hexagon.number])), strict=True)
    ]


# --- The panel and the end. ---


def _mark(company: Company) -> str:
    return f"company-{company.id}"


def _companies(board: Board, seen: Seen, words: Words) -> list[dict[str, Any]]:
    own = seen.players[seen.viewer].shares if seen.viewer >= 0 else None
    return [
        {
            "id": company.id,
            "sign": _mark(company),
            "letter": company.letter,
            "name": words.say(company.name),
            "places": [words.say(board.hexes[number].name) for number in seen.nets[index]],
            "value": seen.value[index],
            "depot": seen.depot[index],
            "shares": own[index] if own else 0,
            "worth": own[index] * seen.value[index] if own else 0,
        }
        for index, company in enumerate(board.companies)
    ]


def _players(seen: Seen, words: Words, names: Sequence[str], limit: int, *, aid: bool) -> list[dict[str, Any]]:
    """What everybody may know of the players; with the memory aid also by company (T5)."""
    return [
        {
            "seat": seat,
            "name": words.say(SeatName(seat), names),
            "deciding": seat == seen.seat,
            "own": seat == seen.viewer,
            "held": player.held,
            "above": max(player.held - limit, 0),
            "known": [
                {
                    "least": player.shares[index] if player.shares else player.least(index),
                    "exact": player.shares is not None,
                    "taken": player.taken[index],
                    "given": player.given[index],
                }
                for index in range(len(seen.value))
            ]
            if aid
            else [],
        }
        for seat, player in enumerate(seen.players)
    ]


def _figure(points: int) -> str:
    return str(points).replace("-", "−")


def _mine(observation: Observation, seen: Seen) -> dict[str, int | str] | None:
    """The viewer's own screen; None for a spectator."""
    if seen.viewer < 0:
        return None
    table = observation.setup.plain_params
    above = max(seen.players[seen.viewer].held - table.limit, 0)
    return {
        "held": seen.players[seen.viewer].held,
        "above": above,
        "lost": above * table.penalty,
        "points": _figure(observation.scores[seen.viewer] or 0),
    }


def _end(observation: Observation, seen: Seen, words: Words, names: Sequence[str]) -> dict[str, Any]:
    """The whole scoring (P16 to P18), the winners first."""
    setup = observation.setup
    totals = [points for points in observation.scores if points is not None]  # all are known at the end
    winners = setup.game.winners(totals, observation)
    rows = []
    for seat, player in enumerate(seen.players):
        above = max(player.held - setup.plain_params.limit, 0)
        rows.append(
            {
                "seat": seat,
                "name": words.say(SeatName(seat), names),
                "own": seat == seen.viewer,
                "winner": seat in winners,
                "shares": [
                    {"count": count, "value": value, "points": count * value}
                    for count, value in zip(player.shares or (), seen.value, strict=True)
                ],
                "held": player.held,
                "above": above,
                "lost": above * setup.plain_params.penalty,
                "total": _figure(totals[seat]),
            }
        )
    return {
        "reason": words.say(setup.game.ending(observation), names),
        "rule": setup.game.rule_names[seen.ended_by],
        "winners": [words.say(SeatName(seat), names) for seat in winners],
        "rows": sorted(rows, key=lambda row: (-totals[row["seat"]], row["seat"])),
    }
