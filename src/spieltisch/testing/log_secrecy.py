"""Nobody is told by a log or a record what is not theirs to know: games are played on in two ways that a viewer cannot
tell apart, and the viewer must be told the same of both.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from spieltisch.core.errors import DrawError
from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.position import MoveResult, Position
from spieltisch.core.record import Record, RecordedMove
from spieltisch.core.words import Message
from spieltisch.testing.contract import require, require_translated, viewer_name

MOVES_AHEAD = 9
"""How many moves are played on."""

TRIED = 4
"""How many moves are tried to find one that looks the same."""

DEALS = 24
"""How many deals with two things exchanged are tried."""


def check_log_secrecy(position: Position, plays: Sequence[RecordedMove], chance: random.Random, where: str) -> None:
    """From here on: the real game, and for two viewers one that they imagine, with other moves where these look the
    same. As long as the viewer sees the same, log and record must be the same, too. Raises ContractBroken.
    """
    if not position.setup.game.has_hidden_information:
        return
    for viewer in chance.sample((None, *range(position.seats)), 2):
        imagined = position.observe(viewer).imagine(chance.getrandbits(30))
        imagined.setup_draws = position.setup_draws
        ways = _Branch(position.copy(), plays, viewer), _Branch(imagined, plays, viewer)
        for _ in range(MOVES_AHEAD):
            if not _on(*ways, chance):
                break
            require(ways[0].told() == ways[1].told(), f"{where}: {viewer_name(viewer)} learns a secret from the log")
        one, two = (Record.of(way.position, way.plays, viewer=viewer) for way in ways)
        require(one.text == two.text, f"{where}: {viewer_name(viewer)} learns a secret from the record")
        require(Record.parse(one.text) == one, f"{where}: the record for {viewer_name(viewer)} does not read back")


def check_deal(position: Position, chance: random.Random) -> None:
    """The deal at the start of this game with two things exchanged: who sees the same then is told the same draws.
    Raises ContractBroken.
    """
    game, setup, dealt = position.setup.game, position.setup, list(position.setup_draws)
    pairs = [(i, j) for i in range(len(dealt)) for j in range(i) if dealt[i] != dealt[j]]
    for i, j in chance.sample(pairs, min(DEALS, len(pairs))):
        other = dealt.copy()
        other[i], other[j] = other[j], other[i]
        try:
            exchanged = Position.start(setup, seed=0, drew=other)
        except DrawError:
            continue
        real = Position.start(setup, seed=0, drew=dealt)
        for viewer in (None, *range(position.seats)):
            if real.digest() != exchanged.digest() and real.observe(viewer).data == exchanged.observe(viewer).data:
                told = not game.draw_visible(setup, 0, i, viewer) and not game.draw_visible(setup, 0, j, viewer)
                require(told, f"{game.key}, {viewer_name(viewer)} learns a secret from the draws of the deal")


class _Branch:
    """A game that goes on from what was played: its position, its record, and what the log says to the viewer."""

    def __init__(self, position: Position, plays: Sequence[RecordedMove], viewer: int | None) -> None:
        self.position = position
        self.viewer = viewer
        self.plays = list(plays)
        self.known = len(plays)
        self.said: list[tuple[list[Message], tuple[GameEvent, ...]]] = []

    def tried(self, move: Move, drew: Sequence[str] | None = None) -> tuple[Position, MoveResult] | None:
        """What the move would lead to; None where it cannot draw that."""
        after = self.position.copy()
        try:
            return after, after.play(move, drew, collect_events=True)
        except DrawError:
            return None

    def goes(self, after: Position, played: MoveResult) -> None:
        setup = self.position.setup
        known = setup.game.events.visible_events(setup, played.events, self.viewer)
        self.said.append((setup.game.log(setup, played.events, self.viewer), known))
        self.position = after
        self.plays.append(RecordedMove(played.seat, played.move.text, played.drew))

    def told(self) -> list[tuple[list[Message], tuple[GameEvent, ...]]]:
        """What the log says to the viewer by now of the moves since the beginning of this way, and which of their
        events are shown.
        """
        setup = self.position.setup
        moves = [(play.seat, setup.move(play.move)) for play in self.plays]
        told = []
        for index, said in enumerate(self.said, self.known):
            seen = setup.game.move_visibility(setup, moves, index, self.viewer)
            require(seen is True or isinstance(seen, Message), f"sees_move says {seen!r}: neither True nor a message")
            require(
                seen is True or moves[index][0] != self.viewer, f"{viewer_name(self.viewer)} may not know its own move"
            )
            if seen is not True:
                require_translated(setup.game, seen, "what is told instead of a move")
            told.append(said if seen is True else ([seen], ()))
        return told


def _on(real: _Branch, other: _Branch, chance: random.Random) -> bool:
    """Play a move on each way, so that the viewer sees the same of both and the game goes on; False where none is
    found.
    """
    moves, viewer = list(real.position.legal_moves), real.viewer
    move = chance.choice(moves)
    mine = real.tried(move)
    assert mine is not None
    after, play = mine
    seen = after.observe(viewer).data
    candidates = [one for one in other.position.legal_moves if one != move] if real.position.seat != viewer else []
    candidates = chance.sample(candidates, min(TRIED, len(candidates)))
    if move in other.position.legal_moves:
        candidates.append(move)
    for candidate in candidates:
        theirs = other.tried(candidate, play.drew or None)
        if (
            theirs is None
            or after.over
            or theirs[0].observe(viewer).data != seen
            or len(theirs[1].drew) != len(play.drew)
        ):
            continue
        if candidate != move and _same(real, candidate, after):
            continue
        real.goes(after, play)
        other.goes(*theirs)
        return True
    return False


def _same(real: _Branch, candidate: Move, after: Position) -> bool:
    """Whether another move would have led to the very same state: then there is no secret in which it was."""
    if candidate not in real.position.legal_moves:
        return False
    found = real.tried(candidate)
    return found is not None and found[0].digest() == after.digest()
