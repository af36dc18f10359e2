"""The rounds of seasons, which begin, remind and end by themselves.

Every process looks at all seasons. Each step is stored together with the condition that no other has taken it, so that
no process needs a lease, and a server that was killed goes on where it stopped.
"""

import asyncio
import hmac
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import structlog
from msgspec.structs import replace

from spieltisch import tables
from spieltisch.alerts import texts
from spieltisch.alerts.texts import AlertText
from spieltisch.features.groups import rows as group_rows
from spieltisch.features.seasons import rows
from spieltisch.features.seasons.rows import SEASON_ALERT, Season, SeasonMember, SeasonTable
from spieltisch.live import Live
from spieltisch.live.alert_kinds import AlertKind
from spieltisch.live.disk_errors import await_write
from spieltisch.store import Connection, Person
from spieltisch.store.outbox import QueuedAlert
from spieltisch.store.table_rows import ACTIVE_STATUSES, StoredTable
from spieltisch.tables import Duplicate, Event, NewTable, Seat, Table, TableRefusal, refusals
from spieltisch.tables.confusables import confusable_with
from spieltisch.tables.events import Aborted, SeatOffer
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.summary import FREE_KINDS, TableSummary
from spieltisch.tables.table_settings import DAY

REMIND_AT: Final = 0.5
"""The part of a round after which those who are late are reminded."""
QUOTAS: Final = frozenset({RefusalCode.TOO_MANY_TABLES, RefusalCode.TOO_MANY_SEATS})
BOT: Final = "easy"
"""The bot that plays for those who have left the season."""

_logger = structlog.get_logger()


