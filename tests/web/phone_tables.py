"""Provide tables for a phone and the words of its prompt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.sentences import sentence_after
from tests.web.servers import Server
from tests.web.visitors import Visitor, trade_on

MOVES = "games/paris_connection/moves.py"
BUILD, TRADE = sentence_after(MOVES, '"build",'), sentence_after(MOVES, '"trade",')
WHICH_COMPANY = sentence_after(MOVES, 'Parameter("company", COMPANIES, company_word,')
FOR_ONE, FOR_TWO = sentence_after(MOVES, "def number_word"), sentence_after(MOVES, "if count == 1 else")
UNDO = sentence_after("web/templates/table_live.html", 'id="{{ menu }}undo-button"')


@contextmanager
def three(server: Server, cookies: dict[str, str]) -> Iterator[tuple[str, list[Visitor]]]:
    """Open a table of three people, the first with these cookies."""
    with Visitor(server) as host, Visitor(server) as grace, Visitor(server) as mary:
        host.cookies.update(cookies)
        path = host.table("me", "open", "open")
        grace.sit(path, "Grace")
        mary.sit(path, "Mary")
        yield path, [host, grace, mary]


def table_to_decide(server: Server, cookies: dict[str, str]) -> str:
    """Return the path of a table of three at which the phone's player is to decide."""
    with three(server, cookies) as (path, people):
        trade_on(people, path, 0)
    return path
