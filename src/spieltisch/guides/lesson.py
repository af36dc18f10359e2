"""The learner's progress in a guide or an example: a step and their moves so far, which fit into a URL."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from operator import index
from typing import Any, Final

import msgspec

from spieltisch.core.errors import UnknownMove
from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Message, Name, message
from spieltisch.guides.guide import GuideError, ScriptedGame, Step, Task

FIGURE: Final = re.compile(r"{([a-z_]+)}")
"""The name of a figure in braces."""


class OffScript(ValueError):
    """A step or a move that is not part of a guide. `message` is for people."""

    def __init__(self, what: Message) -> None:
        super().__init__(what)
        self.message = what


class ScriptedMove(msgspec.Struct, frozen=True):
    """A move of the game so far with its log messages and events, as far as the learner may know them.

    `is_shown`: the learner may already know the move.
    """

    seat: int
    move: Move
    messages: tuple[Message, ...]
    events: tuple[GameEvent, ...] = ()
    is_shown: bool = True


class FreeChoice(msgspec.Struct, frozen=True):
    """The worth of the move that the learner chose freely at the end, in their own points.

    `best` is a move that brought `most_points` of all that the task accepted.
    """

    points_before: int
    points_after: int
    best: Move
    most_points: int

    @property
    def is_best(self) -> bool:
        """True if no other move brings more points."""
        return self.points_after == self.most_points


@dataclass(frozen=True)
class Lesson:
    """The learner's progress: step `number` (from 1), their moves so far, and the step's `text` with its figures.

    `fresh` is the number of entries of `scripted_moves` that were known before; the others are new on this page.
    `step_start` is the number of those from before the step.
    """

    script: ScriptedGame
    number: int
    moves: tuple[Move, ...]
    position: Position
    scripted_moves: tuple[ScriptedMove, ...]
    fresh: int
    step_start: int
    text: Name
    choice: FreeChoice | None = None

    @property
    def step(self) -> Step:
        """The current step."""
        return self.script.steps[self.number - 1]

    @property
    def is_last(self) -> bool:
        """True if no other step follows."""
        return self.number == len(self.script.steps)

    @property
    def tasks_done(self) -> int:
        """The number of tasks of this step that are done."""
        return len(self.moves) - self.script.moves_before(self.number)

    @property
    def is_complete(self) -> bool:
        """True if all tasks of this step are done, and for a step without tasks."""
        return self.tasks_done == len(self.step.asks)

    @property
    def ask(self) -> Task | None:
        """The current task; None if all are done."""
        return None if self.is_complete else self.step.asks[self.tasks_done]

    @property
    def accepted(self) -> list[Move]:
        """The legal moves that the current task accepts. The first is the one that is shown on request."""
        return [] if self.ask is None else self.ask.choose(self.position.legal_moves)


def play_lesson(game: Game, script: ScriptedGame, number: int, moves: Sequence[str | int] = ()) -> Lesson:
    """Play a script up to a step with the learner's moves: all those of earlier steps, and some of this one.

    Raise OffScript for a step or moves that are not part of the guide, and GuideError for moves and figures that do not
    exist in the rules.
    """
    if not 1 <= number <= len(script.steps):
        raise OffScript(message("There are only {count} steps.", count=len(script.steps)))
    moves_before = script.moves_before(number)
    if not moves_before <= len(moves) <= moves_before + len(script.steps[number - 1].asks):
        raise OffScript(message("This step of the first round doesn’t exist."))
    return _LessonRun(game, script).to(number, moves)


class _LessonRun:
    """A run of a script from its start, with the learner's moves, which collects the log of the viewer.

    `fresh` is the number of entries of `log_entries` that were known before the current step.
    """

    def __init__(self, game: Game, script: ScriptedGame) -> None:
        self.game = game
        self.script = script
        self.viewer = script.seat - 1
        self.position = script.start(game)
        self.log_entries: list[ScriptedMove] = []
        self.own: list[Move] = []
        self.fresh = 0
        self.choice: FreeChoice | None = None

    def to(self, number: int, moves: Sequence[str | int]) -> Lesson:
        remaining, step_start = list(moves), 0
        self._play_all("before", self.script.before)
        for count, step in enumerate(self.script.steps[:number], 1):
            name = step.id or f"step {count}"
            self._play_all(name, step.before)
            self.fresh = step_start = len(self.log_entries)
            self._play_all(name, step.moves)
            for ask in step.asks:
                if not remaining:
                    break
                self._do_task(name, ask, remaining.pop(0))
            else:
                self._play_all(name, step.after)
        text = self._text(self.script.steps[number - 1])
        return Lesson(
            self.script,
            number,
            tuple(self.own),
            self.position,
            self._visible_moves(),
            self.fresh,
            step_start,
            text,
            self.choice,
        )

    def _play_all(self, step: str, moves: Sequence[str]) -> None:
        for text in moves:
            try:
                move = self.position.move(text)
            except UnknownMove as error:
                raise GuideError(f"{step}: {error}") from error
            if refusal := self.position.why_not(move):
                raise GuideError(f"{step}: {text!r} is not allowed ({refusal.rule}): {refusal.message}")
            self._play(move)

    def _do_task(self, step: str, ask: Task, requested: str | int) -> None:
        if self.position.seat != self.viewer:
            raise GuideError(f"{step}: {ask.text} - but it is not the learner who decides")
        try:
            move = self.position.move(requested)
        except UnknownMove:
            raise OffScript(message("This move doesn’t exist in this game.")) from None
        if not ask.accepts(move) or self.position.why_not(move) is not None:
            raise OffScript(message("This step of the first round doesn’t exist."))
        self.fresh = len(self.log_entries)
        self.own.append(move)
        if ask is self.script.steps[-1].asks[-1] and len(ask.accept) > 1:
            self.choice = self._judge(move, ask)
        self._play(move)

    def _judge(self, chosen: Move, ask: Task) -> FreeChoice | None:
        """Compare the points after the chosen move with those after the others; None where all bring the same."""
        points_by_move = {}
        for move in ask.choose(self.position.legal_moves):
            imagined = self.position.copy()
            imagined.play(move)
            points_by_move[move] = self._own_points(imagined)
        best = max(points_by_move, key=lambda move: points_by_move[move])
        if points_by_move[best] == min(points_by_move.values()):
            return None
        return FreeChoice(self._own_points(self.position), points_by_move[chosen], best, points_by_move[best])

    def _own_points(self, position: Position) -> int:
        return position.observe(self.viewer).scores[self.viewer] or 0

    def _play(self, move: Move) -> None:
        played = self.position.play(move, collect_events=True)
        setup = self.position.setup
        sentences = self.game.log(setup, played.events, self.viewer)
        known_events = self.game.events.visible_events(setup, played.events, self.viewer)
        self.log_entries.append(ScriptedMove(played.seat, move, tuple(sentences), known_events))

    def _visible_moves(self) -> tuple[ScriptedMove, ...]:
        """Return the moves so far, as far as the learner may already know them."""
        if self.position.is_over:
            return tuple(self.log_entries)
        setup = self.position.setup
        plays = [(entry.seat, entry.move) for entry in self.log_entries]
        visible_moves = []
        for number, entry in enumerate(self.log_entries):
            visibility = self.game.move_visibility(setup, plays, number, self.viewer)
            visible_moves.append(
                entry if visibility is True else ScriptedMove(entry.seat, entry.move, (visibility,), is_shown=False)
            )
        return tuple(visible_moves)

    def _text(self, step: Step) -> Name:
        if not step.figures:
            return step.text
        observation = self.position.observe(self.viewer)
        roots = {"view": observation.view, "points": observation.scores, "contents": self.game.components.contents}
        try:
            figures = {name: str(_sum_of_products(roots, places)) for name, places in step.figures.items()}
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise GuideError(f"figures of {step.text.en!r}: {error!r}") from error
        texts = {language: step.text.text(language) for language in LANGUAGES}
        return Name(
            **{lang: FIGURE.sub(lambda match: figures.get(match[1], match[0]), text) for lang, text in texts.items()}
        )


def _sum_of_products(roots: dict[str, Any], places: str) -> int:
    return sum(
        prod(_figure(roots, *place.strip().split(".")) for place in term.split("*")) for term in places.split("+")
    )


def _figure(roots: dict[str, Any], root: str, *parts: str) -> int:
    value = roots[root]
    for part in parts:
        if part.isdecimal():
            value = value[int(part)]
        elif isinstance(value, tuple):
            value = value[[item.id for item in value].index(part)]
        else:
            value = getattr(value, part)
    return sum(map(index, value)) if hasattr(value, "__len__") else index(value)
