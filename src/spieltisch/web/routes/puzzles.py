"""Puzzles: find the best move, one a day for each game.

Solved ones are stored with a person, or in the browser of a visitor without a name.
"""

import asyncio
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from spieltisch.core.errors import Refusal, UnknownMove
from spieltisch.core.moves import Move
from spieltisch.core.words import message
from spieltisch.games import game as game_by_key
from spieltisch.games import game_modules
from spieltisch.live.advice import explain
from spieltisch.puzzles import PosedPuzzle
from spieltisch.web.http.query_params import QueryParams, number
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import Request, is_htmx
from spieltisch.web.http.responses import fragment, notice, page, redirect
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.pages import puzzles
from spieltisch.web.pages.move_tree import reasons
from spieltisch.web.pages.puzzle_progress import merged_progress, parse_progress


@get("/puzzles")
async def index(request: Request) -> Response[str]:
    """Show today's puzzles, and those of the last month."""
    games = list(map(game_by_key, game_modules()))
    puzzle_sets = [
        puzzle_set
        for puzzle_set in await asyncio.to_thread(lambda: [*map(puzzles.puzzle_set_of, games)])
        if puzzle_set is not None
    ]
    days = puzzles.days()
    earlier = sum(min(puzzle_set.count, len(days)) - 1 for puzzle_set in puzzle_sets)
    return page(request, "puzzles.html", puzzle_sets=puzzle_sets, days=days, earlier=earlier)


@post("/puzzles/progress", status_code=200)
async def save_progress(request: Request) -> Response[Any]:
    """Add what this browser knows to the progress of its person."""
    person = require_person(request.visitor)
    known = merged_progress(person.preferences.puzzles, parse_progress(request.fields.get("progress", "")))
    preferences = msgspec.structs.replace(person.preferences, puzzles=known)
    await request.live.people.update(person.id, preferences=preferences)
    return Response(b"", media_type="text/plain")


@get("/puzzles/{key:str}", status_code=303)
async def today(key: str) -> Redirect:
    """Redirect to today's puzzle of a game."""
    return redirect(f"/puzzles/{game_by_key(key).key}/{puzzles.days()[0].isoformat()}")


@get("/puzzles/{key:str}/{day:str}")
async def show(request: Request, key: str, day: str) -> Response[str]:
    """Show a puzzle."""
    posed = await asyncio.to_thread(puzzles.puzzle_at, key, day)
    return _question(request, posed, day)


@get("/puzzles/{key:str}/{day:str}/picture")
async def picture(request: Request, key: str, day: str) -> Response[bytes]:
    """Return the boards of a puzzle in small, which never change."""
    posed = await asyncio.to_thread(puzzles.puzzle_at, key, day)
    drawn = await request.fragments.pictures.of_puzzle(posed, puzzles.PLAYERS[: posed.setup.seats])
    if drawn is None:
        raise no_page()
    headers = {"Cache-Control": "private, max-age=86400", "Content-Security-Policy": drawn.policy}
    return Response(drawn.svg, media_type="image/svg+xml", headers=headers)


@get("/puzzles/{key:str}/{day:str}/hint")
async def hint(request: Request, key: str, day: str) -> Response[str]:
    """Show a puzzle with a few moves of which one is best."""
    posed = await asyncio.to_thread(puzzles.puzzle_at, key, day)
    return _question(request, posed, day, has_hint=True)


@get("/puzzles/{key:str}/{day:str}/attempt/{chosen:str}")
async def attempt(request: Request, key: str, day: str, chosen: str) -> Response[str] | Redirect:
    """Show that a move is not the best, without the solution; redirect to the answer if it is right."""
    posed = await asyncio.to_thread(puzzles.puzzle_at, key, day)
    move = _legal_move(posed, chosen)
    if move.number in posed.solutions:
        return redirect(f"/puzzles/{key}/{day}/answer/{move.number}/1")
    return _question(request, posed, day, wrong=move)


