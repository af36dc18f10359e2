"""Check that records are parsed, replayed and verified, and that errors name the line or the move."""

from __future__ import annotations

import contextlib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spieltisch
from spieltisch.core import record as records
from spieltisch.core.chance import commitment
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record, RecordedMove

SECRET = bytes(range(32))


@cache
def whole_game_record(secret: bytes | None = None) -> Record:
    """Return the record of a random game, from a seed or a secret."""
    seed = 7 if secret is None else None
    position = spieltisch.game("paris-connection").start(seats=3, seed=seed, secret=secret, cut_off="weak")
    choice, plays = np.random.default_rng(1), []
    while not position.is_over:
        move_result = position.play(int(choice.choice(position.legal_moves.numbers)))
        plays.append(RecordedMove(move_result.seat, move_result.move.text, move_result.drew))
    return Record.of(position, plays, players=("Ada", "Grace | drew", "Zoë\n: 1\u2028\x85"), seed=seed, secret=secret)


def running_game_record(moves: int, viewer: int | Literal["all"] | None) -> Record:
    """Return the record of a running game for a viewer."""
    position = spieltisch.game("paris-connection").start(seats=3, secret=SECRET, cut_off="weak")
    plays = whole_game_record(SECRET).moves[:moves]
    for play in plays:
        position.play(play.move)
    return Record.of(position, plays, secret=SECRET, viewer=viewer)


@pytest.mark.parametrize("secret", [None, SECRET])
def test_records_are_unchanged_after_writing_and_reading(secret: bytes | None, tmp_path: Path) -> None:
    record = whole_game_record(secret)
    record.write(tmp_path / "game.txt")
    assert Record.read(tmp_path / "game.txt") == record
    assert Record.parse(record.text) == record
    assert Record.parse(record.text.replace("\n", "\r\n")) == record
    assert record.text.splitlines()[0] == records.FIRST_LINE


@pytest.mark.parametrize("secret", [None, SECRET])
def test_the_record_of_a_whole_game_is_verified(secret: bytes | None) -> None:
    record = whole_game_record(secret)
    end = record.verify()
    assert end.digest() == record.digest
    outcome = end.outcome
    assert outcome is not None
    winners = [p + 1 for p in outcome.winners]
    assert record.result == {"ended_by": outcome.ended_by, "scores": end.scores, "winners": winners}
    numbers = [position.number for position in record.positions()]
    assert numbers == list(range(len(record.moves) + 1))


def test_the_record_of_a_finished_game_has_the_secret_and_its_commitment() -> None:
    assert whole_game_record(SECRET).secret == SECRET.hex()
    assert whole_game_record(SECRET).commitment == commitment(SECRET)
    assert whole_game_record().secret is whole_game_record().commitment is None


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_the_record_of_a_running_game_contains_no_secrets(viewer: int | None) -> None:
    record = running_game_record(40, viewer)
    assert (record.secret, record.seed, record.digest, record.result) == (None, None, None, None)
    assert record.commitment == commitment(SECRET)
    assert record.viewer == ("spectator" if viewer is None else f"seat {viewer + 1}")
    assert SECRET.hex() not in record.text
    visible_indices = [i for i, text in enumerate(record.drew) if text != records.HIDDEN]
    own_moves = [] if viewer is None else list(range(10 * viewer, 10 * viewer + 10))
    assert visible_indices == own_moves + list(
        range(30, 37)
    )  # the stations and the start player are for everybody (P3)
    assert Record.parse(record.text) == record
    for attempt in (record.replay, record.verify):
        with pytest.raises(RecordError, match="hides draws from its viewer"):
            attempt()


def test_a_record_of_a_running_game_with_its_secret_is_verified() -> None:
    record = running_game_record(40, "all")
    assert record.secret == SECRET.hex()
    assert record.verify().number == 40


