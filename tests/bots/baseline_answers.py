"""Compute the answers of baseline bots, and read the golden answers that were stored when each bot was new."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spieltisch
from spieltisch.bots import baselines, choose_turn
from spieltisch.bots.baselines import BASELINES, SEATS, SETUPS
from spieltisch.core.chance import Rng, randbelow

GOLDENS = Path(__file__).parent / "baselines"
"""A file for each game, with what each baseline played when it was new. Nobody makes a line of it again."""
SEEDS = (1, 2)
PLAYOUTS = 4_800
"""The maximum number of playouts for the answers of a searching baseline in a golden game."""


def most_answers(name: str) -> int:
    return PLAYOUTS // BASELINES[name].simulations if baselines.is_searching(name) else 1_000


def answers(key: str, name: str, seed: int, max_moves: int, before: Sequence[str] = ()) -> list[str]:
    """Return the first answers of a baseline, in one seat of a game in which all others play at random.

    Answers given in `before` are not computed again. The first move of each answer is played.
    """
    options: dict[str, Any] = dict(SETUPS[key])
    position = spieltisch.game(key).start(SEATS, seed=seed, **options)
    own_seat, rng, answered_moves = seed % SEATS, Rng(seed), list(before)
    decision = 0
    while position.seat is not None and decision < max_moves:
        if position.seat == own_seat:
            if decision == len(answered_moves):
                answer = choose_turn(name, position.observe(own_seat).bytes, seed=position.number)
                answered_moves.append("; ".join(move.move for move in answer))
            position.play(answered_moves[decision].split("; ")[0])
            decision += 1
        else:
            moves = position.legal_moves.numbers
            position.play(moves[randbelow(rng, len(moves))])
    return answered_moves


def goldens(key: str) -> dict[str, list[list[str]]]:
    """Return the golden games of each baseline bot as lists of its answers."""
    games: dict[str, list[list[str]]] = json.loads((GOLDENS / f"{key}.json").read_text("utf-8"))
    return games
