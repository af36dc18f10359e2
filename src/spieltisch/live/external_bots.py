"""The bots from outside that the host lets sit down. Their code runs in worker processes and nowhere else: not even to
be looked at does it come into the process that knows the tables' secrets.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spieltisch.bots import check, external
from spieltisch.bots.external import UnknownBot
from spieltisch.live.bot_turns import SECONDS_TO_THINK
from spieltisch.workers import Workers, WorkFailed


async def load_external_bots(names: Sequence[str]) -> dict[str, str]:
    """What these bots are called at tables, which tells nobody where a file lies, and the names by which they are
    found. Raises UnknownBot.
    """
    workers = Workers("bot", _problem, 1, SECONDS_TO_THINK)
    found: dict[str, str] = {}
    try:
        for name in names:
            try:
                problem = await workers.run(name)
            except WorkFailed as failed:
                problem = f"{name} cannot be loaded: {failed}"
            known = Path(name).name if external.is_file(name) else name
            if known in found:
                problem = f"two bots are called {known}"
            if problem:
                raise UnknownBot(f"--bot: {problem}")
            found[known] = external.absolute_bot_name(name)
    finally:
        await workers.stop()
    return found


def _problem(name: str) -> str:
    """What is wrong with a bot; in the process of a worker."""
    try:
        check(name)
    except UnknownBot as problem:
        return str(problem)
    return ""
