"""Check reward tokens: rules L18 to L21, L23, and the rulings S4, S10."""

from __future__ import annotations

import pytest

from spieltisch.core.errors import DocumentError
from spieltisch.core.game import Game
from spieltisch.games.legendary_inventors.log import REFRESHES, UPGRADES
from tests.games.legendary_inventors.positions import (
    exhausted_inventors,
    log_line,
    play_and_log,
    player,
    position_with,
    refused,
    texts,
)
from tests.games.refusals import allowed


@pytest.mark.rule("L18")
def test_a_player_who_uses_a_token_may_still_take_an_action(game: Game) -> None:
    hand = {"upgrade-2": 1, "points-1": 1, "refresh": 1}
    position = position_with(game, tokens={1: hand}, exhausted=["hypatia"])
    for move in ("upgrade Archimedes in physics", "turn points-1 for Hypatia in physics", "refresh"):
        position.play(move)
        assert position.seat == 0
    assert allowed(position, "send Archimedes to Bow")
    assert player(position, 1)["tokens"] == {}


@pytest.mark.rule("L18")
def test_tokens_may_be_kept_for_later_turns(game: Game) -> None:
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
    assert play_and_log(position, "upgrade Archimedes in physics") == [
        log_line(UPGRADES, 1, inventor="Archimedes", field="physics", value=2)
    ]
    assert player(position, 1)["inventors"]["archimedes"]["knowledge"] == [2, 0, 1, 0]
    assert player(position, 1)["tokens"] == {"upgrade-3": 1, "upgrade-4": 1}
    assert refused(position, "upgrade Archimedes in mechanics") == "L19"  # no 2 is left
    position.play("upgrade Archimedes in physics")
    position.play("upgrade Archimedes in physics")
    assert player(position, 1)["inventors"]["archimedes"]["knowledge"] == [4, 0, 1, 0]


@pytest.mark.rule("L19")
def test_upgrades_stop_at_four_and_apply_only_to_inventors_of_the_player(game: Game) -> None:
    position = position_with(game, tokens={1: {"upgrade-4": 2}}, knowledge={"hypatia": (4, 0, 0, 3)})
    assert refused(position, "upgrade Hypatia in physics") == "L19"
    assert allowed(position, "upgrade Hypatia in mathematics")
    position = position_with(game, tokens={1: {"upgrade-2": 1, "points-1": 1}, 2: {"upgrade-2": 1}})
    assert refused(position, "upgrade Ada Lovelace in mechanics") == "L19"
    assert refused(position, "turn points-1 for Ada Lovelace in physics") == "L19"


@pytest.mark.rule("L19")
def test_an_upgrade_may_exceed_the_goal_of_an_inventor(game: Game) -> None:
    position = position_with(game, tokens={1: {"upgrade-4": 1, "points-1": 1}}, knowledge={"hypatia": (1, 0, 0, 3)})
    position.play("upgrade Hypatia in mathematics")  # her goal is 3
    position.play("turn points-1 for Hypatia in mechanics")  # and nothing there
    assert player(position, 1)["inventors"]["hypatia"]["knowledge"] == [1, 0, 1, 4]


@pytest.mark.rule("L20")
@pytest.mark.parametrize("kind", ["upgrade-2", "upgrade-4", "refresh", "genius", "number", "points-3"])
def test_turning_over_any_token_raises_a_knowledge_of_zero_to_one(game: Game, kind: str) -> None:
    position = position_with(game, tokens={1: {kind: 2}})
    assert refused(position, f"turn {kind} for Hypatia in mathematics") == "L20"
    position.play(f"turn {kind} for Hypatia in physics")
    assert player(position, 1)["inventors"]["hypatia"]["knowledge"] == [1, 0, 0, 2]
    assert player(position, 1)["tokens"] == {kind: 1}
    assert refused(position, f"turn {kind} for Hypatia in physics") == "L20"


@pytest.mark.rule("L20")
def test_players_turn_over_only_their_own_tokens(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}, 2: {"refresh": 1}})
    assert refused(position, "turn refresh for Hypatia in physics") == "L20"
    assert allowed(position, "turn genius for Hypatia in physics")


