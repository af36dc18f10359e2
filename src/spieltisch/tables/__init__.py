"""A sitting: seats, invitations, turns, undo, ending. No SQL, no HTTP.

A table is an append-only list of events (`events.py`); `Table` is what is folded from them (`table.py`, `parts.py`,
`fold.py`), the log in words among it (`log.py`). Commands (`opening.py`, `seating.py`, `stirring.py`, `playing.py`,
`ending.py`) take a table, check, and return the events that would happen, or raise a `TableRefusal` (`refusals.py`).
`confirming.py` says what is shown to people before it happens, `removal.py` how somebody is forgotten. To store events
and to announce them is the part of others.
"""

from spieltisch.tables.bot_moves import bot_fails, bot_moves
from spieltisch.tables.confirming import QUESTIONS, at_once, preview_to_confirm
from spieltisch.tables.ending import (
    agree_abort,
    ask_abort,
    expire,
    refuse_abort,
    rematch_opened,
    rematch_plan,
)
from spieltisch.tables.events import Aborted, Event, Frozen, Opened, OptionValue, Place, Study, Written, decode, encode
from spieltisch.tables.fold import fold, then
from spieltisch.tables.import_record import import_record
from spieltisch.tables.log import LogLine, asks_back, whose
from spieltisch.tables.loss import steps_lost
from spieltisch.tables.names import LONGEST_NAME, Sitter, beside, check_name, device_of
from spieltisch.tables.one_device import beside_me, sitter, speaker
from spieltisch.tables.opening import Plan, open_table, read_options
from spieltisch.tables.parts import Asking, BotTrouble, BotTurn, PlayedMove, Seat
from spieltisch.tables.playing import (
    agree_undo,
    ask_undo,
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
from spieltisch.tables.stirring import LONGEST_TEXT, stir
from spieltisch.tables.studying import study_of, study_plan
from spieltisch.tables.summary import SeatSummary, Status, Summary
from spieltisch.tables.table import Table

__all__ = [
    "LONGEST_NAME",
    "LONGEST_TEXT",
    "QUESTIONS",
    "Aborted",
    "Anonymous",
    "Asking",
    "BotTrouble",
    "BotTurn",
    "Event",
    "Frozen",
    "LogLine",
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
    "Written",
    "agree_abort",
    "agree_hand_out",
    "agree_undo",
    "ask_abort",
    "ask_undo",
    "asks_back",
    "at_once",
    "beside",
    "beside_me",
    "bot_fails",
    "bot_moves",
    "check_name",
    "decode",
    "device_of",
    "encode",
    "expire",
    "fold",
    "hand_out",
    "import_record",
    "leave",
    "moved",
    "open_table",
    "perspective",
    "play",
    "preview",
    "preview_to_confirm",
    "read_options",
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
    "stir",
    "study_of",
    "study_plan",
    "then",
    "to_advise",
    "undo",
    "undo_turn",
    "whose",
    "why_not",
    "withdraw_hand_out",
]
