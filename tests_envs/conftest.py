"""Register the games of this project and Goofspiel from the tutorial."""

import os
import sys
from pathlib import Path

GOOFSPIEL = str(Path(__file__).parent.parent / "examples" / "goofspiel")
sys.path.insert(0, GOOFSPIEL)
os.environ |= {"SPIELTISCH_GAMES": "goofspiel", "PYTHONPATH": GOOFSPIEL}
