"""Divide the tests into two tiers: `pytest` runs the first, `pytest --all` both.

Tests with a marker in `NEAR` also run with `--changed`, or when their file is named. The closing lines count all tests
left out, including those left out by `-m` or `-k`, or because this machine lacks what they need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from hypothesis import settings

from tests.web.representatives import IN_FIRST_TIER

T = TypeVar("T")
SECOND: Final = {
    "whole_game": "a whole game, played on its pages",
    "screens": "boards on every size of screen in every language",
    "crash": "kills, losses and restarts",
    "fuzz": "made-up input, much of it",
    "build": "wheels, and rules or searches of our games compiled",
    "browser_detail": "in a browser, but for the tests of `tests/web/representatives.py`; no test carries it itself",
    "postgresql": "tests of the store and a server's inside, again on PostgreSQL",
    "tools": "tests of scripts, benchmarks and what helps tests",
}
"""The markers of the second tier. The first has a small representative of most, which does not carry the marker."""
NEAR: Final = ("browser_detail", "postgresql", "tools")
"""Those that belong to a change or to a file, too."""
RUNNING: Final[list[pytest.Item]] = []
"""The test that runs, the last of them."""
WHOLE: Final[list[bool]] = []
"""Not empty if both tiers run."""
LEFT_OUT: Final[pytest.StashKey[Counter[str]]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help=f"run also the tests marked {', '.join(SECOND)}")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()
    if config.option.all:
        WHOLE.append(True)
    elif settings.get_current_profile_name() != "fuzz":
        settings.register_profile("first", settings(), max_examples=30)
        settings.load_profile("first")
    for name, second_tier_reason in SECOND.items():
        config.addinivalue_line("markers", f"{name}: {second_tier_reason}; only with --all")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the second tier, or let all workers begin with it.

    Every test that uses a browser gets a marker, so that `-m "not browser"` needs no browser.
    """
    for item in items:
        if "browsers" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    leave_details(config, items)
    second, first = [item for item in items if tier(item)], [item for item in items if not tier(item)]
    if config.option.all:
        items[:] = dealt(second, first, getattr(config, "workerinput", {}).get("workercount", 1))
    else:
        files = {(Path.cwd() / arg.partition("::")[0]).resolve() for arg in config.args}
        is_near = getattr(config.option, "changed", False)
        nearest_tests = {item for item in second if tier(item) in NEAR and (is_near or item.path in files)}
        left_out = [item for item in second if item not in nearest_tests]
        items[:] = [item for item in items if not tier(item) or item in nearest_tests]
        config.hook.pytest_deselected(items=left_out)


def leave_details(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Mark the browser tests that are no representatives, and check that each representative is a test."""
    representatives = {f"{file}::{name}" for file, names in IN_FIRST_TIER.items() for name in names}
    browser = {item.nodeid: item for item in items if item.get_closest_marker("browser")}
    for name in browser.keys() - representatives:
        browser[name].add_marker("browser_detail")
    files = {name.partition("::")[0] for name in browser}
    unknown_names = sorted(name for name in representatives - browser.keys() if name.partition("::")[0] in files)
    if unknown_names and not any("::" in arg for arg in config.args):
        raise pytest.UsageError(
            f"tests/web/representatives.py names what is no browser test: {', '.join(unknown_names)}"
        )


def dealt(second: Sequence[pytest.Item], first: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return all tests in an order in which each worker begins with some files of the second tier.

    With `--dist worksteal` all workers begin with equally many tests, so none is left with the slowest tests at the
    end.
    """
    files = [[*group] for _, group in groupby(second, key=lambda item: item.path)]
    order: list[pytest.Item] = []
    remaining_tests = iter(first)
    for worker in range(workers):
        order += chain.from_iterable(files[worker::workers])
        order += islice(remaining_tests, max(0, (len(first) + len(second)) * (worker + 1) // workers - len(order)))
    return [*order, *remaining_tests]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    RUNNING[:] = [item]


@pytest.fixture(scope="session", autouse=True)
def only_the_second_tier_compiles() -> Iterator[None]:
    """Fail tests of the first tier that compile rules or a search."""
    from spieltisch.bots.search import native_library
    from spieltisch.core.compiled import Binding
    from spieltisch.games import GAMES

    def checked(call: Callable[..., Any], key: Callable[..., str]) -> Callable[..., Any]:
        def check(*args: Any, **kwargs: Any) -> Any:
            if key(*args) in GAMES and not tier(RUNNING[-1]) and not native_library.problem():
                pytest.fail(f"this compiles {key(*args)}: with a marker of the second tier it may")
            return call(*args, **kwargs)

        return check

    def compile_alone(binding: Binding, compile_: Callable[[Any], Any], function: Any) -> Callable[[Any], Any]:
        return checked(compile_alone_before(binding, compile_, function), lambda signature: binding.name)

    compile_alone_before = Binding._compile_alone
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_library, "build", checked(native_library.build, lambda key, *_: key))
        patch.setattr(Binding, "_compile_alone", compile_alone)
        yield


def examples(first: int, all_: int) -> settings:
    """Return settings of Hypothesis with `first` examples in the first tier, and `all_` examples with --all."""
    return settings(max_examples=all_ if WHOLE else first, deadline=None)


def first_alone(first: T, values: Iterable[T], marker: str = "screens") -> list[Any]:
    """Return values of a parameter of which the first tier uses only the first."""
    mark = getattr(pytest.mark, marker)
    return [
        value if value == first else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=mark)
        for value in values
    ]


def pytest_deselected(items: Iterable[pytest.Item]) -> None:
    for item in items:
        word = tier(item) or ("browser" if item.get_closest_marker("browser") else "other")
        item.config.stash[LEFT_OUT][word] += 1


def tier(item: pytest.Item) -> str:
    """Return the marker of the second tier of an item, or ""."""
    return next((name for name in SECOND if item.get_closest_marker(name)), "")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Report from a worker the tests left out, which are the same in all workers."""
    left_out = session.config.stash[LEFT_OUT]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    if left_out := getattr(node, "workeroutput", {}).get("left_out"):
        node.config.stash[LEFT_OUT] = Counter(left_out)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash[LEFT_OUT]
    second = {word: count for word, count in left_out.items() if word in SECOND}
    by_selection = "not selected"
    by_tier = by_selection if config.option.all else "`pytest --all` runs them, too"
    for counts, why in ((second, by_tier), (left_out - Counter(second), by_selection)):
        if counts:
            words = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
            terminalreporter.write_line(f"Left out: {sum(counts.values())} tests ({words}): {why}.")
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.getreports("skipped"))
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"Skipped: {count} {'test' if count == 1 else 'tests'} ({reason}).")
