"""Guided first rounds and worked examples. Each step has a URL, and the server stores nothing."""

from typing import Any

from litestar import Response, get
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.errors import UnknownMove
from spieltisch.core.words import Message, message
from spieltisch.games import game as game_by_key
from spieltisch.guides import Lesson
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import Request, is_htmx
from spieltisch.web.http.responses import fragment, notice, page
from spieltisch.web.pages.lesson import (
    LessonLinks,
    example_at,
    example_links,
    guide_links,
    lesson_at,
    moment,
    place,
    step,
)
from spieltisch.web.pages.move_tree import reasons


@get("/games/{key:str}/first-round")
async def begin(request: Request, key: str) -> Response[Any]:
    """Show the first step of the first round."""
    return _show_step(request, key, "1")


@get("/games/{key:str}/first-round/{at:str}")
async def show(request: Request, key: str, at: str) -> Response[Any]:
    """Show a step, untried, in progress, or complete; with `after`, only the boards after that many moves."""
    return _show_step(request, key, at)


@get("/games/{key:str}/examples/{name:str}")
async def example(request: Request, key: str, name: str) -> Response[Any]:
    """Show a step of a worked example: `at`, from 1; with `after`, only the boards after that many moves."""
    game, at = game_by_key(key), QueryParams(request).number("at")
    lesson = example_at(game, name, 1 if at is None else at)
    return _page(request, lesson, example_links(game, name, lesson))


def _show_step(request: Request, key: str, at: str) -> Response[Any]:
    lesson = lesson_at(game_by_key(key), at)
    return _page(request, lesson, guide_links(lesson))


def _page(request: Request, lesson: Lesson, links: LessonLinks) -> Response[Any]:
    setup = lesson.position.setup
    game, after = setup.game, QueryParams(request).number("after")
    if after is not None:
        return fragment(moment(request.pages, game, lesson, after, request.visitor.language))
    html = step(request.pages, game, lesson, links, request.visitor.language)
    if is_htmx(request):
        return fragment(html)
    step_html = Markup(html)  # noqa: S704 (escaped where it was rendered)
    return page(request, "guide.html", game=game, lesson=lesson, setup=setup, step=step_html, back="")


@get("/games/{key:str}/first-round/{at:str}/play")
async def play(request: Request, key: str, at: str) -> Response[Any] | Redirect:
    """Try a move: redirect to the next position, or explain the task, or name the rule that forbids the move."""
    lesson = lesson_at(game_by_key(key), at)
    if lesson.ask is None:
        raise PageRefusal(409, "tried", message("You have already done this step."))
    position = lesson.position
    try:
        move = position.move(QueryParams(request).text("move"))
    except UnknownMove as error:
        raise PageRefusal(422, "unknown-move", message("This move doesn’t exist in this game.")) from error
    refusal = position.why_not(move)
    if refusal is not None:
        return _answer(request, lesson, [(refusal.rule, refusal.message)], status=422)
    if not lesson.ask.accepts(move):
        return _answer(request, lesson, None)
    numbers = tuple(known.number for known in (*lesson.moves, move))
    return Redirect(f"/games/{key}/first-round/{place(lesson.number, numbers)}", status_code=303)


@get("/games/{key:str}/first-round/{at:str}/why")
async def why(request: Request, key: str, at: str) -> Response[Any]:
    """Explain why all moves that begin with these words and name this place are blocked."""
    lesson = lesson_at(game_by_key(key), at)
    params = QueryParams(request)
    words, place_param = params.text("words").split(), params.text("place")
    refusals = reasons(lesson.position, words, place_param, lesson.script.seat - 1)
    return _answer(request, lesson, [(refusal.rule, refusal.message) for refusal in refusals])


def _answer(
    request: Request, lesson: Lesson, refusals: list[tuple[str, Message]] | None, status: int = 200
) -> Response[Any]:
    """Return reasons, or without them a hint on the task: as a notice, or as a separate page."""
    context: dict[str, Any] = {
        "game": lesson.position.setup.game,
        "names": lesson.script.players,
        "refusals": refusals,
        "ask": lesson.ask,
        "rules_page": f"/games/{lesson.script.game}/rules",
    }
    if is_htmx(request):
        return notice(request, "first_round_notice.html", status=status, **context)
    back = guide_links(lesson).current
    return page(request, "first_round_answer.html", status=status, back=back, **context)
