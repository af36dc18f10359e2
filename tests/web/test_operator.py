"""Check pages of the operator: imprint, contact, `security.txt` and `robots.txt`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from spieltisch.core.words import LANGUAGES
from spieltisch.web.http.addresses import BadAddress, contact_url
from tests.web.servers import Server, running_server


def test_robots_txt_allows_games_and_invitations_but_no_tables(server: Server) -> None:
    robots = RobotFileParser()
    robots.parse(httpx.get(f"{server.address}/robots.txt", verify=False).text.splitlines())
    for path in ("/games/paris-connection/rules", "/puzzles", "/join/abc"):
        assert robots.can_fetch("*", path)
    for path in ("/table/abc", "/me/history", "/device"):
        assert not robots.can_fetch("*", path)


def test_a_server_without_options_has_no_contact_imprint_or_metrics(server: Server) -> None:
    for path in ("/imprint", "/.well-known/security.txt", "/metrics"):
        assert httpx.get(f"{server.address}{path}", verify=False).status_code == 404
    assert 'href="/imprint"' not in httpx.get(server.address, verify=False).text


def test_imprint_and_contact_of_the_operator_are_linked(tmp_path: Path) -> None:
    imprint = tmp_path / "imprint.md"
    imprint.write_text("**Ada Lovelace**, <London>", encoding="utf-8")
    options = ("--contact", "ada@example.org", "--imprint", str(imprint))
    with (
        running_server(tmp_path / "data", *options) as started_server,
        httpx.Client(base_url=started_server.address, verify=False) as client,
    ):
        lobby = client.get("/").text
        assert 'href="/imprint"' in lobby
        assert 'href="mailto:ada@example.org"' in lobby
        assert "<strong>Ada Lovelace</strong>, &lt;London&gt;" in client.get("/imprint").text
        fields = dict(line.split(": ", 1) for line in client.get("/.well-known/security.txt").text.splitlines())
    assert fields.keys() == {"Contact", "Expires"}
    assert fields["Contact"] == "mailto:ada@example.org"
    assert timedelta(days=30) < datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC) < timedelta(days=365)


def kept(client: httpx.Client, language: str) -> dict[str, str]:
    """Return what the page about stored data says of each setting, in a language."""
    answer = client.get("/stored-data", headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert f'<html lang="{language}' in answer.text
    return dict(re.findall(r'<li data-kept="(\w+)">\s*(.*?)</li>', answer.text, re.DOTALL))


def test_players_read_in_their_language_for_how_long_data_is_kept(server: Server, tmp_path: Path) -> None:
    options = [word for days in ("finished_tables=731", "chats=1", "unused_people=0") for word in ("--keep-days", days)]
    with (
        running_server(tmp_path / "data", *options) as started_server,
        httpx.Client(base_url=started_server.address, verify=False) as client,
        httpx.Client(base_url=server.address, verify=False) as default_client,
    ):
        assert 'href="/stored-data"' in client.get("/").text
        pages = {language: kept(client, language) for language in LANGUAGES}
        default_pages = {language: kept(default_client, language) for language in LANGUAGES}
    for shown, default in zip(pages.values(), default_pages.values(), strict=True):
        numbers = {name: re.findall(r"\d+", text) for name, text in shown.items()}
        days = {"finished_tables": ["731"], "chats": ["1", "1"], "unbegun_tables": ["90"], "unused_people": []}
        assert numbers == {**days, "admin_log": ["365"]}
        assert {name: bool(re.search(r"\d", text)) for name, text in default.items()} == {
            "finished_tables": False, "unbegun_tables": True, "unused_people": True, "admin_log": True
        }  # fmt: skip
    for name in numbers:
        assert len({shown[name] for shown in pages.values()}) == len(LANGUAGES), name


@pytest.mark.parametrize(
    "text",
    ["Ada", "http://example.org", "javascript:alert(1)", 'https://example.org/"', "https://", "https:a", "https://["],
)
def test_an_invalid_contact_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress, match="--contact"):
        contact_url(text)
