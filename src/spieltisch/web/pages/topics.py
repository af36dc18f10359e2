"""Topics, which pages follow by the stream, and the objects that render their newest state.

A topic is a prefix and a subject, such as "chat:" and a table. The topic of a table follows most prefixes.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from spieltisch.live import Live
from spieltisch.tables import Table
from spieltisch.web.http.content_encoding import COMPRESSION_LEVEL
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer


class TopicState(NamedTuple):
    """The state of a topic as one visitor may see it.

    Pages ignore an empty `html`. It is not compressed (`level` 0) if it contains secrets of one reader next to text of
    other people.
    """

    version: int
    html: str
    level: int = COMPRESSION_LEVEL


class TableTopic(Protocol):
    """Renders something about tables."""

    async def state(self, table: Table, perspective: Perspective, visitor: Visitor, known: int, /) -> TopicState | None:
        """Return the state; None if there is nothing for this visitor, or nothing newer than the version `known`."""


class SiteTopic(Protocol):
    """Renders something about the subjects that follow the prefix."""

    async def state(self, subject: str, visitor: Visitor, known: int, /) -> TopicState | None:
        """Return the state, as `TableTopic` does."""


class TableSection(Protocol):
    """Renders a section of the page of a table, below the table."""

    async def section(self, table: Table, perspective: Perspective, visitor: Visitor, /) -> str:
        """Return the section; "" if there is nothing for this visitor."""


class LobbySection(Protocol):
    """Renders a section of the page of the lobby, at its beginning."""

    async def lobby_section(self, visitor: Visitor, address: str, /) -> str:
        """Return the section for a visitor at an address. Pushes of the lobby leave it as it is."""


MakeTableSection: TypeAlias = Callable[[Live, Renderer], TableSection]
MakeLobbySection: TypeAlias = Callable[[Live, Renderer], LobbySection]
MakeTableTopic: TypeAlias = Callable[[Live, Renderer], TableTopic]
MakeSiteTopic: TypeAlias = Callable[[Live, Renderer], SiteTopic]
Followers: TypeAlias = Callable[[str], Sequence[tuple[str | None, str]]]
"""Returns the person and the topic of each open page of a subject."""


def prefix_of(topic: str) -> str:
    """Return the prefix of a topic; "" for the topic of a table or of the whole site.

    >>> prefix_of("chat:k3J~a.link"), prefix_of("k3J!2")
    ('chat:', '')
    """
    return topic[: topic.find(":") + 1]


def parts_of(topic_of_table: str) -> tuple[str, str, str]:
    """Return the table's id, the spectator's link and the hot-seat player of a topic.

    >>> parts_of("k3J~a.link"), parts_of("k3J!2")
    (('k3J', 'a.link', ''), ('k3J', '', '2'))
    """
    rest, _, me = topic_of_table.partition("!")
    table_id, _, link = rest.partition("~")
    return table_id, link, me
