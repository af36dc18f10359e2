"""The settings of a table in words, and the state of its clock."""

from __future__ import annotations

from typing import Any

from spieltisch.core.words import Message, message, messages
from spieltisch.tables import DEFAULT_SETTINGS, Table, TableSettings, deadline, holidays_left
from spieltisch.tables.table_settings import HOUR, MINUTE
from spieltisch.web.pages.perspectives import Perspective

TIMEOUT_TEXTS = {
    "remind": message("When the time of a turn is up, the table says so, and goes on waiting."),
    "bot-plays": message("When the time of a turn is up, a bot plays that turn."),
    "bot-sits": message("When the time of a turn is up, a bot plays until its player is back."),
    "end": message("When the time of a turn is up, the others may agree to end the game without its player."),
}
HINT_TEXTS = {
    "bots": message("Who plays against bots alone may ask for hints."),
    "all": message("Everybody may ask for hints; where others play, the log says so."),
    "off": message("Nobody is given hints at this table."),
}


def describe(charter: TableSettings) -> tuple[Message, ...]:
    """Return the settings of a table that differ from the defaults."""
    lines: list[Message] = []
    if charter.clock == "live":
        bank, turn = charter.time_bank // MINUTE, charter.turn_time
        lines.append(message("Live: everybody has {turn} s for each turn and {bank} min beside.", turn=turn, bank=bank))
    if charter.clock == "days":
        lines.append(message("Over days: everybody has {hours} h for each turn.", hours=charter.turn_time // HOUR))
        if (charter.day_start, charter.day_end) != (0, 24):
            opens, closes, zone = charter.day_start, charter.day_end, charter.time_zone
            words = message("Time runs from {opens}:00 to {closes}:00 ({zone}).", opens=opens, closes=closes, zone=zone)
            lines.append(words)
        if charter.holidays:
            lines.append(
                messages(
                    "Everybody may take {count} day of holiday.",
                    "Everybody may take {count} days of holiday.",
                    charter.holidays,
                )
            )
    if charter.clock:
        lines.append(TIMEOUT_TEXTS[charter.on_timeout])
    if charter.hints != DEFAULT_SETTINGS.hints:
        lines.append(HINT_TEXTS[charter.hints])
    if not charter.chat:
        lines.append(message("Nobody chats at this table."))
    return tuple(lines)


def clock_context(table: Table, perspective: Perspective) -> dict[str, Any]:
    """Return the context of the clock: whose time runs until when, remaining time banks, and seats played by a bot."""
    seat, timing = perspective.seat, table.clock
    banks = timing.banks if timing is not None and table.opened.settings.time_bank else ()
    person = table.seats[seat].person if seat is not None else None
    return {
        "charter": describe(table.opened.settings),
        "due": deadline(table),
        "banks": [f"{int(bank) // 60}:{int(bank) % 60:02}" for bank in banks],
        "played_for": [seat.number for seat in table.people if table.acting_bot(seat.number)],
        "excused": table.excused,
        "ends_alone": table.can_abort_alone(person),
        "holidays_left": holidays_left(table, seat) if seat is not None else 0,
    }
