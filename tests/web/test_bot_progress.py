"""That a bot thinks, and how far it is, is seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.web.conftest import SECONDS, Server, Visitor, let_in
from tests.web.faulty_bots import DREAMING

LINE = """() => {
  const [way] = document.getElementById('thinking').getAnimations();
  return way ? way.effect.getTiming().duration : null;
}"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("bot", "motion", "milliseconds"),
    [("master", "no-preference", 1300), ("engineer", "no-preference", 1000), ("master", "reduce", None)],
)
def test_how_far_a_bot_is(
    own_server: Callable[..., Server], chromium: Browser, bot: str, motion: str, milliseconds: float | None
) -> None:
    server = own_server(command=DREAMING)
    with Visitor(server) as host, chromium.new_context(reduced_motion=motion) as context:  # type: ignore[arg-type]  # a word of Playwright's
        path = host.table(*[f"bot:{bot}"] * 3)
        let_in(context, host)
        page = context.new_page()
        page.goto(server.address + path, timeout=SECONDS)
        assert page.evaluate(LINE) == milliseconds


def test_there_is_no_line_where_nobody_searches(server: Server) -> None:
    with Visitor(server) as host:
        assert 'id="thinking"' not in host.get(host.table("me", "bot:greedy", "bot:greedy")).text
