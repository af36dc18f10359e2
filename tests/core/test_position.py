"""Positions: their contents and moves; copies share nothing, and a refused move changes nothing."""

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


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.build)], ids=["plain", "compiled"])
def position(request: pytest.FixtureRequest) -> Position:
    return spieltisch.game("paris-connection", compiled=request.param).start(seats=4, seed=7)


def play_some(position: Position, moves: int, seed: int = 1) -> None:
    choice = np.random.default_rng(seed)
    for _ in range(moves):
        if not position.is_over:
            position.play(int(choice.choice(position.legal_moves.numbers)))


def test_equal_seeds_give_equal_games(position: Position) -> None:
    other = position.setup.game.start(seats=4, seed=7)
    assert other.digest() == position.digest()
    assert other.setup_draws == position.setup_draws
    assert position.setup.game.start(seats=4, seed=8).setup_draws != position.setup_draws
    assert position.setup.game.start(seats=4).setup_draws != position.setup.game.start(seats=4).setup_draws


def test_a_secret_decides_chance(position: Position) -> None:
    start = position.setup.game.start
    assert (
        start(seats=4, secret=bytes(32)).setup_draws
        == start(seats=4, secret=bytes(32)).setup_draws
        != position.setup_draws
    )
    with pytest.raises(ValueError, match="not both"):
        start(seats=4, secret=bytes(32), seed=1)


def test_a_game_starts_from_what_was_drawn(position: Position) -> None:
    again = position.setup.game.start(seats=4, drew=position.setup_draws)
    assert again.digest() == position.digest()
    assert again.setup_draws == position.setup_draws


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda dealt: dealt[:-1], "66? draws were given|needed"),
        (lambda dealt: (*dealt, dealt[-1]), "draws were given"),
        (lambda dealt: ("nothing", *dealt[1:]), "draw 1: 'nothing' is nothing that can be drawn"),
        (lambda dealt: (dealt[-1], *dealt[1:]), "draw 1: .* is not there to be drawn"),
        (lambda dealt: dealt * 9, "are more than 256"),
    ],
)
def test_draws_that_cannot_be_are_refused(
    position: Position, change: Callable[[tuple[str, ...]], tuple[str, ...]], says: str
) -> None:
    with pytest.raises(DrawError, match=says):
        position.setup.game.start(seats=4, drew=change(position.setup_draws))


def test_playing_counts_and_tells(position: Position) -> None:
    move = position.legal_moves[0]
    acting = position.seat
    played = position.play(move)
    assert (played.number, played.seat, played.move, played.drew) == (1, acting, move, ())
    assert position.number == 1
    assert played.final == played.ended_decision
    assert played.revealed is None


def test_copies_share_nothing(position: Position) -> None:
    play_some(position, 20)
    copy = position.copy()
    before = position.digest()
    assert copy.digest() == before
    assert (copy.number, copy.setup_draws, copy.seat) == (position.number, position.setup_draws, position.seat)
    play_some(copy, 20, seed=2)
    assert position.digest() == before != copy.digest()
    assert position.number == 20


def pickled(position: Position) -> Position:
    back: Position = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
    return back


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_python_s_own_copies_share_nothing_either(position: Position, copied: Callable[[Position], Position]) -> None:
    play_some(position, 20)
    other = copied(position)
    assert other == position
    assert (other.setup_draws, other.number, other.state.rng) == (position.setup_draws, 20, position.state.rng)
    assert other.setup.same_as(position.setup)
    assert copied(position.observe(1)).bytes == position.observe(1).bytes  # type: ignore[arg-type, attr-defined]  # observations, too
    play_some(other, 20, seed=2)
    assert other != position
    play_some(position, 20, seed=2)
    assert other == position, "both play on alike"


@pytest.mark.build
def test_equal_is_what_was_played_alike_on_the_same(position: Position) -> None:
    game = position.setup.game
    other = game.start(seats=4, seed=8, drew=position.setup_draws)
    assert other == position, "the chance to come is no part of it"
    assert game.start(seats=4, seed=8) != position
    assert game.start(seats=4, seed=8, drew=position.setup_draws, cut_off="weak") != position
    assert game.start(seats=5, seed=7) != position
    assert spieltisch.game(game.key, compiled=not game.compiled).start(seats=4, drew=position.setup_draws) == position
    assert game.position({**position.document(), "number": 1}) != position
    assert position != position.document()
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)


