"""Check the drawings of inventions, icons and rewards of Legendary Inventors, as the templates render them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.games.legendary_inventors.icons import ICONS
from spieltisch.games.legendary_inventors.state import Phase
from tests.games.drawing_helpers import (
    NAMES,
    element_ids,
    parse,
    place_names,
    play_some_move,
    scene_context,
    templates,
)
from tests.games.legendary_inventors.drawn import BOX, rendered


@pytest.fixture(scope="module")
def position_choosing_rewards(game: Game) -> Position:
    """Return a position in which several players are to choose a reward."""
    position = game.start(seats=4, seed=4)
    while position.observe(None).view.phase != Phase.REWARDS or position.observe(None).view.queue[1] < 0:
        play_some_move(position)
    return position


# All that is drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_drawings_are_well_formed_with_unique_ids(
    position_in_mid_game: Position, final_position: Position, language: str
) -> None:
    for position in (position_in_mid_game, final_position):
        text = rendered(position.observe(1), language)
        parse(text)
        assert [name for name, count in Counter(element_ids(text)).items() if count > 1] == []
        assert "<b>O'Brien" not in text


def test_no_drawing_violates_the_content_security_policy(
    position_in_mid_game: Position, final_position: Position
) -> None:
    for position in (position_in_mid_game, final_position):
        for element in parse(rendered(position.observe(1))).iter():
            tag = element.tag.rpartition("}")[2]
            is_rule_link = element.get("class") == "rule-link"
            assert tag not in ("script", "style", "foreignObject", "image", "a") or is_rule_link, tag
            assert "style" not in element.attrib
            assert not [name for name in element.attrib if name.startswith("on")]


def test_every_reference_in_a_drawing_is_defined(
    position_in_mid_game: Position, position_choosing_rewards: Position, final_position: Position
) -> None:
    for position in (position_in_mid_game, position_choosing_rewards, final_position):
        text = rendered(position.observe(1))
        used_ids = set(re.findall(r'<use [^>]*href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
        assert used_ids - set(element_ids(text)) == set()


def test_every_named_piece_in_a_sentence_has_an_icon(game: Game, position_in_mid_game: Position) -> None:
    assert game.drawing is not None
    icons = element_ids(rendered(position_in_mid_game.observe(0)))
    chip: Any = templates(game).get_template("drawing/icon_macros.html").module
    icons_by_mark = game.drawing.icons_by_name(position_in_mid_game.setup)
    worded = {
        word.icon
        for move in position_in_mid_game.setup.moves
        for word in position_in_mid_game.setup.words(move)
        if word.icon
    }
    for mark in worded | set(icons_by_mark.values()):
        assert f"icon-{mark}" in icons
        assert f'href="#icon-{mark}"' in chip.chip(mark, "x")
    named_pieces = [[piece.name for piece in all_pieces] for all_pieces in (BOX.inventions, BOX.inventors, BOX.tokens)]
    assert {name for names in named_pieces for name in names} <= set(icons_by_mark)


def test_the_symbol_of_a_classification_has_the_name_of_that_classification(
    game: Game, position_in_mid_game: Position
) -> None:
    assert game.drawing is not None
    names_by_mark = {mark: name for name, mark in game.drawing.icons_by_name(position_in_mid_game.setup).items()}
    assert {
        f"class-{classification.id}": classification.name for classification in BOX.classifications
    }.items() <= names_by_mark.items()


def test_each_piece_has_a_different_icon() -> None:
    expected_icons = {
        "attribute-": {inventor.id for inventor in BOX.inventors},
        "class-": {classification.id for classification in BOX.classifications},
        "token-": {token.kind for token in BOX.tokens},
        "shape-": {field.shape for field in BOX.fields},
    }
    for prefix, wanted_ids in expected_icons.items():
        drawn_names = {key.removeprefix(prefix): icon.path for key, icon in ICONS.items() if key.startswith(prefix)}
        assert set(drawn_names) == wanted_ids
        assert len(set(drawn_names.values())) == len(drawn_names)
        assert all(drawn_names.values())
    assert len({team.pattern for team in BOX.teams}) == len({team.letter for team in BOX.teams}) == len(BOX.teams)
    assert len({field.shape for field in BOX.fields}) == len(BOX.fields)


def test_the_style_sheet_has_the_colours_of_the_component_file(game: Game, position_in_mid_game: Position) -> None:
    assert game.drawing is not None
    context = game.drawing.static_context(position_in_mid_game.setup, Words("en"))
    sheet = templates(game).get_template("style.css").render(**context)
    for team in BOX.teams:
        assert f".ink-{team.id} {{ fill: var(--light, {team.ink}) var(--dark, {team.ink_dark}); }}" in sheet
    for field in BOX.fields:
        assert f".field-ink-{field.id} {{" in sheet
    assert sheet.count("{") == sheet.count("}")


def test_all_seats_see_the_same_board_with_their_own_team_first(position_in_mid_game: Position) -> None:
    for seat in (None, 0, 1, 2, 3):
        context = scene_context(position_in_mid_game.observe(seat))
        seats = [player["seat"] for player in context["players"]]
        assert seats == [((seat or 0) + i) % 4 for i in range(4)]
        assert [player["seat"] for player in context["players"] if player["own"]] == ([] if seat is None else [seat])
        assert context["inventions"] == scene_context(position_in_mid_game.observe(None))["inventions"]


# Places


def test_every_element_named_by_a_legal_move_can_be_chosen(game: Game) -> None:
    for teams in ("random", "choose"):
        position = game.start(seats=2, seed=11, teams=teams)
        while not position.is_over:
            text = place_names(rendered(position.observe(position.seat)))
            for move in position.legal_moves:
                for word in position.words(move):
                    assert not word.element_id or word.element_id in text, (move, word)
            play_some_move(position)


# The inventions


@pytest.mark.rule("L8")
def test_every_space_of_an_invention_is_drawn_as_free_or_taken_by_a_team(position_in_mid_game: Position) -> None:
    view = position_in_mid_game.observe(None).view
    cards = {card["id"]: card for card in scene_context(position_in_mid_game.observe(None))["inventions"]}
    slots = [slot for slot in view.slots if slot.card >= 0]
    assert len(slots) == len(cards)
    for slot in slots:
        invention = BOX.inventions[slot.card]
        card = cards[invention.id]
        assert (card["number"], card["points"]) == (invention.classification, invention.points)
        drawn_fields = {field["id"]: field for field in card["fields"]}
        for f, field in enumerate(BOX.fields):
            spaces = drawn_fields[field.id]["spaces"] if field.id in drawn_fields else []
            assert len(spaces) == invention.spaces[f]
            assert spaces.count(None) == slot.free[f]
            for seat in range(4):
                team = BOX.teams[view.players[seat].team].id
                assert sum(space is not None and space["team"] == team for space in spaces) == slot.cubes[seat][f]
        assert [token["id"] for token in card["tokens"]] == [BOX.tokens[k].id for k in slot.tokens if k >= 0]
        assert sum(standing["cubes"] for standing in card["standing"]) == card["taken"]


@pytest.mark.rule("L11")
def test_players_on_an_invention_are_ranked_by_cubes_and_share_ranks(game: Game) -> None:
    position = game.start(seats=4, seed=4)
    shared = 0
    while not position.is_over:
        for card in scene_context(position.observe(None))["inventions"]:
            cubes = [standing["cubes"] for standing in card["standing"]]
            assert cubes == sorted(cubes, reverse=True)
            assert [standing["place"] for standing in card["standing"]] == [
                1 + sum(n > c for n in cubes) for c in cubes
            ]
            shared += len(cubes) > len(set(cubes))
        play_some_move(position)
    assert shared


@pytest.mark.rule("L12")
def test_rewards_are_shown_in_order(position_choosing_rewards: Position) -> None:
    view = position_choosing_rewards.observe(None).view
    complete = [
        card for card in scene_context(position_choosing_rewards.observe(None))["inventions"] if card["rewards"]
    ]
    assert [card["id"] for card in complete] == [BOX.inventions[view.slots[view.slot].card].id]
    queue = [seat for seat in view.queue if seat >= 0]
    assert [reward["name"] for reward in complete[0]["rewards"]] == [NAMES[seat] for seat in queue]
    assert [reward["state"] for reward in complete[0]["rewards"]] == ["current", *["next"] * (len(queue) - 1)]
    assert "patent" in place_names(rendered(position_choosing_rewards.observe(position_choosing_rewards.seat)))


@pytest.mark.rule("L12")
def test_the_preview_of_a_completing_move_names_the_order_of_rewards(game: Game) -> None:
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
            named_rewards = [reward.values[name] for name in ("first", "second", "third") if name in reward.values]
            assert [getattr(value, "seat", None) for value in named_rewards] == order
            assert preview.passes or order[0] == before.seat
            count += 1
    assert count > 5


def test_the_places_of_the_last_move_are_highlighted(game: Game) -> None:
    position = game.start(seats=4, seed=7, teams="random")
    send_move = next(move for move in position.legal_moves if move.text.startswith("send "))
    named_elements = [word.element_id for word in position.words(send_move) if word.element_id]
    position.play(send_move)
    text = rendered(position.observe(0), last_moves=[send_move])
    for place in named_elements:
        assert re.search(rf'id="{place}"[^>]* is-of-last-move', text)
