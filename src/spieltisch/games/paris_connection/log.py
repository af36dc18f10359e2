"""What moves of Paris Connection do, and what the log says of it. All of it is public but the points, which tell of
portfolios.
"""

from spieltisch.core.events import Event, Kinds
from spieltisch.core.setup import Setup
from spieltisch.core.words import Name, sentence, sentences
from spieltisch.games.paris_connection.state import COMPANIES

# Where locomotives lie, as MOVED events say it; what they are is their company.
DEPOT, MAP, PORTFOLIO = 0, 1, 2
"""PORTFOLIO + p is that of seat p."""

PENALTY = COMPANIES
"""The source of points that locomotives above the limit cost (P17); the others are the companies."""


def _company(setup: Setup, event: Event) -> Name:
    name: Name = setup.board.companies[event.numbers[0]].name
    return name


def _other_company(setup: Setup, event: Event) -> Name:
    name: Name = setup.board.companies[event.numbers[1]].name
    return name


def _place(setup: Setup, event: Event) -> Name:
    name: Name = setup.board.hexes[event.numbers[1]].name
    return name


def _goal(setup: Setup, event: Event) -> Name:
    name: Name = setup.board.hexes[event.numbers[0]].name
    return name


EVENTS = Kinds(company=_company, place=_place)
EVENTS("points", sees=lambda setup, event, viewer: viewer == event.seat)

BUILT = EVENTS("built", sentence("{player} builds {company}: {place}."))
BUILT_CITY = EVENTS(
    "built city",
    sentence("{player} builds {company}: {place}. Its value is now {value}."),
    value=lambda setup, event: event.numbers[2],
)
STOPPED = EVENTS("stopped", sentence("{player} stops building."))
TRADED = EVENTS(
    "traded",
    sentences(
        "{player} gives back {count_given} {given} and takes {count} {taken}.",
        "{player} gives back {count_given} {given} and takes {count} {taken}.",
    ),
    count_given=lambda setup, event: 1,
    given=_company,
    count=lambda setup, event: event.numbers[2],
    taken=_other_company,
)
GOAL_REACHED = EVENTS("goal reached", sentence("The game is over: a locomotive has reached {city}."), city=_goal)
DEPOTS_EMPTY = EVENTS("depots empty", sentence("The game is over: locomotives are left in at most one depot."))
STALLED = EVENTS(
    "stalled", sentence("The game is over: nothing but trades of one for one was played for three rounds.")
)
