"""Check the script that slides the cards of a row to their new places."""

from __future__ import annotations

import pytest

from tests.web.script_page import ScriptPage

ROW = """<!doctype html><html lang="en"><title>Row</title>
<style>article {{ width: 80px; height: 120px; display: inline-block; }}</style>
<div id="panel"><section id="row" {}>{}</section></div></html>"""
TAKE_FIRST = """async () => {
  const { slideCards } = await import('/static/js/piece-animation.js');
  const slide = slideCards();
  document.querySelector('#row article').remove();
  slide();
  return document.getAnimations().map(({ effect }) => effect.target.id);
}"""
"""Take the first card away; answer which cards slide."""


@pytest.mark.browser
@pytest.mark.parametrize(("is_folded", "sliding"), [("", ["card-2", "card-3"]), ("hidden", [])])
def test_cards_slide_to_their_new_places_unless_the_row_is_collapsed(
    script_page: ScriptPage, is_folded: str, sliding: list[str]
) -> None:
    cards = "".join(f'<article id="card-{n}" data-slide-stage="1"></article>' for n in (1, 2, 3))
    script_page.document = lambda request: ROW.format(is_folded, cards)
    assert script_page.open().evaluate(TAKE_FIRST) == sliding
