"""Checks of a position in depth: reasons, copies, documents, hints, undo, and the conditions at the end of a game."""

import json
import random
from collections.abc import Sequence

import numpy as np

from spieltisch.core.errors import IllegalMove
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.registry import game as find_game
from spieltisch.core.words import Message
from spieltisch.testing.contract import (
    ContractBroken,
    Report,
    require,
    require_translated,
    require_unchanged,
    viewer_name,
)
from spieltisch.testing.observation_secrecy import check_secrets


def check_position(position: Position, chance: random.Random, report: Report) -> None:
    """Check a position in depth: reasons, copies, documents, secrets and undo.

    If the game is over, check its outcome and its document. Raise ContractBroken.

    >>> import spieltisch
    >>> report = Report()
    >>> check_position(spieltisch.game("paris-connection").start(seats=3, seed=1), random.Random(1), report)
    >>> report.samples
    1
    """
    where = f"{position.setup.game.key}, {position.seats} seats, after move {position.number}"
    report.samples += 1
    if position.is_over:
        _check_end(position, where)
        return
    moves = position.legal_moves
    _check_legality(position, where)
    _check_vectors(position, where)
    _check_copy(position, chance.choice(moves), where)
    _check_document(position, where)
    _check_hints(position, where)
    _check_stage(position, where)
    _check_points(position, where)
    _check_bot_trials(position, chance, where)
    _check_sentences(position, where)
    check_secrets(position, chance, report, where)
    check_undo(position, chance.sample(list(moves), min(4, len(moves))), where)


def _check_legality(position: Position, where: str) -> None:
    """Check that `why_not` is None exactly for the legal moves, and that numbers, mask and membership agree.

    All moves of the space are checked.
    """
    moves = position.legal_moves
    legal = set(moves.numbers)
    require(list(moves.numbers) == sorted(legal), f"{where}: legal moves are not ascending, or one stands twice")
    require(
        {int(index) for index in np.flatnonzero(moves.mask)} == legal, f"{where}: the mask differs from the legal moves"
    )
    names = set(position.setup.game.rule_names.values())
    for move in position.setup.moves:
        refusal = position.why_not(move)
        require(
            (refusal is None) == (move.number in legal), f"{where}: {move} is legal and refused, or neither ({refusal})"
        )
        require((move in moves) == (move.number in legal), f"{where}: {move} in legal_moves")
        if refusal is not None:
            require(refusal.rule in names, f"{where}: {move} is refused by {refusal.rule!r}, which is no rule")
            require(bool(str(refusal.message)), f"{where}: {move} is refused without a sentence")
    for seat in range(position.seats):
        if seat != position.seat:
            answers = {
                getattr(position.why_not(move, seat), "rule", None)
                for move in (*position.setup.moves[:3], *list(moves)[:3])
            }
            require(answers == {"turn"}, f"{where}: seat {seat} does not decide and is answered")


def _check_vectors(position: Position, where: str) -> None:
    """Check that the numbers of all viewers are within the bounds of `features`."""
    spec = position.setup.game.observation_spec
    for viewer in (None, *range(position.seats)):
        vector = position.observe(viewer).vector
        for place in np.flatnonzero((vector < spec.low) | (vector > spec.high)):
            name = next(name for name, feature in spec.items() if place in feature.places)
            raise ContractBroken(
                f"{where}: {name} is {vector[place]}; `features` bounds it from {spec.low[place]} to {spec.high[place]}"
            )


def _check_copy(position: Position, move: Move, where: str) -> None:
    before = position.digest()
    other = position.copy()
    other.play(move)
    require(position.digest() == before, f"{where}: a copy shares its state")
    again = position.copy()
    require(again.digest() == before, f"{where}: a copy differs")
    illegal = next((m for m in position.setup.moves if m not in position.legal_moves), None)
    if illegal is not None:
        try:
            again.play(illegal)
        except IllegalMove as error:
            require(
                error.refusal == position.why_not(illegal),
                f"{where}: {illegal} is refused for another reason when played",
            )
        else:
            raise ContractBroken(f"{where}: {illegal} is illegal and was played")
        require(again.digest() == before, f"{where}: a refused move changes the state")


def _check_document(position: Position, where: str) -> None:
    game = position.setup.game
    text = json.dumps(position.document(), sort_keys=True)
    back = game.position(json.loads(text))
    require(back.digest() == position.digest(), f"{where}: the document gives another position")
    require(json.dumps(back.document(), sort_keys=True) == text, f"{where}: the document does not round-trip")
    require(
        back.legal_moves.numbers == position.legal_moves.numbers, f"{where}: the document's position has other moves"
    )


def _check_hints(position: Position, where: str) -> None:
    """Check hints and the need for confirmation of all legal moves.

    They must be the same for equal observations, translated, and must not change the observation.
    """
    game, observation = position.setup.game, position.observe(position.seat)
    again = Observation.read(observation.bytes)
    other = again.imagine(1)
    for move in position.legal_moves:
        hint = game.hint(observation, move, position.known_effects(move))
        require(
            hint == position.hint(move) == other.hint(move),
            f"{where}: equal observations have different notes on {move}",
        )
        confirms = game.needs_confirmation(observation, move)
        require(
            confirms == game.needs_confirmation(again, move), f"{where}: {move} asks by one of two equal observations"
        )
        if hint is not None:
            require_translated(game, hint, f"{where}: the note on {move}")
            if isinstance(hint.short, Message):
                require_translated(game, hint.short, f"{where}: the short note on {move}")
    require_unchanged(observation, f"{where}: a note")


