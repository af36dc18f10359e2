"""The moves and draws of a game so far, as positions carry them, and what of them a viewer may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation


class PlayedMoves:
    """The moves since the setup. Positions share it: a move makes a new one that refers to the one before."""

    __slots__ = ("_draws", "_move", "_previous", "_seat")

    def __init__(
        self, draws: tuple[str, ...], previous: PlayedMoves | None = None, seat: int = -1, move: Move | None = None
    ) -> None:
        self._draws, self._previous, self._seat, self._move = draws, previous, seat, move

    def after(self, seat: int, move: Move, draws: tuple[str, ...]) -> PlayedMoves:
        """Return the history with one more move and its draws."""
        return PlayedMoves(draws, self, seat, move)

    def seen_by(self, observation: Observation) -> PlayedMoves:
        """Return the history without the draws that the viewer of an observation has not seen; they are "?"."""
        draws, plays = self._in_order()
        history = PlayedMoves(_visible(observation, 0, draws))
        for number, (seat, move, drawn) in enumerate(plays, 1):
            history = history.after(seat, move, _visible(observation, number, drawn))
        return history

    def __reduce__(self) -> tuple[Any, ...]:
        draws, plays = self._in_order()
        return _restored, (draws, plays)

    def _in_order(self) -> tuple[tuple[str, ...], list[tuple[int, Move, tuple[str, ...]]]]:
        """Return the draws of the setup, and seat, move and draws of each move."""
        plays, step = [], self
        while step._previous is not None and step._move is not None:
            plays.append((step._seat, step._move, step._draws))
            step = step._previous
        return step._draws, plays[::-1]

    def seen(self, observation: Observation) -> list[str]:
        """Return what the viewer of an observation has seen: the setup, its draws, and each move with its draws."""
        setup, viewer, over = observation.setup, observation.seat, observation.is_over
        game, (draws, plays) = setup.game, self._in_order()
        options = "".join(f" {name}={value}" for name, value in setup.options.items())
        components = f" components={setup.components.digest}" if setup.custom_components else ""
        viewer_label = "spectator" if viewer is None else f"seat {viewer}"
        setup_draws = ", ".join(_visible(observation, 0, draws))
        lines = [f"{game.key} seats={setup.seats}{options}{components}, {viewer_label}", setup_draws]
        moves = [(seat, move) for seat, move, _ in plays]
        for index, (seat, move, drawn) in enumerate(plays):
            is_known = over or game.move_visibility(setup, moves, index, viewer) is True
            shown = f"seat {seat}: {move.text if is_known else '?'}"
            lines.append(", ".join([shown, *_visible(observation, index + 1, drawn)]))
        return lines


def _visible(observation: Observation, number: int, draws: tuple[str, ...]) -> tuple[str, ...]:
    """Return the draws of a move with "?" for each that the viewer of an observation may not know."""
    setup, viewer, over = observation.setup, observation.seat, observation.is_over
    is_visible = setup.game.draw_visible
    return tuple(text if over or is_visible(setup, number, i, viewer) else "?" for i, text in enumerate(draws))


def _restored(draws: tuple[str, ...], plays: list[tuple[int, Move, tuple[str, ...]]]) -> PlayedMoves:
    history = PlayedMoves(draws)
    for seat, move, drawn in plays:
        history = history.after(seat, move, drawn)
    return history
