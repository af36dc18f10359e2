"""Check that an open page reloads after an upgrade or a restore unless typed text would be lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.forked import run
from tests.web.conftest import Person
from tests.web.servers import SERVE, Server
from tests.web.visitors import Visitor, let_in

BUILD = "() => document.documentElement.dataset.serverBuild"
OTHER = "() => { document.documentElement.dataset.serverBuild = 'earlier'; dispatchEvent(new Event('online')); }"
"""Make the page one of another build and reopen its stream, as after the restart of an upgrade."""


def test_a_page_of_another_build_reloads_unless_text_has_been_typed(
    open_page: Person, server: Server, ada: Visitor
) -> None:
    page = open_page()
    path = ada.table("me", "open", "open")
    let_in(page.context, ada)
    page.goto(f"{server.address}{path}")
    build = page.evaluate(BUILD)
    assert build
    with page.expect_navigation():
        page.evaluate(OTHER)
    expect(page.locator("html")).to_have_attribute("data-server-build", build)
    field = page.locator("#message-form input[name=text]")
    field.fill("half a sentence")
    with page.expect_response(lambda response: "/stream" in response.url or "/health" in response.url):
        page.evaluate(OTHER)
    expect(field).to_have_value("half a sentence")
    assert page.evaluate(BUILD) == "earlier"
    field.fill("")
    with page.expect_navigation():
        field.blur()
    expect(page.locator("html")).to_have_attribute("data-server-build", build)


def test_pages_left_open_while_an_older_backup_is_restored_show_its_state(
    chromium: Browser, own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server()
    port, backup = server.address.rpartition(":")[2], tmp_path / "monday.backup"
    with Visitor(server) as ada, closing(chromium.new_context()) as context:
        path = ada.table("me", "open", "open")
        assert run(SERVE[0], "backup", backup, "--data", server.data).returncode == 0
        before = ada.state(path)["version"]
        let_in(context, ada)
        tabs = [context.new_page() for _ in range(2)]  # which share a stream
        for tab in tabs:
            tab.goto(server.address + path)
        with Visitor(server) as grace:
            assert grace.sit(path, "Grace").status_code == 303
        for tab in tabs:
            expect(tab.locator("#live-part")).to_have_attribute("data-version", str(before + 1))
        field = tabs[1].locator("#message-form input[name=text]")
        field.fill("half a sentence")
        assert server.stop() == 0
        shutil.rmtree(server.data)
        assert run(SERVE[0], "restore", backup, "--data", server.data).returncode == 0
        replacing_server = own_server("--port", port)
        expect(tabs[0].locator("#live-part")).to_have_attribute("data-version", str(before))
        with Visitor(replacing_server) as mary:
            assert mary.sit(path, "Mary").status_code == 303
        expect(tabs[0].locator("#live-part")).to_contain_text("Mary")
        field.fill("")
        field.blur()
        for tab in tabs:
            expect(tab.locator("#live-part")).to_contain_text("Mary")
            expect(tab.locator("#live-part")).not_to_contain_text("Grace")
        assert replacing_server.stop() == 0
