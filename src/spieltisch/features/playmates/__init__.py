"""People a person has played with: invited again with one click, and muted or blocked, which they cannot tell."""

from typing import Final

from spieltisch.features.feature import Feature, Served
from spieltisch.features.playmates.rows import PLAYMATE_MARKS, hide_invitations


def _served() -> Served:
    from spieltisch.features.playmates import routes
    from spieltisch.features.playmates.pages import PlaymatePages
    from spieltisch.features.playmates.service import Playmates

    return Served(service=Playmates, lobby_sections=(PlaymatePages,), routes=routes)


FEATURE: Final = Feature("playmates", (PLAYMATE_MARKS,), hide_invitations, _served)
