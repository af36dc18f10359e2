"""Where a learner stands in a guide: a step and the learner's own moves so far, which fit into an address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.refusal import UnknownMove
from spieltisch.core.words import Message, message
from spieltisch.guides.guide import Ask, Guide, GuideError, Step
from spieltisch.guides.script import Told, Walk


class Astray(ValueError):
    """A step or a move that is not on the way through a guide; `message` says so to people."""

    def __init__(self, what: Message) -> None:
        super().__init__(what)
        self.message = what


@dataclass(frozen=True)
class Lesson:
    """Where a learner stands: in step `number` (from 1), with the own moves so far.

    `fresh` counts the entries of `told` that were known before; what follows is new on this page.
    """

    guide: Guide
    number: int
    moves: tuple[Move, ...]
    position: Position
    told: tuple[Told, ...]
    fresh: int

    @property
    def step(self) -> Step:
        return self.guide.steps[self.number - 1]

    @property
    def done(self) -> int:
        """How much of what the step asks has been tried."""
        return len(self.moves) - self.guide.moves_before(self.number)

    @property
    def tried(self) -> bool:
        """Whether everything the step asks has been tried."""
        return self.done == len(self.step.asks)

    @property
    def ask(self) -> Ask | None:
        """What is to be tried now."""
        return None if self.tried else self.step.asks[self.done]

    @property
    def accepted(self) -> list[Move]:
        """The legal moves that are asked for now; the first is the one to show."""
        return [] if self.ask is None else self.ask.choose(self.position.legal_moves)


def walk(game: Game, guide: Guide, number: int, moves: Sequence[str | int]) -> Lesson:
    """Walk up to a step with the learner's own moves: all those of the steps before, and some of its own.

    Raises Astray for a step or moves that the guide does not lead to, GuideError for a guide that the rules do not
    allow.
    """
    if not 1 <= number <= len(guide.steps):
        raise Astray(message("This first round has {count} steps.", count=len(guide.steps)))
    least = guide.moves_before(number)
    if not least <= len(moves) <= least + len(guide.steps[number - 1].asks):
        raise Astray(message("This address does not lead to a step of the first round."))
    return _Walk(game, guide).to(number, moves)


class _Walk(Walk):
    """Plays a guide from its start, with the learner's own moves among those that are written down."""

    def __init__(self, game: Game, guide: Guide) -> None:
        super().__init__(game, guide)
        self.guide = guide
        self.own: list[Move] = []

    def to(self, number: int, moves: Sequence[str | int]) -> Lesson:
        left = list(moves)
        for step in self.guide.steps[:number]:
            self.fresh = len(self.told)
            self.play_all(step.id, step.before)
            for ask in step.asks:
                if not left:
                    break
                self._try(step.id, ask, left.pop(0))
            else:
                self.play_all(step.id, step.after)
        return Lesson(self.guide, number, tuple(self.own), self.position, self.known(), self.fresh)

    def _try(self, step: str, ask: Ask, wanted: str | int) -> None:
        if self.position.seat != self.viewer:
            raise GuideError(f"{step}: {ask.text} - but it is not the learner who decides")
        try:
            move = self.position.move(wanted)
        except UnknownMove:
            raise Astray(message("There is no such move in this game.")) from None
        if not ask.takes(move) or self.position.why_not(move) is not None:
            raise Astray(message("This address does not lead to a step of the first round."))
        self.fresh = len(self.told)
        self.own.append(move)
        self.play(move)
