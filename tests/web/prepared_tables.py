"""Store tables late in a game, with all seats on one device, before a server starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from spieltisch import game, tables
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.store import ComponentSet, Person, Preferences, Store, component_sets, people
from spieltisch.store.schema import DATABASE
from spieltisch.tables import NewTable, Opened, RecordedEvent, Table
from tests.async_wait import wait

AT = 1_800_000_000.0
"""The time at which all prepared games were played."""

NAMES = [
    "Margarethe von Oettingen-Wallerstein IV.",
    "Gräfin Donnersmarck-Hohenlohe-Öhringen 2",
    "Jean-Baptiste Grenouille-de-Lamartinière",
    "Wilhelmina Charlotte van den Broekhovens",
    "Sebastian Knickerbocker-Featherstonehaug",
    "Hildegard Freifrau von und zu Guttenberg",
]
"""Names of the maximum length."""

Pick = Callable[[Position], Move | str | None]
"""A function that returns the next move, or None at the end."""


class Layout(NamedTuple):
    """A planned table: its game, other players (a name, or `bot:` and a kind), 32 secret bytes, and moves."""

    game: str
    others: Sequence[str]
    secret: bytes
    pick: Pick
    options: Mapping[str, str] = MappingProxyType({})


def _unchanged(setup: Setup, opened_event: Opened) -> Setup:
    return setup


def table_of(layout: Layout, key: str, host: Person, first_version: int = 1) -> Table:
    """Return the table with this id in memory, with all seats on the device of `host`."""
    rules = game(layout.game)
    seats_of_others = (other if other.startswith("bot:") else f"here:{other}" for other in layout.others)
    seats = ("me", *seats_of_others)
    plan = NewTable(layout.game, seats, dict(layout.options))
    opened_event = tables.open_table(plan, rules, rules.components, host, layout.secret)
    written_events = [RecordedEvent(version, AT, event) for version, event in enumerate(opened_event, first_version)]
    setup = rules.setup(len(seats), rules.components, **plan.options)
    table = tables.fold(key, layout.secret, written_events, partial(_unchanged, setup))
    while table.position is not None and (move := layout.pick(table.position)) is not None:
        if table.to_decide is None:
            raise ValueError(f"table {key} came to its end before it was far enough")
        event = tables.move_event(table, table.to_decide, str(move))
        table = tables.apply(table, [RecordedEvent(table.version + 1, AT, event)])
    return table


def prepare_tables(folder: Path, name: str, *layouts: Layout) -> tuple[str, list[str]]:
    """Store tables; return the session of the person with all seats, and the paths."""
    store = Store(folder / DATABASE)
    try:
        person, session = wait(people.add(store, name, "en", Preferences(), AT))
        paths = []
        for number, layout in enumerate(layouts):
            table = table_of(layout, f"laid-{number}", person)
            wait(component_sets.add(store, ComponentSet.of(table.game.components, AT)))
            lines = [(event.at, tables.encode(event.event)) for event in table.events]
            wait(store.create(table.id, table.game.key, layout.secret, lines, table.summary()))
            paths.append(f"/table/{table.id}")
        return session, paths
    finally:
        wait(store.close())
