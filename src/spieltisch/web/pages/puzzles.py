"""Puzzles on a page. Which one, what was chosen and how far its line was followed stand in the address alone:
`/puzzles/GAME/DAY` asks, `/puzzles/GAME/DAY/answer/MOVE/STEP` answers. Before that nothing of the answer is sent.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.words import Message, message
from spieltisch.games import game as game_by_key
from spieltisch.live.advice import ExplainedAdvice
from spieltisch.puzzles import PosedPuzzle, PuzzleError, PuzzleSet, puzzles_of
from spieltisch.tables.bot_characters import BOT_CHARACTERS
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.labels import labels
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.move_tree import legal_tree
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

DAYS: Final = 31
"""For so many days there are puzzles, today's among them: for fewer where the stock is smaller, so none comes twice."""
PLAYERS: Final = tuple(character.name for character in BOT_CHARACTERS["greedy"])


def days(many: int = DAYS) -> tuple[date, ...]:
    """The last days, today (UTC) first."""
    today = datetime.now(UTC).date()
    return tuple(today - timedelta(days=back) for back in range(min(many, DAYS)))


def puzzle_set_of(game: Game) -> PuzzleSet | None:
    """The puzzles of a game; None where there are none that fit its rules."""
    try:
        return puzzles_of(game)
    except PuzzleError:
        return None


def puzzle_at(key: str, day: str) -> PosedPuzzle:
    """The puzzle that an address means, reached on its board. Raises PageRefusal 404."""
    try:
        stock = puzzles_of(game_by_key(key))
        found = next((one for one in days(len(stock or ())) if one.isoformat() == day), None)
        if stock is None or found is None:
            raise PageRefusal(404, "no-puzzle", message("There is no puzzle for that day."))
        posed = stock.puzzle_of_day(found)
        _ = posed.seen
    except PuzzleError as problem:
        raise PageRefusal(404, "no-puzzle", message("This puzzle no longer fits the rules.")) from problem
    return posed


def _context(pages: Renderer, posed: PosedPuzzle, day: str, language: str) -> dict[str, Any]:
    game = posed.setup.game
    seat, names = posed.seen.seat or 0, PLAYERS[: posed.setup.seats]
    return {
        "posed": posed,
        "day": date.fromisoformat(day),
        "root": f"/puzzles/{game.key}/{day}",
        "names": names,
        "seat": seat,
        "perspective": Perspective(seat, host=False),
        "rules_page": f"/games/{game.key}/rules",
        **labels(pages, game, pages.words(language, game), names),
    }


def question(pages: Renderer, posed: PosedPuzzle, day: str, language: str) -> str:
    """The puzzle as a fragment: the board, what happened before, and the legal moves."""
    game, seen = posed.setup.game, posed.seen
    context = _context(pages, posed, day, language)
    last = [told.move for told in posed.before[-1:]]
    return _rendered(
        pages,
        language,
        answered=False,
        at=context["root"],
        seen=seen,
        prompt=game.prompt(seen),
        tree=legal_tree(posed.position),
        **context,
        **render_boards(pages, game, context["names"], seen, pages.words(language, game), last, ended=False),
    )


def answer(
    pages: Renderer, posed: PosedPuzzle, day: str, chosen: Move, at: int, hints: ExplainedAdvice, language: str
) -> str:
    """What comes of the move that was chosen: whether it is right, what was found of the moves, and the best line on
    the board after `at` of its moves. Raises PageRefusal 404 where the line has no such step.
    """
    game, puzzle, setup = posed.setup.game, posed.puzzle, posed.setup
    if not 0 <= at <= len(puzzle.line):
        raise PageRefusal(404, "no-step", message("This line has no such step."))
    world, happened, moves = posed.position, list[tuple[Message, ...]](), [setup.move(one) for one in puzzle.line]
    seen, shown = world.observe(world.seat), None
    for number, move in enumerate(moves, 1):
        played = world.play(move, collect_events=True)
        known = game.events.visible_events(setup, played.events, posed.seen.seat)
        happened.append(tuple(game.log(setup, known, posed.seen.seat)))
        if number == at:
            seen = world.observe(posed.seen.seat)
            shown = move_animation(seen, played.seat, move, known)
    context = _context(pages, posed, day, language)
    return _rendered(
        pages,
        language,
        answered=True,
        at=f"{context['root']}/answer/{chosen.number}/{at}",
        seen=seen,
        step=at,
        chosen=chosen,
        right=chosen.number in puzzle.solutions,
        best=setup.move(puzzle.solutions[0]),
        hints=hints,
        happened=happened,
        moved=shown,
        words_of=setup.words,
        **context,
        **render_boards(
            pages, game, context["names"], seen, pages.words(language, game), moves[at - 1 : at], ended=False
        ),
    )


def _rendered(pages: Renderer, language: str, *, posed: PosedPuzzle, names: tuple[str, ...], **context: Any) -> str:
    game = posed.setup.game
    marks = pages.marks(game, posed.setup)
    return pages.render("puzzle_step.html", language, game, names, marks=marks, posed=posed, players=names, **context)
