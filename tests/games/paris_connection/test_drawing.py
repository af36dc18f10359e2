"""Check the drawings of Paris Connection: the panel, the summary and the end, as the templates render them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES
from spieltisch.drawing import format_number
from tests.games.drawing_helpers import element_ids, parse, render, scene_context, templates
from tests.games.paris_connection.drawn import FRANCE, after, rendered, static
from tests.games.paris_connection.positions import position_with
from tests.sentences import sentence_after, template_after

PANEL = "games/paris_connection/templates/panel.html"


def every_text(game: Game, render_texts: Position, language: str) -> str:
    drawn_once = [render(game, name, static(game, language), language) for name in ("icons.svg", "board.svg")]
    return "".join(drawn_once) + rendered(render_texts.observe(1), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_drawings_are_well_formed_with_unique_ids(game: Game, final_position: Position, language: str) -> None:
    text = every_text(game, final_position, language)
    parse(text)
    assert [name for name, count in Counter(element_ids(text)).items() if count > 1] == []
    assert "<b>O'Brien" not in text


def test_no_drawing_violates_the_content_security_policy(game: Game, final_position: Position) -> None:
    for element in parse(every_text(game, final_position, "en")).iter():
        tag = element.tag.rpartition("}")[2]
        is_rule_link = element.get("class") == "rule-link"
        assert tag not in ("script", "style", "foreignObject", "image", "a") or is_rule_link, tag
        assert "style" not in element.attrib
        assert not [name for name in element.attrib if name.startswith("on")]


def test_every_reference_in_a_drawing_is_defined_in_the_page(game: Game, final_position: Position) -> None:
    text = every_text(game, final_position, "en")
    used_ids = set(re.findall(r'<use [^>]*href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    assert used_ids - set(element_ids(text)) == set()


def test_the_style_sheet_has_the_colours_of_the_component_file(game: Game) -> None:
    sheet = render(game, "style.css", static(game))
    for company in FRANCE.companies:
        assert f".ink-{company.id} {{ fill: var(--light, {company.ink}) var(--dark, {company.ink_dark}); }}" in sheet
    for city_class in FRANCE.city_classes:
        assert f".city-{city_class.id} {{" in sheet
    assert sheet.count("{") == sheet.count("}")


def test_companies_in_moves_have_icons(game: Game) -> None:
    assert game.drawing is not None
    icon_macros: Any = templates(game).get_template("drawing/icon_macros.html").module
    position = game.start(seats=4, seed=7)
    icons = element_ids(render(game, "icons.svg", static(game)))
    marked_words = [word for move in position.legal_moves for word in position.words(move) if word.icon]
    for word in {word.icon: word for word in marked_words}.values():
        assert f"icon-{word.icon}" in icons
        assert f'href="#icon-{word.icon}"' in icon_macros.chip(word.icon, word.label)


def test_the_summary_above_the_prompt_shows_the_worth_of_the_viewers_shares_by_company(
    position_in_mid_game: Position,
) -> None:
    observation = position_in_mid_game.observe(0)
    shares = zip(observation.view.players[0].shares, observation.view.value, strict=True)
    worth = [str(count * value) for count, value in shares]
    assert set(worth) != {"0"}
    for language, word in (("en", "worth"), ("de", "wert"), ("fr", "valeur"), ("nl", "waard")):
        summary = render(observation.setup.game, "own_summary.html", scene_context(observation, language), language)
        assert re.findall(rf'<small title="{word} (\d+)">', summary) == worth


def test_a_player_highlights_the_companies_they_are_known_to_hold(game: Game, position_in_mid_game: Position) -> None:
    for viewer in (None, 0, 2):
        observation = position_in_mid_game.observe(viewer)
        for player in scene_context(observation)["players"]:
            min_shares = [known_companies["least"] for known_companies in player["known"]]
            if player["own"]:
                assert min_shares == list(observation.view.players[player["seat"]].shares)
            assert player["lights"] == [c.id for c, n in zip(FRANCE.companies, min_shares, strict=True) if n > 0]
    observation = after(game, 60, memory_aid=False).observe(0)
    lit = [player["lights"] for player in scene_context(observation)["players"]]
    assert lit[0]
    assert lit[1:] == [[], [], []]


def test_the_panel_shows_the_viewers_shares_all_depots_and_all_values(
    game: Game, position_in_mid_game: Position
) -> None:
    observation = position_in_mid_game.observe(2)
    context = scene_context(observation)
    for index, company in enumerate(context["companies"]):
        assert company["value"] == observation.view.value[index]
        assert company["depot"] == observation.view.depot[index]
        assert company["shares"] == observation.view.players[2].shares[index]
    assert context["mine"]["points"] == format_number(observation.scores[2] or 0)
    assert [player["held"] for player in context["players"]] == [player.held for player in observation.view.players[:4]]


def test_the_map_has_a_description_in_words(game: Game, position_in_mid_game: Position) -> None:
    places_of = {
        company["id"]: company["places"]
        for company in scene_context(position_in_mid_game.observe(None), "fr")["companies"]
    }
    drawn_pieces = Counter(piece["company"] for piece in scene_context(position_in_mid_game.observe(None))["pieces"])
    assert {company: len(places) for company, places in places_of.items()} == drawn_pieces
    assert all(place in rendered(position_in_mid_game.observe(None), "fr") for place in places_of["red"])


@pytest.mark.rule("T5")
def test_drawings_reveal_nothing_hidden_from_the_seat(game: Game, position_in_mid_game: Position) -> None:
    """Compare two positions that differ only in the portfolios of others."""
    for seat in range(4):
        observation = position_in_mid_game.observe(seat)
        imagined_state = [observation.imagine(seed) for seed in range(4)]
        assert {rendered(other.observe(seat)) for other in imagined_state} == {rendered(observation)}
        other_views = [other.observe((seat + 1) % 4) for other in imagined_state]
        assert len({rendered(other) for other in other_views}) > 1
    assert "panel-screen" not in rendered(position_in_mid_game.observe(None))
    assert len({rendered(position_in_mid_game.observe(seat).imagine(1).observe(None)) for seat in range(4)}) == 1


@pytest.mark.rule("T5")
def test_without_the_memory_aid_totals_of_trades_are_not_shown(game: Game) -> None:
    with_aid, scene_without_aid = (after(game, 40, memory_aid=aid).observe(0) for aid in (True, False))
    label = template_after(PANEL, "{%- if known.taken or known.given %}").text.partition("{")[0]
    assert label in render(game, "panel.html", scene_context(with_aid))
    panel = render(game, "panel.html", scene_context(scene_without_aid))
    assert label not in panel
    assert 'class="known-holding"' not in panel
    assert all(player["known"] == [] for player in scene_context(scene_without_aid)["players"])


@pytest.mark.rule("T5")
@pytest.mark.rule("T6")
@pytest.mark.parametrize(
    ("standstill", "idle", "text"),
    [
        ("ends", 8, sentence_after(PANEL, 'class="idle-trades-warning"', count=8, limit=9)),
        ("goes on", 8, sentence_after(PANEL, "{%- elif idle.count < idle.limit %}", count=8)),
        ("goes on", 9, sentence_after(PANEL, "{%- elif idle.count < idle.limit %}", "{%- else %}")),
    ],
)
def test_the_number_of_consecutive_one_for_one_trades_is_shown(
    game: Game, standstill: str, idle: int, text: str
) -> None:
    panel = rendered(position_with(game, idle=idle, standstill=standstill).observe(0))
    assert f'<span class="idle-trades-warning">{text}</span>' in panel


def test_the_known_shares_of_a_player_never_exceed_the_real_shares(game: Game, position_in_mid_game: Position) -> None:
    for seat, player in enumerate(scene_context(position_in_mid_game.observe(None))["players"]):
        own_shares = position_in_mid_game.observe(seat).view.players[seat].shares
        for known_companies, count in zip(player["known"], own_shares, strict=True):
            assert 0 <= known_companies["least"] <= count


def test_the_length_of_a_bar_shows_the_known_shares_of_a_player(game: Game, position_in_mid_game: Position) -> None:
    observation = position_in_mid_game.observe(2)
    context = scene_context(observation)
    most_shares = max(known_companies["least"] for player in context["players"] for known_companies in player["known"])
    assert most_shares > 5
    page, bars = parse(render(game, "panel.html", context)), 0
    for player in context["players"]:
        (row,) = (row for row in page.iter() if row.get("id") == f"player-{player['seat']}")
        cells = [cell for cell in row if cell.get("class") == "known-shares"]
        for company, known_companies, cell in zip(context["companies"], player["known"], cells, strict=True):
            cell_text = " ".join("".join(cell.itertext()).split())
            if not (known_companies["exact"] or known_companies["taken"] or known_companies["given"]):
                assert cell_text == "·"
                continue
            (bar,) = (bar_element for bar_element in cell.iter() if bar_element.get("fill"))
            assert bar.get("width") == f"{round(100 * known_companies['least'] / most_shares)}%"
            assert bar.get("fill") == f"url(#ink-{company['id']})"
            least_text = "" if known_companies["exact"] else "at least "
            assert f"{company['name']}: {least_text}{known_companies['least']} share" in cell_text
            totals = {"taken": known_companies["taken"], "given": known_companies["given"]}
            trades = sentence_after(PANEL, "{%- if known.taken or known.given %}", **totals)
            assert (trades in cell_text) == bool(known_companies["taken"] or known_companies["given"])
            bars += 1
    assert bars > 6


@pytest.mark.rule("P16")
@pytest.mark.rule("P17")
@pytest.mark.rule("P18")
def test_the_result_shows_the_whole_scoring(game: Game, final_position: Position) -> None:
    end = scene_context(final_position.observe(None))["end"]
    outcome = final_position.outcome
    assert outcome is not None
    for row in end["rows"]:
        total = sum(share["count"] * share["value"] for share in row["shares"]) - row["lost"]
        assert (
            total == sum(share["points"] for share in row["shares"]) - row["lost"] == final_position.scores[row["seat"]]
        )
        assert row["held"] == sum(share["count"] for share in row["shares"])
        assert row["winner"] == (row["seat"] in outcome.winners)
    totals = [final_position.scores[row["seat"]] for row in end["rows"]]
    assert totals == sorted(totals, reverse=True)
    assert end["rule"] == outcome.ended_by
    text = render(
        game, "end.html", {**scene_context(final_position.observe(None)), "rules_page": "/games/paris-connection/rules"}
    )
    assert f'href="/games/paris-connection/rules#{outcome.ended_by}"' in text
