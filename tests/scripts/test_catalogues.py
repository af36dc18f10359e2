"""Check that the catalogues are complete, and that the script finds each kind of fault."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT


def catalogues(command_name: str, package: Path | None = None) -> subprocess.CompletedProcess[str]:
    package_options = ["--package", str(package)] if package else []
    command = [sys.executable, "scripts/catalogues", command_name, *package_options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def translated_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a package with one game whose sentences are all translated."""
    tmp_path = tmp_path_factory.mktemp("translated")
    game = tmp_path / "package" / "games" / "toy"
    (game / "templates").mkdir(parents=True)
    (tmp_path / "package" / "pages.py").write_text('title = message("My {thing} tables.", thing=1)\n')
    (game / "rules.py").write_text('left = messages("{count} stone left", "{count} stones left", n)\n')
    (game / "templates" / "board.html").write_text('<p>{{ _("A board of {stones}", stones=3) }}</p>\n')
    assert catalogues("extract", tmp_path / "package").returncode == 0
    for file in tmp_path.rglob("*.po"):
        text = file.read_text()
        text = text.replace('tables."\nmsgstr ""', 'tables."\nmsgstr "Meine {thing}."')
        text = text.replace('stones}"\nmsgstr ""', 'stones}"\nmsgstr "Brett mit {stones}"')
        text = text.replace('msgstr[0] ""', 'msgstr[0] "noch ein Stein"').replace('[1] ""', '[1] "noch {count} Steine"')
        file.write_text(text)
    return tmp_path / "package"


@pytest.fixture
def package(translated_package: Path, tmp_path: Path) -> Path:
    """Return a copy of the translated package for one test."""
    return Path(shutil.copytree(translated_package, tmp_path / "package"))


def test_every_sentence_is_translated_into_all_languages() -> None:
    checked = catalogues("check")
    assert checked.stdout == ""
    assert checked.returncode == 0


@pytest.mark.tools
def test_sentences_of_a_game_are_only_in_the_catalogue_of_that_game(package: Path) -> None:
    assert catalogues("check", package).stdout == ""
    assert "{thing}" in (package / "locale" / "de.po").read_text()
    game = (package / "games" / "toy" / "locale" / "nl.po").read_text()
    assert "{thing}" not in game
    assert "{stones}" in game
    assert "{count} stones left" in game


@pytest.mark.tools
def test_a_sentence_without_letters_needs_no_translation(package: Path) -> None:
    (package / "pages.py").write_text(
        'title = message("My {thing} tables.", thing=1)\nx = message("× {y} = {z}", y=1, z=2)\n'
    )
    assert catalogues("check", package).stdout == ""


@pytest.mark.tools
def test_repeated_extraction_changes_nothing_and_keeps_translations(package: Path) -> None:
    before = {file: file.read_bytes() for file in package.rglob("*.po")}
    assert catalogues("extract", package).returncode == 0
    assert {file: file.read_bytes() for file in package.rglob("*.po")} == before
    (package / "pages.py").write_text('title = message("My {thing} tables.", thing=1)\nmore = message("More")\n')
    assert "not up to date" in catalogues("check", package).stdout
    assert catalogues("extract", package).returncode == 0
    assert "Meine {thing}." in (package / "locale" / "de.po").read_text()
    assert "'More': has no translation" in catalogues("check", package).stdout


@pytest.mark.tools
@pytest.mark.parametrize(
    ("translation", "wrong_translation", "fault"),
    [
        ("Meine {thing}.", "", "has no translation"),
        ("Meine {thing}.", "Meine {dinge}.", "the placeholders differ"),
        ("Meine {thing}.", "Meine Dinge.", "the placeholders differ"),
        ("Meine {thing}.", "Meine {thing}", "ends otherwise"),
        ("Meine {thing}.", "Meine <b>{thing}</b>.", "HTML belongs into a value"),
        ("Meine {thing}.", "Meine&nbsp;{thing}.", "not an HTML entity"),
        ("Meine {thing}.", "{thing}s Tisch.", "a name takes none"),
        ("Meine {thing}.", "{thing}’s Tisch.", "a name takes none"),
        ("Meine {thing}.", "Meine %s {thing}.", "placeholders are written {name}"),
        ("Meine {thing}.", " Meine {thing}.", "no space at the start"),
        ("Meine {thing}.", "Meine {thing!r}.", "a placeholder is a plain name"),
        ('msgid "My', '#, fuzzy\nmsgid "My', "marked fuzzy"),
    ],
)
def test_the_check_finds_faulty_translations(
    package: Path, translation: str, wrong_translation: str, fault: str
) -> None:
    file = package / "locale" / "de.po"
    file.write_text(file.read_text().replace(translation, wrong_translation))
    checked = catalogues("check", package)
    assert checked.returncode == 1
    assert "locale/de.po: " in checked.stdout
    assert fault in checked.stdout


@pytest.mark.tools
def test_the_check_finds_sentences_composed_at_run_time(package: Path) -> None:
    (package / "pages.py").write_text('title = message("My {thing} tables.", thing=1)\nmore = message("a" + b)\n')
    assert "pages.py: line 2: message() needs its sentence written out" in catalogues("check", package).stdout