@get("/puzzles/{key:str}/{day:str}/play")
async def play(request: Request, key: str, day: str) -> Response[Any] | Redirect:
    """Choose a move: show it, redirect to the answer if it is `confirmed`, or name the rule that forbids it."""
    posed = await asyncio.to_thread(puzzles.puzzle_at, key, day)
    try:
        move = posed.position.move(QueryParams(request).text("move"))
    except UnknownMove as error:
        raise PageRefusal(422, "unknown-move", message("This move doesn’t exist in this game.")) from error
    refusal = posed.position.why_not(move)
    if refusal is not None:
        return _show_reasons(request, posed, day, [refusal], status=422)
    must_confirm = request.visitor.person is None or request.visitor.person.preferences.confirm_moves
    if must_confirm and QueryParams(request).number("confirmed") is None:
        return await _to_confirm(request, posed, day, move)
    step = f"answer/{move.number}/1" if move.number in posed.solutions else f"attempt/{move.number}"
    return redirect(f"/puzzles/{key}/{day}/{step}")


@get("/puzzles/{key:str}/{day:str}/why")
async def why(request: Request, key: str, day: str) -> Response[Any]:
    """Explain why all moves that begin with these words and name this place are blocked."""
    posed, params = await asyncio.to_thread(puzzles.puzzle_at, key, day), QueryParams(request)
    refusals = reasons(posed.position, params.text("words").split(), params.text("place"), posed.seen.seat)
    return _show_reasons(request, posed, day, refusals)


@get("/puzzles/{key:str}/{day:str}/answer/{chosen:str}/{at:str}")
async def answer(request: Request, key: str, day: str, chosen: str, at: str) -> Response[str]:
    """Show whether a move is right and why, with the best line on the board after `at` of its moves."""
    posed = await asyncio.to_thread(puzzles.puzzle_at, key, day)
    move = _legal_move(posed, chosen)
    hints = await asyncio.to_thread(lambda: explain(posed.position, posed.advice))
    visitor = request.visitor
    step = puzzles.answer(
        request.pages, posed, day, move, number("at", at), hints, visitor.language, visitor.share_address
    )
    return _respond(request, posed, step)


def _legal_move(posed: PosedPuzzle, chosen: str) -> Move:
    """Return the move with the number in a URL. Raise PageRefusal 404."""
    try:
        move = posed.position.move(number("move", chosen))
    except UnknownMove as error:
        raise PageRefusal(404, "unknown-move", message("This move doesn’t exist in this game.")) from error
    if posed.position.why_not(move) is not None:
        raise PageRefusal(404, "unknown-move", message("That move is not possible in this puzzle."))
    return move


def _question(
    request: Request, posed: PosedPuzzle, day: str, *, wrong: Move | None = None, has_hint: bool = False
) -> Response[str]:
    language, share = request.visitor.language, request.visitor.share_address
    html = puzzles.question(request.pages, posed, day, language, share, wrong=wrong, has_hint=has_hint)
    return _respond(request, posed, html)


def _respond(request: Request, posed: PosedPuzzle, html: str) -> Response[str]:
    if is_htmx(request):
        return fragment(html)
    step = Markup(html)  # noqa: S704 (escaped where it was rendered)
    return page(request, "puzzle.html", game=posed.setup.game, setup=posed.setup, step=step, back="")


async def _to_confirm(request: Request, posed: PosedPuzzle, day: str, move: Move) -> Response[Any]:
    """Show the effects of a move, which is the answer once it is confirmed."""
    game = posed.setup.game
    context: dict[str, Any] = {
        "game": game,
        "names": puzzles.PLAYERS,
        "marks": request.pages.marks(game, posed.setup),
        "move": move.text,
        "words": posed.setup.words(move),
        "steps": (),
        "preview": await asyncio.to_thread(posed.position.preview, move),
        "root": f"/puzzles/{game.key}/{day}",
    }
    if is_htmx(request):
        return notice(request, "puzzle_confirm.html", **context)
    return page(request, "puzzle_confirm_page.html", setup=posed.setup, **context)


def _show_reasons(
    request: Request, posed: PosedPuzzle, day: str, refusals: list[Refusal], status: int = 200
) -> Response[Any]:
    """Return reasons: as a notice, or as a separate page."""
    game = posed.setup.game
    context: dict[str, Any] = {
        "game": game,
        "names": puzzles.PLAYERS,
        "refusals": [(refusal.rule, refusal.message) for refusal in refusals],
        "rules_page": f"/games/{game.key}/rules",
    }
    if is_htmx(request):
        return notice(request, "refusal.html", status=status, **context)
    return page(request, "puzzle_refusal.html", status=status, back=f"/puzzles/{game.key}/{day}", **context)
