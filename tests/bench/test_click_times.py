"""Check `python -m bench.click_times`, which measures the time from a player's click to another player's page."""

from __future__ import annotations

import pytest
from bench.click_times import ClickTimes, measure_clicks

pytestmark = pytest.mark.tools


def test_click_times_are_reported_in_milliseconds() -> None:
    times = ClickTimes.of("here and there", [0.001 * n for n in range(200, 0, -1)])
    assert (times.clicks, times.median_ms, times.p99_ms, times.most_ms) == pytest.approx((200, 100.5, 199, 200))


@pytest.mark.parametrize("in_browsers", [False, pytest.param(True, marks=pytest.mark.browser)])
def test_click_times_are_measured_in_http_clients_and_browsers(in_browsers: bool) -> None:
    times = measure_clicks(3, browsers=in_browsers)
    assert times.clicks == 3
    assert 0 < times.median_ms <= times.p99_ms <= times.most_ms
    assert ("two Chromiums" if in_browsers else "no browsers") in times.between