def test_a_pickle_holds_own_components_and_no_secret(position: Position) -> None:
    game = position.setup.game
    own = game.read_components(game.components.text.replace('name = "', 'name = "my-', 1))
    original = game.start(seats=4, secret=bytes(range(32)), components=own)
    data = pickle.dumps(original)
    assert bytes(range(32)) not in data
    game._setups.clear()
    again = pickle.loads(data)  # noqa: S301 - our own
    assert again == original != position
    assert again.setup.components.text == own.text
    assert again.setup.game is game


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
    for unknown in ("castle", "", "build red", -1, 1 << 40):
        with pytest.raises(UnknownMove):
            position.play(unknown)
    with pytest.raises(DrawError):
        position.play(position.legal_moves[0], drew=["red"])
    assert (position.digest(), position.number) == (before, number)


def test_only_who_decides_is_told_reasons(position: Position) -> None:
    other = ((position.seat or 0) + 1) % 4
    reasons = {refusal.message.text for move in position.setup.moves if (refusal := position.why_not(move, other))}
    assert reasons == {"It’s not your turn."}


def test_over_is_over(position: Position) -> None:
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


def test_documents_come_back(position: Position) -> None:
    play_some(position, 40)
    again = position.setup.game.position(position.document())
    assert again.digest() == position.digest()
    assert again.number == position.number
    assert again.document() == position.document()


@pytest.mark.parametrize("field", ["game", "components", "options", "seats", "number", "state"])
def test_a_document_without_a_field_is_refused(position: Position, field: str) -> None:
    document = {key: value for key, value in position.document().items() if key != field}
    with pytest.raises(DocumentError, match=f"{field}: missing"):
        position.setup.game.position(document)


def test_documents_of_something_else_are_refused(position: Position) -> None:
    game = position.setup.game
    with pytest.raises(DocumentError, match="game: "):
        game.position({**position.document(), "game": "chess"})
    with pytest.raises(DocumentError, match="components: "):
        game.position({**position.document(), "components": "0" * 64})
    with pytest.raises(ValueError, match="seats: 9"):
        game.position({**position.document(), "seats": 9})
    with pytest.raises(UnknownGame, match="there is no game 'chess'"):
        spieltisch.game("chess")


def test_a_preview_changes_nothing_and_stops_before_the_end_of_knowledge(position: Position) -> None:
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


def test_there_is_no_seat_beyond_the_last(position: Position) -> None:
    for seat in (-1, 4):
        with pytest.raises(ValueError, match="there is no seat"):
            position.observe(seat)


def test_moves_know_themselves(position: Position) -> None:
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


def test_a_preview_sums_the_turn_up_but_for_what_chance_will_give(toy: str) -> None:
    position = spieltisch.game(toy).start(seats=2, seed=1)
    begun = position.observe(position.seat)
    alone = position.preview("take 2")
    left = position.state.stones - 2
    assert [str(sentence) for sentence in (alone.hint, *alone.turn_summary)] == [
        f"{left} stones are left then.",
        "2 stones more.",
    ]
    done = position.play("cover", collect_events=True).events
    both = position.preview("take 2", since=begun, events=done)
    assert [str(sentence) for sentence in both.turn_summary] == ["Your card is covered.", "2 stones more."]
    drawn = position.preview("spark", since=begun, events=done)
    assert drawn.draws
    assert drawn.messages == []
    assert [str(sentence) for sentence in drawn.turn_summary] == ["Your card is covered."]


def test_what_can_be_drawn_is_worded_once_for_all_moves(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = spieltisch.game(toy).setup(3)
    setup.__dict__.pop("draw_texts", None)  # of an earlier test
    asked: list[Setup] = []
    texts = setup.game.draw_texts

    def draw_texts(setup: Setup) -> Sequence[str]:
        asked.append(setup)
        return texts(setup)

    monkeypatch.setattr(setup.game, "draw_texts", draw_texts)
    for seed in (1, 2):
        position = Position.start(setup, seed=seed)
        for _ in range(10):
            position.play(position.legal_moves[0])
    assert asked == [setup]


def test_who_watches_and_listens_hears_what_the_move_did(toy: str) -> None:
    """Finding out whether a move told its seat something tries it many times; what it did is not lost by that."""
    listening = spieltisch.game(toy).start(seats=2, seed=1)
    both = listening.copy()
    listened = listening.play("look 2" if listening.seat == 0 else "look 1", collect_events=True)
    watched = both.play(listened.move, detect_reveal=True, collect_events=True)
    assert watched.revealed
    assert [event.kind for event in listened.events] == ["looked"]
    assert watched.events == listened.events
