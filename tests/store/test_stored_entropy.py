"""Tables of earlier versions, at which players have added texts to chance: their pages, and the waiting one begins."""

from __future__ import annotations

import html
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from spieltisch.core.record import Record
from tests.store.test_stored import HELD, STORED, sign_in
from tests.web.conftest import Server, Visitor


@pytest.fixture
def server(tmp_path: Path, own_server: Callable[..., Server]) -> Server:
    """A server of the stored database."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with closing(sqlite3.connect(data / "spieltisch.sqlite3")) as connection:
        connection.executescript((STORED / "database.sql").read_text())
    return own_server("--limit", "waiting_days=0")  # else tables that have waited for so long are closed


def test_what_was_added_can_still_be_read_and_checked(server: Server) -> None:
    path, texts = (HELD["tables"]["finished-stirred"][name] for name in ("id", "texts"))
    with sign_in(server, "ada") as ada:
        deal = html.unescape(ada.get(f"/table/{path}/fairness").text)
        assert all(text in deal for text in texts)
        assert "and the texts that players added" in deal
        record = Record.parse(ada.get(f"/table/{path}/record").text)
    assert record.texts == tuple(texts)


def test_a_table_that_waits_begins_with_what_was_added_and_takes_nothing_more(server: Server) -> None:
    table, texts = (HELD["tables"]["open-stirred-rematch"][name] for name in ("id", "texts"))
    path = f"/table/{table}"
    with sign_in(server, "ada") as ada, sign_in(server, "ben") as ben:
        waiting = ben.get(path).text
        assert "add to chance" not in waiting.lower()
        assert ben.submit(f"{path}/stir", text="late").status_code == 404
        answer = ada.submit(f"{path}/sit", text="late")
        assert (answer.status_code, ben.state(path)["status"]) == (303, "running")
        assert list(Record.parse(ben.get(f"{path}/record").text).texts) == texts


def test_a_new_table_says_that_chance_comes_from_the_secret_alone(server: Server) -> None:
    with Visitor(server) as ada:
        path = ada.table("me", "bot:random", "bot:random")
        deal = ada.get(f"{path}/fairness").text
        assert "Everything random at this table comes from one secret of 32 random bytes." in deal
        assert Record.parse(ada.get(f"{path}/record").text).scheme == 2
