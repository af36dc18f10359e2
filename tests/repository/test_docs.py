"""Check the documentation: its examples run, its commands exist, and no command or option is missing."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from babel.messages.pofile import read_po

from spieltisch.cli import app
from tests.paths import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TRAINING = ROOT / "docs" / "tutorials" / "train-rate-play.md"
"""It needs torch: `tests_envs` runs it."""
TUTORIALS = sorted({*(ROOT / "docs" / "tutorials").glob("*.md")} - {TRAINING})
OWN_GAME = ROOT / "docs" / "tutorials" / "own-game.md"
EXPLAINING = [page for page in PAGES if page not in TUTORIALS]
FENCES = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
TOP: Any = typer.main.get_command(app)


def names(pages: list[Path]) -> list[str]:
    return [page.relative_to(ROOT).as_posix() for page in pages]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands(command: Any = TOP, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Return every command with the words that call it."""
    subcommands = getattr(command, "commands", None)
    if subcommands is None:
        yield path, command
        return
    for name, subcommand in subcommands.items():
        yield from commands(subcommand, (*path, name))


def calls(page: Path) -> list[list[str]]:
    """Return the calls of `spieltisch` on a page, in shell blocks and sentences."""
    text = page.read_text(encoding="utf-8")
    lines = [part for block in blocks(page, "sh") for line in block.splitlines() for part in line.split("&&")]
    lines += re.findall(
        r"`((?:uv run |\.venv/bin/)?spieltisch [^`]*)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    )
    command_lines = []
    for line in lines:
        words = shlex.split(line, comments=True)
        starts = [at for at, word in enumerate(words[:3]) if word.split("/")[-1] == "spieltisch"]
        if starts:
            command_lines.append(words[starts[0] + 1 :])
    return command_lines


def unknown(words: list[str]) -> str:
    """Return the command or option in a call of `spieltisch` that does not exist, or "" if both exist."""
    command = TOP
    words = list(words)
    while getattr(command, "commands", None) and words and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return f"no command {words[0]}"
        command = command.commands[words.pop(0)]
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {
        "--help"
    }
    for word in words:
        if word.startswith("-") and word.split("=")[0] not in options:
            return f"no option {word}"
    return ""


@pytest.mark.parametrize("page", EXPLAINING, ids=names(EXPLAINING))
def test_the_python_examples_in_the_docs_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "example"}
    for number, block in enumerate(blocks(page, "python"), 1):
        exec(compile(block, f"{page.name}, example {number}", "exec"), namespace)  # noqa: S102  # our own page


def test_the_tutorial_shows_the_files_of_its_example_game() -> None:
    shown_files = {title: block for _, title, block in FENCES.findall(OWN_GAME.read_text(encoding="utf-8"))}
    files = [file for file in (ROOT / "examples" / "goofspiel").rglob("*.*") if file.suffix != ".pyc"]
    example_files = {
        file.relative_to(ROOT / "examples" / "goofspiel").as_posix(): file.read_text("utf-8") for file in files
    }
    assert {name: shown_files.get(name) for name in example_files} == example_files


@pytest.mark.parametrize("page", TUTORIALS, ids=names(TUTORIALS))
def test_every_command_and_program_of_a_tutorial_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Write the files and run the Python code and commands in the order of the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    namespace: dict[str, Any] = {"__name__": "example"}
    for number, (language, title, block) in enumerate(FENCES.findall(page.read_text(encoding="utf-8")), 1):
        if title:
            (tmp_path / title).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / title).write_text(block, encoding="utf-8")
        elif language == "python":
            exec(compile(block, f"{page.name}, block {number}", "exec"), namespace)  # noqa: S102  # our own page
        else:
            assert language == "sh"
            subprocess.run(["bash", "-euc", block], check=True, timeout=240)


@pytest.mark.build
def test_the_learning_program_of_the_tutorial_runs(tmp_path: Path) -> None:
    shown_files = {title: block for _, title, block in FENCES.findall(OWN_GAME.read_text(encoding="utf-8"))}
    (tmp_path / "learn.py").write_text(shown_files["learn.py"], encoding="utf-8")
    variables = {"SPIELTISCH_GAMES": "goofspiel", "PYTHONPATH": str(ROOT / "examples" / "goofspiel")}
    learnt = subprocess.run(
        [sys.executable, "learn.py"],
        cwd=tmp_path,
        env=os.environ | variables,
        check=True,
        capture_output=True,
        text=True,
    )
    assert re.fullmatch(r"\d+% of \d+ games won\n", learnt.stdout)


