"""Check the drawings of Era of Inventions, as its templates render them."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import spieltisch
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Language
from spieltisch.games.era_of_inventions import layout
from spieltisch.games.era_of_inventions.board import Board
from spieltisch.games.era_of_inventions.panel import KIND_ICONS
from spieltisch.games.era_of_inventions.rules.ending import finish_game
from spieltisch.games.era_of_inventions.rules.goods import advance
from spieltisch.games.era_of_inventions.rules.producing import paid_player
from spieltisch.games.era_of_inventions.rules.rounds import cards_slide, end_round, factories_slide, start_cards_leave
from spieltisch.games.era_of_inventions.rules.stores import fill_stores
from spieltisch.games.era_of_inventions.state import FIRST_COUNTERFEIT, GOODS, MOST_PATENTS, NOBODY, NONE, Action, Phase
from tests.games.drawing_helpers import element_ids, parse, place_names, render, scene_context, static_context
from tests.games.era_of_inventions.positions import KINDS, position_with

GAME = spieltisch.game("era-of-inventions")


def rendered(observation: Observation, language: Language = "en", last_moves: Sequence[Move] = ()) -> str:
    """Render the icons and all boards for one perspective, and the scoring after the end."""
    assert GAME.drawing is not None
    static_parts = static_context(observation.setup, language)
    context = {
        **static_parts,
        **scene_context(observation, language, last_moves),
        "rules_page": "/games/era-of-inventions/rules",
    }
    wanted_parts = ("icons.svg", "panel.html", *(["end.html"] if observation.is_over else []))
    return "".join(render(GAME, name, context, language) for name in wanted_parts)


def random_game_positions() -> Iterator[Position]:
    """Yield the positions of random games for all numbers of players, in which players act whenever they can."""
    chance = random.Random(1900)
    for seats in (3, 4, 5):
        position = GAME.start(seats=seats, seed=seats, capacity="cubes" if seats == 4 else "all")
        while True:
            yield position
            if position.is_over:
                break
            moves = [str(move) for move in position.legal_moves]
            useful_moves = [move for move in moves if not move.startswith(("done", "take back", "keep"))]
            position.play(chance.choice(useful_moves if useful_moves and chance.random() < 0.9 else moves))


@pytest.fixture(scope="module")
def game_positions() -> list[Position]:
    """Return every fifth position of random games, and all their ends."""
    return [
        position.copy()
        for n, position in enumerate(random_game_positions())
        if n % 5 == 0 or position.observe(None).view.phase == Phase.OVER
    ]


@pytest.fixture(scope="module")
def sample_positions(game_positions: list[Position]) -> list[Position]:
    """Return a few positions of random games, and the ends of all these games."""
    return [position for n, position in enumerate(game_positions) if n % 12 == 0 or position.is_over]


def test_the_sample_positions_of_the_drawing_tests_reach_late_stages(game_positions: list[Position]) -> None:
    views = [position.observe(None).view for position in game_positions]
    assert {view.phase for view in views} >= {Phase.LAST_EXCHANGE, Phase.OVER}
    assert {view.action for view in views} >= set(range(6)) - {Action.YIELD}  # which is done at once
    assert any(view.patented[invention][k] for view in views for invention in range(9) for k in range(2))
    assert any(card >= FIRST_COUNTERFEIT for view in views for card in view.row)


# All that is drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_element_named_by_a_legal_move_is_drawn_once(game_positions: list[Position], language: Language) -> None:
    for position in game_positions if language == "en" else game_positions[::6]:
        if position.is_over:
            continue
        counts = Counter(place_names(rendered(position.observe(position.seat), language)))
        wanted_elements = {
            word.element_id for move in position.legal_moves for word in position.words(move) if word.element_id
        }
        assert wanted_elements
        assert {place: counts[place] for place in wanted_elements} == dict.fromkeys(wanted_elements, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_drawings_are_well_formed_with_unique_ids(sample_positions: list[Position], language: Language) -> None:
    for position in sample_positions:
        text = rendered(position.observe(1), language)
        for element in parse(text).iter():
            assert "style" not in element.attrib
            assert not [name for name in element.attrib if name.startswith("on")]
            assert element.tag.rpartition("}")[2] not in ("script", "style", "foreignObject", "image")
        assert [name for name, count in Counter(element_ids(text)).items() if count > 1] == []
        used_ids = set(re.findall(r'<use [^>]*href="#([^"]+)"', text))
        assert used_ids
        assert used_ids - set(element_ids(text)) == set()
        assert "<b>O'Brien" not in text
        assert "&lt;b&gt;O&#39;Brien&lt;/b&gt; &amp; &#34;Söhne&#34;" in text


def test_equal_observations_have_equal_drawings_and_all_seats_see_the_same_boards(
    sample_positions: list[Position],
) -> None:
    for position in sample_positions:
        observation = position.observe(0)
        assert rendered(observation) == rendered(Observation.read(observation.bytes))
        own_scene, other_scene = scene_context(observation), scene_context(position.observe(None))
        own_fields = {"players", "track"}  # whose line comes first, and which symbols they reach next
        assert {key: own_scene[key] for key in own_scene.keys() - own_fields - {"end"}} == {
            key: other_scene[key] for key in other_scene.keys() - own_fields - {"end"}
        }


def test_the_track_marks_what_the_viewers_pawn_reaches_within_five_spaces(game_positions: list[Position]) -> None:
    for position in game_positions[::7]:
        params, view = position.setup.plain_params, position.observe(None).view
        assert not any(side["ahead"] for side in scene_context(position.observe(None))["track"]["sides"])
        for seat in range(position.seats):
            track = scene_context(position.observe(seat))["track"]
            places = [(view.players[seat].influence + step) % params.spaces for step in range(1, 6)]
            icons = {place: KIND_ICONS[params.symbol[place]] for place in places if params.symbol[place] != NONE}
            framed = {on_frame(side, space["at"]): space["icon"] for side in track["sides"] for space in side["ahead"]}
            assert framed == ({} if position.is_over else icons)


def test_the_seat_of_the_viewer_is_drawn_first(game_positions: list[Position]) -> None:
    for position in game_positions[:40:8]:
        for seat in range(position.seats):
            assert [player["seat"] for player in scene_context(position.observe(seat))["players"]] == [
                (seat + n) % position.seats for n in range(position.seats)
            ]


# What it says is what the rules do


def test_the_refill_shown_on_ships_and_warehouses_matches_the_rules(game_positions: list[Position]) -> None:
    for position in game_positions:
        imagined_state = position.observe(None).imagine(0).state
        if imagined_state.round_number == position.setup.plain_params.rounds:  # E54: they are not filled any more
            assert {store["refill"] for store in scene_context(position.observe(None))["stores"]} == {None}
            continue
        fill_stores(imagined_state, position.setup.plain_params, position.setup.work)
        assert [store["refill"] for store in scene_context(position.observe(None))["stores"]] == [
            int(load) for load in imagined_state.load[: position.setup.plain_params.stores]
        ]


def test_cards_marked_as_leaving_are_those_that_the_rules_remove(game_positions: list[Position]) -> None:
    count = Counter[str]()
    for position in game_positions:
        observation, c, w = position.observe(None), position.setup.plain_params, position.setup.work
        scene, imagined_state = scene_context(observation), observation.imagine(0).state
        earlier_rows = {
            "row": list(map(int, imagined_state.row)),
            "factory_row": list(map(int, imagined_state.factory_row)),
        }
        if imagined_state.round_number == c.rounds:  # E54: the rows stay as they are
            end_round(imagined_state, c, w)
        else:
            start_cards_leave(imagined_state, w)
            cards_slide(imagined_state, c, w)
            factories_slide(imagined_state, c, w)
        for row, piece_kind in (("row", "card"), ("factory_row", "factory")):
            staying_cards = set(map(int, getattr(imagined_state, row)))
            is_taken = [number != NONE and number not in staying_cards for number in earlier_rows[row]]
            assert [bool(space[piece_kind]) and space["leaves"] for space in scene[row]] == is_taken
            count[piece_kind] += sum(is_taken)
    assert min(count["card"], count["factory"]) > 100


def test_the_payees_shown_on_a_card_match_the_rules(game_positions: list[Position]) -> None:
    count = Counter[str]()
    for position in game_positions:
        observation, c = position.observe(None), position.setup.plain_params
        board: Board = position.setup.board
        imagined_state, scene = observation.imagine(0).state, scene_context(observation)
        for number, space in zip(map(int, imagined_state.row), scene["row"], strict=True):
            if number == NONE:
                assert space["card"] is None
                continue
            for seat in range(position.seats):
                imagined_state.seat = seat
                paid = [(k, paid_player(imagined_state, c, number, k)) for k in range(2)]
                expected_payments = [(p, c.reward[board.cards[number].invention][k]) for k, p in paid if p != NOBODY]
                pays = [
                    (payment["seat"], payment["what"]) for payment in space["card"]["pays"] if payment["seat"] != seat
                ]
                assert [p for p, _ in pays] == [p for p, _ in expected_payments]
                for (_, reward_kind), (_, reward) in zip(pays, expected_payments, strict=True):
                    assert {icon["icon"]: icon["count"] for icon in reward_kind["icons"]} == {
                        KIND_ICONS[kind]: n for kind, n in enumerate(reward) if n
                    }
                count[space["card"]["kind"]] += len(pays)
    assert count["official"] > 50
    assert count["counterfeit"] > 10
    assert count["start"] == 0


def test_the_bonuses_shown_match_the_final_scoring(game_positions: list[Position]) -> None:
    for position in game_positions:
        observation = position.observe(None)
        if position.is_over:  # they are paid
            assert all(
                bonus["points"] == 0 for player in scene_context(observation)["players"] for bonus in player["bonuses"]
            )
            continue
        imagined_state = observation.imagine(0).state
        earned_before = [[int(n) for n in player.earned] for player in imagined_state.players]
        finish_game(imagined_state, position.setup.plain_params, position.setup.work)
        for player in scene_context(observation)["players"]:
            earned = imagined_state.players[player["seat"]].earned
            gained_points = [
                int(earned[MOST_PATENTS + n]) - earned_before[player["seat"]][MOST_PATENTS + n] for n in range(3)
            ]
            assert [bonus["points"] for bonus in player["bonuses"]] == gained_points


def test_the_next_symbol_shown_is_the_next_symbol_of_the_influence_track(game_positions: list[Position]) -> None:
    for position in game_positions[::7]:
        observation, c, w = position.observe(None), position.setup.plain_params, position.setup.work
        for player in scene_context(observation)["players"]:
            seat, symbol = player["seat"], player["symbol"]
            if observation.view.phase == Phase.OVER:  # symbols count in the last exchange, too (R10)
                assert symbol is None
                continue
            for space_count in range(1, symbol["far"] + 1):
                imagined_state = observation.imagine(0).state
                imagined_state.phase, imagined_state.seat = Phase.ACTING, seat
                goods_before = [int(n) for n in imagined_state.players[seat].goods]
                advance(imagined_state, c, w, seat, space_count, 0)
                gained_goods = [
                    KIND_ICONS[k]
                    for k in range(GOODS)
                    for _ in range(imagined_state.players[seat].goods[k] - goods_before[k])
                ]
                assert gained_goods == ([symbol["icon"]] if space_count == symbol["far"] else [])


@pytest.mark.rule("R10")
@pytest.mark.parametrize(("last_exchange", "remaining_spaces"), [("no symbols", None), ("symbols", 1)])
def test_the_next_symbol_is_shown_in_the_last_exchange_only_if_an_option_grants_symbols(
    last_exchange: str, remaining_spaces: int | None
) -> None:
    position = position_with(GAME, phase="last exchange", action="exchange market", round_number=8,
                             numbers={1: {"influence": 5}}, last_exchange=last_exchange)  # fmt: skip
    symbol = scene_context(position.observe(None))["players"][0]["symbol"]
    assert (symbol and symbol["far"]) == remaining_spaces


def test_fields_discs_and_owners_shown_match_the_state(game_positions: list[Position]) -> None:
    for position in game_positions[::3]:
        state, scene = position.document()["state"], scene_context(position.observe(None))
        holders = {
            invention["id"]: {
                field["kind"]: (field["holder"] and field["holder"]["seat"] + 1, field["patented"])
                for field in invention["fields"]
            }
            for invention in scene["inventions"]
        }
        assert holders == {
            name: {k: (field["holder"], field["patented"]) for k, field in fields.items()}
            for name, fields in state["inventions"].items()
        }
        for action in scene["actions"]:
            disc_seats = sorted(disc["seat"] + 1 for disc in action["discs"] if disc)
            assert disc_seats == sorted(seat for seat in state["discs"][action["id"]] if seat)
        for space in scene["steps"]["spaces"]:
            seats = {marker["seat"] for marker in space["markers"]}
            assert seats == {p for p, player in enumerate(state["players"]) if player["steps"] == space["number"]}
        spaces = position.setup.plain_params.spaces
        influence_places = [player["influence"] % spaces for player in state["players"]]
        track = scene["track"]
        in_rows = {pawn["seat"]: space_in_rows(track, space) for space in track["spaces"] for pawn in space["pawns"]}
        assert in_rows == dict(enumerate(influence_places))
        around = {
            pawn["seat"]: on_frame(side, space["begins"] + side["long"] / 2)
            for side in track["sides"]
            for space in side["spaces"]
            for pawn in space["pawns"]
        }
        assert around == dict(enumerate(influence_places))
        for player in scene["players"]:
            expected = state["players"][player["seat"]]
            assert [works["id"] for works in player["factories"]] == expected["factories"]
            assert [good["count"] for good in player["goods"]] == list(expected["goods"].values())
            output = Counter[str]()
            for works in player["factories"]:
                output.update({icon["icon"]: icon["count"] for icon in works["output"]["icons"]})
            assert {good["icon"]: good["output"] for good in player["goods"] if good["output"]} == output


FIRST = {"top": 0, "right": 34, "bottom": 50, "left": 84}
"""The first space of each side of the frame, clockwise."""


def on_frame(side: dict[str, Any], pawn_place: float) -> int:
    """Return the space with its middle at this percentage of a side, from the left or the top."""
    distance_along = 100 - pawn_place if side["side"] in ("bottom", "left") else pawn_place
    return FIRST[side["side"]] + int(distance_along / side["long"])


def space_in_rows(track: dict[str, Any], space: dict[str, Any]) -> int:
    """Return the space of the track that a marked space is in the rows."""
    foot = space["y"] + space["height"] - layout.SPACE
    row = next(n for n, shown in enumerate(track["rows"]) if shown["y"] == foot)
    return row * layout.ROW + int(space["x"] / layout.SPACE)


def test_pawns_on_a_space_stay_inside_it_and_hide_no_initial() -> None:
    chance = random.Random(1889)
    cases = [[0] * 5, [99] * 5, [49, 49, 50, 50, 51], [19, 20, 20, 21, 21]]
    cases += [[chance.choice((0, 1, 2, 48, 49, 50, 99)) for _ in range(5)] for _ in range(300)]
    for pawn_place in cases:
        rows = layout.track(100, pawn_place)
        boxes = [space["box"] for space in rows["spaces"]]
        stacks = [space["pawns"] for space in rows["spaces"]]
        for side in layout.framed(100, pawn_place, {}):
            stacks += [space["pawns"] for space in side["spaces"]]
            boxes += [side["box"] for _ in side["spaces"]]
        assert sum(map(len, stacks)) == 2 * len(pawn_place)
        for box, pawns in zip(boxes, stacks, strict=True):
            wide, high = (float(length) for length in box.split()[2:])
            places = [(float(pawn["x"]), float(pawn["y"]), float(pawn["size"])) for pawn in pawns]
            assert all(0 <= x <= wide - size and 0 <= y <= high - size for x, y, size in places), places
            for n, (x, y, size) in enumerate(places):  # the middle of a shield, with its initial, is never covered
                middle = (x + 0.5 * size, y + 0.4 * size)
                assert not any(
                    left + 0.06 * size < middle[0] < left + 0.94 * size and top < middle[1] < top + 0.9 * size
                    for left, top, _ in places[n + 1 :]
                ), places


def test_the_three_facts_shown_about_each_player_depend_on_the_phase(game_positions: list[Position]) -> None:
    first = {Phase.PLACING: "action-disc", Phase.LAST_EXCHANGE: "inventions", Phase.OVER: "inventions"}
    for position in game_positions[::7]:
        view = position.observe(None).view
        for player in scene_context(position.observe(0))["players"]:
            goods = {good["icon"]: good["count"] for good in player["goods"]}
            icon = first.get(view.phase, "bonus-disc")
            number = {
                "action-disc": player["hand"],
                "bonus-disc": player["bonus"],
                "inventions": player["inventions"],
            }[icon]
            assert [(fact["icon"], fact["count"]) for fact in player["facts"]] == [
                (icon, number),
                ("good-coin", goods["good-coin"]),
                ("good-stone", goods["good-stone"]),
            ]


def test_ships_and_warehouses_show_their_goods(game_positions: list[Position]) -> None:
    loads = set()
    for position in game_positions[::5]:
        text = rendered(position.observe(0))
        for store in scene_context(position.observe(0))["stores"]:
            store_picture = re.search(
                rf'id="store-{store["id"]}".*?<svg class="store-picture".*?</svg>', text, re.DOTALL
            )
            assert store_picture
            assert store_picture[0].count(f'href="#icon-{store["icon"]}"') == min(store["load"], 8)
            loads.add(store["load"])
    assert {0, 2, 3, 4, 5, 6} <= loads


RICH = dict.fromkeys(KINDS, 20)


def test_the_market_shows_the_number_of_exchanges_and_closed_boxes() -> None:
    position = position_with(GAME, action="exchange market", goods={1: RICH}, seat=1)
    for move, used_symbols in (
        ("exchange coin coin for stone", [1, 0, 0]),
        ("exchange stone for coin coin", [2, 0, 0]),
        ("exchange wood wood for metal", [2, 0, 1]),
        ("exchange coin coin for stone", [3, 0, 1]),
    ):
        position.play(move)
        market = scene_context(position.observe(None))["market"]
        assert market["open"]
        assert [box["used"] for box in market["boxes"]] == used_symbols
        assert (market["used"], market["most"]) == (sum(used_symbols), 5)
        shut = {box["id"] for box in market["boxes"] if box["used"] == box["most"]}
        assert shut == ({"market-upper"} if used_symbols[0] == 3 else set())
        named_elements = {
            word.element_id for move in position.legal_moves for word in position.words(move) if word.element_id
        }
        boxes = {place for place in named_elements if not place.startswith("own-")}  # and not one's own goods
        assert boxes == {box["id"] for box in market["boxes"]} - shut
        text = rendered(position.observe(0))
        assert text.count('class="exchange-use is-used"') == sum(used_symbols)
        assert f"exchanges: {sum(used_symbols)} of 5" in text
    position.play("exchange coin coin for influence")
    assert position.observe(None).view.action != Action.MARKET or not any(
        move.text.startswith("exchange") for move in position.legal_moves
    )


def test_the_number_of_stones_spent_in_an_action_is_shown() -> None:
    position = position_with(GAME, action="develop or patent", goods={1: RICH}, seat=1)
    spent_goods = 0
    while spent_goods < 7:
        stones = scene_context(position.observe(None))["stones"]
        assert stones == {"spent": spent_goods, "most": 7, "open": True}
        assert f"stones: {spent_goods} of 7" in rendered(position.observe(0))
        fields = {
            f"develop {invention['id'].replace('-', ' ')} {field['kind']}": field["stones"]
            for invention in scene_context(position.observe(None))["inventions"]
            for field in invention["fields"]
            if not field["holder"] and not field["closed"]
        }
        developing = sorted(move.text for move in position.legal_moves if move.text.startswith("develop"))
        assert developing == sorted(move for move, price in fields.items() if spent_goods + price <= 7)
        spent_goods += fields[developing[0]]
        position.play(developing[0])


def test_numbers_of_exchanges_and_spent_stones_are_not_shown_outside_an_action(game_positions: list[Position]) -> None:
    for position in game_positions:
        view, scene = position.observe(None).view, scene_context(position.observe(None))
        if view.action != Action.MARKET and view.phase != Phase.LAST_EXCHANGE:
            assert not scene["market"]["open"]
            assert scene["market"]["used"] == 0
        if view.action != Action.DEVELOP:
            assert scene["stones"] == {"spent": 0, "most": 7, "open": False}


def test_the_places_of_the_last_moves_are_highlighted() -> None:
    position = position_with(GAME, action="exchange market", goods={1: RICH}, seat=1)
    move = position.move("exchange coin coin for stone")
    position.play(move)
    text = rendered(position.observe(0), "en", [move])
    (marked_element,) = re.findall(r'id="([^"]+)"[^>]*class="[^"]*is-of-last-move', text)
    assert marked_element == "market-upper"
    assert "is-of-last-move" not in rendered(position.observe(0))
