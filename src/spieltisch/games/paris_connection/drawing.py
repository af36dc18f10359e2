"""The drawing of Paris Connection: what its templates are given.

`board.svg` is the map, which never changes, and holds the definitions the others use; `style.css` has the looks, for
paper and dark. `pieces.svg` lies on the map in the same frame; `panel.html` has the companies, the own screen and the
players; `end.html` the whole scoring. These are drawn from an observation: nobody is shown more than their seat knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from spieltisch.core import bits
from spieltisch.core.words import Message, Name, SeatName, Words, message, messages
from spieltisch.games.paris_connection import layout
from spieltisch.games.paris_connection.board import Place, neighbours
from spieltisch.games.paris_connection.layout import Frame, Side, number
from spieltisch.games.paris_connection.state import OVER

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.games.paris_connection.board import Board, Border, Hex
    from spieltisch.games.paris_connection.contents import Company

OUR_MAP: Final = "france-1"
"""The set of components whose map has France's neighbours drawn round it; another map may have another scale."""
SMALL_SIZE: Final = 11.0
"""Height of the letters of a station's name, and of a city's that takes two lines."""
RANGE_SIZE: Final = 10.0
FAR: Final = 115.0
"""How far from its mountains, on average, a name may be written over the frontier."""
MEDAL_Y: Final = (-24.0, -28.0)
"""Where a city's value stands, from the centre of the hex, above a name of one line and of two."""
MEDALS: Final = 4
TEXTURES: Final = 4
"""How many medals and textures board.svg defines."""
ALONE: Final = (0.0, 1.0)
PAIR: Final = ((0.0, -14.5), (0.0, 15.5))
"""Where locomotives stand in a rural hex, from its centre: one, and two."""
BELOW: Final = (0.0, 16.5)
"""Where a locomotive stands in a city or a station, below the name."""
NEATLINES: Final = (3.0, 6.5, 10.0)
"""From the edge of the plate to its outer line, to the middle of the scale, and to its inner line."""
LAYERS: Final = ("rural", "tower", "station", "city")
"""The order in which hexes are drawn, so that the heavier outlines lie above."""
DEPTHS: Final = (3.5, 8.0, 13.5, 20.0, 27.5)
"""How far from the coast the lines in the water run."""
FIRST_LINE: Final = {("city", 1): -2.5, ("city", 2): -10.5, ("station", 1): -9.0, ("station", 2): -14.5}
"""Where the first line of a name is written, from the centre of the hex, by the number of lines."""
INSET: Final = 20.0
"""From the edge of the plate to the legend."""
LEGEND: Final = (236.0, 98.0)
"""Width of the legend, and its height without the lines of the city classes."""
LEGEND_LINE: Final = 27.0
PATTERNS: Final = {
    "solid": (12, 12, 0),
    "stripes": (4.4, 4.4, -45),
    "dots": (5.2, 5.2, 0),
    "chevrons": (6, 5, 90),
    "grid": (5, 5, 0),
    "waves": (8, 5.2, 0),
}
"""Width and height of the repeated piece of a company's pattern, and the angle it is turned by."""


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
        viewer, over = int(view.viewer), int(view.phase) == OVER
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
                    shares=_numbers(player.shares) if over or seat == viewer else None,
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
        board: Board = setup.board
        frame, legend = _plate(board)
        return {
            "frame": frame,
            "legend": legend,
            "neatlines": [_inset(frame, by) for by in NEATLINES],
            "country": setup.components.name == OUR_MAP,
            "patterns": PATTERNS,
            "outline": layout.outline(),
            "coast": layout.coast([(h.column, h.row) for h in board.hexes]),
            "star": _star(8, 11.8, 8.4),
            "waterlines": [
                {
                    "outer": number(2 * depth + 0.8),
                    "inner": number(2 * depth - 0.8),
                    "strength": round(1 - depth / 36, 2),
                }
                for depth in reversed(DEPTHS)
            ],
            "companies": board.companies,
            "classes": [
                {
                    "id": city_class.id,
                    "medal": _medal(rank),
                    "value": city_class.value,
                    "name": words.say(city_class.name),
                    "y": number(98 + LEGEND_LINE * rank),
                }
                for rank, city_class in enumerate(board.city_classes)
            ],
            "hexes": sorted((_hex(board, h, words) for h in board.hexes), key=lambda h: LAYERS.index(h["kind"])),
            "borders": [_border(board, border)._asdict() for border in board.borders],
            "ranges": [
                line for place, lines in _ranges(board, words).items() if place not in board.at for line in lines
            ],
            "tower": _at(board.hexes[board.tower]),
        }

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
            "frame": _plate(board)[0],
            "pieces": _pieces(board, seen.nets),
            "ranges": [
                line
                for place, lines in _ranges(board, words).items()
                if place in board.at and board.at[place].number not in taken
                for line in lines
            ],
            "rings": [
                {"id": f"last-{hexagon.place}", **_at(hexagon)}
                for hexagon in board.hexes
                if hexagon.place in {word.place for word in placed}
            ],
            "companies": _companies(board, seen, words),
            "track": board.box.value_track,
            "depots_left": sum(depot > 0 for depot in seen.depot),
            "idle": {"count": seen.idle, "limit": setup.plain_table.idle_limit},
            "limit": setup.plain_table.limit,
            "penalty": setup.plain_table.penalty,
            "memory_aid": aid,
            "players": _players(seen, words, names, setup.plain_table.limit, aid=aid),
            "mine": _mine(observation, seen),
            "end": _end(observation, seen, words, names) if seen.over else None,
        }

    def marks(self, setup: Setup) -> dict[Name, str]:
        """The class of the mark that stands beside each of these names in a sentence."""
        board: Board = setup.board
        return {company.name: _mark(company) for company in board.companies}


