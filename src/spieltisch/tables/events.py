"""What can happen at a table. A table is the list of its events; everything else about it is folded from them.

Events are stored as JSON, one after the other, and never changed: a field may be added with a default, none taken away.

>>> event = Moved(seat=1, move="build red Lyon", drew=(), next_seat=2, points=(0, 3, 1))
>>> encode(event)
b'{"event":"moved","seat":1,"move":"build red Lyon","then":2,"points":[0,3,1]}'
>>> decode(encode(event)) == event
True
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from spieltisch.core.words import Message
from spieltisch.tables.table_settings import DEFAULT_SETTINGS, TableSettings

OptionValue: TypeAlias = str | bool | int
SpectatorPolicy = Literal["open", "link", "off"]
"""Who may look on: everybody, who has the link, only who sits at the table."""


class _Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=str.lower):
    pass


class SeatOffer(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an empty seat is given away: `open` to all, by `link`, or `kept` for a person (by id, with their name)."""

    kind: Literal["open", "link", "kept"]
    person: str = ""
    name: str = ""


class WhatIf(msgspec.Struct, frozen=True):
    """What a study goes on from: a game that is over, after the first `at` of its moves, in a world that `seat` could
    imagine then; `state` is that world, as in documents.
    """

    table: str
    at: int
    seat: int
    state: dict[str, Any]

    @property
    def origin(self) -> dict[str, str | int]:
        """As it stands in a record: seats count from 1 there."""
        return {"table": self.table, "move": self.at, "seat": self.seat + 1}


class Duplicate(msgspec.Struct, frozen=True):
    """Tables that share a deal share its `id`, and their secret of chance; `number` counts them, from 1."""

    id: str
    number: int


class Opened(
    _Event,
    frozen=True,
    rename={
        "seat_offers": "places",
        "spectators": "watch",
        "rules_version": "rules",
        "chance_scheme": "scheme",
        "settings": "charter",
        "what_if": "study",
        "duplicate": "deal",
    },
):
    """The table is there. `components` is the digest of the stored file, `commitment` the SHA-256 of the secret in hex.

    `scheme` says how chance comes from the secret; see `spieltisch.core.chance.Source`. `host` is a person's id;
    `rules` the version of Spieltisch it was opened under. `imported`: the game was played elsewhere, and its record
    read in; without a secret (`commitment` is "" then) it is replayed by the record's draws. A `study` goes on from
    another game, and counts for nothing. A `deal` is played at other tables, too.
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
    chance_scheme: int = 1
    settings: TableSettings = DEFAULT_SETTINGS
    what_if: WhatIf | None = None
    duplicate: Duplicate | None = None


class Seated(_Event, frozen=True):
    """A person took a seat. While the game runs this replaces who left it."""

    seat: int
    person: str
    name: str


class BotSeated(_Event, frozen=True):
    """A bot was put into a seat that nobody had yet. `bot` is its kind ("greedy"), `name` what it is called here."""

    seat: int
    bot: str
    name: str


class Replaced(_Event, frozen=True):
    """In a running game a bot took over a seat that was left, or that a failing bot had."""

    seat: int
    bot: str
    name: str


class Left(_Event, frozen=True, rename={"reclaimed": "handed_out"}):
    """The person in this seat left; or the host took it back, to hand it out again."""

    seat: int
    reclaimed: bool = False


class ReclaimRequested(_Event, frozen=True, tag="handoutasked"):
    """The host asks the person in this seat whether it may be handed out again."""

    seat: int


class ReclaimRefused(_Event, frozen=True, tag="handoutrefused"):
    """The person in this seat keeps it; or the host no longer asks (`withdrawn`)."""

    seat: int
    withdrawn: bool = False


class EntropyAdded(_Event, frozen=True, tag="stirred"):
    """Before the game began, who sits there added a text to chance, for all to see."""

    seat: int
    text: str


class SeatLinksRenewed(_Event, frozen=True, tag="linksrenewed"):
    """The links to this seat that were handed out until now are void."""

    seat: int


class SpectatorLinksRenewed(_Event, frozen=True, tag="watchlinksrenewed"):
    """The links for spectators that were handed out until now are void."""


class Started(_Event, frozen=True, rename={"setup_draws": "dealt"}):
    """The game began; `dealt` is what chance gave at the set-up."""

    setup_draws: tuple[str, ...] = ()


class Moved(_Event, frozen=True, rename={"revealed": "told", "next_seat": "then"}):
    """A move was played. `drew`: what chance gave; `told`: its seat learnt something by it.

    `then` (who decides afterwards) and `points` (those a spectator sees) let a replay notice that the rules have
    changed. `secret`: when it was played, not everybody could know which move it was.
    """

    seat: int
    move: str
    drew: tuple[str, ...] = ()
    revealed: bool = False
    next_seat: int | None = None
    points: tuple[int | None, ...] = ()
    secret: bool = False


class Undone(_Event, frozen=True, rename={"move_count": "to"}):
    """The moves after the first `to` were taken back, by the seat whose moves they were."""

    seat: int
    move_count: int


class UndoRequested(_Event, frozen=True, tag="undoasked"):
    """A seat asks the others to let it have its last turn back: all moves after the first `to`."""

    seat: int
    to: int


class UndoAgreed(_Event, frozen=True):
    """A seat agrees to what was asked."""

    seat: int


class UndoRefused(_Event, frozen=True):
    """A seat does not agree, or the asking seat withdraws."""

    seat: int


class AbortRequested(_Event, frozen=True, tag="abortasked"):
    """A seat asks to end the game without a result."""

    seat: int


class AbortAgreed(_Event, frozen=True):
    """A seat agrees to end the game."""

    seat: int


class AbortRefused(_Event, frozen=True):
    """A seat does not agree, or the asking seat withdraws."""

    seat: int


class Aborted(_Event, frozen=True):
    """The table ended without a result; by itself, when its game had not begun for `waited` days."""

    waited: int = 0


class Revealed(_Event, frozen=True, tag="laidopen"):
    """All tables of this one's deal are over: from now on everything may be seen."""


