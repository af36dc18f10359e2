"""Seasons of a running server, and what members and the host of the group do with them."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from msgspec.structs import replace

from spieltisch.core.words import message
from spieltisch.features.groups import rows as group_rows
from spieltisch.features.groups.rows import Group
from spieltisch.features.groups.service import no_group, require_host
from spieltisch.features.seasons import rows
from spieltisch.features.seasons.rounds import Rounds, unfinished
from spieltisch.features.seasons.rows import JOINING, OVER, Plan, Rules, Season, SeasonTable
from spieltisch.features.seasons.seatings import evening_seatings, rounds_for, seatings, table_sizes, tables_of_evening
from spieltisch.games import game as game_by_key
from spieltisch.live import Live
from spieltisch.live.client_threads import run_in_thread
from spieltisch.live.disk_errors import await_write
from spieltisch.live.services import running, wait
from spieltisch.live.versions import next_version
from spieltisch.store import Connection, Person
from spieltisch.store.dialects import take_turns
from spieltisch.store.quota_counts import QUOTA_LOCK
from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.names import require_distinct
from spieltisch.tables.refusal_codes import RefusalCode

ALL: Final = ""
"""All seasons, in place of the id of one."""
TOPIC: Final = "season:"
"""The prefix of the topics of seasons."""
LOOK_SECONDS: Final = 60.0
"""The time between two looks at the seasons, as long as one runs."""
ID_BYTES: Final = 9
MOST_PLAYERS: Final = 16
"""The number of people who can take part in a season or an evening."""
MAX_UNFINISHED: Final = 5
"""The maximum number of seasons and evenings of a group that are not over."""
MAX_SEASONS: Final = 40
"""The maximum number of all seasons and evenings of a group."""


def no_season() -> TableRefusal:
    """Return the refusal for a season that the group does not have."""
    return TableRefusal(RefusalCode.NO_SEASON, message("This season or evening doesn’t exist."))


def already_begun() -> TableRefusal:
    """Return the refusal of what is possible only before a season begins."""
    return TableRefusal(RefusalCode.SEASON_BEGUN, message("The first round has already begun."))


def seats_of(rules: Rules) -> range:
    """Return the numbers of players that all games of a season allow; there may be none.

    >>> seats_of(Rules(("era-of-inventions", "paris-connection")))
    range(3, 6)
    """
    ranges = [game_by_key(key).seats for key in rules.games]
    return range(max(seats.start for seats in ranges), min(seats.stop for seats in ranges))


def sizes_for(rules: Rules, players: int) -> tuple[int, ...]:
    """Return the sizes of the tables of a round for this number of people; () if there are too few."""
    return (tables_of_evening if rules.is_evening else table_sizes)(players, rules.seats, seats_of(rules))


def rounds_of(rules: Rules, players: int, sizes: Sequence[int]) -> int:
    """Return the number of rounds for this number of people."""
    return rules.each if rules.is_evening else rounds_for(players, sizes, rules.each)


def plan_of(rules: Rules, players: int) -> Plan:
    """Return the seatings for this number of players. Raise `TableRefusal` `too-few-players`."""
    sizes = sizes_for(rules, players)
    if not sizes and rules.is_evening:
        raise TableRefusal(RefusalCode.TOO_FEW_PLAYERS, message("An evening needs at least {count} players.", count=4))
    if not sizes:
        words = message("A season needs at least {count} players.", count=seats_of(rules)[0])
        raise TableRefusal(RefusalCode.TOO_FEW_PLAYERS, words)
    draw = evening_seatings if rules.is_evening else seatings
    seated = sum(sizes) if rules.is_evening else players
    return Plan(seated, draw(players, sizes, rounds_of(rules, players, sizes)))


def tables_of_round(season: Season) -> int:
    """Return the number of tables of each round, before the season begins for the players so far."""
    return len(season.plan.rounds[0] if season.plan.rounds else sizes_for(season.rules, len(season.members)))


class Seasons:
    """The seasons of all groups, and the loop that leads them from round to round."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._woken = asyncio.Event()
        self._due: set[str] = set()
        self._began = next_version()
        self._versions: dict[str, int] = {}
        live.notices.on("seasons", lambda _, season_id: self._wake(season_id))
        live.notices.missed.append(lambda: self._wake(ALL))
        self.rounds = Rounds(live, self._show)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Lead the seasons from round to round until the context ends."""
        with self._live.tables.listening(self._on_table_changed):
            async with running("seasons", self._keep_looking):
                yield

    def _wake(self, season_id: str) -> None:
        self._due.add(season_id)
        self._woken.set()

    async def _keep_looking(self) -> None:
        """Look at all seasons from time to time, and meanwhile only at those that have changed."""
        now = asyncio.get_running_loop().time
        next_look = now()
        while True:
            self._woken.clear()
            due, self._due = self._due, set()
            if ALL in due or now() >= next_look:
                next_look = now() + LOOK_SECONDS
                await self.rounds.look()
            elif due:
                await self.rounds.look(*due)
            await wait(self._woken, next_look - now() if self.rounds.is_running else None)

    def version(self, season_id: str) -> int:
        """Return the version of what members see of a season."""
        return self._versions.get(season_id, self._began)

    def _show(self, season_id: str) -> None:
        """Push a season to those who follow it."""
        self._versions[season_id] = next_version(self.version(season_id))
        self._live.publish(f"{TOPIC}{season_id}", None)

    def _on_table_changed(self, table: Table) -> None:
        if (season_id := self.rounds.season_of.get(table.id)) is not None:
            self.rounds.notice(season_id, table, table.summary())
            if table.is_over:
                self._wake(season_id)

    async def of_group(self, group: Group) -> list[Season]:
        """Return the seasons of a group, the newest first."""
        return await self._live.store.read(partial(rows.of_group, group_id=group.id))

    async def find(self, group_id: str, season_id: str) -> Season:
        """Return a season of a group. Raise `TableRefusal` `no-season`."""
        return _require_season(await self._live.store.read(partial(rows.find, season_id=season_id)), group_id)

    async def for_member(self, season_id: str, person: str | None) -> tuple[Season, Group] | None:
        """Return a season with its group; None unless this person is a member."""

        def read(connection: Connection) -> tuple[Season, Group] | None:
            season = rows.find(connection, season_id)
            group = group_rows.find(connection, season.group_id) if season is not None else None
            is_member = group is not None and group.member(person) is not None
            return (season, group) if season is not None and group is not None and is_member else None

        return await self._live.store.read(read)

    async def tables(self, season: Season) -> list[SeasonTable]:
        """Return the tables of a season, in the order of their rounds."""
        return await self._live.store.read(partial(rows.tables_of, season=season))

    async def create(self, person: str | None, group_id: str, name: str, rules: Rules) -> str:
        """Create a season as the host of the group, and return its id.

        Raise `TableRefusal` `no-group`, `not-host`, `name`, `too-many-seasons` or `not-written`.
        """
        season_id, clean = secrets.token_urlsafe(ID_BYTES), self._live.quotas.clean_name(name)

        def write(connection: Connection) -> None:
            require_host(_require_group(connection, group_id, person), person or "")
            seasons = rows.of_group(connection, group_id)
            if len(seasons) >= MAX_SEASONS:
                words = message("This group has {count} seasons and evenings. Delete one first.", count=MAX_SEASONS)
                raise TableRefusal(RefusalCode.TOO_MANY_SEASONS, words)
            if sum(season.round != OVER for season in seasons) >= MAX_UNFINISHED:
                words = message("This group has {count} seasons and evenings. End one first.", count=MAX_UNFINISHED)
                raise TableRefusal(RefusalCode.TOO_MANY_SEASONS, words)
            rows.add(connection, season_id, group_id, clean, rules, self._live.clock())

        await await_write(self._live.store.write(write))
        return season_id

    async def _change(
        self,
        person: str | None,
        group_id: str,
        season_id: str,
        change: Callable[[Connection, Season], object],
        *,
        as_host: bool = False,
    ) -> None:
        """Write a change by a member. Raise `TableRefusal` `no-group`, `no-season`, and what it raises."""

        def write(connection: Connection) -> None:
            rows.lock(connection, season_id)
            group = _require_group(connection, group_id, person)
            season = _require_season(rows.find(connection, season_id), group_id)
            if as_host:
                require_host(group, person or "")
            change(connection, season)

        await await_write(self._live.store.write(write))
        self._show(season_id)
        self._live.notices.announce("seasons", season_id)
        await self.rounds.look(season_id)

    async def join(self, person: Person, group_id: str, season_id: str) -> None:
        """Let a member take part: before the season begins, or later in place of someone who has left.

        Raise `TableRefusal` `season-begun`, `season-full`, `name`, or as every change.
        """

        def change(connection: Connection, season: Season) -> None:
            if season.member(person.id) is not None:
                return
            require_distinct(person.name, (member.name for member in season.members))
            if season.round == JOINING:
                numbers = [max((member.number for member in season.members), default=-1) + 1]
                if len(season.members) >= MOST_PLAYERS:
                    raise TableRefusal(RefusalCode.SEASON_FULL, message("All places are taken."))
            else:
                numbers = season.free_numbers if season.round + 1 < len(season.plan.rounds) else []
            if not numbers:
                raise already_begun()
            rows.add_member(connection, season, person.id, numbers[0])

        await self._change(person.id, group_id, season_id, change)

    async def leave(self, person: str, group_id: str, season_id: str) -> None:
        """Let a person take part no longer. They keep their seats at tables that are open."""

        def change(connection: Connection, season: Season) -> None:
            rows.remove_member(connection, season.id, person)

        await self._change(person, group_id, season_id, change)

    async def begin(self, person: str | None, group_id: str, season_id: str, address: str = "") -> None:
        """Begin a season from an address, as the host of the group.

        Raise `TableRefusal` `season-begun`, `too-few-players`, or `too-many-seasons` for the address.
        """
        found = await self.for_member(season_id, person)
        if found is None:
            raise no_group()
        season, group = found
        require_host(group, person or "")
        if season.round != JOINING:
            raise already_begun()
        origin = self._live.quotas.hash_address(address) or b""
        people = season.members
        plan = await run_in_thread(plan_of, season.rules, len(people))
        plan = replace(plan, origin=origin)

        def change(connection: Connection, season: Season) -> None:
            if season.round != JOINING:
                raise already_begun()
            if len(season.members) != len(people):
                raise refusals.stale()
            take_turns(connection, QUOTA_LOCK)
            most = self._live.limits.tables_per_address
            if origin and most and rows.count_running(connection, origin) >= most:
                words = message("Your network already has {count} seasons and evenings. End one first.", count=most)
                raise TableRefusal(RefusalCode.TOO_MANY_SEASONS, words)
            rows.begin(connection, season, plan, self._live.clock())

        await self._change(person, group_id, season_id, change, as_host=True)

    async def next_round(self, person: str | None, group_id: str, season_id: str, seen: int) -> None:
        """Begin the round after the one that the host has seen, before the time of that one is up.

        Raise `TableRefusal` `stale`, or `not-over` if a game is not over.
        """

        def change(connection: Connection, season: Season) -> None:
            if season.round != seen or not 0 <= season.round < len(season.plan.rounds):
                raise refusals.stale()
            if season.opened < len(season.tables) or unfinished(rows.tables_of(connection, season)):
                raise refusals.not_over()
            rows.advance(connection, season, self._live.clock())

        await self._change(person, group_id, season_id, change, as_host=True)

    async def end(self, person: str | None, group_id: str, season_id: str) -> None:
        """End a season as the host of the group; one that has not begun, or is over, is deleted."""

        def change(connection: Connection, season: Season) -> None:
            if season.round in (JOINING, OVER):
                rows.remove(connection, season.id)
            else:
                rows.end(connection, season, self._live.clock())

        await self._change(person, group_id, season_id, change, as_host=True)


def _require_season(season: Season | None, group_id: str) -> Season:
    if season is None or season.group_id != group_id:
        raise no_season()
    return season


def _require_group(connection: Connection, group_id: str, person: str | None) -> Group:
    group = group_rows.find(connection, group_id)
    if group is None or group.member(person) is None:
        raise no_group()
    return group
