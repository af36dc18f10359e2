"""The documentation is a contract: its examples run, its commands exist, and no command or option is left out of it."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from spieltisch.cli import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
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
    found = []
    for line in lines:
        words = shlex.split(line, comments=True)
        starts = [at for at, word in enumerate(words[:3]) if word.split("/")[-1] == "spieltisch"]
        if starts:
            found.append(words[starts[0] + 1 :])
    return found


def unknown(words: list[str]) -> str:
    """What is wrong with a call: the command or option that does not exist; "" when nothing is."""
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


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_the_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    here: dict[str, Any] = {"__name__": "example"}
    for number, block in enumerate(blocks(page, "python"), 1):
        exec(compile(block, f"{page.name}, example {number}", "exec"), here)  # noqa: S102  # our own page


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


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_the_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [
        page.name
        for page in (ROOT / "docs").glob("*.md")
        if page.name not in ("index.md",) and f"({page.name})" not in index
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
        + [one for its in extras for one in its]
    )
    assert listed == {re.split(r"[^\w-]", requirement)[0].lower() for requirement in wanted}