REPLACED = [
    ("spieltisch record 1", "spieltisch record 2", "line 1: not 'spieltisch record 1'"),
    ("version: ", "versoin: ", "line 3: 'versoin: .*' is no field"),
    ("seats: 3", "seats: 3\nseats: 3", "line 6: 'seats: 3' is no field, or one given twice"),
    ("seats: 3", "seats: three", "line 5: seats: "),
    ("seats: 3", "seats: 7", "seats: 7 is not from 3 to 6"),
    ("options: {", "options: [", "line 6: options: "),
    ('"weak"', '"gently"', "cut_off: 'gently' is none of"),
    ('"cut_off"', '"cutoff"', "cutoff: paris-connection has no such option"),
    ('players: ["', 'players: [1, "', "line 7: players: "),
    ("seed: 7", "seed: seven", "line 8: seed: "),
    ("game: paris-connection\n", "", "line 11: game missing"),
    ("game: paris-connection", "game: chess", "there is no game 'chess'"),
    ("\n2 seat ", "\n3 seat ", "is not move 2"),
    ("\n2 seat ", "\n2 chair ", "is not move 2"),
    ("\n2 seat ", "\nseat ", "is not move 2"),
    ("\n2 seat ", "\n2 seat 0: done\n2 seat ", "is not move 2"),
]


@pytest.mark.parametrize(("old", "new", "expected_text"), REPLACED)
def test_damaged_records_are_refused_with_a_reason(old: str, new: str, expected_text: str) -> None:
    assert old in whole_game_record().text
    text = whole_game_record().text.replace(old, new, 1)
    with pytest.raises(RecordError, match=expected_text):
        Record.parse(text).verify()


def test_verifying_a_record_with_changed_moves_fails() -> None:
    record = whole_game_record()
    some = list(record.moves)
    deciding_seat = some[5].seat
    changes: dict[str, dict[str, Any]] = {
        "move 6: 'trade red for 1 red' is not allowed": {
            "moves": (*some[:5], RecordedMove(deciding_seat, "trade red for 1 red"))
        },
        "move 6: 'castle' is no move": {"moves": (*some[:5], RecordedMove(deciding_seat, "castle"))},
        f"move 6: seat . moves where seat {deciding_seat + 1} decides": {
            "moves": (*some[:5], RecordedMove((deciding_seat + 1) % 3, some[5].move))
        },
        "move 6: 1 draws were given, 0 are needed": {
            "moves": (*some[:5], RecordedMove(deciding_seat, some[5].move, ("red",)))
        },
        f"move {len(some) + 1}: seat 1 moves where the game is over": {"moves": (*some, RecordedMove(0, "done"))},
        "result: there is one exactly when the game is over": {"moves": tuple(some[:-1])},
        "drew: draw 1: 'green'": {"drew": ("green", *record.drew[1:])},
        "drew: 36 draws were given|drew: 37 draws|drew: .* needed": {"drew": record.drew[:-1]},
        "drew: the set-up does not come from the seed or secret": {"seed": 8},
        "result: ": {"result": {**(record.result or {}), "winners": [1, 2, 3]}},
        "digest: ": {"digest": "0" * 64},
        "components: played with 'france-1' \\(000000000000\\)": {"components_digest": "0" * 64},
    }
    for expected_text, change in changes.items():
        with pytest.raises(RecordError, match=expected_text):
            msgspec.structs.replace(record, **change).verify()


def test_verifying_a_secret_that_does_not_match_the_commitment_fails() -> None:
    record = whole_game_record(SECRET)
    for expected_text, secret in (
        ("commitment: the secret is not the one promised", bytes(32).hex()),
        ("secret: non-hexadecimal number", "no hex"),
    ):
        with pytest.raises(RecordError, match=expected_text):
            msgspec.structs.replace(record, secret=secret).verify()
    with pytest.raises(RecordError, match="drew: the set-up does not come from the seed or secret"):
        msgspec.structs.replace(record, secret=bytes(32).hex(), commitment=commitment(bytes(32))).verify()


def test_a_byte_order_mark_and_blank_lines_before_a_record_are_ignored(tmp_path: Path) -> None:
    text = Record.of(spieltisch.game("paris-connection").start(3, seed=7), (), seed=7).text
    for before in ("\ufeff", "\n", "\ufeff\r\n \n\n"):
        (tmp_path / "record.txt").write_bytes((before + text).encode())
        assert Record.read(tmp_path / "record.txt") == Record.parse(text)
    with pytest.raises(RecordError, match=r"line 3: not "):
        Record.parse("\ufeff\n\nno record\n" + text)
    with pytest.raises(RecordError, match=r"line 4: 'gaming: "):
        Record.parse("\n\n" + text.replace("game: ", "gaming: ", 1))


