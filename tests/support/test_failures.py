"""Check the messages of failed tests."""

from __future__ import annotations

import pytest

from spieltisch.core.words import message
from spieltisch.tables import TableRefusal
from spieltisch.tables.refusal_codes import RefusalCode
from tests.conftest import pytest_assertrepr_compare
from tests.tables.harness import refused

pytestmark = pytest.mark.tools
PAGE = "<p>" + "x " * 1000 + '<a href="/table/one">One</a>' + " y" * 1000


def test_a_failed_search_in_a_long_page_shows_the_most_similar_place() -> None:
    explanation = pytest_assertrepr_compare("in", 'href="/table/two"', PAGE)
    assert explanation is not None
    assert explanation[0].startswith("'href=\"/table/two\"' in a text of 40")
    assert explanation[1].startswith("13 of its 17 stand in ")
    assert 'x <a href="/table/one">One</a> y' in explanation[1]
    assert len(explanation[1]) < 300


def test_unexpected_text_on_a_page_is_shown_with_its_surroundings() -> None:
    explanation = pytest_assertrepr_compare("not in", "/table/one", PAGE)
    assert explanation is not None
    assert explanation[1].startswith("10 of its 10 stand in ")
    assert pytest_assertrepr_compare("in", "none", "a short text") is None


def test_a_failed_check_for_a_refusal_shows_both_codes() -> None:
    expected = refused("not-host", "R1")
    assert not expected.matches(TableRefusal(RefusalCode.TURN, message("Not your turn."), "R1"))
    assert "not-host" in (expected.fail_reason or "")
    assert "turn: Not your turn." in (expected.fail_reason or "")
    with pytest.raises(AssertionError, match="assert 'R2' == 'R1'"):
        expected.matches(TableRefusal(RefusalCode.NOT_HOST, message("Not the host."), "R2"))
