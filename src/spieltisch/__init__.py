"""Board games of the age of invention: a table on the web and a fast simulator.

>>> import spieltisch
>>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
>>> position.why_not("trade red for 2 red").rule
'T2'
"""

from importlib.metadata import version

from spieltisch.core.errors import (
    DocumentError,
    DrawError,
    IllegalMove,
    OptionError,
    RecordError,
    Refusal,
    UnknownGame,
    UnknownMove,
)
from spieltisch.core.game import Game
from spieltisch.core.moves import LegalMoves, Move
from spieltisch.core.observation import Observation
from spieltisch.core.options import Option
from spieltisch.core.played_moves import PlayedMove
from spieltisch.core.position import Position
from spieltisch.core.position_document import Document
from spieltisch.core.previews import Preview
from spieltisch.core.record import Record
from spieltisch.core.results import MoveResult, Outcome
from spieltisch.core.setup import Setup
from spieltisch.games import game, game_names

__version__ = version("spieltisch")

__all__ = [
    "Document",
    "DocumentError",
    "DrawError",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "MoveResult",
    "Observation",
    "Option",
    "OptionError",
    "Outcome",
    "PlayedMove",
    "Position",
    "Preview",
    "Record",
    "RecordError",
    "Refusal",
    "Setup",
    "UnknownGame",
    "UnknownMove",
    "game",
    "game_names",
]
