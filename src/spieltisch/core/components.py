"""Component files: the numbers, names and places of a game as TOML, each value with a mark of its provenance.

A game describes its file with a `ComponentFile`, a msgspec Struct whose fields are further Structs, lists of them,
numbers and texts, with their ranges (`spieltisch.core.component_checks`). `read` turns a text or a file into
`Components`, or raises a `ComponentsError` with every `Finding`, each with the path of the invalid value. So the owner
of a box can export a file, enter the true values, and get a list of all mistakes.

Values and their provenance are separate: the `[[provenance]]` tables at the end of a file give a mark and its evidence
to a path such as `cities.lyon.name` or `cities.*.row`. A path applies to all values below it, and the most specific one
wins. A table in a list is named by its first field: `[[cities]]` with `id = "lyon"` is `cities.lyon`.
"""

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
from spieltisch.core.toml_limits import MAX_FILE_BYTES, first_violation
from spieltisch.core.toml_validation import MAX_PROBLEMS, TomlValidation
from spieltisch.core.words import Message, Name, Value, Words, message

MAX_FINDINGS: Final = 100
"""The largest number of findings that are reported for a file."""

MAX_CITATION_LENGTH: Final = 120
"""The longest part of a path or value that a finding cites, in characters."""


class ComponentFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields that every component file has. The Struct of a game adds its own tables.

    >>> class Pack(ComponentFile, frozen=True, kw_only=True):
    ...     highest: int
    >>> Pack.__struct_fields__
    ('game', 'name', 'title', 'provenance', 'highest')
    """

    game: str
    name: str
    title: Name
    provenance: tuple[Provenance, ...]


class Finding(msgspec.Struct, frozen=True):
    """An error in a component file: a path and a message.

    The path consists of keys and indices, such as `cities[3].at` for `at` in the fourth `[[cities]]`; "" is the whole
    file.
    """

    path: str
    message: Message

    def text(self, words: Words) -> str:
        """Return path and message in one language."""
        text = words.say(self.message)
        return f"{self.path}: {text}" if self.path else text

    def __str__(self) -> str:
        return self.text(Words("en"))


class ComponentsError(ValueError):
    """A component file that cannot be used.

    `findings` contains all errors, or the first `MAX_FINDINGS` and a last one that says so. Long citations are
    shortened.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        shortened = [Finding(_shorten(finding.path), _shorten(finding.message)) for finding in findings]
        if len(shortened) > MAX_FINDINGS:
            overflow = message("These are only the first {count} errors; there are more.", count=MAX_FINDINGS)
            shortened[MAX_FINDINGS:] = [Finding("", overflow)]
        self.findings = tuple(shortened)
        super().__init__(self.findings)  # pickle calls the class with these arguments

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


V = TypeVar("V", bound=Value)


def _shorten(value: V) -> V:
    """Return a value that a finding cites; a long text is cut at its end."""
    if isinstance(value, Message):
        return msgspec.structs.replace(value, values={name: _shorten(item) for name, item in value.values.items()})
    if isinstance(value, str) and len(value) > MAX_CITATION_LENGTH:
        return value[: MAX_CITATION_LENGTH - 1] + "…"  # type: ignore[return-value]  # a str for a str
    return value


T = TypeVar("T", bound=ComponentFile)
T_co = TypeVar("T_co", bound=ComponentFile, covariant=True)
Check: TypeAlias = Callable[[T], Problems]
"""A function that yields the reasons for which a game cannot use a file."""


