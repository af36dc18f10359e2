"""The drawings of Legendary Inventors: marks, inventions, teams and the end, as the templates render them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.games.legendary_inventors.board import Board, board
from spieltisch.games.legendary_inventors.icons import ICONS
from spieltisch.games.legendary_inventors.state import Phase
from spieltisch.web.pages.move_tree import add_any, legal_tree
from tests.games import drawing_helpers
from tests.games.drawing_helpers import NAMES, go_on, ids, parse, places, render, scene, templates
from tests.games.legendary_inventors.positions import position_with

GAME = spieltisch.game("legendary-inventors")

BOX: Board = board(GAME.components)


@pytest.fixture(scope="module")
def game() -> Game:
    return spieltisch.game("legendary-inventors")


def rendered(observation: Observation, language: str = "en", last: Sequence[Move] = ()) -> str:
    """Return the drawing of a position for one perspective, with the signs of the page."""
    game = observation.setup.game
    assert game.drawing is not None
    signs = drawing_helpers.static(observation.setup, language)
    context = {**scene(observation, language, last), "rules_page": "/games/legendary-inventors/rules"}
    wanted = ("panel.html", "end.html") if observation.is_over else ("panel.html",)
    return "".join(
        [
            render(game, "icons.svg", signs, language),
            *(render(game, template, context, language) for template in wanted),
        ]
    )


def after(game: Game, moves: int, seats: int = 4, **options: Any) -> Position:
    return drawing_helpers.played(game.start(seats=seats, seed=4, **options), moves)


@pytest.fixture(scope="module")
def middle(game: Game) -> Position:
    return after(game, 60)


@pytest.fixture(scope="module")
def finished(game: Game) -> Position:
    return after(game, 10_000)


@pytest.fixture(scope="module")
def rewarding(game: Game) -> Position:
    """An invention is complete, and several players are to choose."""
    position = game.start(seats=4, seed=4)
    while position.observe(None).view.phase != Phase.REWARDS or position.observe(None).view.queue[1] < 0:
        go_on(position)
    return position


# All that is drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_well_formed_with_ids_of_its_own(middle: Position, finished: Position, language: str) -> None:
    for position in (middle, finished):
        text = rendered(position.observe(1), language)
        parse(text)
        assert [name for name, count in Counter(ids(text)).items() if count > 1] == []
        assert "<b>O'Brien" not in text


def test_nothing_needs_a_looser_content_policy(middle: Position, finished: Position) -> None:
    for position in (middle, finished):
        for element in parse(rendered(position.observe(1))).iter():
            tag = element.tag.rpartition("}")[2]
            assert tag not in ("script", "style", "foreignObject", "image", "a") or element.get("class") == "rule", tag
            assert "style" not in element.attrib
            assert not [name for name in element.attrib if name.startswith("on")]


def test_what_is_referred_to_is_defined(middle: Position, rewarding: Position, finished: Position) -> None:
    for position in (middle, rewarding, finished):
        text = rendered(position.observe(1))
        used = set(re.findall(r'<use [^>]*href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
        assert used - set(ids(text)) == set()


def test_every_mark_in_a_sentence_has_its_sign(game: Game, middle: Position) -> None:
    assert game.drawing is not None
    signs = ids(rendered(middle.observe(0)))
    chip: Any = templates(game).get_template("drawing/icon_macros.html").module
    marks = game.drawing.icons_by_name(middle.setup)
    worded = {word.icon for move in middle.setup.moves for word in middle.setup.words(move) if word.icon}
    for mark in worded | set(marks.values()):
        assert f"sign-{mark}" in signs
        assert f'href="#sign-{mark}"' in chip.chip(mark, "x")
    named = [[piece.name for piece in things] for things in (BOX.inventions, BOX.inventors, BOX.tokens)]
    assert {name for names in named for name in names} <= set(marks)


def test_a_symbol_that_many_inventions_share_is_named_by_its_classification(game: Game, middle: Position) -> None:
    assert game.drawing is not None
    named = {mark: name for name, mark in game.drawing.icons_by_name(middle.setup).items()}
    assert {f"class-{one.id}": one.name for one in BOX.classifications}.items() <= named.items()


def test_everything_of_the_box_has_a_mark_of_its_own() -> None:
    wanted = {
        "attribute-": {inventor.id for inventor in BOX.inventors},
        "class-": {classification.id for classification in BOX.classifications},
        "token-": {token.kind for token in BOX.tokens},
        "shape-": {field.shape for field in BOX.fields},
    }
    for prefix, wanted_ids in wanted.items():
        drawn = {key.removeprefix(prefix): icon.path for key, icon in ICONS.items() if key.startswith(prefix)}
        assert set(drawn) == wanted_ids
        assert len(set(drawn.values())) == len(drawn)
        assert all(drawn.values())
    assert len({team.pattern for team in BOX.teams}) == len({team.letter for team in BOX.teams}) == len(BOX.teams)
    assert len({field.shape for field in BOX.fields}) == len(BOX.fields)


def test_the_style_sheet_has_the_inks_of_the_components(game: Game, middle: Position) -> None:
    assert game.drawing is not None
    context = game.drawing.static_context(middle.setup, Words("en"))
    sheet = templates(game).get_template("style.css").render(**context)
    for team in BOX.teams:
        assert f".ink-{team.id} {{ fill: var(--light, {team.ink}) var(--dark, {team.ink_dark}); }}" in sheet
    for field in BOX.fields:
        assert f".field-ink-{field.id} {{" in sheet
    assert sheet.count("{") == sheet.count("}")


def test_everybody_is_shown_the_same_with_the_own_team_first(middle: Position) -> None:
    """S12: nothing is secret."""
    for seat in (None, 0, 1, 2, 3):
        context = scene(middle.observe(seat))
        seats = [player["seat"] for player in context["players"]]
        assert seats == [((seat or 0) + i) % 4 for i in range(4)]
        assert [player["seat"] for player in context["players"] if player["own"]] == ([] if seat is None else [seat])
        assert context["inventions"] == scene(middle.observe(None))["inventions"]


# Places


def test_every_legal_place_can_be_chosen(game: Game) -> None:
    """Every place that a legal move names is in the panel of the seat that decides."""
    for teams in ("random", "choose"):
        position = game.start(seats=2, seed=11, teams=teams)
        while not position.is_over:
            text = places(rendered(position.observe(position.seat)))
            for move in position.legal_moves:
                for word in position.words(move):
                    assert not word.element_id or word.element_id in text, (move, word)
            go_on(position)


# The inventions


@pytest.mark.rule("L8")
def test_spaces_are_free_or_taken_by_a_team(middle: Position) -> None:
    view = middle.observe(None).view
    cards = {card["id"]: card for card in scene(middle.observe(None))["inventions"]}
    slots = [slot for slot in view.slots if slot.card >= 0]
    assert len(slots) == len(cards)
    for slot in slots:
        invention = BOX.inventions[slot.card]
        card = cards[invention.id]
        assert (card["number"], card["points"]) == (invention.classification, invention.points)
        drawn = {field["id"]: field for field in card["fields"]}
        for f, field in enumerate(BOX.fields):
            spaces = drawn[field.id]["spaces"] if field.id in drawn else []
            assert len(spaces) == invention.spaces[f]
            assert spaces.count(None) == slot.free[f]
            for seat in range(4):
                team = BOX.teams[view.players[seat].team].id
                assert sum(space is not None and space["team"] == team for space in spaces) == slot.cubes[seat][f]
        assert [token["id"] for token in card["tokens"]] == [BOX.tokens[k].id for k in slot.tokens if k >= 0]
        assert sum(standing["cubes"] for standing in card["standing"]) == card["taken"]


@pytest.mark.rule("L11")
def test_most_cubes_come_first_and_equal_cubes_share_a_place(game: Game) -> None:
    position = game.start(seats=4, seed=4)
    shared = 0
    while not position.is_over:
        for card in scene(position.observe(None))["inventions"]:
            cubes = [standing["cubes"] for standing in card["standing"]]
            assert cubes == sorted(cubes, reverse=True)
            assert [standing["place"] for standing in card["standing"]] == [
                1 + sum(n > c for n in cubes) for c in cubes
            ]
            shared += len(cubes) > len(set(cubes))
        go_on(position)
    assert shared


@pytest.mark.rule("L12")
def test_rewards_are_shown_in_their_order(rewarding: Position) -> None:
    view = rewarding.observe(None).view
    complete = [card for card in scene(rewarding.observe(None))["inventions"] if card["rewards"]]
    assert [card["id"] for card in complete] == [BOX.inventions[view.slots[view.slot].card].id]
    queue = [seat for seat in view.queue if seat >= 0]
    assert [reward["name"] for reward in complete[0]["rewards"]] == [NAMES[seat] for seat in queue]
    assert [reward["state"] for reward in complete[0]["rewards"]] == ["now", *["next"] * (len(queue) - 1)]
    assert "patent" in places(rendered(rewarding.observe(rewarding.seat)))


@pytest.mark.rule("L12")
def test_a_completing_move_says_first_who_is_rewarded_in_which_order(game: Game) -> None:
    """Before it is confirmed: the preview has the sentence that the log has afterwards."""
    position = game.start(seats=4, seed=4)
    count = 0
    while not position.is_over:
        move = position.legal_moves[7919 * (position.number + 1) % len(position.legal_moves)]
        before, view = position.copy(), position.observe(None).view
        working = view.phase != Phase.REWARDS
        position.play(move)
        after = position.observe(None).view
        if working and after.phase == Phase.REWARDS:
            preview = before.preview(move)
            order = [seat for seat in after.queue if seat >= 0]
            reward = next(sentence for sentence in preview.messages if "ompletes " in sentence.text)
            named = [reward.values[name] for name in ("first", "second", "third") if name in reward.values]
            assert [getattr(value, "seat", None) for value in named] == order
            assert preview.passes or order[0] == before.seat
            count += 1
    assert count > 5


def test_the_last_moves_are_marked(game: Game) -> None:
    position = game.start(seats=4, seed=7, teams="random")
    sent = next(move for move in position.legal_moves if move.text.startswith("send "))
    named = [word.element_id for word in position.words(sent) if word.element_id]
    position.play(sent)
    text = rendered(position.observe(0), last=[sent])
    for place in named:
        assert re.search(rf'id="{place}"[^>]* is-last', text)


# The teams


@pytest.mark.rule("L28")
def test_knowledge_and_how_far_each_goal_is(middle: Position) -> None:
    view = middle.observe(None).view
    for player in scene(middle.observe(None))["players"]:
        seen = view.players[player["seat"]]
        assert (player["cubes"], player["points"]) == (seen.cubes, middle.scores[player["seat"]])
        for place, (ledger, number) in enumerate(zip(player["inventors"], BOX.teams[seen.team].inventors, strict=True)):
            inventor = BOX.inventors[number]
            values = list(seen.knowledge[place])
            assert [field["value"] for field in ledger["fields"]] == values
            assert ledger["missing"] == sum(max(g - v, 0) for g, v in zip(inventor.goal, values, strict=True))
            assert ledger["resting"] == bool(seen.exhausted[place])


def test_values_are_pips_and_words(middle: Position) -> None:
    page = parse(rendered(middle.observe(0)))
    drawn = {element.get("id"): element for element in page.iter() if (element.get("id") or "").startswith("inventor-")}
    for player in scene(middle.observe(0))["players"]:
        for inventor in player["inventors"]:
            pips = [
                use for use in drawn[f"inventor-{inventor['id']}"].iter() if "pip " in (use.get("class") or "") + " "
            ]
            assert sum("is-on" in (pip.get("class") or "") for pip in pips) == sum(
                f["value"] for f in inventor["fields"]
            )
            assert sum("is-goal" in (pip.get("class") or "") for pip in pips) == inventor["missing"]


# Patents and runs


@pytest.mark.rule("L26")
def test_the_bar_shows_the_run_its_gap_and_what_it_is_worth(game: Game) -> None:
    looks = Counter[str]()
    for seats in (2, 4):
        position = game.start(seats=seats, seed=4)
        while not position.is_over:
            go_on(position)
            for player in scene(position.observe(None))["players"]:
                bar, numbers = player["bar"], [card["number"] for card in player["patents"]]
                assert [space["number"] for space in bar["spaces"]] == list(range(max(6, len(bar["spaces"]))))
                assert [space["count"] for space in bar["spaces"][:6]] == [numbers.count(n) for n in range(6)]
                assert bar["worth"] == sum(run["points"] for run in player["runs"])
                in_run = [space["look"] for space in bar["spaces"] if space["look"] in ("run", "token")]
                best = player["runs"][0]["cards"] if player["runs"] else []
                assert in_run == ["run" if card["name"] else "token" for card in best]
                assert bar["next_worth"] >= bar["worth"] or bar["gap"] >= 6
                looks.update(space["look"] for space in bar["spaces"])
    assert set(looks) == {"run", "token", "held", "gap", "none"}


@pytest.mark.rule("L26")
@pytest.mark.parametrize(
    ("patents", "gap", "worth", "after_next"),
    [(["bow", "wheel"], 2, 1, 2), (["wheel"], 0, 0, 1), ([], 0, 0, 0), (["bow"], 1, 0, 1)],
)
def test_what_the_next_patent_would_bring(
    game: Game, patents: list[str], gap: int, worth: int, after_next: int
) -> None:
    position = position_with(game, seats=2, patents={1: patents}, table={})
    bar = next(player["bar"] for player in scene(position.observe(0))["players"] if player["seat"] == 0)
    assert (bar["gap"], bar["worth"], bar["next_worth"]) == (gap, worth, after_next)
    text = rendered(position.observe(0))
    assert (f"with a {gap}: {after_next}" in text) == (after_next > worth)


def test_won_patents_lie_as_a_fan_with_what_they_are_for(finished: Position, middle: Position) -> None:
    for position in (middle, finished):
        page = parse(rendered(position.observe(0)))
        won = [element for element in page.iter() if element.get("class") == "won"]
        held = [card for player in scene(position.observe(0))["players"] for card in player["patents"]]
        assert [card.get("data-group") for card in won] == [f"class-{card['class']}" for card in held]
        assert len(held) > 2


def test_cards_inventors_and_players_light_what_belongs_to_them(middle: Position) -> None:
    text = rendered(middle.observe(0))
    for css_class in ("invention", "inventor", "team", "won"):
        lights = {
            name
            for element in parse(text).iter()
            if css_class in (element.get("class") or "").split()
            for name in (element.get("data-highlights") or "").split()
        }
        drawn = {name for of in re.findall(r'data-group="([^"]+)"', text) for name in of.split()}
        assert lights
        assert lights & drawn


@pytest.mark.rule("S7")
def test_teams_are_there_to_choose_from(game: Game) -> None:
    position = game.start(seats=3, seed=7, teams="choose")
    assert {team["id"] for team in scene(position.observe(0))["choice"]} == {team.id for team in BOX.teams}
    position.play(position.legal_moves[0])
    context = scene(position.observe(0))
    assert [bool(team["player"]) for team in context["choice"]] == [True, *[False] * (len(BOX.teams) - 1)]
    assert len(context["players"]) == 1


def test_a_team_to_choose_shows_portraits_its_character_and_a_bar_for_each_science(game: Game) -> None:
    position = game.start(seats=3, seed=7, teams="choose")
    for team, shown_team in zip(BOX.teams, scene(position.observe(0))["choice"], strict=True):
        members = [BOX.inventors[i] for i in team.inventors]
        assert shown_team["character"]
        assert [inventor["id"] for inventor in shown_team["inventors"]] == [inventor.id for inventor in members]
        for f, bar in enumerate(shown_team["bars"]):
            assert (bar["value"], bar["goal"]) == (sum(m.start[f] for m in members), sum(m.goal[f] for m in members))
            best = max(bar["value"] for bar in shown_team["bars"])
            assert (bar["value"] == best) == (bar["name"] in shown_team["strong"])


def test_what_an_inventor_can_place_is_said_with_their_name_and_with_each_invention(game: Game) -> None:
    position = position_with(game)
    send = legal_tree(position)["send"].children
    inventors = {text: branch for text, branch in send.items() if branch.word.element_id.startswith("inventor-")}
    for branch in inventors.values():
        assert branch.hint is not None
        most = 0
        for leaf in branch.children.values():
            if leaf.is_blocked:
                continue
            after_it = position.copy()
            after_it.play(leaf.move)
            placed = position.state.players[0].cubes - after_it.state.players[0].cubes
            assert leaf.hint is not None
            assert Words("en").say(leaf.hint).startswith(f"{placed} cube")
            most = max(most, placed)
        assert Words("en").say(branch.hint).startswith(f"{most} cube")
    assert len(inventors) == 4


def test_any_team_can_be_taken_and_nothing_that_belongs_to_other_decisions_is_listed(game: Game) -> None:
    position = game.start(seats=3, seed=7, teams="choose")
    position.play(position.legal_moves[0])
    tree = legal_tree(position)
    assert list(tree) == ["choose"]
    assert [branch.is_blocked for branch in tree["choose"].children.values()] == [False] * (len(BOX.teams) - 1)
    taken = set()
    for number in range(40):
        tree = legal_tree(position)
        add_any(tree, position, f"table{number}")
        taken.add(tree["choose"].children["any"].move)
    assert taken == {move.text for move in position.legal_moves}


def test_a_component_file_with_an_unknown_inventor_is_drawn_without_attribute(game: Game) -> None:
    source = (game.folder / "components.toml").read_text("utf-8")
    source = source.replace('id = "hypatia"', 'id = "hypatia-of-a"').replace(
        "inventors.hypatia.", "inventors.hypatia-of-a."
    )
    position = game.start(seats=5, seed=7, components=game.read_components(source))
    text = rendered(position.observe(0))
    assert "attribute-hypatia" not in text
    assert 'id="inventor-hypatia-of-a"' in text


# The end


@pytest.mark.rule("L25")
@pytest.mark.rule("L26")
@pytest.mark.rule("L27")
@pytest.mark.rule("L29")
@pytest.mark.parametrize("seats", [2, 5])
def test_the_end_lays_out_the_whole_scoring(game: Game, seats: int) -> None:
    position = after(game, 10_000, seats)
    seen = position.observe(None)
    assert seen.view.phase == Phase.OVER
    end, outcome = scene(seen)["end"], position.outcome
    assert outcome is not None
    for row in end["rows"]:
        parts = [row[f"from_{part}"] for part in ("patents", "runs", "tokens", "goals")]
        assert sum(parts) == row["total"] == position.scores[row["seat"]]
        assert row["winner"] == (row["seat"] in outcome.winners)
        for run in row["runs"]:
            assert [card["number"] for card in run["cards"]] == list(range(run["points"] + 1))
            assert {card["name"] for card in run["cards"]} - {""} <= {card["name"] for card in row["patents"]}
        used = Counter(card["name"] for run in row["runs"] for card in run["cards"] if card["name"])
        assert not used or max(used.values()) == 1
    totals = [row["total"] for row in end["rows"]]
    assert totals == sorted(totals, reverse=True)
    assert end["rule"] == outcome.ended_by
    assert f'href="/games/legendary-inventors/rules#{outcome.ended_by}"' in rendered(seen)


@pytest.mark.rule("L29")
def test_places_are_shown_and_those_that_are_shared(game: Game) -> None:
    last: dict[str, Any] = {"seats": 4, "phase": "last upgrades", "age": 3, "ended_by": "L17", "table": {}}
    patents = {1: ["axe"], 2: ["bow"], 3: [], 4: []}
    position = position_with(game, **last, patents=patents, tokens={3: {"points-2": 1}, 4: {"upgrade-2": 1}})
    position.play("done")
    while not position.is_over:
        position.play("done")
    rows = {row["seat"]: (row["place"], row["shared"]) for row in scene(position.observe(None))["end"]["rows"]}
    assert rows == {2: (1, False), 0: (2, True), 1: (2, True), 3: (4, False)}
    text = rendered(position.observe(None))
    assert text.count("rank 2, shared") == 2
    assert text.count("rank 1<") == text.count("rank 4<") == 1
