"""Run the command line in a separate process."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.forked import run
from tests.web.servers import SERVE


def spieltisch(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(SERVE[0], *words)


def json_output(*words: object) -> dict[str, Any]:
    answer = spieltisch(*map(str, words), "--json")
    assert answer.returncode == 0, answer.stderr
    output = json.loads(answer.stdout)
    assert isinstance(output, dict)
    return output
