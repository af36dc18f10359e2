"""Provide evenings of a running server with their players, for tests."""

from __future__ import annotations

from spieltisch.features.groups.rows import Defaults
from spieltisch.features.seasons.rows import Rules, Season
from spieltisch.features.seasons.service import Seasons
from spieltisch.live import Live
from spieltisch.store import Person
from spieltisch.tables import Table
from tests.features.live_groups import group_of
from tests.features.seasons.season_players import GAME, joined
from tests.live.live_fixture import ENDING

EVENING = Rules((GAME,), 3, 2, 1, {GAME: Defaults(dict(ENDING))}, is_evening=True)
"""Two deals of a game that ends soon."""


async def begun(live: Live, people: list[Person], *members: Person, rules: Rules = EVENING) -> Season:
    """Return an evening of a new group of people and further members, whose first deal has begun."""
    season = await joined(live, await group_of(live, *people, *members), people, rules)
    await live.service(Seasons).begin(people[0].id, season.group_id, season.id)
    return await again(live, season)


async def again(live: Live, season: Season) -> Season:
    """Return an evening as it is now."""
    return await live.service(Seasons).find(season.group_id, season.id)


async def dealt(live: Live, season: Season) -> list[Table]:
    """Return the tables of the current round."""
    season = await again(live, season)
    of_round = [table for table in await live.service(Seasons).tables(season) if table.round == season.round]
    return [await live.tables.get(table.stored.id) for table in of_round]
