"""The events of a table. A table is the list of its events; its state is folded from them.

Events are stored as JSON, one after the other, and never changed: a field may be added with a default, but none may be
removed.

>>> event = Moved(seat=1, move="build red Lyon", drew=(), next_seat=2, points=(0, 3, 1))
>>> encode(event)
b'{"event":"moved","seat":1,"move":"build red Lyon","next_seat":2,"points":[0,3,1]}'
>>> decode(encode(event)) == event
True
"""

from typing import Any, Literal, TypeAlias

import msgspec

from spieltisch.core.words import Message
from spieltisch.tables.table_settings import DEFAULT_SETTINGS, TableSettings

OptionValue: TypeAlias = str | bool | int
SpectatorPolicy = Literal["open", "link", "off"]
"""The people who may watch: all, those with the link, or only those who sit at the table."""


class _Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=str.lower):
    pass


class SeatOffer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The offer of an empty seat: `open` to all, by `link`, or `reserved` for a person (by id, with their name)."""

    kind: Literal["open", "link", "reserved"]
    person: str = ""
    name: str = ""


class WhatIf(msgspec.Struct, frozen=True):
    """The start of a what-if game: the game `table`, which is over, after its first `at` moves.

    `state` is a complete state, as in documents, that `seat` considered possible then.
    """

    table: str
    at: int
    seat: int
    state: dict[str, Any]

    @property
    def origin(self) -> dict[str, str | int]:
        """The origin as written in a record, where seats count from 1."""
        return {"table": self.table, "move": self.at, "seat": self.seat + 1}


class Duplicate(msgspec.Struct, frozen=True):
    """One of several tables with the same deal: they share `id` and their secret; `number` counts them from 1."""

    id: str
    number: int


class Opened(_Event, frozen=True):
    """The table was opened.

    - `components`: the digest of the stored component file.
    - `commitment`: the SHA-256 of the secret, in hex.
    - `host`: a person's id; `rules_version`: the version of Spieltisch under which it was opened.
    - `imported`: the game was played elsewhere and its record uploaded. Without a secret (`commitment` is "" then) it
      is replayed with the draws of the record.
    - `what_if`: the game starts from a position of another one, unrated; `duplicate`: other tables have the same deal.
    - `keeps_seats`: the server opened the table for people who asked for their seats; see `permissions.acting_host`.
    """

    game: str
    options: dict[str, OptionValue]
    components: str
    seat_offers: tuple[SeatOffer, ...]
    commitment: str
    host: str
    spectators: SpectatorPolicy = "open"
    rules_version: str = ""
    imported: bool = False
    settings: TableSettings = DEFAULT_SETTINGS
    what_if: WhatIf | None = None
    duplicate: Duplicate | None = None
    keeps_seats: bool = False


class Seated(_Event, frozen=True):
    """A person took a seat. While the game runs, they replace the player who left it."""

    seat: int
    person: str
    name: str


class BotSeated(_Event, frozen=True):
    """A bot was put into an empty seat.

    `bot` is its kind ("easy"), `name` its name here, `style` its style (`bots.styles.STYLES`; "": it plays neutrally).
    """

    seat: int
    bot: str
    name: str
    style: str = ""


class Replaced(BotSeated, frozen=True):
    """In a running game a bot took over a seat that was left, or that a failing bot had."""


class Left(_Event, frozen=True):
    """The person in this seat left, or (`reclaimed`) the host gave it away, with their consent if they `agreed`."""

    seat: int
    reclaimed: bool = False
    agreed: bool = False


class Declined(_Event, frozen=True):
    """A person does not want this empty seat, which was reserved for them, or from which the host had removed them."""

    seat: int
    person: str


class ReclaimRequested(_Event, frozen=True):
    """The host asked the person in this seat to give it up, so that it can be offered again."""

    seat: int


class ReclaimRefused(_Event, frozen=True):
    """The person in this seat did not give it up, or the host withdrew the request (`withdrawn`)."""

    seat: int
    withdrawn: bool = False


class SeatLinksRenewed(_Event, frozen=True):
    """The links to this seat issued so far were revoked."""

    seat: int


class TableLinksRenewed(_Event, frozen=True):
    """The links to the table, for any open seat, issued so far were revoked."""


class SpectatorLinksRenewed(_Event, frozen=True):
    """The links for spectators issued so far were revoked."""


class Started(_Event, frozen=True):
    """The game began; `setup_draws` are the draws of the setup."""

    setup_draws: tuple[str, ...] = ()


class Moved(_Event, frozen=True):
    """A move was played. `drew` are its draws; `revealed`: its seat learnt something by it.

    `next_seat` (the seat to decide afterwards) and `points` (as a spectator sees them) let a replay detect that the
    rules have changed. `secret`: when the move was played, not all could know which one it was.
    """

    seat: int
    move: str
    drew: tuple[str, ...] = ()
    revealed: bool = False
    next_seat: int | None = None
    points: tuple[int | None, ...] = ()
    secret: bool = False


class Undone(_Event, frozen=True):
    """The moves after the first `move_count` were undone, by the seat that had played them."""

    seat: int
    move_count: int


class UndoRequested(_Event, frozen=True):
    """A seat asked the others for a takeback of its last turn: all moves after the first `to`."""

    seat: int
    to: int


class UndoAgreed(_Event, frozen=True):
    """A seat agreed to the takeback."""

    seat: int


class UndoRefused(_Event, frozen=True):
    """A seat refused the takeback, or the asking seat withdrew its request."""

    seat: int


class AbortRequested(_Event, frozen=True):
    """A seat asked to end the game without a result."""

    seat: int


class AbortAgreed(_Event, frozen=True):
    """A seat agreed to end the game."""

    seat: int


class AbortRefused(_Event, frozen=True):
    """A seat refused to end the game, or the asking seat withdrew its request."""

    seat: int


class HintsRequested(_Event, frozen=True):
    """A seat asked that everyone may use hints."""

    seat: int


class HintsAgreed(_Event, frozen=True):
    """A seat agreed that everyone may use hints; they may as soon as all have agreed."""

    seat: int


class HintsRefused(_Event, frozen=True):
    """A seat refused hints, or turned them off again."""

    seat: int


class Aborted(_Event, frozen=True):
    """The table ended without a result; automatically if its game had not begun for `waited` days.

    Or else the operator of the server has closed it (`by_operator`), or it had too many events (`full`).
    """

    waited: int = 0
    by_operator: bool = False
    full: bool = False


class Revealed(_Event, frozen=True):
    """All tables of this duplicate are over: from now on everything may be seen."""


class RematchOpened(_Event, frozen=True):
    """The same people can play a rematch at another table."""

    table: str


class ClockPaused(_Event, frozen=True):
    """From `since` (UTC seconds) until this event no clock ran.

    The server was down or asleep, or its clock was set. If it was set back, this event may precede the previous one.
    """

    since: float


class TimeUp(_Event, frozen=True):
    """The time of this seat's turn is up.

    A `bot`, if any, plays the turn, or (`until_return`) until the person is back.
    """

    seat: int
    bot: str = ""
    until_return: bool = False


class PlayerReturned(_Event, frozen=True):
    """The person in this seat is back; no bot plays for them any longer."""

    seat: int


class HolidayTaken(_Event, frozen=True):
    """The time of this seat does not run from `since` until `until` (UTC seconds): a holiday of `days` days."""

    seat: int
    since: float
    until: float
    days: int


class HintTaken(_Event, frozen=True):
    """The deciding player was shown the best bot's move, at a table with other people.

    With `so_far`, the player requested an analysis of the game so far.
    """

    seat: int
    so_far: bool = False


class BotFailed(_Event, frozen=True):
    """A bot could not move, for `reason`, at the `attempt`-th try in a row. It will be asked again."""

    seat: int
    bot: str
    reason: str
    attempt: int


class EventsLost(_Event, frozen=True):
    """The database was replaced by an older one without the newest `count` events of the table.

    There is one such event for each lost one, and one more, so that the version is newer than any that has been seen.
    Only the first contains the count.
    """

    count: int = 0


class Frozen(_Event, frozen=True):
    """Under the current rules the event with number `version` has a different result.

    The table stays as it was before that event.
    """

    version: int
    message: Message


class Suspended(_Event, frozen=True):
    """The operator of the server has frozen the table, until it is resumed."""


class Resumed(_Event, frozen=True):
    """The operator has thawed the table: the game goes on as it was."""


Event: TypeAlias = (
    Opened
    | Seated
    | BotSeated
    | Replaced
    | Left
    | Declined
    | ReclaimRequested
    | ReclaimRefused
    | SeatLinksRenewed
    | TableLinksRenewed
    | SpectatorLinksRenewed
    | Started
    | Moved
    | Undone
    | UndoRequested
    | UndoAgreed
    | UndoRefused
    | AbortRequested
    | AbortAgreed
    | AbortRefused
    | HintsRequested
    | HintsAgreed
    | HintsRefused
    | Aborted
    | Revealed
    | RematchOpened
    | ClockPaused
    | TimeUp
    | PlayerReturned
    | HolidayTaken
    | HintTaken
    | BotFailed
    | EventsLost
    | Frozen
    | Suspended
    | Resumed
)


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event with the table's version after it (1 for the first) and its time in UTC seconds."""

    version: int
    at: float
    event: Event


_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """Return the event as JSON."""
    return msgspec.json.encode(event)


def decode(data: bytes) -> Event:
    """Return the event from its JSON. Raise `ValueError` for anything else."""
    event: Event = _DECODER.decode(data)
    return event