# --- The map. ---


def _plate(board: Board) -> tuple[Frame, Frame]:
    """The frame of the whole plate, and of the legend: in a corner where no hex lies, or below the map."""
    plate = layout.frame([(h.column, h.row) for h in board.hexes])
    width, height = LEGEND[0], LEGEND[1] + LEGEND_LINE * (len(board.city_classes) + 1)
    left, right = plate.x + INSET, plate.x + plate.width - INSET - width
    top, bottom = plate.y + INSET, plate.y + plate.height - INSET - height
    for x, y in ((left, bottom), (left, top), (right, bottom), (right, top)):
        legend = Frame(x, y, width, height)
        if not any(legend.meets(layout.box(h.column, h.row)) for h in board.hexes):
            return plate, legend
    below = plate.y + plate.height
    return plate._replace(height=plate.height + height + INSET), Frame(left, below, width, height)


def _inset(frame: Frame, by: float) -> Frame:
    return Frame(frame.x + by, frame.y + by, frame.width - 2 * by, frame.height - 2 * by)


def _star(points: int, outer: float, inner: float) -> str:
    """A star round the origin, as the data of an SVG path."""
    corners = [
        (radius * math.sin(math.pi * k / points), -radius * math.cos(math.pi * k / points))
        for k, radius in enumerate([outer, inner] * points)
    ]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"


def _medal(rank: int) -> str:
    """The shape that a city's value stands in: one for each class, the last for all that come after."""
    return f"medal-{min(rank, MEDALS - 1)}"


def _mark(company: Company) -> str:
    return f"company-{company.id}"


def _at(hexagon: Hex, offset: tuple[float, float] = (0, 0)) -> dict[str, str]:
    x, y = layout.centre(hexagon.column, hexagon.row)
    return {"x": number(x + offset[0]), "y": number(y + offset[1])}


def _hex(board: Board, hexagon: Hex, words: Words) -> dict[str, Any]:
    lines = label(words.say(hexagon.name), hexagon.kind) if hexagon.kind in ("city", "station") else []
    city = hexagon.kind == "city"
    rank = [city_class.id for city_class in board.city_classes].index(hexagon.city_class) if city else 0
    return {
        "id": hexagon.place,
        "kind": hexagon.kind,
        **_at(hexagon),
        "look": f"city city-{hexagon.city_class}" if city else hexagon.kind,
        "texture": _texture(board, hexagon),
        "medal": _medal(rank) if city else "",
        "medal_y": number(MEDAL_Y[len(lines) - 1]) if city else "",
        "value": hexagon.value,
        "goal": hexagon.ends_game,
        "title": words.say(_title(hexagon)),
        "lines": lines,
    }


def label(name: str, kind: str) -> list[dict[str, Any]]:
    """The lines of the name in a city or station hex: text, height from the centre, size and about how wide; `squeezed`
    is the width a line is to be squeezed to, "" for one that fits."""
    size = layout.NAME_SIZE if kind == "city" else SMALL_SIZE
    lines = layout.lines(name if kind == "city" else name.removeprefix("Gare "), size)
    if len(lines) > 1:
        size = SMALL_SIZE
    return [
        {
            "text": line,
            "y": number(FIRST_LINE[kind, len(lines)] + (size - 1.5) * k),
            "size": size,
            "small": size < layout.NAME_SIZE,
            "width": min(layout.width(line, size), layout.NAME_WIDTH),
            "squeezed": number(layout.NAME_WIDTH) if layout.width(line, size) > layout.NAME_WIDTH else "",
        }
        for k, line in enumerate(lines)
    ]


