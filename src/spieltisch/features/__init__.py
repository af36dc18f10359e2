"""Features: what players can do besides the moves of a game, each with all its parts in one package.

Belongs here: all that only one feature needs, from its rows to its pages. Does not belong here: what several features
need (`tables`, `store`, `live`, `web`).

A feature is a package `features/NAME/` with the files that it needs of `rows.py` (its SQL tables and what is read and
written there), `commands.py`, `service.py`, `pages.py`, `routes.py`, `templates/`, `static/` and `locale/`. Its
`__init__.py` makes one object `FEATURE`, which is registered by one line in `FEATURES` below.

The tables, the store, what is live and the pages of a table know no feature. They call what a feature declares here:

`tables`
    The SQL tables of the feature. Each names in `Table.info` its `person` and its `table` column, if it has them.
    Removing a person or a table, and the export of a person's data, read that. One with `is_asked_for` lists tables
    whose kept seats their people have asked for: such a table is not hidden from those who block its host.
`on_append(connection, before, after, appended)`
    Called in the transaction that stores events of a table, with the summaries before and after them, if the feature
    has a row of that table or of one of its people. Return at once if your part of the summary is unchanged.
`served()`
    Imports and returns what the feature is on a running server, which is the rest of this list.
`service(live)`
    Makes what keeps the feature's state and offers its commands, when data are opened; `Live.service` returns it.
`topics`
    What pages of a table follow by the stream: for the prefix of each topic a class that is made with the running
    server and the renderer of pages. Its `state(table, perspective, visitor, known)` renders one visitor's view.
`sections`
    What the page of a table shows below the table: classes made like those of topics, often the same ones. Their
    `section(table, perspective, visitor)` renders it for one visitor.
`site_topics`
    What any page follows by the stream: for each topic, or the prefix of topics, a class as above, whose
    `state(subject, visitor, known)` renders one visitor's view.
`lobby_sections`
    What the lobby shows at its beginning: classes made like those of topics, often the same ones. Their
    `lobby_section(visitor, address)` renders it for one visitor.
`routes`
    The module with the handlers of the feature's addresses.
`run(live)`
    What the feature does by itself while a server runs: an asynchronous context, see `live/services.py`. When it is
    left, at the stop of the server and before the store is closed, none of its tasks may still be running.
`is_banned(live, person, address)`
    Returns True for a visitor who is refused everywhere. Called for each request, and again when a stream begins.
`hidden`
    Routes that exist only for visitors whom the feature lets in.

Features do not know each other, unless `pyproject.toml` declares it.
"""

from typing import Final

from spieltisch.features import (
    admin,
    alerts,
    chat,
    groups,
    here_now,
    matchmaking,
    metrics,
    planned_turns,
    playmates,
    seasons,
)
from spieltisch.features.feature import Feature

FEATURES: Final[tuple[Feature, ...]] = (
    alerts.FEATURE,
    planned_turns.FEATURE,
    chat.FEATURE,
    here_now.FEATURE,
    matchmaking.FEATURE,
    playmates.FEATURE,
    groups.FEATURE,
    seasons.FEATURE,
    metrics.FEATURE,
    admin.FEATURE,
)
"""All features, in the order in which their hooks are called. Whoever opens a store passes them to it."""
