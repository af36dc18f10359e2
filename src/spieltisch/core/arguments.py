"""Checks of arguments to public functions."""

import operator
from typing import SupportsIndex


def require_int(name: str, value: SupportsIndex) -> int:
    """Return a whole number, of NumPy too, as an `int`.

    Raise TypeError, which names the argument, for anything else: Booleans, floats and texts are rejected.

    >>> import numpy
    >>> require_int("seed", numpy.int64(7))
    7
    >>> require_int("seed", 7.0)
    Traceback (most recent call last):
    TypeError: seed: 7.0 is no whole number (int)
    """
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name}: {repr(value)[:60]} is no whole number (int)")
