"""Check the progress line of a thinking bot on pages."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.sentences import sentence_after
from tests.tiers import first_alone
from tests.web.conftest import SECONDS, wait_for_true
from tests.web.faulty_bots import DREAMING, FLAG, PROMPTED
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

LINE = """() => {
  const [way] = document.getElementById('bot-progress').getAnimations();
  return way ? way.effect.getTiming().duration : null;
}"""

COVERED = """() => {
  const { x, y, width, height } = document.getElementById('bot-progress').parentElement.getBoundingClientRect();
  const [top] = document.elementsFromPoint(x + width / 2, y + height / 2);
  return height > 0 && ![top.id, top.className].some((name) => ['bot-progress'].includes(name));
}"""

NOTES = """
  window.lines = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    if (this.id === 'bot-progress') lines.push([document.getElementById('status').textContent, timing]);
    return animate.call(this, frames, timing);
  };
"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("bot", "motion", "milliseconds"),
    first_alone(
        ("expert", "no-preference", 1200),
        [("expert", "no-preference", 1200), ("medium", "no-preference", 1000), ("expert", "reduce", None)],
    ),
)
def test_the_progress_line_lasts_as_long_as_a_bot_thinks(
    own_server: Callable[..., Server], chromium: Browser, bot: str, motion: str, milliseconds: float | None
) -> None:
    server = own_server(command=DREAMING)
    with Visitor(server) as host, chromium.new_context(reduced_motion=motion) as context:  # type: ignore[arg-type]  # a word of Playwright's
        path = host.table(*[f"bot:{bot}"] * 3)
        let_in(context, host)
        page = context.new_page()
        page.goto(server.address + path, timeout=SECONDS)
        assert page.evaluate(LINE) == milliseconds


@pytest.mark.browser
def test_the_progress_line_starts_anew_for_each_of_three_bots(
    own_server: Callable[..., Server], chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "told"
    os.mkfifo(pipe)
    monkeypatch.setenv(FLAG, str(pipe))
    server = own_server(command=PROMPTED)
    with Visitor(server) as host, chromium.new_context(reduced_motion="no-preference") as context:
        path = host.table(*["bot:expert"] * 3)
        names = [seat["name"] for seat in host.state(path)["seats"]]
        let_in(context, host)
        page = context.new_page()
        page.add_init_script(NOTES)
        page.goto(server.address + path, timeout=SECONDS)
        wait_for_true(page, "() => lines.length === 1")
        for count in (2, 3):
            pipe.write_text("move")
            wait_for_true(page, "(count) => lines.length === count", count)
        lines = page.evaluate("lines")
    thinking = {
        sentence_after(
            "web/pages/table_page.py", "if table.undo_asked", "return message", "return message", player=name
        )
        for name in names
    }
    assert len(thinking) == 3
    assert {status for status, _ in lines} == thinking
    assert all(timing == 1200 for _, timing in lines), lines


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1366, 650), (390, 844)])
def test_the_progress_line_of_a_bot_is_not_covered(
    own_server: Callable[..., Server], chromium: Browser, size: tuple[int, int]
) -> None:
    """The question sticks above the line, and could cover it when the prompt scrolls."""
    server = own_server(command=DREAMING)
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    with Visitor(server) as host, chromium.new_context(viewport=viewport) as context:
        path = host.table("me", "bot:expert", "bot:expert")
        while host.state(path)["to_decide"] == 0:  # who begins is drawn
            path = host.table("me", "bot:expert", "bot:expert")
        let_in(context, host)
        page = context.new_page()
        page.goto(server.address + path, timeout=SECONDS)
        assert not page.evaluate(COVERED)


def test_bots_that_do_not_search_have_no_progress_line(server: Server) -> None:
    with Visitor(server) as host:
        assert 'id="bot-progress"' not in host.get(host.table("me", "bot:easy", "bot:easy")).text
