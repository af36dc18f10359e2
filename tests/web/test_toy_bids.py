"""Secret bids at a table: nothing the server sends to another seat or a spectator contains a bid before all are
revealed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from spieltisch import Record
from tests.web.conftest import Server, Visitor

PAGES = ("", "/log", "/record", "/replay", "/since", "/fairness", "/why?words=bid")


@pytest.fixture
def people(lots: str, own_server: Callable[..., Server]) -> Iterator[list[Visitor]]:
    """Ada and Grace, who play, and Mary, who looks on."""
    running = own_server()
    with ExitStack() as leaving:
        yield [leaving.enter_context(Visitor(running)) for _ in range(3)]


def opened(ada: Visitor, grace: Visitor) -> str:
    path = ada.table("me", "open", game="lots")
    assert grace.sit(path, "Grace").status_code == 303
    return path


def pushed(visitor: Visitor, path: str) -> str:
    """Return what the stream sends of the table."""
    lines: list[str] = []
    with visitor.stream("GET", "/stream", params={"watch": f"{path.rsplit('/', 1)[-1]}@0"}) as answer:
        for line in answer.iter_lines():
            if not line and "event: state" in lines:  # its event is whole; before it comes a beat
                break
            lines.append(line)
    return "\n".join(lines)


def pages_of(visitor: Visitor, path: str) -> dict[str, str]:
    """Return everything visible of a table, by page."""
    pages = {page: visitor.get(f"{path}{page}", follow_redirects=True).text for page in PAGES}
    pages["state"] = visitor.get(path, headers={"Accept": "application/json"}).text
    pages["stream"] = pushed(visitor, path)
    steps = int(re.search(r'data-last="(\d+)"', pages["/replay"])[1])  # type: ignore[index]  # it stands there
    for at in range(steps + 1):
        pages[f"/replay?at={at}"] = visitor.get(f"{path}/replay?at={at}").text
    return pages


def plain(pages: dict[str, str], path: str) -> dict[str, str]:
    """The same without what no two tables and no two requests have alike: ids, times (the version of the talk is one),
    tokens, the commitment.
    """
    table, times = path.rsplit("/", 1)[-1], r'data-version="\d{13}"|datetime="[^"]*"|<time.*?</time>'
    ids = re.compile(rf"{table}|\b[0-9a-f]{{32,64}}\b|{times}")
    return {name: ids.sub("", text) for name, text in pages.items()}


def telling(pages: dict[str, str], bid: str) -> set[str]:
    """Return the pages that reveal a bid of Ada's."""
    bid_pattern = re.compile(rf"Ada bids {bid[-1]}\.|seat 1: {bid}\b")
    return {name for name, text in pages.items() if bid_pattern.search(re.sub(r"<[^>]*>", "", text))}


def test_nothing_that_is_sent_tells_a_bid_before_all_are_turned_over(people: list[Visitor]) -> None:
    ada, grace, mary = people
    path = opened(ada, grace)
    bid = ada.state(path)["moves"][-1]
    assert ada.play(path, bid).status_code == 200
    everywhere = {"", "/log", "/record", "/replay", "state", "stream", "/replay?at=0", "/replay?at=1"}
    assert telling(pages_of(ada, path), bid) >= everywhere, "it is looked for where it stands"
    for other in (grace, mary):
        pages = pages_of(other, path)
        assert telling(pages, bid) == set()
        assert "1 seat 1: ?" in pages["/record"]
        assert "Ada bids." in pages["state"]
    assert grace.play(path, grace.state(path)["moves"][0]).status_code == 200
    for everybody in people:
        assert telling(pages_of(everybody, path), bid) >= everywhere
    second = ada.state(path)["moves"][0]
    assert ada.play(path, second).status_code == 200
    for other in (grace, mary):
        pages = pages_of(other, path)
        assert pages["/record"].splitlines()[-1] == "3 seat 1: ?"
        assert Record.parse(pages["/record"]).moves[0].move == bid
        assert telling(pages, second) <= (set(pages) if second == bid else set())


def test_two_tables_that_differ_in_a_hidden_bid_look_alike(people: list[Visitor]) -> None:
    ada, grace, mary = people
    seen = []
    for which in (0, -1):
        path = opened(ada, grace)
        bid = ada.state(path)["moves"][which]
        assert ada.play(path, bid).status_code == 200
        seen.append((bid, plain(pages_of(mary, path), path)))
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] == seen[1][1]


def test_a_preview_tells_one_s_own_bid_and_nothing_of_the_others(people: list[Visitor]) -> None:
    ada, grace, _ = people
    path = opened(ada, grace)
    assert ada.play(path, ada.state(path)["moves"][-1]).status_code == 200
    state = grace.state(path)
    shown = grace.post(
        f"{path}/play",
        data={"token": grace.token(), "move": state["moves"][-1], "version": str(state["version"]), "look": "1"},
        headers={"HX-Request": "true"},
    )
    assert f"Grace bids {state['moves'][-1][-1]}." in re.sub(r"<[^>]*>", "", shown.text)
    assert "wins" not in shown.text
    assert "Ada bids" not in re.sub(r"<[^>]*>", "", shown.text)


def test_a_whole_game_against_bots_is_open_at_its_end(people: list[Visitor]) -> None:
    ada, _, mary = people
    path = ada.table("me", "bot:easy", "bot:random", game="lots")
    while (state := ada.state(path))["status"] == "running":
        if state["moves"]:
            assert ada.play(path, state["moves"][-1], state["version"]).status_code == 200
    record = Record.parse(mary.get(f"{path}/record").text)
    assert record.verify().is_over
    assert "?" not in record.text
    assert f"Ada bids {record.moves[0].move[-1]}." in re.sub(r"<[^>]*>", "", mary.get(f"{path}/replay?as=all").text)
