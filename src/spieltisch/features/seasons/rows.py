"""Seasons, who takes part, and their tables in the store.

Members who leave a group leave its seasons; a season ends with its group.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    Row,
    Table,
    delete,
    insert,
    select,
    update,
)

from spieltisch.features.groups.rows import READERS, Defaults
from spieltisch.features.seasons.seatings import Seatings
from spieltisch.store.alert_queue import queue
from spieltisch.store.schema import METADATA, OUTBOX, PEOPLE, TABLES, TEXT, Json
from spieltisch.store.table_rows import ACTIVE_STATUSES, STORED_TABLE, StoredTable, require_table, stored_table
from spieltisch.tables import refusals
from spieltisch.tables.table_settings import DAY, MINUTE

PART_BEFORE_BOTS: Final = 0.75
"""The part of a round after which bots take the seats of those who have not come."""
EVENING_SECONDS_BEFORE_BOTS: Final = 10 * MINUTE
"""The same for a round of an evening, in seconds."""
SEASON_ALERT: Final = "season"
"""The kind of alerts to those whom a game of a season waits for."""
JOINING: Final = -1
"""The round of a season that has not begun."""
OVER: Final = 1000
"""The round of a season that has ended."""
SEASONS: Final = Table(
    "seasons",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("group_id", TEXT, ForeignKey("play_groups.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", TEXT, nullable=False),
    Column("rules", Json, nullable=False),  # Rules
    Column("plan", Json, nullable=False),  # Plan
    Column("round", Integer, nullable=False),  # JOINING, then from 0 on, see Season
    Column("began", Float, nullable=False),  # the time of the round
    Column("opened", Integer, nullable=False),  # the number of its tables that have been opened
    Column("reminded", Integer, nullable=False),  # 1: those who are late have been reminded
    info={"free_text": ("name",)},
)
SEASONS.info["readers"] = SEASONS.c.group_id, *READERS
SEASON_MEMBERS: Final = Table(
    "season_members",
    METADATA,
    Column("season_id", TEXT, ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("person", TEXT, primary_key=True),
    Column("group_id", TEXT, nullable=False),
    Column("number", Integer, nullable=False),  # in the seatings
    Column("since", Integer, nullable=False),  # the first round
    ForeignKeyConstraint(
        ["group_id", "person"], ["group_members.group_id", "group_members.person"], ondelete="CASCADE"
    ),
    info={"person": "person"},
)
SEASON_TABLES: Final = Table(
    "season_tables",
    METADATA,
    Column("table_id", TEXT, ForeignKey("tables.id"), primary_key=True),
    Column("season_id", TEXT, ForeignKey("seasons.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),  # of the table in its round
    info={"table": "table_id", "is_asked_for": True},
)


class Rules(msgspec.Struct, frozen=True, omit_defaults=True):
    """The rules to which those who take part agree.

    The rounds take turns in the `games`, whose tables begin with the `defaults`; `seats` are wanted at a table, `each`
    is the number of games for each member, and a round lasts `days`. At an evening, all tables of a round have the
    same deal, and the next round begins when all of them are over.
    """

    games: tuple[str, ...] = ()
    seats: int = 3
    each: int = 3
    days: int = 7
    defaults: dict[str, Defaults] = {}
    is_evening: bool = False

    @property
    def seconds_before_bots(self) -> float:
        """The seconds of a round after which bots take the seats of those who have not come."""
        return EVENING_SECONDS_BEFORE_BOTS if self.is_evening else self.days * DAY * PART_BEFORE_BOTS


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seatings of a season that has begun, by the numbers of its players.

    `origin` is the hash of the address from which it was begun, for which its tables count, until it is over.
    """

    players: int = 0
    rounds: Seatings = ()
    origin: bytes = b""


class SeasonMember(NamedTuple):
    """A person who takes part: their number in the seatings, and the first round in which it is theirs."""

    id: str
    name: str
    number: int
    since: int


class Season(NamedTuple):
    """A season with those who take part, in the order of their numbers.

    After the rounds of its plan, there is one more, in which the last games are finished.
    """

    id: str
    group_id: str
    name: str
    rules: Rules
    plan: Plan
    round: int
    began: float
    opened: int
    is_reminded: bool
    members: tuple[SeasonMember, ...]

    @property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """The tables of the current round."""
        return self.plan.rounds[self.round] if 0 <= self.round < len(self.plan.rounds) else ()

    def member(self, person: str | None) -> SeasonMember | None:
        """Return the person as one who takes part; None if they do not."""
        return next((member for member in self.members if member.id == person), None)

    def by_number(self, number_of_round: int) -> Mapping[int, SeasonMember]:
        """Return by number those who take part in a round."""
        return {member.number: member for member in self.members if member.since <= number_of_round}

    @property
    def free_numbers(self) -> list[int]:
        """The numbers of players who have left."""
        taken = {member.number for member in self.members}
        return [number for number in range(self.plan.players) if number not in taken]


