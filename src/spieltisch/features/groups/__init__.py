"""Groups of friends: tables that only members see, what their tables begin with, and standings."""

from typing import Final

from spieltisch.features.feature import Feature, Served
from spieltisch.features.groups.rows import GROUP_MEMBERS, GROUP_TABLES, GROUPS


def _served() -> Served:
    from spieltisch.features.groups import routes
    from spieltisch.features.groups.pages import GroupPages
    from spieltisch.features.groups.service import Groups

    return Served(service=Groups, lobby_sections=(GroupPages,), routes=routes)


FEATURE: Final = Feature("groups", (GROUPS, GROUP_MEMBERS, GROUP_TABLES), served=_served)
