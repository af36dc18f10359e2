"""Check which tests `pytest` and `pytest --all` run, and the note about the tests left out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.paths import ROOT
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
    """Provide one test of the first tier, one with each marker of the second tier, and two more with a browser.

    They run in a separate process, since this process would import their modules twice.
    """
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini("[pytest]\naddopts = --strict-markers -p tests.tiers -p no:cacheprovider\nmarkers = browser\n")
    pytester.makepyfile(TESTS)
    return pytester


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_tests_of_the_second_tier_are_left_out_and_counted(suite: pytest.Pytester, workers: str) -> None:
    result = suite.runpytest_subprocess(workers)
    assert result.parseoutcomes()["passed"] == 1
    kinds = "3 browser_detail, 1 build, 1 crash, 1 fuzz, 1 postgresql, 1 screens, 1 tools, 1 whole_game"
    result.stdout.fnmatch_lines([f"Left out: 10 tests ({kinds}): `pytest --all` runs them, too.", "=* 1 passed* in *"])


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_naming_a_file_also_runs_its_tests_between_the_tiers(suite: pytest.Pytester, workers: str) -> None:
    (file,) = (path.name for path in suite.path.glob("test_*.py"))
    for test_path in (file, f"{file}::test_page"):
        result = suite.runpytest_subprocess(workers, test_path)
        assert result.parseoutcomes()["passed"] == (1 if "::" in test_path else 1 + 3 + 2), test_path


def test_representative_browser_tests_belong_to_the_first_tier(suite: pytest.Pytester) -> None:
    file, *_ = IN_FIRST_TIER
    (name, *other_tests) = IN_FIRST_TIER[file]
    assert not other_tests
    assert "::" in name, "it stands in a class"
    path = suite.path / file
    path.parent.mkdir(parents=True)
    named_file, _, test = name.partition("::")
    path.write_text(
        f"import pytest\n\nclass {named_file}:\n    @pytest.mark.browser\n    def {test}(self):\n        pass\n"
    )
    assert suite.runpytest_subprocess("-n0").parseoutcomes()["passed"] == 2
    path.write_text(path.read_text().replace(test, "test_other"))
    result = suite.runpytest_subprocess("-n0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *names what is no browser test: {file}::{name}"])


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_tests_that_cannot_run_on_a_machine_are_counted_with_the_reason(suite: pytest.Pytester, workers: str) -> None:
    suite.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("what", ["git", "git", "Chromium"])
        def test_it(what):
            pytest.skip(f"this machine has no {what}")
        """
    )
    result = suite.runpytest_subprocess(workers)
    result.stdout.fnmatch_lines(["Skipped: 2 tests (this machine has no git).", "Skipped: 1 test (* no Chromium)."])


def test_each_worker_begins_with_files_of_the_second_tier() -> None:
    second: list[Any] = [SimpleNamespace(path=file) for file in "aabbcc"]
    first: list[Any] = [SimpleNamespace(path="d") for _ in range(8)]
    order = dealt(second, first, 2)
    assert [item.path for item in order] == [*"aacc", *"ddd", *"bb", *"ddddd"]
    assert sorted(map(id, order)) == sorted(map(id, second + first))
    assert [*map(id, dealt(second, first, 1))] == [*map(id, second + first)]


def test_the_option_all_runs_both_tiers(suite: pytest.Pytester) -> None:
    result = suite.runpytest_subprocess("--all", "-n0")
    result.assert_outcomes(passed=11)
    result.stdout.no_fnmatch_line("Left out*")


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
    result = suite.runpytest_subprocess("--all", "-n0")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *this compiles paris-connection: *", "FAILED *test_it?first? - *"])


def test_without_browser_tests_no_browser_is_needed(suite: pytest.Pytester) -> None:
    result = suite.runpytest_subprocess("-m", "not browser", "-n0")
    assert result.parseoutcomes() == {"passed": 1, "deselected": 10}
    result.stdout.fnmatch_lines(["Left out: 10 tests (3 browser_detail, *"])
