"""Versions of the lobby; a viewer's version grows only if something changes that the lobby shows to them."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Set
from typing import Final

from spieltisch.live.versions import next_version
from spieltisch.tables import TableSummary

MAX_PEOPLE: Final = 10_000
"""The number of people whose versions are remembered; all others get the newest forgotten one, too new at worst."""


class LobbyVersions:
    """The version of the public part of the lobby, and of each person's own tables, starting with `first`."""

    def __init__(self, first: int) -> None:
        self.public = first
        self.changed: Callable[[Set[str] | None], None] = lambda people: None
        """A callback for changes: gets the people whose own tables changed, or None if the public part did."""
        self._own: OrderedDict[str, int] = OrderedDict()
        self._others = first

    def own(self, person: str) -> int:
        """Return the version of a person's own tables."""
        return self._own.get(person, self._others)

    def of(self, person: str | None) -> int:
        """Return the version of the lobby for a person, or for an unknown visitor."""
        return self.public if person is None else max(self.public, self.own(person))

    def change(self, before: TableSummary | None, after: TableSummary) -> None:
        """Record that the summary of a table has changed; `before` is None for a new table."""
        if before == after:
            return
        summaries = [after] if before is None else [before, after]
        people = {
            person
            for person in frozenset[str]().union(*(summary.people for summary in summaries))
            if before is None or before.seen_by(person) != after.seen_by(person)
        }
        has_other_watched_seats = (before.watched_seats if before is not None else ()) != after.watched_seats
        is_public = has_other_watched_seats or any(summary.free_seats for summary in summaries)
        self.grow(next_version(), people, is_public=is_public)

    def grow(self, version: int, people: Collection[str], *, is_public: bool) -> None:
        """Record that what these people see has changed, and what everyone sees if it `is_public`."""
        for person in people:
            self._own[person] = max(version, self.own(person) + 1)
            self._own.move_to_end(person)
            if len(self._own) > MAX_PEOPLE:
                self._others = max(self._others, self._own.popitem(last=False)[1])
        if is_public:
            self.public = max(version, self.public + 1)
        self.changed(None if is_public else frozenset(people))

    def change_all(self) -> None:
        """Record that everything may have changed for all viewers."""
        self.public = self._others = next_version(max(self.public, self._others, *self._own.values()))
        self._own.clear()
        self.changed(None)
