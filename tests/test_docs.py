"""The documentation is a contract: its examples run, its commands exist, and no command or option is left out of it."""

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

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
EXPLAINING = [page for page in PAGES if page not in TUTORIALS]
FENCES = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
TOP: Any = typer.main.get_command(app)


def names(pages: list[Path]) -> list[str]:
    return [page.relative_to(ROOT).as_posix() for page in pages]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands(command: Any = TOP, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that can be run, with the words that call it."""
    subcommands = getattr(command, "commands", None)
    if subcommands is None:
        yield path, command
        return
    for name, subcommand in subcommands.items():
        yield from commands(subcommand, (*path, name))


def calls(page: Path) -> list[list[str]]:
    """The calls of `spieltisch` on a page, in its shell blocks and in its sentences."""
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
    """Return the command or option of a call that does not exist, or ""."""
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
def test_the_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "example"}
    for number, block in enumerate(blocks(page, "python"), 1):
        exec(compile(block, f"{page.name}, example {number}", "exec"), namespace)  # noqa: S102  # our own page


def included(match: re.Match[str]) -> str:
    """The file that a page shows with `--8<--`."""
    return (ROOT / match[1]).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", TUTORIALS, ids=names(TUTORIALS))
def test_a_tutorial_runs_as_it_stands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are written, its Python and its commands run, in the order of the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    namespace: dict[str, Any] = {"__name__": "example"}
    text = re.sub(r"^--8<--\n(.+)\n--8<--\n", included, page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for number, (language, title, block) in enumerate(FENCES.findall(text), 1):
        if title:
            (tmp_path / title).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / title).write_text(block, encoding="utf-8")
        elif language == "python":
            exec(compile(block, f"{page.name}, block {number}", "exec"), namespace)  # noqa: S102  # our own page
        else:
            assert language == "sh"
            subprocess.run(["bash", "-euc", block], check=True, timeout=240)


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_the_commands_exist(page: Path) -> None:
    assert [f"spieltisch {shlex.join(call)}: {unknown(call)}" for call in calls(page) if unknown(call)] == []


def test_calls_with_a_mistake_are_noticed() -> None:
    assert unknown(["serve", "--port", "9000"]) == ""
    assert unknown(["swerve"]) == "no command swerve"
    assert unknown(["serve", "--ports=9"]) == "no option --ports=9"


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_the_scripts_exist(page: Path) -> None:
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
            wanted = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.name.upper()
            if wanted != "--help" and f"`{wanted}" not in sections[call]:
                missing.append(f"{call} {wanted}")
    assert missing == []
    assert set(sections) == {" ".join(("spieltisch", *path)) for path, _ in commands()}


def quoted(text: str) -> list[str]:
    """What a page quotes in its sentences: by our convention labels of the interface, and nothing else."""
    sentences = re.sub(r"^```.*?^```$|`[^`]*`|<[^>]*>", "", text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(label.split()) for label in re.findall(r'"([^"]*)"', sentences)]


@pytest.mark.parametrize("name", ["playing.md", "security.md", "hosting.md"])
def test_every_quoted_label_is_one_of_the_interface(name: str) -> None:
    messages = set[str]()
    for file in (ROOT / "src" / "spieltisch").rglob("locale/de.po"):
        with file.open("rb") as stream:
            for entry in read_po(stream):
                messages.update([entry.id] if isinstance(entry.id, str) else entry.id)
    labels = quoted((ROOT / "docs" / name).read_text(encoding="utf-8"))
    assert labels
    assert [label for label in labels if label.replace("'", "’") not in messages] == []


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_the_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [
        page
        for page in names(PAGES)
        if page.startswith("docs/") and page != "docs/index.md" and f"({page.removeprefix('docs/')})" not in index
    ] == []


def test_every_dependency_has_its_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    listed = {name for row in re.findall(r"^\| ([a-z][\w, -]*) \|", page, re.M) for name in row.split(", ")} - {
        "library"
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    wanted = (
        project["project"]["dependencies"]
        + project["dependency-groups"]["dev"]
        + project["dependency-groups"]["site"]
        + [package for its in extras for package in its]
    )
    assert listed == {re.split(r"[^\w-]", requirement)[0].lower() for requirement in wanted}