def _check_stage(position: Position, where: str) -> None:
    """Check the part of the game and its heading: the same for all viewers, translated, with the observation unchanged.

    `between_turns` must return a bool for a spectator's observation and leave it unchanged, too.
    """
    game = position.setup.game
    for name, stage_of in (("stage", game.stage), ("heading of the stage", game.stage_heading)):
        stages = []
        for seen in (*map(position.observe, (None, *range(position.seats))), position.reveal()):
            stages.append(stage_of(seen))
            require_unchanged(seen, f"{where}: the {name}")
        require(all(stage == stages[0] for stage in stages), f"{where}: the {name} is not the same for everybody")
        if stages[0] is not None:
            require_translated(game, stages[0], f"{where}: the {name}")
    public = position.observe(None)
    require(isinstance(game.between_turns(public), bool), f"{where}: between turns is neither true nor false")
    require_unchanged(public, f"{where}: between turns")


def _check_points(position: Position, where: str) -> None:
    """Check that points and evaluation are the same for the state and for a viewer, as far as they can be known."""
    setup = position.setup
    plain, points = find_game(setup.game.key).engine, position.scores
    for observation in (*map(position.observe, (None, *range(position.seats))), position.reveal()):
        for seat, known in enumerate(observation.scores):
            require(
                known in (None, points[seat]),
                f"{where}: seat {seat} has {points[seat]} points, and {viewer_name(observation.seat)} sees {known}",
            )
        if observation.seat is not None:
            value = int(setup.game.engine.evaluate(position._state, setup.params, observation.seat))
            require(
                value == int(plain.evaluate(observation.view, setup.plain_params, observation.seat)),
                f"{where}: the evaluation for seat {observation.seat} is not the same on what it sees",
            )


def _check_bot_trials(position: Position, chance: random.Random, where: str) -> None:
    """Check that bots gain no information when they try moves on the true state, if moves reveal nothing.

    Each move must lead to the same evaluation in every position that fits the knowledge of the seat to move.
    """
    game, seat = position.setup.game, position.seat
    if seat is None or not game.has_hidden_information or game.moves_reveal:
        return
    luck, observation = chance.getrandbits(60), position.observe(seat)
    moves = chance.sample(list(position.legal_moves), min(8, len(position.legal_moves)))
    real = _trial_values(position, moves, luck)
    for seed in range(200, 205):
        require(
            _trial_values(observation.imagine(seed), moves, luck) == real,
            f"{where}: bots that try their moves know more than seat {seat}; does the game reveal something?",
        )


def _trial_values(position: Position, moves: Sequence[Move], luck: int) -> list[int]:
    """Return the evaluation for the seat to move after each of these moves, with the same luck."""
    setup, values = position.setup, []
    for move in moves:
        after = position.copy()
        after._state.rng = setup.rng(luck)
        after.play(move)
        values.append(int(setup.game.engine.evaluate(after._state, setup.params, position.seat)))
    return values


def _check_sentences(position: Position, where: str) -> None:
    """Check that prompt, refusals and words of moves exist in all languages."""
    game, sentences = position.setup.game, {}
    for move in position.setup.moves:
        refusal = position.why_not(move)
        if refusal is not None:
            sentences[refusal.message.text] = refusal.message
        for word in position.words(move):
            if isinstance(word.label, Message):
                sentences[word.label.text] = word.label
    for sentence in (game.prompt(position.observe(position.seat)), *sentences.values()):
        require_translated(game, sentence, f"{where}: a sentence")


def _check_end(position: Position, where: str) -> None:
    outcome = position.outcome
    require(outcome is not None and len(position.legal_moves) == 0, f"{where}: the game is over and goes on")
    assert outcome is not None
    require(len(outcome.winners) > 0, f"{where}: nobody wins")
    require(
        outcome.ended_by in position.setup.game.rule_names.values(),
        f"{where}: {outcome.ended_by!r} ends the game and is no rule",
    )
    for seat in (*range(position.seats), None):
        require(
            position.observe(seat).scores == position.scores,
            f"{where}: the points that seat {seat} sees at the end are not the points",
        )
    refusal = position.why_not(position.setup.moves[0])
    require(refusal is not None and refusal.rule == "over", f"{where}: a move is not refused after the end")
    _check_document(position, where)


def check_undo(position: Position, moves: Sequence[Move], where: str) -> None:
    """Check that a move which can be undone keeps the decision, and that one which reveals nothing is predictable.

    Predictable: after it, the seat sees the same in every imagined position.
    """
    for move in moves:
        after, seat = position.copy(), position.seat
        played = after.play(move, detect_reveal=True)
        if not played.final:
            require(after.seat == seat and not played.drew, f"{where}: {move} could be undone after passing or drawing")
        if played.revealed or after.is_over:
            continue
        before = position.observe(seat)
        for i in range(100, 106):  # other seeds than those that `play` uses
            imagined = before.imagine(i)
            imagined.play(move)
            require(
                imagined.observe(seat).data == after.observe(seat).data,
                f"{where}: {move} tells seat {seat} something and does not say so",
            )
