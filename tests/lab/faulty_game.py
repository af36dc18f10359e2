"""Provide the toy game with a fault chosen by an option, which the fuzzer must find."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from spieltisch.core.compiled import rule
from spieltisch.core.options import Option
from spieltisch.core.rules import Rules
from spieltisch.core.setup import Setup
from spieltisch.core.words import message
from tests import toy_game
from tests.toy_game import SPARK, TAKE, TOO_FEW, kind_of, observe, part, points, start
from tests.toy_game import play as good_play
from tests.toy_game import refusal as good_refusal

DEAD_END, ENDLESS, LISTED, UNLISTED, TWICE, LOST, NO_RULE, WRAPS, FORGETS = range(1, 10)
FAULTS = ("none", "dead-end", "endless", "listed", "unlisted", "twice", "lost", "no-rule", "wraps", "forgets")
MOVES = toy_game.SPACE.size
Params = np.dtype([*((name, toy_game.Params[name]) for name in toy_game.Params.names or ()), ("fault", "i2")])


@rule
def legal(s: Any, c: Any, w: Any, out: Any) -> int:
    count = 0
    for move in range(MOVES if s.seat >= 0 else 0):
        if good_refusal(s, c, w, move) == 0:
            out[count] = move
            count += 1
    if s.stones == 5:
        if c.fault == DEAD_END:
            return 0
        if c.fault == UNLISTED:
            return count - 1
        if c.fault == TWICE:
            out[count] = out[count - 1]
            return count + 1
    return count


@rule
def refusal(s: Any, c: Any, w: Any, move: int) -> int:
    return TOO_FEW if c.fault == LISTED and s.stones == 5 and move == 0 else good_refusal(s, c, w, move)


@rule
def play(s: Any, c: Any, w: Any, move: int) -> None:
    own_player = s.players[s.seat]
    good_play(s, c, w, move)
    if c.fault == ENDLESS and kind_of(move) == TAKE:
        own_player.stones -= part(move, 0)
        s.stones += part(move, 0)
        s.seat, s.ended_by = max(s.seat, 0), 0
    elif c.fault == LOST and own_player.stones > 3:
        own_player.stones -= 1
    elif c.fault == NO_RULE and s.seat < 0:
        s.ended_by = 77
    elif c.fault == WRAPS and kind_of(move) == SPARK:
        own_player.bright += 40_000


class Game(toy_game.Game):
    """The toy game with a fault."""

    options = (
        Option(
            "fault",
            message("Fault"),
            message("What is wrong with the rules."),
            tuple((name, message("{name}", name=name)) for name in FAULTS),
            "none",
        ),
    )
    rules = Rules(start, refusal, play, points, legal, observe=observe)
    Params = Params

    def restore(self, setup: Setup, document: Mapping[str, Any]) -> Any:
        s = super().restore(setup, document)
        if setup.options["fault"] == "forgets":
            s.looked = 0
        return s
