"""Check studies, which continue a finished game from a step with the knowledge of one seat."""

from __future__ import annotations

import pytest

from spieltisch import tables
from spieltisch.core.chance import Rng, randbelow
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record
from spieltisch.games import GAMES, game
from spieltisch.tables import Table
from spieltisch.tables.results import game_result
from tests.paths import ROOT
from tests.tables.harness import ADA, SECRET, Sitting, refused, setup

GOLDEN = {"era-of-inventions": "3-easy", "legendary-inventors": "3-tie", "paris-connection": "3-tie"}


def finished(key: str) -> Table:
    record = Record.read(ROOT / "tests" / "golden" / key / f"{GOLDEN[key]}.txt")
    events = tables.import_record(record, game(key).components)
    written_events = [tables.RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    return tables.fold("f", bytes.fromhex(record.secret or ""), written_events, setup)


def decided(table: Table, seat: int, move: str) -> tuple[tables.Event, ...]:
    return (tables.move_event(table, seat, move),)


def studied(table: Table, step_number: int, seat: int) -> Sitting:
    study_table, plan = tables.what_if_from(table, step_number, seat, 7), tables.what_if_table(table, seat, "easy")
    rules = game(plan.game)
    return Sitting(tables.open_table(plan, rules, rules.components, ADA, SECRET, what_if=study_table))


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_study_starts_from_what_one_player_knows_and_its_record_is_verified(key: str) -> None:
    table, chance = finished(key), Rng(3)
    for step_number in (0, len(table.moves) // 2, len(table.moves) - 1):
        for seat in range(len(table.seats)):
            sitting = studied(table, step_number, seat)
            start_digest_position = sitting.table.position_at(0)
            assert start_digest_position.observe(seat).data == table.position_at(step_number).observe(seat).data
            assert [seat.kind for seat in sitting.table.seats].count("bot") == len(table.seats) - 1
            assert sitting.table.seat_of(ADA.id) == seat
        own_record = sitting.table.record(seat)
        assert own_record.what_if == {"table": "f", "move": step_number, "seat": seat + 1}
        assert (own_record.state is None) == game(key).has_hidden_information
        while sitting.table.to_decide is not None:
            position = sitting.table.position
            assert position is not None
            numbers = position.legal_moves.numbers
            move = str(position.move(numbers[randbelow(chance, len(numbers))]))
            sitting.does(decided, sitting.table.to_decide, move)
        assert sitting.table.status == "finished"
        assert game_result(sitting.table) is None, "it is nobody's game"
        record = Record.parse(sitting.table.record(None).text)
        assert record.verify().scores == sitting.table.position.scores  # type: ignore[union-attr]  # it was played
        assert record.what_if == own_record.what_if
        refolded = tables.fold("t", SECRET, sitting.written, setup)
        assert refolded.replay_difference is None
        with pytest.raises(RecordError, match="study"):
            tables.import_record(record, game(key).components)


def test_a_study_imagines_hidden_information_from_what_one_player_knows() -> None:
    """The portfolios of other players are dealt again, in the same way whenever observations are equal."""
    table = finished("paris-connection")
    observation = table.position_at(10).observe(1)
    worlds = {str(tables.what_if_from(table, 10, 1, seed).state) for seed in range(6)}
    assert len(worlds) > 1
    assert str(table.game.document(table.position_at(10))) not in worlds
    for seed in range(3):
        assert tables.what_if_from(table, 10, 1, seed).state == table.game.document(observation.imagine(seed))


def test_a_study_begins_only_at_a_step_of_a_finished_game() -> None:
    table = finished("paris-connection")
    for step_number in (-1, len(table.moves), len(table.moves) + 1):
        with refused("step"):
            tables.what_if_from(table, step_number, 0, 1)
    for seat in (-1, 3):
        with refused("seat"):
            tables.what_if_from(table, 0, seat, 1)
    with refused("not-over"):
        tables.what_if_from(Sitting.running().table, 0, 0, 1)


def test_the_record_of_a_running_study_hides_its_initial_position() -> None:
    record = studied(finished("paris-connection"), 20, 0).table.record(0)
    with pytest.raises(RecordError, match="hides what the study began with"):
        record.replay()


def test_people_who_may_not_watch_a_game_cannot_open_a_study_of_that_game() -> None:
    table = finished("paris-connection")
    assert tables.what_if_table(table, 0, "easy").watch == "link"
    sitting = Sitting.open("me", "bot:easy", "bot:easy", watch_policy="off")
    assert tables.what_if_table(sitting.table, 0, "easy").watch == "off"
