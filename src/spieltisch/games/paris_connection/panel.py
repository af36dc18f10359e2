"""The context of one observation of Paris Connection: map, companies, the viewer's screen, players and scoring.

Each viewer sees only what their seat knows.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from spieltisch.core import bit_sets
from spieltisch.core.observation import ALL_SEATS
from spieltisch.core.words import Message
from spieltisch.drawing import Scene, format_number
from spieltisch.games.paris_connection.board import Board
from spieltisch.games.paris_connection.icons import mark
from spieltisch.games.paris_connection.layout import at, frames, names_of_ranges, size, spots, track
from spieltisch.games.paris_connection.roads import road_to_end


class ParisScene(Scene):
    """One observation of Paris Connection, in words."""

    board: Board

    def context(self) -> dict[str, Any]:
        """Return the context of the map, the panel and the scoring."""
        nets = [bit_sets.members(net) for net in self.view.net]
        return super().context() | {
            "frame": frames(self.board)[0],
            "pieces": self.pieces(nets),
            "rails": self.rails(nets),
            "ranges": self.ranges({index for net in nets for index in net}),
            "rings": [
                {"id": f"last-{hexagon.place}", **at(hexagon)}
                for hexagon in self.board.hexes
                if hexagon.place in self.marked_elements
            ],
            "companies": [self.company(n, nets[n]) for n in range(len(nets))],
            "track": self.board.box.value_track,
            "road": [] if self.is_over else [self.say(sentence) for sentence in self.road(nets)],
            "depots_left": sum(depot > 0 for depot in self.view.depot),
            "idle": {"count": self.view.idle, "limit": self.params.idle_limit, "goes_on": self.params.goes_on},
            "limit": self.params.limit,
            "penalty": self.params.penalty,
            "memory_aid": self.setup.options["memory_aid"] or self.is_over,
            "players": [self.player(seat) for seat in self.seats],
            "mine": self.own_portfolio() if self.viewer >= 0 else None,
        }

    # --- The map. ---

    def locomotive_offsets(self, nets: list[list[int]]) -> dict[tuple[int, int], tuple[float, float]]:
        """Return the positions of locomotives from the centre of their hex, by the numbers of hex and company."""
        companies = [[k for k, net in enumerate(nets) if n in net] for n in range(len(self.board.hexes))]
        return {
            (n, k): spot
            for n, hexagon in enumerate(self.board.hexes)
            if companies[n]
            for k, spot in zip(companies[n], spots(hexagon, len(companies[n])), strict=True)
        }

    def pieces(self, nets: list[list[int]]) -> list[dict[str, Any]]:
        """Return every locomotive on the map.

        A company has at most one in a hex (P7), so company and hex are its permanent id. Its newest one is an engine,
        the others are discs, so that the networks stay in view; several in a station are discs.
        """
        offsets = self.locomotive_offsets(nets)
        counts = Counter(n for n, _ in offsets)
        heads = [self.newest(k, net) for k, net in enumerate(nets)]
        return [
            {
                "id": f"loco-{self.board.companies[k].id}-{hexagon.column}-{hexagon.row}",
                "company": self.board.companies[k].id,
                **at(hexagon, spot),
                "size": size(hexagon, counts[n]),
                "shape": "loco" if n == heads[k] and (hexagon.kind != "station" or counts[n] == 1) else "disc",
            }
            for (n, k), spot in offsets.items()
            for hexagon in [self.board.hexes[n]]
        ]

    def newest(self, company: int, net: list[int]) -> int | None:
        """Return the hex of a company's newest locomotive: the last of the moves to mark, or else the farthest one.

        The order in which older ones were placed is not kept; the farthest from the station is where the line ends.
        """
        for move in reversed(self.last):
            if move.kind == "build" and move.args[0] == company and move.args[1] in net:
                return move.args[1]
        reached = [n for n in net if n in self.board.stations][:1]
        for n in reached:
            reached += [m for m in self.board.adjacent[n] if m in net and m not in reached]
        return reached[-1] if reached else None

    def rails(self, nets: list[list[int]]) -> list[dict[str, str]]:
        """Return the track between neighbouring locomotives of a company; none crosses a hatched border (P6)."""
        offsets = self.locomotive_offsets(nets)
        return [
            {
                "id": f"rail-{company.id}-{first.column}-{first.row}-{second.column}-{second.row}",
                "company": company.id,
                "way": track(first, offsets[n, k], second, offsets[m, k]),
            }
            for k, (company, net) in enumerate(zip(self.board.companies, nets, strict=True))
            for n in net
            for m in self.board.adjacent[n]
            if m > n and m in net
            for first, second in [(self.board.hexes[n], self.board.hexes[m])]
        ]

    def ranges(self, taken: set[int]) -> list[dict[str, str]]:
        """Return the names of mountains that are in a hex which no locomotive occupies."""
        return [
            line
            for places, lines in names_of_ranges(self.board, self.words).items()
            if all(place in self.board.at and self.board.at[place].number not in taken for place in places)
            for line in lines
        ]

    # --- Companies and players. ---

    def road(self, nets: list[list[int]]) -> list[Message]:
        """Return how far the companies are from the end of the line."""
        closed = {*bit_sets.members(self.view.full), *bit_sets.members(self.params.stations)}
        return road_to_end(
            self.board, {h.number for h in self.board.hexes} - closed, nets, [int(depot) for depot in self.view.depot]
        )

    def company(self, number: int, net: list[int]) -> dict[str, Any]:
        """Return a company for the panel: its locations, value and depot, and the viewer's own shares."""
        company, value = self.board.companies[number], self.view.value[number]
        shares = self.view.players[self.viewer].shares[number] if self.viewer >= 0 else 0
        return {
            "id": company.id,
            "icon": mark(company),
            "letter": company.letter,
            "name": self.say(company.name),
            "places": [self.say(self.board.hexes[index].name) for index in net],
            "value": value,
            "depot": self.view.depot[number],
            "shares": shares,
            "worth": shares * value,
        }

    def player(self, seat: int) -> dict[str, Any]:
        """Return the public knowledge of a player; with the memory aid also by company (T5)."""
        known, own = self.known_shares(seat), seat == self.viewer
        minimum = self.view.players[seat].shares if own else [shares["least"] for shares in known]
        lights = [company.id for company, n in zip(self.board.companies, minimum, strict=False) if n > 0]
        return super().player(seat) | self.holding(seat) | {"known": known, "lights": lights}

    def holding(self, seat: int) -> dict[str, int]:
        """Return the shares that a player holds, those above the limit, and the points that these cost (P17)."""
        held = self.view.players[seat].held
        above = max(held - self.params.limit, 0)
        return {"held": held, "above": above, "lost": above * self.params.penalty}

    def known_shares(self, seat: int) -> list[dict[str, Any]]:
        """Return for each company the least number of a player's shares known to the viewer, and the trades (T5)."""
        if not self.setup.options["memory_aid"] and not self.is_over:
            return []
        player, exact = self.view.players[seat], self.is_over or self.viewer in (seat, ALL_SEATS)
        return [
            {"least": shares if exact else owed + taken - given, "exact": exact, "taken": taken, "given": given}
            for shares, owed, taken, given in zip(player.shares, player.owed, player.taken, player.given, strict=True)
        ]

    def own_portfolio(self) -> dict[str, Any]:
        """Return the content of the viewer's own screen."""
        return {**self.holding(self.viewer), "points": format_number(self.observation.scores[self.viewer] or 0)}

    # --- The end. ---

    def score_row(self, player: Mapping[str, Any]) -> dict[str, Any]:
        """Return the shares held and their points (P16 to P18)."""
        shares = zip(self.view.players[player["seat"]].shares, self.view.value, strict=True)
        return {"shares": [{"count": count, "value": value, "points": count * value} for count, value in shares]}
