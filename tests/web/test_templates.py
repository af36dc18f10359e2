"""Check the environment of all templates, which are compiled once and cached between starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from jinja2 import Environment
from structlog.testing import capture_logs

from spieltisch import game, tables
from spieltisch.core.words import LANGUAGES
from spieltisch.drawing import environment
from spieltisch.drawing.environment import TemplateCache
from spieltisch.tables import RecordedEvent, Table
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.http.sessions import NO_SHARE_ADDRESS
from spieltisch.web.pages import table_page
from spieltisch.web.pages.lobby import quick_opponents
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from tests.paths import ROOT
from tests.tables.harness import setup
from tests.web.golden_games import GOLDEN, golden_record


@contextmanager
def compiling() -> Iterator[Mock]:
    """Record the templates that are compiled."""
    with patch.object(Environment, "compile", autospec=True, side_effect=Environment.compile) as compiled:
        yield compiled


def pages(cache: Path | None = None) -> Renderer:
    return Renderer(Assets(), DrawnFiles(b"key"), cache=cache)


def table(key: str) -> Table:
    """Return a golden game in its middle."""
    record = golden_record(key)
    events = tables.import_record(record, game(key).components)
    written_events = [RecordedEvent(version, 1.0, event) for version, event in enumerate(events, 1)]
    return tables.fold("t", bytes.fromhex(record.secret or ""), written_events[: len(written_events) // 2], setup)


def page_html(renderer: Renderer, table: Table, language: str) -> str:
    """Return the page of a table with the parts that its game draws once."""
    html = table_page.fragment(renderer, table, Perspective(0, True), language, {}, NO_SHARE_ADDRESS, 0, 0)
    assert table.setup is not None
    return html + renderer.static_drawing(table.setup, language).icons + renderer.cover(table.game)


@pytest.mark.parametrize(
    ("seats", "bots", "players"),
    [(range(2, 3), "against 1 bot:", "<span>2 players"), (range(2, 6), "against 3 bots:", "<span>2 to 5 players")],
)
def test_a_lobby_card_lists_all_bots_of_the_new_game(
    seats: range, bots: str, players: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paris = game("paris-connection")
    monkeypatch.setattr(paris, "seats", seats)
    values = {"opponents": quick_opponents(paris), "level": "easy", "records": ()}
    html = pages().render_part("game_card.html", "en", paris, **values)
    assert bots in html
    assert players in html


def test_templates_are_compiled_once_and_cached_for_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with compiling() as compiled:
        monkeypatch.setattr(TemplateCache, "codes", {})
        pages(tmp_path).warm()
        assert compiled.call_count == len(list(tmp_path.glob("*/*.cache"))) > 150
        monkeypatch.setattr(TemplateCache, "codes", {})
        pages(tmp_path).warm()
        assert compiled.call_count == len(list(tmp_path.glob("*/*.cache")))


def test_after_the_start_pages_compile_no_template_and_do_not_affect_each_other(tmp_path: Path) -> None:
    golden, shared_pages = [table(key) for key in GOLDEN], pages(tmp_path)
    shared_pages.warm()
    with compiling() as compiled:
        alone = {
            (layout.opened.game, lang): page_html(shared_pages, layout, lang) for lang in LANGUAGES for layout in golden
        }
        assert compiled.call_count == 0
    for golden_layout in golden:
        for language in LANGUAGES:
            assert page_html(pages(tmp_path), golden_layout, language) == alone[golden_layout.opened.game, language]


def test_an_unwritable_folder_for_compiled_templates_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TemplateCache, "codes", {})
    root = tmp_path / "file"
    root.write_text("")
    with capture_logs() as log:
        pages(root).warm()
    assert [entry["event"] for entry in log] == ["compiled templates cannot be kept"]


@pytest.mark.parametrize("name", ["page.html", "icons.svg", "style.css"])
def test_templates_of_every_kind_escape_their_values(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{{ said }}")
    for cache in (tmp_path / "cache", tmp_path / "cache", None):
        env = environment(tmp_path, cache=cache)
        assert env.get_template(name).render(said="<b>&") == "&lt;b&gt;&amp;"


def test_colons_between_two_values_belong_to_a_translated_sentence() -> None:
    """French has a space before them, also in titles and accessible names."""
    templates = (file for file in (ROOT / "src" / "spieltisch").rglob("*.html") if "lab" not in file.parts)
    assert not [file.name for file in templates if re.search(r"[%}]}\n?: ?{[{%]", file.read_text("utf-8"))]


def test_a_template_includes_templates_of_the_same_folder_first(tmp_path: Path) -> None:
    for folder, content in ((tmp_path, "the house"), (tmp_path / "one", "one"), (tmp_path / "two", "two")):
        folder.mkdir(exist_ok=True)
        (folder / "part.html").write_text(f"{{% macro part() %}}{content}{{% endmacro %}}")
        (folder / "page.html").write_text(
            '{% from "part.html" import part %}{% from "drawing/icon_macros.html" import icon %}'
            '{{ part() }} {{ icon("x") }}'
        )
    env = environment(tmp_path, {"one": tmp_path / "one", "two": tmp_path / "two"})
    rendered = [env.get_template(name).render() for name in ("page.html", "one/page.html", "two/page.html")]
    assert [text.partition(" <svg")[0] for text in rendered] == ["the house", "one", "two"]
    assert all('href="#icon-x"' in text for text in rendered)
