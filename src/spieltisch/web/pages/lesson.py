"""A step of a guided first round or of a worked example on a page: where one stands is in the address alone, so that
each step can be sent.

The address of a first round holds the step and the numbers of the learner's own moves so far: `2-1536-77`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from spieltisch.core.game import Game
from spieltisch.core.words import Message, Name, message
from spieltisch.guides import Guide, Lesson, OffScript, ScriptedGame, examples, guide_of, play_lesson
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import is_number
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.labels import labels
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.move_tree import legal_tree
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

LONGEST_PLACE: Final = 200
"""Characters in an address: some thirty moves."""


@dataclass(frozen=True)
class LessonLinks:
    """The addresses that a lesson leads to; "" for those that it does not have. `steps` are those of all steps that can
    be gone to; `moment` is what the boards after a move begin with; `end` is where the last step leads, the last of
    them first of all.
    """

    here: str
    moment: str
    back: str
    on: str
    show: str
    steps: tuple[str, ...]
    end: tuple[tuple[str, Message | Name], ...]


def require_guide(game: Game) -> Guide:
    """The guide of a game. Raises PageRefusal 404 for a game that has none."""
    guide = guide_of(game)
    if guide is None:
        raise PageRefusal(404, "no-page", message("This game has no guided first round."))
    return guide


def lesson_at(game: Game, place: str) -> Lesson:
    """The step of the first round that an address means. Raises PageRefusal 404."""
    guide = require_guide(game)
    parts = place.split("-")
    if len(place) > LONGEST_PLACE or not all(is_number(part, 8) for part in parts):
        raise PageRefusal(404, "no-step", message("This address does not lead to a step of the first round."))
    number, *moves = map(int, parts)
    return _walked(game, guide, number, moves)


def example_at(game: Game, name: str, number: int) -> Lesson:
    """A step (from 1) of the example of this name. Raises PageRefusal 404."""
    example = examples(game).get(name)
    if example is None:
        raise no_page()
    return _walked(game, example, number, [])


def _walked(game: Game, script: ScriptedGame, number: int, moves: list[int]) -> Lesson:
    try:
        return play_lesson(game, script, number, moves)
    except OffScript as astray:
        raise PageRefusal(404, "no-step", astray.message) from astray


def place(number: int, moves: tuple[int, ...]) -> str:
    """The end of the address of a step.

    >>> place(2, (1536, 77))
    '2-1536-77'
    """
    return "-".join(map(str, (number, *moves)))


def guide_links(lesson: Lesson) -> LessonLinks:
    """Where a step of a first round leads."""
    game, script, number = lesson.script.game, lesson.script, lesson.number
    moves = tuple(move.number for move in lesson.moves)

    def to(step: int, many: int) -> str:
        return f"/games/{game}/first-round/{place(step, moves[:many])}"

    begun = script.moves_before(number)
    here = to(number, len(moves))
    return LessonLinks(
        here=here,
        moment=f"{here}?after=",
        back=to(number, begun) if lesson.tasks_done else to(number - 1, begun) if number > 1 else "",
        on=to(number + 1, len(moves)) if lesson.is_complete and not lesson.last else "",
        show="" if lesson.is_complete else f"{here}-{lesson.accepted[0].number}",
        steps=tuple(to(step, script.moves_before(step)) for step in range(1, number + 1)),
        end=((f"/games/{game}/rules", message("Rules")), (f"/new/{game}", message("New table"))),
    )


def example_links(game: Game, name: str, lesson: Lesson) -> LessonLinks:
    """Where a step of a worked example leads; the last one, to the next example, or to the numbered rules."""
    root, number = f"/games/{game.key}/examples", lesson.number
    known = list(examples(game))
    following = known[known.index(name) + 1 :]
    steps = tuple(f"{root}/{name}?at={step}" for step in range(1, len(lesson.script.steps) + 1))
    end = (f"{root}/{following[0]}", examples(game)[following[0]].title) if following else None
    return LessonLinks(
        here=steps[number - 1],
        moment=f"{steps[number - 1]}&after=",
        back=steps[number - 2] if number > 1 else "",
        on="" if lesson.last else steps[number],
        show="",
        steps=steps,
        end=(end or (f"/games/{game.key}/rules#the-rules", message("To the numbered rules")),),
    )


def step(pages: Renderer, game: Game, lesson: Lesson, links: LessonLinks, language: str) -> str:
    """A lesson as a fragment: the text, the board, the words of the legal moves, and what has happened."""
    words = pages.words(language, game)
    script, position = lesson.script, lesson.position
    seen = position.observe(script.seat - 1)
    last = [told.move for told in lesson.scripted_moves[lesson.fresh :] if told.shown]
    context: dict[str, Any] = {
        "script": script,
        "told": lesson.scripted_moves,
        "fresh": lesson.fresh,
        "lesson": lesson,
        "links": links,
        "perspective": Perspective(script.seat - 1, host=False),
        "seen": seen,
        "prompt": None if lesson.is_complete else game.prompt(seen),
        "tree": {} if lesson.is_complete else legal_tree(position),
        "rules_page": f"/games/{game.key}/rules",
        **labels(pages, game, words, script.players),
        **render_boards(pages, game, script.players, seen, words, last, ended=position.over),
    }
    marks = pages.marks(game, position.setup)
    return pages.render("guide_step.html", language, game, script.players, marks=marks, **context)


def moment(pages: Renderer, game: Game, lesson: Lesson, after: int, language: str) -> str:
    """The boards after so many moves, as a fragment, and what the last of them did. Raises PageRefusal 404 for moves
    that are not new in the step.
    """
    if not lesson.fresh <= after <= len(lesson.scripted_moves):
        raise no_page()
    script, position = lesson.script, lesson.script.start(game)
    for told in lesson.scripted_moves[:after]:
        position.play(told.move)
    seen = position.observe(script.seat - 1)
    newest = lesson.scripted_moves[after - 1] if after else None
    last = [newest.move] if newest and newest.shown else []
    return pages.render(
        "lesson_boards.html",
        language,
        game,
        script.players,
        marks=pages.marks(game, position.setup),
        happened=newest.messages if newest else (),
        moved=move_animation(seen, newest.seat, newest.move if newest.shown else None, newest.events)
        if newest
        else None,
        **render_boards(pages, game, script.players, seen, pages.words(language, game), last, ended=False),
    )
