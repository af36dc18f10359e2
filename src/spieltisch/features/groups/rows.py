"""Groups, their members and their tables in the store."""

from collections.abc import Collection, Iterable
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Update,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from spieltisch.store import Store
from spieltisch.store.lobby import known_change
from spieltisch.store.schema import METADATA, PEOPLE, TABLES, TEXT, Json
from spieltisch.store.table_rows import STORED_TABLE, StoredTable, stored_table
from spieltisch.tables import device_owner
from spieltisch.tables.events import OptionValue
from spieltisch.tables.table_settings import DEFAULT_SETTINGS, TableSettings

GROUP_ALERT: Final = "group"
"""The kind of alerts of tables that are opened in a group."""
MAX_TABLES: Final = 500
"""The number of tables of a group that are read, the newest."""
GROUPS: Final = Table(
    "play_groups",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("name", TEXT, nullable=False),
    Column("link_version", Integer, nullable=False),
    Column("members_invite", Integer, nullable=False),  # 0: only the first member does
    Column("defaults", Json, nullable=False),  # Defaults by the key of the game
    info={"free_text": ("name",)},
)
GROUP_MEMBERS: Final = Table(
    "group_members",
    METADATA,
    Column("group_id", TEXT, ForeignKey("play_groups.id"), primary_key=True),
    Column("person", TEXT, ForeignKey("people.id"), primary_key=True),
    Column("joined", Float, nullable=False),
    Column("has_alerts", Integer, nullable=False),
    Column("is_ranked", Integer, nullable=False),  # 1: the standings name this person
    Index("group_members_by_person", "person"),
    info={"person": "person"},
)
"""The members of groups. The one who has been there longest is the host of the group."""
GROUP_TABLES: Final = Table(
    "group_tables",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("group_id", TEXT, ForeignKey("play_groups.id"), nullable=False, index=True),
    info={"table": "table_id"},
)
"""The tables that were opened in a group."""


def _end_links(of_members: ColumnElement[bool]) -> Update:
    """Return the statement that ends the links to the groups of these members, who know them."""
    left = select(GROUP_MEMBERS.c.group_id).where(of_members)
    return update(GROUPS).where(GROUPS.c.id.in_(left)).values(link_version=GROUPS.c.link_version + 1)


GROUP_MEMBERS.info["departure"] = _end_links
READERS: Final = GROUP_MEMBERS.c.group_id, GROUP_MEMBERS.c.person
"""The columns of groups and of those who may read what belongs to a group; see `store.removal`."""
GROUPS.info["readers"] = GROUPS.c.id, *READERS
GROUPS.info["orphaned"] = ~exists().where(GROUP_MEMBERS.c.group_id == GROUPS.c.id)
GROUP_TABLES.info["orphaned"] = ~exists().where(GROUP_MEMBERS.c.group_id == GROUP_TABLES.c.group_id)


