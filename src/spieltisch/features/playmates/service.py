"""The people a person has played with, and invitations to them through their own alert channels."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from spieltisch.alerts import texts
from spieltisch.alerts.texts import AlertText
from spieltisch.core.words import message
from spieltisch.features.playmates import rows
from spieltisch.features.playmates.rows import Mark
from spieltisch.live import Live
from spieltisch.live.alert_kinds import AlertKind
from spieltisch.live.disk_errors import await_write
from spieltisch.live.versions import next_version
from spieltisch.store import Connection, Person, results
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.sessions import require_session
from spieltisch.tables import NewTable, Table, TableRefusal, device_owner
from spieltisch.tables.events import SeatOffer
from spieltisch.tables.names import require_distinct
from spieltisch.tables.refusal_codes import RefusalCode

MAX_PLAYMATES: Final = 60
"""The number of people who are shown, those of the most games."""
RECENT_GAMES: Final = 200
"""The number of newest games in which the last one with each person is looked for."""
MARKS: Final[Mapping[str, Callable[[str], Mark] | None]] = {
    "mute": lambda name: Mark(name, is_blocked=False),
    "block": lambda name: Mark(name, is_blocked=True),
    "clear": None,
}
"""The marks that a person may give another, by the values of a form."""


class Playmate(NamedTuple):
    """A person with whom another one has played, as that one knows them.

    `key` names them in forms of this person only. `game` is what they played last, "" if that is long ago.
    """

    id: str
    key: str
    name: str
    games: int
    game: str
    mark: Mark | None


class Playmates:
    """The people with whom a person has finished games."""

    def __init__(self, live: Live) -> None:
        self._live = live
        live.alert_sender.kinds[rows.INVITED_ALERT] = AlertKind(self._invited_text, texts.title_of_invitations)

    async def _invited_text(self, table: Table, queued: QueuedAlert, person: Person) -> AlertText | None:
        """Return None if no seat waits for this person any longer, or if they have muted the host since then."""
        waits = table.status == "open" and table.seat_of(person.id) is None and table.seats_reserved_for(person.id)
        if not waits or table.host in await rows.marks_of(self._live.store, person.id):
            return None
        return texts.invited_text(table, person.id, person.language)

    def key(self, person: str, other: str) -> str:
        """Return the name that another person has in the forms of this one; it tells no one else anything."""
        digest = hmac.digest(self._live.people_key, f"{person} {other}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:12]).decode()

    async def of(self, person: str) -> list[Playmate]:
        """Return the people of a person: those of the most games first, then others whom they have marked.

        Raise `TableRefusal` `not-written`.
        """
        store, past = self._live.store, await self._live.game_history.of(person, 0, RECENT_GAMES)
        last: dict[str, str] = {}
        for _, result in past.games:
            for player in result.players:
                last.setdefault(player.person, result.game)
        marks = await rows.marks_of(store, person)
        opponents = {
            key.partition(" ")[2]: found for key, found in past.totals.opponents.items() if key[:7] == "person "
        }
        ids = sorted(
            opponents, key=lambda other: (-opponents[other].games, -opponents[other].at, opponents[other].name)
        )
        here = await rows.known(store, {*ids, *marks}) - {person}
        found = [
            Playmate(
                other,
                self.key(person, other),
                opponents[other].name,
                opponents[other].games,
                last.get(other, ""),
                marks.get(other),
            )
            for other in [other for other in ids if other in here][:MAX_PLAYMATES]
        ]
        shown = {playmate.id for playmate in found}
        others = [(other, mark) for other, mark in marks.items() if other in here - shown]
        return found + [Playmate(other, self.key(person, other), mark.name, 0, "", mark) for other, mark in others]

    async def find(self, person: str, keys: Sequence[str]) -> list[Playmate]:
        """Return the people with these keys. Raise `TableRefusal` `no-person` if one is none of this person's."""
        by_key = {playmate.key: playmate for playmate in await self.of(person)}
        if not all(key in by_key for key in keys):
            raise TableRefusal(RefusalCode.NO_PERSON, message("You haven’t finished a game with this person here."))
        return [by_key[key] for key in keys]

    async def invite(self, host: Person, guests: Sequence[Playmate], plan: NewTable, address: str) -> Table:
        """Open a table that keeps a seat for each of these people, and alert those who want it.

        Seats that the `plan` calls `reserved` are theirs, in order. Raise as `LiveTables.open`.
        """
        names = [host.name]
        for guest in guests:
            require_distinct(guest.name, names)
            names.append(guest.name)
        kept = [number for number, seat in enumerate(plan.seats) if seat == "reserved"]
        offers = {
            number: SeatOffer("reserved", guest.id, guest.name) for number, guest in zip(kept, guests, strict=True)
        }

        def also(connection: Connection, table_id: str) -> None:
            rows.queue_invitations(connection, table_id, host.id, {guest.id for guest in guests})

        table = await self._live.tables.open(host, plan, address, reserved=offers, also=also)
        self._live.alert_sender.wake()
        return table

    async def of_table(self, person: str, table_id: str) -> tuple[frozenset[str], int]:
        """Return the keys of the others at a finished table, and the number of its bots.

        Raise `TableRefusal` `no-table`, also if the person had no seat there.
        """
        result = (await results.of_tables(self._live.store, [table_id])).get(table_id)
        if result is None or result.seat_of(person) is None:
            return frozenset(), 0
        others = {device_owner(player.person) for player in result.players if player.kind == "person"} - {person, ""}
        bots = sum(player.kind == "bot" for player in result.players)
        return frozenset(self.key(person, other) for other in others), bots

    async def mark(self, person: str, key: str, word: str, session: str | None = None) -> None:
        """Mute or block someone, or neither, by a word of `MARKS`.

        Raise `TableRefusal` `no-person`, `not-written`, or `signed-out`.
        """
        (other,) = await self.find(person, [key])
        make = MARKS.get(word)
        mark = make(other.name) if make is not None else None

        def write(connection: Connection) -> None:
            if session is not None:
                require_session(connection, person, session)
            rows.set_mark(connection, person, other.id, mark)

        await await_write(self._live.store.write(write))
        self._live.tables.lobby.grow(next_version(), {person}, is_public=False)
