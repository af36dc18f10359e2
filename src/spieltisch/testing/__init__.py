"""The conformance suite: the contract that every game must keep, those of third parties too.

Belongs here: checks that every game must pass, ours and those of others. Does not belong here: tests of one game or of
the server: they are in the folder `tests` of the repository.

`check_game("my-game")` plays random games and raises `ContractBroken` at the first promise to the kernel that the game
breaks. Call it from a test. The game must be known to `spieltisch.games` (in the list, by entry point, or through
`SPIELTISCH_GAMES`).
"""

from collections.abc import Iterable

import spieltisch
from spieltisch.core.record import Record
from spieltisch.guides.check import find_problems
from spieltisch.testing.contract import ContractBroken, Report, require
from spieltisch.testing.engine_parity import check_compiles
from spieltisch.testing.hooks import check_hooks
from spieltisch.testing.names import check_languages, check_names
from spieltisch.testing.positions import check_position
from spieltisch.testing.whole_games import check_processes, check_random_game, check_record

__all__ = ["ContractBroken", "Report", "check_game", "check_names", "check_position"]


def check_game(
    key: str,
    *,
    games: int = 3,
    seats: Iterable[int] | None = None,
    seed: int = 1,
    most_moves: int = 20_000,
    every: int = 15,
    compiled: bool = True,
    processes: bool = True,
) -> Report:
    """Check the game named `key` with `games` random games for each number of seats.

    A position is checked in depth after every `every` moves. `compiled` also plays on the compiled engine, `processes`
    replays records in fresh interpreters with other hash seeds. A guided first round is played on all its paths, worked
    examples are played. A game may be in English alone; `Report.missing` says what its translation lacks. Raise
    ContractBroken.

    >>> report = check_game("paris-connection", games=1, seats=[3], compiled=False, processes=False)
    >>> report.games, report.moves > 50
    (1, True)
    """
    game = spieltisch.game(key)
    report, records = Report(), list[Record]()
    check_names(game)
    check_hooks(game)
    report.missing = check_languages(game)
    if compiled:
        check_compiles(game, spieltisch.game(key, compiled=True))
    for count in seats if seats is not None else game.seats:
        for n in range(games):
            records.append(check_random_game(game, count, seed + n, report, most_moves, every))
            check_record(records[-1], compiled=compiled)
    if processes:
        check_processes(records[::games], compiled=compiled)
    if game.has_hidden_information and report.imagined.total() >= 8:
        _check_differing(report)
    for problem in find_problems(game):
        raise ContractBroken(f"guided first round: {problem}")
    return report


def _check_differing(report: Report) -> None:
    """Check that imagined positions differ from the real one, except for a viewer who sees everything.

    Raise ContractBroken.
    """
    require(report.differing_samples.total() > 0, "the game says that it has secrets, and everybody sees everything")
    blind = [viewer for viewer in report.imagined if report.differing_samples[viewer]]
    differing, imagined = report.differing_samples.total(), sum(report.imagined[viewer] for viewer in blind)
    require(
        differing * 2 > imagined,
        f"imagined positions differ from the real one in only {differing} of {imagined} samples",
    )