class Rounds:
    """Leads the seasons from round to round; `show` is called with each that has changed."""

    def __init__(self, live: Live, show: Callable[[str], object]) -> None:
        self._live = live
        self._show = show
        self._looking = asyncio.Lock()
        self.is_running = True  # until the first look
        self.season_of: dict[str, str] = {}
        """The seasons of tables that are not over."""
        self._known: dict[str, tuple[int, TableSummary]] = {}
        """For each of these tables, the last version heard of and what all members know of it."""
        live.alert_sender.kinds[SEASON_ALERT] = AlertKind(self._text, texts.title_of_season_tables)

    def notice(self, season_id: str, table: StoredTable | Table, summary: TableSummary) -> None:
        """Show a season if what all its members may know of a table has changed: no move of a hidden game."""
        version, known = self._known.get(table.id, (0, None))
        if table.version < version:  # what was read is older than what was heard
            return
        seen = summary.seen_by("")
        if summary.is_hidden_duplicate(""):  # of its seats, only the plan is shown
            seen = replace(seen, seats=(), host="", is_suspended=False)
        self.season_of[table.id], self._known[table.id] = season_id, (table.version, seen)
        if seen != known:
            self._show(season_id)
        if summary.status not in ACTIVE_STATUSES and not summary.is_withheld:
            del self.season_of[table.id], self._known[table.id]

    async def look(self, *only: str) -> None:
        """Take all steps that are due, in all seasons or `only` in some."""
        async with self._looking:
            seasons = await self._live.store.read(partial(rows.running, only=only))
            self.is_running = bool(seasons) or (bool(only) and self.is_running)
            for season in seasons:
                try:
                    await self._lead(season)
                except TableRefusal as refusal:
                    if refusal.code != RefusalCode.STALE:  # another process has taken the step
                        _logger.warning("a season could not go on", season=season.id, problem=str(refusal))

    async def _lead(self, season: Season) -> None:
        """Open the tables of the round, put bots where someone has left, remind, and begin the next round.

        At an evening no one is reminded, and the host begins the next round.
        """
        is_evening, is_opened = season.rules.is_evening, False
        try:
            for number in range(season.opened, len(season.tables)):
                await self._open_table(season, number)
            is_opened = True
        except TableRefusal as refusal:  # what is open goes on, and the round ends in its time
            if refusal.code == RefusalCode.STALE:
                raise
            _logger.warning("a table of a season could not be opened", season=season.id, problem=str(refusal))
        of_season = await self._live.store.read(partial(rows.tables_of, season=season))
        waiting = unfinished(of_season)
        for table in of_season:
            if table in waiting or table.stored.summary.is_withheld:
                self.notice(season.id, table.stored, table.stored.summary)
        length = season.rules.days * DAY
        passed = self._live.clock.seconds_since(season.began)
        for table in waiting:
            is_late = passed >= season.rules.seconds_before_bots or table.round < season.round
            try:
                await self._fill_seats(season, table.stored, is_late=is_late)
            except TableRefusal as refusal:  # the other tables, and the next round, do not wait for it
                _logger.warning("a bot could not take a seat of a season", table=table.stored.id, problem=str(refusal))
        rounds = len(season.plan.rounds) + (0 if is_evening else 1)  # a season has the time of one more to finish games
        is_last = season.round >= rounds - 1 and is_opened
        if is_last or is_evening:
            if passed >= length or (is_last and not waiting):
                await self._step(season, partial(rows.end, season=season, at=self._live.clock()))
        elif passed >= length:
            await self._step(season, partial(rows.advance, season=season, at=self._live.clock()))
            await self._lead_again(season.id)
        elif passed >= length * REMIND_AT and not season.is_reminded:
            await self._step(season, partial(self._remind, season=season, waiting=waiting))
            self._live.alert_sender.wake()

    async def _lead_again(self, season_id: str) -> None:
        season = await self._live.store.read(partial(rows.find, season_id=season_id))
        if season is not None:
            await self._lead(season)

    async def _step(self, season: Season, write: Callable[[Connection], object]) -> None:
        await await_write(self._live.store.write(write))
        self._show(season.id)

    async def _open_table(self, season: Season, number: int) -> None:
        """Open a table of the current round, at which bots play for those who have left; none for fewer than two.

        At an evening a table is opened for one person, too, and none whose deal may be known.
        """
        here = season.by_number(season.round)
        seated = [here[player] for player in season.tables[number] if player in here]
        is_evening = season.rules.is_evening
        is_known = is_evening and await await_write(self._live.store.write(partial(rows.is_dealt_out, season=season)))
        if is_known or len(seated) < (1 if is_evening else 2):
            await self._step(season, partial(rows.claim_table, season=season, number=number, table_id=None))
            return
        for host in seated:
            try:
                await self._open_as(host, season, number)
                return
            except TableRefusal as refusal:
                if refusal.code not in QUOTAS or host is seated[-1]:
                    raise

    async def _open_as(self, host: SeasonMember, season: Season, number: int) -> None:
        here, game = season.by_number(season.round), season.rules.games[season.round % len(season.rules.games)]
        seats = [here.get(player) for player in season.tables[number]]
        offers: dict[int, SeatOffer] = {}
        for seat, member in enumerate(seats):
            if member is not None:  # one who has taken a name like another's since they joined needs a new one to sit
                is_like_other = confusable_with(member.name, [offer.name for offer in offers.values()]) is not None
                name = f"{member.name} {seat + 1}" if is_like_other else member.name
                offers[seat] = SeatOffer("reserved", member.id, name)

        def also(connection: Connection, table_id: str) -> None:
            if season.rules.is_evening and rows.is_dealt_out(connection, season):
                raise refusals.stale()
            rows.claim_table(connection, season, number, table_id)
            group_rows.add_table(connection, season.group_id, table_id)
            asked = {offer.person for offer in offers.values()}
            if not asked <= rows.people_of(connection, season.id):  # someone has left just now
                raise refusals.stale()
            rows.alert(connection, table_id, 1, asked & _with_alerts(connection, season))

        kinds = tuple(f"bot:{BOT}" if member is None else "reserved" for member in seats)
        defaults = season.rules.defaults[game]
        plan = NewTable(
            game, kinds, dict(defaults.options), "link", defaults.components, defaults.charter, keeps_seats=True
        )
        deal = self._deal(season, number) if season.rules.is_evening else (None, None)
        table = await self._live.tables.open(host, plan, season.plan.origin, reserved=offers, deal=deal, also=also)
        self.notice(season.id, table, table.summary())
        self._live.alert_sender.wake()

    def _deal(self, season: Season, number: int) -> tuple[bytes, Duplicate]:
        """Return the secret of the current round, the same after a restart, and which of its tables this is."""
        secret, name = [
            hmac.digest(self._live.deal_key, f"{word} {season.id} {season.round}".encode(), "sha256")
            for word in ("deal", "name")
        ]
        return secret, Duplicate(name.hex()[:20], number + 1)

    async def _fill_seats(self, season: Season, stored: StoredTable, *, is_late: bool) -> None:
        """Put bots into seats that were left, and into those that no one has taken when it `is_late`.

        A table to which no one has come is closed.
        """
        days = season.rules.days

        def fill(table: Table) -> tuple[Event, ...]:
            if is_late and not table.people and season.rules.is_evening:
                return (Aborted(),) if table.status == "open" else ()
            if is_late and not table.people:
                return tables.expire(table, (days + 1) * DAY, days)
            is_waiting = self._live.clock.seconds_since(table.changed_at) < min(season.rules.seconds_before_bots, DAY)
            free = [seat for seat in table.seats if _is_free(seat, is_late=is_late, is_waiting=is_waiting)]
            is_active = table.status in ACTIVE_STATUSES and not table.is_suspended
            return tables.seat_bot(table, free[0].number, BOT) if free and is_active else ()

        if any(seat.kind in FREE_KINDS and (is_late or seat.kind == "left") for seat in stored.summary.seats):
            while fill(await self._live.tables.get(stored.id)):
                await self._live.tables.run(stored.id, fill)

    def _remind(self, connection: Connection, season: Season, waiting: Sequence[SeasonTable]) -> None:
        """Queue an alert for each person whom a table waits for."""
        rows.claim_reminder(connection, season)
        with_alerts = _with_alerts(connection, season)
        for table in waiting:
            summary = table.stored.summary
            late = {seat.person for seat in summary.seats if seat.kind == "reserved"} | {summary.waiting_for}
            rows.alert(connection, table.stored.id, table.stored.version, late & with_alerts)

    async def _text(self, table: Table, queued: QueuedAlert, person: Person) -> AlertText | None:
        """Return None if the table waits for this person no longer, or they want no alerts of the group now."""

        def read(connection: Connection) -> str | None:
            season = rows.of_table(connection, table.id)
            return season.name if season is not None and person.id in _with_alerts(connection, season) else None

        name = await self._live.store.read(read)
        waits = bool(table.seats_reserved_for(person.id)) or table.summary().waiting_for == person.id
        if name is None or table.is_over or not waits:
            return None
        return texts.season_text(table, person.id, person.language, name)


def _with_alerts(connection: Connection, season: Season) -> set[str]:
    """Return the members of the group who want alerts."""
    group = group_rows.find(connection, season.group_id)
    return {member.id for member in group.members if member.has_alerts} if group is not None else set()


def _is_free(seat: Seat, *, is_late: bool, is_waiting: bool) -> bool:
    """Return True if a bot may take a seat: one that was left, or, when it `is_late`, one that no one has taken.

    A seat that the host gives to someone else is theirs at first: then, too, the table has waited for them a while.
    """
    if seat.kind == "left" and (seat.given_away_from or seat.link_version > 0):
        return is_late and not is_waiting
    return seat.kind == "left" or (is_late and seat.kind in FREE_KINDS)


def unfinished(season_tables: Sequence[SeasonTable]) -> list[SeasonTable]:
    """Return the tables whose game is not over."""
    return [table for table in season_tables if table.stored.status in ACTIVE_STATUSES]
