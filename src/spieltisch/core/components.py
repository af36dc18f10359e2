"""Component files: the numbers, names and places of a game as TOML, each value with a mark that says where it is from.

A game describes its file by a `Contents`, a msgspec Struct whose fields are further Structs, lists of them, numbers and
texts, with their bounds beside them (`spieltisch.core.checks`). `read` turns a text or a file into `Components`, or
raises a `ComponentsError` with every `Finding`, each with the line of the wrong value. So an owner of a box can export
a file, put in the true values, and is told what is amiss.

Values and their sources stand apart: the `[[provenance]]` tables at the end of a file give a mark and its evidence to
a path such as `cities.lyon.name` or `cities.*.row`; a path names all values below it, and the most specific one wins.
A table in a list is named by its first field: `[[cities]]` with `id = "lyon"` is `cities.lyon`.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

import msgspec

from spieltisch.core.checks import Wrong
from spieltisch.core.shape import Problem, Shape
from spieltisch.core.toml_lines import Steps, toml_lines
from spieltisch.core.words import Message, Name, message

MarkName = Literal["printed", "reported", "example", "reconstructed"]
MARKS: Final[tuple[MarkName, ...]] = get_args(MarkName)
"""In a rulebook or on a public picture of the box's own parts; second-hand, in a review or a transcription; in a
worked example of a rulebook; ours, balanced by simulation."""

LARGEST: Final = 1 << 18
"""The most bytes a component file may have."""

LONGEST_LINE: Final = 1000
"""The most letters a line may have: TOML takes time with the square of a key's dots."""


