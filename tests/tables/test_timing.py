"""Clocks: whose time runs, how much is used, and the deadline, all from the events, whatever happens between them."""

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
from spieltisch.tables import ClockPaused, TableSettings, parse_settings
from spieltisch.tables.events import TimeUp
from spieltisch.tables.game_clock import _end_of, counted_seconds
from spieltisch.tables.table_settings import HOUR, MINUTE, PRESETS
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
    seat, begun = sitting.table.to_decide, sitting.table.changed_at
    assert seat is not None
    while sitting.table.to_decide == seat:
        sitting.now = begun + seconds
        sitting.plays()
    return seat


def test_a_turn_takes_its_own_time_first_and_then_from_the_bank() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    assert until(sitting) == sitting.table.changed_at + 30 + 600
    quick, slow = turn(sitting, 20), turn(sitting, 90)
    assert sitting.table.clock is not None
    assert sitting.table.clock.banks[quick] == 600
    assert sitting.table.clock.banks[slow] == pytest.approx(540, abs=10)
    assert sitting.table.summary().deadline == until(sitting)
    assert sitting.folded().clock == sitting.table.clock


def test_time_runs_in_the_hours_of_the_zone_and_not_on_holidays() -> None:
    sitting = Sitting.on_the_clock(DAYS)
    sitting.now = at("2026-03-27T15:00")  # a Friday, 16:00 in Berlin; the clocks go forward on Sunday
    seat = sitting.table.to_decide
    while sitting.table.to_decide == seat:
        sitting.plays()
    assert until(sitting) == pytest.approx(at("2026-03-28T15:00"), abs=60), "five hours today, seven tomorrow"
    person = sitting.decider
    sitting.does(tables.take_holiday, person.id, "2026-03-28", "2026-03-29", sitting.now)
    assert until(sitting) == pytest.approx(at("2026-03-30T14:00"), abs=60), "summer time, and two days later"
    odd = {"2026-03-29": "2026-03-30", "2026-04-01": "2026-04-04", "2026-03-26": "2026-03-28", "soon": "2026-04-04"}
    for first, last in odd.items():  # taken, too many, over, none
        with refused("holiday"):
            sitting.does(tables.take_holiday, person.id, first, last, sitting.now)
    assert "2026-03-28" in Words("en").say(sitting.table.log(None)[-1].messages[0], sitting.table.names)


def test_what_the_server_was_away_for_counts_for_nobody() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    begun = sitting.table.changed_at
    sitting.now = begun + 5000
    sitting.does(lambda table: (ClockPaused(since=begun + 100),))  # a restart
    assert until(sitting) == begun + 5000 + 530
    sitting.now = begun + 40
    sitting.does(lambda table: (ClockPaused(since=begun + 5060),))  # the clock is set back
    assert until(sitting) == begun + 40 + 470
    lines = [Words("en").say(line.messages[0]) for line in sitting.table.log(None)]
    assert lines.count("The server was down; all clocks were stopped.") == 1


def test_nothing_happens_before_its_time_and_everything_once() -> None:
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


@pytest.mark.parametrize("stays", [False, True])
def test_a_bot_plays_the_turn_or_until_its_person_is_back(stays: bool) -> None:
    charter = TableSettings(
        "live", time_bank=60, turn_time=30, on_timeout="bot-sits" if stays else "bot-plays", bot="random"
    )
    sitting = Sitting.on_the_clock(charter)
    absent, seat = sitting.decider, sitting.table.to_decide
    assert seat is not None
    assert sitting.table.bot_to_move() is None
    assert sitting.table.summary().is_turn_of(absent.id)
    sitting.does(tables.time_out, until(sitting))
    assert sitting.table.summary().waiting_for == "", "nobody is called while a bot plays"
    if not stays:
        back = Sitting([event.event for event in sitting.written])
        back.does(tables.play, absent.id, back.moves[0], back.table.version)
        assert back.table.to_decide != seat or back.table.bot_to_move() is None, "who moves is back"
    while sitting.table.to_decide == seat:
        bot_turn = sitting.table.bot_to_move()
        assert bot_turn is not None
        assert bot_turn.bot == "random"
        sitting.does(tables.play_bot_move, bot_turn, sitting.moves[0])
    while sitting.table.to_decide != seat:
        sitting.plays()
    assert (sitting.table.bot_to_move() is not None) == stays
    if stays:
        assert tables.deadline(sitting.table) is None, "nobody's time runs"
        assert not sitting.table.summary().is_turn_of(absent.id)
        sitting.does(tables.resume_play, absent.id)
        assert sitting.table.bot_to_move() is None
        assert sitting.table.summary().is_turn_of(absent.id)
    assert tables.deadline(sitting.table) is not None
    sitting.does(tables.time_out, until(sitting))
    if stays:
        played = sitting.does(tables.play, absent.id, sitting.moves[0], sitting.table.version)
        assert [type(event).__name__ for event in played] == ["PlayerReturned", "Moved"], "who plays is back"


