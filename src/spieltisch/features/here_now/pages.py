"""The number of people here, as the lobby shows it: the same for everyone, and no names."""

from markupsafe import Markup

from spieltisch.features.here_now.service import TOPIC, HereNow
from spieltisch.live import Live
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState


class HerePages:
    """Renders the number of people here."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._here = live.service(HereNow)
        self._pages = pages

    async def state(self, _: str, visitor: Visitor, known: int) -> TopicState | None:
        """Return the number."""
        version = self._here.version()
        return TopicState(version, self._html(visitor, self._here.count())) if version > known else None

    async def lobby_section(self, visitor: Visitor, address: str) -> str:
        """Return the number with this visitor, whose stream opens soon."""
        version, number = self._here.version(), self._here.count()
        with_visitor = self._here.count(visitor.person_id or self._live.quotas.unnamed_at(address))
        return self._pages.render(
            "here_now/section.html",
            visitor.language,
            topic=TOPIC,
            version=version if with_visitor == number else 0,  # 0: the stream brings the number soon
            people=self._html(visitor, with_visitor),
        )

    def _html(self, visitor: Visitor, number: int) -> Markup:
        return self._pages.render_part("here_now/people.html", visitor.language, count=number)
