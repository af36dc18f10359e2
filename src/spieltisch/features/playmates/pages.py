"""The link in the lobby to the page of the people with whom a visitor plays."""

from spieltisch.live import Live
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.renderer import Renderer


class PlaymatePages:
    """Renders the link to the page of the people."""

    def __init__(self, _: Live, pages: Renderer) -> None:
        self._pages = pages

    async def lobby_section(self, visitor: Visitor, _: str) -> str:
        """Return the link, for a visitor who is a person."""
        return self._pages.render("playmates/section.html", visitor.language) if visitor.person is not None else ""
