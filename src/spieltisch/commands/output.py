"""The output of commands: lines for people, or with `--json` one object, both from the same values.

This module also ends a command whose output cannot be written.
"""

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
"""The text form of values: a format (see `_Formatter`), or a function that returns the line; None for no line.
"""


class Failed(typer.Exit):
    """The end of a command that failed; `faults` gives the reasons, which have already been shown to people."""

    def __init__(self, *faults: str) -> None:
        super().__init__(1)
        self.faults = faults


def fail(why: str) -> Failed:
    """Print on stderr why a command ends, and return the exception that ends it.

    The caller raises it: `raise fail("...")`.
    """
    write(f"spieltisch: {why}", to_stderr=True)
    return Failed(why)


def write(text: str, *, to_stderr: bool = False, escape: str = "backslashreplace") -> None:
    r"""Write a line. Characters that the encoding of the stream lacks are escaped: `\u0141`.

    A command whose output cannot be written ends with 1: silently if its reader is gone, otherwise with the reason.
    What stderr does not accept is lost and the command continues: its exit status is not affected.
    """
    stream = sys.stderr if to_stderr else sys.stdout
    try:
        if stream is None:  # closed before the start
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
        # SystemExit, because many commands treat OSError, ValueError and RuntimeError as errors of their files.
        raise SystemExit(1) from error


def _discard(stream: TextIO | None) -> None:
    """Discard what the stream still holds, which Python would otherwise try to write again at exit."""
    with suppress(OSError), Path(os.devnull).open("wb") as devnull:  # streams of tests have no descriptor
        if stream is not None:
            os.dup2(devnull.fileno(), stream.fileno())


def _escape_as_json(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error("spieltisch.json", _escape_as_json)


class _Formatter(string.Formatter):
    """A formatter that also knows days and nouns.

    It formats like `str.format`, and in addition a time in UTC seconds as a day, `{created:day}`, and the singular or
    plural for a number, `{tables:table|tables}`.

    >>> _Formatter().format("{n} {n:table|tables} since {at:day}", n=1, at=0.0)
    '1 table since 1970-01-01'
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        """Format a value; see the class."""
        if format_spec == "day":
            return datetime.fromtimestamp(value, UTC).date().isoformat()
        singular, is_noun, plural = format_spec.partition("|")
        if is_noun:
            return singular if value == 1 else plural
        return str(super().format_field(value, format_spec))


def format_line(line: str, /, **values: Any) -> str:
    """Return the line in a format; see `_Formatter`."""
    return _Formatter().vformat(line, (), values)


class CommandOutput:
    """The result of a command: lines as it runs, or one JSON object at its end.

    The object has `ok`, `faults` (what is wrong, as texts) and the values in `data`.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.faults: list[str] = []
        self.data: dict[str, Any] = {}

    def print(self, line: str = "") -> None:
        """Print a line for people that contains nothing beyond the values."""
        if not self.as_json:
            write(line)

    def show(self, values: Mapping[str, Any], line: Line = None, /, **more: Any) -> None:
        """Add values to the object and show them in a line, which may use the values in `more`, too."""
        self.data.update(values)
        self._show(line, {**values, **more})

    def row(self, key: str, values: Mapping[str, Any], line: Line = None, /, **more: Any) -> None:
        """Add an object to the list `key` and show it; the line may also use `row`, its number from 1."""
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
        """Record a fault and print it on stderr. The command continues, and exits with 1."""
        write(what, to_stderr=True)
        self.faults.append(what)

    def print_json(self) -> None:
        """Print the object if JSON is requested."""
        if not self.as_json:
            return
        import msgspec

        result = {"ok": not self.faults, "faults": self.faults, **self.data}
        try:
            text = msgspec.json.format(msgspec.json.encode(result)).decode()
        except UnicodeEncodeError:  # a file name can contain bytes that are not text
            text = json.dumps(msgspec.to_builtins(result), indent=2)
        write(text, escape="spieltisch.json")


@contextmanager
def command_output(as_json: bool) -> Iterator[CommandOutput]:
    """Collect the output of a command: at the end print the JSON, and exit with 1 if there was a fault."""
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
