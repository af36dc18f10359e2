"""Apply a delta to lines as a browser does."""

from __future__ import annotations


def apply_delta(lines_before: list[str], changes: list[str]) -> list[str]:
    """Return the lines that the browser makes of a delta (`deltas.js`)."""
    lines: list[str] = []
    for line in changes:
        if line.startswith("+"):
            lines.append(line[1:])
        else:
            start, count = map(int, line.split())
            lines += lines_before[start : start + count]
    return lines
