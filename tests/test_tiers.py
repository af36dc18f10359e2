"""The tests that `pytest` and `pytest --all` run, and the note about those left out."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tiers import SECOND, dealt
from tests.web.representatives import IN_FIRST_TIER

pytestmark = pytest.mark.tools

TESTS = """
import pytest

def test_plain():
    pass

@pytest.mark.browser
def test_page():
    pass

@pytest.fixture
def browsers():
    return []

def test_its_marker_was_forgotten(browsers):
    pass
""" + "".join(f"\n@pytest.mark.{name}\ndef test_{name}():\n    pass\n" for name in SECOND)


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """One test of the first tier, and one with each marker of the second; two more with a browser.

    They run in a process of their own: in this one, modules that they import first would be imported twice.
    """
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    pytester.makeini("[pytest]\naddopts = --strict-markers -p tests.tiers -p no:cacheprovider\nmarkers = browser\n")
    pytester.makepyfile(TESTS)
    return pytester


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_the_second_tier_is_left_out_and_counted(suite: pytest.Pytester, workers: str) -> None:
    done = suite.runpytest_subprocess(workers)
    assert done.parseoutcomes()["passed"] == 1
    kinds = "3 browser_detail, 1 build, 1 crash, 1 fuzz, 1 screens, 1 tools, 1 whole_game"
    done.stdout.fnmatch_lines([f"Left out: 9 tests ({kinds}): `pytest --all` runs them, too.", "=* 1 passed* in *"])


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_of_a_file_that_is_named_the_near_ones_run_too(suite: pytest.Pytester, workers: str) -> None:
    (file,) = (path.name for path in suite.path.glob("test_*.py"))
    for named in (file, f"{file}::test_page"):
        done = suite.runpytest_subprocess(workers, named)
        assert done.parseoutcomes()["passed"] == (1 if "::" in named else 1 + 3 + 1), named


def test_browser_tests_that_represent_others_are_of_the_first_tier(suite: pytest.Pytester) -> None:
    file, *_ = IN_FIRST_TIER
    (name, *others) = IN_FIRST_TIER[file]
    assert not others
    assert "::" in name, "it stands in a class"
    path = suite.path / file
    path.parent.mkdir(parents=True)
    named, _, test = name.partition("::")
    path.write_text(f"import pytest\n\nclass {named}:\n    @pytest.mark.browser\n    def {test}(self):\n        pass\n")
    assert suite.runpytest_subprocess("-n0").parseoutcomes()["passed"] == 2
    path.write_text(path.read_text().replace(test, "test_other"))
    done = suite.runpytest_subprocess("-n0")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"ERROR: *names what is no browser test: {file}::{name}"])


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_what_a_machine_cannot_run_is_counted_with_the_reason(suite: pytest.Pytester, workers: str) -> None:
    suite.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("what", ["git", "git", "Chromium"])
        def test_it(what):
            pytest.skip(f"this machine has no {what}")
        """
    )
    done = suite.runpytest_subprocess(workers)
    done.stdout.fnmatch_lines(["Skipped: 2 tests (this machine has no git).", "Skipped: 1 test (* no Chromium)."])


def test_each_worker_begins_with_files_of_the_second_tier() -> None:
    second: list[Any] = [SimpleNamespace(path=file) for file in "aabbcc"]
    first: list[Any] = [SimpleNamespace(path="d") for _ in range(8)]
    order = dealt(second, first, 2)
    assert [item.path for item in order] == [*"aacc", *"ddd", *"bb", *"ddddd"]
    assert sorted(map(id, order)) == sorted(map(id, second + first))
    assert [*map(id, dealt(second, first, 1))] == [*map(id, second + first)]


def test_all_run_both(suite: pytest.Pytester) -> None:
    done = suite.runpytest_subprocess("--all", "-n0")
    done.assert_outcomes(passed=10)
    done.stdout.no_fnmatch_line("Left out*")


def test_only_the_second_tier_compiles_rules(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        import pytest
        import spieltisch

        @pytest.mark.parametrize("tier", ["first", pytest.param("second", marks=pytest.mark.build)])
        def test_it(tier):
            engine = spieltisch.game("paris-connection", compiled=True).engine
            compiled = engine.binding._compile_alone(lambda signature: "compiled", engine.game.rules.play)
            assert compiled(()) == "compiled"
        """
    )
    done = suite.runpytest_subprocess("--all", "-n0")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["E *this compiles paris-connection: *", "FAILED *test_it?first? - *"])


def test_without_browsers_none_is_needed_and_that_is_told(suite: pytest.Pytester) -> None:
    done = suite.runpytest_subprocess("-m", "not browser", "-n0")
    assert done.parseoutcomes() == {"passed": 1, "deselected": 9}
    done.stdout.fnmatch_lines(["Left out: 9 tests (3 browser_detail, *"])
