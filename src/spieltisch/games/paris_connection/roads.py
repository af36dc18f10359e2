"""The roads that are left: how far each company is from the city that ends the game, and whether one reaches a city."""

from collections.abc import Collection, Sequence
from functools import reduce

from spieltisch.core.words import Message, message, messages
from spieltisch.games.paris_connection.board import Board

NAMED_COMPANIES = 2
"""The number of companies that are named as the nearest ones to the end."""


def locomotives_needed(board: Board, open_hexes: Collection[int], net: Collection[int]) -> dict[int, int]:
    """Return the least number of locomotives that bring a company from its network to each hex that it can reach.

    All of them stand in `open_hexes`, which have room. Whether P10 forbids one of them is not asked.
    """
    needed: dict[int, int] = {}
    edge, count = set(net), 0
    while edge:
        count += 1
        edge = {m for n in edge for m in board.adjacent[n] if m in open_hexes} - needed.keys() - set(net)
        needed |= dict.fromkeys(edge, count)
    return needed


def road_to_end(
    board: Board, open_hexes: Collection[int], nets: Sequence[Collection[int]], depots: Sequence[int]
) -> list[Message]:
    """Return which companies are nearest to a city that ends the game, or that none can reach a city.

    Only companies whose depots hold enough locomotives for the way count.
    """
    needed = [locomotives_needed(board, open_hexes, net) for net in nets]
    ways = {
        city: sorted((its[city.number], k) for k, its in enumerate(needed) if its.get(city.number, 999) <= depots[k])
        for city in board.hexes
        if city.kind == "city"
    }
    if not any(ways.values()):
        return [message("No company can reach a city now: only trades change points.")]
    nearest = {city: [_way(board, *way) for way in ways[city][:NAMED_COMPANIES]] for city in ways if city.ends_game}
    return [
        message("Nearest to {city}: {companies}.", city=city.name, companies=reduce(_joined, companies))
        for city, companies in nearest.items()
        if companies
    ]


def _way(board: Board, count: int, number: int) -> Message:
    return messages("{company} ({count} hex)", "{company} ({count} hexes)", count, company=board.companies[number].name)


def _joined(companies: Message, company: Message) -> Message:
    return message("{companies}, {company}", companies=companies, company=company)
