"""Arguments of the public functions, checked where they come in."""

from __future__ import annotations

import operator
from typing import SupportsIndex


def require_int(name: str, value: SupportsIndex) -> int:
    """Return a whole number as an `int`, also one of NumPy. Raises TypeError, with the argument's name, for anything
    else: truth values, floats and texts are no numbers to count with.

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
