"""The parts of a feature that others call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Table

from spieltisch.store.hooks import OnAppend

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from types import ModuleType

    from spieltisch.live import Live
    from spieltisch.web.http.requests import Request
    from spieltisch.web.pages.topics import MakeLobbySection, MakeSiteTopic, MakeTableSection, MakeTableTopic


@dataclass(frozen=True)
class Hidden:
    """Routes at the address `path` and below it, which exist only for requests that `admits` lets in.

    For all others the server answers as it does for any unknown address.
    """

    path: str
    admits: Callable[[Request], Awaitable[bool]]
    routes: ModuleType


@dataclass(frozen=True)
class Served:
    """The parts of a feature on a running server."""

    service: Callable[[Live], object] | None = None
    topics: Mapping[str, MakeTableTopic] = field(default_factory=dict)
    sections: tuple[MakeTableSection, ...] = ()
    site_topics: Mapping[str, MakeSiteTopic] = field(default_factory=dict)
    lobby_sections: tuple[MakeLobbySection, ...] = ()
    routes: ModuleType | None = None
    run: Callable[[Live], AbstractAsyncContextManager[object]] | None = None
    is_banned: Callable[[Live, str | None, str], bool] | None = None
    hidden: Hidden | None = None


@dataclass(frozen=True)
class Feature:
    """A feature and its hooks, as the docstring of `spieltisch.features` explains them.

    `served` imports what only a server needs, so that commands start without it.
    """

    name: str
    tables: tuple[Table, ...] = ()
    on_append: OnAppend | None = None
    served: Callable[[], Served] = Served

    @property
    def templates(self) -> Path:
        """The folder of its templates, whose names begin with that of the feature and a slash."""
        return Path(__file__).parent / self.name / "templates"
