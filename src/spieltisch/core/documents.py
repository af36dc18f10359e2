"""Documents: a state as JSON in the terms of a game, and back.

A game declares the form of its state as a tree of codecs. A codec writes the document and reads it into an empty twin,
or raises a DocumentError with the path of the invalid value. Lists and seats count from 1. If nothing is declared,
`default_codec` makes the codecs from the dtype.

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

from collections.abc import Callable, Mapping, Sequence
from enum import EnumType, IntEnum
from typing import Any, NamedTuple, Self

import numpy as np

from spieltisch.core import bit_sets
from spieltisch.core.errors import DocumentError

NOBODY = -1
"""The value of a field that names no seat and no item."""


class Context(NamedTuple):
    """The place where a codec is at work: state, record, index in a list (from 0), and path."""

    state: Any
    record: Any
    place: int = 0
    path: str = ""

    def inside(self, step: object) -> Self:
        """Return the context of the value under this name or number."""
        return self._replace(path=f"{self.path}.{step}" if self.path else str(step))

    def wrong(self, what: str, value: object = None) -> DocumentError:
        """Return the error to raise. `what` is its text; `{}` in it stands for the invalid value."""
        return DocumentError(f"{self.path or 'state'}: {what.replace('{}', repr(value)[:60])}")

    def checked(self, value: Any, kind: type) -> Any:
        """Return the value if it is of this kind, a list or a table (a Mapping). Raise DocumentError if not."""
        if not isinstance(value, kind):
            raise self.wrong("a list is needed" if kind is list else "a table is needed")
        return value


class Codec(NamedTuple):
    """The form of a value of the state in a document.

    `write` returns the document of a value. `read` parses a value from a document: into the existing value if that is a
    list or a record, otherwise into a new one. With `is_whole_record` the codec applies to the
    whole record, not to one field.
    """

    write: Callable[[Any, Context], Any]
    read: Callable[[Any, Any, Context], Any]
    is_whole_record: bool = False

    def describe(self, state: Any) -> Any:
        """Return the document of a state (a twin)."""
        return self.write(state, Context(state, state))

    def restore(self, state: Any, document: object) -> Any:
        """Fill the empty state from a document and return it. Raise DocumentError."""
        return self.read(document, state, Context(state, state))


def number(minimum: int = 0, maximum: int = 9999, base: int = 0) -> Codec:
    """Return a codec for a number from `minimum` to `maximum`. The state contains it minus `base`."""

    def read(raw: Any, value: Any, at: Context) -> int:
        if not isinstance(raw, int) or isinstance(raw, bool) or not minimum <= raw <= maximum:
            raise at.wrong(f"{{}} is no number from {minimum} to {maximum}", raw)
        return raw - base

    return Codec(lambda value, at: value + base, read)


def one_based(count: int) -> Codec:
    """Return a codec for a seat or another index that counts from 0 in the state and from 1 in a document."""
    return number(1, count, base=1)


def boolean() -> Codec:
    """Return a codec for 0 or 1 as false or true."""
    return choice({0: False, 1: True})


def choice(words: Mapping[Any, str | bool] | Sequence[str] | type[IntEnum]) -> Codec:
    """Return a codec for a number as a word.

    A member of an enumeration is written as its name or another word, an item as its name.
    """
    if isinstance(words, EnumType):
        words = {member: member.name.lower().replace("_", " ") for member in words}
    by_number = dict(words if isinstance(words, Mapping) else enumerate(words))
    numbers = {name: int(number) for number, name in by_number.items()}
    expected = f"none of {', '.join(map(str, numbers))}" if len(numbers) <= 12 else "unknown"

    def read(raw: Any, value: Any, at: Context) -> int:
        if not isinstance(raw, str | bool) or raw not in numbers:
            raise at.wrong(f"{{}} is {expected}", raw)
        return numbers[raw]

    return Codec(lambda value, at: by_number[value], read)


def optional(form: Codec, missing: int = NOBODY) -> Codec:
    """Return a codec for a value that may be missing: null in the document, `missing` in the state."""
    return Codec(
        lambda value, at: None if value == missing else form.write(value, at),
        lambda raw, value, at: missing if raw is None else form.read(raw, value, at),
    )


def conditional(condition: Callable[[Any], bool], form: Codec, otherwise: int | None = None) -> Codec:
    """Return a codec for a field that exists only if `condition(record)` holds.

    The condition may use fields that were read before. If it does not hold, the document must contain `otherwise`.
    """

    def read(raw: Any, value: Any, at: Context) -> Any:
        if condition(at.record):
            return form.read(raw, value, at)
        if type(raw) is not type(otherwise) or raw != otherwise:
            raise at.wrong("{} does not fit the phase", raw)
        return value

    return Codec(
        lambda value, at: form.write(value, at) if condition(at.record) else otherwise,
        read,
        is_whole_record=form.is_whole_record,
    )


def deferred(make: Callable[[Context], Codec], *, whole: bool = False) -> Codec:
    """Return a codec that is made when it is used, from the context, because it depends on the state."""
    return Codec(
        lambda value, at: make(at).write(value, at), lambda *arguments: make(arguments[-1]).read(*arguments), whole
    )


def list_of(form: Codec, count: int, minimum: int | None = None) -> Codec:
    """Return a codec for a list, which takes the first `count` items of the state.

    With `minimum` the list may be shorter: items of the state that are -1 are left out.
    """

    def write(value: Any, at: Context) -> list[Any]:
        items = value[:count] if minimum is None else [item for item in value if item != NOBODY]
        return [form.write(item, at._replace(place=i)) for i, item in enumerate(items)]

    def read(raw: Any, value: Any, at: Context) -> Any:
        if not (count if minimum is None else minimum) <= len(at.checked(raw, list)) <= count:
            raise at.wrong(f"{count} are needed" if minimum is None else f"{minimum} to {count} are needed")
        for i, item in enumerate(raw):
            value[i] = form.read(item, value[i], at._replace(place=i).inside(i + 1))
        return value

    return Codec(write, read)


def named_list(names: Sequence[str], form: Codec | None = None, *, sparse: bool = False) -> Codec:
    """Return a codec for a list as a table with a name for each index. With `sparse`, items that are 0 are left out."""
    places = {name: field_at(form or number(), i) for i, name in enumerate(names)}

    def write(value: Any, at: Context) -> dict[str, Any]:
        return {name: item for name, item in mapping(**places).write(value, at).items() if item or not sparse}

    def read(raw: Any, value: Any, at: Context) -> Any:
        present = {name: item for name, item in places.items() if not sparse or name in at.checked(raw, Mapping)}
        return mapping(**present).read(raw, value, at)

    return Codec(write, read)


def bit_set(names: Sequence[str]) -> Codec:
    """Return a codec for a set of 64-bit words (`spieltisch.core.bit_sets`) as the list of its elements' names."""
    return _set_codec(names, lambda value, i, at: bit_sets.has(value, i), lambda value, i, at: bit_sets.add(value, i))


