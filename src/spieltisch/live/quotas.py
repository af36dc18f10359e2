"""How much one person may have: tables, seats, component files, and how long a name may be."""

from __future__ import annotations

from spieltisch.core.words import message
from spieltisch.live.limits import Limits
from spieltisch.store import Store, counts
from spieltisch.tables import TableRefusal, check_name


class Quotas:
    """The limits of a server that are held against what is in its store."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits

    def name(self, text: str) -> str:
        """A name as it is kept. Raises `TableRefusal` name for one that cannot be one, or is too long here."""
        name, most = check_name(text), self._limits.letters
        if most and len(name) > most:
            words = message("A name has at most {count} characters; this one has {given}.", count=most, given=len(name))
            raise TableRefusal("name", words)
        return name

    async def table(self, host: str) -> None:
        """One more table of this person, who may sit there. Raises `TableRefusal` too-many-tables, too-many-seats."""
        most, hosted = self._limits.tables, self._limits.hosted
        if most and await counts.tables_going_on(self._store) >= most:
            words = message("This server has {count} tables that are not over, and takes no more for now.", count=most)
            raise TableRefusal("too-many-tables", words)
        if hosted and await counts.tables_going_on(self._store, host) >= hosted:
            words = message(
                "You have opened {count} tables that are not over. Finish one, or break it off, before the next.",
                count=hosted,
            )
            raise TableRefusal("too-many-tables", words)
        await self.seat(host)

    async def seat(self, person: str) -> None:
        """One more seat of this person. Raises `TableRefusal` too-many-seats."""
        most = self._limits.seats
        if most and await counts.seats_held(self._store, person) >= most:
            words = message(
                "You have {count} seats at tables that are not over. Finish a game, or leave one, before the next.",
                count=most,
            )
            raise TableRefusal("too-many-seats", words)

    async def component_file(self, person: str) -> None:
        """One more component file of this person. Raises `TableRefusal` too-many-component-files."""
        most = self._limits.sets
        if most and await counts.sets_kept(self._store, person) >= most:
            words = message("You have {count} component files here, and no more are kept for you.", count=most)
            raise TableRefusal("too-many-component-files", words)
