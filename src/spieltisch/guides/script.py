"""Playing what is written down of a game, and keeping what its log says of it to who looks on."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from spieltisch.core.events import Event
from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.refusal import UnknownMove
from spieltisch.core.words import Message
from spieltisch.guides.guide import GuideError, Start


class Told(msgspec.Struct, frozen=True):
    """A move of the game so far, what the log says of it to the learner, and its events, as far as they may be known;
    `shown`: who may know the move by now.
    """

    seat: int
    move: Move
    messages: tuple[Message, ...]
    events: tuple[Event, ...] = ()
    shown: bool = True


class Walk:
    """A game from its start on. `fresh` counts the entries of `told` that were known before the step shown."""

    def __init__(self, game: Game, start: Start) -> None:
        self.game = game
        self.viewer = start.seat - 1
        self.position = start.start(game)
        self.told: list[Told] = []
        self.fresh = 0

    def play_all(self, step: str, moves: Sequence[str]) -> None:
        """Play moves that a step has written down. Raises GuideError for one that the rules do not allow."""
        for text in moves:
            try:
                move = self.position.move(text)
            except UnknownMove as problem:
                raise GuideError(f"{step}: {problem}") from problem
            if refusal := self.position.why_not(move):
                raise GuideError(f"{step}: {text!r} is not allowed ({refusal.rule}): {refusal.message}")
            self.play(move)

    def play(self, move: Move) -> None:
        played = self.position.play(move, listen=True)
        setup = self.position.setup
        said = self.game.log(setup, played.events, self.viewer)
        seen = self.game.events.seen(setup, played.events, self.viewer)
        self.told.append(Told(played.seat, move, tuple(said), seen))

    def known(self) -> tuple[Told, ...]:
        """What was told, as far as the learner may know it by now."""
        if self.position.over:
            return tuple(self.told)
        setup = self.position.setup
        plays = [(told.seat, told.move) for told in self.told]
        known = []
        for index, told in enumerate(self.told):
            seen = self.game.sees_move(setup, plays, index, self.viewer)
            known.append(told if seen is True else Told(told.seat, told.move, (seen,), shown=False))
        return tuple(known)