def items_at(
    names: Sequence[str], field: str = "", place: Callable[[int], int] = lambda _: 1, nowhere: int = 0
) -> Codec:
    """Return a codec for the list of the names of the items at one place.

    The places of the items are the value itself, or are in `field` of the state. `place` gets the index in the list,
    such as the seat. Only an item whose place is `nowhere` can be put there.
    """

    def places(value: Any, at: Context) -> Any:
        return getattr(at.state, field) if field else value

    def add(value: Any, i: int, at: Context) -> None:
        if places(value, at)[i] != nowhere:
            raise at.wrong("{} is in two places", names[i])
        places(value, at)[i] = place(at.place)

    return _set_codec(names, lambda value, i, at: places(value, at)[i] == place(at.place), add, whole=bool(field))


def _set_codec(
    names: Sequence[str], has: Callable[..., bool], add: Callable[..., object], *, whole: bool = False
) -> Codec:
    """Return a codec for a set as the list of the names of its elements."""
    name_codec = choice(names)

    def read(raw: Any, value: Any, at: Context) -> Any:
        for name in at.checked(raw, list):
            i = name_codec.read(name, None, at)
            if has(value, i, at):
                raise at.wrong("{} is there twice", name)
            add(value, i, at)
        return value

    return Codec(lambda value, at: [name for i, name in enumerate(names) if has(value, i, at)], read, whole)


def field_at(form: Codec, *steps: str | int) -> Codec:
    """Return a codec for a value elsewhere in the record: in the field of this name, or at an index of it."""

    def inside(value: Any, path: Sequence[str | int]) -> Any:
        for step in path:
            value = value[step] if isinstance(step, int) else getattr(value, step)
        return value

    def read(raw: Any, value: Any, at: Context) -> Any:
        last, new = steps[-1], form.read(raw, inside(value, steps), at)
        assign: Callable[..., None] = list.__setitem__ if isinstance(last, int) else setattr
        assign(inside(value, steps[:-1]), last, new)
        return value

    return Codec(lambda value, at: form.write(inside(value, steps), at), read, is_whole_record=True)


def mapping(*first: str, **forms: Codec) -> Codec:
    """Return a codec for a record as a table. A codec applies to the field of its name, or to the whole record.

    The fields named in `first` are read before the others.
    """
    fields = {name: form if form.is_whole_record else field_at(form, name) for name, form in forms.items()}
    order = (*first, *(name for name in fields if name not in first))

    def write(value: Any, at: Context) -> dict[str, Any]:
        return {name: form.write(value, at._replace(record=value)) for name, form in fields.items()}

    def read(raw: Any, value: Any, at: Context) -> Any:
        for name in at.checked(raw, Mapping):
            if name not in fields:
                raise at.inside(str(name)[:60]).wrong("unknown")
        for name in order:
            if name not in raw:
                raise at.inside(name).wrong("missing")
            fields[name].read(raw[name], value, at._replace(record=value).inside(name))
        return value

    return Codec(write, read, is_whole_record=True)


def default_codec(dtype: np.dtype[Any], seats: int, rule_names: Mapping[int, str]) -> Codec:
    """Return the codec of a state for which nothing is declared: fields by their names, numbers within their type.

    The generator and the number of seats are left out; `players` contains one record for each seat.
    """
    rule, ended = choice(rule_names), optional(choice(rule_names), missing=0)
    special = {
        "seat": optional(one_based(seats)),
        "ended_by": deferred(lambda at: rule if at.state.seat == NOBODY else ended),
    }
    forms = {
        name: special.get(name) or _field_codec(dtype[name])
        for name in dtype.names or ()
        if name not in ("rng", "seats")
    }
    if "players" in forms:
        forms["players"] = list_of(_field_codec(dtype["players"].base), seats)
    return mapping("seat", **{name: field_at(form, name) for name, form in forms.items()})


def _field_codec(dtype: np.dtype[Any]) -> Codec:
    if dtype.names:
        return mapping(**{name: field_at(_field_codec(dtype[name]), name) for name in dtype.names})
    if dtype.shape:
        shorter = np.dtype((dtype.base, dtype.shape[1:]))
        return list_of(_field_codec(shorter), dtype.shape[0])
    bounds = np.iinfo(dtype)
    return number(int(bounds.min), int(bounds.max))
