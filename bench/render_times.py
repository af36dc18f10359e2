"""The time that a page takes to render the choices after a click on the board, and a pushed state.

    python -m bench.render_times era-of-inventions --repeats 40

Prepares the game's late tables on its own server and opens them in Chromium at 1440 by 900 without animations. A click
counts from the pointer's event, a push from the arrival of the EventSource's message, each to the second frame after
the page shows it; a screen may have it one frame earlier. The page is idle before a click, as it is for a person: it
has been rendered, including what the pointer highlights at its place. For a click, Chromium itself reports when it was
next painted (Event Timing: the basis of "interaction to next paint", in steps of 8 ms). Prints the median of each, the
limit for 19 of 20, and the load of the machine. In a game with hidden information pushes are measured for a spectator:
on a shared device the page goes to the handoff screen when the next player decides.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

import spieltisch
from bench.click_times import percentile
from tests.browsers import launch
from tests.web.layout_checks import DESK
from tests.web.prepared_tables import NAMES, prepare_tables
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in

CLICKS = 6
"""The number of moves that are pushed at a table at most, so that it stays late in the game."""

TIMING_SCRIPT = """(() => {
  delete window.SharedWorker;
  const frames = (done) => requestAnimationFrame(() => requestAnimationFrame(done));
  const until = (shown, then) => (shown() ? frames(then) : requestAnimationFrame(() => until(shown, then)));
  const version = () => Number(document.getElementById("live-part")?.dataset.version);
  const add = EventTarget.prototype.addEventListener;
  window.drawn = {};
  window.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given);
      for (const kind of ["state", "change"]) add.call(this, kind, () => {
        const [began, had] = [performance.now(), version()];
        if (had) until(() => version() > had, () => { window.drawn.push = performance.now() - began; });
      });
    }
  };
  new PerformanceObserver((list) => {
    for (const one of list.getEntriesByName("click")) window.drawn.paint = one.duration;
  }).observe({ type: "event", durationThreshold: 16 });
  add.call(window, "click", (event) => {
    const began = event.timeStamp;
    until(() => document.querySelector(".is-chosen"), () => { window.drawn.click = performance.now() - began; });
  }, true);
})()"""
"""A script that notes how many milliseconds the last click and the last push took.

A message of a worker would arrive a moment later than the stream's own, so each page has its own connection here, as on
phones.
"""

PLACES_SCRIPT = """() => [...document.querySelectorAll("#panel .is-target, #map-drawing .is-target")].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}).filter(([x, y]) => document.elementFromPoint(x, y)?.closest(".is-target"))"""
"""A script that returns the positions on the screen that can be chosen."""

SETTLE_SCRIPT = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let [quiet, before] = [0, await frame()]; quiet < 10; ) {
    const now = await frame();
    [quiet, before] = [now - before < 25 ? quiet + 1 : 0, now];
  }
}"""
"""A script that waits until ten frames in a row have come in time."""


def read_time(page: Page, what: str) -> float:
    """Return the milliseconds that the page has noted, once it has."""
    noting = "async (what) => { while (!drawn[what]) await new Promise(requestAnimationFrame); return drawn[what]; }"
    return float(page.evaluate(noting, what))


def open_page(page: Page, address: str, shown: str = "#choices .choice") -> None:
    """Open a page, past the handoff screen, without animations."""
    page.goto(address)
    if page.locator("#handoff-screen").count():
        page.locator("#handoff-screen .primary").click()
    page.locator(shown).first.wait_for()
    page.evaluate("document.documentElement.dataset.pace = 'still'; document.fonts.ready.then(() => null)")


def time_clicks(page: Page, addresses: list[str], repeats: int) -> Iterator[tuple[float, float]]:
    """Yield when each click was painted, and when it was certainly visible.

    Each one is on a page that was opened again and is idle; the chosen move is not played.
    """
    page.route("**/play", lambda route: route.fulfill(status=204))
    for number in range(repeats):
        open_page(page, addresses[number % len(addresses)])
        places = page.evaluate(PLACES_SCRIPT)
        page.evaluate(SETTLE_SCRIPT)
        page.mouse.move(*places[number * 7 % len(places)])
        page.evaluate(SETTLE_SCRIPT)
        page.evaluate("delete drawn.click; delete drawn.paint")
        page.mouse.down()
        page.mouse.up()
        seen = read_time(page, "click")
        yield read_time(page, "paint"), seen
    page.close()


def time_pushes(page: Page, host: Visitor, addresses: list[str]) -> Iterator[float]:
    """Yield the time of each push: some random moves at each table, played by another page of the same person."""
    rng = random.Random(1)
    for address in addresses:
        open_page(page, address, "#live-part")
        path = address.removeprefix(str(host.base_url).rstrip("/"))
        for _ in range(CLICKS):
            seat = host.state(path)["to_decide"]
            if seat is None:
                break
            me = str(seat and seat + 1)
            state = host.state(f"{path}?me={me}")
            page.evaluate("delete drawn.push")
            move = {"me": me, "move": rng.choice(state["moves"]), "version": str(state["version"])}
            fields = {"token": host.token(), **move}
            response = host.post(f"{path}/play", data=fields, headers={"Accept": "application/json"})
            assert response.status_code == 200, response.text
            yield read_time(page, "push")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--repeats", type=int, default=40)
    arguments = parser.parse_args()
    screens = importlib.import_module(f"tests.games.{arguments.game.replace('-', '_')}.web.test_screens")
    late = [name for name in screens.TestScreens.desk if not name.endswith(("start", "over"))]
    tables = max(len(late), arguments.repeats // CLICKS + 2)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        session, paths = prepare_tables(
            Path(folder), NAMES[0], *(screens.LAYOUTS[name] for name in islice(cycle(late), tables))
        )
        server = Server(Path(folder))
        try:
            with Visitor(server) as host, Visitor(server) as other:
                host.cookies.set("session", session)
                for visitor in (host, other):
                    visitor.submit("/preferences", language="en")
                browser = launch(playwright.chromium, is_full_browser=True)
                mine, stranger = browser.new_context(viewport=DESK), browser.new_context(viewport=DESK)
                let_in(mine, host)
                let_in(stranger, other)
                for context in (mine, stranger):
                    context.add_init_script(TIMING_SCRIPT)
                addresses = [server.address + path for path in paths]
                watching = (stranger if spieltisch.game(arguments.game).has_hidden_information else mine).new_page()
                painted, seen = zip(*time_clicks(mine.new_page(), addresses, arguments.repeats), strict=True)
                for what, times in (
                    ("a click is painted in", painted),
                    ("a click is certainly seen in", seen),
                    ("a push is certainly seen in", list(time_pushes(watching, host, addresses))),
                ):
                    print(
                        f"{arguments.game}: {what} {median(times):.0f} ms, 19 of 20 in {percentile(times, 0.95):.0f} ms"
                    )
                print(f"on {os.cpu_count()} processors, with a load of {os.getloadavg()[0]:.1f}")
                browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
