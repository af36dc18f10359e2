"""Previews: what a seat can know of its move before it plays it, and whether the move revealed something.

Both are found by trials in positions imagined from the seat's observation, never on the true state.
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
"""Number of imagined positions in which a move is tried to find out whether it revealed something.

Information that a seat would have guessed with probability q goes unnoticed with probability q**24.
"""


class Preview(msgspec.Struct, frozen=True):
    """The effects of a move, as far as its seat can know.

    `messages` are the sentences of the log up to chance and to what is hidden from the seat. `draws` and `passes` are
    True if the move draws, or passes the decision; `needs_confirmation` if the game always requires confirmation.
    `hint` is the game's hint, `turn_summary` the total of the move and those before it in the turn.

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> preview = position.preview("build purple Rouen")
    >>> str(preview.hint), [str(sentence) for sentence in preview.turn_summary]
    ('Value 0 → 1. Your points 0 → 1.', ['Amethyst 0 → 1.', 'Your points 0 → 1.'])
    """

    messages: list[Message]
    draws: bool
    passes: bool
    needs_confirmation: bool = False
    hint: Message | None = None
    turn_summary: list[Message] = []


class KnownEffects(NamedTuple):
    """The known effects of a move: its events, whether it may draw, whether it may pass the decision."""

    events: tuple[GameEvent, ...]
    draws: bool
    passes: bool


class MovePreviewer:
    """Previews of the moves of an observation's seat. All of them share the imagined positions."""

    def __init__(self, observation: Observation) -> None:
        game = observation.setup.game
        self.seen = observation
        self._effects: dict[int, KnownEffects] = {}  # by the number of the move
        self._imagined = [
            observation.imagine(seed)
            for seed in range(IMAGINED_SAMPLES if game.has_hidden_information and game.moves_reveal else 1)
        ]

    def of(self, move: Move) -> KnownEffects:
        """Return the effects of a legal move up to chance.

        If the move may reveal hidden information to its seat, only effects in all imagined positions are known.
        """
        if move.number not in self._effects:
            self._effects[move.number] = self._try_move(move)
        return self._effects[move.number]

    def _try_move(self, move: Move) -> KnownEffects:
        setup = self.seen.setup
        shared: tuple[GameEvent, ...] | None = None
        draws = passes = False
        for imagined in self._imagined:
            played = imagined.copy().play(move, collect_events=True)
            certain = tuple(event for event in played.events if not event.drawn)
            visible = setup.game.events.visible_events(setup, certain, played.seat)
            shared = visible if shared is None else _common_beginning(shared, visible)
            draws, passes = draws or bool(played.drew), passes or played.ended_decision
        return KnownEffects(shared or (), draws, passes)

    def preview(self, move: Move, since: Observation, events: Sequence[GameEvent]) -> Preview:
        """Return the preview of a legal move; see `Position.preview`."""
        setup, seat, effects = self.seen.setup, self.seen.seat, self.of(move)
        game = setup.game
        return Preview(
            [] if effects.draws else game.log(setup, effects.events, seat),
            draws=effects.draws,
            passes=effects.passes,
            needs_confirmation=game.needs_confirmation(self.seen, move),
            hint=game.hint(self.seen, move, effects.events),
            turn_summary=game.turn_summary(since, (*events, *effects.events)),
        )


def reveals_to_mover(before: Observation, move: Move, after: Observation) -> bool:
    """Return True if the seat that saw `before` could not have known what it sees after its own move."""
    return any(_seen_after(before, move, seed) != after.data for seed in range(IMAGINED_SAMPLES))


def reveals_to_viewer(before: Observation, move: Move, after: Observation) -> bool:
    """Return True if the viewer of `before` could not have known, from another seat's move alone, what they see next.

    That the move was legal counts as part of the move.
    """
    imagined = [
        position for seed in range(IMAGINED_SAMPLES) if (position := before.imagine(seed)).why_not(move) is None
    ]
    for position in imagined:
        position.play(move)
        if position.observe(before.seat).data != after.data:
            return True
    return not imagined


def _seen_after(before: Observation, move: Move, seed: int) -> bytes:
    """Return what the seat would see after the move in a position imagined from what it saw before."""
    imagined = before.imagine(seed)
    imagined.play(move)
    return imagined.observe(before.seat).data


def _common_beginning(first: tuple[GameEvent, ...], other: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """Return the common beginning of two lists of events."""
    return tuple(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, other, strict=False)))
