"""The viewers of a table, for those who play there or host it: the players present, and the number of spectators."""

from collections import OrderedDict
from typing import Final, NamedTuple

import msgspec

from spieltisch.live import Live
from spieltisch.live.process_states import ProcessStates
from spieltisch.live.shielded import ShieldedTasks
from spieltisch.live.versions import next_version
from spieltisch.tables import Table, TableRefusal
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.stream import END
from spieltisch.web.pages.perspectives import Perspective, perspective_of
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import Followers, TopicState, parts_of

VIEWERS: Final = "viewers:"
"""Prefix of the topic."""
MAX_TABLES: Final = 256
"""Maximum number of tables whose viewers are kept."""


class Viewers(msgspec.Struct, frozen=True):
    """The number of spectators, and the seats of the players, with an open page of a table."""

    spectators: int = 0
    seats: frozenset[int] = frozenset()

    def __add__(self, other: "Viewers") -> "Viewers":
        return Viewers(self.spectators + other.spectators, self.seats | other.seats)


NO_VIEWERS: Final = Viewers()
_VIEWERS: Final = msgspec.json.Decoder(Viewers)


class _Audience(NamedTuple):
    """The viewers of a table, and the version since which they have been the same."""

    viewers: Viewers | None = None
    since: int = 0
    table_version: int = -1
    """The version of the table for which they were found; -1 if pages have been opened or closed since then."""
    changes: int = 0
    """The number of times that pages have been opened or closed."""


class TableViewers:
    """Counts the spectators of tables, finds the players who are there, and renders both."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages
        self._audiences: OrderedDict[str, _Audience] = OrderedDict()
        self._tasks = ShieldedTasks()
        live.stack.push_async_callback(self._tasks.finish)
        self.processes = ProcessStates("viewers", live.notices, live.leases)
        """The `Viewers` in each process, as JSON."""
        self.viewers: Followers = lambda table_id: ()

    async def state(self, table: Table, perspective: Perspective, visitor: Visitor, known: int) -> TopicState | None:
        """Return who has the page open."""
        if not _plays_or_hosts(perspective):
            return None
        counted = await self._counted(table)
        if counted.since <= known:
            return None
        viewers = counted.viewers or NO_VIEWERS
        html = self._pages.render(
            "viewers.html", visitor.language, count=viewers.spectators, seats=sorted(viewers.seats)
        )
        return TopicState(counted.since, html)

    async def _counted(self, table: Table) -> _Audience:
        counted = self._audiences.get(table.id, _Audience())
        if counted.table_version != table.version:  # otherwise all pages of the players would count
            self._audiences[table.id] = counted  # where `recount` notes what changes meanwhile
            here = await self._find(table)
            self.processes.say(table.id, "" if here == NO_VIEWERS else msgspec.json.encode(here).decode())
            viewers = sum(map(_VIEWERS.decode, self.processes.others(table.id)), here)
            before, counted = counted, self._audiences.pop(table.id, _Audience())
            since = counted.since if counted.viewers == viewers else next_version(counted.since)
            version = table.version if counted.changes == before.changes else -1
            counted = self._audiences[table.id] = _Audience(viewers, since, version, counted.changes)
            while len(self._audiences) > MAX_TABLES:
                self._audiences.popitem(last=False)
        return counted

    def tell_others(self, table_id: str) -> None:
        """Tell other processes who views a table here, in the background: the players may be there."""
        if self.viewers(table_id):
            self._tasks.start(self._tell(table_id))
        else:
            self.processes.say(table_id, "")

    async def _tell(self, table_id: str) -> None:
        await self._counted(await self._live.tables.get(table_id))

    def recount(self, table_id: str) -> None:
        """Look for the viewers of a table again when they are next asked for: pages were opened or closed somewhere."""
        if (counted := self._audiences.get(table_id)) is not None:
            self._audiences[table_id] = counted._replace(table_version=-1, changes=counted.changes + 1)

    async def _find(self, table: Table) -> Viewers:
        """Return who views the table here; each page of an unnamed visitor counts as one spectator."""
        seats: set[int] = set()
        people: set[str | None] = set()
        unnamed = 0
        for person, topic_of_table in self.viewers(table.id):
            _, link, me = parts_of(topic_of_table.removeprefix(END))
            try:
                perspective = await perspective_of(self._live, table, person, link, me)
            except TableRefusal:
                continue
            if not _plays_or_hosts(perspective):
                people.add(person)
                unnamed += person is None
            elif perspective.device_seats:
                seats.update(perspective.device_seats)
            elif perspective.seat is not None:
                seats.add(perspective.seat)
        return Viewers(len(people - {None}) + unnamed, frozenset(seats))


def _plays_or_hosts(perspective: Perspective) -> bool:
    return perspective.seat is not None or bool(perspective.device_seats) or perspective.is_host
