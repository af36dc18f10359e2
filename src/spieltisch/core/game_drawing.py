"""The drawing of a game, as pages ask it for contexts, symbols and animations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation


class PieceAnimation(NamedTuple):
    """A group of pieces that moves on the boards.

    `icon` is their symbol, `amount` their number; `start` and `end` are the ids of the elements that they leave and
    reach. "" is the place that the move itself names.
    """

    icon: str
    amount: int
    start: str
    end: str


class Drawing(Protocol):
    """The drawing of a game; `spieltisch.drawing.Drawing` is the base class of the games in this project.

    Without one, the table shows prompt, words, log and points.
    """

    templates: Path
    fitted: ClassVar[str]
    """A media query for the windows in which the whole table fits without scrolling."""
    grid_moves: ClassVar[Mapping[str, tuple[Message, Message]]]
    """The kinds of moves that are chosen in a grid of their first and last parameter, and the words for these."""
    moves_by_gain: ClassVar[Sequence[str]]
    """The kinds of moves whose last words are listed by the points that they gain, most first, not in their order."""
    has_shields: ClassVar[bool]
    """True if the chips of the players show the symbols `icon-seat-0` and so on, which `panel.html` defines."""

    def static_context(self, setup: Setup, words: Any) -> Mapping[str, Any]:
        """Return the context of the templates that never change during a game.

        These are the static part of `board.svg`, the style sheets, and `icons.svg`, which defines the symbols once per
        page.
        """

    def scene_context(
        self, observation: Observation, words: Any, names: Sequence[str], last: Sequence[Move]
    ) -> Mapping[str, Any]:
        """Return the context of `pieces.svg`, `panel.html` and `end.html`."""

    def icons_by_name(self, setup: Setup) -> Mapping[Name, str]:
        """Return the class of the symbol that is next to each of these names in a sentence."""

    def symbol_meanings(self, setup: Setup, words: Any) -> Sequence[tuple[str, str]]:
        """Return pairs of a letter or symbol on the boards and its one meaning."""

    def animations(self, observation: Observation, events: Sequence[GameEvent]) -> Sequence[PieceAnimation]:
        """Return the animations of the events on the boards that an observation shows, after or before them."""
