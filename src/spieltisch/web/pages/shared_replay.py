"""Replays that several people look at together: one leads, and the pages of those who follow go to the same step.

Only who leads is announced. The pages that follow read it as all others do, so no one learns who reads a replay.
"""

from collections import OrderedDict
from typing import Final, NamedTuple

from spieltisch.live import Live
from spieltisch.tables import Table
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState

LED: Final = "led:"
"""Prefix of the topic."""
MAX_LEADS: Final = 256
"""Maximum number of tables whose leader is kept."""
LEAD_SECONDS: Final = 3600.0
"""The time after their last step for which a player counts as leading."""


class Lead(NamedTuple):
    """The player who leads, the step that they show (None: they have ended), and when they showed it.

    `what_if` is the link for spectators of the table at which they play on from there, if they do.
    """

    version: int
    person: str
    seat: int
    step: int | None
    at: float
    what_if: str


class SharedReplays:
    """Keeps who leads at which table, and renders it."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages
        self._leads: OrderedDict[str, Lead] = OrderedDict()
        live.notices.on("lead", self._hear)

    def show_step(self, table: Table, person: str, seat: int, step: int | None, what_if: str = "") -> None:
        """Lead the others to a step, and by a link to a table that continues there; or (None) lead no more."""
        self._live.notices.announce("lead", table.id, person, str(seat), "" if step is None else str(step), what_if)

    def is_leading(self, table: Table, person: str) -> bool:
        """Return True if a person leads the others at a table."""
        lead = self._current(table)
        return lead is not None and lead.person == person

    def _current(self, table: Table) -> Lead | None:
        lead = self._leads.get(table.id)
        is_led = lead is not None and lead.step is not None and self._live.clock() - lead.at < LEAD_SECONDS
        return lead if is_led else None

    def _hear(self, version: int, table_id: str, person: str, seat: str, step: str, what_if: str) -> None:
        earlier = self._leads.pop(table_id, None)
        if not step and earlier is not None and (earlier.person != person or earlier.what_if):
            self._leads[table_id] = earlier  # someone else leads, or the page was left to play on
            return
        at = self._live.clock()
        self._leads[table_id] = Lead(version, person, int(seat), int(step) if step else None, at, what_if)
        if len(self._leads) > MAX_LEADS:
            self._leads.popitem(last=False)
        self._live.publish(f"{LED}{table_id}", None)

    async def state(self, table: Table, perspective: Perspective, visitor: Visitor, known: int) -> TopicState | None:
        """Return who leads at which step."""
        lead = self._leads.get(table.id)
        if perspective.is_delayed or lead is None or lead.version <= known:
            return None
        return self.current(table, perspective, visitor)

    def current(self, table: Table, perspective: Perspective, visitor: Visitor) -> TopicState:
        """Return who leads now, for a page; no one for spectators with a delay, to whom steps are unknown."""
        newest = None if perspective.is_delayed else self._leads.get(table.id)
        html = self._pages.render(
            "led_replay.html",
            visitor.language,
            table.game,
            table.names,
            lead=None if perspective.is_delayed else self._current(table),
            is_own=newest is not None and newest.person == visitor.person_id,
        )
        return TopicState(newest.version if newest is not None else 0, html)
