"""Check the text of alerts: the moves since the last turn in the reader's language, without secrets."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.tables import NewTable, TableSettings, turns
from spieltisch.tables.table_settings import HOUR
from tests.sentences import sentence_after, template_after
from tests.tables.harness import ADA, BEN, CLEO, Sitting

BIDS = st.lists(st.integers(0, 4), min_size=3, max_size=3)


def bid(sitting: Sitting, choice: int) -> None:
    """Play a card, chosen by its number, for the deciding person."""
    table = sitting.table
    assert table.position is not None
    assert table.to_decide is not None
    moves = sorted(str(move) for move in table.position.legal_moves)
    sitting.does(tables.play, table.seats[table.to_decide].person, moves[choice % len(moves)], table.version)


def alert_texts(sitting: Sitting, language: str = "en") -> tuple[str, str]:
    table = sitting.table
    assert table.to_decide is not None
    return texts.turn_text(table, table.summary().waiting_for, language)


@given(
    rounds=st.lists(BIDS, max_size=3),
    bids_of_others=BIDS,
    other_bids=BIDS,
    seat=st.integers(1, 2),
    on_one_device=st.booleans(),
)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_secret_bids_do_not_change_the_alert_text(
    game_with_bids: str,
    rounds: list[list[int]],
    bids_of_others: list[int],
    other_bids: list[int],
    seat: int,
    on_one_device: bool,
) -> None:
    """Compare alerts of two tables that differ only in secret bids, also for two players on one device."""
    alerts = []
    for hidden_bids in (bids_of_others, other_bids):
        kinds = ("me", "here:Ben", "here:Cleo") if on_one_device else ("me", "open", "open")
        sitting = Sitting.plan(NewTable("lots", kinds))
        if not on_one_device:
            sitting.does(tables.sit, BEN)
            sitting.does(tables.sit, CLEO)
        for bids in rounds:
            for choice in bids:
                bid(sitting, choice)
        for choice in hidden_bids[:seat]:
            bid(sitting, choice)
        assert sitting.table.to_decide == seat
        alerts.append(alert_texts(sitting))
    assert alerts[0] == alerts[1]


def test_an_alert_has_the_log_since_the_players_last_turn() -> None:
    sitting = Sitting.running()
    for _ in range(40):
        table = sitting.table
        assert table.position is not None
        if table.to_decide is None:
            break
        for language in LANGUAGES:
            title, text = alert_texts(sitting, language)
            assert "Paris Connection" in title
            seat = table.to_decide
            moves_of_others = turns.moves_since_turn(table, seat)
            words = Words(language, table.game.folder / "locale")
            log = [
                " ".join(words.say(message, line.names) for message in line.messages)
                for line in table.log(seat)
                if moves_of_others and line.version >= moves_of_others[0].version
            ]
            assert text.split("\n")[-len(log[-texts.MAX_LOG_LINES :]) :] == log[-texts.MAX_LOG_LINES :] or not log
        sitting.does(
            tables.play, table.seats[table.to_decide].person, str(table.position.legal_moves[0]), table.version
        )


def test_a_turn_alert_is_written_only_for_the_player_to_move() -> None:
    sitting = Sitting.running()
    waits_on = sitting.table.summary().waiting_for
    waiting_player = next(person for person in (ADA, BEN, CLEO) if person.id != waits_on)
    with pytest.raises(ValueError, match="does not wait"):
        texts.turn_text(sitting.table, waiting_player.id, "en")


def test_turns_at_several_tables_are_combined_into_one_digest() -> None:
    single = alert_texts(Sitting.running())
    assert texts.digest([(texts.title_of_turns, [single], None)], Words("en")) == single
    title, text = texts.digest([(texts.title_of_turns, [single, single], None)], Words("fr"))
    assert title == "C’est à vous de jouer à 2 tables."
    assert text == f"{single[1]}\n\n{single[1]}"


def test_many_mentions_are_combined_into_one_digest_with_the_newest_messages() -> None:
    table = Sitting.running().table
    mentions = [texts.mention_text(table, BEN.id, "en", 0, "Ada", f"@Ben {number}") for number in range(15)]
    mentioned = sentence_after("alerts/texts.py", "else name\n", player="Ada", game="Paris Connection")
    hosted = sentence_after("alerts/texts.py", "elif host is not None:", player="Ada", game="Paris Connection")
    assert mentions[0] == (mentioned, f"{hosted}\nAda: @Ben 0")
    title, text = texts.digest([(texts.title_of_mentions, mentions, 12)], Words("en"))
    assert title == sentence_after("alerts/texts.py", "def title_of_mentions", count=15)
    assert sentence_after("alerts/texts.py", "if more := len(log_lines[:-MAX_LOG_LINES]):", count=3) in text
    assert ("@Ben 2\n" in text + "\n", "@Ben 3\n" in text, text.endswith("@Ben 14")) == (False, True, True)
    turns = texts.title_of_turns, [alert_texts(Sitting.running())], None
    title, text = texts.digest([turns, (texts.title_of_mentions, mentions[:1], None)], Words("en"))
    assert title == sentence_after("alerts/texts.py", "def title_of_turns", count=1)
    assert text.endswith("Ada: @Ben 0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deadline_is_given_in_the_time_zone_of_the_player(language: str) -> None:
    charter = TableSettings("days", turn_time=HOUR)
    sitting = Sitting.plan(NewTable("paris-connection", ("me", "open", "open"), charter=charter))
    sitting.does(tables.sit, BEN)
    sitting.does(tables.sit, CLEO)
    time_left = template_after("alerts/texts.py", "if (time := deadline(table)) is not None:")
    time = tables.deadline(sitting.table)
    assert time is not None
    for zone in ("America/New_York", "Asia/Kolkata", "UTC"):
        local_time = datetime.fromtimestamp(time.until, ZoneInfo(zone))
        _, text = texts.turn_text(sitting.table, sitting.table.summary().waiting_for, language, zone)
        line = next(line for line in text.split("\n") if f"({zone})" in line)
        assert f"{local_time:%H:%M}" in line
        assert str(local_time.day) in line
    assert time_left.text.partition("{")[0] not in alert_texts(Sitting.running())[1], "where no time runs"