@pytest.mark.rule("L21")
def test_a_refresh_token_readies_all_inventors_before_the_action(game: Game) -> None:
    position = position_with(game, exhausted=["hypatia", "archimedes", "james-watt"], tokens={1: {"refresh": 1}})
    assert play_and_log(position, "refresh") == [log_line(REFRESHES, 1)]
    assert (exhausted_inventors(position, 1), exhausted_inventors(position, 2), position.seat) == (
        set(),
        {"james-watt"},
        0,
    )
    assert player(position, 1)["tokens"] == {}
    assert position.document()["state"]["tokens_gone"] == {"refresh": 1}
    assert allowed(position, "send Hypatia to Bow")


@pytest.mark.rule("L21")
def test_a_refresh_needs_a_refresh_token_and_an_exhausted_inventor(game: Game) -> None:
    assert refused(position_with(game, exhausted=["hypatia"]), "refresh") == "L21"
    assert refused(position_with(game, tokens={1: {"refresh": 1}}), "refresh") == "L21"
    assert refused(position_with(game, exhausted=["hypatia"], tokens={2: {"refresh": 1}}), "refresh") == "L21"


@pytest.mark.rule("L21")
def test_a_refresh_token_can_be_used_only_in_a_turn_of_its_owner(game: Game) -> None:
    position = position_with(
        game, seats=3, cubes={"canoe": {2: (1, 0, 0, 2)}}, tokens={2: {"refresh": 1}}, exhausted=["james-watt"]
    )
    position.play("send Archimedes to Canoe")
    assert position.seat == 1
    assert refused(position, "refresh") == "L11"


@pytest.mark.rule("L23")
def test_victory_point_tokens_are_worth_their_printed_points(game: Game) -> None:
    position = position_with(
        game, tokens={1: {"points-1": 2, "points-2": 1, "points-3": 3}, 2: {"upgrade-2": 3, "genius": 1}}
    )
    assert position.scores == [2 + 2 + 9, 0]


@pytest.mark.rule("S4")
def test_a_token_turned_over_loses_the_effect_of_its_front(game: Game) -> None:
    position = position_with(game, tokens={1: {"points-3": 1, "number": 1}}, patents={1: ["axe"]})
    assert position.scores[0] == 3 + 1 + 1
    position.play("turn points-3 for Hypatia in physics")
    assert position.scores[0] == 1 + 1
    position.play("turn number for Hypatia in chemistry")
    assert position.scores[0] == 1
    assert position.document()["state"]["tokens_gone"] == {"points-3": 1, "number": 1}


@pytest.mark.rule("S10")
def test_an_exhausted_inventor_can_be_upgraded_several_times(game: Game) -> None:
    position = position_with(game, exhausted=["archimedes"], tokens={1: {"upgrade-2": 1, "upgrade-3": 1, "refresh": 1}})
    position.play("upgrade Archimedes in mechanics")
    position.play("upgrade Archimedes in mechanics")
    position.play("turn refresh for Archimedes in chemistry")
    assert player(position, 1)["inventors"]["archimedes"] == {"knowledge": [1, 1, 3, 0], "exhausted": True}
    assert position.document()["state"]["tokens_gone"] == {"upgrade-2": 1, "upgrade-3": 1, "refresh": 1}


def test_a_position_document_with_too_many_tokens_is_refused_with_their_number(game: Game) -> None:
    document = position_with(game).document()
    token = game.components.contents.tokens[0]
    state = document["state"]
    token_number = token.count + 2 - state["tokens_drawn"].get(token.id, 0)
    state["tokens_drawn"][token.id] = token.count + 2
    state["tokens_gone"][token.id] = state["tokens_gone"].get(token.id, 0) + token_number
    with pytest.raises(DocumentError) as error:
        game.position(document)
    assert str(error.value) == f"tokens_drawn.{token.id}: {token.count + 2} drawn, and there are {token.count}"
