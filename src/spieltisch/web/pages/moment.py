"""A moment of what is taught: the boards after one of the moves that lead to a step, and what that move did."""

from __future__ import annotations

from spieltisch.core.game import Game
from spieltisch.guides import Lesson, Start
from spieltisch.guides.example import Shown
from spieltisch.web.http.refusals import no_page
from spieltisch.web.pages.drawn import drawn
from spieltisch.web.pages.happened import moved
from spieltisch.web.pages.templates import Pages


def moment(pages: Pages, game: Game, start: Start, step: Lesson | Shown, after: int, language: str) -> str:
    """The boards after so many moves, as a fragment. Raises PageRefusal 404 for moves that are not new in the step."""
    if not step.fresh <= after <= len(step.told):
        raise no_page()
    position = start.start(game)
    for told in step.told[:after]:
        position.play(told.move)
    seen = position.observe(start.seat - 1)
    newest = step.told[after - 1] if after else None
    last = [newest.move] if newest and newest.shown else []
    return pages.render(
        "moment.html",
        language,
        game,
        start.players,
        marks=pages.marks(game, position.setup),
        happened=newest.messages if newest else (),
        moved=moved(seen, newest.seat, newest.move if newest.shown else None, newest.events) if newest else None,
        **drawn(pages, game, start.players, seen, pages.words(language, game), last, ended=False),
    )
