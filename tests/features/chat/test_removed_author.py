"""Check that no page shows what a removed person has written, and that those who could not read it learn of nothing."""

from __future__ import annotations

import re

from spieltisch.features.chat.commands import REACTION_SYMBOLS
from spieltisch.features.chat.service import TOPIC as CHAT
from tests.web.servers import Server
from tests.web.visitors import Visitor

NAME, TEXT = "Żywia", "call-me-at-4711"


def sent(visitor: Visitor, path: str) -> str:
    """Return the pages with the chat of a table, and what a page without a stream asks for."""
    key = path.rpartition("/")[2]
    topics = [f"{topic}{key}@0" for topic in ("", CHAT)]
    pages = [visitor.get(f"{path}{page}").text for page in ("", "/chat", "/log")]
    return "".join([*pages, visitor.get("/changes", params={"watch": topics}).text])


def versions(visitor: Visitor, path: str) -> list[str]:
    return re.findall(r'data-version="\d{13}"', visitor.get(path).text)


def test_messages_of_a_removed_spectator_are_shown_to_nobody(server: Server) -> None:
    with Visitor(server) as ada, Visitor(server) as zoe, Visitor(server) as stranger:
        path = ada.table("me", "open", "open")
        zoe.table("me", "open", "open", name=NAME)
        assert zoe.submit(f"{path}/chat", room="watch", text=TEXT).status_code == 303
        before, versions_of_player = sent(stranger, path), versions(ada, path)
        assert [word for word in (NAME, TEXT) if word in before] == [NAME, TEXT]
        assert zoe.submit("/me/leave", sure="on").status_code == 200
        after = sent(stranger, path)
        assert [word for word in (NAME, TEXT) if word in after] == []
        assert versions(ada, path) == versions_of_player, "who may not read the message learns of nothing"


def test_reactions_of_a_removed_spectator_are_shown_to_nobody(server: Server) -> None:
    with Visitor(server) as ada, Visitor(server) as zoe, Visitor(server) as stranger:
        path = ada.table("me", "open", "open")
        zoe.table("me", "open", "open", name=NAME)
        assert ada.submit(f"{path}/chat", room="table", text="Hello").status_code == 303
        assert zoe.submit(f"{path}/chat/table/1/clap").status_code == 303
        assert REACTION_SYMBOLS["clap"] in sent(stranger, path)
        assert zoe.submit("/me/leave", sure="on").status_code == 200
        assert REACTION_SYMBOLS["clap"] not in sent(stranger, path)


def test_the_removal_of_a_person_who_has_reported_a_message_changes_no_page(server: Server) -> None:
    with Visitor(server) as ada, Visitor(server) as zoe:
        path = ada.table("me", "open", "open")
        zoe.table("me", "open", "open", name=NAME)
        assert ada.submit(f"{path}/chat", room="table", text="Hello").status_code == 303
        before = versions(ada, path)
        assert zoe.submit(f"{path}/chat/table/1/report").status_code == 303
        assert zoe.submit("/me/leave", sure="on").status_code == 200
        assert versions(ada, path) == before
