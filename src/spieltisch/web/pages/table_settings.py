"""The settings of a table in words, and the state of its clock."""

import msgspec

from spieltisch.core.words import Message, message, messages
from spieltisch.tables import DEFAULT_SETTINGS, Table, TableSettings, deadline, holidays_left, permissions
from spieltisch.tables.game_clock import Deadline
from spieltisch.tables.table_settings import HOUR, MINUTE, QUARTER_HOUR, UNTIL_END
from spieltisch.web.pages.perspectives import Perspective

TIMEOUT_TEXTS = {
    "remind": message("When a player runs out of time, the table says so and the game waits."),
    "bot-plays": message("When a player runs out of time, a bot plays that turn."),
    "bot-sits": message("When a player runs out of time, a bot plays until they return."),
    "end": message("When a player runs out of time, the others may agree to end the game."),
}
HINT_TEXTS = {
    "bots": message("Hints only when playing alone against bots."),
    "all": message("Everyone can use hints. In games with other people, hints appear in the log."),
    "off": message("Hints are off at this table."),
}

DELAY_TEXTS = {
    5: message("Spectators see the game five minutes later."),
    15: message("Spectators see the game a quarter of an hour later."),
    1440: message("Spectators see the game a day later."),
    UNTIL_END: message("Spectators see the moves after the end of the game."),
}
SPECTATOR_TEXTS = {
    5: message("You see the game as it was five minutes ago."),
    15: message("You see the game as it was a quarter of an hour ago."),
    1440: message("You see the game as it was a day ago."),
    UNTIL_END: message("You will see the moves after the end of the game."),
}
"""The sentences about the delay for players, and for spectators, by `WATCH_DELAYS`."""


class ClockView(msgspec.Struct, frozen=True):
    """The settings of a table and its clock, as a template shows them.

    `due` is whose time runs until when, `banks` are the time banks by seat, `played_for` the seats that a bot plays,
    `excused` those whose consent to an end of the game is not needed; `ends_alone`: the viewer's request ends it.
    `delay_note`: what a spectator with a delay is told; whose time runs now is not.
    """

    charter: tuple[Message, ...]
    due: Deadline | None
    banks: list[str]
    played_for: list[int]
    excused: tuple[int, ...]
    ends_alone: bool
    holidays_left: int
    delay_note: Message | None


def describe(charter: TableSettings) -> tuple[Message, ...]:
    """Return the settings of a table that differ from the defaults; last what happens when a player's time is up."""
    lines: list[Message] = []
    if charter.hints != DEFAULT_SETTINGS.hints:
        lines.append(HINT_TEXTS[charter.hints])
    if charter.away_hours == QUARTER_HOUR:
        lines.append(
            message("After a quarter of an hour of absence, the host may give a player’s seat to someone else.")
        )
    elif charter.away_hours:
        lines.append(
            messages(
                "After {count} hour of absence, the host may give a player’s seat to someone else.",
                "After {count} hours of absence, the host may give a player’s seat to someone else.",
                int(charter.away_hours),
            )
        )
    if charter.watch_delay:
        lines.append(DELAY_TEXTS[charter.watch_delay])
    if not charter.chat:
        lines.append(message("Chat is off at this table."))
    if charter.clock:
        lines.append(pace(charter))
    if charter.clock == "days":
        if (charter.day_start, charter.day_end) != (0, 24):
            opens, closes, zone = charter.day_start, charter.day_end, charter.time_zone
            words = message(
                "The clock runs from {opens}:00 to {closes}:00 ({zone}).", opens=opens, closes=closes, zone=zone
            )
            lines.append(words)
        if charter.holidays:
            lines.append(
                messages(
                    "Each player has {count} day of holiday.",
                    "Each player has {count} days of holiday.",
                    charter.holidays,
                )
            )
    if charter.clock:
        lines.append(TIMEOUT_TEXTS[charter.on_timeout])
    return tuple(lines)


def pace(charter: TableSettings) -> Message:
    """Return the pace of a table and the time for a turn."""
    if charter.clock == "live":
        return message(
            "Real time: each player has {turn} s per turn, plus a reserve of {bank} min.",
            turn=charter.turn_time,
            bank=charter.time_bank // MINUTE,
        )
    if charter.clock == "days":
        return message("Turn-based: each player has {hours} h per turn.", hours=charter.turn_time // HOUR)
    return message("No clock")


def clock_view(table: Table, perspective: Perspective) -> ClockView:
    """Return the settings and the clock of a table from a perspective."""
    seat, timing = perspective.seat, table.clock
    banks = timing.banks if timing is not None and table.opened.settings.time_bank else ()
    person = table.seats[seat].person if seat is not None else None
    return ClockView(
        charter=describe(msgspec.structs.replace(table.opened.settings, hints=table.hints)),
        due=None if perspective.is_delayed else deadline(table),
        banks=[f"{int(bank) // 60}:{int(bank) % 60:02}" for bank in banks],
        played_for=[seat.number for seat in table.people if table.acting_bot(seat.number)],
        excused=table.excused,
        ends_alone=permissions.can_abort_alone(table, person),
        holidays_left=holidays_left(table, seat) if seat is not None else 0,
        delay_note=SPECTATOR_TEXTS[table.opened.settings.watch_delay] if perspective.is_delayed else None,
    )
