"""The moves of Paris Connection: `build red Lyon`, `done`, `trade red for 2 blue`.

Companies are named by the colour of their locomotives, hexes by the names of the board.
"""

from collections.abc import Sequence
from functools import partial

from spieltisch.core.move_space import MoveKind, MoveSpace, Parameter
from spieltisch.core.moves import MoveWord
from spieltisch.core.setup import Setup
from spieltisch.core.words import message
from spieltisch.games.paris_connection.state import COMPANIES, MAX_HEXES


def _company(place: str, setup: Setup, company: int) -> MoveWord:
    """Return a company in a move: its colour as text, its name and icon for people."""
    record = setup.board.companies[company]
    return MoveWord(record.id, record.name, element_id=f"{place}-{record.id}", icon=f"company-{record.id}")


company_word, share_word = partial(_company, "company"), partial(_company, "share")
"""A company in the list of companies, and a company among the player's own shares."""


def hex_word(setup: Setup, h: int) -> MoveWord | None:
    """Return a hex in a move; None beyond the last one of the map."""
    if h >= len(setup.board.hexes):
        return None
    hexagon = setup.board.hexes[h]
    return MoveWord(hexagon.move_name, hexagon.name, element_id=hexagon.place)


def number_word(setup: Setup, count: int) -> MoveWord:
    """Return the number of locomotives that are taken, in a move."""
    return MoveWord(f"for {count}", message("for one") if count == 1 else message("for two"))


SPACE = MoveSpace(
    MoveKind(
        "build",
        message("Build track"),
        Parameter("company", COMPANIES, company_word, message("Which company will you build for?")),
        Parameter("hex", MAX_HEXES, hex_word, message("Where will you build?")),
    ),
    MoveKind("done", message("Stop building")),
    MoveKind(
        "trade",
        message("Trade"),
        Parameter("give", COMPANIES, share_word, message("Which share will you give back?")),
        Parameter("take", COMPANIES, company_word, message("What will you take?")),
        Parameter("number", range(1, 3), number_word, message("For how many shares?")),
        order=("give", "number", "take"),
    ),
)
BUILD, DONE, TRADE = SPACE.codes
kind_of, part, number = SPACE.kind_of, SPACE.part, SPACE.number

# What is drawn: a locomotive of a company (also: the company of a station), or the start player.
DRAWN_COMPANY, DRAWN_SEAT = 0, COMPANIES


def draw_words(setup: Setup) -> Sequence[str]:
    """Return the texts of the draws, by code."""
    return [*(company.id for company in setup.board.companies), *(f"seat {p + 1}" for p in range(setup.seats))]
