"""What an alert says: what has happened since, in everybody's language, and nothing that its reader may not know."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.tables import NewTable, TableSettings
from spieltisch.tables.table_settings import HOUR
from tests.tables.harness import ADA, BEN, CLEO, Sitting

BIDS = st.lists(st.integers(0, 4), min_size=3, max_size=3)


def bid(sitting: Sitting, choice: int) -> None:
    """Whoever decides plays one of their cards."""
    table = sitting.table
    assert table.position is not None
    assert table.to_decide is not None
    moves = sorted(str(move) for move in table.position.legal_moves)
    sitting.does(tables.play, table.seats[table.to_decide].person, moves[choice % len(moves)], table.version)


def told(sitting: Sitting, language: str = "en") -> tuple[str, str]:
    table = sitting.table
    assert table.to_decide is not None
    return texts.turn_text(table, table.summary().waiting_for, language)


@given(rounds=st.lists(BIDS, max_size=3), one=BIDS, other=BIDS, seat=st.integers(1, 2), on_one_device=st.booleans())
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_others_have_bid_in_secret_changes_no_word(
    lots: str, rounds: list[list[int]], one: list[int], other: list[int], seat: int, on_one_device: bool
) -> None:
    """Two tables that differ only in what lies face down; so also for whoever sits beside somebody on their device."""
    said = []
    for hidden in (one, other):
        kinds = ("me", "here:Ben", "here:Cleo") if on_one_device else ("me", "open", "open")
        sitting = Sitting.plan(NewTable("lots", kinds))
        if not on_one_device:
            sitting.does(tables.sit, BEN)
            sitting.does(tables.sit, CLEO)
        for bids in rounds:
            for choice in bids:
                bid(sitting, choice)
        for choice in hidden[:seat]:
            bid(sitting, choice)
        assert sitting.table.to_decide == seat
        said.append(told(sitting))
    assert said[0] == said[1]


def test_who_is_told_has_all_that_their_log_says_since_their_last_turn() -> None:
    sitting = Sitting.running()
    for _ in range(40):
        table = sitting.table
        assert table.position is not None
        if table.to_decide is None:
            break
        for language in LANGUAGES:
            title, text = told(sitting, language)
            assert "Paris Connection" in title
            seat = table.to_decide
            since = table.moves_since_turn(seat)
            words = Words(language, table.game.folder / "locale")
            log = [
                " ".join(words.say(said, line.names) for said in line.messages)
                for line in table.log(seat)
                if since and line.version >= since[0].version
            ]
            assert text.split("\n")[-len(log[-texts.MAX_LOG_LINES :]) :] == log[-texts.MAX_LOG_LINES :] or not log
        sitting.does(
            tables.play, table.seats[table.to_decide].person, str(table.position.legal_moves[0]), table.version
        )


def test_nobody_is_told_who_is_not_waited_for() -> None:
    sitting = Sitting.running()
    waits_on = sitting.table.summary().waiting_for
    other = next(one for one in (ADA, BEN, CLEO) if one.id != waits_on)
    with pytest.raises(ValueError, match="does not wait"):
        texts.turn_text(sitting.table, other.id, "en")


def test_several_turns_are_one_digest() -> None:
    one = told(Sitting.running())
    assert texts.digest([one], [], Words("en")) == one
    title, text = texts.digest([one, one], [], Words("fr"))
    assert title == "C’est à vous de jouer à 2 tables."
    assert text == f"{one[1]}\n\n{one[1]}"


def test_many_mentions_are_one_digest_with_the_newest() -> None:
    table = Sitting.running().table
    said = [texts.mention_text(table, BEN.id, "en", 0, "Ada", f"@Ben {number}") for number in range(15)]
    assert said[0] == ("Ada mentioned you: Paris Connection", "Paris Connection, hosted by Ada.\nAda: @Ben 0")
    title, text = texts.digest([], said, Words("en"))
    assert title == "You were mentioned 15 times."
    assert "Plus 3 earlier ones." in text
    assert ("@Ben 2\n" in text + "\n", "@Ben 3\n" in text, text.endswith("@Ben 14")) == (False, True, True)
    title, text = texts.digest([told(Sitting.running())], said[:1], Words("en"))
    assert title == "It’s your turn at 1 table."
    assert text.endswith("Ada: @Ben 0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_until_when_somebody_has_time_is_said_by_their_own_clock(language: str) -> None:
    charter = TableSettings("days", turn_time=HOUR)
    sitting = Sitting.plan(NewTable("paris-connection", ("me", "open", "open"), charter=charter))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    time = tables.deadline(sitting.table)
    assert time is not None
    for zone in ("America/New_York", "Asia/Kolkata", "UTC"):
        here = datetime.fromtimestamp(time.until, ZoneInfo(zone))
        _, text = texts.turn_text(sitting.table, sitting.table.summary().waiting_for, language, zone)
        line = next(line for line in text.split("\n") if f"({zone})" in line)
        assert f"{here:%H:%M}" in line
        assert str(here.day) in line
    assert "You have until" not in told(Sitting.running())[1], "where no time runs"
