"""Compare whole games on the rules and on the reference rules, move by move."""

from __future__ import annotations

import itertools
import random
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from tests.games.legendary_inventors.positions import position_with
from tests.games.legendary_inventors.reference_rules import Table, described

GAME = spieltisch.game("legendary-inventors")

GAMES = 20
FIRST = 9
"""The first of their seeds: these games see all of `RARE`."""
RARE = {
    "all passed", "alone on an invention", "choose", "done", "ended by L17", "ended by S2",
    "exhausted inventor upgraded", "more than three on an invention", "pass", "passing reset", "place shared",
    "refresh", "several strokes of genius", "tie broken by patents", "tie for a reward", "too few cubes",
    "turned genius", "turned number", "turned points", "turned refresh", "turned upgrade", "upgrade",
    "upgrade between passes", "not asked: choose", "not asked: done", "not asked: pass", "not asked: place",
    "not asked: ready", "not asked: take",
}  # fmt: skip
PRINTED = GAME.components.text


def box(*, cubes: int = 15, goals: int = 4, **counts: int) -> str:
    """Return the component file with other numbers of cubes and tokens, and with no goal above a value."""
    text = re.sub(r"^cubes = 15$", f"cubes = {cubes}", PRINTED, flags=re.M)
    text = re.sub(
        r"^goal = .*$", lambda line: re.sub(r"\d", lambda n: str(min(int(n[0]), goals)), line[0]), text, flags=re.M
    )
    for name, count in counts.items():
        kind = name.replace("_", "-")
        text, many = re.subn(rf'(id = "{kind}"\nkind = (?:.|\n)*?count = )\d+', rf"\g<1>{count}", text, count=1)
        assert many
    return text


ONES = """[[tokens]]
id = "upgrade-1"
kind = "upgrade"
value = 1
count = 8
name = { en = "Upgrade 1", de = "Aufwertung 1", fr = "Progression 1", nl = "Verbetering 1" }

"""
BOXES = (
    PRINTED,
    box(cubes=7, goals=2),
    box(upgrade_2=8, upgrade_3=4, upgrade_4=4, genius=14, goals=3),
    box(upgrade_2=6, upgrade_3=6, upgrade_4=6, genius=6, number=12, points_1=4, points_2=4, goals=2),
    box(cubes=3, genius=8, refresh=8, upgrade_2=8, points_2=2),
    box(upgrade_2=8, upgrade_3=8, upgrade_4=2, cubes=6).replace("[[tokens]]", f"{ONES}[[tokens]]", 1),
)


def preferred_move(preference: str, moves: Sequence[str], chance: random.Random) -> str:
    """Return a legal move, mostly of the kinds that this way of playing prefers."""
    if preference == "any":
        return chance.choice(moves)
    starts = {
        "spending": ("refresh", "send genius", "turn", "upgrade", "take genius", "take refresh", "send "),
        "gathering": ("take genius", "take refresh", "send genius", "pass", "ready", "done", "send fewer"),
        "spreading": ("send fewer", "place", "send ", "take "),
        "hurrying": ("send genius", "send ", "take ", "done"),
        "keeping": ("take patent", "take number", "pass", "send ", "ready", "done"),
    }[preference]
    if chance.random() < 0.15:
        return chance.choice(moves)
    if preference != "spreading" and moves[0].startswith("place"):
        return max(moves, key=lambda move: sum(map(int, move.split()[1::2])))
    for start in starts:
        preferred = [move for move in moves if move.startswith(start)]
        if preferred:
            return chance.choice(preferred)
    return chance.choice(moves)


def expect_equal_tables(position: Position, table: Table) -> None:
    """Check that state and legal moves are the same in both implementations."""
    state = position.document()["state"]
    described_state = described(state, [player.cubes for player in position.state.players[: position.seats]])
    assert table.shown() == described_state
    assert {move.text for move in position.legal_moves} == table.choices(), described_state
    assert position.scores == [table.points(p) for p in table.seats], described_state