class RematchOpened(_Event, frozen=True):
    """The same people can go on at another table."""

    table: str


class ClockPaused(_Event, frozen=True, tag="clockstood"):
    """From `since` (UTC seconds) until this event nobody's time ran: the server was not there, or asleep, or its clock
    was set. Its own time may be before that of the event before it, when the clock was set back.
    """

    since: float


class TimeUp(_Event, frozen=True, rename={"until_return": "stays"}):
    """The time of this seat's turn is up. A `bot`, if any, plays the turn, or (`stays`) until the person is back."""

    seat: int
    bot: str = ""
    until_return: bool = False


class PlayerReturned(_Event, frozen=True, tag="cameback"):
    """The person in this seat is back; no bot plays for them any more."""

    seat: int


class HolidayTaken(_Event, frozen=True):
    """The time of this seat does not run from `since` until `until` (UTC seconds): so many `days` of holiday."""

    seat: int
    since: float
    until: float
    days: int


class HintTaken(_Event, frozen=True):
    """Who decides in this seat was told what the best bot would do, at a table where others play; or (`so_far`) has the
    game so far analysed.
    """

    seat: int
    so_far: bool = False


class BotFailed(_Event, frozen=True, rename={"reason": "what"}):
    """A bot could not move: `what` happened, for the `attempt`-th time in a row. It will be asked again."""

    seat: int
    bot: str
    reason: str
    attempt: int


class EventsLost(_Event, frozen=True, tag="stepslost", rename={"count": "steps"}):
    """The file came back without the newest `steps` events of the table. One such event stands for each of them, and
    one more, so that the version is newer than any that somebody has seen; only the first says how many they are.
    """

    count: int = 0


class Frozen(_Event, frozen=True):
    """Under the present rules the event with number `version` comes out differently; the table stays as it was
    before it.
    """

    version: int
    message: Message


Event: TypeAlias = (
    Opened
    | Seated
    | BotSeated
    | Replaced
    | Left
    | ReclaimRequested
    | ReclaimRefused
    | EntropyAdded
    | SeatLinksRenewed
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
)


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event in its place: the table's version after it (1 for the first), the time in UTC seconds."""

    version: int
    at: float
    event: Event


_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """The event as JSON."""
    return msgspec.json.encode(event)


def decode(data: bytes) -> Event:
    """The event from its JSON. Raises `ValueError` for anything else."""
    event: Event = _DECODER.decode(data)
    return event