class Mark(msgspec.Struct, frozen=True):
    """Where a value comes from: one of `MARKS`, and the evidence for it."""

    mark: MarkName
    evidence: str


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[provenance]]` table: the mark of the values at or below the path `of`, in which `*` is any one step."""

    of: str
    mark: MarkName
    evidence: str

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(self.of.split("."))

    def fits(self, path: str) -> bool:
        """Whether `path` is the path `of`, or below it.

        >>> Provenance("cities.*.name", "printed", "the board").fits("cities.lyon.name.en")
        True
        """
        steps = path.split(".")
        return len(self.steps) <= len(steps) and all(
            wanted in ("*", step) for wanted, step in zip(self.steps, steps, strict=False)
        )

    @property
    def _precision(self) -> tuple[int, list[bool]]:
        return len(self.steps), [step != "*" for step in self.steps]


class Contents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every component file holds; the Struct of a game adds its own tables."""

    game: str
    name: str
    title: Name
    provenance: tuple[Provenance, ...]


class Finding(msgspec.Struct, frozen=True):
    """Something wrong in a component file: the line, from 1, the path of the value, and what is wrong in words."""

    line: int
    path: str
    message: Message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class ComponentsError(ValueError):
    """A component file that cannot be played with; `findings` holds all that is wrong with it, in the file's order."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(findings, key=lambda finding: (finding.line, finding.path)))
        super().__init__("\n".join(map(str, self.findings)))


T = TypeVar("T", bound=Contents)
Check: TypeAlias = Callable[[T], Wrong]
"""Looks for what a game cannot be played with."""


@dataclass(frozen=True, eq=False, repr=False)
class Components(Generic[T]):
    """The components of a game, read from a text; made by `read`, immutable, equal when their digests are."""

    text: str
    contents: T
    data: Mapping[str, Any]
    """The file as `tomllib` parses it, read-only: tables are mappings, lists are tuples."""
    digest: str
    """SHA-256, in hex, over the values in a canonical text: comments, layout and provenance do not count."""
    _shape: Shape
    _lines: Mapping[Steps, int]

    @property
    def game(self) -> str:
        """The key of the game, such as "paris-connection"."""
        return self.contents.game

    @property
    def name(self) -> str:
        """The short id of this set."""
        return self.contents.name

    @property
    def title(self) -> Name:
        return self.contents.title

    @property
    def provenance(self) -> tuple[Provenance, ...]:
        return self.contents.provenance

    def values(self) -> Iterator[tuple[str, Any, Mark]]:
        """Every value with its path and its mark, in the file's order; a list of numbers is one value."""
        for path, value in self._shape.values():
            yield path, value, self.mark_of(path)

    def mark_of(self, path: str) -> Mark:
        """Where the value at `path` comes from; `KeyError` when nothing is said about it."""
        fitting = [entry for entry in self.provenance if entry.fits(path)]
        if not fitting:
            raise KeyError(path)
        best = max(fitting, key=lambda entry: entry._precision)
        return Mark(best.mark, best.evidence)

    def finding(self, steps: Steps, what: Message) -> Finding:
        """A finding about the value at `steps`, the way through `data`; a missing value is found at its table."""
        known = steps
        while known not in self._lines:
            known = known[:-1]
        return Finding(self._lines[known], self.path(steps), what)

    def path(self, steps: Steps) -> str:
        """The path of the value at `steps`: `("cities", 3, "name")` is "cities.lyon.name", if Lyon is the fourth."""
        return self._shape.path(steps)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Components) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Components {self.game} {self.name} {self.digest[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return read, (self.text, type(self.contents))


def read(source: str | Path, contents: type[T], *stages: Iterable[Check[T]]) -> Components[T]:
    """The components in `source`, a TOML text or the path of a file, in the form that `contents` gives.

    When the form is right, the checks of the first stage are asked together with the bounds; those of a later stage
    only when nothing was found before. Raises `ComponentsError` with everything found, and `OSError` for a file that
    cannot be read.
    """
    text = source.removeprefix("\ufeff") if isinstance(source, str) else _text(source)
    data, lines = _parsed(text)
    shape = Shape(data, contents)

    def found(problem: Problem) -> Finding:
        return Finding(lines[problem.steps], problem.path, problem.message)

    if findings := [found(problem) for problem in shape.problems]:
        raise ComponentsError(findings)
    components: Components[T] = Components(
        text=text,
        contents=shape.contents,
        data=_read_only(data),
        digest=_digest(data),
        _shape=shape,
        _lines=lines,
    )
    wrong = [found(problem) for problem in shape.limits]
    for number, checks in enumerate(stages):
        if number == 0 or not wrong:
            wrong += [components.finding(steps, what) for check in checks for steps, what in check(shape.contents)]
    if findings := [*_check_provenance(components), *wrong]:
        raise ComponentsError(findings)
    return components


def _check_provenance(components: Components[Any]) -> Iterator[Finding]:
    paths = [path for path, _ in components._shape.values()]
    for number, entry in enumerate(components.provenance):
        if not any(entry.fits(path) for path in paths):
            yield components.finding(
                ("provenance", number, "of"), message("There is no value {path} in this file.", path=entry.of)
            )
    for steps, path in components._shape.steps():
        if not any(entry.fits(path) for entry in components.provenance):
            yield components.finding(steps, message("Nothing under provenance says where {path} is from.", path=path))


def _text(file: Path) -> str:
    with file.open("rb") as opened:
        content = opened.read(LARGEST + 4)  # the text and three bytes that may mark it as UTF-8, and one too many
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise _only(line, message("The file is not in UTF-8.")) from problem


def _parsed(text: str) -> tuple[dict[str, Any], dict[Steps, int]]:
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST:
        raise _only(1, message("The file is larger than {count} bytes.", count=LARGEST))
    for number, letters in enumerate(map(len, text.split("\n")), start=1):
        if letters > LONGEST_LINE:
            raise _only(number, message("The line is longer than {count} letters.", count=LONGEST_LINE))
    try:
        return tomllib.loads(text), toml_lines(text)
    except RecursionError as problem:
        raise _only(1, message("Lists stand too deep inside each other.")) from problem
    except tomllib.TOMLDecodeError as problem:
        reason, _, place = str(problem).partition(" (at ")
        found = re.match(r"line (\d+)", place)
        line = int(found.group(1)) if found else max(1, len(text.splitlines()))
        raise _only(line, message("This is not TOML: {reason}.", reason=reason)) from problem


def _only(line: int, what: Message) -> ComponentsError:
    return ComponentsError([Finding(line, "", what)])


def _digest(data: Mapping[str, Any]) -> str:
    values = {key: value for key, value in data.items() if key != "provenance"}
    canonical = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _read_only(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _read_only(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(_read_only(item) for item in value)
    return value
