"""Puzzles on a page.

The URL alone contains the puzzle, the chosen move and the step of its line: `/puzzles/GAME/DAY` shows the question,
`/puzzles/GAME/DAY/hint` a hint, `/puzzles/GAME/DAY/attempt/MOVE` that a move is not the best, and
`/puzzles/GAME/DAY/answer/MOVE/STEP` the answer. Nothing of the answer is sent before the hint. Instead of a day, a URL
may have the id of a puzzle: such links are shared, and stay the same when more puzzles are made.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.words import Message, message
from spieltisch.games import GAMES
from spieltisch.games import game as game_by_key
from spieltisch.live.advice import ExplainedAdvice, ExplainedMove
from spieltisch.puzzles import PosedPuzzle, PuzzleError, PuzzleSet, puzzles_of
from spieltisch.tables.bot_characters import BOT_CHARACTERS
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS, ShareAddress
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.move_tree import labels, legal_tree
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

MAX_DAYS: Final = 31
"""Maximum number of days with puzzles, including today; fewer if the set is smaller, so that none repeats."""
HINTED_MOVES: Final = 3
"""The number of moves that a hint names; one of them is best."""
PLAYERS: Final = tuple(character.name for character in BOT_CHARACTERS["easy"])


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
        posed = None
        if puzzle_set is not None:
            shown = next((shown for shown in days(len(puzzle_set)) if shown.isoformat() == day), None)
            posed = puzzle_set.puzzle_by_id(day) if shown is None else puzzle_set.puzzle_of_day(shown)
        if posed is None:
            raise PageRefusal(404, "no-puzzle", message("No puzzle for this day."))
        _ = posed.seen
    except PuzzleError as error:
        raise PageRefusal(404, "no-puzzle", message("This puzzle is no longer available.")) from error
    return posed


def reason(explained: ExplainedMove) -> tuple[Message, ...]:
    """Return the reason for a move in at most two sentences: of more, the first and the last.

    Without one it is the next reply.
    """
    why = explained.why or explained.replies[:1]
    return why if len(why) <= 2 else (why[0], why[-1])


def hinted_moves(posed: PosedPuzzle) -> list[Move]:
    """Return the best move among others that were searched, in the order of their numbers."""
    solutions = posed.solutions
    others = [result.move for result in posed.puzzle.tried if result.move not in solutions]
    return [posed.setup.move(number) for number in sorted((solutions[0], *others[: HINTED_MOVES - 1]))]


def _next_puzzles(game: Game, day: str) -> tuple[str, tuple[str, ...]]:
    """Return the path of the next puzzle, "" if there is none, and what a browser prefers to it if it isn't solved yet.

    Paths are `GAME/DAY`. Next are the other games of that day, then the day before; after a shared puzzle, today's. A
    preferred path is followed by `#` and the id of its puzzle.
    """
    keys = (game.key, *(key for key in GAMES if key != game.key)) if day not in map(str, days()) else tuple(GAMES)
    stocks = {key: puzzle_set for key in keys if (puzzle_set := puzzle_set_of(game_by_key(key))) is not None}
    listed = [(shown, key) for shown in days() for key, stock in stocks.items() if shown in days(len(stock))]
    place = next((n for n, (shown, key) in enumerate(listed) if (str(shown), key) == (day, game.key)), -1)
    following = listed[place + 1 :]
    same_day = [entry for entry in [*following, *listed[:place]] if str(entry[0]) == day]
    preferred = [*same_day, *(entry for entry in following if entry not in same_day)][: 2 * len(stocks) - 1]
    paths = [f"{key}/{shown}#{stocks[key].puzzle_of_day(shown).id}" for shown, key in preferred]
    return "{1}/{0}".format(*following[0]) if following else "", tuple(paths)


def _context(
    pages: Renderer, posed: PosedPuzzle, day: str, language: str, share: ShareAddress = NO_SHARE_ADDRESS
) -> dict[str, Any]:
    game = posed.setup.game
    seat, names = posed.seen.seat or 0, PLAYERS[: posed.setup.seats]
    today, puzzle_set = days(1)[0], puzzles_of(game)
    is_today = puzzle_set is not None and puzzle_set.puzzle_of_day(today).id == posed.id
    next_puzzle, preferred_puzzles = _next_puzzles(game, day)
    return {
        "posed": posed,
        "day": None if day == posed.id else date.fromisoformat(day),
        "today": today.isoformat(),
        "is_today": is_today,
        "share": share,
        "root": f"/puzzles/{game.key}/{day}",
        "next_puzzle": next_puzzle,
        "preferred_puzzles": preferred_puzzles,
        "names": names,
        "seat": seat,
        "perspective": Perspective(seat, is_host=False),
        "rules_page": f"/games/{game.key}/rules",
        "words_of": posed.setup.words,
        **msgspec.structs.asdict(labels(pages, game, pages.words(language, game), names)),
    }


def question(
    pages: Renderer,
    posed: PosedPuzzle,
    day: str,
    language: str,
    share: ShareAddress = NO_SHARE_ADDRESS,
    *,
    has_hint: bool = False,
    wrong: Move | None = None,
) -> str:
    """Render the puzzle as a fragment: the board, the preceding moves, and the legal moves.

    `has_hint` adds moves of which one is best. After a `wrong` move the legal moves are not shown.
    """
    game, seen = posed.setup.game, posed.seen
    context = _context(pages, posed, day, language, share)
    last = [earlier_move.move for earlier_move in posed.before[-1:]]
    return _render_step(
        pages,
        language,
        answered=False,
        at=context["root"] if wrong is None else f"{context['root']}/attempt/{wrong.number}",
        seen=seen,
        chosen=wrong,
        hinted=hinted_moves(posed) if has_hint else (),
        prompt=game.prompt(seen),
        tree=legal_tree(posed.position),
        **context,
        **render_boards(pages, game, context["names"], seen, pages.words(language, game), last, ended=False),
    )


def answer(
    pages: Renderer,
    posed: PosedPuzzle,
    day: str,
    chosen: Move,
    at: int,
    hints: ExplainedAdvice,
    language: str,
    share: ShareAddress = NO_SHARE_ADDRESS,
) -> str:
    """Render the answer to a move: whether it is right, the advice on the moves, and the best line.

    The board shows the position after `at` moves of that line. Raise PageRefusal 404 if it has no such step.
    """
    game, puzzle, setup = posed.setup.game, posed.puzzle, posed.setup
    if not 0 <= at <= len(puzzle.line):
        raise PageRefusal(404, "no-step", message("This move doesn’t exist in this line."))
    position, happened = posed.position, list[tuple[Message, ...]]()
    moves = [setup.move(number) for number in puzzle.line]
    observation, animation = position.observe(position.seat), None
    for number, move in enumerate(moves, 1):
        played = position.play(move, collect_events=True)
        visible_events = game.events.visible_events(setup, played.events, posed.seen.seat)
        happened.append(tuple(game.log(setup, visible_events, posed.seen.seat)))
        if number == at:
            observation = position.observe(posed.seen.seat)
            animation = move_animation(observation, played.seat, move, visible_events)
    context = _context(pages, posed, day, language, share)
    best = setup.move(posed.solutions[0])
    return _render_step(
        pages,
        language,
        answered=True,
        at=f"{context['root']}/answer/{chosen.number}/{at}",
        seen=observation,
        step=at,
        chosen=chosen,
        right=chosen.number in posed.solutions,
        best=best,
        hints=hints,
        reasons=[(explained, reason(explained)) for explained in hints.moves if explained.advised.move == best.text],
        runner_up=next(
            (explained for explained in hints.moves if setup.move(explained.advised.move).number == posed.runner_up),
            None,
        ),
        happened=happened,
        moved=animation,
        **context,
        **render_boards(
            pages, game, context["names"], observation, pages.words(language, game), moves[at - 1 : at], ended=False
        ),
    )


def _render_step(pages: Renderer, language: str, *, posed: PosedPuzzle, names: tuple[str, ...], **context: Any) -> str:
    game = posed.setup.game
    marks = pages.marks(game, posed.setup)
    return pages.render("puzzle_step.html", language, game, names, marks=marks, posed=posed, players=names, **context)
