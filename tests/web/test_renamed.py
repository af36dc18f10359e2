"""Earlier addresses still lead to their pages, and forms of pages left open over an upgrade are still accepted."""

from __future__ import annotations

import pytest

from spieltisch.web.routes.renamed import RENAMED
from tests.web.conftest import Visitor


@pytest.mark.parametrize("earlier", RENAMED)
def test_a_page_is_found_at_its_earlier_address(ada: Visitor, earlier: str) -> None:
    fields = {"table_id": ada.table("me", "open", "open").rsplit("/", 1)[-1], "deal_id": "abc"}
    answer = ada.get(earlier.replace(":str", "").format(**fields) + "?me=0&x=%26")
    assert (answer.status_code, answer.headers["location"]) == (301, f"{RENAMED[earlier].format(**fields)}?me=0&x=%26")


def test_a_form_is_accepted_at_its_earlier_address(ada: Visitor) -> None:
    path = ada.table("me", "open", "open")
    assert ada.submit(f"{path}/words", room="table", text="from an old page").status_code == 303
    assert "from an old page" in ada.get(f"{path}/chat").text
