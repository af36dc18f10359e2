"""Engines: how states are stored and rules are run, plain (twins, Python) or compiled (NumPy records, Numba).

Both offer the same calls. `check_game` plays every game on both and compares each state byte for byte.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from spieltisch.core import default_rules, game_loops, twin
from spieltisch.core.compiled import Binding

if TYPE_CHECKING:
    from spieltisch.core.game import Game


class Engine:
    """The rules of one game, bound for plain or compiled play.

    The attributes from `start` to `wasteful` are the rule functions.
    """

    start: Callable[..., Any]
    legal: Callable[..., Any]
    refusal: Callable[..., Any]
    play: Callable[..., Any]
    observe: Callable[..., Any] | None = None
    points: Callable[..., Any]
    evaluate: Callable[..., Any]
    outlook: Callable[..., Any]
    reshuffle: Callable[..., Any]
    prunable: Callable[..., Any]

    def __init__(self, game: Game, *, compiled: bool) -> None:
        self.game = game
        self.compiled = compiled
        rules = game.rules
        own_rules = {name: function for name, function in rules._asdict().items() if function is not None}
        names = {
            name: getattr(default_rules, name) for name in ("legal", "evaluate", "reshuffle", "prunable")
        } | own_rules
        names.setdefault("outlook", names["evaluate"])
        self._overlay = {default_rules.__name__: {**own_rules, "MOVES": game.moves}, game_loops.__name__: names}
        self._names = names
        self.binding = Binding(
            game.key,
            compiled=compiled,
            overlay=self._overlay,
            roots=tuple(getattr(game_loops, n) for n in game_loops.ENTRIES),
        )
        for name, function in names.items():
            setattr(self, name, self.binding.bind(function))

    def view(self, state: Any, viewer: int) -> tuple[bytes, Any]:
        """Return the view of a viewer as bytes and, from plain rules, also as a twin.

        It is filled by the rule `observe`. Without one, it shows all of the state but the generator.
        """
        dtype = self.game.View
        if self.observe is not None:
            view = self.blank_record(dtype)
            self.observe(state, viewer, view)
        elif self.compiled:
            data, view = state.tobytes(), bytearray(dtype.itemsize)
            view[:2] = viewer.to_bytes(2, sys.byteorder, signed=True)
            for target, source, size in self._shared_bytes:
                view[target : target + size] = data[source : source + size]
            return bytes(view), None
        else:
            view = twin.common_fields(self.game.State, dtype, state)
            view.viewer = viewer
        return self.pack(dtype, view), None if self.compiled else view

    @cached_property
    def _shared_bytes(self) -> list[tuple[int, int, int]]:
        """The bytes of a state that its view also has: where they are in the view, in the state, and how many."""
        runs: list[tuple[int, int, int]] = []
        state: Any = self.game.State.fields
        view: Any = self.game.View.fields
        for name, (dtype, target, *_) in view.items():
            if name in state:
                source = state[name][1]
                if runs and (runs[-1][0] + runs[-1][2], runs[-1][1] + runs[-1][2]) == (target, source):
                    runs[-1] = (*runs[-1][:2], runs[-1][2] + dtype.itemsize)
                else:
                    runs.append((target, source, dtype.itemsize))
        return runs

    def driver(self, name: str) -> Callable[..., Any]:
        """Return an entry point of `spieltisch.core.game_loops`, bound to this game."""
        return self.binding.bind(getattr(game_loops, name))

    def bind_module(self, *entries: Callable[..., Any], **names: Any) -> Binding:
        """Return a binding of entry points from another module that leaves the names of the rules open.

        `game_loops` is such a module. Further names can be given.
        """
        overlay = {**self._overlay, **{entry.__module__: {**names, **self._names} for entry in entries}}
        return Binding(self.game.key, compiled=self.compiled, overlay=overlay, roots=entries)

    def blank_record(self, dtype: np.dtype[Any]) -> Any:
        """Return an empty record of the dtype."""
        return np.zeros(1, dtype).view(np.recarray)[0] if self.compiled else twin.new(dtype)

    def record_array(self, dtype: np.dtype[Any], count: int) -> Any:
        """Return several empty records, for loops over games."""
        return np.zeros(count, dtype).view(np.recarray) if self.compiled else [twin.new(dtype) for _ in range(count)]

    def move_buffer(self, count: int) -> Any:
        """Return a buffer for a list of numbers, such as legal moves."""
        return np.zeros(count, np.int64) if self.compiled else [0] * count

    def listed(self, buffer: Any, count: int) -> list[int]:
        """Return the first numbers of a buffer."""
        return buffer[:count].tolist() if self.compiled else buffer[:count]  # type: ignore[no-any-return]  # untyped

    def pack(self, dtype: np.dtype[Any], record: Any) -> bytes:
        """Return the record as bytes. They are equal for plain and compiled play."""
        return bytes(record.tobytes()) if self.compiled else twin.pack(dtype, record)

    def unpack(self, dtype: np.dtype[Any], data: bytes) -> Any:
        """Return the record that these bytes contain."""
        if self.compiled:
            return np.frombuffer(bytearray(data), dtype).view(np.recarray)[0]
        return twin.unpack(dtype, data)

    def clone(self, dtype: np.dtype[Any], record: Any) -> Any:
        """Return an independent copy of the record."""
        return self.unpack(dtype, record.tobytes()) if self.compiled else twin.clone(record)
