"""Component files: the numbers, names and places of a game as TOML, each value with a mark that says where it is from.

A game describes its file by a `Contents`, a msgspec Struct whose fields are further Structs, lists of them, numbers and
texts, with their bounds beside them (`spieltisch.core.component_checks`). `read` turns a text or a file into
`Components`, or
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
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec

from spieltisch.core.component_checks import Problem, Problems, Steps
from spieltisch.core.provenance import Mark, Provenance, ProvenanceIndex
from spieltisch.core.toml_limits import LARGEST, first_violation
from spieltisch.core.toml_validation import MOST_PROBLEMS, TomlValidation
from spieltisch.core.words import Message, Name, Value, Words, message

MOST_FINDINGS: Final = 100
"""The most findings that are told of a file."""

LONGEST_VALUE: Final = 120
"""The most letters of a path, or of what a file holds, that are told in a finding."""


class ComponentFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every component file holds; the Struct of a game adds its own tables."""

    game: str
    name: str
    title: Name
    provenance: tuple[Provenance, ...]


class Finding(msgspec.Struct, frozen=True):
    """Something wrong in a component file: the key path of the value ("" for the whole file), such as `cities[3].at`
    for `at` in the fourth `[[cities]]`, and what is wrong in words.
    """

    path: str
    message: Message

    def text(self, words: Words) -> str:
        """Return path and words in one language."""
        said = words.say(self.message)
        return f"{self.path}: {said}" if self.path else said

    def __str__(self) -> str:
        return self.text(Words("en"))


class ComponentsError(ValueError):
    """A component file that cannot be played with; `findings` holds what is wrong with it: all of it, or the first
    `MOST_FINDINGS` and a last one that says so. What they cite of the file is cut where it is long.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        found = [Finding(_shortened(one.path), _shortened(one.message)) for one in findings]
        if len(found) > MOST_FINDINGS:
            more = message("More is wrong; these were the first {count} findings.", count=MOST_FINDINGS)
            found[MOST_FINDINGS:] = [Finding("", more)]
        self.findings = tuple(found)
        super().__init__(self.findings)  # what it is made of, so that it pickles

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


V = TypeVar("V", bound=Value)


def _shortened(value: V) -> V:
    """What is told of a file, where it is long only its beginning."""
    if isinstance(value, Message):
        return msgspec.structs.replace(value, values={name: _shortened(one) for name, one in value.values.items()})
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return value[: LONGEST_VALUE - 1] + "…"  # type: ignore[return-value]  # a str for a str
    return value


T = TypeVar("T", bound=ComponentFile)
Check: TypeAlias = Callable[[T], Problems]
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
    _shape: TomlValidation
    _sources: ProvenanceIndex

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
        fitting = self._sources.lookup(path)
        if not fitting:
            raise KeyError(path)
        best = max(fitting, key=lambda entry: entry.precision)
        return Mark(best.mark, best.evidence)

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
    only when nothing was found before. Raises `ComponentsError` with what was found, and `OSError` for a file that
    cannot be read.
    """
    text, data = parse_toml(source)
    shape = TomlValidation(data, contents)
    if shape.problems:
        raise _error(shape.problems)
    components: Components[T] = Components(
        text=text,
        contents=shape.contents,
        data=_read_only(data),
        digest=_digest(data),
        _shape=shape,
        _sources=ProvenanceIndex(shape.contents.provenance),
    )
    wrong = list(shape.limits)
    for number, checks in enumerate(stages):
        if number == 0 or not wrong:
            wrong += islice(chain.from_iterable(check(shape.contents) for check in checks), MOST_PROBLEMS)
    if problems := [*islice(_check_provenance(components), MOST_PROBLEMS), *wrong]:
        raise _error(problems)
    return components


def parse_toml(source: str | Path) -> tuple[str, dict[str, Any]]:
    """The text of a file and its tables, of whatever form. Raises `ComponentsError`, `OSError`."""
    text = source.removeprefix("\ufeff") if isinstance(source, str) else _text(source)
    if (wrong := first_violation(text)) is not None:
        raise ComponentsError([Finding("", wrong)])
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        what = message("This is not TOML: {reason}.", reason=str(problem))
        raise ComponentsError([Finding("", what)]) from problem


def key_path(steps: Steps) -> str:
    """Return steps as a path of keys, as TOML writes them, and indices.

    >>> key_path(("cities", 3, "at")), key_path(("odd key", 0, 1))
    ('cities[3].at', '"odd key"[0][1]')
    """
    keys = (f"[{step}]" if isinstance(step, int) else f".{_quoted(step)}" for step in steps)
    return "".join(keys).removeprefix(".")


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=not key.isprintable())


def _error(problems: Iterable[Problem]) -> ComponentsError:
    """Tell of problems in the order of keys and indices, so that what is said of one thing stands together."""
    ordered = sorted(problems, key=lambda problem: [(isinstance(step, int), step) for step in problem[0]])
    return ComponentsError(Finding(key_path(steps), what) for steps, what in ordered)


def _check_provenance(components: Components[Any]) -> Problems:
    used: set[str] = set()
    unsaid: list[tuple[Steps, str]] = []
    for steps, path in components._shape.steps():
        fitting = components._sources.lookup(path)
        used.update(entry.of for entry in fitting)
        if not fitting:
            unsaid.append((steps, path))
    for number, entry in enumerate(components.provenance):
        if entry.of not in used:
            yield ("provenance", number, "of"), message("There is no value {path} in this file.", path=entry.of)
    for steps, path in unsaid:
        yield steps, message("Nothing under provenance says where {path} is from.", path=path)


def _text(file: Path) -> str:
    with file.open("rb") as opened:
        content = opened.read(LARGEST + 4)  # the text and three bytes that may mark it as UTF-8, and one too many
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = str(content.count(b"\n", 0, problem.start) + 1)
        raise ComponentsError([Finding("", message("Line {line} is not in UTF-8.", line=line))]) from problem


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