class Defaults(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings with which the tables of a group begin: as in `NewTable`."""

    options: dict[str, OptionValue] = {}
    components: str = ""
    charter: TableSettings = DEFAULT_SETTINGS


class Member(NamedTuple):
    """A member of a group; `has_alerts` and `is_ranked` are their own choice."""

    id: str
    name: str
    has_alerts: bool
    is_ranked: bool


class Group(NamedTuple):
    """A group with its members, those who have been there longest first."""

    id: str
    name: str
    link_version: int
    members_invite: bool
    defaults: dict[str, Defaults]
    members: tuple[Member, ...]

    @property
    def host(self) -> str:
        """The member who manages the group."""
        return self.members[0].id

    def member(self, person: str | None) -> Member | None:
        """Return a person as a member; None if they are none."""
        return next((member for member in self.members if member.id == person), None)

    def may_invite(self, person: str) -> bool:
        """Return True if a member may give the link to others."""
        return self.members_invite or person == self.host


_DEFAULTS: Final = msgspec.json.Decoder(dict[str, Defaults])


def find(connection: Connection, group_id: str) -> Group | None:
    """Return a group; None if there is none."""
    row = connection.execute(select(GROUPS).where(GROUPS.c.id == group_id)).one_or_none()
    columns = (GROUP_MEMBERS.c.person, PEOPLE.c.name, GROUP_MEMBERS.c.has_alerts, GROUP_MEMBERS.c.is_ranked)
    query = select(*columns).join(PEOPLE, PEOPLE.c.id == GROUP_MEMBERS.c.person)
    query = query.where(GROUP_MEMBERS.c.group_id == group_id).order_by(GROUP_MEMBERS.c.joined, GROUP_MEMBERS.c.person)
    members = tuple(
        Member(person, name, bool(alerts), bool(ranked)) for person, name, alerts, ranked in connection.execute(query)
    )
    if row is None or not members:
        return None
    invite = bool(row.members_invite)
    return Group(row.id, row.name, row.link_version, invite, _DEFAULTS.decode(row.defaults), members)


def of_person(connection: Connection, person: str) -> list[tuple[str, str]]:
    """Return the ids and names of the groups of a person."""
    query = select(GROUPS.c.id, GROUPS.c.name).join(GROUP_MEMBERS, GROUP_MEMBERS.c.group_id == GROUPS.c.id)
    query = query.where(GROUP_MEMBERS.c.person == person).order_by(GROUP_MEMBERS.c.joined, GROUPS.c.id)
    return [(row.id, row.name) for row in connection.execute(query)]


def add(connection: Connection, group_id: str, name: str) -> None:
    """Store a new group without members."""
    row = {"id": group_id, "name": name, "link_version": 0, "members_invite": 1, "defaults": b"{}"}
    connection.execute(insert(GROUPS), row)


def add_member(connection: Connection, group_id: str, person: str, at: float) -> None:
    """Add a member after all others, with alerts and not in the standings."""
    last = select(func.max(GROUP_MEMBERS.c.joined)).where(GROUP_MEMBERS.c.group_id == group_id)
    after = connection.execute(last).scalar()
    joined = at if after is None else max(at, after + 0.001)
    row = {"group_id": group_id, "person": person, "joined": joined, "has_alerts": 1, "is_ranked": 0}
    connection.execute(insert(GROUP_MEMBERS), row)


def remove_member(connection: Connection, group_id: str, person: str) -> None:
    """Remove a member, and a group without members with the list of its tables; its link works no longer."""
    own = (GROUP_MEMBERS.c.group_id == group_id) & (GROUP_MEMBERS.c.person == person)
    connection.execute(_end_links(own))
    connection.execute(delete(GROUP_MEMBERS).where(own))
    connection.execute(delete(GROUP_TABLES).where(GROUP_TABLES.c.group_id == group_id, GROUP_TABLES.info["orphaned"]))
    connection.execute(delete(GROUPS).where(GROUPS.c.id == group_id, GROUPS.info["orphaned"]))


def change(connection: Connection, group_id: str, **values: Any) -> None:
    """Change columns of a group."""
    connection.execute(update(GROUPS).where(GROUPS.c.id == group_id).values(**values))


def change_member(connection: Connection, group_id: str, person: str, *, has_alerts: bool, is_ranked: bool) -> None:
    """Store what a member has chosen."""
    own = (GROUP_MEMBERS.c.group_id == group_id) & (GROUP_MEMBERS.c.person == person)
    values = {"has_alerts": int(has_alerts), "is_ranked": int(is_ranked)}
    connection.execute(update(GROUP_MEMBERS).where(own).values(values))


def add_table(connection: Connection, group_id: str, table_id: str) -> None:
    """Store that a table belongs to a group."""
    connection.execute(insert(GROUP_TABLES), {"table_id": table_id, "group_id": group_id})


def group_of(connection: Connection, table_id: str) -> Group | None:
    """Return the group of a table; None if it belongs to none."""
    query = select(GROUP_TABLES.c.group_id).where(GROUP_TABLES.c.table_id == table_id)
    group_id = connection.execute(query).scalar()
    return None if group_id is None else find(connection, group_id)


async def tables_of(store: Store, group_id: str) -> tuple[StoredTable, ...]:
    """Return the tables of a group, those first that changed last as far as all may know.

    If hidden changes counted, a move could bring back a table that `MAX_TABLES` others had displaced.
    """
    query = select(*STORED_TABLE).join(GROUP_TABLES, GROUP_TABLES.c.table_id == TABLES.c.id)
    query = query.where(GROUP_TABLES.c.group_id == group_id).limit(MAX_TABLES)

    def read(connection: Connection) -> tuple[StoredTable, ...]:
        newest_first = query.order_by(known_change(connection).desc(), TABLES.c.id)
        return tuple(map(stored_table, connection.execute(newest_first)))

    return await store.read(read)


def count_unfinished(connection: Connection, group_id: str) -> int:
    """Return the number of tables of a group that wait for players or run."""
    query = select(func.count()).select_from(GROUP_TABLES).join(TABLES, GROUP_TABLES.c.table_id == TABLES.c.id)
    query = query.where(GROUP_TABLES.c.group_id == group_id, TABLES.c.status.in_(("open", "running")))
    return int(connection.execute(query).scalar_one())


def tables_waiting_for(connection: Connection, group_id: str, person: str) -> list[str]:
    """Return the ids of the tables of a group whose game has not begun and at which a person has or may have a seat."""
    query = select(*STORED_TABLE).join(GROUP_TABLES, GROUP_TABLES.c.table_id == TABLES.c.id)
    query = query.where(GROUP_TABLES.c.group_id == group_id, TABLES.c.status == "open").order_by(TABLES.c.id)
    found = map(stored_table, connection.execute(query))
    return [table.id for table in found if person in {device_owner(seat.person) for seat in table.summary.seats}]


def as_seen(tables: Iterable[StoredTable], person: str) -> list[StoredTable]:
    """Return tables as a member may know them, in an order that tells no more; none whose deal is hidden from them."""
    seen = [table.seen_by(person) for table in tables if not table.summary.is_hidden_duplicate(person)]
    return sorted(seen, key=lambda table: (-table.changed, table.id))


def ids(members: Collection[Member]) -> frozenset[str]:
    """Return the ids of members."""
    return frozenset(member.id for member in members)
