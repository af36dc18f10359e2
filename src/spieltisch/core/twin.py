"""The plain twin of a record: the same field names, with Python ints and lists as values.

Rules run on it as ordinary Python, tens of times faster than on a NumPy record without the compiler. Its integers do
not overflow, which checks the arithmetic of the compiled rules. A dtype is the only description of a state; twins are
made from it.

>>> import numpy as np
>>> Seat = np.dtype([("shares", "i2", 3)])
>>> State = np.dtype([("turn", "i2"), ("seats", Seat, 2)])
>>> twin = new(State); twin.seats[1].shares[2] = 7
>>> unpack(State, pack(State, twin)).seats[1].shares
[0, 0, 7]
"""

import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

DType = np.dtype[Any]

MAX_LINE = 100
"""The longest line in which the repr of a twin, or of a list in it, is shown."""

_FORMATS = dict(zip(["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"], "?bhiqBHIQfd", strict=True))
"""The format characters of `struct` for the numbers of a dtype."""


class Twin:
    """A state, a view or another record, with the fields of its game: integers, lists and further twins."""

    __slots__ = ()

    if TYPE_CHECKING:  # the dtype of a game says which fields there are

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...


@cache
def _twin_class(dtype: DType) -> type[Twin]:
    """Return a class with one slot for each field, and a repr that shows them."""
    names = dtype.names or ()

    def show(self: Any) -> str:
        return _lines("Twin(", [f"{name}={_display_text(getattr(self, name), dtype[name])}" for name in names], ")")

    kind = type("Twin", (Twin,), {"__slots__": names, "__repr__": show})
    kind.__clone__ = _make_cloner(dtype, kind)  # type: ignore[attr-defined]  # a class of its own
    return kind


def _display_text(value: Any, field: DType) -> str:
    """Return a value as people read it: a set of bits as its members, records one below the other."""
    if field.shape and field.base == np.uint64 and len(field.shape) == 1:
        members = (64 * i + bit for i, word in enumerate(value) for bit in range(64) if word >> bit & 1)
        return "{" + ", ".join(map(str, members)) + "}"
    if not field.shape:
        return repr(value)
    inner = np.dtype((field.base, field.shape[1:]))
    return _lines("[", [_display_text(item, inner) for item in value], "]")


def _lines(opening: str, items: Sequence[str], closing: str) -> str:
    """Return items in one line, or in a line each if it would be too long."""
    line = f"{opening}{', '.join(items)}{closing}"
    if len(line) <= MAX_LINE and "\n" not in line:
        return line
    return "\n    ".join([opening, *(f"{item},".replace("\n", "\n    ") for item in items)]) + f"\n{closing}"


