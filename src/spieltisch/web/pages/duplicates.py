"""Duplicate tables: their progress, and, when all are over, their comparison."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from spieltisch import tables
from spieltisch.core.game import Game
from spieltisch.core.words import Words
from spieltisch.live import Live
from spieltisch.live.invitations import Invitations
from spieltisch.live.versions import next_version
from spieltisch.tables import GameResult, ResultPlayer, Seat, Table, TableRefusal, permissions, refusals
from spieltisch.tables.summary import FREE_KINDS
from spieltisch.web.http.content_encoding import COMPRESSION_LEVEL
from spieltisch.web.http.sessions import ShareAddress, Visitor
from spieltisch.web.http.stream import DUPLICATE
from spieltisch.web.pages.history import points_by_source
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState
from spieltisch.web.pages.unplayable import game_of

MAX_VIEWERS: Final = 256
"""Maximum number of viewers of duplicates whose versions are in memory."""


class TableRow(NamedTuple):
    """A table as everyone who may see the duplicate sees it.

    `may_watch`: this visitor may open it. For its host: the `links` to share, by seat number; the `people` whose seats
    can be reclaimed here; `may_close`.
    """

    table: Table
    may_watch: bool
    links: Mapping[int, str]
    people: Sequence[Seat]
    may_close: bool


class SeatResult(NamedTuple):
    """The result of a seat at the table with this `number`.

    `difference` is the distance of its points from the mean of the seat over the tables; `best`: no one has more.
    """

    number: int
    player: ResultPlayer
    difference: float
    is_best: bool


class SeatComparison(NamedTuple):
    """A seat at all tables, and the sources of its points."""

    seat: int
    mean: float
    columns: tuple[SeatResult, ...]
    sources: list[dict[str, Any]]


def may_see(duplicate_tables: Sequence[Table], person: str | None) -> bool:
    """Return True if a person may know of this duplicate.

    So may its players, its host, and everyone if anyone may watch in the end.
    """
    is_own = any(
        person is not None and (person == table.host or person in tables.people_who_know(table))
        for table in duplicate_tables
    )
    return is_own or duplicate_tables[0].opened.spectators == "open"


def row(table: Table, person: str | None, invitations: Invitations) -> TableRow:
    """Return a table of the duplicate as this person sees it."""
    try:
        tables.seat_of_viewer(table, person)
        may_watch = True
    except TableRefusal:
        may_watch = bool(table.seats_on_device(person))
    is_host = person is not None and person == permissions.acting_host(table) and not table.is_over
    free_seats = [seat.number for seat in table.seats if is_host and seat.kind in FREE_KINDS]
    may_reclaim = is_host and table.status == "running" and not table.seats_on_device(person)
    may_close = is_host and (table.status == "open" or not table.people)
    return TableRow(
        table,
        may_watch,
        {seat: invitations.seat_link(table, seat) for seat in free_seats},
        table.people if may_reclaim else (),
        may_close,
    )


def compare(duplicate_tables: Sequence[Table], results: Mapping[str, GameResult], words: Words) -> list[SeatComparison]:
    """Compare the finished tables, seat by seat."""
    played = [
        (number, table, results[table.id]) for number, table in enumerate(duplicate_tables, 1) if table.id in results
    ]
    setup = next((table.setup for _, table, _ in played if table.setup is not None), None)
    if setup is None:
        return []
    seats = []
    for seat in range(setup.seats):
        players = [result.players[seat] for _, _, result in played]
        points = [player.points for player in players]
        maximum, mean = max(points), sum(points) / len(points)
        columns = tuple(
            SeatResult(number, player, round(player.points - mean, 1), player.points == maximum)
            for (number, _, _), player in zip(played, players, strict=True)
        )
        sources = points_by_source(setup, players, words)
        for source in sources:
            amounts = [bar["amount"] for bar in source["bars"]]
            for bar in source["bars"]:
                bar["against"] = round(bar["amount"] - sum(amounts) / len(amounts), 1)
        seats.append(SeatComparison(seat, round(mean, 1), columns, sources))
    return seats


class DuplicatePage(NamedTuple):
    """The page of a duplicate for one visitor.

    `has_seat_links`: it contains links to seats. `is_closed`: all of its tables are over, but it is not
    revealed yet.
    """

    version: int
    html: str
    game: Game | None
    has_seat_links: bool
    is_closed: bool


class DuplicatePages:
    """Renders the pages of duplicates."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages
        self._versions: OrderedDict[tuple[str, str | None, str, ShareAddress], tuple[bytes, int]] = OrderedDict()
        """For each viewer of a duplicate a digest of the content, and the version since which it has been valid."""

    async def state(self, duplicate_id: str, visitor: Visitor, _: int) -> TopicState | None:
        """Return the state of the topic `DUPLICATE`."""
        try:
            page = await self.page(duplicate_id, visitor)
        except TableRefusal:
            return None
        return TopicState(page.version, page.html, 0 if page.has_seat_links else COMPRESSION_LEVEL)

    async def page(self, duplicate_id: str, visitor: Visitor) -> DuplicatePage:
        """Return the page of a duplicate as this visitor may see it.

        Raise TableRefusal no-table for a visitor who may not know of any of its tables.
        """
        live, language = self._live, visitor.language
        duplicate_tables = await live.tables.duplicate_tables(duplicate_id)
        if not may_see(duplicate_tables, visitor.person_id):
            raise refusals.no_table()
        game, is_withheld = game_of(duplicate_tables[0]), any(table.is_withheld for table in duplicate_tables)
        results = {} if is_withheld else await live.game_history.of_tables(duplicate_tables)
        seen = [await live.delayed_tables.seen_by(table, visitor.person_id) for table in duplicate_tables]
        rows = [row(table, visitor.person_id, live.invitations) for table in seen]
        content = self._pages.render_part(
            "duplicate_tables.html",
            language,
            game,
            duplicate=duplicate_id,
            rows=rows,
            is_withheld=is_withheld,
            compared=compare(duplicate_tables, results, self._pages.words(language, game)),
            share=visitor.share_address,
        )
        version = self._version((duplicate_id, visitor.person_id, language, visitor.share_address), content)
        html = self._pages.render(
            "duplicate_live.html",
            language,
            game,
            topic=f"{DUPLICATE}{duplicate_id}",
            version=version,
            is_withheld=is_withheld,
            content=content,
        )
        closed = is_withheld and all(table.is_over for table in duplicate_tables)
        return DuplicatePage(version, html, game, any(row.links for row in rows), closed)

    def _version(self, viewer: tuple[str, str | None, str, ShareAddress], content: str) -> int:
        """Return a version that grows when the content changes for this viewer, not with every event at its tables."""
        digest = blake2b(content.encode(), digest_size=16).digest()
        known_digest, version = self._versions.pop(viewer, (b"", 0))
        if known_digest != digest:
            version = next_version(version)
        self._versions[viewer] = digest, version
        if len(self._versions) > MAX_VIEWERS:
            self._versions.popitem(last=False)
        return version
