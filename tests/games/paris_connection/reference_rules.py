"""Implement the legality of moves a second time, from the numbered rules with sets.

This is slow and shares nothing with the game's rules except the names of hexes. It reads the document of a position and
the data of a component file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spieltisch.core.position import Position

Place = tuple[int, int]


class Country:
    """The map of a component file."""

    def __init__(self, data: Mapping[str, Any], *, open_stations: bool = False) -> None:
        self.turn = data["turn"]
        self.places = {(column, row["row"]) for row in data["rows"] for column in row["columns"]}
        self.tower = (data["tower"]["column"], data["tower"]["row"])
        self.stations = (
            set() if open_stations else {(station["column"], station["row"]) for station in data["stations"]}
        )
        self.cities = {(city["column"], city["row"]) for city in data["cities"]}
        parted = {frozenset((tuple(a), tuple(b))) for border in data["borders"] for a, b in border["between"]}
        self.beside = {
            place: {
                neighbour
                for neighbour in self.places
                if touch(place, neighbour) and frozenset((place, neighbour)) not in parted
            }  # P6
            for place in self.places
        }

    def room(self, place: Place) -> int:
        """Return the number of locomotives that fit into a hex: P3, P8, P9."""
        if place == self.tower:
            return 0
        if place in self.stations:
            return 1
        return int(self.turn["city_capacity"] if place in self.cities else self.turn["rural_capacity"])


def touch(a: Place, b: Place) -> bool:
    """Return True if two hexes share a side: their centres are one hex apart, in odd rows half a hex to the right."""
    (ax, ay), (bx, by) = a, b
    column_distance = abs((2 * ax + ay % 2) - (2 * bx + by % 2))  # in half hexes
    return (abs(ay - by), column_distance) in ((0, 2), (1, 1))


class Slow:
    """One position, read from its document, with slowly computed legal moves."""

    def __init__(self, position: Position, country: Country) -> None:
        document = position.document()
        state = document["state"]
        board = position.setup.board
        places = {hexagon.move_name: (hexagon.column, hexagon.row) for hexagon in board.hexes}
        self.names = {place: name for name, place in places.items()}
        self.country = country
        self.weak = document["options"]["cut_off"] == "weak"
        self.nets: dict[str, set[Place]] = {
            k: {places[name] for name in place_names} for k, place_names in state["map"].items()
        }
        self.depots: Mapping[str, int] = state["depots"]
        self.phase: str = state["phase"]
        self.building = state["building"]["company"] if state["building"] else None
        self.portfolio = state["players"][state["seat"] - 1]["portfolio"] if state["seat"] else {}

    def legal(self) -> set[str]:
        """Return the texts of the legal moves."""
        if self.phase == "over":
            return set()
        done_text = {"done"} if self.phase == "building" else set()  # T11
        trades = set(self.trades()) if self.phase == "turn" else set()  # P4
        return {f"build {k} {self.names[place]}" for k, place in self.builds()} | done_text | trades

    def trades(self) -> Iterator[str]:
        """Yield the legal trades (P12, P13, T2, T9)."""
        for company_to_give, held_shares in self.portfolio.items():
            for depot_company, depot_count in self.depots.items():
                for count in (1, 2):
                    if (
                        held_shares >= 1
                        and depot_company != company_to_give
                        and depot_count >= count
                        and count <= self.country.turn["most_taken"]
                    ):
                        yield f"trade {company_to_give} for {count} {depot_company}"

    def builds(self) -> Iterator[tuple[str, Place]]:
        """Yield the legal building moves (P4 to P10)."""
        for colour, net in self.nets.items():
            if self.depots[colour] == 0 or self.building not in (None, colour):  # P4
                continue
            for place in self.country.places:
                if (
                    place != self.country.tower  # P9
                    and place not in self.country.stations  # P3
                    and place not in net  # P7
                    and len(self.colours_in(place)) < self.country.room(place)  # P8
                    and self.country.beside[place] & net  # P5, P6
                    and not self.cuts(colour, place)  # P10
                ):
                    yield colour, place

    def colours_in(self, place: Place) -> list[str]:
        """Return the colours in a hex."""
        return [colour for colour, net in self.nets.items() if place in net]

    def cuts(self, colour: str, place: Place) -> bool:
        """Return True if the locomotive cuts off another company that has not reached a city (P10, T1)."""
        before = {other_company: self.way(other_company) for other_company in self.nets}
        self.nets[colour].add(place)
        after = {other_company: self.way(other_company) for other_company in self.nets}
        self.nets[colour].remove(place)
        return any(
            before[other_company] and not after[other_company] for other_company in self.nets if other_company != colour
        )

    def way(self, colour: str) -> bool:
        """Return True if a colour has reached a city, or can reach a free one (strict) or any hex (weak)."""
        net = self.nets[colour]
        if net & self.country.cities:
            return True
        reached_places: set[Place] = set()
        path_ends = set(net)
        while path_ends:
            end = path_ends.pop()
            for place in self.country.beside[end] - reached_places - net:
                if len(self.colours_in(place)) < self.country.room(place):
                    if self.weak or place in self.country.cities:
                        return True
                    reached_places.add(place)
                    path_ends.add(place)
        return False
