"""Groups of a running server. Anyone who is not a member gets the answer of a group that does not exist."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.alerts.texts import AlertText
from spieltisch.core.words import message
from spieltisch.features.groups import rows
from spieltisch.features.groups.rows import Defaults, Group, Member
from spieltisch.features.playmates.rows import marks_of, queue_invitations
from spieltisch.live import Live
from spieltisch.live.alert_kinds import AlertKind
from spieltisch.live.disk_errors import await_write
from spieltisch.store import Connection, Person, results
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.results import Results
from spieltisch.store.sessions import require_session
from spieltisch.store.table_rows import StoredTable
from spieltisch.tables import Event, NewTable, Table, TableRefusal, refusals
from spieltisch.tables.events import SeatOffer
from spieltisch.tables.names import require_distinct
from spieltisch.tables.permissions import acting_host
from spieltisch.tables.refusal_codes import RefusalCode

ID_BYTES: Final = 9
Change = Callable[[Connection, Group], object]
"""A write that changes a group; it raises if the group as it is now does not allow it."""


def no_group() -> TableRefusal:
    """Return the refusal for a group that does not exist, or of which the visitor is no member."""
    return TableRefusal(RefusalCode.NO_GROUP, message("This group doesn’t exist, or you’re not a member."))


def not_group_host() -> TableRefusal:
    """Return the refusal of what only the host of a group may do."""
    return TableRefusal(RefusalCode.NOT_HOST, message("Only the host of the group can do this."))


def no_member() -> TableRefusal:
    """Return the refusal of what is for members only, for someone else."""
    return TableRefusal(RefusalCode.NO_PERSON, message("This person is not a member of the group."))


def require_host(group: Group, person: str) -> None:
    """Raise `TableRefusal` `not-host` unless this member manages the group."""
    if group.host != person:
        raise not_group_host()


class Groups:
    """The groups, their links and their tables."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._links = URLSafeSerializer(live.people_key, salt="spieltisch group")
        live.admissions.append(self._is_member_of_group)
        live.alert_sender.kinds[rows.GROUP_ALERT] = AlertKind(self._text, texts.title_of_group_tables)

    async def of(self, person: str) -> list[tuple[str, str]]:
        """Return the ids and names of a person's groups."""
        return await self._live.store.read(partial(rows.of_person, person=person))

    async def overview(self, person: str) -> list[tuple[Group, int]]:
        """Return the groups of a person, each with the number of its tables that wait or run."""

        def read(connection: Connection) -> list[tuple[Group, int]]:
            found = (rows.find(connection, group_id) for group_id, _ in rows.of_person(connection, person))
            return [(group, rows.count_unfinished(connection, group.id)) for group in found if group is not None]

        return await self._live.store.read(read)

    async def find(self, person: str | None, group_id: str) -> Group:
        """Return a group of which this person is a member. Raise `TableRefusal` `no-group` for any other."""
        return _require_member(await self._live.store.read(partial(rows.find, group_id=group_id)), person)

    async def tables(self, group: Group) -> tuple[tuple[StoredTable, ...], Results]:
        """Return the tables of a group, and the results of its finished games, oldest first."""
        stored = await rows.tables_of(self._live.store, group.id)
        finished = [table.id for table in stored if table.status == "finished" and not table.summary.is_withheld]
        found = await results.of_tables(self._live.store, finished)
        return stored, tuple(sorted(found.items(), key=lambda item: (item[1].at, item[0])))

    async def create(self, person: str, name: str, session: str | None = None) -> str:
        """Create a group with one member, and return its id.

        Raise `TableRefusal` `name`, `too-many-groups`, `not-written`, or `signed-out`.
        """
        group_id, clean = secrets.token_urlsafe(ID_BYTES), self._live.quotas.clean_name(name)

        def write(connection: Connection) -> None:
            if session is not None:
                require_session(connection, person, session)
            self._require_room(connection, person)
            rows.add(connection, group_id, clean)
            rows.add_member(connection, group_id, person, self._live.clock())

        await await_write(self._live.store.write(write))
        return group_id

    def link(self, group: Group) -> str:
        """Return the token of the link by which people join."""
        return str(self._links.dumps([group.id, group.link_version]))

    async def read_link(self, token: str) -> Group:
        """Return the group of a link. Raise `TableRefusal` `no-link` if it was reset or was not made here."""
        try:
            group_id, version = msgspec.convert(self._links.loads(token), tuple[str, int])
        except (BadSignature, msgspec.ValidationError, ValueError) as error:
            raise refusals.no_link() from error
        group = await self._live.store.read(partial(rows.find, group_id=group_id))
        if group is None or group.link_version != version:
            raise refusals.no_link()
        return group

    async def join(self, person: str, token: str) -> Group:
        """Make a person a member by a link; a member stays one.

        Raise `TableRefusal` `no-link`, `too-many-groups`, `group-full` or `not-written`.
        """
        group = await self.read_link(token)

        def write(connection: Connection) -> None:
            now = rows.find(connection, group.id)
            if now is None or now.link_version != group.link_version:
                raise refusals.no_link()
            if now.member(person) is None:
                self._require_room(connection, person)
                most = self._live.limits.group_members
                if most and len(now.members) >= most:
                    raise TableRefusal(RefusalCode.GROUP_FULL, message("This group is full."))
                rows.add_member(connection, group.id, person, self._live.clock())

        await await_write(self._live.store.write(write))
        return group

    def _require_room(self, connection: Connection, person: str) -> None:
        most = self._live.limits.groups_per_person
        if most and len(rows.of_person(connection, person)) >= most:
            words = message("You’re already in {count} groups. Leave one first.", count=most)
            raise TableRefusal(RefusalCode.TOO_MANY_GROUPS, words)

    async def _change(self, person: str | None, group_id: str, change: Change) -> None:
        """Write a change by a member; `no-group` for anyone else."""

        def write(connection: Connection) -> None:
            change(connection, _require_member(rows.find(connection, group_id), person))

        await await_write(self._live.store.write(write))

    async def choose(self, person: str | None, group_id: str, *, has_alerts: bool, is_ranked: bool) -> None:
        """Store what a member chose for themselves. Raise `TableRefusal` `no-group` or `not-written`."""

        def change(connection: Connection, group: Group) -> None:
            rows.change_member(connection, group.id, person or "", has_alerts=has_alerts, is_ranked=is_ranked)

        await self._change(person, group_id, change)

    async def change(self, person: str | None, group_id: str, **values: Any) -> None:
        """Change a group as its host. Raise `TableRefusal` `no-group`, `not-host` or `not-written`.

        Once only the host may invite, the link that the members know works no longer.
        """

        def change(connection: Connection, group: Group) -> None:
            require_host(group, person or "")
            ends_link = group.members_invite and not values.get("members_invite", True)
            link = {"link_version": rows.GROUPS.c.link_version + 1} if ends_link else {}
            rows.change(connection, group.id, **values, **link)

        await self._change(person, group_id, change)

    async def set_defaults(self, person: str | None, group_id: str, game: str, defaults: Defaults) -> None:
        """Store the settings with which tables of a game begin, as the host of the group."""

        def change(connection: Connection, group: Group) -> None:
            require_host(group, person or "")
            encoded = msgspec.json.encode({**group.defaults, game: defaults})
            rows.change(connection, group.id, defaults=encoded)

        await self._change(person, group_id, change)

    async def reset_link(self, person: str | None, group_id: str) -> None:
        """Let the old link work no longer, as the host of the group."""
        await self.change(person, group_id, link_version=rows.GROUPS.c.link_version + 1)

    async def leave(self, person: str | None, group_id: str) -> None:
        """Leave a group, which ends with its last member. Raise `TableRefusal` `no-group` or `not-written`."""
        await self._end_membership(person, group_id, person or "", lambda group: None)

    async def remove(self, person: str | None, group_id: str, member_id: str) -> None:
        """Remove another member, as the host of the group; the old link works no longer."""

        def require(group: Group) -> None:
            require_host(group, person or "")
            if group.member(member_id) is None or member_id == person:
                raise no_member()

        await self._end_membership(person, group_id, member_id, require)

    async def _end_membership(
        self, person: str | None, group_id: str, member_id: str, require: Callable[[Group], object]
    ) -> None:
        """End a membership, after the member has given up the seats that tables of the group keep for them.

        `require` raises if the person may not do this. Raise as `_change`.
        """
        asked: set[str] = set()
        waiting: list[str] = []

        def change(connection: Connection, group: Group) -> None:
            require(group)
            known = rows.tables_waiting_for(connection, group.id, member_id)
            waiting[:] = [table_id for table_id in known if table_id not in asked]
            if not waiting:
                rows.remove_member(connection, group.id, member_id)

        await self._change(person, group_id, change)
        while waiting:
            asked.update(waiting)
            for table_id in waiting:
                await self._give_up_seat(table_id, member_id)
            await self._change(person, group_id, change)

    async def _give_up_seat(self, table_id: str, member_id: str) -> None:
        """Let a table that waits keep no seat for a member, and where no host can take it back, let them leave.

        Raise `TableRefusal` `not-written`.
        """

        def leave(table: Table) -> Sequence[Event]:
            is_stuck = table.status == "open" and not acting_host(table) and table.seat_of(member_id) is not None
            return tables.leave(table, member_id) if is_stuck else ()

        def decline(table: Table) -> Sequence[Event]:
            return tables.decline(table, member_id) if table.seats_reserved_for(member_id) else ()

        for command in (leave, decline):
            try:
                await self._live.tables.run(table_id, command)
            except TableRefusal as refusal:
                if refusal.code == RefusalCode.NOT_WRITTEN:
                    raise  # all else, such as a frozen table, is no reason to keep a member

    async def open(
        self, host: Person, group: Group, game: str, guests: Sequence[Member], seats: int, address: str
    ) -> Table:
        """Open a table of the group that keeps seats for these members; other seats are for any member.

        Those who want alerts get one: the guests, and all others if a seat is free. Raise as `LiveTables.open`.
        """
        names = [host.name]
        for guest in guests:
            require_distinct(guest.name, names)
            names.append(guest.name)
        free = max(0, seats - 1 - len(guests))
        defaults = group.defaults.get(game, Defaults())
        plan = NewTable(
            game,
            ("me", *["reserved"] * len(guests), *["link"] * free),
            dict(defaults.options),
            "link",
            defaults.components,
            defaults.charter,
        )
        offers = {number: SeatOffer("reserved", guest.id, guest.name) for number, guest in enumerate(guests, 1)}

        def also(connection: Connection, table_id: str) -> None:
            now = _require_member(rows.find(connection, group.id), host.id)
            if not rows.ids(guests) <= rows.ids(now.members):
                raise no_member()
            rows.add_table(connection, now.id, table_id)
            invited = rows.ids(now.members) if free else {guest.id for guest in guests}
            recipients = {member.id for member in now.members if member.has_alerts and member.id in invited}
            queue_invitations(connection, table_id, host.id, recipients - {host.id}, rows.GROUP_ALERT)

        table = await self._live.tables.open(host, plan, address, reserved=offers, also=also)
        self._live.alert_sender.wake()
        return table

    async def sit(self, person: Person, group: Group, table_id: str) -> Table:
        """Take a free seat at a table of the group. Raise as `LiveTables.sit`, `no-table` or `no-group`."""
        of_table = await self._live.store.read(partial(rows.group_of, table_id=table_id))
        if of_table is None or of_table.id != group.id:
            raise refusals.no_table()

        def require_membership(connection: Connection) -> None:  # it may have ended since the request came
            _require_member(rows.find(connection, group.id), person.id)

        return await self._live.tables.sit(table_id, person, None, by_link=True, also=require_membership)

    async def _is_member_of_group(self, table: Table, person: str) -> bool:
        """Return True if a table belongs to a group of this person."""
        group = await self._live.store.read(partial(rows.group_of, table_id=table.id))
        return group is not None and group.member(person) is not None

    async def _text(self, table: Table, queued: QueuedAlert, person: Person) -> AlertText | None:
        """Return None if the table waits for no one any more, or the person is seated there or wants no alerts now."""
        group = await self._live.store.read(partial(rows.group_of, table_id=table.id))
        member = group.member(person.id) if group is not None else None
        if group is None or member is None or not member.has_alerts:
            return None
        if table.status != "open" or table.seat_of(person.id) is not None:
            return None
        if table.host in await marks_of(self._live.store, person.id):  # muted since then
            return None
        return texts.group_text(table, person.id, person.language, group.name)


def _require_member(group: Group | None, person: str | None) -> Group:
    if group is None or person is None or group.member(person) is None:
        raise no_group()
    return group


def chosen(members: Mapping[str, Member], keys: Collection[str], but: str) -> list[Member]:
    """Return the members with these keys, without one person. Raise `TableRefusal` `no-person` for a wrong key."""
    if not all(key in members for key in keys):
        raise no_member()
    return [member for key, member in members.items() if key in keys and member.id != but]
