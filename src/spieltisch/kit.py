"""The names that a game outside this project imports, all in one place.

- **The contract**: `Game` with `GameInfo`, `Option` and `Rules`, and what its methods get: `Setup`, `Components`,
  `Position`, `Observation`, `Move`, `GameEvent`.
- **Rules**: `rule` marks a function that can be compiled. It draws with `draw` (or `randbelow`) and tells what happens
  with `emit`; a record of working memory holds `Draws` and `Events`. `open_view` is the record of a view, `ALL_SEATS`
  the viewer who sees everything, `Rng` the generator for `Game.imagine`.
- **Declarations**: a `MoveSpace` of `MoveKind` and `Parameter`, whose values are said by a `MoveWord` (`number_word`,
  `seat_word`); `Reasons` of refusals; `EventKinds` with `POINTS`, `MOVED` and `number_of`; a `ComponentFile`.
- **Texts**: `sentence` and `sentences` declare one, `message` and `messages` say one: a `Message`, with a `Name` or a
  `SeatName` in it.
- **Features**, the `Meaning` of the numbers of a view, for programs that learn: `category`, `count`, `hex_plane`,
  `member_flags`, `scalar`, `seat_number`.
- **The drawing**: a `Drawing` with its `Scene`.

`docs/tutorials/own-game.md` makes a game of these, and `spieltisch.testing.check_game` checks it.

>>> from spieltisch.kit import MoveKind, MoveSpace, Parameter, message, number_word
>>> space = MoveSpace(MoveKind("bid", message("Bid a card"), Parameter("card", range(1, 14), number_word)))
>>> space.size, space.part(0, 0)
(13, 1)
"""

from spieltisch.core.chance import Draws, Rng, draw, randbelow
from spieltisch.core.compiled import rule
from spieltisch.core.components import ComponentFile, Components
from spieltisch.core.events import MOVED, POINTS, EventKinds, Events, GameEvent, emit, number_of
from spieltisch.core.features import Meaning, category, count, hex_plane, member_flags, scalar, seat_number
from spieltisch.core.game import Game, GameInfo
from spieltisch.core.move_space import MoveKind, MoveSpace, Parameter, number_word, seat_word
from spieltisch.core.moves import Move, MoveWord
from spieltisch.core.observation import ALL_SEATS, Observation, open_view
from spieltisch.core.options import Option
from spieltisch.core.position import Position
from spieltisch.core.reasons import Reasons
from spieltisch.core.rules import Rules
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, SeatName, message, messages, sentence, sentences
from spieltisch.drawing import Drawing, Scene

__all__ = [
    "ALL_SEATS", "MOVED", "POINTS", "ComponentFile", "Components", "Drawing", "Draws", "EventKinds", "Events", "Game",
    "GameEvent", "GameInfo", "Meaning", "Message", "Move", "MoveKind", "MoveSpace", "MoveWord", "Name", "Observation",
    "Option", "Parameter", "Position", "Reasons", "Rng", "Rules", "Scene", "SeatName", "Setup", "category", "count",
    "draw", "emit", "hex_plane", "member_flags", "message", "messages", "number_of", "number_word", "open_view",
    "randbelow", "rule", "scalar", "seat_number", "seat_word", "sentence", "sentences",
]  # fmt: skip
