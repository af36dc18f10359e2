"""The effects of moves of Paris Connection, and their log messages.

All of it is public except the points, which reveal portfolios.
"""

from spieltisch.core.events import EventKinds, name_of, number_of
from spieltisch.core.words import sentence, sentences
from spieltisch.games.paris_connection.state import COMPANIES

DEPOT, MAP, PORTFOLIO = 0, 1, 2
"""Locations in MOVED events; PORTFOLIO + p is the portfolio of seat p. The piece is the company."""

PENALTY = COMPANIES
"""The source of points for locomotives above the limit (P17); the other sources are the companies."""


EVENTS = EventKinds(company=name_of("companies"), place=name_of("hexes", 1))
EVENTS("points", visible_to=lambda setup, event, viewer: viewer == event.seat)

BUILT = EVENTS("built", sentence("{player} builds for {company}: {place}."))
BUILT_CITY = EVENTS(
    "built city",
    sentence("{player} builds for {company}: {place}. Its shares are now worth {value}."),
    value=number_of(2),
)
STOPPED = EVENTS("stopped", sentence("{player} stops building."))
TRADED = EVENTS(
    "traded",
    sentences(
        "{player} gives back {count_given} {given} and takes {count} {taken}.",
        "{player} gives back {count_given} {given} and takes {count} {taken}.",
    ),
    count_given=lambda setup, event: 1,
    given=name_of("companies"),
    count=number_of(2),
    taken=name_of("companies", 1),
)
GOAL_REACHED = EVENTS(
    "goal reached", sentence("The game is over: a locomotive has reached {city}."), city=name_of("hexes")
)
DEPOTS_EMPTY = EVENTS("depots empty", sentence("The game is over: at most one depot still has locomotives."))
STALLED = EVENTS("stalled", sentence("The game is over after three rounds of nothing but one-for-one trades."))
