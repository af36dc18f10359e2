"""Play moves at a table by its pages."""

from __future__ import annotations

import re
from typing import Any

from tests.web.visitors import Visitor

Running = tuple[str, list[Visitor]]


def decider(running: Running) -> tuple[Visitor, list[Visitor]]:
    """Return the visitor to decide, and the others."""
    path, people = running
    seat = people[0].state(path)["to_decide"]
    return people[seat], [person for person in people if person is not people[seat]]


def trade(visitor: Visitor, path: str) -> None:
    move = next(move for move in visitor.state(path)["moves"] if re.fullmatch(r"trade \w+ for 1 \w+", move))
    assert visitor.play(path, move).status_code == 200


def deciding(running: Running) -> tuple[str, list[Visitor]]:
    """Return the table's path and its people, the deciding player first."""
    path, visitors = running
    seat = visitors[0].state(path)["to_decide"]
    return path, [visitors[(seat + step) % 3] for step in range(3)]


def play(path: str, mover: Visitor, *wanted_moves: str) -> list[str]:
    """Play moves that begin with these texts; return their sentences in the log."""
    sentences = []
    for wanted_move in wanted_moves:
        move = next(move for move in mover.state(path)["moves"] if re.match(wanted_move, move))
        assert mover.play(path, move).status_code == 200
        sentences.append(" ".join(mover.state(path)["log"][-1]["text"]))
    return sentences


def waits_for(visitor: Visitor, path: str, *seats: int) -> dict[str, Any]:
    """Return the table once one of these seats is to decide, after the moves of bots."""
    while (state := visitor.state(path))["to_decide"] not in seats:
        seen_version = f"{path.rpartition('/')[2]}@{state['version']}"
        with visitor.stream("GET", "/stream", params={"watch": seen_version}, timeout=30) as stream:
            next(line for line in stream.iter_lines() if line.startswith("id: "))
    return state
