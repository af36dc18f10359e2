"""The notice, on every page, of analyses that a person has asked for and that are finished."""

from spieltisch.core.game import Game
from spieltisch.games import game
from spieltisch.live import Live
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState


def finished_analyses(live: Live, person: str | None) -> list[tuple[str, Game]]:
    """Return the tables whose analysis this person asked for and has not seen, with their games; the oldest first."""
    return [(table_id, game(key)) for table_id, key in live.analysis.requested.finished(person).items()]


class RequestedAnalysesNotice:
    """Renders the notice."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages

    async def state(self, _: str, visitor: Visitor, known: int) -> TopicState | None:
        """Return the notice; blank once all analyses were seen, None for a visitor without a name."""
        version = self._live.analysis.requested.version(visitor.person_id)
        if visitor.person_id is None or version <= known:
            return None
        finished = finished_analyses(self._live, visitor.person_id)
        html = self._pages.render("finished_analyses.html", visitor.language, finished_analyses=finished)
        return TopicState(version, html or "\n")
