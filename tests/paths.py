"""Find the root of the checkout."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
