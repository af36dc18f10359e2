"""A guided first round on a page: where a learner stands is in the address alone, so that each step can be sent.

The address holds the step and the numbers of the learner's own moves so far: `2-1536-77`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from spieltisch.core.game import Game
from spieltisch.core.words import message
from spieltisch.guides import Astray, Guide, Lesson, of, walk
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.http.requests import is_number
from spieltisch.web.pages.drawn import drawn
from spieltisch.web.pages.labels import labels
from spieltisch.web.pages.move_tree import tree_of_choices
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.templates import Pages

LONGEST_PLACE: Final = 200
"""Characters in an address: some thirty moves."""


def guide_of(game: Game) -> Guide:
    """The guide of a game. Raises PageRefusal 404 for a game that has none."""
    guide = of(game)
    if guide is None:
        raise PageRefusal(404, "no-page", message("This game has no guided first round."))
    return guide


def lesson_at(game: Game, place: str) -> Lesson:
    """The lesson that an address means. Raises PageRefusal 404."""
    guide = guide_of(game)
    parts = place.split("-")
    if len(place) > LONGEST_PLACE or not all(is_number(part, 8) for part in parts):
        raise PageRefusal(404, "no-step", message("This address does not lead to a step of the first round."))
    number, *moves = map(int, parts)
    try:
        return walk(game, guide, number, moves)
    except Astray as astray:
        raise PageRefusal(404, "no-step", astray.message) from astray


def place(number: int, moves: tuple[int, ...]) -> str:
    """The end of the address of a step.

    >>> place(2, (1536, 77))
    '2-1536-77'
    """
    return "-".join(map(str, (number, *moves)))


@dataclass(frozen=True)
class Ways:
    """The addresses that a lesson leads to; "" for those that it does not have."""

    here: str
    back: str
    on: str
    show: str
    steps: tuple[str, ...]
    """The beginnings of the steps up to this one."""


def ways(lesson: Lesson) -> Ways:
    root = f"/games/{lesson.guide.game}/first-round"
    moves = tuple(move.number for move in lesson.moves)
    guide, number = lesson.guide, lesson.number

    def to(step: int, many: int) -> str:
        return f"{root}/{place(step, moves[:many])}"

    begun = guide.moves_before(number)
    last = number == len(guide.steps)
    return Ways(
        here=to(number, len(moves)),
        back=to(number, begun) if lesson.done else to(number - 1, begun) if number > 1 else "",
        on=to(number + 1, len(moves)) if lesson.tried and not last else "",
        show="" if lesson.tried else f"{root}/{place(number, (*moves, lesson.accepted[0].number))}",
        steps=tuple(to(step, guide.moves_before(step)) for step in range(1, number + 1)),
    )


def step(pages: Pages, game: Game, lesson: Lesson, language: str) -> str:
    """A lesson as a fragment: the text, the board, the words of the legal moves, and what has happened."""
    words = pages.words(language, game)
    guide, position = lesson.guide, lesson.position
    seen = position.observe(guide.seat - 1)
    last = [told.move for told in lesson.told[lesson.fresh :] if told.shown]
    context: dict[str, Any] = {
        "guide": guide,
        "start": guide,
        "told": lesson.told,
        "fresh": lesson.fresh,
        "lesson": lesson,
        "ways": ways(lesson),
        "perspective": Perspective(guide.seat - 1, host=False),
        "seen": seen,
        "prompt": None if lesson.tried else game.prompt(seen),
        "tree": {} if lesson.tried else tree_of_choices(position),
        "rules_page": f"/games/{game.key}/rules",
        **labels(pages, game, words, guide.players),
        **drawn(pages, game, guide.players, seen, words, last, ended=position.over),
    }
    marks = pages.marks(game, position.setup)
    return pages.render("first_round_step.html", language, game, guide.players, marks=marks, **context)
