"""The page of administrators: what the server does, and what they may do about it; each act of theirs is logged."""

from typing import Final

from spieltisch.features.admin.rows import ADMIN_LINKS, ADMIN_LOG, ADMINISTRATORS, BANS
from spieltisch.features.feature import Feature, Hidden, Served


def _served() -> Served:
    from spieltisch.features.admin import routes
    from spieltisch.features.admin.service import Administration

    return Served(
        service=Administration,
        run=lambda live: live.service(Administration).running(),
        is_banned=lambda live, person, address: live.service(Administration).is_banned(person, address),
        hidden=Hidden("/admin", routes.is_admitted, routes),
    )


FEATURE: Final = Feature("admin", (ADMIN_LINKS, ADMINISTRATORS, BANS, ADMIN_LOG), served=_served)
