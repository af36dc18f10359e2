"""Applying events about time: pauses, a time that is up, a return, a holiday. `game_clock` counts the time itself."""

from dataclasses import replace
from typing import Final

from spieltisch.core.words import SeatName, message
from spieltisch.tables import events as e
from spieltisch.tables import game_clock
from spieltisch.tables.fold_steps import apply_event, with_log_entry
from spieltisch.tables.table import Table

MIN_REPORTED_PAUSE: Final = 60.0
"""Seconds of a pause of the clock below which the log does not mention it."""


@apply_event.register(e.ClockPaused)
def _apply_clock_paused(event: e.ClockPaused, table: Table, recorded: e.RecordedEvent) -> Table:
    if recorded.at - event.since < MIN_REPORTED_PAUSE:
        return table
    return with_log_entry(table, recorded, message("The server was down; all clocks were stopped."))


@apply_event.register(e.TimeUp)
def _apply_time_up(event: e.TimeUp, table: Table, recorded: e.RecordedEvent) -> Table:
    player = SeatName(event.seat)
    words = message("{player} ran out of time.", player=player)
    if event.bot and event.until_return:
        words = message("{player} ran out of time; a bot plays until they’re back.", player=player)
    elif event.bot:
        words = message("{player} ran out of time; a bot plays this turn.", player=player)
    return with_log_entry(replace(table, bot_trouble=None), recorded, words)


@apply_event.register(e.PlayerReturned)
def _apply_player_returned(event: e.PlayerReturned, table: Table, recorded: e.RecordedEvent) -> Table:
    words = message("{player} is back; the bot stops playing.", player=SeatName(event.seat))
    return with_log_entry(replace(table, bot_trouble=None), recorded, words)


@apply_event.register(e.HolidayTaken)
def _apply_holiday_taken(event: e.HolidayTaken, table: Table, recorded: e.RecordedEvent) -> Table:
    first, last = game_clock.days_of(table.opened.settings, event.since, event.until)
    player = SeatName(event.seat)
    words = message("{player} is on holiday from {first} to {last}.", player=player, first=f"{first}", last=f"{last}")
    return with_log_entry(table, recorded, words)
