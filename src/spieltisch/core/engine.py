"""How states are held and rules are run: plain (twins, ordinary Python) or compiled (NumPy records, Numba).

Both take the same calls; `check_game` plays every game on both and compares each state byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from spieltisch.core import default_rules, game_loops, twin
from spieltisch.core.compiled import Binding
from spieltisch.core.observation import show_all

if TYPE_CHECKING:
    from spieltisch.core.game import Game


class Engine:
    """One game's rules, bound for one way of running. `start`, `legal`, `refusal`, `play`, `observe`, `points`,
    `evaluate` are the rule functions.
    """

    start: Callable[..., Any]
    legal: Callable[..., Any]
    refusal: Callable[..., Any]
    play: Callable[..., Any]
    observe: Callable[..., Any]
    points: Callable[..., Any]
    evaluate: Callable[..., Any]
    outlook: Callable[..., Any]
    reshuffle: Callable[..., Any]
    prunable: Callable[..., Any]

    def __init__(self, game: Game, *, compiled: bool) -> None:
        self.game = game
        self.compiled = compiled
        rules = game.rules
        given = {name: function for name, function in rules._asdict().items() if function is not None}
        names = {name: getattr(default_rules, name) for name in ("legal", "evaluate", "reshuffle", "prunable")} | given
        names.setdefault("outlook", names["evaluate"])
        self._overlay = {default_rules.__name__: {**given, "MOVES": game.moves}, game_loops.__name__: names}
        self._names = names
        self.binding = Binding(
            game.key,
            compiled=compiled,
            overlay=self._overlay,
            roots=tuple(getattr(game_loops, n) for n in game_loops.ENTRIES),
        )
        self.observe = show_all
        for name, function in names.items():
            setattr(self, name, self.binding.bind(function))

    def driver(self, name: str) -> Callable[..., Any]:
        """An entry point of `spieltisch.core.game_loops`, bound to this game."""
        return self.binding.bind(getattr(game_loops, name))

    def bind_module(self, *entries: Callable[..., Any]) -> Binding:
        """The rules bound to entry points of another module that leaves their names open, as the driver does."""
        overlay = {**self._overlay, **{entry.__module__: self._names for entry in entries}}
        return Binding(self.game.key, compiled=self.compiled, overlay=overlay, roots=entries)

    def blank_record(self, dtype: np.dtype[Any]) -> Any:
        """An empty record of the dtype."""
        return np.zeros(1, dtype).view(np.recarray)[0] if self.compiled else twin.new(dtype)

    def record_array(self, dtype: np.dtype[Any], many: int) -> Any:
        """Several empty records, for drivers."""
        return np.zeros(many, dtype).view(np.recarray) if self.compiled else [twin.new(dtype) for _ in range(many)]

    def move_buffer(self, many: int) -> Any:
        """Room for a list of numbers, such as legal moves."""
        return np.zeros(many, np.int64) if self.compiled else [0] * many

    def pack(self, dtype: np.dtype[Any], record: Any) -> bytes:
        """The record's bytes, equal for both ways of running."""
        return bytes(record.tobytes()) if self.compiled else twin.pack(dtype, record)

    def unpack(self, dtype: np.dtype[Any], data: bytes) -> Any:
        """A record from its bytes."""
        if self.compiled:
            return np.frombuffer(bytearray(data), dtype).view(np.recarray)[0]
        return twin.unpack(dtype, data)

    def clone(self, dtype: np.dtype[Any], record: Any) -> Any:
        """A copy that shares nothing."""
        return self.unpack(dtype, record.tobytes()) if self.compiled else twin.clone(record)
