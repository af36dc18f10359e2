"""A table and its rules: seats, invitations, turns, undo, ending. No SQL, no HTTP.

Belongs here: what people and bots may do at a table, as events and the commands that return them. Does not belong here:
saving and announcing events (`store`, `live`), rules of a game (`games`), and status codes (`web`).

A table is an append-only list of events (`events.py`). `Table` is folded from them (`table.py`, `table_state.py`,
`fold.py`), including the log (`log.py`). `turns.py` and `permissions.py` answer questions about it. Commands
(`opening.py`, `seating.py`, `playing.py`, `shared_hints.py`, `lifecycle.py`, `timeouts.py`) take a table, check it, and
return the events that would happen, or raise a `TableRefusal` (`refusals.py`). `table_settings.py` holds the settings
agreed on in addition to the game's options, `game_clock.py` the time of the players. `confirmation.py` describes
effects that people confirm first, `anonymize.py` removes a person from the events.
"""

from spieltisch.tables.anonymize import Anonymizer
from spieltisch.tables.confirmation import CONSENT_COMMANDS, immediate_effects, leaving, preview_to_confirm
from spieltisch.tables.duplicate import (
    MAX_TABLES,
    new_duplicates,
    parse_table_count,
    people_who_know,
    require_first_time,
    reserved_names,
    reveal,
)
from spieltisch.tables.events import (
    Aborted,
    ClockPaused,
    Duplicate,
    Event,
    Frozen,
    Moved,
    Opened,
    RecordedEvent,
    SeatOffer,
    Undone,
    WhatIf,
    decode,
    encode,
)
from spieltisch.tables.fold import apply, fold
from spieltisch.tables.game_clock import deadline
from spieltisch.tables.hot_seat import acting_person, hot_seat_person, person_to_seat
from spieltisch.tables.import_record import import_record
from spieltisch.tables.lifecycle import (
    agree_abort,
    ask_abort,
    close,
    end_if_full,
    expire,
    refuse_abort,
    rematch_opened,
    rematch_plan,
    report_lost_events,
    resume,
    suspend,
)
from spieltisch.tables.log import LogLine, moves_by_player, undo_request_text
from spieltisch.tables.names import MAX_NAME_LENGTH, Participant, clean_name, device_owner, hot_seat_id
from spieltisch.tables.opening import NewTable, open_table
from spieltisch.tables.playing import (
    agree_undo,
    ask_undo,
    hint_taken,
    move_event,
    observation_after,
    play,
    play_bot_move,
    position_for_advice,
    preview,
    refuse_undo,
    report_bot_failure,
    request_analysis,
    undo,
    undo_turn,
    why_not,
)
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.results import GameResult, ResultPlayer, game_result
from spieltisch.tables.score_history import ScoreHistory, Stage
from spieltisch.tables.seating import (
    accept_reclaim,
    cancel_reclaim,
    decline,
    leave,
    reclaim_seat,
    refuse_reclaim,
    renew_links,
    renew_spectator_links,
    renew_table_links,
    replace_with_bot,
    seat_bot,
    seat_of_viewer,
    sit,
)
from spieltisch.tables.shared_hints import agree_hints, ask_hints, refuse_hints
from spieltisch.tables.summary import SeatSummary, TableSummary
from spieltisch.tables.table import Table
from spieltisch.tables.table_settings import DEFAULT_SETTINGS, PRESETS, TableSettings, parse_settings
from spieltisch.tables.table_state import BotTurn, Seat
from spieltisch.tables.timeouts import holidays_left, resume_play, take_holiday, time_out
from spieltisch.tables.what_if import what_if_from, what_if_table
