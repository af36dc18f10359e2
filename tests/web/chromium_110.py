"""Provide Chromium 110, the oldest supported version, from npm, unpacked once into the user's cache."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

PACKAGE: Final = "@sparticuz/chromium@110.0.1"
UNPACK: Final = """
const [packed, unpacked] = process.argv.slice(1);
const bytes = require('zlib').brotliDecompressSync(require('fs').readFileSync(packed));
require('fs').writeFileSync(unpacked, bytes, { mode: 0o755 });
"""
"""A script for Node: Python cannot read Brotli."""


def chromium_110(folder: Path) -> tuple[str, str]:
    """Return the path of the browser, which is stored in a folder, or the reason why it is missing."""
    path = folder / "chromium-110"
    if path.exists():
        return str(path), ""
    if not (npm := shutil.which("npm")) or not (node := shutil.which("node")):
        return "", "Chromium 110 comes by npm, which is not installed"
    folder.mkdir(parents=True, exist_ok=True)
    call = [npm, "install", "--silent", "--no-save", "--ignore-scripts", "--prefix", str(folder), PACKAGE]
    installed = subprocess.run(call, capture_output=True, text=True, check=False, timeout=240)
    if installed.returncode:
        return "", f"npm does not get {PACKAGE}: {installed.stderr.strip()[-200:]}"
    packed, unpacked = folder / "node_modules/@sparticuz/chromium/bin/chromium.br", folder / f"unpacked-{os.getpid()}"
    subprocess.run([node, "-e", UNPACK, str(packed), str(unpacked)], check=True, timeout=120)
    unpacked.rename(path)
    shutil.rmtree(folder / "node_modules")
    return str(path), ""
