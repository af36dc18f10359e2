"""A guided first round: each step has an address of its own, and nothing of it is kept on the server."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.refusal import UnknownMove
from spieltisch.core.words import Message, message
from spieltisch.games import game as game_by_key
from spieltisch.guides import Lesson
from spieltisch.web.http.queries import Asked
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request, wants_notice
from spieltisch.web.http.responses import fragment, notice, page
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages import first_round
from spieltisch.web.pages.moment import moment
from spieltisch.web.pages.move_tree import reasons
from spieltisch.web.pages.templates import Pages


@get("/games/{key:str}/first-round")
async def begin(request: Request, pages: Pages, visitor: Visitor, key: str) -> Response[Any]:
    return _shown(request, pages, visitor, key, "1")


@get("/games/{key:str}/first-round/{place:str}")
async def show(request: Request, pages: Pages, visitor: Visitor, key: str, place: str) -> Response[Any]:
    """A step, not tried yet, in the middle of it, or tried; `after`: the boards alone, after so many moves."""
    return _shown(request, pages, visitor, key, place)


def _shown(request: Request, pages: Pages, visitor: Visitor, key: str, place: str) -> Response[Any]:
    game = game_by_key(key)
    lesson = first_round.lesson_at(game, place)
    after = Asked(request).number("after")
    if after is not None:
        return fragment(moment(pages, game, lesson.guide, lesson, after, visitor.language))
    html = first_round.step(pages, game, lesson, visitor.language)
    if wants_notice(request):
        return fragment(html)
    step = Markup(html)  # noqa: S704 (escaped where it was rendered)
    return page(request, "first_round.html", game=game, lesson=lesson, setup=lesson.position.setup, step=step, back="")


@get("/games/{key:str}/first-round/{place:str}/play")
async def play(request: Request, key: str, place: str) -> Response[Any] | Redirect:
    """Try a move: on to where it leads, or a word about what is asked instead, or the rule that forbids it."""
    lesson = first_round.lesson_at(game_by_key(key), place)
    if lesson.ask is None:
        raise PageRefusal(409, "tried", message("This step has been tried."))
    position = lesson.position
    try:
        move = position.move(Asked(request).text("move"))
    except UnknownMove as unknown:
        raise PageRefusal(422, "unknown-move", message("There is no such move in this game.")) from unknown
    refusal = position.why_not(move)
    if refusal is not None:
        return _answer(request, lesson, [(refusal.rule, refusal.message)], status=422)
    if not lesson.ask.takes(move):
        return _answer(request, lesson, None)
    numbers = tuple(known.number for known in (*lesson.moves, move))
    return Redirect(f"/games/{key}/first-round/{first_round.place(lesson.number, numbers)}", status_code=303)


@get("/games/{key:str}/first-round/{place:str}/why")
async def why(request: Request, key: str, place: str) -> Response[Any]:
    """Why all moves that begin with these words and name this place are off."""
    lesson = first_round.lesson_at(game_by_key(key), place)
    asked = Asked(request)
    found, where = asked.text("words").split(), asked.text("place")
    refusals = reasons(lesson.position, found, where, lesson.guide.seat - 1)
    return _answer(request, lesson, [(refusal.rule, refusal.message) for refusal in refusals])


def _answer(
    request: Request, lesson: Lesson, refusals: list[tuple[str, Message]] | None, status: int = 200
) -> Response[Any]:
    """Reasons, or without them a word about what is asked for: as a notice, or as a page of its own."""
    context: dict[str, Any] = {
        "game": lesson.position.setup.game,
        "names": lesson.guide.players,
        "refusals": refusals,
        "ask": lesson.ask,
        "rules_page": f"/games/{lesson.guide.game}/rules",
    }
    if wants_notice(request):
        return notice(request, "first_round_notice.html", status=status, **context)
    back = first_round.ways(lesson).here
    return page(request, "first_round_answer.html", status=status, back=back, **context)


ROUTES = [begin, show, play, why]
