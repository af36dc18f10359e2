"""Check that no page shows what a removed person has written, and that those who could not read it learn of nothing."""

from __future__ import annotations

import re

import pytest

from spieltisch.features.chat.commands import REACTION_SYMBOLS
from spieltisch.features.chat.service import TOPIC as CHAT
from tests.sentences import sentence_after
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


@pytest.mark.parametrize("has_whispered", [False, True])
def test_a_removed_greeting_shows_no_number_that_counts_spectators(server: Server, has_whispered: bool) -> None:
    """Compare two worlds that differ in whether a removed spectator had written to other spectators."""
    with Visitor(server) as ada, Visitor(server) as eve, Visitor(server) as sue:
        path = ada.table("me", "open", "open")
        for spectator, name in ((eve, "Eve"), (sue, "Sue")):
            spectator.table("me", "open", "open", name=name)
        if has_whispered:
            assert eve.submit(f"{path}/chat", room="watch", text="psst").status_code == 303
        assert eve.submit("/me/leave", sure="on").status_code == 200
        assert sue.submit(f"{path}/chat/greeting").status_code == 303
        assert sue.submit("/me/leave", sure="on").status_code == 200
        (row,) = ada.get(f"{path}/chat", headers={"Accept": "application/json"}).json()
    spectator_name = sentence_after("features/chat/commands.py", "SPECTATOR: Final")
    assert (row["number"], row["name"], row["text"]) == (1, spectator_name, None)
