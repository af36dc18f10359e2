"""Read the findings in a component file of a game."""

from __future__ import annotations

import pytest

from spieltisch.core.components import ComponentsError
from spieltisch.core.game import Game
from tests.core.component_findings import findings_of


def component_findings(game: Game, text: str) -> list[tuple[str, str]]:
    """Return each key path with its problem."""
    with pytest.raises(ComponentsError) as error:
        game.read_components(text)
    return findings_of(error.value)
