"""Follow the path through a guided first round that its steps suggest."""

from __future__ import annotations

from spieltisch.core.game import Game
from spieltisch.guides import Lesson, guide_of, play_lesson
from spieltisch.web.pages.lesson import place


def end_of_step(game: Game, step: int | None = None) -> Lesson:
    """Return the end of a step, by default the last, with the moves shown to the learner."""
    return lessons(game, step)[-1]


def lessons(game: Game, last_step: int | None = None) -> list[Lesson]:
    """Return all lessons on the suggested path, up to the end of `last_step` (by default the last step)."""
    guide = guide_of(game)
    assert guide is not None
    moves: list[str | int] = []
    paths = []
    for number in range(1, (last_step or len(guide.steps)) + 1):
        paths.append(play_lesson(game, guide, number, moves))
        while not paths[-1].is_complete:
            moves.append(paths[-1].accepted[0].number)
            paths.append(play_lesson(game, guide, number, moves))
    return paths


def address(lesson: Lesson) -> str:
    """Return the path of a lesson's page."""
    moves = tuple(move.number for move in lesson.moves)
    return f"/games/{lesson.script.game}/first-round/{place(lesson.number, moves)}"