@dataclass(frozen=True, eq=False, repr=False)
class Components(Generic[T_co]):
    """The components of a game, read from a text by `read`; immutable, equal if their digests are.

    >>> import spieltisch
    >>> components = spieltisch.game("paris-connection").components
    >>> components.game, components.name, str(components.title)
    ('paris-connection', 'france-1', 'Our map of France')
    >>> components.mark_of("title.en").mark, next(components.values())[:2]
    ('reconstructed', ('game', 'paris-connection'))
    """

    text: str
    contents: T_co
    data: Mapping[str, Any]
    """The file as `tomllib` parses it, read-only: tables are mappings, lists are tuples."""
    digest: str
    """SHA-256, in hex, of the values in a canonical text. Comments, layout and provenance do not count."""
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
        """The title of this set."""
        return self.contents.title

    @property
    def provenance(self) -> tuple[Provenance, ...]:
        """The provenance tables of the file."""
        return self.contents.provenance

    def values(self) -> Iterator[tuple[str, Any, Mark]]:
        """Yield every value with its path and its mark, in the order of the file. A list of numbers is one value."""
        for path, value in self._shape.values():
            yield path, value, self.mark_of(path)

    def mark_of(self, path: str) -> Mark:
        """Return the mark of the value at `path`. Raise KeyError if there is none."""
        entries = self._sources.lookup(path)
        if not entries:
            raise KeyError(path)
        most_specific = max(entries, key=lambda entry: entry.precision)
        return Mark(most_specific.mark, most_specific.evidence)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Components) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Components {self.game} {self.name} {self.digest[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return read, (self.text, type(self.contents))


def read(source: str | Path, contents: type[T], *stages: Iterable[Check[T]]) -> Components[T]:
    """Return the components in `source`, a TOML text or the path of a file, in the form that `contents` defines.

    If the form is right, the checks of the first stage run together with those of the ranges; those of a later stage
    run only if no problem was found before. Raise `ComponentsError` with all findings, and `OSError` for a file that
    cannot be read.
    """
    text, data = parse_toml(source)
    shape = TomlValidation(data, contents)
    if shape.problems:
        raise _components_error(shape.problems)
    components: Components[T] = Components(
        text=text,
        contents=shape.contents,
        data=_read_only(data),
        digest=_digest(data),
        _shape=shape,
        _sources=ProvenanceIndex(shape.contents.provenance),
    )
    problems_found = list(shape.limits)
    for number, checks in enumerate(stages):
        if number == 0 or not problems_found:
            problems_found += islice(chain.from_iterable(check(shape.contents) for check in checks), MAX_PROBLEMS)
    if problems := [*islice(_check_provenance(components), MAX_PROBLEMS), *problems_found]:
        raise _components_error(problems)
    return components


def parse_toml(source: str | Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a file and its tables, in any form. Raise `ComponentsError`, `OSError`."""
    text = source.removeprefix("\ufeff") if isinstance(source, str) else _text(source)
    if (violation := first_violation(text)) is not None:
        raise ComponentsError([Finding("", violation)])
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        description = message("Invalid TOML: {reason}.", reason=str(error))
        raise ComponentsError([Finding("", description)]) from error


def key_path(steps: Steps) -> str:
    """Return steps as a path of keys, written as in TOML, and indices.

    >>> key_path(("cities", 3, "at")), key_path(("odd key", 0, 1))
    ('cities[3].at', '"odd key"[0][1]')
    """
    keys = (f"[{step}]" if isinstance(step, int) else f".{_quote_key(step)}" for step in steps)
    return "".join(keys).removeprefix(".")


def _quote_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=not key.isprintable())


def _components_error(problems: Iterable[Problem]) -> ComponentsError:
    """Return the error for these problems, in the order of keys and indices, so that those of one item are together."""
    ordered = sorted(problems, key=lambda problem: [(isinstance(step, int), step) for step in problem[0]])
    return ComponentsError(Finding(key_path(steps), description) for steps, description in ordered)


def _check_provenance(components: Components[Any]) -> Problems:
    used: set[str] = set()
    unmarked: list[tuple[Steps, str]] = []
    for steps, path in components._shape.steps():
        entries = components._sources.lookup(path)
        used.update(entry.of for entry in entries)
        if not entries:
            unmarked.append((steps, path))
    for number, entry in enumerate(components.provenance):
        if entry.of not in used:
            yield ("provenance", number, "of"), message("This file doesn’t contain {path}.", path=entry.of)
    for steps, path in unmarked:
        yield steps, message("The source of {path} is missing under provenance.", path=path)


def _text(file: Path) -> str:
    with file.open("rb") as stream:
        content = stream.read(MAX_FILE_BYTES + 4)  # the largest text, three bytes of a UTF-8 signature, and one more
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = str(content.count(b"\n", 0, error.start) + 1)
        raise ComponentsError([Finding("", message("Line {line} is not in UTF-8.", line=line))]) from error


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
