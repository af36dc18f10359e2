"""The conformance suite: what every game must keep, for us and for third parties.
 `check_game("my-game")` plays random games and raises `ContractBroken` at the first promise of the kernel that the
game breaks. It is meant to be called from a test; the game must be known to `spieltisch.games` (in the list, by entry
point, or through `SPIELTISCH_GAMES`).

>>> report = check_game("paris-connection", games=1, seats=[3], compiled=False, processes=False)
>>> report.games, report.moves > 50
(1, True)
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import spieltisch
from spieltisch.core import twin
from spieltisch.core.game import Game
from spieltisch.core.guide_check import faults
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.record import Play, Record
from spieltisch.core.refusal import IllegalMove
from spieltisch.core.words import LANGUAGES, Message, Words, WordsError

REPLAY = """
import sys, spieltisch
print(spieltisch.Record.read(sys.argv[1]).replay(compiled=sys.argv[2] == "compiled").digest())
"""


class ContractBroken(AssertionError):
    """A game breaks a promise of the kernel; the text says which, and where."""


@dataclass
class Report:
    """What was checked: games played to the end, moves, positions looked at closely, and how often hidden things
    differed.
    """

    games: int = 0
    moves: int = 0
    samples: int = 0
    hidden: int = 0
    differing: int = 0


def check_game(
    key: str,
    *,
    games: int = 3,
    seats: Iterable[int] | None = None,
    seed: int = 1,
    most_moves: int = 20_000,
    every: int = 15,
    compiled: bool = True,
    processes: bool = True,
) -> Report:
    """Check the game named `key` on `games` random games for each number of seats.

    `every` says how often (in moves) a position is looked at closely. `compiled` also plays on the compiled engine,
    `processes` replays records in fresh interpreters with other hash seeds. A guided first round is walked in all its
    ways. Raises ContractBroken.
    """
    game = spieltisch.game(key)
    report = Report()
    check_names(game)
    for count in seats if seats is not None else game.seats:
        for n in range(games):
            record = _play(game, count, seed + n, report, most_moves, every)
            _check_record(record, compiled=compiled, processes=processes and n == 0)
    if game.secrets and report.hidden >= 8:
        _must(
            report.differing * 2 > report.hidden,
            f"imagined positions differ from the real one in only {report.differing} of {report.hidden} samples",
        )
    for fault in faults(game):
        raise ContractBroken(f"guided first round: {fault}")
    return report


def check_names(game: Game) -> None:
    """Names of fields and moves: no clash with an array's methods, texts and numbers one to one, labels in four
    languages.
    """
    for dtype in (game.State, game.View, game.Table, game.Work):
        clash = set(_field_names(dtype)) & set(dir(np.record))
        _must(not clash, f"field names that are methods of an array: {', '.join(sorted(clash))}")
    for count in game.seats:
        setup = game.setup(count)
        for move in setup.moves:
            words = setup.words(move)
            _must(
                setup.move(move.text) == move and setup.move(move.number) == move, f"{move.text!r} does not parse back"
            )
            _must(" ".join(word.text for word in words) == move.text, f"{move.text!r} is not its words")
        numbered = [n for n in range(game.moves) if game.words(setup, n)]
        _must([m.number for m in setup.moves] == numbered, "two moves have the same text")
        for a, b in pairwise(sorted(tuple(w.text for w in setup.words(m)) for m in setup.moves)):
            _must(b[: len(a)] != a, f"{' '.join(a)!r} is the beginning of {' '.join(b)!r}: half a sentence is no move")
        codes = game.draw_words(setup)
        _must(len(set(codes)) == len(codes), "two draws have the same text")
    for language in LANGUAGES:
        Words(language, game.folder / "locale").say(game.title)


def _play(game: Game, seats: int, seed: int, report: Report, most_moves: int, every: int) -> Record:
    """One random game, every move checked, every so often a position looked at closely."""
    chance = random.Random(seed)  # noqa: S311 - a test's choice of moves
    position = game.start(seats, seed=seed)
    totals = dict(game.conserved(position))
    plays: list[Play] = []
    begun: Observation | None = None
    while not position.over:
        where = f"{game.key}, {seats} seats, seed {seed}, after move {position.number}"
        _must(position.number < most_moves, f"{where}: the game does not end")
        moves = position.legal_moves
        _must(len(moves) > 0, f"{where}: a seat decides and has no move")
        if position.number % every == 0:
            check_position(position, chance, report)
        move = chance.choice(moves)
        before, acting = position.digest(), position.seat
        if begun is None:
            begun = position.observe(acting)
        played = position.play(move)
        _must(
            played.seat == acting and played.number == position.number,
            f"{where}: {move} was not played by seat {acting}",
        )
        _must(position.digest() != before or bool(played.drew), f"{where}: {move} changes nothing")
        _must(dict(game.conserved(position)) == totals, f"{where}: {move} does not conserve {totals}")
        plays.append(Play(played.seat, move.text, played.drew))
        report.moves += 1
        if position.number % every == 0 and not played.drew:
            _check_sum(begun, position.observe(played.seat), played.seat, where)
        if played.drew or played.passed:
            begun = None
    _check_end(position)
    report.games += 1
    return Record.of(position, plays, seed=seed)


def check_position(position: Position, chance: random.Random, report: Report) -> None:
    """Look closely at a position of a running game: reasons, copies, documents, secrets and undo. Raises
    ContractBroken.
    """
    where = f"{position.setup.game.key}, {position.seats} seats, after move {position.number}"
    moves = position.legal_moves
    report.samples += 1
    _check_legality(position, where)
    _check_copy(position, chance.choice(moves), where)
    _check_document(position, where)
    _check_notes(position, where)
    _check_stage(position, where)
    _check_secrets(position, chance, report, where)
    _check_undo(position, chance.sample(list(moves), min(4, len(moves))), where)


def _check_legality(position: Position, where: str) -> None:
    """`why_not` is None exactly for the legal moves, over the whole move space; numbers, mask and membership agree."""
    moves = position.legal_moves
    legal = set(moves.numbers)
    _must(list(moves.numbers) == sorted(legal), f"{where}: legal moves are not ascending, or one stands twice")
    _must({int(n) for n in np.flatnonzero(moves.mask)} == legal, f"{where}: the mask differs from the legal moves")
    names = set(position.setup.game.rule_names.values())
    for move in position.setup.moves:
        refusal = position.why_not(move)
        _must(
            (refusal is None) == (move.number in legal), f"{where}: {move} is legal and refused, or neither ({refusal})"
        )
        _must((move in moves) == (move.number in legal), f"{where}: {move} in legal_moves")
        if refusal is not None:
            _must(refusal.rule in names, f"{where}: {move} is refused by {refusal.rule!r}, which is no rule")
            _must(bool(str(refusal.message)), f"{where}: {move} is refused without a sentence")
    for seat in range(position.seats):
        if seat != position.seat:
            answers = {
                getattr(position.why_not(move, seat), "rule", None)
                for move in (*position.setup.moves[:3], *list(moves)[:3])
            }
            _must(answers == {"turn"}, f"{where}: seat {seat} does not decide and is answered")


def _check_copy(position: Position, move: Move, where: str) -> None:
    before = position.digest()
    other = position.copy()
    other.play(move)
    _must(position.digest() == before, f"{where}: a copy shares its state")
    again = position.copy()
    _must(again.digest() == before, f"{where}: a copy differs")
    illegal = next((m for m in position.setup.moves if m not in position.legal_moves), None)
    if illegal is not None:
        try:
            again.play(illegal)
        except IllegalMove as error:
            _must(
                error.refusal == position.why_not(illegal),
                f"{where}: {illegal} is refused for another reason when played",
            )
        else:
            raise ContractBroken(f"{where}: {illegal} is illegal and was played")
        _must(again.digest() == before, f"{where}: a refused move changes the state")


def _check_document(position: Position, where: str) -> None:
    game = position.setup.game
    text = json.dumps(position.document(), sort_keys=True)
    back = game.position(json.loads(text))
    _must(back.digest() == position.digest(), f"{where}: the document gives another position")
    _must(json.dumps(back.document(), sort_keys=True) == text, f"{where}: the document does not round-trip")
    _must(back.legal_moves.numbers == position.legal_moves.numbers, f"{where}: the document's position has other moves")


def _check_secrets(position: Position, chance: random.Random, report: Report, where: str) -> None:
    """What a seat is shown is the same bytes in the real position and in one imagined from the seat's observation."""
    for seat in (*range(position.seats), None):
        seen = position.observe(seat)
        _must(Observation.read(seen.bytes).data == seen.data, f"{where}: the observation's bytes do not read back")
        imagined = seen.imagine(chance.getrandbits(30))
        _must(
            imagined.observe(seat).data == seen.data,
            f"{where}: the imagined position does not fit what seat {seat} knows",
        )
        if not position.setup.game.secrets:
            _must(imagined.digest() == position.digest(), f"{where}: the game has secrets, from seat {seat}")
        _must(imagined.state.rng != position.state.rng, f"{where}: the generator is shown to seat {seat}")
        report.hidden += 1
        report.differing += imagined.digest() != position.digest()
        move = chance.choice(position.legal_moves)
        shown, other = _shown(position, seat, move), _shown(imagined, seat, move)
        if "log" in shown and "log" in other and shown["log"][0] != other["log"][0]:
            del shown["log"]  # the move itself tells the seat something, as it may; its log may tell it too
        for name in shown:
            _must(name not in other or shown[name] == other[name], f"{where}: seat {seat} learns a secret from {name}")


