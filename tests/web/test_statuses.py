"""Check the code of each refusal and its HTTP status."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

import spieltisch
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.statuses import status_of

SENT = {
    403: "withheld not-host not-invited not-your-seat turn signed-out",
    404: (
        "no-code no-components no-group no-link no-passkey no-person no-plan no-season no-table no-subscription "
        "no-message"
    ),
    409: (
        "already-asked already-seated final-move memory-game frozen logged-in no-advice "
        "no-advice-now no-advice-yet no-analysis-yet no-chat no-turn not-over not-running not-suspended seat-empty "
        "nothing-asked nothing-to-undo hot-seat already-in-duplicate over own-seat own-turn seat-taken stale "
        "bot-substitute too-many-analyses too-many-component-files too-many-passkeys too-many-plans too-many-seats "
        "too-many-groups too-many-tables too-many-subscriptions chat-full group-full too-many-seasons season-begun "
        "season-full too-few-players"
    ),
    422: (
        "address bot settings components condition game holiday illegal language name no-moves options pace passkey "
        "record room seat seats step tables theme too-many-moves unknown-move watch message zone"
    ),
    429: "too-many-codes too-many-confirmations",
    500: "damaged",
    503: "not-written",
}
"""The codes that programs know: each keeps its text and its status."""


def used_codes() -> Iterator[str]:
    """Return the names of the codes used by the program."""
    for file in Path(spieltisch.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "RefusalCode":
                yield node.attr


def test_refusal_codes_and_their_http_statuses_match_the_stored_list() -> None:
    status_by_code = {code: status for status, codes in SENT.items() for code in codes.split()}
    assert {code.value: int(status_of(code)) for code in RefusalCode} == status_by_code


def test_every_declared_refusal_code_is_used() -> None:
    assert set(used_codes()) == set(RefusalCode.__members__)


def test_a_refusal_code_cannot_be_defined_without_a_kind() -> None:
    with pytest.raises(TypeError, match="kind"):

        class Codes(StrEnum):
            __new__ = vars(RefusalCode)["_new_member_"]

            ODD = "odd"
