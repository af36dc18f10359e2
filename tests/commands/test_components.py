"""Check `spieltisch components` with command-line arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

import spieltisch
from tests.commands.lab_command import run
from tests.sentences import sentence_after


def test_exporting_components_overwrites_a_file_only_with_force(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = spieltisch.game("paris-connection").components.text
    assert run("components", "export", "paris-connection").stdout == text
    assert run("components", "export", "paris-connection", file).exit_code == 0
    assert file.read_text(encoding="utf-8") == text
    file.write_text("mine", encoding="utf-8")
    second_export = run("components", "export", "paris-connection", file)
    assert (second_export.exit_code, "--force overwrites it" in second_export.stderr) == (1, True)
    assert file.read_text(encoding="utf-8") == "mine"
    assert run("components", "export", "paris-connection", file, "--force").exit_code == 0
    assert file.read_text(encoding="utf-8") == text
    assert run("components", "export", "chess").exit_code == 1
    assert "No such file" in run("components", "export", "paris-connection", tmp_path / "no" / "where").stderr


def test_checking_a_valid_component_file_reports_no_findings(own_components: Path) -> None:
    result = run("components", "check", own_components)
    assert (result.exit_code, "nothing wrong found" in result.output) == (0, True)


def test_checking_a_component_file_names_the_file_and_key_path_of_each_finding(own_components: Path) -> None:
    text = own_components.read_text(encoding="utf-8")
    assert text.count("\npenalty = ") == text.count("column = 12\nrow = 10\n") == 1
    text = text.replace("\npenalty = ", "\npenalty = 0.").replace("column = 12\nrow = 10\n", "row = 10\n")
    own_components.write_text(text, encoding="utf-8")
    result = run("components", "check", own_components)
    missing = sentence_after("core/toml_validation.py", "elif field.required:", path="cities.lyon.column")
    whole_number = sentence_after("core/toml_validation.py", "elif inner is int:", path="turn.penalty")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"{own_components}: cities[30].column: {missing}",
        f"{own_components}: turn.penalty: {whole_number}",
    ]
    german = run("components", "check", own_components, "--language", "de")
    assert german.output.startswith(f"{own_components}: cities[30].column: ")
    assert german.output != result.output


@pytest.mark.parametrize(
    ("text", "expected_text"),
    [
        (
            b"a = = 1\n",
            sentence_after("core/components.py", "def parse_toml", reason="Invalid value (at line 1, column 5)"),
        ),
        (b"\xff", sentence_after("core/components.py", "def _text", line="1")),
    ],
)
def test_checking_a_damaged_component_file_fails_with_a_message(
    tmp_path: Path, text: bytes, expected_text: str
) -> None:
    file = tmp_path / "file.toml"
    file.write_bytes(text)
    result = run("components", "check", file)
    assert (result.exit_code, result.output) == (1, f"{file}: {expected_text}\n")
    assert "No such file" in run("components", "check", tmp_path / "missing").stderr
    assert "no such language" in run("components", "check", file, "--language", "xx").stderr
