"""The drawing of Era of Inventions: what its templates are given.

There is no map: `panel.html` lays out all boards on one sheet, `layout.py` says what lies on them; `ledger.py` has the
players. `engraving.py` draws the signs, `scoring.py` lays out the end. Everything is public (R37): every perspective
is shown the same, its own player first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.core.words import Name, Words
from spieltisch.games.era_of_inventions import engraving, scoring
from spieltisch.games.era_of_inventions.layout import Layout
from spieltisch.games.era_of_inventions.ledger import players

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.games.era_of_inventions.board import Board


class EraDrawing:
    """How Era of Inventions is drawn: a folder of templates, and what they are given."""

    templates: Path = Path(__file__).parent / "templates"

    def static(self, setup: Setup, words: Words) -> dict[str, Any]:
        """What `style.css` is given."""
        board: Board = setup.board
        return {"signs": engraving.signs(board, words.say)}

    def scene(
        self, observation: Observation, words: Words, names: Sequence[str] = (), last: Sequence[Move] = ()
    ) -> dict[str, Any]:
        """What `panel.html` and `end.html` are given.

        `names` are the players' names by seat; `last` the moves to be marked, those since the viewer's own.
        """
        layout = Layout(observation, words, names, last)
        return {
            "signs": engraving.signs(observation.setup.board, words.say),
            "over": observation.over,
            "round": layout.round(),
            "track": layout.track(),
            "actions": layout.actions(),
            "row": layout.row(),
            "piles": layout.piles(),
            "factory_row": layout.factory_row(),
            "stores": layout.stores(),
            "inventions": layout.inventions(),
            "steps": layout.steps(),
            "market": layout.market(),
            "stones": layout.stones(),
            "players": players(layout),
            "end": scoring.end(observation, words, names) if observation.over else None,
        }

    def marks(self, setup: Setup) -> dict[Name, str]:
        """The class of the mark that stands beside each of these names in a sentence."""
        return engraving.marks(setup.board)
