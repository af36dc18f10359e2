"""Check that bots have the same levels in the same order in all forms and in the docs."""

import random
import re
from collections.abc import Callable

import pytest

from spieltisch import bots
from spieltisch.commands import LEVELS_HELP
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.games import game_modules
from tests.paths import ROOT
from tests.sentences import sentence_after, template_after
from tests.tiers import first_alone
from tests.web.conftest import PreparedTables
from tests.web.prepared_tables import Layout
from tests.web.servers import Server
from tests.web.visitors import Visitor

MACROS = "web/templates/bot_macros.html"
DOCS = ROOT / "docs" / "bots.md"


def level_name(bot: str) -> str:
    return sentence_after(MACROS, "macro level_name", f'"{bot}":')


def test_the_docs_list_all_bot_levels_from_weak_to_strong() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)[: len(bots.BOTS)]) == bots.BOTS


def test_the_command_line_names_the_same_bot_levels_as_the_docs() -> None:
    assert f"From weak to strong: {', '.join(bots.BOTS)}." == LEVELS_HELP


def test_the_lobby_and_the_forms_offer_the_same_bot_levels_as_the_docs(server: Server) -> None:
    with Visitor(server) as visitor:
        lobby, form = (visitor.get(path).text for path in ("/", "/new/paris-connection"))
    offered = re.findall(r'name="bot" value="(\w+)"[^>]*><span>([^<]*)</span>', lobby)
    assert offered == [(bot, level_name(bot)) for bot in bots.BOTS if bot != "random"]
    bot_labels = [(bot, sentence_after(MACROS, "macro bot_name", f'"{bot}":')) for bot in bots.BOTS]
    select = form[form.index('id="timeout_bot"') : form.index("</select>", form.index('id="timeout_bot"'))]
    assert re.findall(r'<option value="(\w+)"[^>]*>([^<]*)<', select) == bot_labels
    for seat in re.findall(r'<select id="seat-\d+".*?</select>', form, re.DOTALL):
        assert re.findall(r'<option value="bot:(\w+)"[^>]*>([^<]*)<', seat) == bot_labels


# --- Which level a game is played at. ---


def checked_level(visitor: Visitor) -> str:
    """Return the level that the lobby has chosen; "" for that of the last game of each kind."""
    (level,) = re.findall(r'name="bot" value="([^"]*)" form="quick-start-form" checked', visitor.get("/").text)
    return str(level)


def last_levels(visitor: Visitor) -> list[str]:
    """Return the levels in the game cards of the lobby."""
    levels = {last_level(bot): bot for bot in bots.BOTS}
    return [levels[text] for text in re.findall(r'last-bot-level">([^<]+)<', visitor.get("/").text)]


def last_level(bot: str) -> str:
    return sentence_after("web/templates/game_card.html", "last-bot-level", level=level_name(bot))


def opponents(visitor: Visitor, path: str) -> set[str]:
    return {seat["bot"] for seat in visitor.state(path)["seats"] if seat["kind"] == "bot"}


def test_the_first_game_has_beginner_bots_and_later_games_the_last_chosen_level(server: Server) -> None:
    paris, era = "paris-connection", "era-of-inventions"
    with Visitor(server) as visitor:
        assert checked_level(visitor) == bots.BEGINNER
        assert last_levels(visitor) == [bots.BEGINNER] * len(game_modules())
        assert opponents(visitor, visitor.submit(f"/new/{era}/now").headers["location"]) == {bots.BEGINNER}
        chosen_table = visitor.submit(f"/new/{paris}/now", bot="medium").headers["location"]
        assert opponents(visitor, chosen_table) == {"medium"}
        assert checked_level(visitor) == ""
        assert sorted(last_levels(visitor)) == [bots.BEGINNER, bots.BEGINNER, "medium"]
        for game, level in ((paris, "medium"), (era, bots.BEGINNER)):
            assert last_level(level) in visitor.get(f"/games/{game}/rules").text
        assert opponents(visitor, visitor.submit(f"/new/{paris}/now", bot="").headers["location"]) == {"medium"}
        visitor.table("me", "bot:easy", "bot:expert", name="")
        assert opponents(visitor, visitor.submit(f"/new/{paris}/now", bot="").headers["location"]) == {"easy"}
        assert opponents(visitor, visitor.submit(f"/new/{era}/now", bot="").headers["location"]) == {bots.BEGINNER}
        visitor.cookies.set(f"level-{paris}", "deep-thought")
        assert opponents(visitor, visitor.submit(f"/new/{paris}/now", bot="").headers["location"]) == {bots.BEGINNER}


