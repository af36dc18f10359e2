"""Check that spectators can greet players once, and that a greeting tells nothing else."""

from __future__ import annotations

from spieltisch.features.chat.commands import GREETING
from tests.features.shown_pages import JSON, everything
from tests.sentences import sentence_after
from tests.web.servers import Server
from tests.web.visitors import Visitor


def test_a_spectator_greets_the_players_once(
    running_table: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    path, players = running_table
    assert 'id="greet-button"' not in players[0].get(path).text
    assert players[0].submit(f"{path}/chat/greeting").status_code == 303, "a player writes there anyway"
    with Visitor(server) as stranger:
        assert 'id="greet-button"' in stranger.get(path).text
        assert stranger.submit(f"{path}/chat/greeting", name="").status_code == 422
        assert stranger.submit(f"{path}/chat/greeting", name="Dan").status_code == 303
        again = stranger.submit(f"{path}/chat/greeting")
        assert (again.status_code, stranger.submit(f"{path}/chat", room="table", text="c4!").status_code) == (409, 422)
    messages = players[1].get(f"{path}/chat", headers=JSON).json()
    spectator = sentence_after("features/chat/commands.py", "SPECTATOR: Final")
    assert [(message["name"], message["text"]) for message in messages] == [("Ada", GREETING), (spectator, GREETING)]
    page = players[1].get(path).text
    assert (spectator in page, "Dan" in page) == (True, False), "a name could be advice"
    assert players[1].submit(f"{path}/chat/table/2/mute").status_code == 404, "it would mark what Dan writes later"


def test_a_muted_spectator_cannot_be_told_by_their_greeting(
    running_table: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    path, _ = running_table
    with Visitor(server) as dan:
        dan.table("me", "open", "open", name="Dan")
        assert dan.submit(f"{path}/chat", room="watch", text="hello").status_code == 303
        assert cid.submit(f"{path}/chat/watch/1/mute").status_code == 303
        assert dan.submit(f"{path}/chat/greeting").status_code == 303
    page = cid.get(f"{path}/chat").text
    assert (page.count("from-muted"), GREETING in page) == (1, True)


def test_a_greeting_reveals_nothing_of_the_notes_of_a_spectator(
    running_table: tuple[str, list[Visitor]], cid: Visitor, server: Server
) -> None:
    """Compare the messages of two spectators: one of them has notes and messages to other spectators."""
    path, (ada, *_) = running_table
    for room in ("note", "note", "watch"):
        assert cid.submit(f"{path}/chat", room=room, text="whispered-by-cid").status_code == 303
    with Visitor(server) as dan:
        dan.table("me", "bot:random", "bot:random", name="Dan")
        for spectator in (cid, dan):
            assert spectator.submit(f"{path}/chat/greeting").status_code == 303
    rows = ada.get(f"{path}/chat", headers=JSON).json()
    assert [(row["number"], row["room"]) for row in rows] == [(1, "table"), (2, "table")]
    assert {row["text"] for row in rows} == {GREETING}
    assert "whispered-by-cid" not in everything(ada, path)


def test_no_greeting_is_offered_at_a_table_without_chat(ada: Visitor, grace: Visitor, cid: Visitor) -> None:
    path = ada.table("me", "open", "bot:random", chat="off")
    assert grace.sit(path, "Grace").status_code == 303
    assert cid.submit(f"{path}/chat/greeting").status_code == 409
    assert 'id="greet-button"' not in cid.get(path).text
