"""Check the pages on which players are sought: with and without scripts, with refusals, and without names of others."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Person, wait_for_true
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

FORM = {"game": "paris-connection", "fewest": "3", "most": "3", "clock": "", "bot_minutes": "0"}
JSON = {"Accept": "application/json"}


def test_people_who_seek_the_same_are_led_to_one_table_by_plain_forms(own_server: Callable[..., Server]) -> None:
    server = own_server()
    names = ("Ada", "Ben", "Cleo")
    visitors = [Visitor(server) for _ in names]
    try:
        for visitor, name in zip(visitors, names, strict=True):
            answer = visitor.submit("/seek", name=name, **FORM)
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
        (path,) = {visitor.get("/seek").headers["location"] for visitor in visitors}
        assert [seat["name"] for seat in visitors[0].state(path)["seats"]] == list(names)
        assert f'data-found-table="{path.rpartition("/")[2]}"' in visitors[1].get("/").text
    finally:
        for visitor in visitors:
            visitor.close()


def test_a_visitor_sees_how_many_wait_and_no_names(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with Visitor(server) as zoe, Visitor(server) as visitor:
        assert zoe.submit("/seek", name="Zoë Quagga", **FORM).status_code == 303
        own_lobby = zoe.get("/").text
        assert 'formaction="/seek/cancel"' in own_lobby
        for page in ("/", "/seek"):
            text = visitor.get(page).text
            assert "Quagga" not in text
            assert "/seek/cancel" not in text
        text = visitor.get("/seek").text
        assert re.findall(r'<svg class="(game-cover)"', text) == ["game-cover"] * 3
        assert re.findall(r'<option value="[a-z-]+" data-cover="(.)"', text) == ["1", "2", "3"]  # the cover to show
        (state,) = visitor.get("/changes", params={"watch": "seeks@0"}).json()
        assert "1" in state["html"]
        assert "Quagga" not in state["html"]
        assert zoe.submit("/seek/cancel").status_code == 303
        assert 'formaction="/seek/cancel"' not in zoe.get("/").text
        (state,) = visitor.get("/changes", params={"watch": "seeks@0"}).json()
        assert "1" not in state["html"]


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"game": "chess"}, 404, "no-game"),
        ({"most": "1"}, 422, "seats"),
        ({"clock": "hourglass"}, 422, "settings"),
        ({"name": ""}, 422, "name"),
    ],
)
def test_what_no_one_can_seek_is_refused_with_a_reason(
    server: Server, wrong: dict[str, str], status: int, code: str
) -> None:
    with Visitor(server) as visitor:
        form = {"token": visitor.token(), "name": "Ada", **FORM} | wrong
        answer = visitor.post("/seek", data=form, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert 'class="own-name"' not in visitor.get("/").text, "it made no person"


def test_an_address_can_seek_players_only_so_many_times_an_hour(own_server: Callable[..., Server]) -> None:
    with Visitor(own_server("--limit", "new_tables_per_hour=2")) as ada:
        assert [ada.submit("/seek", name="Ada", **FORM).status_code for _ in range(2)] == [303, 303]
        answer = ada.post("/seek", data={"token": ada.token(), **FORM}, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many-openings")


def test_a_stranger_cannot_cancel_anything(server: Server) -> None:
    with Visitor(server) as stranger:
        answer = stranger.post("/seek/cancel", data={"token": stranger.token()}, headers=JSON)
        assert answer.json()["code"] == "not-your-seat"


@pytest.mark.browser
def test_an_open_lobby_shows_who_waits_and_the_table_that_was_found(
    own_server: Callable[..., Server], open_page: Person
) -> None:
    server, page = own_server(), open_page()
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cleo:
        assert ada.submit("/seek", name="Ada", **FORM).status_code == 303
        let_in(page.context, ada)
        page.goto(f"{server.address}/")
        expect(page.locator('.seeks [formaction="/seek/cancel"]')).to_be_visible()
        for visitor, name in ((ben, "Ben"), (cleo, "Cleo")):
            assert visitor.submit("/seek", name=name, **FORM).status_code == 303
        expect(page).to_have_url(re.compile(r"/table/[\w-]+$"))
        assert page.url.endswith(ben.get("/seek").headers["location"])


LISTEN = """
window.signals = [];
Object.defineProperty(document, 'hidden', { get: () => !window.isBack });
window.Notification = class {
  static permission = 'granted';
  constructor(title, options) { window.signals.push(options.tag); }
};
const tone = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.signals.push('rang'); return tone.call(this); };
"""


@pytest.mark.browser
def test_in_a_hidden_tab_the_table_is_announced_and_opened_when_its_person_comes_back(
    own_server: Callable[..., Server], open_page: Person
) -> None:
    server, page = own_server(), open_page()
    with Visitor(server) as ada, Visitor(server) as ben, Visitor(server) as cleo:
        assert ada.submit("/seek", name="Ada", **FORM).status_code == 303
        signals = {f"{signal}{shown}": "on" for signal in ("sound", "notify") for shown in ("", "-shown")}
        ada.submit("/preferences", **signals)
        let_in(page.context, ada)
        page.add_init_script(LISTEN)
        page.goto(f"{server.address}/")
        expect(page.locator('.seeks [formaction="/seek/cancel"]')).to_be_visible()
        for visitor, name in ((ben, "Ben"), (cleo, "Cleo")):
            assert visitor.submit("/seek", name=name, **FORM).status_code == 303
        path = ben.get("/seek").headers["location"]
        wait_for_true(page, "() => window.signals.includes('rang')")
        assert path in page.evaluate("window.signals")
        assert page.title().startswith("●")
        page.evaluate("window.isBack = true; document.dispatchEvent(new Event('visibilitychange'))")
        expect(page).to_have_url(f"{server.address}{path}")
