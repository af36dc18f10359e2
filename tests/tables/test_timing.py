"""Check clocks: running time, used time and deadlines, all from the events."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from spieltisch import tables
from spieltisch.bots import BOTS
from spieltisch.core.record import Record
from spieltisch.core.words import Words
from spieltisch.tables import ClockPaused, TableSettings, parse_settings, permissions
from spieltisch.tables.events import TimeUp
from spieltisch.tables.game_clock import _end_of_counted, counted_seconds
from spieltisch.tables.table_settings import HOUR, MINUTE, PRESETS, QUARTER_HOUR
from tests.sentences import sentence_after
from tests.tables.harness import ADA, BEN, CLEO, Sitting, refused
from tests.tiers import examples

LIVE = TableSettings("live", time_bank=10 * MINUTE, turn_time=30)
DAYS = TableSettings("days", turn_time=12 * HOUR, day_start=9, day_end=21, time_zone="Europe/Berlin", holidays=5)


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def until(sitting: Sitting) -> float:
    due = tables.deadline(sitting.table)
    assert due is not None
    assert due.person == sitting.decider.id
    return due.until


def turn(sitting: Sitting, seconds: float) -> int:
    """Let the deciding seat take this many seconds for its turn; return the seat."""
    seat, turn_began_at = sitting.table.to_decide, sitting.table.changed_at
    assert seat is not None
    while sitting.table.to_decide == seat:
        sitting.now = turn_began_at + seconds
        sitting.plays()
    return seat


def test_a_turn_uses_the_time_per_turn_before_the_time_bank() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    assert until(sitting) == sitting.table.changed_at + 30 + 600
    quick, slow = turn(sitting, 20), turn(sitting, 90)
    assert sitting.table.clock is not None
    assert sitting.table.clock.banks[quick] == 600
    assert sitting.table.clock.banks[slow] == pytest.approx(540, abs=10)
    assert sitting.table.summary().deadline == until(sitting)
    assert sitting.folded().clock == sitting.table.clock


def test_no_time_runs_while_the_operator_has_frozen_the_table() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    sitting.now = sitting.table.changed_at + 20
    sitting.does(tables.suspend)
    assert tables.deadline(sitting.table) is None
    sitting.now += 5000
    sitting.does(tables.resume)
    assert until(sitting) == sitting.table.changed_at + 10 + 600
    assert sitting.folded().clock == sitting.table.clock


def test_time_is_counted_only_in_the_set_hours_of_the_zone_and_not_on_holidays() -> None:
    sitting = Sitting.on_the_clock(DAYS)
    sitting.now = at("2026-03-27T15:00")  # a Friday, 16:00 in Berlin; the clocks go forward on Sunday
    seat = sitting.table.to_decide
    while sitting.table.to_decide == seat:
        sitting.plays()
    assert until(sitting) == pytest.approx(at("2026-03-28T15:00"), abs=60), "five hours today, seven tomorrow"
    person = sitting.decider
    sitting.does(tables.take_holiday, person.id, "2026-03-28", "2026-03-29", sitting.now)
    assert until(sitting) == pytest.approx(at("2026-03-30T14:00"), abs=60), "summer time, and two days later"
    invalid_days = {
        "2026-03-29": "2026-03-30",
        "2026-04-01": "2026-04-04",
        "2026-03-26": "2026-03-28",
        "soon": "2026-04-04",
    }
    for first, last_day in invalid_days.items():  # taken, too many, over, none
        with refused("holiday"):
            sitting.does(tables.take_holiday, person.id, first, last_day, sitting.now)
    assert "2026-03-28" in Words("en").say(sitting.table.log(None)[-1].messages[0], sitting.table.names)


def test_downtime_of_the_server_costs_no_player_time() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    turn_began_at = sitting.table.changed_at
    sitting.now = turn_began_at + 5000
    sitting.does(lambda table: (ClockPaused(since=turn_began_at + 100),))  # a restart
    assert until(sitting) == turn_began_at + 5000 + 530
    sitting.now = turn_began_at + 40
    sitting.does(lambda table: (ClockPaused(since=turn_began_at + 5060),))  # the clock is set back
    assert until(sitting) == turn_began_at + 40 + 470
    lines = [Words("en").say(line.messages[0]) for line in sitting.table.log(None)]
    assert lines.count(sentence_after("tables/fold_clock.py", "def _apply_clock_paused")) == 1


def test_a_player_times_out_once_at_the_deadline() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    due = until(sitting)
    assert sitting.does(tables.time_out, due - 0.001) == ()
    assert [type(event) for event in sitting.does(tables.time_out, due)] == [TimeUp]
    assert sitting.does(tables.time_out, due + 1) == ()
    assert tables.deadline(sitting.table) is None
    sitting.now = due + 1
    sitting.plays("")
    while tables.deadline(sitting.table) is None:
        sitting.plays("")
    assert sitting.table.clock is not None
    assert 0.0 in sitting.table.clock.banks, "its bank is empty; its next turns have their own time still"


@pytest.mark.parametrize("bot_stays", [False, True])
def test_a_bot_plays_one_turn_or_until_the_timed_out_player_returns(bot_stays: bool) -> None:
    charter = TableSettings(
        "live", time_bank=60, turn_time=30, on_timeout="bot-sits" if bot_stays else "bot-plays", bot="random"
    )
    sitting = Sitting.on_the_clock(charter)
    absent, seat = sitting.decider, sitting.table.to_decide
    assert seat is not None
    assert sitting.table.bot_to_move() is None
    assert sitting.table.summary().is_turn_of(absent.id)
    sitting.does(tables.time_out, until(sitting))
    assert sitting.table.summary().waiting_for == "", "nobody is called while a bot plays"
    if not bot_stays:
        restored_sitting = Sitting([event.event for event in sitting.written])
        restored_sitting.does(tables.play, absent.id, restored_sitting.moves[0], restored_sitting.table.version)
        assert restored_sitting.table.to_decide != seat or restored_sitting.table.bot_to_move() is None, (
            "who moves is back"
        )
    while sitting.table.to_decide == seat:
        bot_turn = sitting.table.bot_to_move()
        assert bot_turn is not None
        assert bot_turn.bot == "random"
        sitting.does(tables.play_bot_move, bot_turn, sitting.moves[0])
    while sitting.table.to_decide != seat:
        sitting.plays()
    assert (sitting.table.bot_to_move() is not None) == bot_stays
    if bot_stays:
        assert tables.deadline(sitting.table) is None, "nobody's time runs"
        assert not sitting.table.summary().is_turn_of(absent.id)
        sitting.does(tables.resume_play, absent.id)
        assert sitting.table.bot_to_move() is None
        assert sitting.table.summary().is_turn_of(absent.id)
    assert tables.deadline(sitting.table) is not None
    sitting.does(tables.time_out, until(sitting))
    if bot_stays:
        was_played = sitting.does(tables.play, absent.id, sitting.moves[0], sitting.table.version)
        assert [type(event).__name__ for event in was_played] == ["PlayerReturned", "Moved"], "who plays is back"


def test_the_present_players_can_end_a_game_without_an_absent_player() -> None:
    sitting = Sitting.on_the_clock(TableSettings("live", turn_time=30, on_timeout="end"))
    absent = sitting.decider
    first, second = (person for person in (ADA, BEN, CLEO) if person.id != absent.id)
    sitting.does(tables.ask_abort, first.id)
    sitting.does(tables.agree_abort, second.id)
    assert not sitting.table.is_over, "who may still come is asked"
    sitting.does(tables.time_out, until(sitting))
    assert sitting.table.status == "aborted"
    other_sitting = Sitting.on_the_clock(TableSettings("live", turn_time=30, on_timeout="end"))
    other_sitting.does(tables.time_out, until(other_sitting))
    other_sitting.does(tables.ask_abort, first.id)
    other_sitting.does(tables.refuse_abort, absent.id)
    other_sitting.does(tables.ask_abort, first.id)
    other_sitting.does(tables.agree_abort, second.id)
    assert other_sitting.table.status == "aborted"


def test_a_turn_taken_back_by_consent_restores_the_time_of_all_players() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    asking_person = sitting.decider
    took = sitting.table.clock
    assert took is not None
    trade(sitting, 300)
    trade(sitting, 200)
    assert sitting.table.clock is not None
    assert sitting.table.clock.banks != took.banks
    sitting.does(tables.ask_undo, asking_person.id)
    for person in (ADA, BEN, CLEO):
        if person.id != asking_person.id:
            sitting.does(tables.agree_undo, person.id)
    assert sitting.decider == asking_person
    assert (sitting.table.clock.banks, sitting.table.clock.turn_used) == (took.banks, 0.0)
    assert sitting.folded().clock == sitting.table.clock


def trade(sitting: Sitting, seconds: float) -> None:
    """Play a turn without draws, which can be undone."""
    sitting.now = sitting.table.changed_at + seconds
    sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))


def test_undoing_moves_of_the_running_turn_restores_no_time() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    while sitting.table.undoable == 0:
        sitting.plays(next((move for move in sitting.moves if move.startswith("build")), sitting.moves[0]))
    sitting.now += 100
    before = sitting.table.clock
    sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    assert before is not None
    assert sitting.table.clock is not None
    assert sitting.table.clock.turn_used > before.turn_used + 99


def test_the_record_of_a_game_with_a_clock_is_verified() -> None:
    sitting = Sitting.on_the_clock(LIVE).to_the_end()
    record = Record.parse(sitting.table.record(None).text)
    assert record.verify().digest() == sitting.table.position.digest()  # type: ignore[union-attr]  # it was played


@pytest.mark.parametrize(
    "form",
    [
        {"clock": "fast"},
        {"clock": "days", "zone": "Mars/Olympus"},
        {"clock": "own-live", "bank": "-1", "seconds": "30"},
        {"clock": "own-live", "bank": "10", "seconds": "x"},
        {"clock": "own-days", "hours": "24", "opens": "9", "closes": "9", "holidays": "0"},
        {"clock": "own-days", "hours": "24", "opens": "9", "closes": "21", "holidays": "0", "on_timeout": "shoot"},
        {"clock": "own-live", "bank": "10", "seconds": "30", "timeout_bot": "hal"},
        {"hints": "always"},
        {"away_hours": "2"},
        {"away_hours": "-1"},
        {"away_hours": "0.1"},
    ],
)
def test_invalid_clock_settings_are_refused_with_a_message(form: dict[str, str]) -> None:
    with refused("settings"):
        parse_settings(form, BOTS)


def test_clock_presets_are_read_and_missing_values_have_defaults() -> None:
    assert parse_settings({}, BOTS) == TableSettings()
    assert parse_settings({"clock": "live"}, BOTS) == PRESETS["live"]
    assert parse_settings({"clock": "days", "zone": "Asia/Tokyo"}, BOTS).time_zone == "Asia/Tokyo"
    assert not parse_settings({"chat": "off"}, BOTS).chat
    assert parse_settings({"away_hours": "3"}, BOTS).away_hours == 3
    assert parse_settings({"away_hours": "0.25"}, BOTS).away_hours == QUARTER_HOUR


def test_the_settings_of_a_table_decide_who_gets_hints_and_hints_are_logged() -> None:
    for hints, gives_hints in (("bots", False), ("all", True), ("off", False)):
        sitting = Sitting.on_the_clock(parse_settings({"hints": hints}, BOTS))
        person = sitting.decider.id
        assert permissions.allows_advice(sitting.table, person) == gives_hints
    with refused("no-advice"):
        tables.position_for_advice(sitting.table, person, sitting.table.version)
    sitting.does(tables.hint_taken, person)
    assert sitting.table.log(None)[-1].messages[0].text == sentence_after(
        "tables/fold.py", "player=player)\n        )\n    return with_log_entry(table, recorded", player="{player}"
    )
    single_sitting = Sitting.open("me", "bot:random", "bot:random")
    while single_sitting.table.to_decide:
        bot_turn = single_sitting.table.bot_to_move()
        assert bot_turn is not None
        single_sitting.does(tables.play_bot_move, bot_turn, single_sitting.moves[0])
    assert single_sitting.does(tables.hint_taken, ADA.id) == (), "there is nobody to be told"


def test_the_setting_for_hints_decides_who_gets_partial_analyses_and_they_are_logged() -> None:
    """Players whose turn it is not also get partial analyses."""
    for hints, refusal in (("bots", "no-advice"), ("off", "no-advice"), ("all", "")):
        sitting = Sitting.on_the_clock(parse_settings({"hints": hints}, BOTS))
        waiting_person = next(seat.person for seat in sitting.table.people if seat.number != sitting.table.to_decide)
        assert not permissions.allows_advice(sitting.table, waiting_person)
        if refusal:
            with refused(refusal):
                tables.request_analysis(sitting.table, waiting_person)
    with refused("not-your-seat"):
        tables.request_analysis(sitting.table, "nobody")
    sitting.does(tables.request_analysis, waiting_person)
    assert sitting.table.log(None)[-1].messages[0].text == sentence_after(
        "tables/fold.py", "def _apply_hint_taken", player="{player}"
    )
    single_sitting = Sitting.open("me", "bot:random", "bot:random")
    assert single_sitting.does(tables.request_analysis, ADA.id) == (), "there is nobody to be told"


HOURS = st.integers(0, 23)
CHARTERS = st.builds(
    lambda opens_at, closes, zone: TableSettings(
        "days", turn_time=HOUR, day_start=opens_at, day_end=closes + 1, time_zone=zone, holidays=30
    ),
    HOURS,
    HOURS,
    st.sampled_from(("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")),
).filter(lambda charter: charter.day_start != charter.day_end)
YEAR = 366 * 24 * HOUR
TIMES = st.floats(at("2026-01-01"), at("2026-01-01") + YEAR)
SPANS = st.lists(st.tuples(TIMES, TIMES).map(lambda pair: (min(pair), max(pair))), max_size=3)


@settings(deadline=None)
@given(CHARTERS, SPANS, TIMES, TIMES, TIMES, st.floats(0, 100 * HOUR))
def test_the_time_counted_for_parts_of_a_turn_adds_up_and_ends_at_the_deadline(
    charter: TableSettings,
    holidays: list[tuple[float, float]],
    moment: float,
    other_moment: float,
    third_moment: float,
    seconds: float,
) -> None:
    first, middle_moment, last_moment = sorted((moment, other_moment, third_moment))
    parts = counted_seconds(charter, holidays, first, middle_moment) + counted_seconds(
        charter, holidays, middle_moment, last_moment
    )
    assert counted_seconds(charter, holidays, first, last_moment) == pytest.approx(parts, abs=0.01)
    assert 0 <= parts <= last_moment - first + 0.01
    end = _end_of_counted(charter, holidays, first, seconds)
    assert counted_seconds(charter, holidays, first, end) == pytest.approx(seconds, abs=0.01)


class TimeModel(RuleBasedStateMachine):
    """Check the time used under moves, takebacks, restarts and clock changes in any order."""

    @initialize(
        charter=st.sampled_from((LIVE, DAYS, TableSettings("live", time_bank=60, turn_time=30, on_timeout="bot-sits")))
    )
    def begin(self, charter: TableSettings) -> None:
        self.sitting = Sitting.on_the_clock(charter)
        self.there = 0.0
        self.begun = len(self.sitting.written)

    def passes(self, seconds: float) -> None:
        self.sitting.now = self.sitting.table.changed_at + seconds

    @rule(seconds=st.floats(0, 10_000), choice_number=st.integers(0, 1000))
    @precondition(lambda self: self.sitting.table.status == "running")
    def plays(self, seconds: float, choice_number: int) -> None:
        self.passes(seconds)
        table = self.sitting.table
        move = self.sitting.moves[choice_number % len(self.sitting.moves)]
        turn = table.bot_to_move()
        if turn is not None:
            self.sitting.does(tables.play_bot_move, turn, move)
        else:
            self.sitting.plays(move)
        self.there += seconds

    @rule(seconds=st.floats(0, 10_000), absent_seconds=st.floats(-5000, 1_000_000))
    def away(self, seconds: float, absent_seconds: float) -> None:
        away_until = self.sitting.table.changed_at + seconds
        self.sitting.now = away_until + absent_seconds
        self.sitting.does(lambda table: (ClockPaused(since=away_until),))
        self.there += seconds

    @rule()
    def looks(self) -> None:
        due = tables.deadline(self.sitting.table)
        if due is not None:
            seconds = max(0.0, due.until - self.sitting.table.changed_at)
            self.passes(seconds)
            assert self.sitting.does(tables.time_out, due.until - 1) == () or due.until <= self.sitting.table.changed_at
            self.sitting.does(tables.time_out, due.until)
            self.there += seconds

    @rule(seconds=st.floats(0, 1000))
    def undoes(self, seconds: float) -> None:
        if self.sitting.table.undoable and self.sitting.table.bot_to_move() is None:
            self.passes(seconds)
            self.sitting.does(tables.undo, self.sitting.decider.id, self.sitting.table.version)
            self.there += seconds

    @invariant()
    def nobody_has_less_than_nothing_or_used_more_than_there_was(self) -> None:
        table = self.sitting.table
        assert table.clock is not None
        charter = table.opened.settings
        banked = sum(charter.time_bank - bank for bank in table.clock.banks)
        assert table.clock.turn_used >= 0
        assert all(0 <= bank <= charter.time_bank for bank in table.clock.banks)
        events = len(self.sitting.written) - self.begun
        assert table.clock.turn_used + banked <= self.there + events + 1, "a second passes with each event of the test"

    def teardown(self) -> None:
        if hasattr(self, "sitting"):
            assert self.sitting.folded().clock == self.sitting.table.clock
            assert self.sitting.folded().summary() == self.sitting.table.summary()


TestTimeModel = TimeModel.TestCase
TestTimeModel.settings = settings(examples(8, 30), stateful_step_count=25)
