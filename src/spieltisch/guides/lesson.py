"""Where one stands in a guide or an example: a step and the own moves so far, which fit into an address."""

from __future__ import annotations

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


class OffScript(ValueError):
    """A step or a move that is not on the way through a guide; `message` says so to people."""

    def __init__(self, what: Message) -> None:
        super().__init__(what)
        self.message = what


class Told(msgspec.Struct, frozen=True):
    """A move of the game so far, what the log says of it to the learner, and its events, as far as they may be known;
    `shown`: who may know the move by now.
    """

    seat: int
    move: Move
    messages: tuple[Message, ...]
    events: tuple[GameEvent, ...] = ()
    shown: bool = True


@dataclass(frozen=True)
class Lesson:
    """Where a learner stands: in step `number` (from 1), with the own moves so far; `text` is the step's, with its
    figures.

    `fresh` counts the entries of `told` that were known before; what follows is new on this page.
    """

    script: ScriptedGame
    number: int
    moves: tuple[Move, ...]
    position: Position
    scripted_moves: tuple[Told, ...]
    fresh: int
    text: Name

    @property
    def step(self) -> Step:
        return self.script.steps[self.number - 1]

    @property
    def last(self) -> bool:
        """Whether no other step follows."""
        return self.number == len(self.script.steps)

    @property
    def tasks_done(self) -> int:
        """How much of what the step asks has been tried."""
        return len(self.moves) - self.script.moves_before(self.number)

    @property
    def is_complete(self) -> bool:
        """Whether everything the step asks has been tried; so it has where it asks nothing."""
        return self.tasks_done == len(self.step.asks)

    @property
    def ask(self) -> Task | None:
        """What is to be tried now."""
        return None if self.is_complete else self.step.asks[self.tasks_done]

    @property
    def accepted(self) -> list[Move]:
        """The legal moves that are asked for now; the first is the one to show."""
        return [] if self.ask is None else self.ask.choose(self.position.legal_moves)


def play_lesson(game: Game, script: ScriptedGame, number: int, moves: Sequence[str | int] = ()) -> Lesson:
    """Walk up to a step with the learner's own moves: all those of the steps before, and some of its own.

    Raises Astray for a step or moves that the guide does not lead to, GuideError for moves and figures that the rules
    do not have.
    """
    if not 1 <= number <= len(script.steps):
        raise OffScript(message("There are {count} steps.", count=len(script.steps)))
    least = script.moves_before(number)
    if not least <= len(moves) <= least + len(script.steps[number - 1].asks):
        raise OffScript(message("This address does not lead to a step of the first round."))
    return _Walk(game, script).to(number, moves)


class _Walk:
    """Plays what is written down from the start on, with the learner's own moves among it, and keeps what the log says
    of it to who looks on. `fresh` counts the entries of `told` that were known before the step shown.
    """

    def __init__(self, game: Game, script: ScriptedGame) -> None:
        self.game = game
        self.script = script
        self.viewer = script.seat - 1
        self.position = script.start(game)
        self.told: list[Told] = []
        self.own: list[Move] = []
        self.fresh = 0

    def to(self, number: int, moves: Sequence[str | int]) -> Lesson:
        left = list(moves)
        self._play_all("before", self.script.before)
        for count, step in enumerate(self.script.steps[:number], 1):
            name = step.id or f"step {count}"
            self._play_all(name, step.before)
            self.fresh = len(self.told)
            self._play_all(name, step.moves)
            for ask in step.asks:
                if not left:
                    break
                self._try(name, ask, left.pop(0))
            else:
                self._play_all(name, step.after)
        text = self._text(self.script.steps[number - 1])
        return Lesson(self.script, number, tuple(self.own), self.position, self._known(), self.fresh, text)

    def _play_all(self, step: str, moves: Sequence[str]) -> None:
        for text in moves:
            try:
                move = self.position.move(text)
            except UnknownMove as problem:
                raise GuideError(f"{step}: {problem}") from problem
            if refusal := self.position.why_not(move):
                raise GuideError(f"{step}: {text!r} is not allowed ({refusal.rule}): {refusal.message}")
            self._play(move)

    def _try(self, step: str, ask: Task, wanted: str | int) -> None:
        if self.position.seat != self.viewer:
            raise GuideError(f"{step}: {ask.text} - but it is not the learner who decides")
        try:
            move = self.position.move(wanted)
        except UnknownMove:
            raise OffScript(message("There is no such move in this game.")) from None
        if not ask.accepts(move) or self.position.why_not(move) is not None:
            raise OffScript(message("This address does not lead to a step of the first round."))
        self.fresh = len(self.told)
        self.own.append(move)
        self._play(move)

    def _play(self, move: Move) -> None:
        played = self.position.play(move, collect_events=True)
        setup = self.position.setup
        said = self.game.log(setup, played.events, self.viewer)
        seen = self.game.events.visible_events(setup, played.events, self.viewer)
        self.told.append(Told(played.seat, move, tuple(said), seen))

    def _known(self) -> tuple[Told, ...]:
        """What was told, as far as the learner may know it by now."""
        if self.position.over:
            return tuple(self.told)
        setup = self.position.setup
        plays = [(told.seat, told.move) for told in self.told]
        known = []
        for number, told in enumerate(self.told):
            seen = self.game.move_visibility(setup, plays, number, self.viewer)
            known.append(told if seen is True else Told(told.seat, told.move, (seen,), shown=False))
        return tuple(known)

    def _text(self, step: Step) -> Name:
        if not step.figures:
            return step.text
        seen = self.position.observe(self.viewer)
        roots = {"view": seen.view, "points": seen.scores, "contents": self.game.components.contents}
        try:
            found = {name: str(_reckoned(roots, places)) for name, places in step.figures.items()}
        except (LookupError, TypeError, ValueError, AttributeError) as problem:
            raise GuideError(f"figures of {step.text.en!r}: {problem!r}") from problem
        texts = {language: step.text.text(language) for language in LANGUAGES}
        return Name(**{lang: FIGURE.sub(lambda at: found.get(at[1], at[0]), text) for lang, text in texts.items()})


def _reckoned(roots: dict[str, Any], places: str) -> int:
    return sum(
        prod(_figure(roots, *place.strip().split(".")) for place in term.split("*")) for term in places.split("+")
    )


def _figure(roots: dict[str, Any], root: str, *parts: str) -> int:
    seen = roots[root]
    for part in parts:
        if part.isdecimal():
            seen = seen[int(part)]
        elif isinstance(seen, tuple):
            seen = seen[[one.id for one in seen].index(part)]
        else:
            seen = getattr(seen, part)
    return sum(map(index, seen)) if hasattr(seen, "__len__") else index(seen)
