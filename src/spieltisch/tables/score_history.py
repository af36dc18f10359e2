"""The points of a finished game over time: at the deal and at the end of each part of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from spieltisch.core.words import Message

if TYPE_CHECKING:
    from spieltisch.tables.table import Table


class Stage(msgspec.Struct, frozen=True):
    """A part of a game: its name, and the points by seat at its end.

    `name` is None if the game has no named parts. Then this is a round, in which the decision was passed on once per
    seat.
    """

    name: Message | None
    points: tuple[int, ...]


class ScoreHistory(msgspec.Struct, frozen=True):
    """The points by seat after the deal, and at the end of each part of the game; the last are the final ones."""

    dealt: tuple[int, ...]
    stages: tuple[Stage, ...]


def score_history_of(table: Table) -> ScoreHistory | None:
    """Return the points over time; see `Table.score_history`.

    Hidden points count as if they had been open. Therefore there is no history while the game, or one of its deal,
    runs.
    """
    if table.status != "finished" or table.is_withheld:
        return None
    position = table.position_at(0)
    game = position.setup.game
    dealt = tuple(position.scores)
    stages: list[Stage] = []
    passed = 0
    for play in table.moves:
        name = game.stage(position.observe(None))  # a move belongs to the part in which it is chosen
        if not stages or name != stages[-1].name or (name is None and passed == position.seats):
            stages.append(Stage(name, dealt))
            passed = 0
        position.play(play.move, play.drew)
        passed += play.ended_decision
        stages[-1] = Stage(name, tuple(position.scores))
    return ScoreHistory(dealt, tuple(stages))
