"""Checks that no log or record reveals a secret.

A game is continued in two branches that a viewer cannot distinguish; their logs and records must be the same.
"""

import random
from collections.abc import Sequence

from spieltisch.core.errors import DrawError
from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.results import MoveResult
from spieltisch.core.words import Message
from spieltisch.testing.contract import require, require_translated, viewer_name

MOVES_AHEAD = 9
"""Number of moves in each branch."""

MAX_TRIED_MOVES = 4
"""The largest number of moves that are tried to find one that looks the same."""

MAX_TRIED_DEALS = 24
"""The largest number of deals, each with two draws exchanged, that are tried."""


def check_log_secrecy(position: Position, plays: Sequence[RecordedMove], chance: random.Random, where: str) -> None:
    """Continue the real game and, for two viewers, an imagined game, with other moves where these look the same.

    As long as the viewer sees the same, log and record must also be the same. Raise ContractBroken.
    """
    if not position.setup.game.has_hidden_information:
        return
    for viewer in chance.sample((None, *range(position.seats)), 2):
        imagined = position.observe(viewer).imagine(chance.getrandbits(30))
        imagined.setup_draws = position.setup_draws
        branches = _Branch(position.copy(), plays, viewer), _Branch(imagined, plays, viewer)
        for _ in range(MOVES_AHEAD):
            if not _continue_both(*branches, chance):
                break
            require(
                branches[0].entries() == branches[1].entries(),
                f"{where}: {viewer_name(viewer)} learns a secret from the log",
            )
        real_record, imagined_record = (Record.of(branch.position, branch.plays, viewer=viewer) for branch in branches)
        require(
            real_record.text == imagined_record.text, f"{where}: {viewer_name(viewer)} learns a secret from the record"
        )
        require(
            Record.parse(real_record.text) == real_record,
            f"{where}: the record for {viewer_name(viewer)} does not read back",
        )


def check_deal(position: Position, chance: random.Random) -> None:
    """Check that a viewer who cannot tell two swapped draws of the deal apart is not shown them.

    Raise ContractBroken if a viewer is.
    """
    game, setup, draws = position.setup.game, position.setup, list(position.setup_draws)
    pairs = [(i, j) for i in range(len(draws)) for j in range(i) if draws[i] != draws[j]]
    for i, j in chance.sample(pairs, min(MAX_TRIED_DEALS, len(pairs))):
        exchanged_draws = draws.copy()
        exchanged_draws[i], exchanged_draws[j] = exchanged_draws[j], exchanged_draws[i]
        try:
            exchanged = Position.start(setup, seed=0, drew=exchanged_draws)
        except DrawError:
            continue
        real = Position.start(setup, seed=0, drew=draws)
        for viewer in (None, *range(position.seats)):
            if real.digest() != exchanged.digest() and real.observe(viewer).data == exchanged.observe(viewer).data:
                hidden = not any(game.draw_visible(setup, 0, None, index, viewer) for index in (i, j))
                require(hidden, f"{game.key}, {viewer_name(viewer)} learns a secret from the draws of the deal")


class _Branch:
    """A continuation of the game: its position, its record, and the log of the viewer."""

    def __init__(self, position: Position, plays: Sequence[RecordedMove], viewer: int | None) -> None:
        self.position = position
        self.viewer = viewer
        self.plays = list(plays)
        self.known = len(plays)
        self.log: list[tuple[list[Message], tuple[GameEvent, ...]]] = []

    def try_move(self, move: Move, drew: Sequence[str] | None = None) -> tuple[Position, MoveResult] | None:
        """Return the position after a move and its result, or None if the move cannot draw that."""
        after = self.position.copy()
        try:
            return after, after.play(move, drew, collect_events=True)
        except DrawError:
            return None

    def append(self, after: Position, played: MoveResult) -> None:
        """Continue the branch with a move that was tried."""
        setup = self.position.setup
        known_events = setup.game.events.visible_events(setup, played.events, self.viewer)
        self.log.append((setup.game.log(setup, played.events, self.viewer), known_events))
        self.position = after
        self.plays.append(RecordedMove(played.seat, played.move.text, played.drew))

    def entries(self) -> list[tuple[list[Message], tuple[GameEvent, ...]]]:
        """Return the present log of the viewer for the moves of this branch, and the events that are shown."""
        setup = self.position.setup
        moves = [(play.seat, setup.move(play.move)) for play in self.plays]
        entries = []
        for index, entry in enumerate(self.log, self.known):
            visibility = setup.game.move_visibility(setup, moves, index, self.viewer)
            require(
                visibility is True or isinstance(visibility, Message),
                f"sees_move says {visibility!r}: neither True nor a message",
            )
            require(
                visibility is True or moves[index][0] != self.viewer,
                f"{viewer_name(self.viewer)} may not know its own move",
            )
            if visibility is not True:
                require_translated(setup.game, visibility, "what is told instead of a move")
            entries.append(entry if visibility is True else ([visibility], ()))
        return entries


def _continue_both(real: _Branch, other: _Branch, chance: random.Random) -> bool:
    """Play a move in each branch so that the viewer sees the same in both and the game continues.

    Return False if no such move is found.
    """
    moves, viewer = list(real.position.legal_moves), real.viewer
    move = chance.choice(moves)
    real_result = real.try_move(move)
    assert real_result is not None
    after, play = real_result
    seen_data = after.observe(viewer).data
    candidates = (
        [legal_move for legal_move in other.position.legal_moves if legal_move != move]
        if real.position.seat != viewer
        else []
    )
    candidates = chance.sample(candidates, min(MAX_TRIED_MOVES, len(candidates)))
    if move in other.position.legal_moves:
        candidates.append(move)
    for candidate in candidates:
        other_result = other.try_move(candidate, play.drew or None)
        if (
            other_result is None
            or after.is_over
            or other_result[0].observe(viewer).data != seen_data
            or len(other_result[1].drew) != len(play.drew)
        ):
            continue
        if candidate != move and _leads_to(real, candidate, after):
            continue
        real.append(after, play)
        other.append(*other_result)
        return True
    return False


def _leads_to(real: _Branch, candidate: Move, after: Position) -> bool:
    """Return True if another move would have led to the same state: then it is no secret which one was played."""
    if candidate not in real.position.legal_moves:
        return False
    result = real.try_move(candidate)
    return result is not None and result[0].digest() == after.digest()
