"""The values of a component file as tables, for the page about it."""

from typing import Any, Final, NamedTuple

from markupsafe import Markup

from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.provenance import MARKS, Mark
from spieltisch.core.words import LANGUAGES, Message, base_language, message
from spieltisch.live.byte_cache import ByteCache
from spieltisch.web.pages.renderer import Renderer

MAX_BYTES: Final = 4 << 20
"""The maximum size of the rendered tables in memory, of up to 240 kB each."""
MARK_WORDS: Final[dict[str, tuple[Message, Message]]] = {
    "printed": (message("printed"), message("In a rulebook or in a public photo of the components.")),
    "reported": (message("reported"), message("Second-hand: in a review or a transcription.")),
    "example": (message("example"), message("In a worked example in a rulebook.")),
    "reconstructed": (
        message("reconstructed"),
        message("Our own, balanced by simulation: the real value isn’t public."),
    ),
}
"""Name and meaning of each provenance mark."""


class RenderedValues(NamedTuple):
    """The number of values with each provenance mark, and the tables of all values."""

    counts: dict[str, int]
    tables: Markup


class ComponentValues:
    """Renders the values of component files, which never change, once per file and language."""

    def __init__(self, pages: Renderer) -> None:
        self._pages = pages
        self._rendered: ByteCache[tuple[str, str], RenderedValues] = ByteCache(
            MAX_BYTES, lambda rendered: len(rendered.tables)
        )

    def release(self) -> bool:
        """Drop the tables that no one has asked for in some minutes; return True if there were any."""
        return self._rendered.release()

    async def of(self, game: Game, components: Components[Any], language: str) -> RenderedValues:
        """Return the values of a component file."""
        key = components.text, language  # not the digest: others may have the same values from other sources
        rendered = self._rendered.get(key)
        if rendered is None:
            marks = [mark.mark for _, _, mark in components.values()]
            html = await self._pages.render_with_pauses(
                "component_values.html",
                language,
                game,
                groups=_groups(components, base_language(language)),
                mark_words=MARK_WORDS,
            )
            counts: dict[str, int] = {mark: marks.count(mark) for mark in MARKS}
            rendered = RenderedValues(counts, Markup(html))  # noqa: S704 (escaped where it was rendered)
            self._rendered.put(key, rendered)
        return rendered


def _groups(components: Components[Any], language: str) -> dict[str, list[tuple[str, str, Mark]]]:
    """Return the values by the first step of their path, with names in the visitor's language only.

    The names of the file itself are left out.
    """
    groups: dict[str, list[tuple[str, str, Mark]]] = {}
    for path, value, mark in components.values():
        first, _, rest = path.partition(".")
        prefix, _, last = rest.rpartition(".")
        if first in ("game", "name", "title") or (last in LANGUAGES and last != language):
            continue
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        groups.setdefault(first, []).append((prefix if last == language else rest, text, mark))
    return groups
