"""The result of a move, and the outcome of a game."""

import msgspec

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.words import Message


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: the winning seats, the rule that ended it ("P15"), and a sentence about it.

    >>> import random, spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    >>> while not position.is_over:
    ...     played = position.play(random.Random(position.number).choice(position.legal_moves))
    >>> position.outcome.winners, position.outcome.ended_by, position.scores
    ((1,), 'P14', [59, 77, 69])
    """

    winners: tuple[int, ...]
    ended_by: str
    message: Message


class MoveResult(msgspec.Struct, frozen=True):
    """A move that was played.

    `number` counts the moves of the game from 1; `drew` lists the draws. `ended_decision`: the decision passed to
    another seat, or the game ended. `revealed`: the seat learnt something that it could not know before; None if this
    was not tested (`detect_reveal`). `events`: the effects of the move, if they were collected (`collect_events`).

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> result = position.play("build purple Rouen", collect_events=True)
    >>> result.number, result.seat, result.move.text, result.drew, result.final
    (1, 0, 'build purple Rouen', (), False)
    >>> result.events[0].kind
    'built city'
    """

    number: int
    seat: int
    move: Move
    drew: tuple[str, ...]
    ended_decision: bool
    revealed: bool | None = None
    events: tuple[GameEvent, ...] = ()

    @property
    def final(self) -> bool:
        """True if the move drew, revealed something to its seat, or passed the decision. It cannot be undone."""
        return bool(self.drew) or self.ended_decision or bool(self.revealed)