def _compile_function(parameter: str, lines: Iterable[str], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function of one argument with these lines as its body, in which these names are known."""
    scope = dict(names)
    exec(f"def function({parameter}):\n" + "\n".join(f" {line}" for line in lines), scope)  # noqa: S102 - of field names
    return scope["function"]  # type: ignore[no-any-return]  # a dictionary of anything


def _clone_expression(field: DType, value: str, names: dict[str, Any], depth: int = 0) -> str:
    """Return the expression of an independent copy of a field's value; add to `names` what it calls."""
    if depth < len(field.shape):
        inner = _clone_expression(field, f"a{depth}", names, depth + 1)
        return f"{value}[:]" if inner == f"a{depth}" else f"[{inner} for a{depth} in {value}]"
    if not field.base.names:
        return value
    name = f"clone{len(names)}"
    names[name] = _twin_class(field.base).__clone__  # type: ignore[attr-defined]  # a class of its own
    return f"{name}({value})"


def _copy_statements(dtype: DType, fields: Iterable[str], names: dict[str, Any]) -> list[str]:
    """Return the statements that copy these fields of a twin `s` into `t`."""
    return [f"t.{name} = {_clone_expression(dtype[name], f's.{name}', names)}" for name in fields]


def _make_cloner(dtype: DType, kind: type) -> Callable[[Any], Any]:
    names: dict[str, Any] = {"make": kind.__new__, "kind": kind}
    return _compile_function(
        "s", ["t = make(kind)", *_copy_statements(dtype, dtype.names or (), names), "return t"], names
    )


@cache
def _make_copier(dtype: DType, wanted: DType) -> Callable[[Any], Any]:
    """Return a function that copies the fields in common into a new twin of another dtype."""
    names: dict[str, Any] = {
        "make": _twin_class(wanted).__new__,
        "kind": _twin_class(wanted),
        "empty": _blank_twin(wanted),
    }
    common = [name for name in wanted.names or () if name in (dtype.names or ())]
    others = [
        f"t.{name} = {_clone_expression(wanted[name], f'empty.{name}', names)}"
        for name in wanted.names or ()
        if name not in common
    ]
    return _compile_function(
        "s", ["t = make(kind)", *others, *_copy_statements(dtype, common, names), "return t"], names
    )


def _flatten_expression(field: DType, value: str, names: dict[str, Any]) -> str:
    """Return the numbers of a field's value as items of a tuple display."""
    if field.base.names:
        name = f"flat{len(names)}"
        names[name] = _make_flattener(field.base)
        if not field.shape:
            return f"*{name}({value})"
        for _ in field.shape[1:]:
            value = f"chain({value})"
        return f"*chain(map({name}, {value}))"
    for _ in field.shape[1:]:
        value = f"chain({value})"
    return f"*{value}" if field.shape else value


@cache
def _make_flattener(dtype: DType) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns all numbers of a twin, in the order of the record."""
    names: dict[str, Any] = {"chain": chain.from_iterable}
    items = [_flatten_expression(dtype[name], f"t.{name}", names) for name in dtype.names or ()]
    return _compile_function("t", [f"return ({', '.join(items)},)"], names)


def _build_expression(field: DType, at: str, offset: int, names: dict[str, Any]) -> str:
    """Return the expression of a field's value, from the numbers `v` that begin at `at` + `offset`."""
    if field.shape:
        count, inner = field.shape[0], np.dtype((field.base, field.shape[1:]))
        if not field.base.names and not inner.shape:
            return f"list(v[{at}+{offset}:{at}+{offset + count}])"
        size = _size(inner)
        starts = f"range({at}+{offset}, {at}+{offset + count * size}, {size})"
        return f"[{_build_expression(inner, f'{at}_', 0, names)} for {at}_ in {starts}]"
    if not field.names:
        return f"v[{at}+{offset}]"
    name = f"build{len(names)}"
    names[name] = _make_builder(field)
    return f"{name}(v, {at}+{offset})"


@cache
def _make_builder(dtype: DType) -> Callable[..., Any]:
    """Return a function that makes a twin of the numbers of a record, from the one at an index on."""
    names: dict[str, Any] = {"make": _twin_class(dtype).__new__, "kind": _twin_class(dtype)}
    lines, offset = ["t = make(kind)"], 0
    for name in dtype.names or ():
        lines.append(f"t.{name} = {_build_expression(dtype[name], 'i', offset, names)}")
        offset += _size(dtype[name])
    return _compile_function("v, i=0", [*lines, "return t"], names)


@cache
def _size(dtype: DType) -> int:
    """Return how many numbers a value of the dtype has."""
    size = sum(_size(dtype.base[name]) for name in dtype.base.names) if dtype.base.names else 1
    return size * math.prod(dtype.shape)


@cache
def _struct(dtype: DType) -> struct.Struct:
    """Return the layout of the record. The gaps between fields are packed as zeros."""
    return struct.Struct("=" + _format(dtype))


def _format(dtype: DType) -> str:
    if dtype.shape:
        count = math.prod(dtype.shape)
        base = _format(dtype.base)
        return base * count if dtype.base.names else f"{count}{base}"
    if not dtype.names:
        return _FORMATS[f"{dtype.kind}{dtype.itemsize}"]
    text, end = "", 0
    for field, offset, *_ in (dtype.fields[name] for name in dtype.names):  # type: ignore[index]  # it has names
        text += "x" * (offset - end) + _format(field)
        end = offset + field.itemsize
    return text + "x" * (dtype.itemsize - end)


@cache
def _blank_twin(dtype: DType) -> Any:
    """Return the empty twin from which new ones are copied."""
    return _make_builder(dtype)((0,) * _size(dtype))


def new(dtype: DType) -> Any:
    """Return a twin of the dtype with every number 0."""
    return clone(_blank_twin(dtype))


def from_mapping(dtype: DType, numbers: Mapping[str, int | Sequence[int]]) -> Any:
    """Return a twin of the dtype with these numbers, by field name. Ignore other names.

    Raise KeyError for a field without a number.

    >>> import numpy as np
    >>> from_mapping(np.dtype([("a", "i2"), ("b", "i2", 2)]), {"a": 5, "b": (1, 2), "c": 7})
    Twin(a=5, b=[1, 2])
    """
    twin = new(dtype)
    for name in dtype.names or ():
        value = numbers[name]
        setattr(twin, name, value if isinstance(value, int) else list(value))
    return twin


def assign(source: Any, target: Any) -> None:
    """Copy every number of one twin into another of the same dtype; nothing is shared."""
    for name in source.__slots__:
        value = getattr(source, name)
        if isinstance(value, list):
            _assign_list(value, getattr(target, name))
        elif isinstance(value, int):
            setattr(target, name, value)
        else:
            assign(value, getattr(target, name))


def _assign_list(source: list[Any], target: list[Any]) -> None:
    if isinstance(source[0], int):
        target[:] = source
    elif isinstance(source[0], list):
        for a, b in zip(source, target, strict=True):
            _assign_list(a, b)
    else:
        for a, b in zip(source, target, strict=True):
            assign(a, b)


def clone(source: Any) -> Any:
    """Return a new twin with the same numbers."""
    return source.__clone__()


def common_fields(source: DType, target: DType, twin: Any) -> Any:
    """Return a twin of the dtype `target` with the fields that a twin of `source` also has; the others are 0.

    >>> import numpy as np
    >>> big, small = np.dtype([("a", "i2"), ("b", "i2", 2)]), np.dtype([("b", "i2", 2), ("c", "i2")])
    >>> full = new(big); full.b[1] = 5; common_fields(big, small, full)
    Twin(b=[0, 5], c=0)
    """
    return _make_copier(source, target)(twin)


def pack(dtype: DType, twin: Any) -> bytes:
    """Return the numbers of a twin as the bytes of one record. Raise OverflowError if one does not fit its field."""
    try:
        return _struct(dtype).pack(*_make_flattener(dtype)(twin))
    except struct.error as error:
        raise OverflowError(f"a number is out of bounds: {error}") from error


def unpack(dtype: DType, data: bytes) -> Any:
    """Return a twin from the bytes of one record. Raise ValueError if the length is wrong."""
    if len(data) != dtype.itemsize:
        raise ValueError(f"{len(data)} bytes where {dtype.itemsize} are needed")
    return _make_builder(dtype)(_struct(dtype).unpack(data))
