"""What commands print: lines for people, or with `--json` one object, both made of the same values; and the end of a
command whose output cannot be written.
"""

from __future__ import annotations

import codecs
import errno
import json
import os
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TextIO, TypeAlias

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
"""The option of every command that has a result; see `CommandOutput`."""

Line: TypeAlias = str | Callable[[Mapping[str, Any]], str | None] | None
"""How values are shown to people: a format (see `_Formatter`), or a function that gives the line; None for no line."""


class Failed(typer.Exit):
    """The end of a command that could not do what was asked; `faults` says why, and has been said to people."""

    def __init__(self, *faults: str) -> None:
        super().__init__(1)
        self.faults = faults


def fail(why: str) -> Failed:
    """Say on the error output why a command ends, which is to be raised: `raise fail("...")`."""
    write(f"spieltisch: {why}", to_stderr=True)
    return Failed(why)


def write(text: str, *, to_stderr: bool = False, escape: str = "backslashreplace") -> None:
    """Write a line. Characters that the encoding of the stream lacks are escaped: `\\u0141`.

    A command whose output cannot be written ends with 1: without a word if its reader is gone, else with the reason.
    What the error output does not take is lost, and the command goes on: its exit status says the rest.
    """
    stream = sys.stderr if to_stderr else sys.stdout
    try:
        if stream is None:  # it was closed before the start
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        encoding = stream.encoding or "utf-8"
        typer.echo(text.encode(encoding, escape).decode(encoding), err=to_stderr)
    except OSError as error:
        _discard(stream)
        if to_stderr:
            return
        is_pipe_closed = error.errno == (errno.EINVAL if sys.platform == "win32" else errno.EPIPE)
        if not is_pipe_closed:
            write(f"spieltisch: the output cannot be written: {error.strerror}", to_stderr=True)
        # No other exception: many commands take an OSError, ValueError or RuntimeError for one of their files.
        raise SystemExit(1) from error


def _discard(stream: TextIO | None) -> None:
    """Let go of what the stream still holds; at the end of the process Python would fail to write it again."""
    with suppress(OSError), Path(os.devnull).open("wb") as nowhere:  # streams of tests have no descriptor
        if stream is not None:
            os.dup2(nowhere.fileno(), stream.fileno())


def _escape_as_json(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    return json.dumps(problem.object[problem.start : problem.end])[1:-1], problem.end


codecs.register_error("spieltisch.json", _escape_as_json)


class _Formatter(string.Formatter):
    """Formats as `str.format`, and also a time in UTC seconds, `{created:day}`, and the noun of a number,
    `{tables:table|tables}`.

    >>> _Formatter().format("{n} {n:table|tables} since {at:day}", n=1, at=0.0)
    '1 table since 1970-01-01'
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "day":
            return datetime.fromtimestamp(value, UTC).date().isoformat()
        one, noun, more = format_spec.partition("|")
        if noun:
            return one if value == 1 else more
        return str(super().format_field(value, format_spec))


def format_line(line: str, /, **values: Any) -> str:
    """Return the line in a format; see `_Formatter`."""
    return _Formatter().vformat(line, (), values)


class CommandOutput:
    """The result of a command: lines as it goes, or one JSON object at its end.

    The object has `ok`, `faults` (what is wrong, in words) and the values in `data`.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.faults: list[str] = []
        self.data: dict[str, Any] = {}

    def print(self, line: str = "") -> None:
        """Print a line for people that says nothing but what the values do."""
        if not self.as_json:
            write(line)

    def show(self, values: Mapping[str, Any], line: Line = None, /, **more: Any) -> None:
        """Add values to the object and show them in a line, which may also have what is `more`."""
        self.data.update(values)
        self._show(line, {**values, **more})

    def row(self, key: str, values: Mapping[str, Any], line: Line = None, /, **more: Any) -> None:
        """Add an object to the list `key` and show it; the line may also have `row`, its number from 1."""
        rows = self.data.setdefault(key, [])
        rows.append(values)
        self._show(line, {"row": len(rows), **values, **more})

    def rows(self, key: str, rows: Iterable[Mapping[str, Any]], line: Line = None) -> None:
        """Add a list of objects, each with its line."""
        self.data.setdefault(key, [])
        for values in rows:
            self.row(key, values, line)

    def _show(self, line: Line, values: Mapping[str, Any]) -> None:
        if line is None or self.as_json:
            return
        shown = format_line(line, **values) if isinstance(line, str) else line(values)
        if shown is not None:
            write(shown)

    def fault(self, what: str) -> None:
        """Note something that is wrong, on the error output too. The command continues, and ends with 1."""
        write(what, to_stderr=True)
        self.faults.append(what)

    def print_json(self) -> None:
        """Print the object, where JSON is asked for."""
        if not self.as_json:
            return
        import msgspec

        whole = {"ok": not self.faults, "faults": self.faults, **self.data}
        try:
            text = msgspec.json.format(msgspec.json.encode(whole)).decode()
        except UnicodeEncodeError:  # the name of a file may have bytes that are no text
            text = json.dumps(msgspec.to_builtins(whole), indent=2)
        write(text, escape="spieltisch.json")


@contextmanager
def command_output(as_json: bool) -> Iterator[CommandOutput]:
    """Around all that a command does: at its end the JSON is printed, and with a fault the command ends with 1."""
    output = CommandOutput(as_json=as_json)
    try:
        yield output
    except Failed as error:
        output.faults += error.faults
        output.print_json()
        raise
    output.print_json()
    if output.faults:
        raise typer.Exit(1)
