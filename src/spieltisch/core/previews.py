"""What a seat can know of its move before it is played, and whether the move then told it something new.

Both are found by trying the move in positions imagined from what the seat sees, never on the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from spieltisch.core.words import Message

if TYPE_CHECKING:
    from spieltisch.core.events import GameEvent
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation

IMAGINED_SAMPLES = 24
"""In how many imagined positions a move is tried to find out whether it told its seat something new: news that a seat
would have guessed with chance q goes unnoticed with chance q**24.
"""


class Preview(msgspec.Struct, frozen=True):
    """What a move would do, as far as its seat can know: the log's sentences up to chance and to what is hidden from
    the seat, whether it draws, whether it passes the decision and whether the game wants it shown in any case; the
    game's note on it, and what it and the moves before it in the turn come to.
    """

    messages: list[Message]
    draws: bool
    passes: bool
    needs_confirmation: bool = False
    hint: Message | None = None
    turn_summary: list[Message] = []


class KnownEffects(NamedTuple):
    """What is known of a move: its events, whether it may draw, whether it may pass the decision."""

    events: tuple[GameEvent, ...]
    draws: bool
    passes: bool


class MovePreviewer:
    """What the seat of an observation can know of its moves; the imagined positions serve all of them."""

    def __init__(self, seen: Observation) -> None:
        game = seen.setup.game
        self.seen = seen
        self._imagined = [
            seen.imagine(seed)
            for seed in range(IMAGINED_SAMPLES if game.has_hidden_information and game.moves_reveal else 1)
        ]

    def of(self, move: Move) -> KnownEffects:
        """What a legal move does up to chance. Where it may show its seat what is hidden, only what would happen in
        every imagined position is known.
        """
        setup = self.seen.setup
        shared: tuple[GameEvent, ...] | None = None
        draws = passes = False
        for imagined in self._imagined:
            played = imagined.copy().play(move, collect_events=True)
            sure = tuple(event for event in played.events if not event.drawn)
            known = setup.game.events.visible_events(setup, sure, played.seat)
            shared = known if shared is None else _shared(shared, known)
            draws, passes = draws or bool(played.drew), passes or played.ended_decision
        return KnownEffects(shared or (), draws, passes)

    def preview(self, move: Move, since: Observation, events: Sequence[GameEvent]) -> Preview:
        """The preview of a legal move; see `Position.preview`."""
        setup, seat, known = self.seen.setup, self.seen.seat, self.of(move)
        game = setup.game
        return Preview(
            [] if known.draws else game.log(setup, known.events, seat),
            draws=known.draws,
            passes=known.passes,
            needs_confirmation=game.needs_confirmation(self.seen, move),
            hint=game.hint(self.seen, move, known.events),
            turn_summary=game.turn_summary(since, (*events, *known.events)),
        )


def reveals_to_mover(before: Observation, move: Move, after: Observation) -> bool:
    """Whether the seat that saw `before` could not have known what it sees now that it has played the move."""
    return any(_seen_after(before, move, seed) != after.data for seed in range(IMAGINED_SAMPLES))


def reveals_to_viewer(before: Observation, move: Move, after: Observation) -> bool:
    """Whether who saw `before` could not have known, from this move of another seat alone, what they see after it. That
    the move could be played at all is part of the move.
    """
    imagined = [one for seed in range(IMAGINED_SAMPLES) if (one := before.imagine(seed)).why_not(move) is None]
    for one in imagined:
        one.play(move)
        if one.observe(before.seat).data != after.data:
            return True
    return not imagined


def _seen_after(before: Observation, move: Move, seed: int) -> bytes:
    """What the seat would see after the move in a position imagined from what it saw before."""
    imagined = before.imagine(seed)
    imagined.play(move)
    return imagined.observe(before.seat).data


def _shared(one: tuple[GameEvent, ...], other: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """What two tellings of the same move begin with."""
    return tuple(a for a, _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))
