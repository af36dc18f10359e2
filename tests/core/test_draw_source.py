"""The draws of a table follow from its secret, also as the program in the manual reads them."""

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

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
SECRETS = sorted(file for file in GOLDEN.glob("*/*.txt") if "\nsecret: " in file.read_text("utf-8"))
PARIS = GOLDEN / "paris-connection" / "4-depots-secret.txt"
SECRET = bytes(range(32))
Small = np.dtype([("rng", "u8")])

keys = st.binary(min_size=32, max_size=32)


@given(keys, keys, st.integers(0, 10_000))
def test_each_secret_and_each_move_has_its_words(first_secret: bytes, other_secret: bytes, number: int) -> None:
    words = random_words(first_secret, number)
    assert len(words) == MAX_DRAWS == len(set(words))
    assert all(0 <= word < 1 << 64 for word in words)
    assert not set(words) & set(random_words(first_secret, number + 1))
    assert (set(words) & set(random_words(other_secret, number)) == set()) == (first_secret != other_secret)


def test_every_bit_of_a_moves_hash_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator that starts from 64 bits cannot distinguish hashes that differ only in the other 192."""
    monkeypatch.setattr(chance, "_move_hash", lambda secret, number: (1 << number).to_bytes(32, "big"))
    assert len({random_words(SECRET, bit)[0] for bit in range(256)}) == 256
    assert len({move_seed(SECRET, bit) for bit in range(256)}) == 65


def test_a_word_is_as_often_high_as_low() -> None:
    words = [word for number in range(80) for word in random_words(SECRET, number)]
    for bit in range(64):
        ones = sum(word >> bit & 1 for word in words)
        assert abs(ones - len(words) / 2) < 5 * (len(words) / 4) ** 0.5


@given(keys, st.integers(0, 1000), st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any))
def test_draws_take_the_words_in_order_and_leave_the_generator_alone(
    secret: bytes, number: int, left: list[int]
) -> None:
    s, d, counts, total = twin.new(Small), twin.new(Draws), list(left), sum(left)
    load_random_words(d, secret, number)
    words = random_words(secret, number)
    for i in range(total):
        passed, kind = (words[i] >> 32) * (total - i) >> 32, 0
        while passed >= left[kind]:
            passed -= left[kind]
            kind += 1
        left[kind] -= 1
        assert draw(s, d, counts, len(counts), 0) == kind
    assert (s.rng, counts) == (0, left)


def test_compiled_draws_are_the_same() -> None:
    compiled = Binding("sources", compiled=True).bind(draw)
    s, d = (np.zeros(1, dtype).view(np.recarray)[0] for dtype in (Small, Draws))
    plain, plain_s = twin.new(Draws), twin.new(Small)
    for draws in (d, plain):
        load_random_words(draws, SECRET, 3)
    assert d.words.tolist() == plain.words
    left, plain_left = np.array([9, 0, 30, 61]), [9, 0, 30, 61]
    for _ in range(100):
        assert compiled(s, d, left, 4, 0) == draw(plain_s, plain, plain_left, 4, 0)
    assert s.rng == plain_s.rng == 0


# --- Positions. ---


def start(secret: bytes) -> spieltisch.Position:
    return spieltisch.game("paris-connection").start(seats=3, secret=secret)


def test_the_secret_makes_the_deal() -> None:
    assert start(SECRET).setup_draws == start(SECRET).setup_draws != start(bytes(32)).setup_draws


def test_other_positions_cannot_read_the_future_draws_of_a_table() -> None:
    """Positions, bots and previews share working memory; none of them may draw by the words of the table."""
    position = start(SECRET)
    draws = position.setup.work.draws
    assert draws.has_words == 0
    position.play(position.legal_moves[0])
    assert draws.has_words == 0
    imagined = position.observe(None).imagine(1)
    assert imagined._secret is None

    def broken(*_: Any) -> None:
        assert draws.has_words == 1
        raise ZeroDivisionError

    position.setup.game.engine.play, kept = broken, position.setup.game.engine.play
    try:
        with pytest.raises(ZeroDivisionError):
            position.play(position.legal_moves[0])
    finally:
        position.setup.game.engine.play = kept
    assert draws.has_words == 0


# --- Records. ---


def test_another_secret_is_noticed() -> None:
    record = msgspec.structs.replace(Record.read(PARIS), secret=SECRET.hex(), commitment=sha256(SECRET).hexdigest())
    with pytest.raises(RecordError, match="set-up does not come"):
        record.verify()


def test_the_record_of_a_running_game_shows_no_secret() -> None:
    position = start(SECRET)
    played = position.play(position.legal_moves[0])
    plays = [RecordedMove(played.seat, played.move.text, played.drew)]
    shown = Record.of(position, plays, secret=SECRET, viewer=0)
    assert (shown.secret, shown.commitment) == (None, sha256(SECRET).hexdigest())
    assert Record.parse(shown.text) == shown
    whole = Record.of(position, plays, secret=SECRET)
    assert Record.parse(whole.text) == whole
    whole.verify()


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
    """Run the program in a Python that finds nothing but its own library."""
    call = [sys.executable, "-I", "-S", "-X", "utf8", str(program), str(record)]
    return subprocess.run(call, capture_output=True, encoding="utf-8", check=False)


def test_the_program_of_the_manual_draws_the_set_up(program: Path) -> None:
    record = Record.read(PARIS)
    done = checked(program, PARIS)
    assert (done.returncode, done.stdout) == (0, ", ".join(record.drew) + "\n"), done.stderr


@pytest.mark.parametrize("file", SECRETS, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_the_program_of_the_manual_has_our_words(program: Path, file: Path) -> None:
    record, namespace = Record.read(file), {"__name__": "check"}
    exec(compile(program.read_text("utf-8"), "check.py", "exec"), namespace)  # noqa: S102 - our own page
    fields = {"secret": record.secret, "commitment": record.commitment}
    for number in (0, 1, 77):
        words: Any = namespace["words"](fields, number)  # type: ignore[operator]  # the source defines it
        assert tuple(words) == random_words(bytes.fromhex(record.secret or ""), number)


@pytest.mark.parametrize("line", ["secret", "drew"])
def test_the_program_of_the_manual_notices_what_was_changed(program: Path, line: str, tmp_path: Path) -> None:
    text = PARIS.read_text("utf-8")
    torn_text = {
        "secret": re.sub(r"(?m)^secret: .", lambda found: "secret: " + ("1" if found[0][-1] == "0" else "0"), text),
        "drew": re.sub(r"(?m)^drew: ", "drew: red, ", text),
    }[line]
    torn = tmp_path / "torn.record"
    torn.write_text(torn_text, "utf-8")
    done = checked(program, torn)
    assert done.returncode == 1
    assert "AssertionError: " in done.stderr
