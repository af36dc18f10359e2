"""Versions of the lobby: that of a viewer grows only when something changes that the lobby shows to them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Set
from typing import Final

from spieltisch.tables import TableSummary

MAX_PEOPLE: Final = 10_000
"""People whose versions are remembered; all others have the newest that was forgotten, too new at worst."""


class LobbyVersions:
    """The version of what everybody sees, and of what each person sees of their own tables, from `first` on."""

    def __init__(self, first: int) -> None:
        self.newest = first
        self.public = first
        self.changed: Callable[[Set[str] | None], None] = lambda people: None
        """Called with the people whose own tables have changed; with None when what everybody sees has."""
        self._own: OrderedDict[str, int] = OrderedDict()
        self._others = first

    def own(self, person: str) -> int:
        """Return the version of a person's own tables."""
        return self._own.get(person, self._others)

    def of(self, person: str | None) -> int:
        """Return the version of the lobby of a person, or of somebody unknown."""
        return self.public if person is None else max(self.public, self.own(person))

    def change(self, before: TableSummary | None, after: TableSummary) -> None:
        """Note that the summary of a table has changed; None: the table is new."""
        if before == after:
            return
        self.newest += 1
        summaries = [after] if before is None else [before, after]
        people = frozenset[str]().union(*(summary.people for summary in summaries))
        for person in people:
            self._own[person] = self.newest
            self._own.move_to_end(person)
            if len(self._own) > MAX_PEOPLE:
                self._others = self._own.popitem(last=False)[1]
        is_public = any(summary.free_seats for summary in summaries)
        if is_public:
            self.public = self.newest
        self.changed(None if is_public else people)

    def change_all(self) -> None:
        """Note that anything may have changed, for anybody."""
        self.newest += 1
        self._own.clear()
        self.public = self._others = self.newest
        self.changed(None)
