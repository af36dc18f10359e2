"""Documents: a state as JSON in a game's own words, and back.

A game declares how the fields of its state appear, as a tree of forms. A form writes the document and reads it into an
empty twin, or raises a DocumentError with the path of what is wrong. Lists and seats count from 1. With nothing
declared, `plain` makes the forms from the dtype.

>>> import numpy as np
>>> from spieltisch.core import twin
>>> form = mapping(
...     phase=choice({0: "turn", 1: "over"}),
...     seat=optional(one_based(4)),
...     depots=field_at(named_list(["red", "blue"]), "left"),
... )
>>> empty = twin.new(np.dtype([("seat", "i2"), ("phase", "i2"), ("left", "i2", 2)]))
>>> state = form.restore(empty, {"phase": "turn", "seat": 2, "depots": {"red": 5, "blue": 0}})
>>> state.seat, state.left, form.describe(state)["depots"]
(1, [5, 0], {'red': 5, 'blue': 0})
>>> form.restore(empty, {"phase": "turn", "seat": 5, "depots": {}})
Traceback (most recent call last):
spieltisch.core.errors.DocumentError: seat: 5 is no number from 1 to 4
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import EnumType, IntEnum
from typing import Any, NamedTuple

import numpy as np

from spieltisch.core import bit_sets
from spieltisch.core.errors import DocumentError

NOBODY = -1
"""What a field holds that names no seat and no thing."""


class Context(NamedTuple):
    """Where a form is at work: in which record of which state, at which place of a list (from 0), at which path."""

    state: Any
    record: Any
    place: int = 0
    path: str = ""

    def inside(self, step: object) -> Context:
        """At what stands there under this name or number."""
        return self._replace(path=f"{self.path}.{step}" if self.path else str(step))

    def wrong(self, what: str, found: object = None) -> DocumentError:
        """The error to raise: what is wrong; `{}` in it is what was found."""
        return DocumentError(f"{self.path or 'state'}: {what.replace('{}', repr(found)[:60])}")

    def checked(self, found: Any, kind: type) -> Any:
        """What was found, if it is a list, or a table (a Mapping)."""
        if not isinstance(found, kind):
            raise self.wrong("a list is needed" if kind is list else "a table is needed")
        return found


class Codec(NamedTuple):
    """How a value of the state appears in a document: `write` it; `read` what was found, into the value before it if
    that is a list or a record, else for a new one. `whole`: it belongs to a record as a whole and not to one field.
    """

    write: Callable[[Any, Context], Any]
    read: Callable[[Any, Any, Context], Any]
    whole_record: bool = False

    def describe(self, state: Any) -> Any:
        """The document of a state (a twin)."""
        return self.write(state, Context(state, state))

    def restore(self, state: Any, document: object) -> Any:
        """The empty state, filled from a document. Raises DocumentError."""
        return self.read(document, state, Context(state, state))


def number(least: int = 0, most: int = 9999, base: int = 0) -> Codec:
    """A number from `least` to `most`, in the state less by `base`."""

    def read(found: Any, value: Any, at: Context) -> int:
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise at.wrong(f"{{}} is no number from {least} to {most}", found)
        return found - base

    return Codec(lambda value, at: value + base, read)


def one_based(many: int) -> Codec:
    """A seat or another place: counted from 0 in the state, from 1 in a document."""
    return number(1, many, base=1)


def boolean() -> Codec:
    """0 or 1 as false or true."""
    return choice({0: False, 1: True})


def choice(words: Mapping[Any, str | bool] | Sequence[str] | type[IntEnum]) -> Codec:
    """A number as a word: a member of an enumeration, by its name or another word, or a thing by its number."""
    if isinstance(words, EnumType):
        words = {one: one.name.lower().replace("_", " ") for one in words}
    by_number = dict(words if isinstance(words, Mapping) else enumerate(words))
    numbers = {name: int(number) for number, name in by_number.items()}
    others = f"none of {', '.join(map(str, numbers))}" if len(numbers) <= 12 else "unknown"

    def read(found: Any, value: Any, at: Context) -> int:
        if not isinstance(found, str | bool) or found not in numbers:
            raise at.wrong(f"{{}} is {others}", found)
        return numbers[found]

    return Codec(lambda value, at: by_number[value], read)


def optional(form: Codec, none: int = NOBODY) -> Codec:
    """What may be missing: null in the document, `none` in the state."""
    return Codec(
        lambda value, at: None if value == none else form.write(value, at),
        lambda found, value, at: none if found is None else form.read(found, value, at),
    )


def conditional(condition: Callable[[Any], bool], form: Codec, otherwise: int | None = None) -> Codec:
    """What is said under a condition on the record, by what has been read before; else `otherwise` stands there."""

    def read(found: Any, value: Any, at: Context) -> Any:
        if condition(at.record):
            return form.read(found, value, at)
        if type(found) is not type(otherwise) or found != otherwise:
            raise at.wrong("{} does not fit the phase", found)
        return value

    return Codec(
        lambda value, at: form.write(value, at) if condition(at.record) else otherwise,
        read,
        whole_record=form.whole_record,
    )


def deferred(make: Callable[[Context], Codec], *, whole: bool = False) -> Codec:
    """A form that depends on what stands in the state by then."""
    return Codec(lambda value, at: make(at).write(value, at), lambda *given: make(given[-1]).read(*given), whole)


def list_of(form: Codec, many: int, least: int | None = None) -> Codec:
    """A list: the first `many` of the state's. With `least` it may be shorter: what is -1 in the state is left out."""

    def write(value: Any, at: Context) -> list[Any]:
        shown = value[:many] if least is None else [one for one in value if one != NOBODY]
        return [form.write(one, at._replace(place=i)) for i, one in enumerate(shown)]

    def read(found: Any, value: Any, at: Context) -> Any:
        if not (many if least is None else least) <= len(at.checked(found, list)) <= many:
            raise at.wrong(f"{many} are needed" if least is None else f"{least} to {many} are needed")
        for i, one in enumerate(found):
            value[i] = form.read(one, value[i], at._replace(place=i).inside(i + 1))
        return value

    return Codec(write, read)


