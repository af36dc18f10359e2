"""The sources of a table's draws: secret and texts, by both schemes, also as the program in the manual reads them."""

from __future__ import annotations

import json
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
from spieltisch.core.chance import (
    MAX_DRAWS,
    SCHEMES,
    Draws,
    DrawSource,
    Rng,
    draw,
    mix_entropy,
    move_seed,
    next_u64,
    random_words,
)
from spieltisch.core.compiled import Binding
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record, RecordedMove

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
SECRETS = sorted(file for file in GOLDEN.glob("*/*.txt") if "\nsecret: " in file.read_text("utf-8"))
PARIS = {scheme: GOLDEN / "paris-connection" / f"4-depots-{name}.txt" for scheme, name in ((1, "secret"), (2, "texts"))}
SECRET = bytes(range(32))
Small = np.dtype([("rng", "u8")])

keys = st.binary(min_size=32, max_size=32)
texts = st.lists(st.text(st.characters(codec="utf-8"), max_size=80), min_size=2, max_size=6)


# --- The scheme. ---


@given(keys, texts, texts)
def test_other_texts_are_another_key(secret: bytes, entropy: list[str], other_entropy: list[str]) -> None:
    assert (mix_entropy(secret, entropy) == mix_entropy(secret, other_entropy)) == (entropy == other_entropy)
    assert mix_entropy(secret, entropy) != secret


@given(keys, texts, st.data())
def test_each_text_and_its_seat_count(secret: bytes, given_texts: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(given_texts) - 1))
    moved = [*given_texts[at:], *given_texts[:at]]
    assert (mix_entropy(secret, moved) == mix_entropy(secret, given_texts)) == (moved == given_texts)
    joined = [*given_texts]
    joined[at - 1], joined[at] = joined[at - 1] + joined[at], ""
    assert (mix_entropy(secret, joined) == mix_entropy(secret, given_texts)) == (given_texts[at] == "")
    first, *others = given_texts
    assert len({mix_entropy(secret, [first + str(n), *others]) for n in range(9)}) == 9


@given(keys, keys, st.integers(0, 10_000))
def test_each_secret_and_each_move_has_its_words(first_secret: bytes, other_secret: bytes, number: int) -> None:
    words = random_words(first_secret, number)
    assert len(words) == MAX_DRAWS == len(set(words))
    assert all(0 <= word < 1 << 64 for word in words)
    assert not set(words) & set(random_words(first_secret, number + 1))
    assert (set(words) & set(random_words(other_secret, number)) == set()) == (first_secret != other_secret)


