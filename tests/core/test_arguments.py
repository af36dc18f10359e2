"""Check arguments: NumPy's integers are accepted, and other values get a clear error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spieltisch
from spieltisch import bots
from spieltisch.core.chance import Rng
from spieltisch.core.errors import DocumentError, OptionError
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.lab.arena import Arena
from spieltisch.lab.fuzz import Fuzzer
from spieltisch.lab.simulation import Simulation, record
from spieltisch.lab.tally import Tally

PARIS = spieltisch.game("paris-connection")
SETUP, FIRST = PARIS.setup(3), PARIS.start(3, seed=7).legal_moves[0]


def position() -> Position:
    return PARIS.start(seats=3, seed=7)


def simulation() -> Simulation:
    return Simulation(SETUP, ["random"] * 3, seed=1)


def fuzzed(*numbers: Any) -> int:
    fuzzer = Fuzzer(SETUP, seed=1)
    return sum(fuzzer.run(*numbers))


def decided(seed: Any) -> str:
    observation = position().observe(position().seat)
    return bots.choose("random", observation.bytes, seed)


TAKES: dict[str, tuple[Callable[[Any], Any], int]] = {
    "start: seats": (lambda n: PARIS.start(n, seed=7), 3),
    "start: seed": (lambda n: PARIS.start(3, seed=n), 7),
    "setup: seats": (lambda n: PARIS.setup(n), 3),
    "observe": (lambda n: position().observe(n).bytes, 0),
    "why_not: seat": (lambda n: position().why_not(FIRST, n), 1),
    "why_not: move": (lambda n: position().why_not(n), 0),
    "move": (lambda n: position().move(n), 1),
    "words": (lambda n: position().words(n), 1),
    "play": (lambda n: position().play(n), FIRST.number),
    "play: seat": (lambda n: position().play(FIRST, seat=n), 0),
    "preview": (lambda n: position().preview(n), FIRST.number),
    "preview: seat": (lambda n: position().preview(FIRST, seat=n), 0),
    "hint": (lambda n: position().hint(n), FIRST.number),
    "foresee": (lambda n: position().known_effects(n), FIRST.number),
    "odds": (lambda n: position().odds(n), FIRST.number),
    "in legal_moves": (lambda n: n in position().legal_moves, FIRST.number),
    "imagine": (lambda n: position().observe(0).imagine(n), 5),
    "record: viewer": (lambda n: Record.of(position(), (), viewer=n), 1),
    "record: seed": (lambda n: Record.of(position(), (), seed=n), 7),
    "choose: seed": (decided, 3),
    "chance: seed": (lambda n: Rng(n).below(100), 2),
    "chance: below": (lambda n: Rng(1).below(n), 100),
    "simulation: seed": (lambda n: Simulation(SETUP, ["random"] * 3, n).results(1, 1), 2),
    "simulation: max_moves": (
        lambda n: Simulation(SETUP, ["random"] * 3, 1, max_moves=n).results(1, 1),
        2,
    ),
    "simulation: play": (lambda n: simulation().play(n, n), 2),
    "simulation: pieces": (lambda n: [*simulation().play_in_batches(Tally.of(["random"] * 3), n, n, n)], 2),
    "simulation: results": (lambda n: simulation().results(n, n), 2),
    "simulation: seed_of": (lambda n: simulation().seed_of(n), 2**31),
    "simulation: bot_at": (lambda n: simulation().bot_at(n, n), 1),
    "simulation: drive": (lambda n: simulation().drive(n, n), 1),
    "simulation: game": (lambda n: simulation().game(n).steps, 1),
    "simulation: record": (lambda n: record(simulation(), n), 1),
    "fuzzer: seed": (lambda n: Fuzzer(SETUP, n).seed, 1),
    "fuzzer: pieces": (lambda n: fuzzed(n, n), 1),
    "arena: seed": (lambda n: Arena(SETUP, ["easy", "random"], n).seed, 1),
    "arena: max_moves": (lambda n: Arena(SETUP, ["easy", "random"], 1, max_moves=n).max_moves, 1),
    "arena: play": (lambda n: sum(Arena(SETUP, ["easy", "random"], 1).play(n)), 1),
}


@pytest.mark.parametrize("name", TAKES)
def test_numpy_integers_are_accepted_as_arguments(name: str) -> None:
    parse_value, number = TAKES[name]
    assert parse_value(np.int64(number)) == parse_value(number)


TEXTS = ("why_not: move", "move", "words", "play", "preview", "hint", "foresee", "odds", "in legal_moves")
"""The functions in which a text is a move."""
ODD = [True, np.True_, 1.0, np.float64(1), "1"]


@pytest.mark.parametrize(
    ("name", "invalid_value"),
    [
        (name, invalid_value)
        for name in TAKES
        for invalid_value in ODD
        if name not in TEXTS or not isinstance(invalid_value, str)
    ],
)
def test_arguments_that_are_no_whole_numbers_are_refused_with_a_message(name: str, invalid_value: Any) -> None:
    parse_value, _ = TAKES[name]
    with pytest.raises(OptionError if name.endswith(": seats") else TypeError, match="is no whole number"):
        parse_value(invalid_value)


def test_an_option_of_another_type_or_outside_its_choices_is_refused() -> None:
    inventors, paris = (spieltisch.game(key) for key in ("legendary-inventors", "paris-connection"))
    assert inventors.setup(3, patents_in_run=np.int64(1)) is inventors.setup(3, patents_in_run=1)
    assert paris.setup(3, memory_aid=np.True_) is paris.setup(3, memory_aid=True)
    assert type(inventors.setup(3, patents_in_run=np.int64(2)).options["patents_in_run"]) is int
    invalid_value: Any
    for invalid_value in (["choose"], {}, None, b"choose", 1):
        with pytest.raises(OptionError, match=r"teams: .* is none of 'choose', 'random'"):
            inventors.setup(3, teams=invalid_value)
    for invalid_value in (True, 1.0, "1", [1], np.float64(1)):
        with pytest.raises(OptionError, match=r"patents_in_run: .* is none of 1, 2"):
            inventors.setup(3, patents_in_run=invalid_value)
    with pytest.raises(OptionError, match="memory_aid: 1 is none of True, False"):
        paris.setup(3, memory_aid=1)


@pytest.mark.parametrize("field", ["seats", "number"])
def test_a_boolean_in_place_of_a_number_in_a_position_document_is_refused(field: str) -> None:
    document = {**position().document(), field: True}
    with pytest.raises(DocumentError, match=f"{field}: 'True' stands where a number is needed"):
        PARIS.position(document)