class SeasonTable(NamedTuple):
    """A table of a season, with the numbers of its players in turn order."""

    round: int
    number: int
    players: tuple[int, ...]
    stored: StoredTable


_RULES: Final = msgspec.json.Decoder(Rules)
_PLAN: Final = msgspec.json.Decoder(Plan)


def _season(connection: Connection, row: Row[Any]) -> Season:
    columns = (SEASON_MEMBERS.c.person, PEOPLE.c.name, SEASON_MEMBERS.c.number, SEASON_MEMBERS.c.since)
    query = select(*columns).join(PEOPLE, PEOPLE.c.id == SEASON_MEMBERS.c.person)
    query = query.where(SEASON_MEMBERS.c.season_id == row.id).order_by(SEASON_MEMBERS.c.number)
    members = tuple(SeasonMember(*member) for member in connection.execute(query))
    rules, plan = _RULES.decode(row.rules), _PLAN.decode(row.plan)
    state = (row.round, row.began, row.opened, bool(row.reminded))
    return Season(row.id, row.group_id, row.name, rules, plan, *state, members)


def lock(connection: Connection, season_id: str) -> None:
    """Let no other process change a season, or who takes part, until this transaction ends."""
    connection.execute(select(SEASONS.c.id).where(SEASONS.c.id == season_id).with_for_update())


def find(connection: Connection, season_id: str) -> Season | None:
    """Return a season; None if there is none."""
    row = connection.execute(select(SEASONS).where(SEASONS.c.id == season_id)).one_or_none()
    return None if row is None else _season(connection, row)


def people_of(connection: Connection, season_id: str) -> set[str]:
    """Return who takes part in a season now."""
    query = select(SEASON_MEMBERS.c.person).where(SEASON_MEMBERS.c.season_id == season_id)
    return set(connection.execute(query).scalars())


def of_group(connection: Connection, group_id: str) -> list[Season]:
    """Return the seasons of a group, the newest first."""
    query = select(SEASONS).where(SEASONS.c.group_id == group_id).order_by(SEASONS.c.began.desc(), SEASONS.c.id)
    return [_season(connection, row) for row in connection.execute(query).all()]


def running(connection: Connection, only: Collection[str] = ()) -> list[Season]:
    """Return the seasons that have begun and are not over; of some `only`, if any are given."""
    query = select(SEASONS).where(SEASONS.c.round.between(0, OVER - 1)).order_by(SEASONS.c.id)
    query = query.where(SEASONS.c.id.in_(only)) if only else query
    return [_season(connection, row) for row in connection.execute(query).all()]


def count_running(connection: Connection, origin: bytes) -> int:
    """Return the number of running seasons that were begun from an address with this hash."""
    plans = connection.execute(select(SEASONS.c.plan).where(SEASONS.c.round.between(0, OVER - 1))).scalars()
    return sum(_PLAN.decode(plan).origin == origin for plan in plans)


def of_table(connection: Connection, table_id: str) -> Season | None:
    """Return the season of a table; None if it belongs to none."""
    query = select(SEASON_TABLES.c.season_id).where(SEASON_TABLES.c.table_id == table_id)
    season_id = connection.execute(query).scalar()
    return None if season_id is None else find(connection, season_id)


def tables_of(connection: Connection, season: Season) -> list[SeasonTable]:
    """Return the tables of a season, in the order of their rounds."""
    is_planned = SEASON_TABLES.c.round < len(season.plan.rounds)  # not so if the season has begun just now
    own = select(SEASON_TABLES).where(SEASON_TABLES.c.season_id == season.id, is_planned)
    query = select(*STORED_TABLE).join(SEASON_TABLES, TABLES.c.id == SEASON_TABLES.c.table_id)
    query = query.where(SEASON_TABLES.c.season_id == season.id)
    tables = {table.id: table for table in map(stored_table, connection.execute(query))}
    return [
        SeasonTable(row.round, row.number, season.plan.rounds[row.round][row.number], tables[row.table_id])
        for row in connection.execute(own.order_by(SEASON_TABLES.c.round, SEASON_TABLES.c.number))
        if row.table_id in tables
    ]


def add(connection: Connection, season_id: str, group_id: str, name: str, rules: Rules, at: float) -> None:
    """Store a new season that people may join."""
    encoded = {"rules": msgspec.json.encode(rules), "plan": b"{}"}
    state = {"round": JOINING, "began": at, "opened": 0, "reminded": 0}
    connection.execute(insert(SEASONS), {"id": season_id, "group_id": group_id, "name": name, **encoded, **state})


