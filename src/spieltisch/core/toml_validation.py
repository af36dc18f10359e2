"""Validation of parsed TOML against msgspec Structs, which finds all problems and not only the first.

msgspec stops at the first invalid value and has only English messages. People who enter a hundred numbers need all
their mistakes together, in their own language, each with its path. A value that has the right type but is out of range
(`msgspec.Meta` of its field) still becomes part of the contents, so that other checks can continue.
"""

import re
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import repeat
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from spieltisch.core.component_checks import SENTENCE, Problem, Steps, check_range
from spieltisch.core.words import LANGUAGES, Message, Name, message

MAX_NAME_LENGTH: Final = 60
"""The longest name, in characters."""
MAX_PROBLEMS: Final = 1000
"""The largest number of problems that are reported. The others are reported when these are solved."""

MAX_INTEGER: Final = 2**63 - 1
"""The largest integer of TOML, which has 64 bits. Python also reads longer ones."""

_LANGUAGE_NAMES: Final[Mapping[str, Name]] = {
    "en": Name(en="English", de="Englisch", fr="anglais", nl="Engels"),
    "de": Name(en="German", de="Deutsch", fr="allemand", nl="Duits"),
    "fr": Name(en="French", de="Französisch", fr="français", nl="Frans"),
    "nl": Name(en="Dutch", de="Niederländisch", fr="néerlandais", nl="Nederlands"),
}


class _TooManyProblems(Exception):
    """The validation stops because `MAX_PROBLEMS` problems were found."""