def _title(hexagon: Hex) -> Message:
    """What is said of a hex under the pointer."""
    if hexagon.kind == "city":
        return messages("{city}: {count} point", "{city}: {count} points", hexagon.value, city=hexagon.name)
    if hexagon.kind == "station":
        return message("{station}: for one company only", station=hexagon.name)
    if hexagon.kind == "tower":
        return message("{tower}: never occupied", tower=hexagon.name)
    return message("{hex}", hex=hexagon.name)


def _texture(board: Board, hexagon: Hex) -> str:
    """Hills beside a hatched border, fields and woods elsewhere in the country; the same at every drawing."""
    if hexagon.kind != "rural":
        return ""
    if any(hexagon.number in border.hexes for border in board.borders):
        return "hills"
    return f"land-{(5 * hexagon.column + 3 * hexagon.row + hexagon.column * hexagon.row) % TEXTURES}"


def _border(board: Board, border: Border) -> Side:
    first, second = (board.hexes[index] for index in border.hexes)
    return layout.side((first.column, first.row), (second.column, second.row))


def _ranges(board: Board, words: Words) -> dict[Place, list[dict[str, str]]]:
    """The names of the mountains, in lines, by the place where they are written.

    That is beyond the frontier where the frontier is near, else the nearest rural hex.
    """
    names = {border.range: words.say(border.name) for border in board.borders}
    abroad = {place for h in board.hexes for place in neighbours(h.column, h.row)} - board.at.keys()
    rural = {(h.column, h.row) for h in board.hexes if h.kind == "rural"}
    written = {}
    for mountains, name in names.items():
        sides = [_border(board, border) for border in board.borders if border.range == mountains]
        near = {place: _distance(place, sides) for place in sorted(abroad | rural)}
        places = [place for place in near if place in abroad and near[place] <= FAR] or sorted(rural)
        if places:
            place = min(places, key=near.__getitem__)
            lines = (name,) if place in abroad else layout.lines(name, RANGE_SIZE)
            x, y = layout.centre(*place)
            written[place] = [
                {"text": line, "x": number(x), "y": number(y + RANGE_SIZE * (k + 0.8 - len(lines) / 2))}
                for k, line in enumerate(lines)
            ]
    return written


def _distance(place: Place, sides: Sequence[Side]) -> float:
    x, y = layout.centre(*place)
    return sum(math.hypot(side.x - x, side.y - y) for side in sides) / len(sides)


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
            **_at(hexagon, spot),
        }
        for hexagon in board.hexes
        if hexagon.number in standing
        for company, spot in zip(standing[hexagon.number], _spots(hexagon, len(standing[hexagon.number])), strict=True)
    ]


def _spots(hexagon: Hex, count: int) -> list[tuple[float, float]]:
    """Where the locomotives of a hex stand, from its centre."""
    if hexagon.kind != "rural":
        return [BELOW] * count
    if count == 1:
        return [ALONE]
    (x1, y1), (x2, y2) = PAIR
    return [(x1 + (x2 - x1) * k / (count - 1), y1 + (y2 - y1) * k / (count - 1)) for k in range(count)]


# --- The panel and the end. ---


def _companies(board: Board, seen: Seen, words: Words) -> list[dict[str, Any]]:
    own = seen.players[seen.viewer].shares if seen.viewer >= 0 else None
    return [
        {
            "id": company.id,
            "sign": _mark(company),
            "letter": company.letter,
            "name": words.say(company.name),
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
                {"least": player.least(index), "taken": player.taken[index], "given": player.given[index]}
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
    table = observation.setup.plain_table
    above = max(seen.players[seen.viewer].held - table.limit, 0)
    return {
        "held": seen.players[seen.viewer].held,
        "above": above,
        "lost": above * table.penalty,
        "points": _figure(observation.scores[seen.viewer]),
    }


def _end(observation: Observation, seen: Seen, words: Words, names: Sequence[str]) -> dict[str, Any]:
    """The whole scoring (P16 to P18), the winners first."""
    setup, totals = observation.setup, observation.scores
    winners = setup.game.winners(totals, observation)
    rows = []
    for seat, player in enumerate(seen.players):
        above = max(player.held - setup.plain_table.limit, 0)
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
                "lost": above * setup.plain_table.penalty,
                "total": _figure(totals[seat]),
            }
        )
    return {
        "reason": words.say(setup.game.ending(observation), names),
        "rule": setup.game.rule_names[seen.ended_by],
        "winners": [words.say(SeatName(seat), names) for seat in winners],
        "rows": sorted(rows, key=lambda row: (-totals[row["seat"]], row["seat"])),
    }
