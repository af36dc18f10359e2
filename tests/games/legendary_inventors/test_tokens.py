"""Reward tokens: L18 to L21, L23, and the rulings S4, S10."""

from __future__ import annotations

import pytest

from spieltisch.core.errors import DocumentError
from spieltisch.core.game import Game
from tests.games.legendary_inventors.positions import (
    allowed,
    exhausted,
    play_and_log,
    player,
    position_with,
    refused,
    texts,
)


@pytest.mark.rule("L18")
def test_using_tokens_is_no_action(game: Game) -> None:
    hand = {"upgrade-2": 1, "points-1": 1, "refresh": 1}
    position = position_with(game, tokens={1: hand}, exhausted=["hypatia"])
    for move in ("upgrade Archimedes in physics", "turn points-1 for Hypatia in physics", "refresh"):
        position.play(move)
        assert position.seat == 0
    assert allowed(position, "send Archimedes to Bow")
    assert player(position, 1)["tokens"] == {}


@pytest.mark.rule("L18")
def test_tokens_are_kept_as_long_as_one_likes(game: Game) -> None:
    table = {"canoe": ("upgrade-2", "points-1"), "bow": ("genius", "refresh")}
    hand = {"upgrade-3": 1, "genius": 1, "number": 1}
    position = position_with(game, table=table, cubes={"canoe": {1: (1, 0, 0, 2)}}, tokens={1: hand})
    position.play("send Archimedes to Canoe")
    position.play("take patent")
    assert position.state.age == 2
    assert player(position, 1)["tokens"] == hand


@pytest.mark.rule("L19")
def test_an_upgrade_replaces_a_value_exactly_one_lower(game: Game) -> None:
    hand = {"upgrade-2": 1, "upgrade-3": 1, "upgrade-4": 1}
    position = position_with(game, tokens={1: hand})
    assert texts(position, "upgrade") == [
        "upgrade Hypatia in mathematics",
        "upgrade Archimedes in physics",
        "upgrade Archimedes in mechanics",
        "upgrade Aristotle in physics",
        "upgrade Aristotle in mathematics",
        "upgrade Hippocrates in chemistry",
    ]
    assert refused(position, "upgrade Hypatia in physics") == "L19"  # from nothing to 1
    assert play_and_log(position, "upgrade Archimedes in physics") == ["P1 upgrades Archimedes: physics is now 2."]
    assert player(position, 1)["inventors"]["archimedes"]["knowledge"] == [2, 0, 1, 0]
    assert player(position, 1)["tokens"] == {"upgrade-3": 1, "upgrade-4": 1}
    assert refused(position, "upgrade Archimedes in mechanics") == "L19"  # no 2 is left
    position.play("upgrade Archimedes in physics")
    position.play("upgrade Archimedes in physics")
    assert player(position, 1)["inventors"]["archimedes"]["knowledge"] == [4, 0, 1, 0]


@pytest.mark.rule("L19")
def test_nothing_is_above_four_and_only_own_inventors_are_upgraded(game: Game) -> None:
    position = position_with(game, tokens={1: {"upgrade-4": 2}}, knowledge={"hypatia": (4, 0, 0, 3)})
    assert refused(position, "upgrade Hypatia in physics") == "L19"
    assert allowed(position, "upgrade Hypatia in mathematics")
    position = position_with(game, tokens={1: {"upgrade-2": 1, "points-1": 1}, 2: {"upgrade-2": 1}})
    assert refused(position, "upgrade Ada Lovelace in mechanics") == "L19"
    assert refused(position, "turn points-1 for Ada Lovelace in physics") == "L19"


@pytest.mark.rule("L19")
def test_fields_and_values_that_the_goal_does_not_need(game: Game) -> None:
    position = position_with(game, tokens={1: {"upgrade-4": 1, "points-1": 1}}, knowledge={"hypatia": (1, 0, 0, 3)})
    position.play("upgrade Hypatia in mathematics")  # her goal is 3
    position.play("turn points-1 for Hypatia in mechanics")  # and nothing there
    assert player(position, 1)["inventors"]["hypatia"]["knowledge"] == [1, 0, 1, 4]


