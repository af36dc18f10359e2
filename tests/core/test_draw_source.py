"""Check that the draws of a table follow from its secret, also in the program of the manual."""

from __future__ import annotations

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spieltisch
from spieltisch.core import chance, twin
from spieltisch.core.chance import MAX_DRAWS, Draws, draw, load_random_words, move_seed, random_words
from spieltisch.core.compiled import Binding
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record, RecordedMove
from tests.paths import ROOT

GOLDEN = ROOT / "tests" / "golden"
SECRETS = sorted(file for file in GOLDEN.glob("*/*.txt") if "\nsecret: " in file.read_text("utf-8"))
PARIS = GOLDEN / "paris-connection" / "4-depots-secret.txt"
SECRET = bytes(range(32))
Small = np.dtype([("rng", "u8")])

keys = st.binary(min_size=32, max_size=32)


@given(keys, keys, st.integers(0, 10_000))
def test_every_secret_and_every_move_give_different_random_numbers(
    first_secret: bytes, other_secret: bytes, number: int
) -> None:
    words = random_words(first_secret, number)
    assert len(words) == MAX_DRAWS == len(set(words))
    assert all(0 <= word < 1 << 64 for word in words)
    assert not set(words) & set(random_words(first_secret, number + 1))
    assert (set(words) & set(random_words(other_secret, number)) == set()) == (first_secret != other_secret)


def test_every_bit_of_the_hash_of_a_move_changes_the_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator with a seed of 64 bits would give equal numbers for hashes that differ only in the other 192 bits."""
    monkeypatch.setattr(chance, "_move_hash", lambda secret, number: (1 << number).to_bytes(32, "big"))
    assert len({random_words(SECRET, bit_number)[0] for bit_number in range(256)}) == 256
    assert len({move_seed(SECRET, bit_number) for bit_number in range(256)}) == 65


def test_each_bit_of_the_random_numbers_is_set_half_the_time() -> None:
    words = [word for number in range(80) for word in random_words(SECRET, number)]
    for bit_number in range(64):
        ones = sum(word >> bit_number & 1 for word in words)
        assert abs(ones - len(words) / 2) < 5 * (len(words) / 4) ** 0.5


@given(keys, st.integers(0, 1000), st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any))
def test_draws_use_the_random_numbers_of_the_secret_in_order_and_not_the_generator(
    secret: bytes, number: int, left: list[int]
) -> None:
    s, d, counts, total = twin.new(Small), twin.new(Draws), list(left), sum(left)
    load_random_words(d, secret, number)
    words = random_words(secret, number)
    for i in range(total):
        passed_words, kind = (words[i] >> 32) * (total - i) >> 32, 0
        while passed_words >= left[kind]:
            passed_words -= left[kind]
            kind += 1
        left[kind] -= 1
        assert draw(s, d, counts, len(counts), 0) == kind
    assert (s.rng, counts) == (0, left)


def test_compiled_and_plain_rules_make_the_same_draws() -> None:
    compiled = Binding("sources", compiled=True).bind(draw)
    s, d = (np.zeros(1, dtype).view(np.recarray)[0] for dtype in (Small, Draws))
    plain_draws, plain_s = twin.new(Draws), twin.new(Small)
    for draws in (d, plain_draws):
        load_random_words(draws, SECRET, 3)
    assert d.words.tolist() == plain_draws.words
    remaining_counts, plain_left = np.array([9, 0, 30, 61]), [9, 0, 30, 61]
    for _ in range(100):
        assert compiled(s, d, remaining_counts, 4, 0) == draw(plain_s, plain_draws, plain_left, 4, 0)
    assert s.rng == plain_s.rng == 0


# --- Positions. ---


def start_game(secret: bytes) -> spieltisch.Position:
    return spieltisch.game("paris-connection").start(seats=3, secret=secret)


def test_the_secret_determines_the_deal() -> None:
    assert start_game(SECRET).setup_draws == start_game(SECRET).setup_draws != start_game(bytes(32)).setup_draws


def test_positions_outside_a_table_cannot_read_the_future_draws_of_the_table() -> None:
    """Positions, bots and previews share working memory, which must not contain the random words of the table."""
    position = start_game(SECRET)
    draws = position.setup.work.draws
    assert draws.has_words == 0
    position.play(position.legal_moves[0])
    assert draws.has_words == 0
    imagined_position = position.observe(None).imagine(1)
    assert imagined_position._secret is None

    def fail_to_play(*_: Any) -> None:
        assert draws.has_words == 1
        raise ZeroDivisionError

    position.setup.game.engine.play, play_before = fail_to_play, position.setup.game.engine.play
    try:
        with pytest.raises(ZeroDivisionError):
            position.play(position.legal_moves[0])
    finally:
        position.setup.game.engine.play = play_before
    assert draws.has_words == 0


# --- Records. ---


def test_verifying_a_record_with_another_secret_fails() -> None:
    record = msgspec.structs.replace(Record.read(PARIS), secret=SECRET.hex(), commitment=sha256(SECRET).hexdigest())
    with pytest.raises(RecordError, match="set-up does not come"):
        record.verify()


def test_the_record_of_a_running_game_shows_no_secret() -> None:
    position = start_game(SECRET)
    move_result = position.play(position.legal_moves[0])
    plays = [RecordedMove(move_result.seat, move_result.move.text, move_result.drew)]
    public_record = Record.of(position, plays, secret=SECRET, viewer=0)
    assert (public_record.secret, public_record.commitment) == (None, sha256(SECRET).hexdigest())
    assert Record.parse(public_record.text) == public_record
    full_record = Record.of(position, plays, secret=SECRET)
    assert Record.parse(full_record.text) == full_record
    full_record.verify()


# --- The manual's program. ---


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the program of the manual into a file and return its path."""
    page = (ROOT / "docs" / "records.md").read_text("utf-8")
    (program_text,) = re.findall(r"^```python\n(# check\.py\n.*?)^```$", page, re.M | re.S)
    file = tmp_path_factory.mktemp("check") / "check.py"
    file.write_text(program_text, "utf-8")
    return file


