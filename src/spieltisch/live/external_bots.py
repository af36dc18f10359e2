"""External bots admitted by the host.

Their code runs in worker processes only: it is never imported into the process that knows the tables' secrets, not even
to be checked.
"""

from collections.abc import Sequence
from pathlib import Path

from spieltisch.bots import check, external
from spieltisch.bots.external import ANSWER_SECONDS, UnknownBot
from spieltisch.workers import Workers, WorkFailed


async def load_external_bots(names: Sequence[str]) -> dict[str, str]:
    """Check these bots; return for each name shown at tables the name by which the bot is loaded.

    The shown name does not reveal the path of a file. Raise `UnknownBot` if a bot cannot be used.
    """
    workers = Workers("bot", _problem, 1, ANSWER_SECONDS)
    loadable: dict[str, str] = {}
    try:
        for name in names:
            try:
                problem = await workers.run(name)
            except WorkFailed as error:
                problem = f"{name} cannot be loaded: {error}"
            shown_name = Path(name).name if external.is_file(name) else name
            if shown_name in loadable:
                problem = f"two bots are called {shown_name}"
            if problem:
                raise UnknownBot(f"--bot: {problem}")
            loadable[shown_name] = external.absolute_bot_name(name)
    finally:
        await workers.stop()
    return loadable


def _problem(name: str) -> str:
    """Return the problem of a bot, or an empty string. Runs in a worker process."""
    try:
        check(name)
    except UnknownBot as error:
        return str(error)
    return ""
