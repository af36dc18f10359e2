"""The check of browser features finds what is newer than our oldest browsers, unless it is asked for first."""

from __future__ import annotations

import importlib.util
import json
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.tools

SCRIPTS = Path(__file__).parent.parent / "scripts"


@pytest.fixture(scope="module")
def check() -> ModuleType:
    loader = SourceFileLoader("check_browsers", str(SCRIPTS / "check_browsers"))
    spec = importlib.util.spec_from_loader("check_browsers", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def known(check: ModuleType) -> dict[str, dict[str, str]]:
    read: dict[str, dict[str, str]] = json.loads(check.DATA.read_text("utf-8"))
    return read


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (".a { color: light-dark(red, {{ ink }}); }", ["function light-dark"]),
        (".a:has(.b) { color: red; }", ["selector has"]),
        ("@supports selector(:has(a)) { .a:has(.b) { color: red; } }", []),
        (".a { color: red; & .b { color: blue; } }", ["selector nesting"]),
        ("@media (scripting: enabled) and (max-width: 9rem) { .a { top: 0; } }", ["media scripting"]),
        (".a { float: inline-end; }", ["value float: inline-end"]),
        (".a { float: right; float: inline-end; }", []),
        (".a { top: 1lh; left: 1rem; color: #2d4b1c; /* light-dark() */ content: ':has(b)'; }", ["unit lh"]),
        (".a { margin: 1rem; } .b:is(.c, .d)::before { height: 100dvh; }", []),
    ],
)
def test_newer_features_of_a_style_sheet_are_found(
    check: ModuleType, known: dict[str, dict[str, str]], sheet: str, expected: list[str]
) -> None:
    assert list(check.style(sheet, known)) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("if (box.checkVisibility()) open();", ["member checkVisibility"]),
        ("if (box.checkVisibility?.() ?? true) open();", []),
        ("const signal = AbortSignal.any([one, other]);", ["static AbortSignal.any"]),
        ("await Promise.any([one, other]); rows.at(-1); rows.map(String); // Object.groupBy(rows)", []),
        (
            "const found = Object.groupBy(rows, kind), shown = new Highlight();",
            ["static Object.groupBy", "global Highlight"],
        ),
    ],
)
def test_newer_features_of_a_script_are_found(
    check: ModuleType, known: dict[str, dict[str, str]], script: str, expected: list[str]
) -> None:
    assert list(check.script(script, known)) == expected


def test_newer_attributes_of_a_template_are_found(check: ModuleType, known: dict[str, dict[str, str]]) -> None:
    template = '<div popover class="{{ look }}"><input type="text" inert title="popover"></div>'
    assert list(check.template(template, known)) == ["attribute popover"]
