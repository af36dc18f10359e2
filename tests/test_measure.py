"""`scripts/measure_code` counts right: what a file is for, circles of imports, equal lines in two games."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.tools

SCRIPT = Path(__file__).parent.parent / "scripts" / "measure_code"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = spec_from_loader("measure", SourceFileLoader("measure", str(SCRIPT)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
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
        ("state.py", "beyond"),
        ("__init__.py", "beyond"),
        ("words/rules.py", "beyond"),
    ],
)
def test_a_file_has_a_role(script: Any, path: str, role: str) -> None:
    assert script.role(path) == role


def test_docstrings_comments_and_blank_lines_are_no_code(script: Any) -> None:
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


def test_circles_are_told_by_when_they_import(script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert script.graph("at_once") == {
        "spieltisch": {a},
        "spieltisch.core": set(),
        a: {b, c},
        b: set(),
        c: set(),
    }
    assert script.circles(script.graph("at_once")) == []
    assert script.circles(script.graph("at_once", "later")) == [[a, b]]
    assert script.circles(script.graph("at_once", "later", "types")) == [[a, b, c]]


def test_two_circles_are_two(script: Any) -> None:
    edges = {"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c"}, "f": {"a"}}
    assert script.circles(edges) == [["c", "d", "e"], ["a", "b"]]


def test_equal_lines_are_found_as_far_as_they_go(script: Any, tmp_path: Path) -> None:
    same = [f"x{n} = {n}" for n in range(10)]
    texts = {
        "one/a.py": ["import os", "y = 1", *same],
        "two/b.py": [
            "z = 2",
            *same[:4],
            "",
            "# a reason",
            "import sys",
            *(f"{line}  # why" for line in same[4:]),
            "w = 3",
        ],
        "two/c.py": same[:7],
        "one/d.py": same,
    }
    for name, lines in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    runs = script.equal_runs([tmp_path / "one", tmp_path / "two"])
    assert [tuple(run) for run in runs] == [(10, "a.py:3", "b.py:2"), (10, "d.py:1", "b.py:2")]


def test_it_counts_all_and_ends_as_the_aims_stand(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = subprocess.run([SCRIPT, "--json"], capture_output=True, text=True, timeout=60, check=True)
    output = json.loads(done.stdout)
    for counted in output["by_role"].values():
        assert sum(counted.values()) == 2 * counted["all"]
    assert (output.pop("ok"), output.pop("faults")) == (True, [])
    numbers = output.pop("figures")
    assert numbers["src"] > numbers["games"] > sum(counted["all"] for counted in output["by_role"].values()) > 1_000

    def check(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["measure", *words])
        return int(script.main())

    monkeypatch.setattr(script, "measure", lambda: output)
    most = numbers["circles"]
    assert check("--check", f"circles={most}") == 0
    capsys.readouterr()
    assert check("--check", f"circles={most - 1}", "src=1000000", "--json") == 1
    assert [fault.partition(":")[0] for fault in json.loads(capsys.readouterr().out)["faults"]] == ["circles"]
    monkeypatch.setattr(script, "AIMS", {name: aim._replace(most=0) for name, aim in script.AIMS.items()})
    assert check("--check") == 1
    assert capsys.readouterr().err.startswith("games: ")
    with pytest.raises(SystemExit):
        check("--check", "weight")
