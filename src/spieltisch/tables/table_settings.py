"""A table's charter: what its people have agreed on when it was set up, beside the game's own options."""

from __future__ import annotations

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


class TableSettings(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename={
        "time_bank": "bank",
        "turn_time": "turn",
        "day_start": "opens",
        "day_end": "closes",
        "on_timeout": "when_up",
        "time_zone": "zone",
    },
):
    """What holds at a table. Without a word there is no clock, hints are for who plays against bots, and people chat.

    `live`: a seat has `turn` seconds for each turn, and beyond that `bank` seconds for the whole game. `days`: `turn`
    seconds for each turn, which run from the hour `opens` to the hour `closes` in the time zone `zone` alone (from 0 to
    24: always), and not on holidays, of which everybody may take so many days. `when_up`: what happens when the time of
    a turn is up; `bot` is who plays then.
    """

    clock: Clock = ""
    time_bank: int = 0
    turn_time: int = 0
    day_start: int = 0
    day_end: int = 24
    time_zone: str = "UTC"
    holidays: int = 0
    on_timeout: OnTimeout = "remind"
    bot: str = "greedy"
    hints: Hints = "bots"
    chat: bool = True


DEFAULT_SETTINGS: Final = TableSettings()
PRESETS: Final[Mapping[str, TableSettings]] = {
    "": DEFAULT_SETTINGS,
    "live": TableSettings("live", time_bank=20 * MINUTE, turn_time=30, on_timeout="bot-plays"),
    "days": TableSettings("days", turn_time=12 * HOUR, day_start=9, day_end=21, holidays=7, on_timeout="bot-plays"),
}
"""What can be chosen without a thought, by its word in a form. The hours of `days` are in the time zone that is chosen.
"""
CUSTOM_CLOCKS: Final = {"own-live": "live", "own-days": "days"}
"""The words in a form for a clock that people set themselves, in the fields beside it."""


def parse_settings(form: Mapping[str, str], bots: tuple[str, ...]) -> TableSettings:
    """The charter that a form describes; what it does not say is as usual. Raises `TableRefusal` charter.

    >>> parse_settings({"clock": "own-live", "bank": "15", "seconds": "20", "when_up": "end"}, ("greedy",)).time_bank
    900
    """
    word = form.get("clock", "")
    if word in PRESETS:
        charter = PRESETS[word]
    elif word == "own-live":
        bank, turn = _number(form, "bank", 0, 600) * MINUTE, _number(form, "seconds", 5, 3600)
        charter = TableSettings("live", time_bank=bank, turn_time=turn)
    elif word == "own-days":
        charter = _over_days(form)
    else:
        raise _odd(word)
    if charter.clock == "days":
        charter = msgspec.structs.replace(charter, time_zone=_zone(form.get("zone", "") or "UTC"))
    when_up, bot = form.get("when_up", "remind"), form.get("up_bot", "greedy")
    hints, chat = form.get("hints", "bots"), form.get("chat", "on")
    choices = (when_up, get_args(OnTimeout)), (bot, bots), (hints, get_args(Hints)), (chat, ("on", "off"))
    for chosen, known in choices:
        if chosen not in known:
            raise _odd(chosen)
    if word in CUSTOM_CLOCKS:
        charter = msgspec.structs.replace(charter, on_timeout=when_up, bot=bot)
    charter = msgspec.structs.replace(charter, hints=hints, chat=chat == "on")
    return DEFAULT_SETTINGS if charter == DEFAULT_SETTINGS else charter


def _over_days(form: Mapping[str, str]) -> TableSettings:
    opens, closes = _number(form, "opens", 0, 23), _number(form, "closes", 1, 24)
    if opens == closes:
        raise TableRefusal(
            RefusalCode.SETTINGS, message("The hours in which time runs begin and end at different times.")
        )
    turn, holidays = _number(form, "hours", 1, 720) * HOUR, _number(form, "holidays", 0, 60)
    return TableSettings("days", turn_time=turn, day_start=opens, day_end=closes, holidays=holidays)


def _number(form: Mapping[str, str], name: str, least: int, most: int) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and least <= int(text) <= most):
        words = message("“{text}” is no number from {least} to {most}.", text=text[:20], least=least, most=most)
        raise TableRefusal(RefusalCode.SETTINGS, words)
    return int(text)


def _zone(name: str) -> str:
    if name not in available_timezones():
        words = message("“{name}” is no time zone; there are such as Europe/Berlin or UTC.", name=name[:40])
        raise TableRefusal(RefusalCode.SETTINGS, words)
    return name


def _odd(word: str) -> TableRefusal:
    return TableRefusal(RefusalCode.SETTINGS, message("“{word}” is nothing that a table can agree on.", word=word[:40]))


def zone_of(charter: TableSettings) -> ZoneInfo:
    """The time zone of the play window. UTC where this machine does not know it (any more): a table with an old name in
    it has to be read all the same.
    """
    return _known_zone(charter.time_zone)


@cache
def _known_zone(name: str) -> ZoneInfo:
    return ZoneInfo(name if name in available_timezones() else "UTC")
