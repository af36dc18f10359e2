"""`spieltisch steps`: write the decisions of recorded games as numbers for learning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch.commands import ComponentsOption, fail_on_bad_file, find_game, read_components
from spieltisch.commands.output import JsonOption, command_output, fail

if TYPE_CHECKING:
    from spieltisch.core.record import Record


def steps(
    files: Annotated[list[Path], typer.Argument(dir_okay=False, help="Records of finished games of one setup.")],
    output: Annotated[Path, typer.Option(dir_okay=False, help="Write this Parquet file.")],
    components: ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write every decision of recorded games into a Parquet file, as `simulate --steps` does."""
    from spieltisch.core.record import Record
    from spieltisch.core.replaced_files import open_replaced
    from spieltisch.lab.trajectories import Source, parquet_bytes, recorded_steps

    with command_output(as_json) as shown:
        games, first = [], None
        for number, file in enumerate(files, 1):
            with fail_on_bad_file(file):
                record = Record.read(file)
                first = first or record
                if record.game != first.game:
                    raise fail(f"{file}: a game of {record.game}, not of {first.game}")
                if _setup_of(record) != _setup_of(first):
                    raise fail(f"{file}: other seats, options or components than {files[0]}")
                game = find_game(record.game)
                games.append(recorded_steps(record, number, read_components(game, components)))
        assert first is not None  # noqa: S101  # the command needs a file
        source = Source(
            first.game, first.components_digest, first.version, first.seats, first.options, games=len(games)
        )
        try:
            content = parquet_bytes(find_game(first.game), source, games)
        except RuntimeError as error:
            raise fail(f"{error}") from error
        with fail_on_bad_file(output), open_replaced(output) as written:
            written.write(content)
        shown.show(
            {"game": first.game, "games": len(games), "steps": sum(map(len, games))},
            "{games:,} {games:game|games}, {steps:,} {steps:decision|decisions}.",
        )


def _setup_of(record: Record) -> tuple[object, ...]:
    return record.seats, record.options, record.components_digest
