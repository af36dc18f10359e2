"""The settings of a table: its clock, hints and chat, agreed on in addition to the game's options."""

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, get_args
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from spieltisch.core.words import message
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 24 * HOUR

Clock = Literal["", "live", "days"]
OnTimeout = Literal["remind", "bot-plays", "bot-sits", "end"]
Hints = Literal["bots", "all", "off"]


class TableSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a table. By default there is no clock, hints are for games against bots only, and chat is on.

    `clock` is one of:

    - `live` (real time): a seat has `turn_time` seconds for each turn, and in addition `time_bank` seconds for the
      game.
    - `days` (turn-based): `turn_time` seconds for each turn, which run only from the hour `day_start` to the hour
      `day_end` in `time_zone` (from 0 to 24: always), and not on holidays, of which each seat may take `holidays` days.

    `on_timeout` is what happens when the time of a turn is up; `bot` is the substitute. Once a player has been away for
    `away_hours`, one of `AWAY_HOURS`, the host may give their seat to someone else without asking; 0: the limit of the
    server, which is never exceeded.

    Spectators see a running game as it was `watch_delay` minutes ago, one of `WATCH_DELAYS`.
    """

    clock: Clock = ""
    time_bank: int = 0
    turn_time: int = 0
    day_start: int = 0
    day_end: int = 24
    time_zone: str = "UTC"
    holidays: int = 0
    on_timeout: OnTimeout = "remind"
    bot: str = "easy"
    hints: Hints = "bots"
    chat: bool = True
    away_hours: float = 0
    watch_delay: int = 0


UNTIL_END: Final = -1
"""The delay of spectators who see nothing of a game before its end."""
WATCH_DELAYS: Final[Mapping[str, int]] = {"0": 0, "5": 5, "15": 15, "1440": 1440, "end": UNTIL_END}
"""The delays of spectators, by their value in a form."""
QUARTER_HOUR: Final = 0.25
"""A quarter of an hour in hours, like `away_hours`; the other times are in seconds."""
AWAY_HOURS: Final = (0, QUARTER_HOUR, 1, 3, 12)
DEFAULT_SETTINGS: Final = TableSettings()
PRESETS: Final[Mapping[str, TableSettings]] = {
    "": DEFAULT_SETTINGS,
    "live": TableSettings("live", time_bank=20 * MINUTE, turn_time=30, on_timeout="bot-plays"),
    "days": TableSettings("days", turn_time=12 * HOUR, day_start=9, day_end=21, holidays=7, on_timeout="bot-plays"),
}
"""The presets, by their value in a form. The hours of `days` are in the chosen time zone."""
CUSTOM_CLOCKS: Final = {"own-live": "live", "own-days": "days"}
"""Form values of the clocks that people configure themselves, in the other fields of the form."""


def parse_settings(form: Mapping[str, str], bots: tuple[str, ...]) -> TableSettings:
    """Return the settings that a form describes; missing fields have their defaults.

    Raise `TableRefusal` charter for a value that is not allowed.

    >>> parse_settings({"clock": "own-live", "bank": "15", "seconds": "20", "on_timeout": "end"}, ("easy",)).time_bank
    900
    """
    clock = form.get("clock", "")
    if clock in PRESETS:
        settings = PRESETS[clock]
    elif clock == "own-live":
        bank, turn = _parse_number(form, "bank", 0, 600) * MINUTE, _parse_number(form, "seconds", 5, 3600)
        settings = TableSettings("live", time_bank=bank, turn_time=turn)
    elif clock == "own-days":
        settings = _turn_based_settings(form)
    else:
        raise _invalid_setting(clock)
    if settings.clock == "days":
        settings = msgspec.structs.replace(settings, time_zone=_require_zone(form.get("zone", "") or "UTC"))
    on_timeout, bot = form.get("on_timeout", "remind"), form.get("timeout_bot", "easy")
    hints, chat = form.get("hints", "bots"), form.get("chat", "on")
    away, delay = form.get("away_hours", "0"), form.get("watch_delay", "0")
    choices = (
        (on_timeout, get_args(OnTimeout)),
        (bot, bots),
        (hints, get_args(Hints)),
        (chat, ("on", "off")),
        (away, map(str, AWAY_HOURS)),
        (delay, WATCH_DELAYS),
    )
    for chosen, known in choices:
        if chosen not in known:
            raise _invalid_setting(chosen)
    if clock in CUSTOM_CLOCKS:
        settings = msgspec.structs.replace(settings, on_timeout=on_timeout, bot=bot)
    settings = msgspec.structs.replace(
        settings, hints=hints, chat=chat == "on", away_hours=float(away), watch_delay=WATCH_DELAYS[delay]
    )
    return DEFAULT_SETTINGS if settings == DEFAULT_SETTINGS else settings


def _turn_based_settings(form: Mapping[str, str]) -> TableSettings:
    opens, closes = _parse_number(form, "opens", 0, 23), _parse_number(form, "closes", 1, 24)
    if opens == closes:
        raise TableRefusal(RefusalCode.SETTINGS, message("The clock can’t start and stop at the same hour."))
    turn, holidays = _parse_number(form, "hours", 1, 720) * HOUR, _parse_number(form, "holidays", 0, 60)
    return TableSettings("days", turn_time=turn, day_start=opens, day_end=closes, holidays=holidays)


def _parse_number(form: Mapping[str, str], name: str, minimum: int, maximum: int) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and minimum <= int(text) <= maximum):
        words = message("“{text}” is not a number from {least} to {most}.", text=text[:20], least=minimum, most=maximum)
        raise TableRefusal(RefusalCode.SETTINGS, words)
    return int(text)


def _require_zone(name: str) -> str:
    if name not in available_timezones():
        words = message("“{name}” is not a time zone. Use one like Europe/Berlin or UTC.", name=name[:40])
        raise TableRefusal(RefusalCode.SETTINGS, words)
    return name


def _invalid_setting(value: str) -> TableRefusal:
    return TableRefusal(RefusalCode.SETTINGS, message("“{word}” is not a valid table setting.", word=value[:40]))


def zone_of(settings: TableSettings) -> ZoneInfo:
    """Return the time zone of the hours in which time runs.

    It is UTC if this machine does not, or no longer, know the zone: a table with an old name in it must stay readable.
    """
    return _known_zone(settings.time_zone)


@cache
def _known_zone(name: str) -> ZoneInfo:
    return ZoneInfo(name if name in available_timezones() else "UTC")
