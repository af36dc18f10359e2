"""Codes for another device: wrong codes count against the sender, by a monotonic clock."""

from __future__ import annotations

import time

import pytest

from spieltisch.live.device_codes import GUESSES_OF_ADDRESS, GUESSES_OF_VISITOR, VALID_SECONDS, Code, DeviceCodes
from spieltisch.tables import TableRefusal


def person_of(code: Code | None) -> str | None:
    return None if code is None else code.person


def test_wrong_codes_count_for_the_visitor_who_sends_them() -> None:
    now = 100.0
    codes = DeviceCodes(lambda: now)
    code = codes.issue("ada", "session").text
    for _ in range(GUESSES_OF_VISITOR):
        assert codes.redeem("wrong", visitor="eve", address="home") is None
    with pytest.raises(TableRefusal, match="Too many wrong codes"):
        codes.redeem(code, visitor="eve", address="elsewhere")
    assert person_of(codes.redeem(code, visitor="ada's telephone", address="home")) == "ada"
    now += VALID_SECONDS
    assert codes.redeem("wrong", visitor="eve", address="home") is None


def test_wrong_codes_count_for_the_address_that_they_come_from() -> None:
    codes = DeviceCodes(lambda: 100.0)
    code = codes.issue("ada", "session").text
    for number in range(GUESSES_OF_ADDRESS):
        assert codes.redeem("wrong", visitor=f"eve {number}", address="192.0.2.1") is None
    with pytest.raises(TableRefusal):
        codes.redeem(code, visitor="eve", address="192.0.2.1")
    assert person_of(codes.redeem(code, visitor="ada's telephone", address="192.0.2.2")) == "ada"


def test_nobody_sets_the_clock_of_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = DeviceCodes()
    code = codes.issue("ada", "session").text
    monkeypatch.setattr(time, "time", lambda: 4e9)
    assert person_of(codes.redeem(code, visitor="", address="")) == "ada"