def with_extra_tokens(position: Position, table: Table, chance: random.Random) -> Position:
    """Give players tokens from the bag and place some cubes in both implementations."""
    state = position.document()["state"]
    remaining_tokens = Counter({kind: entry["count"] - table.drawn[kind] for kind, entry in table.kinds.items()})
    for _ in range(remaining_tokens.total() - 4 * (len(table.seats) + 3)):
        kind, p = chance.choice(sorted(remaining_tokens.elements())), chance.choice(table.seats)
        remaining_tokens[kind] -= 1
        table.drawn[kind] += 1
        table.tokens[p][kind] += 1
    for card, p in itertools.product(list(table.lying)[1:], table.seats):
        free_spaces = [f for f, n in enumerate(table.free(card)) if n]
        if table.supply(p) > 1 and sum(table.free(card)) > 1 and chance.random() < 0.3:
            table.cubes[card][p][chance.choice(free_spaces)] += 1
    state["tokens_drawn"] = dict(+table.drawn)
    for p, player in zip(table.seats, state["players"], strict=True):
        player["tokens"] = dict(+table.tokens[p])
    for invention in state["inventions"]:
        invention["cubes"] = list(table.cubes[invention["invention"]].values())
    changed_position = Position.of_twin(position.setup, position.setup.game.restore(position.setup, state))
    changed_position.state.rng = position.state.rng
    return changed_position


def compare_whole_game(game: Game, seed: int) -> Counter[str]:
    """Compare a whole game in both implementations, and return what happened in it."""
    chance = random.Random(seed)
    seats, text = 2 + seed % 4, chance.choice(BOXES)
    choosing, has_many_cubes = chance.choice(((True, False), (False, False), (False, True)))
    components = game.read_components(text)
    has_enough_cubes, min_patents = seed // 4 % 2 == 0, 1 + seed % 3 % 2
    options: dict[str, Any] = {
        "teams": "choose" if choosing else "random",
        "cubes": "enough" if has_enough_cubes else "box",
        "patents_in_run": min_patents,
    }
    position = game.start(seats, seed=seed, components=components, **options)
    table = Table(
        tomllib.loads(text),
        seats,
        position.setup_draws,
        choosing=choosing,
        has_enough_cubes=has_enough_cubes,
        min_patents=min_patents,
    )
    preferences = [
        chance.choice(("any", "spending", "gathering", "spreading", "hurrying", "keeping")) for _ in range(seats)
    ]
    if has_many_cubes:
        position = with_extra_tokens(position, table, chance)
    expect_equal_tables(position, table)
    while position.seat is not None:
        moves = [move.text for move in position.legal_moves]
        move_result = position.play(preferred_move(preferences[position.seat], moves, chance))
        table.play(move_result.move.text, move_result.drew)
        expect_equal_tables(position, table)
        table.happened[move_result.move.text.split()[0]] += 1
    assert position.outcome is not None
    assert {p + 1 for p in position.outcome.winners} == table.winners()
    assert position.outcome.ended_by == table.ended_by
    winning_seats = [p for p in table.seats if table.points(p) == max(map(table.points, table.seats))]
    table.happened[f"ended by {table.ended_by}"] += 1
    table.happened["tie"] += len(winning_seats) > 1
    table.happened["tie broken by patents"] += len(winning_seats) > len(table.winners())
    table.happened["place shared"] += len(table.winners()) > 1
    return table.happened


@pytest.mark.fuzz
@pytest.mark.rule("L14", "L16", "L17", "S1", "S13")
def test_whole_games_match_the_reference_rules(game: Game) -> None:
    totals: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + GAMES):
        try:
            totals += compare_whole_game(game, seed)
        except AssertionError as error:
            error.add_note(f"seed {seed}")
            raise
    assert set(totals) >= RARE


@pytest.mark.rule("L20")
@pytest.mark.rule("L26")
@pytest.mark.rule("S4")
@pytest.mark.parametrize("other_seats", [{}, {2: {"upgrade-2": 1}}])
def test_a_number_token_turned_over_at_the_end_leaves_its_run(
    game: Game, other_seats: dict[int, dict[str, int]]
) -> None:
    tokens = {1: {"number": 1}, **other_seats}
    position = position_with(game, phase="last upgrades", age=3, ended_by="L17", leonardo=2, table={}, tokens=tokens,
                             patents={1: ["axe", "wheel"]})  # fmt: skip
    before = position.scores[0]
    position.play("turn number for Archimedes in chemistry")
    assert position.scores[0] == before - 1  # 0-1-2 with the token, 0-1 without it
