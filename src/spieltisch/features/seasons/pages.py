"""The page of a season, and the page to show on a wall, which updates itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.features.groups.rows import Group
from spieltisch.features.seasons.rows import JOINING, OVER, Season, SeasonTable
from spieltisch.features.seasons.service import TOPIC, Seasons, rounds_of, sizes_for
from spieltisch.features.seasons.standings import Game, aborted_game, against_deal, game_of, standings
from spieltisch.games import game as game_by_key
from spieltisch.live import Live
from spieltisch.store import results
from spieltisch.tables.table_settings import DAY
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.table_settings import describe
from spieltisch.web.pages.topics import TopicState


class SeasonPages:
    """Renders seasons for the members of their group."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._seasons = live.service(Seasons)
        self._pages = pages

    async def state(self, subject: str, visitor: Visitor, known: int) -> TopicState | None:
        """Return what the wall shows; None to anyone but members."""
        version = self._seasons.version(subject)
        if version <= known or (found := await self._seasons.for_member(subject, visitor.person_id)) is None:
            return None
        context = await self.context(visitor.person_id, *found)
        return TopicState(version, self._pages.render("seasons/wall_live.html", visitor.language, **context))

    async def context(self, person: str | None, season: Season, group: Group) -> dict[str, Any]:
        """Return the variables of the pages of a season."""
        version = self._seasons.version(season.id)  # before what it stands for is read
        tables = await self._seasons.tables(season)
        games = await self._games(tables, is_evening=season.rules.is_evening)
        count = len(season.members)
        sizes = sizes_for(season.rules, count)
        return {
            "group": group,
            "season": season,
            "me": season.member(person),
            "is_host": group.host == person,
            "stage": "joining" if season.round == JOINING else "over" if season.round == OVER else "running",
            "sizes": sizes,
            "round_count": len(season.plan.rounds) or (rounds_of(season.rules, count, sizes) if sizes else 0),
            "games": [game_by_key(key) for key in season.rules.games],
            "settings": {key: describe(defaults.charter) for key, defaults in season.rules.defaults.items()},
            "ends": season.began + season.rules.days * DAY,
            "rounds": [_round(season, number, tables, person) for number in range(len(season.plan.rounds))],
            "standings": standings(season, games),
            "can_substitute": bool(season.free_numbers) and season.round + 1 < len(season.plan.rounds),
            "can_go_on": season.round < len(season.plan.rounds)
            and not any(table.stored.status in ("open", "running") for table in tables),
            "topic": f"{TOPIC}{season.id}",
            "version": version,
        }

    async def _games(self, tables: Sequence[SeasonTable], *, is_evening: bool) -> list[Game]:
        """Return the games that count: none of a deal that is still played. A missing result is computed."""
        withheld = {table.round for table in tables if table.stored.summary.is_withheld}
        tables = [table for table in tables if table.round not in withheld]
        finished = [table.stored.id for table in tables if table.stored.status == "finished"]
        found = await results.of_tables(self._live.store, finished)
        if missing := [table_id for table_id in finished if table_id not in found]:
            for table_id in missing:
                await self._live.game_history.add_result(table_id)
            found = await results.of_tables(self._live.store, finished)
        games: dict[int, list[Game]] = {}
        for table in tables:
            if (result := found.get(table.stored.id)) is not None:
                games.setdefault(table.round, []).append(game_of(table.round, table.players, result))
            elif table.stored.status == "aborted":
                games.setdefault(table.round, []).append(aborted_game(table.round, table.players, table.stored.summary))
        return [game for of_round in games.values() for game in (against_deal(of_round) if is_evening else of_round)]


def _round(season: Season, number: int, tables: Sequence[SeasonTable], person: str | None) -> Mapping[str, Any]:
    """Return a round as the pages show it: its tables with their players, and who pauses."""
    people, opened = season.by_number(number), {table.number: table for table in tables if table.round == number}
    planned = season.plan.rounds[number]
    seated = {player for players in planned for player in players}
    summaries = [table.stored.summary for table in opened.values()]
    deals = [each.duplicate for each in summaries if not each.is_withheld and each.seat_of(person or "") is not None]
    shown = []
    for place, players in enumerate(planned):
        table = opened.get(place)
        summary = table.stored.summary.seen_by(person or "") if table is not None else None
        is_hidden = summary is not None and summary.is_hidden_duplicate(person or "")
        shown.append(
            {
                "names": [people[player].name if player in people else "" for player in players],
                "id": table.stored.id if table is not None and not is_hidden else "",
                "status": table.stored.status if table is not None else "",
                "winners": summary.winners if summary is not None else (),
                "can_sit": summary is not None and person is not None and summary.keeps_seat_of(person),
                "is_turn": summary is not None and summary.is_turn_of(person or ""),
            }
        )
    return {
        "deal": next(iter(deals), ""),
        "game": game_by_key(season.rules.games[number % len(season.rules.games)]),
        "tables": shown,
        "pausing": [member.name for player, member in sorted(people.items()) if player not in seated],
    }