def checked(program: Path, record: Path) -> subprocess.CompletedProcess[str]:
    """Run the program with the standard library alone."""
    call = [sys.executable, "-I", "-S", "-X", "utf8", str(program), str(record)]
    return subprocess.run(call, capture_output=True, encoding="utf-8", check=False)


def test_the_program_in_the_manual_computes_the_same_set_up_draws_as_the_server(program: Path) -> None:
    record = Record.read(PARIS)
    result = checked(program, PARIS)
    assert (result.returncode, result.stdout) == (0, ", ".join(record.drew) + "\n"), result.stderr


@pytest.mark.parametrize("file", SECRETS, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_the_program_in_the_manual_computes_the_same_random_numbers_as_the_server(program: Path, file: Path) -> None:
    record, namespace = Record.read(file), {"__name__": "check"}
    exec(compile(program.read_text("utf-8"), "check.py", "exec"), namespace)  # noqa: S102 - our own page
    fields = {"secret": record.secret, "commitment": record.commitment}
    for number in (0, 1, 77):
        words: Any = namespace["words"](fields, number)  # type: ignore[operator]  # the source defines it
        assert tuple(words) == random_words(bytes.fromhex(record.secret or ""), number)


@pytest.mark.parametrize("line", ["secret", "drew"])
def test_the_program_in_the_manual_detects_a_changed_secret_or_draw(program: Path, line: str, tmp_path: Path) -> None:
    text = PARIS.read_text("utf-8")
    torn_text = {
        "secret": re.sub(r"(?m)^secret: .", lambda match: "secret: " + ("1" if match[0][-1] == "0" else "0"), text),
        "drew": re.sub(r"(?m)^drew: ", "drew: red, ", text),
    }[line]
    torn_file = tmp_path / "torn.record"
    torn_file.write_text(torn_text, "utf-8")
    result = checked(program, torn_file)
    assert result.returncode == 1
    assert "AssertionError: " in result.stderr