@pytest.mark.rule("L20")
@pytest.mark.parametrize("kind", ["upgrade-2", "upgrade-4", "refresh", "genius", "number", "points-3"])
def test_every_token_is_a_one_on_its_back(game: Game, kind: str) -> None:
    position = position_with(game, tokens={1: {kind: 2}})
    assert refused(position, f"turn {kind} for Hypatia in mathematics") == "L20"
    position.play(f"turn {kind} for Hypatia in physics")
    assert player(position, 1)["inventors"]["hypatia"]["knowledge"] == [1, 0, 0, 2]
    assert player(position, 1)["tokens"] == {kind: 1}
    assert refused(position, f"turn {kind} for Hypatia in physics") == "L20"


@pytest.mark.rule("L20")
def test_only_an_own_token_is_turned_over(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}, 2: {"refresh": 1}})
    assert refused(position, "turn refresh for Hypatia in physics") == "L20"
    assert allowed(position, "turn genius for Hypatia in physics")


@pytest.mark.rule("L21")
def test_a_refresh_makes_all_active_and_goes_before_the_action(game: Game) -> None:
    position = position_with(game, exhausted=["hypatia", "archimedes", "james-watt"], tokens={1: {"refresh": 1}})
    assert play_and_log(position, "refresh") == ["P1 uses a refresh token: all inventors are active."]
    assert (exhausted(position, 1), exhausted(position, 2), position.seat) == (set(), {"james-watt"}, 0)
    assert player(position, 1)["tokens"] == {}
    assert position.document()["state"]["tokens_gone"] == {"refresh": 1}
    assert allowed(position, "send Hypatia to Bow")


@pytest.mark.rule("L21")
def test_a_refresh_needs_its_token_and_somebody_exhausted(game: Game) -> None:
    assert refused(position_with(game, exhausted=["hypatia"]), "refresh") == "L21"
    assert refused(position_with(game, tokens={1: {"refresh": 1}}), "refresh") == "L21"
    assert refused(position_with(game, exhausted=["hypatia"], tokens={2: {"refresh": 1}}), "refresh") == "L21"


@pytest.mark.rule("L21")
def test_a_refresh_belongs_to_the_own_turn(game: Game) -> None:
    position = position_with(
        game, seats=3, cubes={"canoe": {2: (1, 0, 0, 2)}}, tokens={2: {"refresh": 1}}, exhausted=["james-watt"]
    )
    position.play("send Archimedes to Canoe")
    assert position.seat == 1
    assert refused(position, "refresh") == "L11"


@pytest.mark.rule("L23")
def test_victory_points_are_worth_what_is_printed(game: Game) -> None:
    position = position_with(
        game, tokens={1: {"points-1": 2, "points-2": 1, "points-3": 3}, 2: {"upgrade-2": 3, "genius": 1}}
    )
    assert position.scores == [2 + 2 + 9, 0]


@pytest.mark.rule("S4")
def test_a_token_turned_over_loses_its_front(game: Game) -> None:
    position = position_with(game, tokens={1: {"points-3": 1, "number": 1}}, patents={1: ["axe"]})
    assert position.scores[0] == 3 + 1 + 1
    position.play("turn points-3 for Hypatia in physics")
    assert position.scores[0] == 1 + 1
    position.play("turn number for Hypatia in chemistry")
    assert position.scores[0] == 1
    assert position.document()["state"]["tokens_gone"] == {"points-3": 1, "number": 1}


@pytest.mark.rule("S10")
def test_exhausted_inventors_and_several_upgrades(game: Game) -> None:
    position = position_with(game, exhausted=["archimedes"], tokens={1: {"upgrade-2": 1, "upgrade-3": 1, "refresh": 1}})
    position.play("upgrade Archimedes in mechanics")
    position.play("upgrade Archimedes in mechanics")
    position.play("turn refresh for Archimedes in chemistry")
    assert player(position, 1)["inventors"]["archimedes"] == {"knowledge": [1, 1, 3, 0], "exhausted": True}
    assert position.document()["state"]["tokens_gone"] == {"upgrade-2": 1, "upgrade-3": 1, "refresh": 1}


def test_more_tokens_than_there_are_are_named_with_their_number(game: Game) -> None:
    document = position_with(game).document()
    token = game.components.contents.tokens[0]
    state = document["state"]
    more = token.count + 2 - state["tokens_drawn"].get(token.id, 0)
    state["tokens_drawn"][token.id] = token.count + 2
    state["tokens_gone"][token.id] = state["tokens_gone"].get(token.id, 0) + more
    with pytest.raises(DocumentError) as caught:
        game.position(document)
    assert str(caught.value) == f"tokens_drawn.{token.id}: {token.count + 2} drawn, and there are {token.count}"
