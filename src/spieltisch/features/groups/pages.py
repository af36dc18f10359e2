"""The groups of a visitor in the lobby, and what the page of a group shows."""

from collections.abc import Mapping
from typing import Any

from spieltisch.features.groups.rows import Group, as_seen
from spieltisch.features.groups.service import Groups
from spieltisch.features.groups.standings import head_to_head, standings
from spieltisch.features.playmates.service import Playmates
from spieltisch.games import game as game_by_key
from spieltisch.games import game_modules
from spieltisch.live import Live
from spieltisch.store.table_rows import StoredTable
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.renderer import Renderer

MAX_FINISHED = 20
"""The number of finished games that the page of a group lists, the newest."""


class GroupPages:
    """Renders the links to a visitor's groups, and the page of a group."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._groups = live.service(Groups)
        self._pages = pages

    async def lobby_section(self, visitor: Visitor, _: str) -> str:
        """Return the links, for a visitor who is a person."""
        if visitor.person is None:
            return ""
        groups = await self._groups.of(visitor.person.id)
        return self._pages.render("groups/section.html", visitor.language, groups=groups)

    def key(self, person: str, group: Group, other: str) -> str:
        """Return the name of a member in the forms of another one."""
        return self._live.service(Playmates).key(f"{group.id} {person}", other)

    async def context(self, person: str, group: Group) -> dict[str, Any]:
        """Return the variables of `page.html` for a member."""
        of_group, results = await self._groups.tables(group)
        tables = as_seen(of_group, person)
        member = group.member(person)
        ranked = [each.id for each in group.members if each.is_ranked]
        games = {key: game_by_key(key) for key in game_modules()}
        return {
            "group": group,
            "me": member,
            "is_host": group.host == person,
            "keys": {each.id: self.key(person, group, each.id) for each in group.members},
            "member_names": {each.id: each.name for each in group.members},
            "link": self._groups.link(group) if group.may_invite(person) else "",
            "waiting": [_row(table, group, person) for table in tables if table.status == "open"],
            "running": [_row(table, group, person) for table in tables if table.status == "running"],
            "finished": [_row(table, group, person) for table in tables if table.status == "finished"][:MAX_FINISHED],
            "standings": standings(results, ranked),
            "pairs": head_to_head(results, ranked),
            "games": games,
            "pictured": {key for key, game in games.items() if self._pages.has_picture(game)},
        }


def _row(table: StoredTable, group: Group, person: str) -> Mapping[str, Any]:
    """Return a table as members see it: it names members only, and others by their number."""
    seats, summary = table.summary.seats, table.summary
    here = [member.name for seat in seats if (member := group.member(seat.person)) is not None]
    free = any(seat.kind == "link" for seat in seats) or any(
        seat.kind == "reserved" and seat.person == person for seat in seats
    )
    others = sum(seat.kind == "person" and group.member(seat.person) is None for seat in seats)
    won = [member.name for seat in summary.winners if (member := group.member(seats[seat].person)) is not None]
    can_sit = table.status == "open" and free and summary.seat_of(person) is None
    return {
        "id": table.id,
        "game": table.game,
        "names": here,
        "others": others,
        "won": won,
        "can_sit": can_sit,
        "is_turn": summary.is_turn_of(person),
        "is_seated": summary.seat_of(person) is not None,
    }
