"""Check positions: copies share nothing, and a refused move changes nothing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence

import numpy as np
import pytest

import spieltisch
from spieltisch.core.errors import DocumentError, DrawError, IllegalMove, UnknownGame, UnknownMove
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from tests.sentences import sentence_after


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.build)], ids=["plain", "compiled"])
def position(request: pytest.FixtureRequest) -> Position:
    return spieltisch.game("paris-connection", compiled=request.param).start(seats=4, seed=7)


def play_some(position: Position, moves: int, seed: int = 1) -> None:
    choice = np.random.default_rng(seed)
    for _ in range(moves):
        if not position.is_over:
            position.play(int(choice.choice(position.legal_moves.numbers)))


def test_equal_seeds_give_equal_positions(position: Position) -> None:
    other_game = position.setup.game.start(seats=4, seed=7)
    assert other_game.digest() == position.digest()
    assert other_game.setup_draws == position.setup_draws
    assert position.setup.game.start(seats=4, seed=8).setup_draws != position.setup_draws
    assert position.setup.game.start(seats=4).setup_draws != position.setup.game.start(seats=4).setup_draws


def test_equal_secrets_give_equal_draws(position: Position) -> None:
    start = position.setup.game.start
    assert (
        start(seats=4, secret=bytes(32)).setup_draws
        == start(seats=4, secret=bytes(32)).setup_draws
        != position.setup_draws
    )
    with pytest.raises(ValueError, match="not both"):
        start(seats=4, secret=bytes(32), seed=1)


def test_a_game_starts_from_given_set_up_draws(position: Position) -> None:
    restored_game = position.setup.game.start(seats=4, drew=position.setup_draws)
    assert restored_game.digest() == position.digest()
    assert restored_game.setup_draws == position.setup_draws


@pytest.mark.parametrize(
    ("change", "expected_text"),
    [
        (lambda draws: draws[:-1], "66? draws were given|needed"),
        (lambda draws: (*draws, draws[-1]), "draws were given"),
        (lambda draws: ("nothing", *draws[1:]), "draw 1: 'nothing' is nothing that can be drawn"),
        (lambda draws: (draws[-1], *draws[1:]), "draw 1: .* is not there to be drawn"),
        (lambda draws: draws * 9, "are more than 256"),
    ],
)
def test_impossible_set_up_draws_are_refused(
    position: Position, change: Callable[[tuple[str, ...]], tuple[str, ...]], expected_text: str
) -> None:
    with pytest.raises(DrawError, match=expected_text):
        position.setup.game.start(seats=4, drew=change(position.setup_draws))


def test_playing_a_move_counts_the_move_and_returns_its_result(position: Position) -> None:
    move = position.legal_moves[0]
    acting = position.seat
    move_result = position.play(move)
    assert (move_result.number, move_result.seat, move_result.move, move_result.drew) == (1, acting, move, ())
    assert position.number == 1
    assert move_result.final == move_result.ended_decision
    assert move_result.revealed is None


def test_copies_of_a_position_share_no_data_with_the_original(position: Position) -> None:
    play_some(position, 20)
    copy = position.copy()
    before = position.digest()
    assert copy.digest() == before
    assert (copy.number, copy.setup_draws, copy.seat) == (position.number, position.setup_draws, position.seat)
    play_some(copy, 20, seed=2)
    assert position.digest() == before != copy.digest()
    assert position.number == 20


def pickled(position: Position) -> Position:
    unpickled: Position = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
    return unpickled


@pytest.mark.parametrize("make_copy", [copy.copy, copy.deepcopy, pickled])
def test_copies_by_the_copy_module_share_no_data_with_the_original(
    position: Position, make_copy: Callable[[Position], Position]
) -> None:
    play_some(position, 20)
    other_position = make_copy(position)
    assert other_position == position
    assert (other_position.setup_draws, other_position.number, other_position.state.rng) == (
        position.setup_draws,
        20,
        position.state.rng,
    )
    assert other_position.setup.same_as(position.setup)
    assert make_copy(position.observe(1)).bytes == position.observe(1).bytes  # type: ignore[arg-type, attr-defined]  # observations, too
    play_some(other_position, 20, seed=2)
    assert other_position != position
    play_some(position, 20, seed=2)
    assert other_position == position, "both play on alike"


@pytest.mark.build
def test_positions_are_equal_after_equal_moves(position: Position) -> None:
    game = position.setup.game
    other_game = game.start(seats=4, seed=8, drew=position.setup_draws)
    assert other_game == position, "the chance to come is no part of it"
    assert game.start(seats=4, seed=8) != position
    assert game.start(seats=4, seed=8, drew=position.setup_draws, cut_off="weak") != position
    assert game.start(seats=5, seed=7) != position
    assert spieltisch.game(game.key, compiled=not game.compiled).start(seats=4, drew=position.setup_draws) == position
    assert game.position({**position.document(), "number": 1}) != position
    assert position != position.document()
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)


def test_a_pickled_position_contains_its_components_and_no_secret(position: Position) -> None:
    game = position.setup.game
    own_components = game.read_components(game.components.text.replace('name = "', 'name = "my-', 1))
    original = game.start(seats=4, secret=bytes(range(32)), components=own_components)
    data = pickle.dumps(original)
    assert bytes(range(32)) not in data
    game._setups.clear()
    unpickled = pickle.loads(data)  # noqa: S301 - our own
    assert unpickled == original != position
    assert unpickled.setup.components.text == own_components.text
    assert unpickled.setup.game is game


def test_a_refused_move_changes_nothing(position: Position) -> None:
    play_some(position, 30)
    before, number = position.digest(), position.number
    illegal = next(move for move in position.setup.moves if move not in position.legal_moves)
    with pytest.raises(IllegalMove) as raised:
        position.play(illegal)
    assert raised.value.refusal == position.why_not(illegal)
    with pytest.raises(IllegalMove) as raised:
        position.play(position.legal_moves[0], seat=(position.seat or 0) + 1)
    assert raised.value.refusal.rule == "turn"
    for unknown_move in ("castle", "", "build red", -1, 1 << 40):
        with pytest.raises(UnknownMove):
            position.play(unknown_move)
    with pytest.raises(DrawError):
        position.play(position.legal_moves[0], drew=["red"])
    assert (position.digest(), position.number) == (before, number)


def test_only_the_seat_to_move_gets_reasons_for_illegal_moves(position: Position) -> None:
    other_seat = ((position.seat or 0) + 1) % 4
    reasons = {refusal.message.text for move in position.setup.moves if (refusal := position.why_not(move, other_seat))}
    assert reasons == {sentence_after("core/position_queries.py", 'return Refusal("turn",')}


def test_no_move_can_be_played_after_the_end(position: Position) -> None:
    assert position.outcome is None
    play_some(position, 10_000)
    assert position.is_over
    assert position.seat is None
    assert len(position.legal_moves) == 0
    refusal = position.why_not("done")
    assert refusal is not None
    assert refusal.rule == "over"
    with pytest.raises(IllegalMove):
        position.play("done")
    outcome = position.outcome
    assert outcome is not None
    assert {position.scores[p] for p in outcome.winners} == {max(position.scores)}
    assert position.observe(None).scores == position.scores


def test_a_position_is_restored_from_its_document(position: Position) -> None:
    play_some(position, 40)
    restored_game = position.setup.game.position(position.document())
    assert restored_game.digest() == position.digest()
    assert restored_game.number == position.number
    assert restored_game.document() == position.document()


@pytest.mark.parametrize("field", ["game", "components", "options", "seats", "number", "state"])
def test_a_position_document_without_a_field_is_refused(position: Position, field: str) -> None:
    document = {key: value for key, value in position.document().items() if key != field}
    with pytest.raises(DocumentError, match=f"{field}: missing"):
        position.setup.game.position(document)


def test_position_documents_of_another_game_or_other_components_are_refused(position: Position) -> None:
    game = position.setup.game
    with pytest.raises(DocumentError, match="game: "):
        game.position({**position.document(), "game": "chess"})
    with pytest.raises(DocumentError, match="components: "):
        game.position({**position.document(), "components": "0" * 64})
    with pytest.raises(ValueError, match="seats: 9"):
        game.position({**position.document(), "seats": 9})
    with pytest.raises(UnknownGame, match="there is no game 'chess'"):
        spieltisch.game("chess")


def test_a_preview_changes_nothing_and_says_whether_the_turn_passes(position: Position) -> None:
    play_some(position, 25)
    before = position.digest()
    for move in position.legal_moves:
        preview = position.preview(move)
        assert preview.messages
        copy = position.copy()
        assert copy.play(move).ended_decision == preview.passes
        assert not preview.draws
    assert position.digest() == before
    with pytest.raises(IllegalMove):
        position.preview(next(move for move in position.setup.moves if move not in position.legal_moves))


def test_a_seat_beyond_the_last_is_refused(position: Position) -> None:
    for seat in (-1, 4):
        with pytest.raises(ValueError, match="there is no seat"):
            position.observe(seat)


def test_legal_moves_behave_like_a_sequence(position: Position) -> None:
    moves = position.legal_moves
    assert list(moves) == [moves[i] for i in range(len(moves))]
    assert list(moves.numbers) == sorted(moves.numbers)
    assert [int(n) for n in np.flatnonzero(moves.mask)] == list(moves.numbers)
    with pytest.raises(UnknownMove):
        _ = "castle" in moves  # type: ignore[comparison-overlap]  # a text stands for its move
    assert repr(moves).startswith("<LegalMoves ")
    for move in moves:
        assert move in moves
        assert move.text in moves  # type: ignore[comparison-overlap]  # a text stands for its move
        assert position.move(move.text) == position.move(move.number) == position.move(move) == move
        assert position.move(f"  {move.text.upper()} ") == move
        assert " ".join(word.text for word in position.words(move)) == move.text


def test_a_preview_summarises_the_turn_without_future_draws(toy: str) -> None:
    position = spieltisch.game(toy).start(seats=2, seed=1)
    observation_at_start = position.observe(position.seat)
    alone_preview = position.preview("take 2")
    remaining_stones = position.state.stones - 2
    assert [str(sentence) for sentence in (alone_preview.hint, *alone_preview.turn_summary)] == [
        f"{remaining_stones} stones are left then.",
        "2 stones more.",
    ]
    events = position.play("cover", collect_events=True).events
    preview_of_both = position.preview("take 2", since=observation_at_start, events=events)
    assert [str(sentence) for sentence in preview_of_both.turn_summary] == ["Your card is covered.", "2 stones more."]
    draw_preview = position.preview("spark", since=observation_at_start, events=events)
    assert draw_preview.draws
    assert draw_preview.messages == []
    assert [str(sentence) for sentence in draw_preview.turn_summary] == ["Your card is covered."]


def test_texts_of_possible_draws_are_computed_once_for_all_moves(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = spieltisch.game(toy).setup(3)
    setup.__dict__.pop("draw_texts", None)  # of an earlier test
    asked_setups: list[Setup] = []
    texts = setup.game.draw_texts

    def draw_texts(setup: Setup) -> Sequence[str]:
        asked_setups.append(setup)
        return texts(setup)

    monkeypatch.setattr(setup.game, "draw_texts", draw_texts)
    for seed in (1, 2):
        position = Position.start(setup, seed=seed)
        for _ in range(10):
            position.play(position.legal_moves[0])
    assert asked_setups == [setup]


def test_events_of_a_move_are_collected_on_request(toy: str) -> None:
    """To check whether a move reveals something, the move is played many times; its events must not be lost."""
    listening = spieltisch.game(toy).start(seats=2, seed=1)
    copy_with_events = listening.copy()
    listened = listening.play("look 2" if listening.seat == 0 else "look 1", collect_events=True)
    watched_play = copy_with_events.play(listened.move, detect_reveal=True, collect_events=True)
    assert watched_play.revealed
    assert [event.kind for event in listened.events] == ["looked"]
    assert watched_play.events == listened.events
