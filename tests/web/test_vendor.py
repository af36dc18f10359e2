"""What is vendored is what its authors published."""

import hashlib
from pathlib import Path

import spieltisch.web

VENDOR = Path(spieltisch.web.__file__).parent / "static" / "vendor"


def test_every_vendored_file_has_its_checksum() -> None:
    sums = dict(reversed(line.split()) for line in (VENDOR / "CHECKSUMS").read_text().splitlines())
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in VENDOR.iterdir()}
    del files["CHECKSUMS"]
    assert files == sums
