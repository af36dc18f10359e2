"""Check that a position undoes the moves of its history."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import spieltisch
from spieltisch.games import GAMES


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("secret", [None, bytes(range(32))])
def test_undone_moves_can_be_played_again_with_the_same_result(key: str, secret: bytes | None) -> None:
    game, chance = spieltisch.game(key), random.Random(5)
    position = game.start(3, secret=secret) if secret else game.start(3, seed=5)
    digests, replayed_moves = [], []
    while position.number < 60 and not position.is_over:
        digests.append(position.digest())
        replayed_moves.append(position.play(chance.choice(position.legal_moves)))
    assert [(played_move.seat, played_move.move, played_move.drew) for played_move in replayed_moves] == list(
        position.history
    )
    assert any(played_move.drew for played_move in replayed_moves) or key == "paris-connection"
    for n in range(len(replayed_moves) - 1, len(replayed_moves) - 9, -1):
        twin = position.copy()
        undone_move = position.undo()
        assert (undone_move.move, undone_move.drew) == (replayed_moves[n].move, replayed_moves[n].drew)
        assert (position.number, position.digest()) == (n, digests[n])
        assert position.observe(0).information == copy.deepcopy(position).observe(0).information
        assert twin.number == n + 1, "a copy keeps its own"
    for played_move in replayed_moves[len(position.history) :]:
        assert position.play(played_move.move).drew == played_move.drew


def test_undoing_a_move_with_given_draws_returns_these_draws() -> None:
    position = spieltisch.game("legendary-inventors").start(2, seed=1, teams="random")
    while position.odds(move := position.legal_moves[0]) is None:
        position.play(move)
    before, drawn_again = position.digest(), list[str]()
    while odds := position.odds(move, drawn_again):
        drawn_again.append(list(odds)[-1])
    assert position.play(move, drawn_again).drew == tuple(drawn_again)
    digest = position.digest()
    position.play(position.legal_moves[0])
    position.undo()
    assert position.digest() == digest
    assert position.undo().drew == tuple(drawn_again)
    assert position.digest() == before
    assert position.play(move).drew != tuple(drawn_again)


def test_moves_made_before_pickling_cannot_be_undone() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(3, seed=2)
    for readable in (position, game.position(position.document()), pickle.loads(pickle.dumps(position))):  # noqa: S301  # ours
        with pytest.raises(ValueError, match="no move has been played"):
            readable.undo()
        readable.play(readable.legal_moves[0])
        assert len(readable.history) == 1
        readable.undo()
        assert readable.number == 0
    position.play(position.legal_moves[0])
    unpickled = pickle.loads(pickle.dumps(position))  # noqa: S301  # our own bytes
    assert unpickled.history == position.history
    unpickled.play(unpickled.legal_moves[0])
    unpickled.undo()
    assert unpickled == position
    with pytest.raises(ValueError, match="no move has been played"):
        unpickled.undo()


def test_the_history_of_an_imagined_position_contains_no_secret(game_with_bids: str) -> None:
    position = spieltisch.game(game_with_bids).start(2, seed=3)
    position.play(position.legal_moves[0])
    bid, observation = position.history[0].move, position.observe(1)
    world = position.resample(1, seed=1)
    assert [(play.seat, play.move.text) for play in world.history] == [(0, "?")]
    assert world.observe(1).information == observation.information
    for viewer in (None, 0, 1):
        assert bid.text not in world.observe(viewer).information[2]
    world.play(world.legal_moves[0])
    for viewer in (None, 0, 1):
        assert world.observe(viewer).information[2] == "seat 0: ?", "the world has another bid, perhaps"
    assert position.resample(0, seed=1).history[0].move == bid
    assert pickle.loads(pickle.dumps(world)).history == world.history  # noqa: S301  # our own bytes


def test_a_pickled_observation_contains_no_secret(game_with_bids: str) -> None:
    position = spieltisch.game(game_with_bids).start(2, seed=3)
    position.play(position.legal_moves[0])
    bid = position.history[0].move.text.encode()
    own_view, other_view = (pickle.dumps(position.observe(viewer)) for viewer in (0, 1))
    assert bid in own_view
    assert bid not in other_view
    for viewer, data in enumerate((own_view, other_view)):
        unpickled = pickle.loads(data)  # noqa: S301  # our own bytes
        assert unpickled.information == position.observe(viewer).information
        assert pickle.loads(pickle.dumps(unpickled)) == unpickled  # noqa: S301  # our own bytes