def test_every_bit_of_a_moves_hash_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator that starts from 64 bits cannot distinguish hashes that differ only in the other 192."""
    monkeypatch.setattr(chance, "_move_hash", lambda key, number: (1 << number).to_bytes(32, "big"))
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
    DrawSource(secret, ("", "x"), 2).load_words(d, number)
    words = random_words(mix_entropy(secret, ("", "x")), number)
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
    for source in (d, plain):
        DrawSource(SECRET, ("", ""), 2).load_words(source, 3)
    assert d.words.tolist() == plain.words
    left, plain_left = np.array([9, 0, 30, 61]), [9, 0, 30, 61]
    for _ in range(100):
        assert compiled(s, d, left, 4, 0) == draw(plain_s, plain, plain_left, 4, 0)
    assert s.rng == plain_s.rng == 0


@pytest.mark.parametrize(("scheme", "added"), [(0, ()), (3, ()), (1, ("", "x"))])
def test_what_is_no_source_is_refused(scheme: int, added: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="scheme"):
        DrawSource(SECRET, added, scheme)


# --- Positions. ---


def start(**options: Any) -> spieltisch.Position:
    return spieltisch.game("paris-connection").start(seats=3, **options)


def test_secret_texts_and_scheme_make_the_deal() -> None:
    deals = [
        start(secret=secret, scheme=scheme, texts=added).setup_draws
        for secret in (SECRET, bytes(32))
        for scheme, added in ((1, ()), (2, ()), (2, ("a", "", "")), (2, ("", "a", "")), (2, ("a", "b", "c")))
    ]
    assert len(set(deals)) == len(deals)
    assert start(secret=SECRET, texts=("", "", "")).setup_draws == start(secret=SECRET).setup_draws
    assert (
        start(secret=SECRET, texts=("a", "", "")).setup_draws == start(secret=SECRET, texts=("a", "", "")).setup_draws
    )


@pytest.mark.parametrize("source", [{"seed": 1, "texts": ("a", "b", "c")}, {"secret": SECRET, "texts": ("a", "b")}])
def test_texts_go_with_a_secret_and_one_with_each_seat(source: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="texts"):
        start(**source)


def test_what_the_table_will_draw_does_not_lie_about() -> None:
    """Positions, bots and previews share working memory; none of them may draw by the words of the table."""
    position = start(secret=SECRET)
    draws = position.setup.work.draws
    assert draws.has_words == 0
    position.play(position.legal_moves[0])
    assert draws.has_words == 0
    imagined = position.observe(None).imagine(1)
    assert imagined._source is None

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


def test_records_of_both_schemes_are_kept() -> None:
    assert {Record.read(file).scheme for file in SECRETS} == set(SCHEMES)


@pytest.mark.parametrize(
    ("problem", "changes"),
    [
        ("set-up does not come", {"texts": ("", "Elan vital", "", "7 × 7")}),
        ("set-up does not come", {"texts": ("Élan vital", "", "", "7 × 7")}),
        ("set-up does not come", {"texts": ()}),
        ("set-up does not come", {"texts": (), "scheme": 1}),
        ("by scheme 1 of chance nobody adds", {"scheme": 1}),
        ("texts: 2 are given", {"texts": ("a", "b")}),
    ],
)
def test_what_is_changed_of_chance_is_noticed(problem: str, changes: dict[str, Any]) -> None:
    record = Record.read(PARIS[2])
    with pytest.raises(RecordError, match=problem):
        msgspec.structs.replace(record, **changes).verify()


@pytest.mark.parametrize("scheme", ["3", "0", "two", "-1"])
def test_a_scheme_that_is_not_known_is_refused(scheme: str) -> None:
    text = PARIS[2].read_text("utf-8").replace("\nscheme: 2\n", f"\nscheme: {scheme}\n")
    with pytest.raises(RecordError, match="line 10: scheme"):
        Record.parse(text)


def test_the_record_of_a_running_game_shows_texts_and_no_secret() -> None:
    added = ("", "“a”, b\n", "ü")
    position = start(secret=SECRET, texts=added)
    played = position.play(position.legal_moves[0])
    plays = [RecordedMove(played.seat, played.move.text, played.drew)]
    shown = Record.of(position, plays, secret=SECRET, texts=added, viewer=0)
    assert (shown.scheme, shown.texts, shown.secret, shown.commitment) == (2, added, None, sha256(SECRET).hexdigest())
    assert Record.parse(shown.text) == shown
    whole = Record.of(position, plays, secret=SECRET, texts=added)
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
    """The program by itself: a Python that finds nothing but its own library."""
    call = [sys.executable, "-I", "-S", "-X", "utf8", str(program), str(record)]
    return subprocess.run(call, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_program_of_the_manual_draws_the_set_up(program: Path, scheme: int) -> None:
    record = Record.read(PARIS[scheme])
    assert record.scheme == scheme
    done = checked(program, PARIS[scheme])
    assert (done.returncode, done.stdout) == (0, ", ".join(record.drew) + "\n"), done.stderr


@pytest.mark.parametrize("file", SECRETS, ids=lambda file: f"{file.parent.name} {file.stem}")
def test_the_program_of_the_manual_has_our_words(program: Path, file: Path) -> None:
    record, namespace = Record.read(file), {"__name__": "check"}
    exec(compile(program.read_text("utf-8"), "check.py", "exec"), namespace)  # noqa: S102 - our own page
    source = DrawSource(bytes.fromhex(record.secret or ""), record.texts or ("",) * record.seats, record.scheme)
    fields = {"secret": record.secret, "commitment": record.commitment, "seats": str(record.seats)}
    fields |= {"scheme": "2"} if record.scheme == 2 else {}
    fields |= {"texts": json.dumps(record.texts)} if record.texts else {}
    for number in (0, 1, 77):
        words: Any = namespace["words"](fields, number)  # type: ignore[operator]  # the source defines it
        if record.scheme == 2:
            assert tuple(next(words) for _ in range(MAX_DRAWS)) == random_words(source.key, number)
        else:
            rng = Rng(move_seed(source.key, number))
            assert [next(words) for _ in range(9)] == [next_u64(rng) for _ in range(9)]


@pytest.mark.parametrize("line", ["secret", "drew", "texts"])
def test_the_program_of_the_manual_notices_what_was_changed(program: Path, line: str, tmp_path: Path) -> None:
    text = PARIS[2].read_text("utf-8")
    change = {"secret": ("0000\ncommitment", "0001\ncommitment"), "drew": ("purple, brown", "brown, purple")}
    before, after = change.get(line, ("vital", "fatal"))
    assert before in text
    torn = tmp_path / "torn.record"
    torn.write_text(text.replace(before, after, 1), "utf-8")
    done = checked(program, torn)
    assert done.returncode == 1
    assert "AssertionError: " in done.stderr
