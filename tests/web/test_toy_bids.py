"""Check that no page or stream for others contains a secret bid before all bids are revealed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from spieltisch import Record
from tests.web.servers import Server
from tests.web.visitors import Visitor

PAGES = ("", "/log", "/record", "/replay", "/since", "/fairness", "/why?words=bid")


@pytest.fixture
def players_and_spectator(game_with_bids: str, toy_server: Server) -> Iterator[list[Visitor]]:
    """Yield Ada and Grace, who play, and Mary, who watches."""
    with ExitStack() as leaving:
        yield [leaving.enter_context(Visitor(toy_server)) for _ in range(3)]


def opened(ada: Visitor, grace: Visitor) -> str:
    path = ada.table("me", "open", game="lots")
    assert grace.sit(path, "Grace").status_code == 303
    return path


def pushed(visitor: Visitor, path: str) -> str:
    """Return the events of the table that the stream sends."""
    lines: list[str] = []
    with visitor.stream("GET", "/stream", params={"watch": f"{path.rsplit('/', 1)[-1]}@0"}) as answer:
        for line in answer.iter_lines():
            if not line and "event: state" in lines:  # its event is whole; before it comes a heartbeat
                break
            lines.append(line)
    return "\n".join(lines)


def pages_of(visitor: Visitor, path: str) -> dict[str, str]:
    """Return everything visible of a table, by page."""
    pages = {page: visitor.get(f"{path}{page}", follow_redirects=True).text for page in PAGES}
    pages["state"] = visitor.get(path, headers={"Accept": "application/json"}).text
    pages["stream"] = pushed(visitor, path)
    steps = int(re.search(r'data-last-step="(\d+)"', pages["/replay"])[1])  # type: ignore[index]  # it stands there
    for at in range(steps + 1):
        pages[f"/replay?at={at}"] = visitor.get(f"{path}/replay?at={at}").text
    return pages


def plain(pages: dict[str, str], path: str) -> dict[str, str]:
    """Return pages without values that always differ: ids, times, tokens and the commitment."""
    table, times = path.rsplit("/", 1)[-1], r'data-version="\d{13}"|datetime="[^"]*"|<time.*?</time>'
    ids = re.compile(rf"{table}|\b[0-9a-f]{{32,64}}\b|{times}")
    return {name: ids.sub("", text) for name, text in pages.items()}


def pages_revealing_bid(pages: dict[str, str], bid: str) -> set[str]:
    """Return the names of pages that reveal a bid of Ada."""
    bid_pattern = re.compile(rf"Ada bids {bid[-1]}\.|seat 1: {bid}\b")
    return {name for name, text in pages.items() if bid_pattern.search(re.sub(r"<[^>]*>", "", text))}


def test_nothing_sent_reveals_a_bid_before_all_bids_are_revealed(players_and_spectator: list[Visitor]) -> None:
    ada, grace, mary = players_and_spectator
    path = opened(ada, grace)
    bid = ada.state(path)["moves"][-1]
    assert ada.play(path, bid).status_code == 200
    all_paths = {"", "/log", "/record", "/replay", "state", "stream", "/replay?at=0", "/replay?at=1"}
    assert pages_revealing_bid(pages_of(ada, path), bid) >= all_paths, "it is looked for where it stands"
    for other in (grace, mary):
        pages = pages_of(other, path)
        assert pages_revealing_bid(pages, bid) == set()
        assert "1 seat 1: ?" in pages["/record"]
        assert "Ada bids." in pages["state"]
    assert grace.play(path, grace.state(path)["moves"][0]).status_code == 200
    for visitor in players_and_spectator:
        assert pages_revealing_bid(pages_of(visitor, path), bid) >= all_paths
    second = ada.state(path)["moves"][0]
    assert ada.play(path, second).status_code == 200
    for other in (grace, mary):
        pages = pages_of(other, path)
        assert pages["/record"].splitlines()[-1] == "3 seat 1: ?"
        assert Record.parse(pages["/record"]).moves[0].move == bid
        assert pages_revealing_bid(pages, second) <= (set(pages) if second == bid else set())


def test_two_tables_that_differ_in_a_hidden_bid_look_the_same(players_and_spectator: list[Visitor]) -> None:
    ada, grace, mary = players_and_spectator
    pages_seen = []
    for bid_index in (0, -1):
        path = opened(ada, grace)
        bid = ada.state(path)["moves"][bid_index]
        assert ada.play(path, bid).status_code == 200
        pages_seen.append((bid, plain(pages_of(mary, path), path)))
    assert pages_seen[0][0] != pages_seen[1][0]
    assert pages_seen[0][1] == pages_seen[1][1]


def test_a_preview_shows_the_bid_of_the_player_and_nothing_about_other_bids(
    players_and_spectator: list[Visitor],
) -> None:
    ada, grace, _ = players_and_spectator
    path = opened(ada, grace)
    assert ada.play(path, ada.state(path)["moves"][-1]).status_code == 200
    state = grace.state(path)
    bid_page = grace.post(
        f"{path}/play",
        data={"token": grace.token(), "move": state["moves"][-1], "version": str(state["version"]), "look": "1"},
        headers={"HX-Request": "true"},
    )
    assert f"Grace bids {state['moves'][-1][-1]}." in re.sub(r"<[^>]*>", "", bid_page.text)
    assert "wins" not in bid_page.text
    assert "Ada bids" not in re.sub(r"<[^>]*>", "", bid_page.text)


def test_all_bids_of_a_game_against_bots_are_open_at_its_end(players_and_spectator: list[Visitor]) -> None:
    ada, _, mary = players_and_spectator
    path = ada.table("me", "bot:easy", "bot:random", game="lots")
    while (state := ada.state(path))["status"] == "running":
        if state["moves"]:
            assert ada.play(path, state["moves"][-1], state["version"]).status_code == 200
    record = Record.parse(mary.get(f"{path}/record").text)
    assert record.verify().is_over
    assert "?" not in record.text
    assert f"Ada bids {record.moves[0].move[-1]}." in re.sub(r"<[^>]*>", "", mary.get(f"{path}/replay?as=all").text)
