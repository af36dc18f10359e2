"""Check the environments in which templates are rendered."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from markupsafe import Markup

from spieltisch.core.words import Name, SeatName, Words, message
from spieltisch.drawing.environment import environment
from spieltisch.web.pages.template_words import TemplateWords


def test_a_template_is_compiled_only_once_for_all_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, compile_ = [], Environment.compile

    def note_template(self: Environment, source: str, *other_arguments: Any) -> Any:
        compiled.append(source)
        return compile_(self, source, *other_arguments)

    monkeypatch.setattr(Environment, "compile", note_template)

    def rendered(word: str) -> str:
        templates = environment(tmp_path)
        templates.globals["_"] = {"stone": word}.get
        return templates.get_template("board.html").render()

    (tmp_path / "board.html").write_text("{{ _('stone') }}")
    assert [rendered(word) for word in ("Stein", "steen", "pierre")] == ["Stein", "steen", "pierre"]
    assert len(compiled) == 1
    (tmp_path / "board.html").write_text("a {{ _('stone') }}")
    assert rendered("Stein") == "a Stein"


def test_a_cached_sentence_is_escaped_and_names_the_players_for_whom_it_is_rendered() -> None:
    words = TemplateWords(Words("en"), {}, OrderedDict(), names=("Ada", "Ben"))
    safe, typed = (message("Read {page}.", page=page) for page in (Markup("<b>this</b>"), "<b>this</b>"))
    for _ in range(2):
        assert words.say(safe) == "Read <b>this</b>."
        assert words.say(typed) == "Read &lt;b&gt;this&lt;/b&gt;."
        assert "Ada" in words.say(message("{player} passes.", player=SeatName(0)))
        assert "Cleo" in words.say(message("{player} passes.", player=SeatName(0)), ("Cleo", "Ben"))


def test_a_cached_sentence_has_the_icons_of_the_game_that_shows_the_sentence() -> None:
    ruby, cached_names = Name("Ruby"), OrderedDict[Any, Markup]()
    cached_words = [TemplateWords(Words("en"), {}, cached_names, marks={ruby: mark}) for mark in ("red", "blue")]
    for _ in range(2):
        assert ['"word red"' in words.say(message("{what} first.", what=ruby)) for words in cached_words] == [
            True,
            False,
        ]


def test_a_sentence_evicted_from_the_cache_by_another_thread_is_still_rendered() -> None:
    class TakenAtOnce(OrderedDict[Any, Markup]):
        def __setitem__(self, key: Any, value: Markup) -> None:
            super().__setitem__(key, value)
            self.pop(key)

    assert TemplateWords(Words("en"), {}, TakenAtOnce()).say(message("It rains.")) == "It rains."
