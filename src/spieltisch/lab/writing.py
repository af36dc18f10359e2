"""Games of a simulation as records: text files that replay and verify."""

from __future__ import annotations

from pathlib import Path

from spieltisch.core.record import Play, Record
from spieltisch.lab.simulation import PlayedGame, Simulation, plain


def record(simulation: Simulation, number: int) -> Record:
    """The record of one game of a simulation.

    >>> import spieltisch
    >>> setup = spieltisch.game("paris-connection").setup(3)
    >>> record(Simulation(setup, ["random"] * 3, seed=1), number=5).verify().over
    True
    """
    played: PlayedGame = simulation.game(number)
    setup = plain(simulation.setup)
    words = setup.game.draw_words(setup)
    position = simulation.end(played)
    position.dealt = tuple(words[code] for code in played.dealt)
    plays = [
        Play(seat, setup.move(move).text, tuple(words[code] for code in drawn)) for seat, move, drawn in played.steps
    ]
    return Record.of(position, plays, players=played.players, seed=played.seed)


def write(simulation: Simulation, number: int, folder: Path) -> Path:
    """Write the record of one game into a folder; returns its path. Raises OSError."""
    path = folder / f"{simulation.setup.game.key}-{simulation.seed}-{number:06}.txt"
    record(simulation, number).write(path)
    return path
