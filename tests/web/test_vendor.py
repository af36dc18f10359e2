"""Check that vendored files are unchanged from their published versions."""

import hashlib
from pathlib import Path

import pytest

import spieltisch.web

FOLDERS = [Path(spieltisch.web.__file__).parent / "static" / "vendor", Path(__file__).parent / "vendor"]


@pytest.mark.parametrize("folder", FOLDERS, ids=["pages", "tests"])
def test_every_vendored_file_has_its_checksum(folder: Path) -> None:
    lines = (folder / "CHECKSUMS").read_text().splitlines()
    sums = {name: checksum for checksum, name in (line.split() for line in lines)}
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}
    del files["CHECKSUMS"]
    assert files == sums
