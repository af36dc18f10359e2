"""The question whether a similar name was meant, at the end of an error."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(text: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the question whether the closest known name was meant; "" if none is close.

    >>> did_you_mean("paris-conection", ["paris-connection"]), did_you_mean("chess", ["paris-connection"])
    ("; did you mean 'paris-connection'?", '')
    """
    close = get_close_matches(text, known, n=1, cutoff=cutoff)
    return f"; did you mean {close[0]!r}?" if close else ""