def test_the_others_agree_to_end_without_who_is_away_and_only_then() -> None:
    sitting = Sitting.on_the_clock(TableSettings("live", turn_time=30, on_timeout="end"))
    absent = sitting.decider
    first, second = (person for person in (ADA, BEN, CLEO) if person.id != absent.id)
    sitting.does(tables.ask_abort, first.id)
    sitting.does(tables.agree_abort, second.id)
    assert not sitting.table.is_over, "who may still come is asked"
    sitting.does(tables.time_out, until(sitting))
    assert sitting.table.status == "aborted"
    other = Sitting.on_the_clock(TableSettings("live", turn_time=30, on_timeout="end"))
    other.does(tables.time_out, until(other))
    other.does(tables.ask_abort, first.id)
    other.does(tables.refuse_abort, absent.id)
    other.does(tables.ask_abort, first.id)
    other.does(tables.agree_abort, second.id)
    assert other.table.status == "aborted"


def test_a_turn_that_is_taken_back_by_agreement_gives_everybody_their_time_back() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    asks = sitting.decider
    took = sitting.table.clock
    assert took is not None
    trade(sitting, 300)
    trade(sitting, 200)
    assert sitting.table.clock is not None
    assert sitting.table.clock.banks != took.banks
    sitting.does(tables.ask_undo, asks.id)
    for person in (ADA, BEN, CLEO):
        if person.id != asks.id:
            sitting.does(tables.agree_undo, person.id)
    assert sitting.decider == asks
    assert (sitting.table.clock.banks, sitting.table.clock.turn_used) == (took.banks, 0.0)
    assert sitting.folded().clock == sitting.table.clock


def trade(sitting: Sitting, seconds: float) -> None:
    """A turn that draws nothing, so that it can be taken back."""
    sitting.now = sitting.table.changed_at + seconds
    sitting.plays(next(move for move in sitting.moves if move.startswith("trade")))


def test_who_takes_back_moves_of_the_turn_under_way_has_no_time_back() -> None:
    sitting = Sitting.on_the_clock(LIVE)
    while sitting.table.undoable == 0:
        sitting.plays(next((move for move in sitting.moves if move.startswith("build")), sitting.moves[0]))
    sitting.now += 100
    before = sitting.table.clock
    sitting.does(tables.undo, sitting.decider.id, sitting.table.version)
    assert before is not None
    assert sitting.table.clock is not None
    assert sitting.table.clock.turn_used > before.turn_used + 99


def test_a_game_by_the_clock_is_a_record_like_any_other() -> None:
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
        {"clock": "own-days", "hours": "24", "opens": "9", "closes": "21", "holidays": "0", "when_up": "shoot"},
        {"clock": "own-live", "bank": "10", "seconds": "30", "up_bot": "hal"},
        {"hints": "always"},
    ],
)
def test_an_odd_charter_is_refused_with_a_sentence(form: dict[str, str]) -> None:
    with refused("settings"):
        parse_settings(form, BOTS)


def test_presets_are_read_and_what_is_not_said_is_as_usual() -> None:
    assert parse_settings({}, BOTS) == TableSettings()
    assert parse_settings({"clock": "live"}, BOTS) == PRESETS["live"]
    assert parse_settings({"clock": "days", "zone": "Asia/Tokyo"}, BOTS).time_zone == "Asia/Tokyo"
    assert not parse_settings({"chat": "off"}, BOTS).chat


