"""The path through a guided first round that its steps suggest."""

from __future__ import annotations

from spieltisch.core.game import Game
from spieltisch.guides import Lesson, guide_of, play_lesson
from spieltisch.web.pages.lesson import place


def end_of_step(game: Game, step: int | None = None) -> Lesson:
    """The end of a step (the last one), with the moves that are shown to who asks."""
    return lessons(game, step)[-1]


def lessons(game: Game, last: int | None = None) -> list[Lesson]:
    """Every page on that way up to the end of a step (the last one): before, between and after what is asked."""
    guide = guide_of(game)
    assert guide is not None
    moves: list[str | int] = []
    paths = []
    for number in range(1, (last or len(guide.steps)) + 1):
        paths.append(play_lesson(game, guide, number, moves))
        while not paths[-1].is_complete:
            moves.append(paths[-1].accepted[0].number)
            paths.append(play_lesson(game, guide, number, moves))
    return paths


def address(lesson: Lesson) -> str:
    """The path of a lesson's page."""
    moves = tuple(move.number for move in lesson.moves)
    return f"/games/{lesson.script.game}/first-round/{place(lesson.number, moves)}"
