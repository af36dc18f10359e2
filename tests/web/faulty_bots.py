"""Provide bots that fail once, and then play like the real bots.

They run in worker processes; a file records that a bot has failed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from spieltisch import bots
from spieltisch.bots.turns import Answer, TurnMove, play_ahead
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position

FLAG = "SPIELTISCH_TEST_FLAG"


def _serving(choose: str) -> list[str]:
    """Return the command of a server whose bots use a function of this module."""
    return [
        sys.executable,
        "-c",
        "import functools, pathlib, sys; from spieltisch.live import bot_turns; from spieltisch.web import server;"
        "from tests.web import faulty_bots;"
        f"server.BotTurns = functools.partial(bot_turns.BotTurns, choose=faulty_bots.{choose});"
        "server.serve(port=0, database=pathlib.Path(sys.argv[1], 'spieltisch.sqlite3'), "
        "open_browser=False, compile_search=False)",
    ]


DREAMING = _serving("announces_and_never_answers")
"""The command of a server whose bots say when they begin to think, and never come to an end."""

PROMPTED = _serving("builds_when_told")
"""The command of a server whose bots think until they are told to move."""


def _first_time() -> bool:
    flag = Path(os.environ[FLAG])
    if flag.exists():
        return False
    flag.write_text("it has happened")
    return True


def raises_once(name: str, observation: bytes, seed: int) -> Answer:
    if _first_time():
        raise ZeroDivisionError("a secret of the bot")
    return bots.choose_turn(name, observation, seed)


def dies_once(name: str, observation: bytes, seed: int) -> Answer:
    if _first_time():
        os.kill(os.getpid(), signal.SIGKILL)
    return bots.choose_turn(name, observation, seed)


def cheats_once(name: str, observation: bytes, seed: int) -> Answer:
    if _first_time():
        return (TurnMove("build red Atlantis", b""),)
    return bots.choose_turn(name, observation, seed)


def never_answers_while_flagged(name: str, observation: bytes, seed: int) -> Answer:
    """Give no answer while the file exists."""
    if Path(os.environ[FLAG]).exists():
        threading.Event().wait()
    return bots.choose_turn(name, observation, seed)


def announces_and_never_answers(name: str, observation: bytes, seed: int) -> Answer:
    """Print a line and never answer."""
    print("dreaming", flush=True)
    threading.Event().wait()
    raise AssertionError


def always_raises(name: str, observation: bytes, seed: int) -> Answer:
    raise RuntimeError("never")


def builds(name: str, observation: bytes, seed: int) -> Answer:
    """Answer with a whole turn of building."""
    seen = Observation.read(observation)

    def first_to_build(world: Position, played_so_far: Sequence[int]) -> int:
        moves = list(world.legal_moves)
        return next((move for move in moves if move.text.startswith("build")), moves[0]).number

    return play_ahead(seen, seed, first_to_build)


def builds_when_told(name: str, observation: bytes, seed: int) -> Answer:
    """Answer with a turn of building once the named pipe has been written."""
    Path(os.environ[FLAG]).read_text()
    return builds(name, observation, seed)


def leaves_a_trace(name: str, observation: bytes, seed: int) -> Answer:
    """Record each decision and the process that computes it."""
    with Path(os.environ[FLAG]).open("a") as trace:
        trace.write(f"{os.getpid()} {sha256(observation).hexdigest()}\n")
    return bots.choose_turn(name, observation, seed)


def thinks(name: str, observation: bytes, seed: int) -> Answer:
    """Wait as long as a person needs to ask something."""
    time.sleep(0.4)
    return bots.choose_turn(name, observation, seed)
