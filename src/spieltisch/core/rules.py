"""The rule functions of a game."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Rules(NamedTuple):
    """The rule functions of a game.

    `s` is the state, `c` components and options, `w` working memory with the fields `draws` and `events`, `p` a seat.

    >>> import spieltisch
    >>> spieltisch.game("paris-connection").rules.points.__name__
    'points'
    """

    start: Callable[[Any, Any, Any], None]
    """(s, c, w): set up an empty state."""
    refusal: Callable[[Any, Any, Any, int], int]
    """(s, c, w, move): return the code of the reason that forbids the move, or 0."""
    play: Callable[[Any, Any, Any, int], None]
    """(s, c, w, move): play a legal move."""
    points: Callable[[Any, Any, int], int]
    """(s, c, p): return the points of seat p; on a view, those that the viewer knows."""
    legal: Callable[[Any, Any, Any, Any], int] | None = None
    """(s, c, w, out): write the numbers of the legal moves, ascending, and return their count.

    None: the refusal of every move in the space is computed, which a small game can afford.
    """
    evaluate: Callable[[Any, Any, int], int] | None = None
    """(s, c, p): return the value of the position for seat p, from what that seat may see.

    It also runs on a view. None: the points.
    """
    outlook: Callable[[Any, Any, int], int] | None = None
    """(s, c, p): return the value that seat p may expect of the position if all of it is known.

    In the units of `evaluate` (`Game.evaluation_per_point`); searching bots compare seats by it. None: `evaluate`.
    """
    reshuffle: Callable[[Any, Any, Any, int, int], None] | None = None
    """(s, c, r, viewer, steps): change what the viewer cannot know in `steps` small steps with the generator `r`.

    In the long run every state that fits the viewer's knowledge must be equally likely. None: nothing is hidden but the
    generator.
    """
    prunable: Callable[[Any, Any, int], bool] | None = None
    """(s, c, move): return True if a search may skip a legal move because another one is hardly ever worse.

    It reads only public information. None: no move is skipped.
    """
    observe: Callable[[Any, int, Any], None] | None = None
    """(s, viewer, o): fill an empty view, field by field.

    None for a game without secrets: the view shows everything but the generator.
    """