def _shown(position: Position, seat: int | None, move: Move) -> dict[str, Any]:
    """Everything a perspective is shown, by name; `move` is played if it can be."""
    game = position.setup.game
    seen = position.observe(seat)
    shown: dict[str, Any] = {"observation": seen.data, "points": seen.scores, "prompt": game.prompt(seen)}
    shown["stage"] = game.stage(seen)
    if seat is not None and seat == position.seat:
        moves = position.legal_moves
        shown["reasons"] = [position.why_not(m, seat) for m in position.setup.moves]
        shown["moves"] = [(m, position.words(m)) for m in moves]
        shown["previews"] = [position.preview(m) for m in moves[:: 1 + len(moves) // 8]]
        shown["errors"] = [_error(position, m) for m in position.setup.moves[::29] if m not in moves]
    elif seat is not None:
        shown["reasons"] = [position.why_not(m, seat) for m in position.setup.moves[::29]]
    if move in position.legal_moves and position.seat is not None:
        after, acting = position.copy(), position.seat
        if not after.play(move).drew:
            seen_then = after.observe(seat)
            shown["log"] = seen_then.data, game.tell(seen, move, seen_then, acting, ())
    return shown


def _error(position: Position, move: Move) -> str:
    try:
        position.copy().play(move)
    except IllegalMove as error:
        return str(error)
    raise ContractBroken(f"{move} is illegal and was played")


def _check_notes(position: Position, where: str) -> None:
    """A note on every legal move, and whether it asks: the same for equal observations, sayable, and the observation
    is what it was.
    """
    game, seen = position.setup.game, position.observe(position.seat)
    other = Observation.read(seen.bytes)
    for move in position.legal_moves:
        note = game.note(seen, move)
        _must(note == game.note(other, move), f"{where}: equal observations have different notes on {move}")
        asks = game.asks(seen, move)
        _must(asks == game.asks(other, move), f"{where}: {move} asks by one of two equal observations")
        if note is not None:
            _sayable(game, note, f"{where}: the note on {move}")
    _untouched(seen, f"{where}: a note")


def _check_stage(position: Position, where: str) -> None:
    """The part of the game: the same for all who look, sayable, and the observation is what it was."""
    game = position.setup.game
    stages = []
    for seen in (*map(position.observe, (None, *range(position.seats))), position.reveal()):
        stages.append(game.stage(seen))
        _untouched(seen, f"{where}: the stage")
    _must(all(stage == stages[0] for stage in stages), f"{where}: the stage is not the same for everybody")
    if stages[0] is not None:
        _sayable(game, stages[0], f"{where}: the stage")


def _check_sum(before: Observation, after: Observation, seat: int, where: str) -> None:
    game = after.setup.game
    total = game.sum_up(before, after, seat)
    again = game.sum_up(Observation.read(before.bytes), Observation.read(after.bytes), seat)
    _must(total == again, f"{where}: equal observations are summed up differently")
    for said in total:
        _sayable(game, said, f"{where}: the sum of the turn")
    _untouched(before, f"{where}: summing up")
    _untouched(after, f"{where}: summing up")


def _sayable(game: Game, said: Message, what: str) -> None:
    for language in LANGUAGES:
        try:
            text = Words(language, game.folder / "locale").say(said)
        except WordsError as error:
            raise ContractBroken(f"{what} cannot be said in {language!r}: {error}") from error
        _must(bool(text.strip()), f"{what} says nothing in {language!r}")


def _untouched(seen: Observation, what: str) -> None:
    _must(twin.pack(seen.setup.game.View, seen.view) == seen.data, f"{what} changes the observation")


def _check_undo(position: Position, moves: Sequence[Move], where: str) -> None:
    """A move that may be undone keeps the decision and tells its seat nothing: every imagined position agrees on what
    it sees then.
    """
    for move in moves:
        after, seat = position.copy(), position.seat
        played = after.play(move, watch=True)
        if played.final:
            continue
        _must(after.seat == seat and not played.drew, f"{where}: {move} could be undone after passing or drawing")
        before = position.observe(seat)
        for i in range(10, 16):
            imagined = before.imagine(i)
            imagined.play(move)
            _must(
                imagined.observe(seat).data == after.observe(seat).data,
                f"{where}: {move} tells seat {seat} something and could be undone",
            )


def _check_end(position: Position) -> None:
    outcome = position.outcome
    _must(outcome is not None and len(position.legal_moves) == 0, "the game is over and goes on")
    assert outcome is not None
    _must(len(outcome.winners) > 0, "nobody wins")
    _must(
        outcome.ended_by in position.setup.game.rule_names.values(),
        f"{outcome.ended_by!r} ends the game and is no rule",
    )
    for seat in (*range(position.seats), None):
        _must(
            position.observe(seat).scores == position.scores,
            f"the points that seat {seat} sees at the end are not the points",
        )
    refusal = position.why_not(position.setup.moves[0])
    _must(refusal is not None and refusal.rule == "over", "a move is not refused after the end")


def _check_record(record: Record, *, compiled: bool, processes: bool) -> None:
    where = f"{record.game}, {record.seats} seats, seed {record.seed}"
    _must(Record.parse(record.text) == record, f"{where}: the record does not read back")
    digest = record.verify().digest()
    if compiled:
        for plain, fast in zip(record.positions(), record.positions(compiled=True), strict=True):
            _must(plain.digest() == fast.digest(), f"{where}: plain and compiled differ after move {plain.number}")
            _must(plain.legal_moves.numbers == fast.legal_moves.numbers, f"{where}: plain and compiled differ in moves")
    if processes:
        for engine in ("plain", "compiled") if compiled else ("plain",):
            for hash_seed in ("1", "2"):
                _must(
                    _replayed(record, hash_seed, engine) == digest,
                    f"{where}: a fresh interpreter ({engine}) replays it differently",
                )


def _replayed(record: Record, hash_seed: str, engine: str) -> str:
    """The digest that a fresh interpreter comes to."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "record.txt"
        record.write(file)
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-c", REPLAY, str(file), engine]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own line
        _must(done.returncode == 0, f"a fresh interpreter fails: {done.stderr[-500:]}")
        return done.stdout.strip()


def _field_names(dtype: Any) -> Iterator[str]:
    for name in dtype.names or ():
        yield name
        yield from _field_names(dtype[name].base)


def _must(holds: bool, text: str) -> None:
    if not holds:
        raise ContractBroken(text)
