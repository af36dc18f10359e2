"""Games of a simulation as records: text files that replay and verify."""

from __future__ import annotations

from pathlib import Path
from typing import SupportsIndex

from spieltisch.core.record import Record, RecordedMove
from spieltisch.lab.simulation import PlayedGame, Simulation, on_plain_python


def record(simulation: Simulation, number: SupportsIndex) -> Record:
    """The record of one game of a simulation.

    >>> import spieltisch
    >>> setup = spieltisch.game("paris-connection").setup(3)
    >>> record(Simulation(setup, ["random"] * 3, seed=1), number=5).verify().over
    True
    """
    return record_of(simulation, simulation.game(number))


def record_of(simulation: Simulation, played: PlayedGame) -> Record:
    """The record of a game that was played."""
    setup = on_plain_python(simulation.setup)
    words = setup.game.draw_texts(setup)
    position = simulation.end(played)
    position.setup_draws = tuple(words[code] for code in played.dealt)
    plays = [
        RecordedMove(seat, setup.move(move).text, tuple(words[code] for code in drawn))
        for seat, move, drawn in played.steps
    ]
    return Record.of(position, plays, players=played.players, seed=played.seed)


def place(folder: Path, key: str, seed: int, number: int) -> Path:
    """Where the record of a game of a simulation goes."""
    return folder / f"{key}-{seed}-{number:06}.txt"
