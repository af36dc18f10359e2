"""What is drawn of Era of Inventions, as its templates render it: what can be chosen, what the rules are going to do,
names.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

import spieltisch
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Language
from spieltisch.games.era_of_inventions import layout
from spieltisch.games.era_of_inventions.board import Board
from spieltisch.games.era_of_inventions.panel import SIGNS
from spieltisch.games.era_of_inventions.rules.ending import finish_game
from spieltisch.games.era_of_inventions.rules.goods import advance
from spieltisch.games.era_of_inventions.rules.producing import paid_for
from spieltisch.games.era_of_inventions.rules.rounds import cards_slide, end_round, factories_slide, start_cards_leave
from spieltisch.games.era_of_inventions.rules.stores import fill_stores
from spieltisch.games.era_of_inventions.state import FIRST_COUNTERFEIT, GOODS, MOST_PATENTS, NOBODY, NONE, Action, Phase
from tests.games.drawing_helpers import ids, parse, places, render, scene, static
from tests.games.era_of_inventions.positions import KINDS, position_with

GAME = spieltisch.game("era-of-inventions")


def rendered(seen: Observation, language: Language = "en", last: Sequence[Move] = ()) -> str:
    """The signs, and all boards as they are shown to one perspective; after the end the scoring, too."""
    assert GAME.drawing is not None
    once = static(seen.setup, language)
    context = {**once, **scene(seen, language, last), "rules_page": "/games/era-of-inventions/rules"}
    wanted = ("icons.svg", "panel.html", *(["end.html"] if seen.is_over else []))
    return "".join(render(GAME, name, context, language) for name in wanted)


def games() -> Iterator[Position]:
    """Yield positions of random games for all numbers of players; players who can act do so."""
    chance = random.Random(1900)
    for seats in (3, 4, 5):
        position = GAME.start(seats=seats, seed=seats, capacity="cubes" if seats == 4 else "all")
        while True:
            yield position
            if position.is_over:
                break
            moves = [str(move) for move in position.legal_moves]
            more = [move for move in moves if not move.startswith(("done", "take back", "keep"))]
            position.play(chance.choice(more if more and chance.random() < 0.9 else moves))


@pytest.fixture(scope="module")
def along() -> list[Position]:
    """Every fifth position of those games, and all of their ends."""
    return [
        position.copy()
        for n, position in enumerate(games())
        if n % 5 == 0 or position.observe(None).view.phase == Phase.OVER
    ]


@pytest.fixture(scope="module")
def few(along: list[Position]) -> list[Position]:
    """A few of them, and the ends."""
    return [position for n, position in enumerate(along) if n % 12 == 0 or position.is_over]


def test_the_games_come_far(along: list[Position]) -> None:
    """Else what follows would prove little."""
    views = [position.observe(None).view for position in along]
    assert {view.phase for view in views} >= {Phase.LAST_EXCHANGE, Phase.OVER}
    assert {view.action for view in views} >= set(range(6)) - {Action.YIELD}  # which is done at once
    assert any(view.patented[invention][k] for view in views for invention in range(9) for k in range(2))
    assert any(card >= FIRST_COUNTERFEIT for view in views for card in view.row)


# All that is drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_of_a_legal_move_is_there_once(along: list[Position], language: Language) -> None:
    for position in along if language == "en" else along[::6]:
        if position.is_over:
            continue
        counts = Counter(places(rendered(position.observe(position.seat), language)))
        wanted = {word.element_id for move in position.legal_moves for word in position.words(move) if word.element_id}
        assert wanted
        assert {place: counts[place] for place in wanted} == dict.fromkeys(wanted, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_well_formed_with_ids_of_its_own(few: list[Position], language: Language) -> None:
    for position in few:
        text = rendered(position.observe(1), language)
        for element in parse(text).iter():
            assert "style" not in element.attrib
            assert not [name for name in element.attrib if name.startswith("on")]
            assert element.tag.rpartition("}")[2] not in ("script", "style", "foreignObject", "image")
        assert [name for name, count in Counter(ids(text)).items() if count > 1] == []
        used = set(re.findall(r'<use [^>]*href="#([^"]+)"', text))
        assert used
        assert used - set(ids(text)) == set()
        assert "<b>O'Brien" not in text
        assert "&lt;b&gt;O&#39;Brien&lt;/b&gt; &amp; &#34;Söhne&#34;" in text


def test_equal_observations_are_drawn_equally_and_everybody_is_shown_the_same_boards(few: list[Position]) -> None:
    for position in few:
        seen = position.observe(0)
        assert rendered(seen) == rendered(Observation.read(seen.bytes))
        own_scene, other_scene = scene(seen), scene(position.observe(None))
        own = {"players"}  # whose line comes first
        assert {key: own_scene[key] for key in own_scene.keys() - own - {"end"}} == {
            key: other_scene[key] for key in other_scene.keys() - own - {"end"}
        }


def test_the_seat_that_looks_stands_first(along: list[Position]) -> None:
    for position in along[:40:8]:
        for seat in range(position.seats):
            assert [player["seat"] for player in scene(position.observe(seat))["players"]] == [
                (seat + n) % position.seats for n in range(position.seats)
            ]


# What it says is what the rules do


def test_stores_are_refilled_as_the_rules_do_it(along: list[Position]) -> None:
    for position in along:
        imagined = position.observe(None).imagine(0).state
        if imagined.round_number == position.setup.plain_params.rounds:  # E54: they are not filled any more
            assert {store["refill"] for store in scene(position.observe(None))["stores"]} == {None}
            continue
        fill_stores(imagined, position.setup.plain_params, position.setup.work)
        assert [store["refill"] for store in scene(position.observe(None))["stores"]] == [
            int(load) for load in imagined.load[: position.setup.plain_params.stores]
        ]


def test_what_is_marked_as_leaving_is_what_the_rules_take_away(along: list[Position]) -> None:
    many = Counter[str]()
    for position in along:
        seen, c, w = position.observe(None), position.setup.plain_params, position.setup.work
        drawn, imagined = scene(seen), seen.imagine(0).state
        earlier_rows = {"row": list(map(int, imagined.row)), "factory_row": list(map(int, imagined.factory_row))}
        if imagined.round_number == c.rounds:  # E54: the rows stay as they are
            end_round(imagined, c, w)
        else:
            start_cards_leave(imagined, w)
            cards_slide(imagined, c, w)
            factories_slide(imagined, c, w)
        for row, thing in (("row", "card"), ("factory_row", "factory")):
            stays = set(map(int, getattr(imagined, row)))
            taken = [number != NONE and number not in stays for number in earlier_rows[row]]
            assert [bool(space[thing]) and space["leaves"] for space in drawn[row]] == taken
            many[thing] += sum(taken)
    assert min(many["card"], many["factory"]) > 100


def test_a_card_pays_whom_the_rules_pay_when_somebody_else_produces_it(along: list[Position]) -> None:
    many = Counter[str]()
    for position in along:
        seen, c = position.observe(None), position.setup.plain_params
        board: Board = position.setup.board
        imagined, drawn = seen.imagine(0).state, scene(seen)
        for number, space in zip(map(int, imagined.row), drawn["row"], strict=True):
            if number == NONE:
                assert space["card"] is None
                continue
            for seat in range(position.seats):
                imagined.seat = seat
                paid = [(k, paid_for(imagined, c, number, k)) for k in range(2)]
                wanted = [(p, c.reward[board.cards[number].invention][k]) for k, p in paid if p != NOBODY]
                pays = [
                    (payment["seat"], payment["what"]) for payment in space["card"]["pays"] if payment["seat"] != seat
                ]
                assert [p for p, _ in pays] == [p for p, _ in wanted]
                for (_, what), (_, reward) in zip(pays, wanted, strict=True):
                    assert {sign["sign"]: sign["count"] for sign in what["signs"]} == {
                        SIGNS[kind]: n for kind, n in enumerate(reward) if n
                    }
                many[space["card"]["kind"]] += len(pays)
    assert many["official"] > 50
    assert many["counterfeit"] > 10
    assert many["start"] == 0


def test_the_bonuses_are_those_of_the_end(along: list[Position]) -> None:
    for position in along:
        seen = position.observe(None)
        if position.is_over:  # they are paid
            assert all(bonus["points"] == 0 for player in scene(seen)["players"] for bonus in player["bonuses"])
            continue
        imagined = seen.imagine(0).state
        earned_before = [[int(n) for n in player.earned] for player in imagined.players]
        finish_game(imagined, position.setup.plain_params, position.setup.work)
        for player in scene(seen)["players"]:
            earned = imagined.players[player["seat"]].earned
            gained = [int(earned[MOST_PATENTS + n]) - earned_before[player["seat"]][MOST_PATENTS + n] for n in range(3)]
            assert [bonus["points"] for bonus in player["bonuses"]] == gained


def test_the_next_symbol_is_what_the_track_gives(along: list[Position]) -> None:
    for position in along[::7]:
        seen, c, w = position.observe(None), position.setup.plain_params, position.setup.work
        for player in scene(seen)["players"]:
            seat, symbol = player["seat"], player["symbol"]
            if seen.view.phase == Phase.OVER:  # symbols count in the last exchange, too (R10)
                assert symbol is None
                continue
            for far in range(1, symbol["far"] + 1):
                imagined = seen.imagine(0).state
                imagined.phase, imagined.seat = Phase.ACTING, seat
                goods_before = [int(n) for n in imagined.players[seat].goods]
                advance(imagined, c, w, seat, far, 0)
                gained = [
                    SIGNS[k] for k in range(GOODS) for _ in range(imagined.players[seat].goods[k] - goods_before[k])
                ]
                assert gained == ([symbol["sign"]] if far == symbol["far"] else [])


@pytest.mark.rule("R10")
@pytest.mark.parametrize(("last_exchange", "far"), [("no symbols", None), ("symbols", 1)])
def test_the_next_symbol_in_the_last_exchange(last_exchange: str, far: int | None) -> None:
    position = position_with(GAME, phase="last exchange", action="exchange market", round_number=8,
                             numbers={1: {"influence": 5}}, last_exchange=last_exchange)  # fmt: skip
    symbol = scene(position.observe(None))["players"][0]["symbol"]
    assert (symbol and symbol["far"]) == far


def test_fields_discs_and_owners_are_those_of_the_state(along: list[Position]) -> None:
    for position in along[::3]:
        state, drawn = position.document()["state"], scene(position.observe(None))
        holders = {
            invention["id"]: {
                field["kind"]: (field["holder"] and field["holder"]["seat"] + 1, field["patented"])
                for field in invention["fields"]
            }
            for invention in drawn["inventions"]
        }
        assert holders == {
            name: {k: (field["holder"], field["patented"]) for k, field in fields.items()}
            for name, fields in state["inventions"].items()
        }
        for action in drawn["actions"]:
            lying = sorted(disc["seat"] + 1 for disc in action["discs"] if disc)
            assert lying == sorted(seat for seat in state["discs"][action["id"]] if seat)
        for space in drawn["steps"]["spaces"]:
            seats = {marker["seat"] for marker in space["markers"]}
            assert seats == {p for p, player in enumerate(state["players"]) if player["steps"] == space["number"]}
        spaces = position.setup.plain_params.spaces
        at = [player["influence"] % spaces for player in state["players"]]
        track = drawn["track"]
        assert [pawn["seat"] for pawn in track["pawns"]] == list(range(position.seats))
        for pawn, place in zip(track["pawns"], at, strict=True):
            x, y = 20 * (place % layout.ROW), track["rows"][place // layout.ROW]["y"]
            assert pawn["space"].startswith(f"M{x} {y}h")
            assert pawn["stem"].endswith(f"L{x + 10} {y + 2}")
        around = {pawn["seat"]: on_frame(side, pawn["space"]) for side in track["sides"] for pawn in side["pawns"]}
        assert around == dict(enumerate(at))
        for player in drawn["players"]:
            expected = state["players"][player["seat"]]
            assert [works["id"] for works in player["factories"]] == expected["factories"]
            assert [good["count"] for good in player["goods"]] == list(expected["goods"].values())
            output = Counter[str]()
            for works in player["factories"]:
                output.update({sign["sign"]: sign["count"] for sign in works["output"]["signs"]})
            assert {good["sign"]: good["output"] for good in player["goods"] if good["output"]} == output


FIRST = {"top": 0, "right": 34, "bottom": 50, "left": 84}
"""The first space of each side of the frame, clockwise."""


def on_frame(side: dict[str, Any], at: float) -> int:
    """Return the space with its middle at this percentage of a side, from the left or the top."""
    along = 100 - at if side["side"] in ("bottom", "left") else at
    return FIRST[side["side"]] + int(along / side["long"])


def test_no_pawn_hides_another_wherever_they_stand() -> None:
    chance = random.Random(1889)
    cases = [[0] * 5, [99] * 5, [49, 49, 50, 50, 51], [19, 20, 20, 21, 21]]
    cases += [[chance.choice((0, 1, 2, 48, 49, 50, 99)) for _ in range(5)] for _ in range(300)]
    for at in cases:
        boxes = sorted((float(pawn["y"]), float(pawn["x"])) for pawn in layout.track(100, at)["pawns"])
        for (y, x), (other_y, other_x) in pairwise(boxes):
            assert other_y - y >= layout.LANE or other_x - x > layout.PAWN - 0.2
        wide = layout.ROW * layout.SPACE
        assert all(0 <= x <= wide - layout.PAWN and y >= 0 for y, x in boxes)
        for side in layout.framed(100, at):
            middles = sorted(pawn["at"] for pawn in side["pawns"])
            half = side["long"] / 2 - 0.02
            assert all(half <= middle <= 100 - half for middle in middles)
            assert all(other - one > side["long"] - 0.03 for one, other in pairwise(middles))


def test_of_each_player_three_facts_are_shown_that_follow_the_phase(along: list[Position]) -> None:
    first = {Phase.PLACING: "action-disc", Phase.LAST_EXCHANGE: "inventions", Phase.OVER: "inventions"}
    for position in along[::7]:
        view = position.observe(None).view
        for player in scene(position.observe(0))["players"]:
            goods = {good["sign"]: good["count"] for good in player["goods"]}
            sign = first.get(view.phase, "bonus-disc")
            number = {
                "action-disc": player["hand"],
                "bonus-disc": player["bonus"],
                "inventions": player["inventions"],
            }[sign]
            assert [(fact["sign"], fact["count"]) for fact in player["facts"]] == [
                (sign, number),
                ("good-coin", goods["good-coin"]),
                ("good-stone", goods["good-stone"]),
            ]


def test_ships_and_warehouses_hold_their_goods(along: list[Position]) -> None:
    loads = set()
    for position in along[::5]:
        text = rendered(position.observe(0))
        for store in scene(position.observe(0))["stores"]:
            drawn = re.search(rf'id="store-{store["id"]}".*?<svg class="hull".*?</svg>', text, re.DOTALL)
            assert drawn
            assert drawn[0].count(f'href="#sign-{store["sign"]}"') == min(store["load"], 8)
            loads.add(store["load"])
    assert {0, 2, 3, 4, 5, 6} <= loads


RICH = dict.fromkeys(KINDS, 20)


def test_the_markets_counters_count_and_close_its_boxes() -> None:
    position = position_with(GAME, action="exchange market", goods={1: RICH}, seat=1)
    for move, used in (
        ("exchange coin coin for stone", [1, 0, 0]),
        ("exchange stone for coin coin", [2, 0, 0]),
        ("exchange wood wood for metal", [2, 0, 1]),
        ("exchange coin coin for stone", [3, 0, 1]),
    ):
        position.play(move)
        market = scene(position.observe(None))["market"]
        assert market["open"]
        assert [box["used"] for box in market["boxes"]] == used
        assert (market["used"], market["most"]) == (sum(used), 5)
        shut = {box["id"] for box in market["boxes"] if box["used"] == box["most"]}
        assert shut == ({"market-upper"} if used[0] == 3 else set())
        named = {word.element_id for move in position.legal_moves for word in position.words(move) if word.element_id}
        boxes = {place for place in named if not place.startswith("own-")}  # and not one's own goods
        assert boxes == {box["id"] for box in market["boxes"]} - shut
        text = rendered(position.observe(0))
        assert text.count('class="use is-used"') == sum(used)
        assert f"exchanges: {sum(used)} of 5" in text
    position.play("exchange coin coin for influence")
    assert position.observe(None).view.action != Action.MARKET or not any(
        move.text.startswith("exchange") for move in position.legal_moves
    )


def test_the_stones_of_an_action_are_counted() -> None:
    position = position_with(GAME, action="develop or patent", goods={1: RICH}, seat=1)
    spent = 0
    while spent < 7:
        stones = scene(position.observe(None))["stones"]
        assert stones == {"spent": spent, "most": 7, "open": True}
        assert f"stones: {spent} of 7" in rendered(position.observe(0))
        fields = {
            f"develop {invention['id'].replace('-', ' ')} {field['kind']}": field["stones"]
            for invention in scene(position.observe(None))["inventions"]
            for field in invention["fields"]
            if not field["holder"] and not field["closed"]
        }
        developing = sorted(move.text for move in position.legal_moves if move.text.startswith("develop"))
        assert developing == sorted(move for move, price in fields.items() if spent + price <= 7)
        spent += fields[developing[0]]
        position.play(developing[0])


def test_nothing_is_counted_while_no_action_is_under_way(along: list[Position]) -> None:
    for position in along:
        view, drawn = position.observe(None).view, scene(position.observe(None))
        if view.action != Action.MARKET and view.phase != Phase.LAST_EXCHANGE:
            assert not drawn["market"]["open"]
            assert drawn["market"]["used"] == 0
        if view.action != Action.DEVELOP:
            assert drawn["stones"] == {"spent": 0, "most": 7, "open": False}


def test_what_was_done_last_is_marked() -> None:
    position = position_with(GAME, action="exchange market", goods={1: RICH}, seat=1)
    move = position.move("exchange coin coin for stone")
    position.play(move)
    text = rendered(position.observe(0), "en", [move])
    (marked,) = re.findall(r'id="([^"]+)"[^>]*class="[^"]*is-last', text)
    assert marked == "market-upper"
    assert "is-last" not in rendered(position.observe(0))
