"""Options of `serve` from a TOML file, also for other commands that have some of them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from spieltisch.commands import fail_on_bad_file
from spieltisch.commands.output import fail


def use_config(context: typer.Context, file: Path | None) -> Path | None:
    """Take the options of a command from a file; those of the command line and of the environment come before them.

    This is the callback of an eager option. It ends the command if the file names an option that `serve` does not have,
    or has a value of the wrong type.
    """
    if file is not None:
        with fail_on_bad_file(file):
            keys = tomllib.loads(file.read_text(encoding="utf-8"))
        serve = context.find_root().command.commands["serve"]  # type: ignore[attr-defined]  # a group
        parameters = {
            option.removeprefix("--"): parameter
            for parameter in serve.params
            for option in parameter.opts
            if parameter.name != "config"
        }
        context.default_map = {}
        for key, value in keys.items():
            if key not in parameters:
                is_negated = any(f"--{key}" in parameter.secondary_opts for parameter in serve.params)
                hint = f": write {key.removeprefix('no-')} = false" if is_negated else ""
                raise fail(f"{file}: {key} is no option of serve{hint}")
            parameter = parameters[key]
            context.default_map[parameter.name or key] = _value(f"{file}: {key}", value, parameter)
    return file


def _value(where: str, value: Any, parameter: Any) -> Any:
    """Return the value as the command line would have it: for an option that may be repeated, a list of texts."""
    if parameter.multiple:
        if isinstance(value, dict):
            value = [f"{name}={setting}" for name, setting in value.items()]
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise fail(f"{where} is a list of texts")
        return value
    if getattr(parameter, "is_flag", False):
        if not isinstance(value, bool):
            raise fail(f"{where} is true or false")
    elif isinstance(value, bool) or not isinstance(value, (str, int)):
        raise fail(f"{where} is a text or a number")
    return value


Config = Annotated[
    Path | None,
    typer.Option(
        dir_okay=False,
        is_eager=True,
        callback=use_config,
        envvar="SPIELTISCH_CONFIG",
        help="Read options of serve from this TOML file.",
    ),
]
"""The option `config` of the commands that take options from a file."""
