"""What is vendored is what its authors published."""

import hashlib
from pathlib import Path

import spieltisch.web

VENDOR = Path(spieltisch.web.__file__).parent / "static" / "vendor"


def test_every_vendored_file_has_its_checksum() -> None:
    lines = (VENDOR / "CHECKSUMS").read_text().splitlines()
    sums = {name: checksum for checksum, name in (line.split() for line in lines)}
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in VENDOR.iterdir()}
    del files["CHECKSUMS"]
    assert files == sums
