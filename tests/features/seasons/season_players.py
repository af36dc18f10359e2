"""Provide seasons of a running server with their players, for tests."""

from __future__ import annotations

from spieltisch.features.groups.rows import Defaults, Group
from spieltisch.features.seasons.rows import Rules, Season
from spieltisch.features.seasons.service import Seasons
from spieltisch.live import Live
from spieltisch.store import Person
from tests.live.live_fixture import ENDING, to_the_end

GAME = "paris-connection"
RULES = Rules((GAME,), 3, 3, 7, {GAME: Defaults(dict(ENDING))})
NAMES = ("Cleo", "Dora", "Emil", "Fay")


async def more_people(live: Live, count: int) -> list[Person]:
    """Return new people."""
    return [(await live.people.create(name))[0] for name in NAMES[:count]]


async def joined(live: Live, group: Group, people: list[Person], rules: Rules = RULES) -> Season:
    """Return a new season of a group with these people."""
    seasons = live.service(Seasons)
    season_id = await seasons.create(group.host, group.id, "Autumn", rules)
    for person in people:
        await seasons.join(person, group.id, season_id)
    return await seasons.find(group.id, season_id)


async def tables_now(live: Live, season: Season, status: str) -> list[str]:
    """Return the ids of the tables of a season with a status."""
    seasons = live.service(Seasons)
    season_tables = await seasons.tables(await seasons.find(season.group_id, season.id))
    return [table.stored.id for table in season_tables if table.stored.status == status]


async def open_tables(live: Live, season: Season) -> list[str]:
    """Return the ids of the tables of a season that wait for players."""
    return await tables_now(live, season, "open")


async def sit_all(live: Live, season: Season, people: list[Person]) -> None:
    """Let everyone take their seat at the tables that wait."""
    for table_id in await open_tables(live, season):
        for person in people:
            if (await live.tables.get(table_id)).seats_reserved_for(person.id):
                await live.tables.sit(table_id, person, None)


async def play_all(live: Live, season: Season) -> None:
    """Play all running games of a season to the end."""
    for table_id in await tables_now(live, season, "running"):
        await to_the_end(live, await live.tables.get(table_id))
