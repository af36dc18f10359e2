"""The moves and draws of a game so far, as positions carry them, and what of them a viewer may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spieltisch.core.moves import Move

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation

UNKNOWN: Final = Move(-1, "?")
"""The move that stands in a history for each that a viewer may not know."""


class PlayedMove(NamedTuple):
    """A move of `Position.history`: the seat that made it, the move, and what it drew.

    In the history of a resampled position, moves and draws that the seat does not know are "?".

    >>> import spieltisch
    >>> position = spieltisch.game("paris-connection").start(seats=4, seed=7)
    >>> played = position.play("build purple Rouen")
    >>> position.history[0].move.text, position.history[0].drew
    ('build purple Rouen', ())
    """

    seat: int
    move: Move
    drew: tuple[str, ...]


class PlayedMoves:
    """The moves since the setup. Positions share it: a move makes a new one that refers to the one before.

    The draws of the setup are None if they, and what was played then, are not known.
    """

    __slots__ = ("_draws", "_move", "_previous", "_seat", "is_forced")

    def __init__(
        self,
        draws: tuple[str, ...] | None,
        previous: PlayedMoves | None = None,
        seat: int = -1,
        move: Move | None = None,
        is_forced: bool = False,
    ) -> None:
        self._draws, self._previous, self._seat, self._move = draws, previous, seat, move
        self.is_forced = is_forced
        """True if the draws of the last move were given."""

    def after(self, seat: int, move: Move, draws: tuple[str, ...], is_forced: bool = False) -> PlayedMoves:
        """Return the history with one more move and its draws."""
        return PlayedMoves(draws, self, seat, move, is_forced)

    @property
    def is_whole(self) -> bool:
        """True if it begins with the setup."""
        return self._in_order()[0] is not None

    def plays(self) -> tuple[PlayedMove, ...]:
        """Return the moves, as far as they are known."""
        return tuple(self._in_order()[1])

    def steps_since(self, earlier: PlayedMoves) -> list[PlayedMoves]:
        """Return the histories after each move since an earlier one."""
        steps, step = [], self
        while step is not earlier:
            assert step._previous is not None  # noqa: S101 - it comes from the earlier one
            steps.append(step)
            step = step._previous
        return steps[::-1]

    @property
    def last(self) -> PlayedMove:
        """The last move."""
        assert self._move is not None  # noqa: S101 - not asked at the beginning
        assert self._draws is not None  # noqa: S101 - only a beginning does not know them
        return PlayedMove(self._seat, self._move, self._draws)

    def seen_by(self, observation: Observation) -> PlayedMoves:
        """Return the history without the moves and draws that the viewer of an observation has not seen.

        They are "?", as in a record. Otherwise a position imagined for this viewer would tell them.
        """
        draws, plays = self._in_order()
        history = PlayedMoves(_visible_draws(observation, 0, None, draws))
        for number, (seat, move, drawn) in enumerate(_known_moves(observation, plays), 1):
            history = history.after(seat, move, _visible_draws(observation, number, seat, drawn))
        return history

    def __reduce__(self) -> tuple[Any, ...]:
        draws, plays = self._in_order()
        return _restore_moves, (draws, plays)

    def _in_order(self) -> tuple[Any, list[PlayedMove]]:
        """Return the draws of the setup (None: not known) and the moves."""
        plays, step = [], self
        while step._previous is not None:
            plays.append(step.last)
            step = step._previous
        return step._draws, plays[::-1]

    def seen(self, observation: Observation) -> list[str]:
        """Return what the viewer of an observation has seen: the setup, its draws, and each move with its draws."""
        setup, viewer = observation.setup, observation.seat
        draws, plays = self._in_order()
        options = "".join(f" {name}={value}" for name, value in setup.options.items())
        components = f" components={setup.components.digest}" if setup.custom_components else ""
        viewer_label = "spectator" if viewer is None else f"seat {viewer}"
        setup_draws = ", ".join(_visible_draws(observation, 0, None, draws))
        lines = [f"{setup.game.key} seats={setup.seats}{options}{components}, {viewer_label}", setup_draws]
        for number, (seat, move, drawn) in enumerate(_known_moves(observation, plays), 1):
            lines.append(", ".join([f"seat {seat}: {move.text}", *_visible_draws(observation, number, seat, drawn)]))
        return lines


def _known_moves(observation: Observation, plays: Sequence[PlayedMove]) -> list[PlayedMove]:
    """Return the moves with `UNKNOWN` for each that the viewer of an observation may not know."""
    setup, moves = observation.setup, [(seat, move) for seat, move, _ in plays]

    def is_known(index: int) -> bool:
        return observation.is_over or setup.game.move_visibility(setup, moves, index, observation.seat) is True

    return [play if is_known(index) else play._replace(move=UNKNOWN) for index, play in enumerate(plays)]


def _visible_draws(observation: Observation, number: int, mover: int | None, draws: tuple[str, ...]) -> tuple[str, ...]:
    """Return the draws of a move with "?" for each that the viewer of an observation may not know."""
    setup, viewer, over = observation.setup, observation.seat, observation.is_over
    is_visible = setup.game.draw_visible
    return tuple(text if over or is_visible(setup, number, mover, i, viewer) else "?" for i, text in enumerate(draws))


def _restore_moves(draws: tuple[str, ...] | None, plays: list[PlayedMove]) -> PlayedMoves:
    history = PlayedMoves(draws)
    for seat, move, drawn in plays:
        history = history.after(seat, move, drawn)
    return history
