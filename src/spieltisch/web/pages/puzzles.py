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
from spieltisch.live.advising import Hints
from spieltisch.puzzles import Posed, PuzzleError, Stock, of
from spieltisch.tables.cast import CAST
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.drawn import drawn
from spieltisch.web.pages.happened import moved
from spieltisch.web.pages.labels import labels
from spieltisch.web.pages.move_tree import tree_of_choices
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.templates import Pages

DAYS: Final = 31
"""For so many days there are puzzles, today's among them: for fewer where the stock is smaller, so none comes twice."""
PLAYERS: Final = tuple(character.name for character in CAST["greedy"])


def days(many: int = DAYS) -> tuple[date, ...]:
    """The last days, today (UTC) first."""
    today = datetime.now(UTC).date()
    return tuple(today - timedelta(days=back) for back in range(min(many, DAYS)))


def stock_of(game: Game) -> Stock | None:
    """The puzzles of a game; None where there are none that fit its rules."""
    try:
        return of(game)
    except PuzzleError:
        return None


def posed_at(key: str, day: str) -> Posed:
    """The puzzle that an address means, reached on its board. Raises PageRefusal 404."""
    try:
        stock = of(game_by_key(key))
        found = next((one for one in days(len(stock or ())) if one.isoformat() == day), None)
        if stock is None or found is None:
            raise PageRefusal(404, "no-puzzle", message("There is no puzzle for that day."))
        posed = stock.on(found)
        _ = posed.seen
    except PuzzleError as problem:
        raise PageRefusal(404, "no-puzzle", message("This puzzle no longer fits the rules.")) from problem
    return posed


def _context(pages: Pages, posed: Posed, day: str, language: str) -> dict[str, Any]:
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


def asked(pages: Pages, posed: Posed, day: str, language: str) -> str:
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
        tree=tree_of_choices(posed.position),
        **context,
        **drawn(pages, game, context["names"], seen, pages.words(language, game), last, ended=False),
    )


def answered(pages: Pages, posed: Posed, day: str, chosen: Move, at: int, hints: Hints, language: str) -> str:
    """What comes of the move that was chosen: whether it is right, what was found of the moves, and the best line on
    the board after `at` of its moves. Raises PageRefusal 404 where the line has no such step.
    """
    game, puzzle, setup = posed.setup.game, posed.puzzle, posed.setup
    if not 0 <= at <= len(puzzle.line):
        raise PageRefusal(404, "no-step", message("This line has no such step."))
    world, happened, moves = posed.position, list[tuple[Message, ...]](), [setup.move(one) for one in puzzle.line]
    seen, shown = world.observe(world.seat), None
    for number, move in enumerate(moves, 1):
        played = world.play(move, listen=True)
        known = game.events.seen(setup, played.events, posed.seen.seat)
        happened.append(tuple(game.log(setup, known, posed.seen.seat)))
        if number == at:
            seen = world.observe(posed.seen.seat)
            shown = moved(seen, played.seat, move, known)
    context = _context(pages, posed, day, language)
    return _rendered(
        pages,
        language,
        answered=True,
        at=f"{context['root']}/answer/{chosen.number}/{at}",
        seen=seen,
        step=at,
        chosen=chosen,
        right=chosen.number in puzzle.right,
        best=setup.move(puzzle.right[0]),
        hints=hints,
        happened=happened,
        moved=shown,
        words_of=setup.words,
        **context,
        **drawn(pages, game, context["names"], seen, pages.words(language, game), moves[at - 1 : at], ended=False),
    )


def _rendered(pages: Pages, language: str, *, posed: Posed, names: tuple[str, ...], **context: Any) -> str:
    game = posed.setup.game
    marks = pages.marks(game, posed.setup)
    return pages.render("puzzle_step.html", language, game, names, marks=marks, posed=posed, players=names, **context)
