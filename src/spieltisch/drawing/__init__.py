"""What the drawings of all games share: scenes, signs, the frame of the end, and the fragments of their style sheets.

A game draws by a `Drawing` of its own: a folder of templates and what they are given. What is given for one observation
comes from a `Scene`, which knows the players, their names, the moves to be marked and the end; a game adds what lies on
its boards. Its templates extend and import those in `drawing/templates` by names that begin with "drawing/":
`drawing/end.html` and `drawing/icons.svg` are frames with blocks to fill in, `drawing/icon_macros.html` and
`drawing/style.css` hold macros. An element with `data-place` can be chosen as a word of a move; `data-group` names what
it belongs to, `data-highlights` what lights up with it. `svg_paths`, `hexes` and `text_fitting` compute where lines and
words go.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spieltisch.core.game import PieceAnimation
from spieltisch.drawing.environment import environment
from spieltisch.drawing.scene import Scene, format_number

if TYPE_CHECKING:
    from spieltisch.core.events import GameEvent
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.core.words import Name, Words

__all__ = ["FITTED", "Drawing", "Scene", "environment", "format_number"]

FITTED: Final = "(min-width: 80rem) and (min-height: 35rem)"
"""See `Drawing.fitted`: laptops and larger, of which 560 pixels are left below what the browser has for itself."""


class Drawing(ABC):
    """How a game is drawn: a folder of templates, and what they are given."""

    templates: Path
    """`panel.html` and `end.html`; `own_summary.html`, the viewer's own pieces, for a phone; for a map `board.svg`
    and `pieces.svg`; `style.css` and `desk.css`; `icons.svg` with the definitions of all icons. `icon_macros.html` is
    needed only where an icon in a sentence is not drawn as everywhere.
    """
    fitted: ClassVar[str] = FITTED
    """In which windows the whole table stands without scrolling the page, as a media query; `desk.css` is for these."""
    scenes: ClassVar[type[Scene]]
    """What turns an observation into what the templates are given."""

    @abstractmethod
    def static_context(self, setup: Setup, words: Words) -> dict[str, Any]:
        """What `board.svg`, `style.css` and `icons.svg` are given. It depends on components and language only."""

    def scene_context(
        self, observation: Observation, words: Words, names: Sequence[str] = (), last: Sequence[Move] = ()
    ) -> dict[str, Any]:
        """What `pieces.svg`, `panel.html` and `end.html` are given.

        `names` are the players' names by seat; `last` the moves to be marked, those since the viewer's own.
        """
        return self.scenes(observation, words, names, last).context()

    def symbol_meanings(self, setup: Setup, words: Words) -> list[tuple[str, str]]:
        """Each letter and sign that is written on the boards, and its one meaning there; besides there are numbers and,
        where plates show the players, their initials (`Scene.initials`).
        """
        return []

    def animations(self, seen: Observation, events: Sequence[GameEvent]) -> list[PieceAnimation]:
        """What the MOVED events of a move move on the boards that the observation shows."""
        found = []
        for event in events:
            if event.kind == "moved":
                thing, many, source, target = event.numbers
                start, end = self.element_id(seen, thing, source), self.element_id(seen, thing, target)
                mark = self.icon(seen, thing)
                if start is not None and end is not None and start != end and mark:
                    found.append(PieceAnimation(mark, many, start, end))
        return found

    def icon(self, seen: Observation, thing: int) -> str:
        """The mark of a thing, as MOVED events number them; "" for what has none."""
        return ""

    def element_id(self, seen: Observation, thing: int, place: int) -> str | None:
        """The id of the element that shows the thing at a place, as MOVED events number them; "" where the move itself
        names it, or it lies in a supply that is not drawn; None where nobody sees it.
        """
        return None

    @abstractmethod
    def icons_by_name(self, setup: Setup) -> dict[Name, str]:
        """The class of the mark that stands beside each of these names in a sentence."""
