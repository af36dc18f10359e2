"""The seeks that the lobby shows: to everyone the numbers for each game, to a person also their own, and no names."""

from typing import Any

from spieltisch.features.matchmaking.service import TOPIC, Matchmaking
from spieltisch.games import game, game_modules
from spieltisch.live import Live
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState


class SeekPages:
    """Renders what people seek."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._matchmaking = live.service(Matchmaking)
        self._pages = pages

    async def state(self, _: str, visitor: Visitor, known: int) -> TopicState | None:
        """Return what this visitor may see."""
        version = self._matchmaking.version(visitor.person_id)
        if version <= known:
            return None
        return TopicState(
            version, self._pages.render("matchmaking/status.html", visitor.language, **self.context(visitor))
        )

    async def lobby_section(self, visitor: Visitor, _: str) -> str:
        """Return the same, for the page."""
        version = self._matchmaking.version(visitor.person_id)
        return self._pages.render(
            "matchmaking/section.html", visitor.language, topic=TOPIC, version=version, **self.context(visitor)
        )

    def context(self, visitor: Visitor) -> dict[str, Any]:
        """Return the variables of `status.html`."""
        own = self._matchmaking.own(visitor.person_id)
        counted = self._matchmaking.count()
        return {
            "own": own,
            "own_game": game(own.kind.game) if own is not None else None,
            "found": self._matchmaking.found(visitor.person_id),
            "counts": [(game(key), counted[key]) for key in game_modules() if counted.get(key)],
        }
