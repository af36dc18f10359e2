"""Check a wrongly configured proxy: the refusal for visitors and the line in the log."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from tests.web.servers import Server
from tests.web.visitors import Visitor

JSON = {"Accept": "application/json"}
HTTPS = "https://games.example.org"


def test_a_form_from_an_unknown_address_is_refused_and_names_the_option(ada: Visitor) -> None:
    headers = {**JSON, "Origin": HTTPS, "Sec-Fetch-Site": "same-origin"}
    answer = ada.post("/preferences", data={"token": ada.token()}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    assert "--public-url" in answer.json()["message"]


def test_a_wrongly_configured_proxy_is_logged_once(own_server: Callable[..., Server]) -> None:
    """The proxy has another address than the configured one, and visitors put any address into the header."""
    other_site = "https://elsewhere.example.org"
    server = own_server("--public-url", other_site)
    with Visitor(server) as ada:
        headers = {**JSON, "Origin": HTTPS, "Sec-Fetch-Site": "same-origin"}
        answers = [ada.post("/preferences", data={"token": ada.token()}, headers=headers) for _ in range(3)]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "origin")}
    assert other_site in answers[0].json()["message"]
    with httpx.Client(base_url=server.address, verify=False) as proxy:
        proxy.get("/", headers={"X-Forwarded-For": "192.0.2.1"})
        proxy.get("/", headers={"X-Forwarded-For": "192.0.2.1, 127.0.0.1"})
        for _ in range(3):
            proxy.get("/", headers={"X-Forwarded-For": "198.51.100.66, 192.0.2.1"})
    server.stop()
    (line,) = (line for line in server.log.splitlines() if "forms are refused" in line)
    assert "--public-url" in line
    assert f"origin={HTTPS}" in line
    (line,) = (line for line in server.log.splitlines() if "X-Forwarded-For" in line)
    assert "addresses=2" in line
    assert "taken=192.0.2.1" in line


def test_the_refusal_of_a_form_from_another_site_does_not_name_the_option(server: Server, ada: Visitor) -> None:
    headers = {**JSON, "Origin": f"{HTTPS}:8443", "Sec-Fetch-Site": "cross-site"}
    answer = ada.post("/preferences", data={"token": ada.token()}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    assert "--public-url" not in answer.json()["message"]
    assert f"origin={HTTPS}:8443" not in server.log


def test_the_refusal_of_a_browser_without_cookies_explains_the_cookies(ada: Visitor) -> None:
    token = ada.token()
    ada.cookies.clear()
    answer = ada.post("/preferences", data={"token": token}, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, "cookie")
