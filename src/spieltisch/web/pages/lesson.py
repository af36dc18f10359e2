"""A step of a guided first round or of a worked example. The URL alone contains the step, so each can be shared.

The URL of a first round contains the step and the numbers of the learner's own moves so far: `2-1536-77`.
"""

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.words import Message, Name, message
from spieltisch.guides import Guide, Lesson, OffScript, ScriptedGame, examples, guide_of, play_lesson
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import is_number
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_animation import move_animation
from spieltisch.web.pages.move_tree import labels, legal_tree
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

MAX_PATH_LENGTH: Final = 200
"""Maximum number of characters in a URL's path: some thirty moves."""


@dataclass(frozen=True)
class LessonLinks:
    """The URLs to which a lesson leads; "" for a missing one.

    `steps` are those of all steps within reach; `moment` is the prefix for the boards after a move; `end` are the links
    of the last step, the most important last. A first round ends with a button that starts a game, in addition.
    """

    current: str
    moment: str
    back: str
    on: str
    show: str
    steps: tuple[str, ...]
    end: tuple[tuple[str, Message | Name], ...]


def require_guide(game: Game) -> Guide:
    """Return the guide of a game. Raise PageRefusal 404 for a game without one."""
    guide = guide_of(game)
    if guide is None:
        raise PageRefusal(404, "no-page", message("This game has no guided first round."))
    return guide


def lesson_at(game: Game, place: str) -> Lesson:
    """Return the step of the first round at a URL. Raise PageRefusal 404."""
    guide = require_guide(game)
    parts = place.split("-")
    if len(place) > MAX_PATH_LENGTH or not all(is_number(part, 8) for part in parts):
        raise PageRefusal(404, "no-step", message("This step of the first round doesn’t exist."))
    number, *moves = map(int, parts)
    return _play_lesson(game, guide, number, moves)


def example_at(game: Game, name: str, number: int) -> Lesson:
    """Return a step (from 1) of the example of this name. Raise PageRefusal 404."""
    example = examples(game).get(name)
    if example is None:
        raise no_page()
    return _play_lesson(game, example, number, [])


def _play_lesson(game: Game, script: ScriptedGame, number: int, moves: list[int]) -> Lesson:
    try:
        return play_lesson(game, script, number, moves)
    except OffScript as error:
        raise PageRefusal(404, "no-step", error.message) from error


def place(number: int, moves: tuple[int, ...]) -> str:
    """Return the end of a step's URL.

    >>> place(2, (1536, 77))
    '2-1536-77'
    """
    return "-".join(map(str, (number, *moves)))


def guide_links(lesson: Lesson) -> LessonLinks:
    """Return the links of a step of a first round."""
    game, script, number = lesson.script.game, lesson.script, lesson.number
    moves = tuple(move.number for move in lesson.moves)

    def step_url(step: int, move_count: int) -> str:
        return f"/games/{game}/first-round/{place(step, moves[:move_count])}"

    moves_before = script.moves_before(number)
    current_url = step_url(number, len(moves))
    return LessonLinks(
        current=current_url,
        moment=f"{current_url}?after=",
        back=step_url(number, moves_before if lesson.is_complete else len(moves) - 1)
        if lesson.tasks_done
        else step_url(number - 1, moves_before)
        if number > 1
        else "",
        on=step_url(number + 1, len(moves)) if lesson.is_complete and not lesson.is_last else "",
        show="" if lesson.is_complete else f"{current_url}-{lesson.accepted[0].number}",
        steps=tuple(step_url(step, script.moves_before(step)) for step in range(1, number + 1)),
        end=((f"/games/{game}/rules", message("Rules")), (f"/new/{game}", message("With friends"))),
    )


def example_links(game: Game, name: str, lesson: Lesson) -> LessonLinks:
    """Return the links of a step of a worked example; the last step links to the next example or the numbered rules."""
    root, number = f"/games/{game.key}/examples", lesson.number
    names = list(examples(game))
    following = names[names.index(name) + 1 :]
    steps = tuple(f"{root}/{name}?at={step}" for step in range(1, len(lesson.script.steps) + 1))
    end = (f"{root}/{following[0]}", examples(game)[following[0]].title) if following else None
    return LessonLinks(
        current=steps[number - 1],
        moment=f"{steps[number - 1]}&after=",
        back=steps[number - 2] if number > 1 else "",
        on="" if lesson.is_last else steps[number],
        show="",
        steps=steps,
        end=(end or (f"/games/{game.key}/rules#the-rules", message("See the numbered rules")),),
    )


def step(pages: Renderer, game: Game, lesson: Lesson, links: LessonLinks, language: str) -> str:
    """Render a lesson as a fragment: text, board, words of the legal moves, and preceding moves."""
    words = pages.words(language, game)
    script, position = lesson.script, lesson.position
    observation = position.observe(script.seat - 1)
    last = [scripted_move.move for scripted_move in lesson.scripted_moves[lesson.fresh :] if scripted_move.is_shown]
    choice = lesson.choice
    context: dict[str, Any] = {
        "words_of_choice": " ".join(words.say(word.label, script.players) for word in position.words(choice.best))
        if choice
        else "",
        "script": script,
        "log_entries": lesson.scripted_moves,
        "fresh": lesson.fresh,
        "lesson": lesson,
        "links": links,
        "perspective": Perspective(script.seat - 1, is_host=False),
        "seen": observation,
        "prompt": None if lesson.is_complete else game.prompt(observation),
        "tree": {} if lesson.is_complete else legal_tree(position),
        "rules_page": f"/games/{game.key}/rules",
        **msgspec.structs.asdict(labels(pages, game, words, script.players)),
        **render_boards(pages, game, script.players, observation, words, last, ended=position.is_over),
    }
    marks = pages.marks(game, position.setup)
    return pages.render("guide_step.html", language, game, script.players, marks=marks, **context)


def moment(pages: Renderer, game: Game, lesson: Lesson, after: int, language: str) -> str:
    """Render the boards after `after` moves as a fragment, with the effect of the last one.

    Raise PageRefusal 404 for moves that are not new in the step.
    """
    if not lesson.fresh <= after <= len(lesson.scripted_moves):
        raise no_page()
    script, position = lesson.script, lesson.script.start(game)
    for scripted_move in lesson.scripted_moves[:after]:
        position.play(scripted_move.move)
    observation = position.observe(script.seat - 1)
    latest = lesson.scripted_moves[after - 1] if after else None
    last = [latest.move] if latest and latest.is_shown else []
    return pages.render(
        "lesson_boards.html",
        language,
        game,
        script.players,
        marks=pages.marks(game, position.setup),
        players=script.players,
        seat=script.seat - 1,
        seen=observation,
        happened=latest.messages if latest else (),
        own=bool(latest and latest.seat == script.seat - 1 and isinstance(script, Guide)),
        moved=move_animation(observation, latest.seat, latest.move if latest.is_shown else None, latest.events)
        if latest
        else None,
        **render_boards(pages, game, script.players, observation, pages.words(language, game), last, ended=False),
    )
