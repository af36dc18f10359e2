"""A sitting: seats, invitations, turns, undo, ending. No SQL, no HTTP.

A table is an append-only list of events (`events.py`); `Table` is what is folded from them (`table.py`, `parts.py`,
`fold.py`), the log in words among it (`log.py`). Commands (`opening.py`, `seating.py`, `playing.py`,
`ending.py`, `overtime.py`) take a table, check, and return the events that would happen, or raise a `TableRefusal`
(`refusals.py`). `charter.py` is what people agree on beside the game, `timing.py` how much time they have.
`confirming.py` says what is shown to people before it happens, `removal.py` how somebody is forgotten. To store events
and to announce them is the part of others.
"""

from spieltisch.tables.bot_moves import bot_fails, bot_moves
from spieltisch.tables.cast import style_of
from spieltisch.tables.charter import OWN, PLAIN, PRESETS, Charter, read_charter
from spieltisch.tables.confirming import QUESTIONS, at_once, leaving, preview_to_confirm
from spieltisch.tables.dealing import MOST_TABLES, knows, lay_open, names_beside, plans, plays_once, read_tables
from spieltisch.tables.ending import agree_abort, ask_abort, expire, refuse_abort, rematch_opened, rematch_plan
from spieltisch.tables.events import (
    Aborted,
    ClockStood,
    Deal,
    Event,
    Frozen,
    Moved,
    Opened,
    OptionValue,
    Place,
    Study,
    Undone,
    Written,
    decode,
    encode,
)
from spieltisch.tables.fold import fold, then
from spieltisch.tables.import_record import import_record
from spieltisch.tables.log import LogLine, asks_back, whose
from spieltisch.tables.loss import steps_lost
from spieltisch.tables.names import LONGEST_NAME, Sitter, beside, check_name, device_of
from spieltisch.tables.one_device import beside_me, sitter, speaker
from spieltisch.tables.opening import Plan, open_table, read_options
from spieltisch.tables.overtime import come_back, holidays_left, take_holiday, time_up
from spieltisch.tables.parts import Asking, BotTrouble, BotTurn, PlayedMove, Seat
from spieltisch.tables.playing import (
    agree_undo,
    ahead,
    ask_undo,
    hint_taken,
    look_back,
    moved,
    play,
    preview,
    refuse_undo,
    to_advise,
    undo,
    undo_turn,
    why_not,
)
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.removal import Anonymous
from spieltisch.tables.results import Player, Result, result_of
from spieltisch.tables.score_history import ScoreHistory, Stage
from spieltisch.tables.seating import (
    agree_hand_out,
    hand_out,
    leave,
    perspective,
    refuse_hand_out,
    renew_links,
    renew_watch_links,
    replace,
    sit,
    withdraw_hand_out,
)
from spieltisch.tables.studying import study_of, study_plan
from spieltisch.tables.summary import SeatSummary, Status, Summary
from spieltisch.tables.table import Table
from spieltisch.tables.timing import Due, due, left_of

__all__ = [
    "LONGEST_NAME",
    "MOST_TABLES",
    "OWN",
    "PLAIN",
    "PRESETS",
    "QUESTIONS",
    "Aborted",
    "Anonymous",
    "Asking",
    "BotTrouble",
    "BotTurn",
    "Charter",
    "ClockStood",
    "Deal",
    "Due",
    "Event",
    "Frozen",
    "LogLine",
    "Moved",
    "Opened",
    "OptionValue",
    "Place",
    "Plan",
    "PlayedMove",
    "Player",
    "Result",
    "ScoreHistory",
    "Seat",
    "SeatSummary",
    "Sitter",
    "Stage",
    "Status",
    "Study",
    "Summary",
    "Table",
    "TableRefusal",
    "Undone",
    "Written",
    "agree_abort",
    "agree_hand_out",
    "agree_undo",
    "ahead",
    "ask_abort",
    "ask_undo",
    "asks_back",
    "at_once",
    "beside",
    "beside_me",
    "bot_fails",
    "bot_moves",
    "check_name",
    "come_back",
    "decode",
    "device_of",
    "due",
    "encode",
    "expire",
    "fold",
    "hand_out",
    "hint_taken",
    "holidays_left",
    "import_record",
    "knows",
    "lay_open",
    "leave",
    "leaving",
    "left_of",
    "look_back",
    "moved",
    "names_beside",
    "open_table",
    "perspective",
    "plans",
    "play",
    "plays_once",
    "preview",
    "preview_to_confirm",
    "read_charter",
    "read_options",
    "read_tables",
    "refuse_abort",
    "refuse_hand_out",
    "refuse_undo",
    "rematch_opened",
    "rematch_plan",
    "renew_links",
    "renew_watch_links",
    "replace",
    "result_of",
    "sit",
    "sitter",
    "speaker",
    "steps_lost",
    "study_of",
    "study_plan",
    "style_of",
    "take_holiday",
    "then",
    "time_up",
    "to_advise",
    "undo",
    "undo_turn",
    "whose",
    "why_not",
    "withdraw_hand_out",
]
