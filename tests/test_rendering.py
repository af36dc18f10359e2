"""The environments in which templates are rendered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from spieltisch.drawing.environment import environment


def test_a_template_is_compiled_once_for_all_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, compile_ = [], Environment.compile

    def noted(self: Environment, source: str, *rest: Any) -> Any:
        compiled.append(source)
        return compile_(self, source, *rest)

    monkeypatch.setattr(Environment, "compile", noted)

    def rendered(word: str) -> str:
        templates = environment(tmp_path)
        templates.globals["_"] = {"stone": word}.get
        return templates.get_template("board.html").render()

    (tmp_path / "board.html").write_text("{{ _('stone') }}")
    assert [rendered(word) for word in ("Stein", "steen", "pierre")] == ["Stein", "steen", "pierre"]
    assert len(compiled) == 1
    (tmp_path / "board.html").write_text("a {{ _('stone') }}")
    assert rendered("Stein") == "a Stein"
