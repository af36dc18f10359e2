"""Games for reports: several setups in turn, with their rows, and a folder that keeps them for a later run."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from spieltisch.core.replaced_files import open_replaced
from spieltisch.core.setup import Setup
from spieltisch.lab import python_loops
from spieltisch.lab.batches import Batch, play_batch
from spieltisch.lab.move_rows import MoveRow
from spieltisch.lab.parallel import Parallel, map_in_order
from spieltisch.lab.result_rows import Row
from spieltisch.lab.simulation import MAX_MOVES

BATCH_SIZE = 32
"""The number of games in a file of compiled bots; of others it has one."""


class ReportedGame(msgspec.Struct, frozen=True, array_like=True):
    """The rows of one game."""

    rows: tuple[Row, ...]
    moves: tuple[MoveRow, ...]


_DECODER = msgspec.msgpack.Decoder(tuple[ReportedGame, ...])


def play_reported(
    setups: Sequence[Setup],
    bots: Sequence[str],
    seed: int,
    games: int,
    cores: Parallel,
    *,
    max_moves: int = MAX_MOVES,
    folder: Path | None = None,
) -> Iterator[tuple[int, tuple[ReportedGame, ...]]]:
    """Play the same seeds with each setup; yield the number of the setup and some games, in the order of the seeds.

    Games that the folder has are not played again. Raise ValueError for a file there that is broken; whatever
    `map_in_order` raises, and BotFailed.
    """
    size = 1 if python_loops.needs_python(setups[0], bots) else BATCH_SIZE
    pieces = [
        (number, Batch(setup, tuple(bots), seed, at, min(size, games + 1 - at), "", max_moves=max_moves, moves=True))
        for at in range(1, games + 1, size)
        for number, setup in enumerate(setups)
    ]
    kept = {piece for _, piece in pieces if folder is not None and _path(folder, piece).exists()}
    played = map_in_order(cores, play_batch, (piece for _, piece in pieces if piece not in kept))
    for number, piece in pieces:
        if folder is not None and piece in kept:
            yield number, _read(_path(folder, piece))
            continue
        _, result = next(played)
        reported = tuple(map(ReportedGame, result.rows, result.moves))
        if folder is not None:
            with open_replaced(_path(folder, piece)) as file:
                file.write(msgspec.msgpack.encode(reported))
        yield number, reported


def _path(folder: Path, piece: Batch) -> Path:
    """Return the path of a batch, named by all that its games depend on."""
    digest = hashlib.sha256(msgspec.json.encode(piece.source, order="sorted")).hexdigest()
    return folder / f"{piece.setup.game.key}-{piece.first:06}-{digest[:24]}.msgpack"


def _read(path: Path) -> tuple[ReportedGame, ...]:
    try:
        return _DECODER.decode(path.read_bytes())
    except msgspec.DecodeError as error:
        raise ValueError(f"{path}: no games of a report ({error})") from error