def test_without_numba_the_learning_program_asks_for_what_its_page_says_to_install(tmp_path: Path) -> None:
    """The wheel with our games compiled has no Numba, so this is what a reader meets who skips that line."""
    text = OWN_GAME.read_text(encoding="utf-8")
    program = {title: block for _, title, block in FENCES.findall(text)}["learn.py"]
    (tmp_path / "learn.py").write_text(f"import sys\nsys.modules['llvmlite'] = None\n{program}", encoding="utf-8")
    variables = {"SPIELTISCH_GAMES": "goofspiel", "PYTHONPATH": str(ROOT / "examples" / "goofspiel")}
    failed = subprocess.run(
        [sys.executable, "learn.py"],
        cwd=tmp_path,
        env=os.environ | variables | {"SPIELTISCH_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert failed.returncode == 1
    (extra,) = re.findall(r"pip install '(spieltisch\[\w+\])'", failed.stderr)
    assert f"pip install '{extra}' pytest`" in text


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_command_in_the_docs_exists(page: Path) -> None:
    assert [f"spieltisch {shlex.join(call)}: {unknown(call)}" for call in calls(page) if unknown(call)] == []


def test_the_check_finds_unknown_commands_and_options_in_the_docs() -> None:
    assert unknown(["serve", "--port", "9000"]) == ""
    assert unknown(["swerve"]) == "no command swerve"
    assert unknown(["serve", "--ports=9"]) == "no option --ports=9"


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_script_in_the_docs_exists(page: Path) -> None:
    for script in re.findall(r"(?:scripts|\.ci)/\w+", page.read_text(encoding="utf-8")):
        assert (ROOT / script).exists(), script


def test_every_command_and_every_option_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `([^`]*)`\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    missing = []
    for path, command in commands():
        call = " ".join(("spieltisch", *path))
        if call not in sections:
            missing.append(call)
            continue
        for parameter in command.params:
            option_name = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.name.upper()
            if option_name != "--help" and f"`{option_name}" not in sections[call]:
                missing.append(f"{call} {option_name}")
    assert missing == []
    assert set(sections) == {" ".join(("spieltisch", *path)) for path, _ in commands()}


def quoted(text: str) -> list[str]:
    """Return the quotations on a page, which by convention are labels of the interface."""
    sentences = re.sub(r"^```.*?^```$|`[^`]*`|<[^>]*>", "", text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(label.split()) for label in re.findall(r'"([^"]*)"', sentences)]


@pytest.mark.parametrize(
    "name", ["playing.md", "security.md", "hosting.md", "tutorials/own-game.md", "tutorials/train-rate-play.md"]
)
def test_every_label_quoted_in_the_docs_exists_in_the_interface(name: str) -> None:
    messages = set[str]()
    for file in (ROOT / "src" / "spieltisch").rglob("locale/de.po"):
        with file.open("rb") as stream:
            for entry in read_po(stream):
                messages.update([entry.id] if isinstance(entry.id, str) else entry.id)
    labels = quoted((ROOT / "docs" / name).read_text(encoding="utf-8"))
    assert labels
    assert [label for label in labels if label.replace("'", "’") not in messages] == []


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_relative_link_in_the_docs_leads_to_a_file(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_of_the_docs_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [
        page
        for page in names(PAGES)
        if page.startswith("docs/") and page != "docs/index.md" and f"({page.removeprefix('docs/')})" not in index
    ] == []


def test_every_dependency_is_documented_with_its_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    listed_packages = {
        name for row in re.findall(r"^\| ([a-z][\w, -]*) \|", page, re.M) for name in row.split(", ")
    } - {"library"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    expected_packages = (
        project["project"]["dependencies"]
        + project["dependency-groups"]["dev"]
        + project["dependency-groups"]["learn"]
        + project["dependency-groups"]["site"]
        + [package for extra_packages in extras for package in extra_packages]
    )
    assert listed_packages == {re.split(r"[^\w-]", requirement)[0].lower() for requirement in expected_packages}
