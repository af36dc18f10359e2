"""The parts that the drawings of all games share: scenes, icons, the frame of the final account, style sheet fragments.

Belongs here: what the boards of at least two games need to be drawn. Does not belong here: the board of one game (its
folder in `games`), and the page around a board (`web`).

A game draws with its own `Drawing`: a folder of templates and their contexts. The context of an observation comes from
a `Scene`, which knows the players, their names, the moves to mark and the end; a game adds whatever is on its boards.
Its templates extend and import those in `drawing/templates` by names that begin with "drawing/": `drawing/end.html` and
`drawing/icons.svg` are frames with blocks to fill in, `drawing/icon_macros.html` and `drawing/style.css` contain
macros. Elements with `data-place` can be chosen as a word of a move; `data-group` names the piece or group that an
element belongs to, and `data-highlights` the group that is highlighted when it is pointed at. `svg_paths`, `hex_grid`
and `text_fitting` compute the positions of lines and text.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final

from spieltisch.core.events import GameEvent
from spieltisch.core.game_drawing import PieceAnimation
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, Words
from spieltisch.drawing.environment import environment
from spieltisch.drawing.scene import Scene, format_number

__all__ = ["FITTED", "Drawing", "Scene", "environment", "format_number"]

FITTED: Final = "(min-width: 62.5rem) and (min-height: 35rem)"
"""The default of `Drawing.fitted`: laptops and larger, of which 560 pixels remain below the browser's own bars."""


class Drawing(ABC):
    """The drawing of a game: a folder of templates and their contexts.

    >>> class Board(Drawing):
    ...     templates = Path("templates")
    ...     scenes = Scene
    ...     def static_context(self, setup, words): return {}
    ...     def icons_by_name(self, setup): return {}
    >>> Board().icon(observation=None, piece=0)
    ''
    """

    templates: Path
    """The folder with `panel.html` and `end.html`, and `own_summary.html` with the viewer's own holdings.

    Also `board.svg` and `pieces.svg` for a map, `picture.svg` with the boards in small for lists of tables,
    `style.css`, `desk.css`, and `icons.svg` with the definitions of all icons. `icon_macros.html` is needed only if an
    icon in a sentence is not drawn in the default form.
    """
    fitted: ClassVar[str] = FITTED
    """The media query of windows that show the whole table without scrolling; `desk.css` is for these."""
    grid_moves: ClassVar[Mapping[str, tuple[Message, Message]]] = MappingProxyType({})
    """The kinds of moves with three parameters that are chosen in a grid, with what its rows and its columns are.

    The first parameter goes down, the last one across. A switch chooses the parameter between.
    """
    moves_by_gain: ClassVar[Sequence[str]] = ()
    """The kinds of moves whose last words are listed by the points that they gain, most first, not in their order."""
    has_shields: ClassVar[bool] = False
    """True if the chips of the players show the symbols `icon-seat-0` and so on, which `panel.html` defines."""
    scenes: ClassVar[type[Scene]]
    """The class that turns an observation into a template context."""

    @abstractmethod
    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        """Return the context of the map, style sheets and icons, which depends on components and language only."""

    def scene_context(
        self, observation: Observation, words: Words, names: Sequence[str] = (), last: Sequence[Move] = ()
    ) -> dict[str, Any]:
        """Return the context of the templates that show an observation.

        `names` are the players' names by seat; `last` are the moves to mark, those since the viewer's own.
        """
        return self.scenes(observation, words, names, last).context()

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        """Return each letter and symbol written on the boards, with its one meaning there.

        In addition there are numbers and, where plates show the players, their initials (`Scene.initials`).
        """
        return []

    def animations(self, observation: Observation, events: Sequence[GameEvent]) -> list[PieceAnimation]:
        """Return the pieces that the MOVED events of a move carry across the boards of this observation."""
        animations = []
        for event in events:
            if event.kind == "moved":
                piece, count, source, target = event.numbers
                start, end = self.element_id(observation, piece, source), self.element_id(observation, piece, target)
                icon = self.icon(observation, piece)
                if start is not None and end is not None and start != end and icon:
                    animations.append(PieceAnimation(icon, count, start, end))
        return animations

    def icon(self, observation: Observation, piece: int) -> str:
        """Return the icon of a piece, by its number in MOVED events; "" if it has none."""
        return ""

    def element_id(self, observation: Observation, piece: int, location: int) -> str | None:
        """Return the id of the element that shows the piece at a location, by their numbers in MOVED events.

        It is "" where the move itself names the element, or the piece is in a supply that is not drawn, and None where
        no one sees it.
        """
        return None

    @abstractmethod
    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        """Return the CSS class of the icon next to each of these names in a sentence."""
