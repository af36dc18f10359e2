"""Run commands on a table in memory, fold their events, and check what is true after every fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, NamedTuple, ParamSpec

import pytest

from spieltisch import game, tables
from spieltisch.core.setup import Setup
from spieltisch.tables import Event, NewTable, RecordedEvent, Table, TableRefusal, TableSettings
from spieltisch.tables.events import Opened

P = ParamSpec("P")


class Somebody(NamedTuple):
    id: str
    name: str


ADA, BEN, CLEO, DORA = (Somebody(name.lower(), name) for name in ("Ada", "Ben", "Cleo", "Dora"))
SECRET = bytes(range(32))


def setup(opened_event: Opened) -> Setup:
    return game(opened_event.game).setup(len(opened_event.seat_offers), None, **opened_event.options)


def refused(code: str, rule: str = "") -> pytest.RaisesExc[TableRefusal]:
    """Expect that the block raises a refusal with this code and rule."""

    def has_rule(refusal: TableRefusal) -> bool:
        assert refusal.rule == rule
        return True

    return pytest.RaisesExc(TableRefusal, match=f"^{code}: ", check=has_rule)


ENDING: dict[str, str | bool | int] = {"standstill": "ends"}
"""Options with which a game ends even if every player plays the first legal move."""


class Sitting:
    def __init__(self, events: Sequence[Event]) -> None:
        self.written: list[RecordedEvent] = []
        self.now = 1000.0
        """The time of the next event, in UTC seconds. It grows by one second with each event."""
        self._write(events)
        self.table = tables.fold("t", SECRET, self.written, setup)

    @classmethod
    def plan(cls, plan: NewTable) -> Sitting:
        rules = game(plan.game)
        return cls(tables.open_table(plan, rules, rules.components, ADA, SECRET))

    @classmethod
    def open(cls, *seats: str, watch_policy: str = "open", **options: str | bool) -> Sitting:
        return cls.plan(NewTable("paris-connection", seats, {**ENDING, **options}, watch_policy))

    @classmethod
    def on_the_clock(cls, charter: TableSettings) -> Sitting:
        """Return a running table of Ada, Ben and Cleo with these clock settings."""
        sitting = cls.plan(NewTable("paris-connection", ("me", "open", "open"), ENDING, charter=charter))
        sitting.does(tables.sit, BEN)
        sitting.does(tables.sit, CLEO)
        return sitting

    @classmethod
    def running(cls, watch_policy: str = "open", **options: str | bool) -> Sitting:
        """Return a running table of Ada, the host, Ben and Cleo."""
        sitting = cls.open("me", "open", "open", watch_policy=watch_policy, **options)
        sitting.does(tables.sit, BEN)
        sitting.does(tables.sit, CLEO)
        return sitting

    def does(
        self, command: Callable[Concatenate[Table, P], Sequence[Event]], *args: P.args, **kwargs: P.kwargs
    ) -> Sequence[Event]:
        """Run a command and check that it does not change the table it was given."""
        before = (self.table, tuple(self.table.events), self.table.summary())
        try:
            events = command(self.table, *args, **kwargs)
        except TableRefusal:
            assert (self.table, tuple(self.table.events), self.table.summary()) == before
            raise
        assert (self.table, tuple(self.table.events), self.table.summary()) == before, (
            "a command changes nothing itself"
        )
        first = len(self.written)
        self._write(events)
        self.table = tables.apply(self.table, self.written[first:])
        assert self.table.replay_difference is None
        return events

    def _write(self, events: Sequence[Event]) -> None:
        for event in events:
            copy = tables.decode(tables.encode(event))
            assert copy == event
            self.written.append(RecordedEvent(len(self.written) + 1, self.now, copy))
            self.now += 1

    @property
    def decider(self) -> Somebody:
        """Return the person whose turn it is."""
        seat = self.table.to_decide
        assert seat is not None
        person = self.table.seats[seat]
        assert person.kind == "person"
        return Somebody(person.person, person.name)

    @property
    def moves(self) -> list[str]:
        """Return the legal moves of the deciding seat."""
        assert self.table.position is not None
        return [str(move) for move in self.table.position.legal_moves]

    def plays(self, move: str = "") -> str:
        """Play this move, or the first legal one, for the deciding person; return the move."""
        move = move or self.moves[0]
        self.does(tables.play, self.decider.id, move, self.table.version)
        return move

    def to_the_end(self) -> Sitting:
        """Build as much as the rules allow, for every seat, until the game is over."""
        while self.table.status == "running":
            self.plays()
        return self

    def folded(self) -> Table:
        """Return the same table folded from all its events at once."""
        return tables.fold("t", SECRET, self.written, setup)
