"""Bots have one ladder of levels: the same names in the same order wherever they are chosen, and in the docs."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from spieltisch import bots
from spieltisch.commands import LEVELS_HELP
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES
from spieltisch.games import game_modules
from tests.tiers import first_alone
from tests.web.conftest import Laid, Server, Visitor
from tests.web.prepared_tables import Layout

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"


def test_the_documented_ladder_has_all_bots_from_weak_to_strong() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)[: len(bots.BOTS)]) == bots.BOTS


def test_the_command_line_names_the_same_levels() -> None:
    assert f"From weak to strong: {', '.join(bots.BOTS)}." == LEVELS_HELP


def test_the_lobby_and_the_forms_offer_the_same_levels(server: Server) -> None:
    with Visitor(server) as visitor:
        lobby, form = (visitor.get(path).text for path in ("/", "/new/paris-connection"))
    offered = re.findall(r'name="bot" value="(\w+)"[^>]*><span>([^<]*)</span>', lobby)
    assert offered == [(bot, bot.capitalize()) for bot in bots.BOTS if bot != "random"]
    named = [(bot, f"{bot.capitalize()} bot") for bot in bots.BOTS]
    select = form[form.index('id="up_bot"') : form.index("</select>", form.index('id="up_bot"'))]
    assert re.findall(r'<option value="(\w+)"[^>]*>([^<]*)<', select) == named
    for seat in re.findall(r'<select id="seat-\d+".*?</select>', form, re.DOTALL):
        assert re.findall(r'<option value="bot:(\w+)"[^>]*>([^<]*)<', seat) == named


# --- Which level a game is played at. ---


def checked_level(visitor: Visitor) -> str:
    """Return the level that the lobby has chosen; "" for that of the last game of each kind."""
    (level,) = re.findall(r'name="bot" value="([^"]*)" form="quick" checked', visitor.get("/").text)
    return str(level)


def last_levels(visitor: Visitor) -> list[str]:
    """Return the levels in the lobby's cards of the games."""
    return re.findall(r'last-level">Bot level: (\w+)<', visitor.get("/").text)


def opponents(visitor: Visitor, path: str) -> set[str]:
    return {seat["bot"] for seat in visitor.state(path)["seats"] if seat["kind"] == "bot"}


def test_a_first_game_is_at_the_beginners_level_and_a_later_one_at_that_of_the_last(server: Server) -> None:
    paris, era = "paris-connection", "era-of-inventions"
    with Visitor(server) as visitor:
        assert checked_level(visitor) == bots.BEGINNER
        assert last_levels(visitor) == ["Beginner"] * len(game_modules())
        assert opponents(visitor, visitor.submit(f"/new/{era}/now").headers["location"]) == {bots.BEGINNER}
        chosen = visitor.submit(f"/new/{paris}/now", bot="medium").headers["location"]
        assert opponents(visitor, chosen) == {"medium"}
        assert checked_level(visitor) == ""
        assert sorted(last_levels(visitor)) == ["Beginner", "Beginner", "Medium"]
        for game, level in ((paris, "Medium"), (era, "Beginner")):
            assert f"Bot level: {level}" in visitor.get(f"/games/{game}/rules").text
        assert opponents(visitor, visitor.submit(f"/new/{paris}/now", bot="").headers["location"]) == {"medium"}
        visitor.table("me", "bot:easy", "bot:expert", name="")
        assert opponents(visitor, visitor.submit(f"/new/{paris}/now", bot="").headers["location"]) == {"easy"}
        assert opponents(visitor, visitor.submit(f"/new/{era}/now", bot="").headers["location"]) == {bots.BEGINNER}
        visitor.cookies.set(f"level-{paris}", "deep-thought")
        assert opponents(visitor, visitor.submit(f"/new/{paris}/now", bot="").headers["location"]) == {bots.BEGINNER}


def shortly(position: Position) -> str | None:
    """Play at random for a while; then only one-for-one trades, which end the game."""
    if position.is_over:
        return None
    moves = [move.text for move in position.legal_moves]
    trades = [move for move in moves if move.startswith("trade") and " for 1 " in move]
    return random.Random(position.number).choice(trades if position.number > 20 and trades else moves)


def opposed(bot: str, deal: int, pick: Callable[[Position], str | None] = shortly) -> Layout:
    return Layout("paris-connection", [f"bot:{bot}"] * 2, bytes([deal]) * 32, pick, {"standstill": "ends"})


PEOPLE = ("Ada",)
WON, LAST, SECOND = (14, 15), 6, 5
"""Deals in which the first player wins, is last, and is second."""
LAID = {
    "won": opposed("easy", WON[0]),
    "won again": opposed("easy", WON[1]),
    "second": opposed("easy", SECOND),
    "last": opposed("easy", LAST),
    "won after it": opposed("easy", WON[0]),
    "won against others": opposed("hard", WON[0]),
    "last of beginners": opposed("beginner", LAST),
    "won the top": opposed("expert", WON[0]),
    "won the top again": opposed("expert", WON[1]),
}
BUTTONS = {
    "en": ("Play again, easier", "Play again, harder"),
    "de": ("Noch einmal, leichter", "Noch einmal, schwerer"),
    "fr": ("Rejouer, plus facile", "Rejouer, plus difficile"),
    "nl": ("Nog een keer, makkelijker", "Nog een keer, moeilijker"),
}


def first_button(page: str) -> str:
    """Return what the first button of a result says."""
    (_, label), *_ = re.findall(r'<(button|a) class="button[^>]*>([^<]+)<', page.partition('class="verdict"')[2])
    return str(label)


@pytest.mark.parametrize("language", first_alone("de", LANGUAGES))
def test_after_a_last_place_it_gets_easier_and_after_two_wins_harder(laid: Laid, language: str) -> None:
    easier, harder = BUTTONS[language]
    with laid.host() as host:
        laid.speak(language)
        labels = {name: first_button(host.get(f"{address}/end").text) for name, address in laid.addresses.items()}
        laid.speak("en")
    again = labels["won"]
    assert labels == dict.fromkeys(LAID, again) | {"won again": harder, "last": easier}
    assert again not in (easier, harder)


def test_a_rematch_is_a_step_easier_or_harder(laid: Laid) -> None:
    with laid.host() as host:
        for name, step, kind in (("last", "easier", "beginner"), ("won again", "harder", "medium")):
            path = laid.addresses[name]
            page = host.get(f"{path}/end").text
            assert f'/rematch" name="bots" value="{step}">' in page
            assert host.submit(f"{path}/rematch", bots="much harder").status_code == 422
            address = host.submit(f"{path}/rematch", bots=step).headers["location"]
            assert opponents(host, address) == {kind}
            assert 'name="bots"' not in host.get(f"{path}/end").text, "there is a rematch now"
            assert opponents(host, host.submit("/new/paris-connection/now", bot="").headers["location"]) == {kind}
        address = host.submit(f"{laid.addresses['second']}/rematch").headers["location"]
        assert opponents(host, address) == {"easy"}
