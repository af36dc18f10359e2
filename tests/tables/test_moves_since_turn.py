"""Check the moves since a player's last turn."""

from __future__ import annotations

import random

from spieltisch import tables
from spieltisch.games.legendary_inventors.state import Phase
from spieltisch.tables import NewTable, turns
from tests.tables.harness import ADA, BEN, CLEO, Sitting


def test_moves_since_the_last_turn_ignore_decisions_between_turns() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open", "open"), {}, "open"))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    chance, ended_count = random.Random(4), 0
    decided_between_turns = [True]  # the teams are chosen
    for _ in range(80):
        table = sitting.table
        assert table.position is not None
        person = (ADA, BEN, CLEO)[table.to_decide or 0]
        move = chance.choice([str(move) for move in table.position.legal_moves])
        sitting.does(tables.play, person.id, move, table.version)
        table = sitting.table
        assert table.position is not None
        decided_between_turns.append(
            table.position.observe(None).view.phase in (Phase.TEAMS, Phase.REWARDS, Phase.LAST_UPGRADES)
        )
        plays = table.moves
        for seat in range(3):
            own_moves = [play.number for play in plays if play.seat == seat and not decided_between_turns[play.number]]
            deciding = {len(plays)} if table.to_decide == seat and not decided_between_turns[-1] else set()
            ends_of_turns = [n for n in own_moves if n + 1 not in {*own_moves, *deciding}]
            moves_of_others = plays[max(ends_of_turns, default=-1) + 1 :]
            assert not moves_of_others or turns.moves_since_turn(table, seat) == moves_of_others
            ended_count += any(
                play.seat == seat and decided_between_turns[play.number] and play.ended_decision
                for play in moves_of_others
            )
    assert ended_count > 10
