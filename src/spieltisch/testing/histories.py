"""Nobody is told by a log or a record what is not theirs to know: games are played on in two ways that a viewer cannot
tell apart, and the viewer must be told the same of both.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from spieltisch.core.events import Event
from spieltisch.core.moves import Move
from spieltisch.core.position import Played, Position
from spieltisch.core.record import Play, Record
from spieltisch.core.refusal import DrawError
from spieltisch.core.words import Message
from spieltisch.testing.promises import must, sayable, who

AHEAD = 9
"""How many moves are played on."""

TRIED = 4
"""How many moves are tried to find one that looks the same."""

DEALS = 24
"""How many deals with two things exchanged are tried."""


def check_histories(position: Position, plays: Sequence[Play], chance: random.Random, where: str) -> None:
    """From here on: the real game, and for two viewers one that they imagine, with other moves where these look the
    same. As long as the viewer sees the same, log and record must be the same, too. Raises ContractBroken.
    """
    if not position.setup.game.secrets:
        return
    for viewer in chance.sample((None, *range(position.seats)), 2):
        imagined = position.observe(viewer).imagine(chance.getrandbits(30))
        imagined.dealt = position.dealt
        ways = _Way(position.copy(), plays, viewer), _Way(imagined, plays, viewer)
        for _ in range(AHEAD):
            if not _on(*ways, chance):
                break
            must(ways[0].told() == ways[1].told(), f"{where}: {who(viewer)} learns a secret from the log")
        one, two = (Record.of(way.position, way.plays, viewer=viewer) for way in ways)
        must(one.text == two.text, f"{where}: {who(viewer)} learns a secret from the record")
        must(Record.parse(one.text) == one, f"{where}: the record for {who(viewer)} does not read back")


def check_deal(position: Position, chance: random.Random) -> None:
    """The deal at the start of this game with two things exchanged: who sees the same then is told the same draws.
    Raises ContractBroken.
    """
    game, setup, dealt = position.setup.game, position.setup, list(position.dealt)
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
                told = not game.sees_draw(setup, 0, i, viewer) and not game.sees_draw(setup, 0, j, viewer)
                must(told, f"{game.key}, {who(viewer)} learns a secret from the draws of the deal")


class _Way:
    """A game that goes on from what was played: its position, its record, and what the log says to the viewer."""

    def __init__(self, position: Position, plays: Sequence[Play], viewer: int | None) -> None:
        self.position = position
        self.viewer = viewer
        self.plays = list(plays)
        self.known = len(plays)
        self.said: list[tuple[list[Message], tuple[Event, ...]]] = []

    def tried(self, move: Move, drew: Sequence[str] | None = None) -> tuple[Position, Played] | None:
        """What the move would lead to; None where it cannot draw that."""
        after = self.position.copy()
        try:
            return after, after.play(move, drew, listen=True)
        except DrawError:
            return None

    def goes(self, after: Position, played: Played) -> None:
        setup = self.position.setup
        known = setup.game.events.seen(setup, played.events, self.viewer)
        self.said.append((setup.game.log(setup, played.events, self.viewer), known))
        self.position = after
        self.plays.append(Play(played.seat, played.move.text, played.drew))

    def told(self) -> list[tuple[list[Message], tuple[Event, ...]]]:
        """What the log says to the viewer by now of the moves since the beginning of this way, and which of their
        events are shown.
        """
        setup = self.position.setup
        moves = [(play.seat, setup.move(play.move)) for play in self.plays]
        told = []
        for index, said in enumerate(self.said, self.known):
            seen = setup.game.sees_move(setup, moves, index, self.viewer)
            must(seen is True or isinstance(seen, Message), f"sees_move says {seen!r}: neither True nor a message")
            must(seen is True or moves[index][0] != self.viewer, f"{who(self.viewer)} may not know its own move")
            if seen is not True:
                sayable(setup.game, seen, "what is told instead of a move")
            told.append(said if seen is True else ([seen], ()))
        return told


def _on(real: _Way, other: _Way, chance: random.Random) -> bool:
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


def _same(real: _Way, candidate: Move, after: Position) -> bool:
    """Whether another move would have led to the very same state: then there is no secret in which it was."""
    if candidate not in real.position.legal_moves:
        return False
    found = real.tried(candidate)
    return found is not None and found[0].digest() == after.digest()