def test_hints_are_told_to_the_others_and_given_to_whom_the_charter_says() -> None:
    for hints, gives in (("bots", False), ("all", True), ("off", False)):
        sitting = Sitting.on_the_clock(parse_settings({"hints": hints}, BOTS))
        person = sitting.decider.id
        assert sitting.table.allows_advice(person) == gives
    with refused("no-advice"):
        tables.position_for_advice(sitting.table, person, sitting.table.version)
    sitting.does(tables.hint_taken, person)
    assert sitting.table.log(None)[-1].messages[0].text == "{player} asked for a hint."
    alone = Sitting.open("me", "bot:random", "bot:random")
    while alone.table.to_decide:
        bot_turn = alone.table.bot_to_move()
        assert bot_turn is not None
        alone.does(tables.play_bot_move, bot_turn, alone.moves[0])
    assert alone.does(tables.hint_taken, ADA.id) == (), "there is nobody to be told"


def test_the_game_so_far_is_analysed_where_hints_are_given_and_the_others_are_told() -> None:
    """Also for who need not decide."""
    for hints, refusal in (("bots", "no-advice"), ("off", "no-advice"), ("all", "")):
        sitting = Sitting.on_the_clock(parse_settings({"hints": hints}, BOTS))
        waits = next(seat.person for seat in sitting.table.people if seat.number != sitting.table.to_decide)
        assert not sitting.table.allows_advice(waits)
        if refusal:
            with refused(refusal):
                tables.request_analysis(sitting.table, waits)
    with refused("not-your-seat"):
        tables.request_analysis(sitting.table, "nobody")
    sitting.does(tables.request_analysis, waits)
    assert sitting.table.log(None)[-1].messages[0].text == "{player} asked for an analysis of the game so far."
    alone = Sitting.open("me", "bot:random", "bot:random")
    assert alone.does(tables.request_analysis, ADA.id) == (), "there is nobody to be told"


HOURS = st.integers(0, 23)
CHARTERS = st.builds(
    lambda opens, closes, zone: TableSettings(
        "days", turn_time=HOUR, day_start=opens, day_end=closes + 1, time_zone=zone, holidays=30
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
def test_what_counts_adds_up_and_ends_when_it_is_said(
    charter: TableSettings,
    holidays: list[tuple[float, float]],
    moment: float,
    other_moment: float,
    third_moment: float,
    seconds: float,
) -> None:
    first, then, last = sorted((moment, other_moment, third_moment))
    parts = counted_seconds(charter, holidays, first, then) + counted_seconds(charter, holidays, then, last)
    assert counted_seconds(charter, holidays, first, last) == pytest.approx(parts, abs=0.01)
    assert 0 <= parts <= last - first + 0.01
    end = _end_of(charter, holidays, first, seconds)
    assert counted_seconds(charter, holidays, first, end) == pytest.approx(seconds, abs=0.01)


class TimeModel(RuleBasedStateMachine):
    """Moves, take-backs, restarts and clocks that are set, in any order, against what the server was there for."""

    @initialize(
        charter=st.sampled_from((LIVE, DAYS, TableSettings("live", time_bank=60, turn_time=30, on_timeout="bot-sits")))
    )
    def begin(self, charter: TableSettings) -> None:
        self.sitting = Sitting.on_the_clock(charter)
        self.there = 0.0
        self.begun = len(self.sitting.written)

    def passes(self, seconds: float) -> None:
        self.sitting.now = self.sitting.table.changed_at + seconds

    @rule(seconds=st.floats(0, 10_000), pick=st.integers(0, 1000))
    @precondition(lambda self: self.sitting.table.status == "running")
    def plays(self, seconds: float, pick: int) -> None:
        self.passes(seconds)
        table = self.sitting.table
        move = self.sitting.moves[pick % len(self.sitting.moves)]
        turn = table.bot_to_move()
        if turn is not None:
            self.sitting.does(tables.play_bot_move, turn, move)
        else:
            self.sitting.plays(move)
        self.there += seconds

    @rule(seconds=st.floats(0, 10_000), away=st.floats(-5000, 1_000_000))
    def away(self, seconds: float, away: float) -> None:
        since = self.sitting.table.changed_at + seconds
        self.sitting.now = since + away
        self.sitting.does(lambda table: (ClockPaused(since=since),))
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
