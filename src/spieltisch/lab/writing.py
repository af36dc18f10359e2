"""Records of simulated games: text files that can be replayed and verified."""

from __future__ import annotations

from pathlib import Path
from typing import SupportsIndex

from spieltisch.core.record import Record, RecordedMove
from spieltisch.lab.simulation import PlayedGame, Simulation, on_plain_python


def record(simulation: Simulation, number: SupportsIndex) -> Record:
    """Return the record of one game of a simulation.

    >>> import spieltisch
    >>> setup = spieltisch.game("paris-connection").setup(3)
    >>> record(Simulation(setup, ["random"] * 3, seed=1), number=5).verify().over
    True
    """
    return record_of(simulation, simulation.game(number))


def record_of(simulation: Simulation, played: PlayedGame) -> Record:
    """Return the record of a played game."""
    setup = on_plain_python(simulation.setup)
    draw_texts = setup.game.draw_texts(setup)
    position = simulation.end(played)
    position.setup_draws = tuple(draw_texts[code] for code in played.dealt)
    plays = [
        RecordedMove(seat, setup.move(move).text, tuple(draw_texts[code] for code in drawn))
        for seat, move, drawn in played.steps
    ]
    return Record.of(position, plays, players=played.players, seed=played.seed)


def place(folder: Path, key: str, seed: int, number: int) -> Path:
    """Return the path of the record of a simulated game."""
    return folder / f"{key}-{seed}-{number:06}.txt"
