"""A proxy that is set up wrong: what its visitors read, and the one line that the operator finds in the log."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from tests.web.conftest import Server, Visitor

Start = Callable[..., Server]
JSON = {"Accept": "application/json"}
HTTPS = "https://games.example.org"


@pytest.mark.parametrize("options", [(), ("--public-url", "https://elsewhere.example.org")])
def test_forms_of_an_address_the_server_does_not_know_name_the_option(
    own_server: Start, options: tuple[str, ...]
) -> None:
    server = own_server(*options)
    with Visitor(server) as ada:
        sent = {**JSON, "Origin": HTTPS, "Sec-Fetch-Site": "same-origin"}
        answers = [ada.post("/preferences", data={"token": ada.token()}, headers=sent) for _ in range(3)]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "origin")}
    assert (options[1] if options else "--public-url") in answers[0].json()["message"]
    server.stop()
    lines = [line for line in server.log.splitlines() if "forms are refused" in line]
    assert len(lines) == 1
    assert "--public-url" in lines[0]
    assert f"origin={HTTPS}" in lines[0]


def test_another_site_is_told_nothing_of_that(own_server: Start) -> None:
    server = own_server()
    with Visitor(server) as ada:
        sent = {**JSON, "Origin": HTTPS, "Sec-Fetch-Site": "cross-site"}
        answer = ada.post("/preferences", data={"token": ada.token()}, headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    assert "--public-url" not in answer.json()["message"]
    server.stop()
    assert server.log == server.quiet_log


def test_a_browser_without_cookies_is_told_what_they_are_for(own_server: Start) -> None:
    server = own_server()
    with Visitor(server) as ada:
        token = ada.token()
        ada.cookies.clear()
        answer = ada.post("/preferences", data={"token": token}, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, "cookie")


def test_a_header_that_visitors_write_themselves_is_told_once(own_server: Start) -> None:
    server = own_server("--public-url", HTTPS)

    def warnings() -> int:
        return server.log.count("X-Forwarded-For")

    with httpx.Client(base_url=server.address, verify=False) as proxy:
        proxy.get("/", headers={"X-Forwarded-For": "192.0.2.1"})
        proxy.get("/", headers={"X-Forwarded-For": "192.0.2.1, 127.0.0.1"})
        assert warnings() == 0
        for _ in range(3):
            proxy.get("/", headers={"X-Forwarded-For": "198.51.100.66, 192.0.2.1"})
    server.stop()
    assert warnings() == 1
