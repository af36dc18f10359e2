"""Check the drawings of teams: inventors, patents and runs, the choice of a team, and the result."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Words
from spieltisch.games.legendary_inventors.state import Phase
from spieltisch.web.pages.move_tree import add_any, legal_tree
from tests.games.drawing_helpers import parse, play_some_move, scene_context
from tests.games.legendary_inventors.drawn import BOX, after, rendered
from tests.games.legendary_inventors.positions import position_with


@pytest.mark.rule("L28")
def test_knowledge_and_the_distance_to_each_goal_are_shown(position_in_mid_game: Position) -> None:
    view = position_in_mid_game.observe(None).view
    for player in scene_context(position_in_mid_game.observe(None))["players"]:
        seen = view.players[player["seat"]]
        assert (player["cubes"], player["points"]) == (seen.cubes, position_in_mid_game.scores[player["seat"]])
        for place, (ledger, number) in enumerate(zip(player["inventors"], BOX.teams[seen.team].inventors, strict=True)):
            inventor = BOX.inventors[number]
            values = list(seen.knowledge[place])
            assert [field["value"] for field in ledger["fields"]] == values
            assert ledger["missing"] == sum(max(g - v, 0) for g, v in zip(inventor.goal, values, strict=True))
            assert ledger["resting"] == bool(seen.exhausted[place])


def test_values_are_shown_as_pips_and_in_words(position_in_mid_game: Position) -> None:
    page = parse(rendered(position_in_mid_game.observe(0)))
    drawn_elements = {
        element.get("id"): element for element in page.iter() if (element.get("id") or "").startswith("inventor-")
    }
    for player in scene_context(position_in_mid_game.observe(0))["players"]:
        for inventor in player["inventors"]:
            pips = [
                use
                for use in drawn_elements[f"inventor-{inventor['id']}"].iter()
                if "pip " in (use.get("class") or "") + " "
            ]
            assert sum("is-filled" in (pip.get("class") or "") for pip in pips) == sum(
                f["value"] for f in inventor["fields"]
            )
            assert sum("is-missing-to-goal" in (pip.get("class") or "") for pip in pips) == inventor["missing"]


# Patents and runs


@pytest.mark.rule("L26")
def test_the_run_bar_shows_the_numbers_gaps_and_points_of_the_best_run(game: Game) -> None:
    looks = Counter[str]()
    for seats in (2, 4):
        position = game.start(seats=seats, seed=4)
        while not position.is_over:
            play_some_move(position)
            for player in scene_context(position.observe(None))["players"]:
                bar, numbers = player["bar"], [card["number"] for card in player["patents"]]
                assert [space["number"] for space in bar["spaces"]] == list(range(max(6, len(bar["spaces"]))))
                assert [space["count"] for space in bar["spaces"][:6]] == [numbers.count(n) for n in range(6)]
                assert bar["worth"] == sum(run["points"] for run in player["runs"])
                in_run = [space["look"] for space in bar["spaces"] if space["look"] in ("in-run", "from-token")]
                best_run = player["runs"][0]["cards"] if player["runs"] else []
                assert in_run == ["in-run" if card["name"] else "from-token" for card in best_run]
                assert bar["next_worth"] >= bar["worth"] or bar["gap"] >= 6
                looks.update(space["look"] for space in bar["spaces"])
    assert set(looks) == {"in-run", "from-token", "held", "gap", "none"}


@pytest.mark.rule("L26")
@pytest.mark.parametrize(
    ("patents", "gap", "worth", "after_next"),
    [(["bow", "wheel"], 2, 1, 2), (["wheel"], 0, 0, 1), ([], 0, 0, 0), (["bow"], 1, 0, 1)],
)
def test_the_gain_of_the_next_patent_is_shown(
    game: Game, patents: list[str], gap: int, worth: int, after_next: int
) -> None:
    position = position_with(game, seats=2, patents={1: patents}, table={})
    bar = next(player["bar"] for player in scene_context(position.observe(0))["players"] if player["seat"] == 0)
    assert (bar["gap"], bar["worth"], bar["next_worth"]) == (gap, worth, after_next)
    text = rendered(position.observe(0))
    assert (f"with a {gap}: {after_next}" in text) == (after_next > worth)


def test_every_won_patent_is_drawn_with_its_classification(
    final_position: Position, position_in_mid_game: Position
) -> None:
    for position in (position_in_mid_game, final_position):
        page = parse(rendered(position.observe(0)))
        won_patents = [element for element in page.iter() if element.get("class") == "won-patent"]
        patent_cards = [card for player in scene_context(position.observe(0))["players"] for card in player["patents"]]
        assert [card.get("data-group") for card in won_patents] == [f"class-{card['class']}" for card in patent_cards]
        assert len(patent_cards) > 2


def test_inventions_inventors_and_players_highlight_related_elements(position_in_mid_game: Position) -> None:
    text = rendered(position_in_mid_game.observe(0))
    for css_class in ("invention", "inventor", "team", "won-patent"):
        lights = {
            name
            for element in parse(text).iter()
            if css_class in (element.get("class") or "").split()
            for name in (element.get("data-highlights") or "").split()
        }
        drawn_groups = {
            name for element_ids in re.findall(r'data-group="([^"]+)"', text) for name in element_ids.split()
        }
        assert lights
        assert lights & drawn_groups


@pytest.mark.rule("S7")
def test_free_teams_are_shown_for_the_choice(game: Game) -> None:
    position = game.start(seats=3, seed=7, teams="choose")
    assert {team["id"] for team in scene_context(position.observe(0))["choice"]} == {team.id for team in BOX.teams}
    position.play(position.legal_moves[0])
    context = scene_context(position.observe(0))
    assert [bool(team["player"]) for team in context["choice"]] == [True, *[False] * (len(BOX.teams) - 1)]
    assert len(context["players"]) == 1


def test_a_team_to_choose_has_portraits_a_description_and_a_bar_for_each_science(game: Game) -> None:
    position = game.start(seats=3, seed=7, teams="choose")
    for team, shown_team in zip(BOX.teams, scene_context(position.observe(0))["choice"], strict=True):
        members = [BOX.inventors[i] for i in team.inventors]
        assert shown_team["character"]
        assert [inventor["id"] for inventor in shown_team["inventors"]] == [inventor.id for inventor in members]
        for f, bar in enumerate(shown_team["bars"]):
            assert (bar["value"], bar["goal"]) == (sum(m.start[f] for m in members), sum(m.goal[f] for m in members))
            best_value = max(bar["value"] for bar in shown_team["bars"])
            assert (bar["value"] == best_value) == (bar["name"] in shown_team["strong"])


def test_the_cubes_an_inventor_can_place_are_shown_with_the_name_and_each_invention(game: Game) -> None:
    position = position_with(game)
    send_moves = legal_tree(position)["send"].children
    inventors = {text: branch for text, branch in send_moves.items() if branch.word.element_id.startswith("inventor-")}
    for branch in inventors.values():
        assert branch.hint is not None
        largest_fan = 0
        for leaf in branch.children.values():
            if leaf.is_blocked:
                continue
            after_it = position.copy()
            after_it.play(leaf.move)
            placed_cubes = position.state.players[0].cubes - after_it.state.players[0].cubes
            assert leaf.hint is not None
            assert Words("en").say(leaf.hint).startswith(f"{placed_cubes} cube")
            largest_fan = max(largest_fan, placed_cubes)
        assert Words("en").say(branch.hint).startswith(f"{largest_fan} cube")
    assert len(inventors) == 4


def test_the_choice_of_teams_lists_only_the_teams(game: Game) -> None:
    position = game.start(seats=3, seed=7, teams="choose")
    position.play(position.legal_moves[0])
    tree = legal_tree(position)
    assert list(tree) == ["choose"]
    assert [branch.is_blocked for branch in tree["choose"].children.values()] == [False] * (len(BOX.teams) - 1)
    taken_teams = set()
    for number in range(40):
        tree = legal_tree(position)
        add_any(tree, position, f"table{number}")
        taken_teams.add(tree["choose"].children["any"].move)
    assert taken_teams == {move.text for move in position.legal_moves}


# The end


@pytest.mark.rule("L25")
@pytest.mark.rule("L26")
@pytest.mark.rule("L27")
@pytest.mark.rule("L29")
@pytest.mark.parametrize("seats", [2, 5])
def test_the_result_shows_the_whole_scoring(game: Game, seats: int) -> None:
    position = after(game, 10_000, seats)
    observation = position.observe(None)
    assert observation.view.phase == Phase.OVER
    end, outcome = scene_context(observation)["end"], position.outcome
    assert outcome is not None
    for row in end["rows"]:
        parts = [row[f"from_{part}"] for part in ("patents", "runs", "tokens", "goals")]
        assert sum(parts) == row["total"] == position.scores[row["seat"]]
        assert row["winner"] == (row["seat"] in outcome.winners)
        for run in row["runs"]:
            assert [card["number"] for card in run["cards"]] == list(range(run["points"] + 1))
            assert {card["name"] for card in run["cards"]} - {""} <= {card["name"] for card in row["patents"]}
        used_patents = Counter(card["name"] for run in row["runs"] for card in run["cards"] if card["name"])
        assert not used_patents or max(used_patents.values()) == 1
    totals = [row["total"] for row in end["rows"]]
    assert totals == sorted(totals, reverse=True)
    assert end["rule"] == outcome.ended_by
    assert f'href="/games/legendary-inventors/rules#{outcome.ended_by}"' in rendered(observation)


@pytest.mark.rule("L29")
def test_ranks_and_shared_ranks_are_shown(game: Game) -> None:
    last_position_fields: dict[str, Any] = {
        "seats": 4,
        "phase": "last upgrades",
        "age": 3,
        "ended_by": "L17",
        "table": {},
    }
    patents = {1: ["axe"], 2: ["bow"], 3: [], 4: []}
    position = position_with(
        game, **last_position_fields, patents=patents, tokens={3: {"points-2": 1}, 4: {"upgrade-2": 1}}
    )
    position.play("done")
    while not position.is_over:
        position.play("done")
    rows = {row["seat"]: (row["place"], row["shared"]) for row in scene_context(position.observe(None))["end"]["rows"]}
    assert rows == {2: (1, False), 0: (2, True), 1: (2, True), 3: (4, False)}
    text = rendered(position.observe(None))
    assert text.count("rank 2, shared") == 2
    assert "rank 1" not in text  # the order says it
    assert "rank 4" not in text
