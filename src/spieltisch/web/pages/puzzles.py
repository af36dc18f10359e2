"""Puzzles on a page.

The URL alone contains the puzzle, the chosen move and the step of its line: `/puzzles/GAME/DAY` shows the question,
`/puzzles/GAME/DAY/answer/MOVE/STEP` the answer. Nothing of the answer is sent before that.
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
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.move_tree import labels, legal_tree
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

MAX_DAYS: Final = 31
"""Maximum number of days with puzzles, including today; fewer if the set is smaller, so that none repeats."""
PLAYERS: Final = tuple(character.name for character in BOT_CHARACTERS["greedy"])


def days(count: int = MAX_DAYS) -> tuple[date, ...]:
    """Return the last days, today (UTC) first."""
    today = datetime.now(UTC).date()
    return tuple(today - timedelta(days=days_ago) for days_ago in range(min(count, MAX_DAYS)))


def puzzle_set_of(game: Game) -> PuzzleSet | None:
    """Return the puzzles of a game; None if there are none that fit its rules."""
    try:
        return puzzles_of(game)
    except PuzzleError:
        return None


def puzzle_at(key: str, day: str) -> PosedPuzzle:
    """Return the puzzle at a URL, with its position reached. Raise PageRefusal 404."""
    try:
        puzzle_set = puzzles_of(game_by_key(key))
        date_of_puzzle = next(
            (date_shown for date_shown in days(len(puzzle_set or ())) if date_shown.isoformat() == day), None
        )
        if puzzle_set is None or date_of_puzzle is None:
            raise PageRefusal(404, "no-puzzle", message("No puzzle for this day."))
        posed = puzzle_set.puzzle_of_day(date_of_puzzle)
        _ = posed.seen
    except PuzzleError as error:
        raise PageRefusal(404, "no-puzzle", message("This puzzle is no longer available.")) from error
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
    """Render the puzzle as a fragment: the board, the preceding moves, and the legal moves."""
    game, seen = posed.setup.game, posed.seen
    context = _context(pages, posed, day, language)
    last = [earlier_move.move for earlier_move in posed.before[-1:]]
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
    """Render the answer to a move: whether it is right, the advice on the moves, and the best line.

    The board shows the position after `at` moves of that line. Raise PageRefusal 404 if it has no such step.
    """
    game, puzzle, setup = posed.setup.game, posed.puzzle, posed.setup
    if not 0 <= at <= len(puzzle.line):
        raise PageRefusal(404, "no-step", message("This move doesn’t exist in this line."))
    position, happened = posed.position, list[tuple[Message, ...]]()
    moves = [setup.move(number) for number in puzzle.line]
    seen, animation = position.observe(position.seat), None
    for number, move in enumerate(moves, 1):
        played = position.play(move, collect_events=True)
        visible_events = game.events.visible_events(setup, played.events, posed.seen.seat)
        happened.append(tuple(game.log(setup, visible_events, posed.seen.seat)))
        if number == at:
            seen = position.observe(posed.seen.seat)
            animation = move_animation(seen, played.seat, move, visible_events)
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
        moved=animation,
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