def add_member(connection: Connection, season: Season, person: str, number: int) -> None:
    """Let a person take part from the next round on."""
    row = {"season_id": season.id, "person": person, "group_id": season.group_id}
    connection.execute(insert(SEASON_MEMBERS), {**row, "number": number, "since": season.round + 1})


def remove_member(connection: Connection, season_id: str, person: str) -> None:
    """Let a person take part no longer."""
    own = (SEASON_MEMBERS.c.season_id == season_id) & (SEASON_MEMBERS.c.person == person)
    connection.execute(delete(SEASON_MEMBERS).where(own))


def begin(connection: Connection, season: Season, plan: Plan, at: float) -> None:
    """Begin the first round: number those who take part, and store the seatings."""
    for number, member in enumerate(season.members):
        own = (SEASON_MEMBERS.c.season_id == season.id) & (SEASON_MEMBERS.c.person == member.id)
        connection.execute(update(SEASON_MEMBERS).where(own).values(number=number))
    connection.execute(update(SEASONS).where(SEASONS.c.id == season.id).values(plan=msgspec.json.encode(plan)))
    advance(connection, season, at)


def advance(connection: Connection, season: Season, at: float) -> None:
    """Begin the next round. Raise `TableRefusal` `stale` if another process has done so."""
    _change(connection, season, SEASONS.c.opened >= 0, round=season.round + 1, began=at, opened=0, reminded=0)


def end(connection: Connection, season: Season, at: float) -> None:
    """End a season: its games that are not over do not count, and its address is forgotten.

    At an evening no table counts whose deal is still played at another one.
    """
    _change(connection, season, SEASONS.c.opened >= 0, round=OVER, began=at)
    plan = msgspec.json.encode(msgspec.structs.replace(season.plan, origin=b""))
    connection.execute(update(SEASONS).where(SEASONS.c.id == season.id).values(plan=plan))
    running = [table for table in tables_of(connection, season) if table.stored.status in ACTIVE_STATUSES]
    ended = SEASON_TABLES.c.table_id.in_({table.stored.id for table in running})
    if season.rules.is_evening:
        ended = SEASON_TABLES.c.round.in_({table.round for table in running})
    connection.execute(delete(SEASON_TABLES).where(SEASON_TABLES.c.season_id == season.id, ended))


def remove(connection: Connection, season_id: str) -> None:
    """Delete a season; its tables stay."""
    connection.execute(delete(SEASONS).where(SEASONS.c.id == season_id))


def claim_reminder(connection: Connection, season: Season) -> None:
    """Store that those who are late have been reminded. Raise `TableRefusal` `stale` if they have been before."""
    _change(connection, season, SEASONS.c.reminded == 0, reminded=1)


def claim_table(connection: Connection, season: Season, number: int, table_id: str | None) -> None:
    """Store the next table of the current round, None: it has none.

    Raise `TableRefusal` `stale` if another process has stored it.
    """
    _change(connection, season, SEASONS.c.opened == number, opened=number + 1)
    if table_id is not None:
        row = {"table_id": table_id, "season_id": season.id, "round": season.round, "number": number}
        connection.execute(insert(SEASON_TABLES), row)


def is_dealt_out(connection: Connection, season: Season) -> bool:
    """Return True if a game of the current round is over, so that its deal may be known, or will be in a moment.

    None of its tables changes before this transaction ends.
    """
    own = (SEASON_TABLES.c.season_id == season.id) & (SEASON_TABLES.c.round == season.round)
    ids = connection.execute(select(SEASON_TABLES.c.table_id).where(own)).scalars().all()
    for table_id in ids:
        require_table(connection, table_id)
    is_over = TABLES.c.id.in_(ids) & TABLES.c.status.not_in(ACTIVE_STATUSES)
    return connection.execute(select(TABLES.c.id).where(is_over)).first() is not None


def alert(connection: Connection, table_id: str, version: int, people: set[str]) -> None:
    """Queue an alert of a table for these people, in place of earlier ones that have not been sent."""
    connection.execute(delete(OUTBOX).where(OUTBOX.c.table_id == table_id, OUTBOX.c.kind == SEASON_ALERT))
    queue(connection, table_id, version, SEASON_ALERT, people)


def _change(connection: Connection, season: Season, condition: ColumnElement[bool], **values: float) -> None:
    same_round = (SEASONS.c.id == season.id) & (SEASONS.c.round == season.round)
    if not connection.execute(update(SEASONS).where(same_round, condition).values(**values)).rowcount:
        raise refusals.stale()