def test_files_that_are_no_records_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="line 1"):
        Record.parse("")
    with pytest.raises(RecordError, match="longer than"):
        Record.parse(records.FIRST_LINE + "x" * records.MAX_RECORD_LENGTH)
    (tmp_path / "noise").write_bytes(b"spieltisch record 1\n\xff")
    with pytest.raises(RecordError, match="byte 21: not UTF-8"):
        Record.read(tmp_path / "noise")
    with pytest.raises(OSError, match="missing"):
        Record.read(tmp_path / "missing")


def record_with(**fields: str) -> str:
    """Return the record of a whole game with these fields replaced."""
    lines = [line for line in whole_game_record().text.split("\n") if line.partition(": ")[0] not in fields]
    return "\n".join([lines[0], *(f"{name}: {value}" for name, value in fields.items()), *lines[1:]])


@pytest.mark.parametrize(
    "fields",
    [
        *({name: nested} for name in ("options", "result", "players") for nested in ("[" * 90_000, '{"a":' * 18_000)),
        {"options": '{"seats": 3}'},
        {"options": '{"self": 3, "components": 4}'},
        {"options": '{"cut_off": ["strict"]}'},
        {"options": '{"' + "x" * 90_000 + '": 1}'},
        {"result": '{"scores": [[1]]}'},
        {"result": '{"ended_by": "' + "x" * 90_000 + '"}'},
        {"seats": "9" * 5000},
        {"seats": "9" * 4000},
        {"seed": "9" * 5000},
        {"game": "x" * 90_000},
        {"game": "x" * 1_900},
        {"components": "x" * 90_000},
        {"components": "x" * 1_900},
        {"drew": "x" * 90_000},
        {"drew": "x, " * 30_000},
        {"secret": "x" * 90_000},
    ],
)
def test_too_deeply_nested_or_long_records_are_refused_with_a_short_error(fields: dict[str, str]) -> None:
    with pytest.raises(RecordError) as error:
        Record.parse(record_with(**fields)).verify()
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("line", ["1 seat 1: " + "x" * 200_000, f"1 seat {'9' * 5000}: done", "1 seat ١: done"])
def test_a_very_long_move_in_a_record_is_refused_with_a_short_error(line: str) -> None:
    head, _, _ = whole_game_record().text.partition("\n\n")
    with pytest.raises(RecordError, match="line 1") as error:
        Record.parse(f"{head}\n\n{line}\n")
    assert len(str(error.value)) < 500


def test_a_record_file_is_read_only_up_to_the_maximum_length(tmp_path: Path) -> None:
    file = tmp_path / "huge.record"
    with file.open("wb") as open_file:
        open_file.truncate(1 << 40)  # a hole, that no disk holds
    with pytest.raises(RecordError, match="longer than 4000000 characters"):
        Record.read(file)


@given(st.data())
def test_a_damaged_record_is_read_or_raises_a_record_error(data: st.DataObject) -> None:
    """Replace a few characters of a record by others."""
    text = whole_game_record(SECRET).text
    cut_index = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 30))
    new_damage = data.draw(st.text(st.sampled_from('0 1:,|?"{}[]\nseat drewx\x00é'), max_size=6))
    with contextlib.suppress(RecordError):
        Record.parse(text[:cut_index] + new_damage + text[cut_index + cut :])


@pytest.mark.parametrize("state", ["{}", "[]", '{"phase": []}', '{"a": ' + "[" * 20_000 + "]" * 20_000 + "}"])
def test_the_record_of_a_study_without_a_valid_position_is_refused(state: str) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    text = Record.of(position, [], viewer="all").text
    study_line = 'study: {"move": 1, "seat": 1, "table": "t"}'
    with pytest.raises(RecordError, match="state"):
        Record.parse(text.replace("\n\n", f"\n{study_line}\nstate: {state}\n\n", 1)).replay()
