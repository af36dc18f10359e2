"""Check a server whose host lists a bot of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.servers import Server, ServerEnded
from tests.web.visitors import Visitor


def test_a_bot_listed_by_the_host_is_offered_and_takes_a_seat(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(
        "def last(seen, seed, seconds):\n    return seen.imagine(seed).legal_moves[-1].text\n"
    )
    with pytest.raises(ServerEnded, match=r"--bot: .*mine\.py has no 'first'"):
        own_server("--bot", f"{tmp_path}/mine.py:first")
    server = own_server("--bot", f"{tmp_path}/mine.py:last@0.5", "--no-compile-search")
    with Visitor(server) as ada:
        for page in ("/", "/new/paris-connection"):
            assert "Bot: mine.py:last@0.5" in ada.get(page).text
            assert str(tmp_path) not in ada.get(page).text
        response = ada.submit("/new/paris-connection/now", bot="mine.py:last@0.5", name="Ada")
        assert {seat["bot"] for seat in ada.state(response.headers["location"])["seats"]} == {"", "mine.py:last@0.5"}
        path = ada.table("me", "open", "bot:random")
        offered = re.findall(r'formaction="(/table/[^"]+/replace/1/[^"]+)"', ada.get(path).text)
        assert ada.submit(next(address for address in offered if "mine" in address)).status_code == 303
        assert ada.state(path)["seats"][1]["bot"] == "mine.py:last@0.5"
        assert ada.submit("/new/paris-connection/now", bot=f"{tmp_path}/mine.py:last").status_code == 422
    assert server.stop() == 0
