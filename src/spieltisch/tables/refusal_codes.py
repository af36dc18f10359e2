"""The codes of refusals, each with its kind."""

from enum import Enum, StrEnum, auto, unique
from typing import Final, Self


class RefusalKind(Enum):
    """The kind of a refusal. Other protocols derive their status codes from it."""

    FORBIDDEN = auto()
    """Not allowed to this person, or not now."""
    MISSING = auto()
    """Does not exist."""
    CONFLICT = auto()
    """Conflicts with the current state of the table or of other stored data."""
    INVALID = auto()
    """Invalid input."""
    TOO_MANY_TRIES = auto()
    """Too many tries from the same address, or for the same recipient."""
    DAMAGED = auto()
    """Stored data cannot be read."""
    NOT_WRITTEN = auto()
    """Could not be stored; it may work later."""


@unique
class RefusalCode(StrEnum):
    """A short code for programs, with the kind of refusal: a code without a kind cannot be defined.

    >>> RefusalCode.NOT_HOST.value, RefusalCode.NOT_HOST.kind
    ('not-host', <RefusalKind.FORBIDDEN: 1>)
    """

    kind: RefusalKind

    def __new__(cls, value: str, kind: RefusalKind) -> Self:
        """Create a code with its kind."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.kind = kind
        return member

    NOT_HOST = "not-host", RefusalKind.FORBIDDEN
    NOT_INVITED = "not-invited", RefusalKind.FORBIDDEN
    NOT_YOUR_SEAT = "not-your-seat", RefusalKind.FORBIDDEN
    SIGNED_OUT = "signed-out", RefusalKind.FORBIDDEN
    TURN = "turn", RefusalKind.FORBIDDEN
    WITHHELD = "withheld", RefusalKind.FORBIDDEN

    NO_CODE = "no-code", RefusalKind.MISSING
    NO_COMPONENTS = "no-components", RefusalKind.MISSING
    NO_GROUP = "no-group", RefusalKind.MISSING
    NO_LINK = "no-link", RefusalKind.MISSING
    NO_MESSAGE = "no-message", RefusalKind.MISSING
    NO_PASSKEY = "no-passkey", RefusalKind.MISSING
    NO_PERSON = "no-person", RefusalKind.MISSING
    NO_SEASON = "no-season", RefusalKind.MISSING
    NO_PLAN = "no-plan", RefusalKind.MISSING
    NO_SUBSCRIPTION = "no-subscription", RefusalKind.MISSING
    NO_TABLE = "no-table", RefusalKind.MISSING

    ALREADY_ASKED = "already-asked", RefusalKind.CONFLICT
    ALREADY_IN_DUPLICATE = "already-in-duplicate", RefusalKind.CONFLICT
    ALREADY_SEATED = "already-seated", RefusalKind.CONFLICT
    BOT_SUBSTITUTE = "bot-substitute", RefusalKind.CONFLICT
    CHAT_FULL = "chat-full", RefusalKind.CONFLICT
    FINAL_MOVE = "final-move", RefusalKind.CONFLICT
    FROZEN = "frozen", RefusalKind.CONFLICT
    GROUP_FULL = "group-full", RefusalKind.CONFLICT
    HOT_SEAT = "hot-seat", RefusalKind.CONFLICT
    LOGGED_IN = "logged-in", RefusalKind.CONFLICT
    MEMORY_GAME = "memory-game", RefusalKind.CONFLICT
    NOTHING_ASKED = "nothing-asked", RefusalKind.CONFLICT
    NOTHING_TO_UNDO = "nothing-to-undo", RefusalKind.CONFLICT
    NOT_OVER = "not-over", RefusalKind.CONFLICT
    NOT_RUNNING = "not-running", RefusalKind.CONFLICT
    NOT_SUSPENDED = "not-suspended", RefusalKind.CONFLICT
    NO_ADVICE = "no-advice", RefusalKind.CONFLICT
    NO_ADVICE_NOW = "no-advice-now", RefusalKind.CONFLICT
    NO_ADVICE_YET = "no-advice-yet", RefusalKind.CONFLICT
    NO_ANALYSIS_YET = "no-analysis-yet", RefusalKind.CONFLICT
    NO_CHAT = "no-chat", RefusalKind.CONFLICT
    NO_TURN = "no-turn", RefusalKind.CONFLICT
    OVER = "over", RefusalKind.CONFLICT
    OWN_SEAT = "own-seat", RefusalKind.CONFLICT
    OWN_TURN = "own-turn", RefusalKind.CONFLICT
    SEASON_BEGUN = "season-begun", RefusalKind.CONFLICT
    SEASON_FULL = "season-full", RefusalKind.CONFLICT
    SEAT_EMPTY = "seat-empty", RefusalKind.CONFLICT
    SEAT_TAKEN = "seat-taken", RefusalKind.CONFLICT
    STALE = "stale", RefusalKind.CONFLICT
    TOO_FEW_PLAYERS = "too-few-players", RefusalKind.CONFLICT
    TOO_MANY_ANALYSES = "too-many-analyses", RefusalKind.CONFLICT
    TOO_MANY_COMPONENT_FILES = "too-many-component-files", RefusalKind.CONFLICT
    TOO_MANY_GROUPS = "too-many-groups", RefusalKind.CONFLICT
    TOO_MANY_PASSKEYS = "too-many-passkeys", RefusalKind.CONFLICT
    TOO_MANY_PLANS = "too-many-plans", RefusalKind.CONFLICT
    TOO_MANY_SEASONS = "too-many-seasons", RefusalKind.CONFLICT
    TOO_MANY_SEATS = "too-many-seats", RefusalKind.CONFLICT
    TOO_MANY_SUBSCRIPTIONS = "too-many-subscriptions", RefusalKind.CONFLICT
    TOO_MANY_TABLES = "too-many-tables", RefusalKind.CONFLICT

    ADDRESS = "address", RefusalKind.INVALID
    BOT = "bot", RefusalKind.INVALID
    COMPONENTS = "components", RefusalKind.INVALID
    CONDITION = "condition", RefusalKind.INVALID
    GAME = "game", RefusalKind.INVALID
    HOLIDAY = "holiday", RefusalKind.INVALID
    ILLEGAL = "illegal", RefusalKind.INVALID
    LANGUAGE = "language", RefusalKind.INVALID
    MESSAGE = "message", RefusalKind.INVALID
    NAME = "name", RefusalKind.INVALID
    NO_MOVES = "no-moves", RefusalKind.INVALID
    OPTIONS = "options", RefusalKind.INVALID
    PACE = "pace", RefusalKind.INVALID
    PASSKEY = "passkey", RefusalKind.INVALID
    RECORD = "record", RefusalKind.INVALID
    ROOM = "room", RefusalKind.INVALID
    SEAT = "seat", RefusalKind.INVALID
    SEATS = "seats", RefusalKind.INVALID
    SETTINGS = "settings", RefusalKind.INVALID
    STEP = "step", RefusalKind.INVALID
    TABLES = "tables", RefusalKind.INVALID
    THEME = "theme", RefusalKind.INVALID
    TOO_MANY_MOVES = "too-many-moves", RefusalKind.INVALID
    UNKNOWN_MOVE = "unknown-move", RefusalKind.INVALID
    WATCH = "watch", RefusalKind.INVALID
    ZONE = "zone", RefusalKind.INVALID

    TOO_MANY_CODES = "too-many-codes", RefusalKind.TOO_MANY_TRIES
    TOO_MANY_CONFIRMATIONS = "too-many-confirmations", RefusalKind.TOO_MANY_TRIES

    DAMAGED = "damaged", RefusalKind.DAMAGED

    NOT_WRITTEN = "not-written", RefusalKind.NOT_WRITTEN


STORAGE_CODES: Final = frozenset(
    code for code in RefusalCode if code.kind in (RefusalKind.DAMAGED, RefusalKind.NOT_WRITTEN)
)
"""The codes of failures of the database: it could not be read or written."""
