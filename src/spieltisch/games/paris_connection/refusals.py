"""The reasons why a move of Paris Connection is refused."""

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.reasons import Reasons, name_of
from spieltisch.core.words import Name, sentence, sentences


def _company_being_built(observation: Observation, move: Move) -> Name:
    name: Name = observation.setup.board.companies[observation.view.company].name
    return name


REASONS = Reasons(("P5", "P4"), company=name_of("companies"), place=name_of("hexes", 1))

NOTHING_BUILT = REASONS("T11", sentence("You may stop only after placing at least one locomotive."))

EMPTY = REASONS("P4", sentence("{company}’s depot is empty."))
OTHER_DEPOT = REASONS(
    "P4",
    sentence("All locomotives in a turn must come from one depot; you’re building for {company}."),
    company=_company_being_built,
)
TOWER = REASONS("P9", sentence("You can’t build on the Eiffel Tower."))
THERE_ALREADY = REASONS("P7", sentence("{company} already has a locomotive in this hex ({place})."))
STATION = REASONS("P3", sentence("This station is open only to the company that starts there ({place})."))
BORDER = REASONS("P6", sentence("A hatched border separates this hex ({place}) from {company}’s locomotives."))
APART = REASONS("P5", sentence("{company} has no locomotive next to this hex ({place})."))
FULL_CITY = REASONS(
    "P8",
    sentences(
        "This city is full: it holds {count} locomotive ({place}).",
        "This city is full: it holds {count} locomotives ({place}).",
    ),
    count=lambda observation, move: observation.setup.board.turn.city_capacity,
)
FULL_COUNTRY = REASONS(
    "P8",
    sentences(
        "This rural hex is full: it holds {count} locomotive ({place}).",
        "This rural hex is full: it holds {count} locomotives ({place}).",
    ),
    count=lambda observation, move: observation.setup.board.turn.rural_capacity,
)
CUT_OFF = REASONS("P10", sentence("Building here ({place}) would cut off a company that hasn’t reached a city yet."))

BUILDING_BEGUN = REASONS("P4", sentence("You have begun to build; a turn is either building or trading."))
NOT_HELD = REASONS("P12", sentence("You hold no shares in {company}."))
SAME_COMPANY = REASONS("T2", sentence("Take shares in a different company from the one you give back."))
NOTHING_TO_TAKE = REASONS("P12", sentence("{company}’s depot is empty."), company=name_of("companies", 1))
TOO_FEW_TO_TAKE = REASONS(
    "P12", sentence("{company}’s depot has fewer than two locomotives."), company=name_of("companies", 1)
)
ONE_FOR_ONE = REASONS("P12", sentence("You may take only one locomotive in a trade."))