def play_briefly(position: Position) -> str | None:
    """Play some random moves, and then one-for-one trades, which end the game."""
    if position.is_over:
        return None
    moves = [move.text for move in position.legal_moves]
    trades = [move for move in moves if move.startswith("trade") and " for 1 " in move]
    return random.Random(position.number).choice(trades if position.number > 20 and trades else moves)


def opposed(bot: str, deal: int, choose_move: Callable[[Position], str | None] = play_briefly) -> Layout:
    return Layout("paris-connection", [f"bot:{bot}"] * 2, bytes([deal]) * 32, choose_move, {"standstill": "ends"})


PEOPLE = ("Ada",)
WON, LAST, SECOND = 14, 6, 5
"""Deals in which the first player wins, is last, and is second."""
LAYOUTS = {
    "won": opposed("easy", WON),
    "second": opposed("easy", SECOND),
    "last": opposed("easy", LAST),
    "won against a higher level": opposed("hard", WON),
    "last of beginners": opposed("beginner", LAST),
    "won the top": opposed("expert", WON),
    "won against two levels": Layout(
        "paris-connection", ["bot:easy", "bot:medium"], bytes([WON]) * 32, play_briefly, {"standstill": "ends"}
    ),
}


def first_button(page: str) -> str:
    """Return the label of the first button or link after the head of a result."""
    (_, label), *_ = re.findall(r'<(button|a) class="button[^>]*>([^<]+)<', page.partition('class="result-head"')[2])
    return str(label)


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_a_rematch_is_offered_easier_after_a_last_place_and_harder_after_a_win(
    prepared: PreparedTables, language: str
) -> None:
    def label(*code: str, **values: str) -> str:
        return Words(language).say(template_after("web/templates/rematch_button.html", *code).fill(values))

    def next_level(bot: str) -> str:
        level = Words(language).say(template_after(MACROS, "macro level_name", f'"{bot}":').fill({}))
        return label("personal.next_level %}", level=level)

    easier, harder = label("{%- if step < 0 %}"), label("personal.next_level %}", "{%- else %}")
    with prepared.host() as host:
        prepared.speak(language)
        labels = {name: first_button(host.get(f"{address}/end").text) for name, address in prepared.addresses.items()}
        prepared.speak("en")
    offers = {
        "won": next_level("medium"),
        "won against a higher level": next_level("expert"),
        "won against two levels": harder,
        "last": easier,
    }
    rematch = labels["second"]
    assert labels == dict.fromkeys(LAYOUTS, rematch) | offers
    assert rematch not in offers.values()


def test_a_rematch_has_bots_one_level_weaker_or_stronger(prepared: PreparedTables) -> None:
    with prepared.host() as host:
        for name, step, kind in (("last", "easier", "beginner"), ("won", "harder", "medium")):
            path = prepared.addresses[name]
            page = host.get(f"{path}/end").text
            assert f'/rematch" name="bots" value="{step}">' in page
            assert host.submit(f"{path}/rematch", bots="much harder").status_code == 422
            address = host.submit(f"{path}/rematch", bots=step).headers["location"]
            assert opponents(host, address) == {kind}
            assert 'name="bots"' not in host.get(f"{path}/end").text, "there is a rematch now"
            assert opponents(host, host.submit("/new/paris-connection/now", bot="").headers["location"]) == {kind}
        address = host.submit(f"{prepared.addresses['second']}/rematch").headers["location"]
        assert opponents(host, address) == {"easy"}