class TomlValidation:
    """The result of comparing `data`, as `tomllib` parses it, with a Struct.

    A Struct consists of other Structs, tuples of them, `int`, `bool`, `str`, `Literal` texts and tuples of these, any
    of them with a `Meta` for its range; a field with a default may be left out. The first field of a Struct names its
    tables in a list, so no two of them may have the same value there.

    `problems`: missing and unknown values and those of a wrong type. `limits`: values out of range. `contents`: the
    Struct, if there are no problems.
    """

    def __init__(self, data: Mapping[str, Any], struct: type[msgspec.Struct]) -> None:
        self.problems: list[Problem] = []
        self.limits: list[Problem] = []
        self._paths: dict[Steps, str] = {(): ""}
        self._values: dict[Steps, Any] = {}
        self.contents: Any = None
        with suppress(_TooManyProblems):
            self.contents = self._read_table((), data, struct)

    def values(self) -> Iterator[tuple[str, Any]]:
        """Yield every value with its path, except those under `provenance`. A list of numbers is one value."""
        for steps, path in self.steps():
            yield path, self._values[steps]

    def steps(self) -> Iterator[tuple[Steps, str]]:
        """Yield the steps to every value, and its path."""
        for steps in self._values:
            if steps[0] != "provenance":
                yield steps, self._paths[steps]

    def path(self, steps: Steps) -> str:
        """Return the path for these steps."""
        known_steps = steps
        while known_steps not in self._paths:
            known_steps = known_steps[:-1]
        return ".".join([self._paths[known_steps], *map(str, steps[len(known_steps) :])]).lstrip(".")

    def _add_problem(self, steps: Steps, what: Message) -> None:
        self.problems.append((steps, what))
        if len(self.problems) == MAX_PROBLEMS:
            raise _TooManyProblems

    def _read_value(self, steps: Steps, value: Any, field_type: Any) -> Any:
        if get_origin(field_type) in (Union, types.UnionType):
            (field_type,) = (choice for choice in get_args(field_type) if choice is not types.NoneType)
        inner, *metas = get_args(field_type) if get_origin(field_type) is Annotated else (field_type,)
        item = get_args(inner)[0] if get_origin(inner) is tuple else None
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            return self._read_table(steps, value, inner)
        if isinstance(item, type) and issubclass(item, msgspec.Struct):
            tables = self._read_tables(steps, value, item)
            self._check_bounds(steps, value, metas)
            return tables
        self._values[steps] = value
        self._paths[steps] = self.path(steps)
        return self._read_simple(steps, value, field_type)

    def _read_table(self, steps: Steps, value: Any, struct: type[msgspec.Struct]) -> Any:
        path = self._paths.setdefault(steps, self.path(steps))
        if not isinstance(value, dict):
            self._add_problem(steps, message("{path} must be a table.", path=path))
            return None
        fields = {field.name: field for field in msgspec.structs.fields(struct)}
        for key in value:
            if key in fields:
                continue
            unknown = self.path((*steps, key))
            self._add_problem((*steps, key), message("{path} is unknown.", path=unknown))
        values = {}
        for key, field in fields.items():
            if key in value:
                values[key] = self._read_value((*steps, key), value[key], field.type)
            elif struct is Name and set(value) != {"en"}:  # English alone is enough, two languages are not
                language = _LANGUAGE_NAMES[key]
                missing = message("{path} has no text in {language}.", path=path, language=language)
                self._add_problem((*steps, key), missing)
            elif field.required:
                self._add_problem((*steps, key), message("{path} is missing.", path=self.path((*steps, key))))
        if struct is Name:
            self._check_name(steps, path, value)
        return None if self.problems else struct(**values)

    def _check_name(self, steps: Steps, path: str, value: Mapping[str, Any]) -> None:
        for language in LANGUAGES:
            text = value.get(language)
            if isinstance(text, str) and len(text) > MAX_NAME_LENGTH:
                too_long = message(
                    "{path} is longer than {most} characters.", path=f"{path}.{language}", most=MAX_NAME_LENGTH
                )
                self._add_problem((*steps, language), too_long)

    def _read_tables(self, steps: Steps, value: Any, struct: type[msgspec.Struct]) -> tuple[Any, ...]:
        path = self._paths.setdefault(steps, self.path(steps))
        if not isinstance(value, list):
            self._add_problem(steps, message("{path} must be a list of tables.", path=path))
            return ()
        first = msgspec.structs.fields(struct)[0].name
        names: set[str] = set()
        tables = []
        for index, item in enumerate(value):
            key = item.get(first) if isinstance(item, dict) else None
            has_name = isinstance(key, str | int)
            path_of_table = self._paths[*steps, index] = f"{path}.{key if has_name else index}"
            if has_name and path_of_table in names:
                self._add_problem((*steps, index, first), message("{path} appears twice.", path=path_of_table))
            if has_name:
                names.add(path_of_table)
            tables.append(self._read_table((*steps, index), item, struct))
        return tuple(tables)

    def _read_simple(self, steps: Steps, value: Any, field_type: Any) -> Any:
        path, problem_count = self.path(steps), len(self.problems)
        inner, *metas = get_args(field_type) if get_origin(field_type) is Annotated else (field_type,)
        if get_origin(inner) is tuple:
            value = self._read_list(steps, path, value, get_args(inner))
        elif get_origin(inner) is Literal:
            if value not in get_args(inner):
                choices = ", ".join(get_args(inner))
                self._add_problem(steps, message("{path} must be one of these: {choices}.", path=path, choices=choices))
        elif inner is str:
            self._check_text(steps, path, value)
        elif inner is bool:
            if not isinstance(value, bool):
                self._add_problem(steps, message("{path} must be true or false.", path=path))
        elif inner is int:
            if not isinstance(value, int) or isinstance(value, bool) or not -MAX_INTEGER <= value <= MAX_INTEGER:
                self._add_problem(steps, message("{path} must be a whole number.", path=path))
        else:
            raise TypeError(f"{path}: a component file holds no {inner}")
        if len(self.problems) == problem_count:
            self._check_bounds(steps, value, metas)
        return value

    def _check_bounds(self, steps: Steps, value: Any, metas: Sequence[msgspec.Meta]) -> None:
        for meta in metas:
            for problem in _constraint_error(self.path(steps), value, meta):
                if len(self.limits) < MAX_PROBLEMS:
                    self.limits.append((steps, problem))

    def _check_text(self, steps: Steps, path: str, value: Any) -> None:
        if not isinstance(value, str):
            self._add_problem(steps, message("{path} must be text in quotation marks.", path=path))
        elif not value:
            self._add_problem(steps, message("{path} is empty.", path=path))
        elif value.strip() != value or not value.isprintable():
            self._add_problem(
                steps, message("{path} starts or ends with a space, or has an invisible character.", path=path)
            )

    def _read_list(self, steps: Steps, path: str, value: Any, item_types: tuple[Any, ...]) -> tuple[Any, ...]:
        if not isinstance(value, list):
            self._add_problem(steps, message("{path} must be a list.", path=path))
        elif item_types[-1] is not Ellipsis and len(value) != len(item_types):
            count = len(item_types)
            self._add_problem(steps, message("{path} must be a list of {count} values.", path=path, count=count))
        else:
            kinds = repeat(item_types[0]) if item_types[-1] is Ellipsis else item_types
            pairs = enumerate(zip(value, kinds, strict=False))
            return tuple(self._read_simple((*steps, index), item, kind) for index, (item, kind) in pairs)
        return ()


def _constraint_error(path: str, value: Any, meta: msgspec.Meta) -> Iterator[Message]:
    """Yield the ranges and patterns of a field that a value violates."""
    if isinstance(value, int):
        minimum, maximum = meta.ge, meta.le
        if minimum is None or maximum is None:
            raise TypeError(f"{path}: a number has a least (ge) and a most (le)")
        yield from (problem for _, problem in check_range((), value, int(minimum), int(maximum)))
    elif isinstance(value, str):
        if meta.pattern is not None and not re.search(meta.pattern, value):
            pattern_error = (meta.extra or {})[SENTENCE]
            yield pattern_error.fill({"path": path, "text": value, "example": (meta.examples or [""])[0]})
    else:
        number, minimum, maximum = len(value), meta.min_length or 0, meta.max_length
        if maximum is None or minimum <= number <= maximum:
            return
        if minimum == maximum:
            yield message("{path}: {wanted} required, {number} found.", path=path, wanted=minimum, number=number)
        elif minimum == 0:
            yield message("{path}: at most {most} allowed, {number} found.", path=path, most=maximum, number=number)
        else:
            yield message(
                "{path}: {least} to {most} required, {number} found.",
                path=path,
                least=minimum,
                most=maximum,
                number=number,
            )
