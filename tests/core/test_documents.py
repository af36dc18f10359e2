"""Check documents: the codecs that write and read them, default codecs, and errors for malformed documents."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from spieltisch.core import twin
from spieltisch.core.documents import (
    Codec,
    bit_set,
    boolean,
    choice,
    conditional,
    default_codec,
    deferred,
    field_at,
    items_at,
    list_of,
    mapping,
    named_list,
    number,
    one_based,
    optional,
)
from spieltisch.core.errors import DocumentError
from tests.toy_game import Game as Toy

Player = np.dtype([("coins", "i2"), ("ships", "i2", 3)])
State = np.dtype(
    [
        ("rng", "u8"),
        ("seats", "i2"),
        ("seat", "i2"),
        ("ended_by", "i2"),
        ("phase", "i2"),
        ("port", "i2"),
        ("queue", "i2", 3),
        ("owner", "i2", 3),
        ("seen", "u8", 4),
        ("open", "i2", (2, 2)),
        ("players", Player, 3),
    ]
)
PORTS = ("lyon", "brest", "nice")
GOOD: dict[str, Any] = {
    "phase": "loading",
    "seat": 2,
    "loading": {"port": "brest", "open": [True, False]},
    "queue": [2, 1],
    "seen": ["lyon", "nice"],
    "stock": {"brest": 4},
    "players": [{"coins": 3, "ports": ["lyon"]}, {"coins": 0, "ports": ["nice", "brest"]}],
}


def harbour() -> Codec:
    stock = named_list(PORTS, number(1, 9), sparse=True)
    port = deferred(lambda at: choice(PORTS[: at.state.players[1].ships[0]]))
    return mapping(
        "players",
        phase=choice({0: "turn", 1: "loading"}),
        seat=optional(one_based(2)),
        loading=conditional(
            lambda s: s.phase == 1,
            mapping(port=port, open=field_at(list_of(boolean(), 2), "open", 1)),
        ),
        queue=list_of(one_based(2), 3, minimum=1),
        seen=bit_set(PORTS),
        stock=field_at(stock, "players", 2, "ships"),
        players=list_of(mapping(coins=number(), ports=items_at(PORTS, "owner", lambda p: p, nowhere=-1)), 2),
    )


def empty() -> Any:
    state = twin.new(State)
    state.owner[:] = state.queue[:] = [-1, -1, -1]
    state.players[1].ships[0] = 3
    return state


def test_position_documents_are_unchanged_after_reading_and_writing() -> None:
    state = harbour().restore(empty(), json.loads(json.dumps(GOOD)))
    assert (state.phase, state.seat, state.port, state.open[1]) == (1, 1, 1, [1, 0])
    assert (state.queue, state.owner, state.seen[0]) == ([1, 0, -1], [0, 1, 1], 0b101)
    assert [player.coins for player in state.players] == [3, 0, 0]
    assert state.players[2].ships == [0, 4, 0]
    assert list(harbour().describe(state)) == list(GOOD)  # in the order in which they are declared
    assert harbour().describe(state) == GOOD | {
        "players": [GOOD["players"][0], {"coins": 0, "ports": ["brest", "nice"]}]
    }


@pytest.mark.parametrize(
    ("path", "value", "expected_text"),
    [
        (("phase",), "sleeping", "phase: 'sleeping' is none of turn, loading"),
        (("phase",), ["turn"], "phase: ['turn'] is none of turn, loading"),
        (("phase",), "turn", "loading: {'port': 'brest', 'open': [True, False]} does not fit the phase"),
        (("loading",), None, "loading: a table is needed"),
        (("loading", "port"), "rouen", "loading.port: 'rouen' is none of lyon, brest, nice"),
        (("loading", "open"), [1, 0], "loading.open.1: 1 is none of False, True"),
        (("seat",), 3, "seat: 3 is no number from 1 to 2"),
        (("seat",), True, "seat: True is no number from 1 to 2"),
        (("seat",), 1.0, "seat: 1.0 is no number from 1 to 2"),
        (("queue",), [], "queue: 1 to 3 are needed"),
        (("queue",), "ab", "queue: a list is needed"),
        (("queue", 1), "1", "queue.2: '1' is no number from 1 to 2"),
        (("seen",), ["lyon", "lyon"], "seen: 'lyon' is there twice"),
        (("seen",), {"lyon": 1}, "seen: a list is needed"),
        (("stock", "brest"), 0, "stock.brest: 0 is no number from 1 to 9"),
        (("stock", "rouen"), 1, "stock.rouen: unknown"),
        (("players",), [], "players: 2 are needed"),
        (("players", 1), 7, "players.2: a table is needed"),
        (("players", 1), {}, "players.2.coins: missing"),
        (("players", 1, "ships"), [], "players.2.ships: unknown"),
        (("players", 1, "coins"), 10**20, "players.2.coins: 100000000000000000000 is no number from 0 to 9999"),
        (("players", 1, "ports"), ["lyon"], "players.2.ports: 'lyon' is in two places"),
        (("players", 1, "ports"), ["n" * 100], f"players.2.ports: 'n{'n' * 58} is none of lyon, brest, nice"),
    ],
)
def test_errors_in_a_position_document_name_the_path_of_the_value(
    path: tuple[Any, ...], value: Any, expected_text: str
) -> None:
    document = json.loads(json.dumps(GOOD))
    node = document
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    with pytest.raises(DocumentError) as error:
        harbour().restore(empty(), document)
    assert str(error.value) == expected_text


def test_enumerations_are_written_to_position_documents_by_name() -> None:
    class Phase(IntEnum):
        TURN = 0
        LAST_CALL = 1

    form = mapping(phase=choice(Phase), port=choice({Phase.TURN: "here", Phase.LAST_CALL: "there"}))
    state = form.restore(twin.new(State), {"phase": "last call", "port": "there"})
    assert (type(state.phase), state.phase, state.port) == (int, 1, 1)
    assert form.describe(state) == {"phase": "last call", "port": "there"}


def test_a_position_document_that_is_not_a_mapping_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"^state: a table is needed$"):
        harbour().restore(empty(), [])


def test_the_default_codec_uses_the_names_and_types_of_the_state_fields() -> None:
    state = twin.new(State)
    state.seat, state.players[1].ships[2], state.open[1][0], state.seen[3] = -1, -7, 5, 2**64 - 1
    state.ended_by = 1
    form = default_codec(State, 2, {1: "X1"})
    described = form.describe(state)
    assert described == {
        "seat": None,
        "ended_by": "X1",
        "phase": 0,
        "port": 0,
        "queue": [0, 0, 0],
        "owner": [0, 0, 0],
        "seen": [0, 0, 0, 2**64 - 1],
        "open": [[0, 0], [5, 0]],
        "players": [{"coins": 0, "ships": [0, 0, 0]}, {"coins": 0, "ships": [0, 0, -7]}],
    }
    assert twin.pack(State, form.restore(twin.new(State), described)) == twin.pack(State, state)
    for wrong_value, expected_text in (
        ({"port": 2**15}, "port: 32768 is no number from -32768 to 32767"),
        ({"ended_by": None}, "ended_by: None is none of X1"),
        ({"open": [[0], [0, 0]]}, "open.1: 2 are needed"),
    ):
        with pytest.raises(DocumentError) as error:
            form.restore(twin.new(State), described | wrong_value)
        assert str(error.value) == expected_text


def test_positions_of_a_game_that_defines_no_codec_are_restored_from_documents() -> None:
    game = Toy()
    position = game.start(3, seed=5)
    while not position.is_over:
        document = json.loads(json.dumps(position.document()))
        assert game.position(document).digest() == position.digest()
        document["state"]["players"][1]["card"] = "red"
        with pytest.raises(DocumentError, match=r"^players\.2\.card: "):
            game.position(document)
        position.play(position.legal_moves[-1])
    assert position.document()["state"]["ended_by"] == "K1"
    assert game.position(position.document()).outcome == position.outcome
