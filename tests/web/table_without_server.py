"""Show the page of a table in memory without a server, with its real templates, styles and scripts.

Requests that the page sends while the player chooses are answered here. Tables of one game follow one another on the
same page, as if a stream had sent them.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup
from playwright.sync_api import Page, Route, expect

from spieltisch import tables
from spieltisch.store import Person, Preferences
from spieltisch.tables import RecordedEvent, Table, turns
from spieltisch.web.app import FOLDERS
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS, Site, Visitor
from spieltisch.web.pages import table_page
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_tree import why_blocked
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState
from tests.web.prepared_tables import AT, Layout, table_of
from tests.web.script_page import SITE, ScriptPage

FED: Final = """
window.SharedWorker = class {
  constructor() {
    this.port = window.feed = { postMessage({ ping }) { if (ping) this.onmessage({ data: { pong: true } }); } };
  }
};
window.bring = async () => {
  const answer = await fetch('/table/t/state');
  window.feed.onmessage({ data: await answer.json() });
};
document.addEventListener('htmx:after:swap', ({ detail }) => {
  if (detail.ctx.target.id === 'notice') window.bring();
});
"""
"""Script of a page that gets its table after each answer, and not by a stream."""
ADA: Final = Person("ada", "Ada", "en", Preferences(animation_speed="still"), AT)


@cache
def renderer() -> Renderer:
    return Renderer(Assets(), DrawnFiles(), folders=FOLDERS)


class TableWithoutServer(ScriptPage):
    """The page of a table in memory.

    `asked` are the moves that the page has sent and that are shown to be confirmed; `played` are all other moves it has
    sent. `faults` are the errors of the page and of its requests. `language` is that of everything it shows.
    """

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        page.add_init_script(FED)
        self.faults: list[str] = []
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("crash", lambda crashed: crashed.close())
        self.table: Table | None = None
        self.language = "en"
        self._pages = renderer()

    def show(self, layout: Layout, language: str = "en") -> Page:
        """Show a table to the deciding player, in the page that shows this game in this language if there is one."""
        before = self.table if language == self.language else None
        self.language = language
        self.table = table_of(layout, "t", ADA, before.version + 1 if before else 1)
        assert self.table.to_decide is not None
        self.seat = Perspective(self.table.to_decide, is_host=False)
        self.asked: list[str] = []
        self.played: list[str] = []
        page = self.page
        if before and before.game == self.table.game:
            page.mouse.move(0, 0)
            page.evaluate("() => { document.activeElement.blur(); return window.bring(); }")
            expect(page.locator("#live-part")).to_have_attribute("data-version", str(self.table.version))
        else:
            self.open("/table/t")
        expect(page.locator("#choices .choice").first).to_be_visible()
        if page.locator("#map").count():
            expect(page.locator("#map-drawing .is-target").first).to_be_attached()
        return page

    def _answer(self, route: Route) -> None:
        try:
            body, kind = self._answer_to(route)
        except tables.TableRefusal as refusal:  # as where a preview is asked for that the table has left behind
            route.fulfill(status=409, body=refusal.code)
        except Exception as fault:  # it would end Playwright's loop, and all tests with it
            self.faults.append(repr(fault))
            route.abort()
        else:
            route.fulfill(body=body, content_type=kind)

    def _answer_to(self, route: Route) -> tuple[bytes, str]:
        address = urlsplit(route.request.url.removeprefix(SITE))
        _, folder, *subpath = address.path.split("/", 3)
        if folder == "static":
            file = self._pages.assets.read(*subpath)
            return file.content, file.media_type
        if folder == "drawn":
            file = self._pages.drawn.read(*subpath)
            return file.content, file.media_type
        if folder != "table":  # "/active", the manifest, and what else does not belong to the table
            return b'{"turns": 0}', "application/json"
        query, form = dict(parse_qsl(address.query)), dict(parse_qsl(route.request.post_data or ""))
        match subpath:
            case ["t"]:
                html = self._page()
            case ["t", "play"]:
                html = self._play(form["move"], int(query.get("confirmed", form["version"])), "confirmed" in query)
            case ["t", "preview"]:
                html = self._preview(query["move"])
            case ["t", "why"]:
                html = self._why(query.get("words", "").split(), query.get("place", ""))
            case ["t", "state"]:
                html = self._state()
            case _:
                raise ValueError(f"nothing answers {address.path}")
        return html.encode(), "text/html; charset=utf-8"

    def _now(self) -> tuple[Table, int]:
        assert self.table is not None
        assert self.seat.seat is not None
        return self.table, self.seat.seat

    def _live(self) -> str:
        return table_page.fragment(self._pages, self._now()[0], self.seat, self.language, {}, NO_SHARE_ADDRESS, 0, 0)

    def _state(self) -> str:
        table, _ = self._now()
        return json.dumps({"topic": topic(table, self.seat), "version": table.version, "html": self._live()})

    def _page(self) -> str:
        table, _ = self._now()
        assert table.setup is not None
        visitor = Visitor(Site(), ADA, "", False, self.language, "", SITE)
        chat = self._pages.render(
            "chat/section.html",
            self.language,
            visitor=visitor,
            perspective=self.seat,
            table=table,
            topic=f"chat:{topic(table, self.seat)}",
            rooms=["table"],
            greeting="",
            chat=TopicState(0, ""),
            is_newcomer=False,
            speakers=(),
        )
        return self._pages.render(
            "table.html",
            self.language,
            table.game,
            visitor=visitor,
            back="",
            once=self._pages.static_drawing(table.setup, self.language),
            table=table,
            live=Markup(self._live()),  # noqa: S704  # escaped where it was rendered
            perspective=self.seat,
            sections=[Markup(chat)],  # noqa: S704  # escaped where it was rendered
            tells_of_devices=True,
            announcement="",
        )

    def _play(self, move: str, version: int, is_confirmed: bool) -> str:
        """Play a move, or show its preview if it must be confirmed."""
        table, seat = self._now()
        preview = tables.preview_to_confirm(table, table.seats[seat].person, move, version)
        if preview is None or is_confirmed:
            self.played.append(move)
            event = tables.move_event(table, seat, move)
            self.table = tables.apply(table, [RecordedEvent(table.version + 1, AT, event)])
            return self._pages.render("empty_notice.html", self.language)
        self.asked.append(move)
        effects = table_page.move_effects(self._pages, table, move, preview)
        return self._pages.render(
            "move_preview.html", self.language, table.game, table.names, seen=version, me="", **effects
        )

    def _preview(self, move: str) -> str:
        table, seat = self._now()
        observation = tables.observation_after(table, seat, move)
        if observation is None:
            return ""
        words, last_moves = self._pages.words(self.language, table.game), turns.last_moves(table, seat)
        boards: dict[str, Any] = render_boards(
            self._pages, table.game, table.names, observation, words, last_moves, ended=False
        )
        return self._pages.render("preview_boards.html", self.language, **boards)

    def _why(self, words: list[str], place: str) -> str:
        table, seat = self._now()
        refusals = [(refusal.rule, refusal.message) for refusal in why_blocked(table, seat, words, place)]
        return self._pages.render(
            "refusal.html", self.language, table.game, table.names, refusals=refusals, rules_page=""
        )