def named_list(names: Sequence[str], form: Codec | None = None, *, sparse: bool = False) -> Codec:
    """A list as a table, a name for each place of it. `sparse`: what is 0 is left out."""
    places = {name: field_at(form or number(), i) for i, name in enumerate(names)}

    def write(value: Any, at: Context) -> dict[str, Any]:
        return {name: one for name, one in mapping(**places).write(value, at).items() if one or not sparse}

    def read(found: Any, value: Any, at: Context) -> Any:
        there = {name: one for name, one in places.items() if not sparse or name in at.checked(found, Mapping)}
        return mapping(**there).read(found, value, at)

    return Codec(write, read)


def bit_set(names: Sequence[str]) -> Codec:
    """A set of 64-bit words (`spieltisch.core.bit_sets`) as the list of the names of what is in it."""
    return _set(names, lambda value, i, at: bit_sets.has(value, i), lambda value, i, at: bit_sets.add(value, i))


def items_at(
    names: Sequence[str], field: str = "", place: Callable[[int], int] = lambda _: 1, nowhere: int = 0
) -> Codec:
    """The list of the names of the things that lie in one place. Their places are the value, or stand in `field` of the
    state. `place` is given the index in the list, such as the seat; what lies `nowhere` can be put there.
    """

    def places(value: Any, at: Context) -> Any:
        return getattr(at.state, field) if field else value

    def add(value: Any, i: int, at: Context) -> None:
        if places(value, at)[i] != nowhere:
            raise at.wrong("{} is in two places", names[i])
        places(value, at)[i] = place(at.place)

    return _set(names, lambda value, i, at: places(value, at)[i] == place(at.place), add, whole=bool(field))


def _set(names: Sequence[str], has: Callable[..., bool], add: Callable[..., object], *, whole: bool = False) -> Codec:
    thing = choice(names)

    def read(found: Any, value: Any, at: Context) -> Any:
        for name in at.checked(found, list):
            i = thing.read(name, None, at)
            if has(value, i, at):
                raise at.wrong("{} is there twice", name)
            add(value, i, at)
        return value

    return Codec(lambda value, at: [name for i, name in enumerate(names) if has(value, i, at)], read, whole)


def field_at(form: Codec, *steps: str | int) -> Codec:
    """What stands elsewhere in the record: in the field of this name, or at an index of it."""

    def inside(value: Any, path: Sequence[str | int]) -> Any:
        for step in path:
            value = value[step] if isinstance(step, int) else getattr(value, step)
        return value

    def read(found: Any, value: Any, at: Context) -> Any:
        last, new = steps[-1], form.read(found, inside(value, steps), at)
        put: Callable[..., None] = list.__setitem__ if isinstance(last, int) else setattr
        put(inside(value, steps[:-1]), last, new)
        return value

    return Codec(lambda value, at: form.write(inside(value, steps), at), read, whole_record=True)


def mapping(*first: str, **forms: Codec) -> Codec:
    """A record as a table. A form stands for the field of its name, unless it belongs to the whole record. Those named
    `first` are read before the others.
    """
    fields = {name: form if form.whole_record else field_at(form, name) for name, form in forms.items()}
    order = (*first, *(name for name in fields if name not in first))

    def write(value: Any, at: Context) -> dict[str, Any]:
        return {name: form.write(value, at._replace(record=value)) for name, form in fields.items()}

    def read(found: Any, value: Any, at: Context) -> Any:
        for name in at.checked(found, Mapping):
            if name not in fields:
                raise at.inside(str(name)[:60]).wrong("unknown")
        for name in order:
            if name not in found:
                raise at.inside(name).wrong("missing")
            fields[name].read(found[name], value, at._replace(record=value).inside(name))
        return value

    return Codec(write, read, whole_record=True)


def default_codec(dtype: np.dtype[Any], seats: int, rule_names: Mapping[int, str]) -> Codec:
    """The form of a state about which nothing is declared: fields by their names, numbers within their type. The
    generator and the number of seats are left out; `players` holds one record for each seat.
    """
    rule, ended = choice(rule_names), optional(choice(rule_names), none=0)
    known = {
        "seat": optional(one_based(seats)),
        "ended_by": deferred(lambda at: rule if at.state.seat == NOBODY else ended),
    }
    forms = {name: known.get(name) or _field(dtype[name]) for name in dtype.names or () if name not in ("rng", "seats")}
    if "players" in forms:
        forms["players"] = list_of(_field(dtype["players"].base), seats)
    return mapping("seat", **{name: field_at(form, name) for name, form in forms.items()})


def _field(dtype: np.dtype[Any]) -> Codec:
    if dtype.names:
        return mapping(**{name: field_at(_field(dtype[name]), name) for name in dtype.names})
    if dtype.shape:
        shorter = np.dtype((dtype.base, dtype.shape[1:]))
        return list_of(_field(shorter), dtype.shape[0])
    bounds = np.iinfo(dtype)
    return number(int(bounds.min), int(bounds.max))
