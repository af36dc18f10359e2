"""Check the script that finds browser features newer than the oldest supported browsers."""

from __future__ import annotations

import importlib.util
import json
from importlib.machinery import SourceFileLoader
from types import ModuleType

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.tools

SCRIPTS = ROOT / "scripts"


@pytest.fixture(scope="module")
def check() -> ModuleType:
    loader = SourceFileLoader("check_browsers", str(SCRIPTS / "check_browsers"))
    spec = importlib.util.spec_from_loader("check_browsers", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def known_features(check: ModuleType) -> dict[str, dict[str, str]]:
    known_features: dict[str, dict[str, str]] = json.loads(check.DATA.read_text("utf-8"))
    return known_features


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
def test_the_check_finds_features_of_newer_browsers_in_a_style_sheet(
    check: ModuleType, known_features: dict[str, dict[str, str]], sheet: str, expected: list[str]
) -> None:
    assert list(check.check_style_sheet(sheet, known_features)) == expected


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
def test_the_check_finds_features_of_newer_browsers_in_a_script(
    check: ModuleType, known_features: dict[str, dict[str, str]], script: str, expected: list[str]
) -> None:
    assert list(check.check_script(script, known_features)) == expected


def test_the_check_finds_attributes_of_newer_browsers_in_a_template(
    check: ModuleType, known_features: dict[str, dict[str, str]]
) -> None:
    template = '<div popover class="{{ look }}"><input type="text" inert title="popover"></div>'
    assert list(check.check_template(template, known_features)) == ["attribute popover"]
