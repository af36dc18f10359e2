"""Check that `scripts/measure_code` counts roles of files, import cycles, and equal lines in two games."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.tools

SCRIPT = ROOT / "scripts" / "measure_code"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = spec_from_loader("measure", SourceFileLoader("measure", str(SCRIPT)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.path.append(str(SCRIPT.parent))  # as when it runs
    sys.modules["measure"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("rules.py", "rules"),
        ("rules/market.py", "rules"),
        ("component_file.py", "data"),
        ("drawing/map.py", "drawing"),
        ("state.py", "other"),
        ("__init__.py", "other"),
        ("words/rules.py", "other"),
    ],
)
def test_the_role_of_a_file_depends_on_its_path(script: Any, path: str, role: str) -> None:
    assert script.role_of(path) == role


def test_docstrings_comments_and_blank_lines_are_not_counted_as_code(script: Any) -> None:
    text = '''"""A module."""

# a reason
x = """one
two"""  # as long as it is
"""The constant."""


def f(
    y,
):
    """Return it.

    Two paragraphs.
    """

    return y
'''
    assert script.code_lines(text) == {4, 5, 9, 10, 11, 17}


def test_import_cycles_are_distinguished_by_the_time_of_import(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "spieltisch" / "core"
    home.mkdir(parents=True)
    (tmp_path / "spieltisch" / "__init__.py").write_text("from spieltisch.core import a\n")
    (home / "__init__.py").touch()
    (home / "a.py").write_text("import spieltisch.core.b\nclass A:\n    from . import c\n")
    (home / "b.py").write_text("def f():\n    from spieltisch.core.a import A\n")
    (home / "c.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from spieltisch.core import b\n"
    )
    monkeypatch.setattr(script, "SOURCE", tmp_path)
    a, b, c = (f"spieltisch.core.{name}" for name in "abc")
    assert script.import_graph("at_once") == {
        "spieltisch": {a},
        "spieltisch.core": set(),
        a: {b, c},
        b: set(),
        c: set(),
    }
    assert script.find_import_cycles(script.import_graph("at_once")) == []
    assert script.find_import_cycles(script.import_graph("at_once", "later")) == [[a, b]]
    assert script.find_import_cycles(script.import_graph("at_once", "later", "types")) == [[a, b, c]]


def test_import_cycles_joined_by_one_way_imports_are_counted_separately(script: Any) -> None:
    edges = {"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c"}, "f": {"a"}}
    assert script.find_import_cycles(edges) == [["c", "d", "e"], ["a", "b"]]


def test_equal_lines_are_found_despite_comments_and_imports_between_them(script: Any, tmp_path: Path) -> None:
    equal_lines = [f"x{n} = {n}" for n in range(10)]
    texts = {
        "one/a.py": ["import os", "y = 1", *equal_lines],
        "two/b.py": [
            "z = 2",
            *equal_lines[:4],
            "",
            "# a reason",
            "import sys",
            *(f"{line}  # why" for line in equal_lines[4:]),
            "w = 3",
        ],
        "two/c.py": equal_lines[:7],
        "one/d.py": equal_lines,
    }
    for name, lines in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    runs = script.equal_runs([tmp_path / "one", tmp_path / "two"])
    assert [tuple(run) for run in runs] == [(10, "one/a.py:3", "two/b.py:2"), (10, "one/d.py:1", "two/b.py:2")]


def test_exceeded_code_limits_end_with_an_error(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = subprocess.run([SCRIPT, "--json"], capture_output=True, text=True, timeout=60, check=True)
    output = json.loads(result.stdout)
    for role_counts in output["by_role"].values():
        assert sum(role_counts.values()) == 2 * role_counts["all"]
    assert (output.pop("ok"), output.pop("faults")) == (True, [])
    numbers = output.pop("figures")
    assert (
        numbers["src"]
        > numbers["games"]
        > sum(role_counts["all"] for role_counts in output["by_role"].values())
        > 1_000
    )

    def check(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["measure", *words])
        return int(script.main())

    monkeypatch.setattr(script, "measure", lambda: output)
    max_number = numbers["cycles"]
    assert check("--check", f"cycles={max_number}") == 0
    capsys.readouterr()
    assert check("--check", f"cycles={max_number - 1}", "src=1000000", "--json") == 1
    assert [fault.partition(":")[0] for fault in json.loads(capsys.readouterr().out)["faults"]] == ["cycles"]
    monkeypatch.setattr(script, "AIMS", {name: aim._replace(most=0) for name, aim in script.AIMS.items()})
    assert check("--check") == 1
    assert capsys.readouterr().err.startswith("games: ")
    with pytest.raises(SystemExit):
        check("--check", "weight")
