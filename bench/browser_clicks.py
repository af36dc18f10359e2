"""Two people at a table in two Chromiums, driven by Playwright (a developers' tool; people do not need it)."""

from __future__ import annotations

import random
import shutil
from collections.abc import Generator

from playwright.sync_api import Error, Page, expect, sync_playwright

from bench.local_server import GAME, SEATS, TIMEOUT_SECONDS, ClickError

WHAT_IS_TIMED = "from a player's click to the other player's page having the new board; two Chromiums on this machine"
"""The start and the end of what is timed."""
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update"]
"""The arguments of Chromium."""

# Both pages report the time of day in milliseconds with fractions, which is comparable on one machine. Animations are
# off, because the time until a move can be shown is measured.
WATCH = """
const now = () => performance.timeOrigin + performance.now();
window.clicked = 0;
window.shown = {};
document.addEventListener('click', () => { window.clicked = now(); }, true);
const look = () => {
  const live = document.getElementById('live-part');
  if (live) window.shown[live.dataset.version] ??= now();
};
document.addEventListener('DOMContentLoaded', () => { document.documentElement.dataset.pace = 'still'; });
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
"""
LATER = """(version) => {
  const later = Object.entries(window.shown).filter(([known]) => Number(known) > version);
  return later.length ? Math.min(...later.map(([, at]) => at)) : null;
}"""


def time_clicks(address: str) -> Generator[float, None, None]:
    """Yield the seconds of one click after the other, at one table after the other, endlessly."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        raise ClickError("there is no Chromium on this machine")
    rng = random.Random(1889)
    with sync_playwright() as playwright:
        browsers = [playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGUMENTS) for _ in range(2)]
        try:
            while True:
                pages = [browser.new_page() for browser in browsers]
                for page in pages:
                    page.set_default_timeout(1000 * TIMEOUT_SECONDS)
                    page.add_init_script(WATCH)
                yield from _table(address, pages, rng)
                for page in pages:
                    page.close()
        except Error as error:
            raise ClickError(f"a page did not do what was expected: {error}") from error
        finally:
            for browser in browsers:
                browser.close()


def _table(address: str, pages: list[Page], rng: random.Random) -> Generator[float, None, None]:
    host, guest = pages
    host.goto(f"{address}/new/{GAME}")
    host.fill("#name", "Ada")
    host.click("#table-options > summary")
    for number, kind in enumerate(SEATS):
        host.select_option(f"#seat-{number}", kind)
    host.locator("form.form .primary").click()
    host.wait_for_url("**/table/*")
    guest.goto(f"{address}{host.locator('#seat-links .invite a').first.get_attribute('href')}")
    guest.fill("#name", "Grace")
    guest.locator("form.form .primary").click()
    guest.wait_for_url("**/table/*")
    while True:
        for page in pages:
            page.wait_for_selector(
                "#choices, #live-part.status-finished, #live-part[data-page-title]:not(:has(#choices))"
            )
        if host.locator("#live-part.status-finished").count():
            return
        acting = next((page for page in pages if page.locator("#choices .choice:not(.blocked-choice)").count()), None)
        if acting is None:
            host.wait_for_timeout(20)
            continue
        other = guest if acting is host else host
        version = _decide(acting, rng)
        arrived = other.wait_for_function(LATER, arg=version).json_value()
        yield (arrived - acting.evaluate("window.clicked")) / 1000


def _decide(page: Page, rng: random.Random) -> int:
    """Make one move, token by token, and confirm it if asked; return the version at which it was made."""
    version = int(page.locator("#live-part").get_attribute("data-version") or 0)
    while True:
        choices = page.locator("#choices .choice:not(.blocked-choice)")
        chosen = choices.nth(rng.randrange(choices.count()))
        is_final = "final-choice" in (chosen.get_attribute("class") or "").split()
        chosen.click()
        if is_final:
            break
    confirm = page.locator("#confirm-button")
    moved = page.locator(f'#live-part:not([data-version="{version}"])')
    expect(confirm.or_(moved).first).to_be_attached(timeout=1000 * TIMEOUT_SECONDS)
    if confirm.count():
        confirm.click()
    expect(moved).to_be_attached(timeout=1000 * TIMEOUT_SECONDS)
    return version
