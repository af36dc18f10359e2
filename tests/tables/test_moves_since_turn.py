"""The moves since one's last turn: they begin after the whole turn, whatever one decided between turns later."""

from __future__ import annotations

import random

from spieltisch import tables
from spieltisch.games.legendary_inventors.state import Phase
from spieltisch.tables import NewTable
from tests.tables.harness import ADA, BEN, CLEO, Sitting


def test_it_begins_after_my_turn_not_after_what_i_decided_between_turns() -> None:
    sitting = Sitting.plan(NewTable("legendary-inventors", ("me", "open", "open"), {}, "open"))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    chance, ended_count = random.Random(4), 0
    between = [True]  # the teams are chosen
    for _ in range(80):
        table = sitting.table
        assert table.position is not None
        person = (ADA, BEN, CLEO)[table.to_decide or 0]
        move = chance.choice([str(move) for move in table.position.legal_moves])
        sitting.does(tables.play, person.id, move, table.version)
        table = sitting.table
        assert table.position is not None
        between.append(table.position.observe(None).view.phase in (Phase.TEAMS, Phase.REWARDS, Phase.LAST_UPGRADES))
        plays = table.moves
        for seat in range(3):
            turns = [play.number for play in plays if play.seat == seat and not between[play.number]]
            deciding = {len(plays)} if table.to_decide == seat and not between[-1] else set()
            ended = [n for n in turns if n + 1 not in {*turns, *deciding}]
            since = plays[max(ended, default=-1) + 1 :]
            assert not since or table.moves_since_turn(seat) == since
            ended_count += any(play.seat == seat and between[play.number] and play.ended_decision for play in since)
    assert ended_count > 10
