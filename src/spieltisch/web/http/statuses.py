"""The HTTP status of everything that a table may refuse."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

STATUSES: Final[Mapping[HTTPStatus, frozenset[str]]] = {
    HTTPStatus.FORBIDDEN: frozenset({"kept-back", "not-host", "not-invited", "not-your-seat", "turn"}),
    HTTPStatus.NOT_FOUND: frozenset(
        {"no-code", "no-components", "no-link", "no-passkey", "no-plan", "no-table", "no-way", "no-word"}
    ),
    HTTPStatus.CONFLICT: frozenset(
        {
            "already-added",
            "already-asked",
            "already-seated",
            "begun",
            "both-sit",
            "final-move",
            "forgotten",
            "frozen",
            "not-over",
            "not-running",
            "not-taken",
            "no-advice",
            "no-advice-now",
            "no-advice-yet",
            "no-analysis-yet",
            "no-chat",
            "no-turn",
            "nothing-asked",
            "one-device",
            "one-of-a-deal",
            "nothing-to-undo",
            "over",
            "own-seat",
            "own-turn",
            "seat-taken",
            "stale",
            "stood-in",
            "too-many-analyses",
            "too-many-component-files",
            "too-many-passkeys",
            "too-many-plans",
            "too-many-seats",
            "too-many-tables",
            "too-many-words",
            "too-many-ways",
        }
    ),
    HTTPStatus.UNPROCESSABLE_ENTITY: frozenset(
        {
            "address",
            "bot",
            "charter",
            "components",
            "condition",
            "game",
            "holiday",
            "illegal",
            "language",
            "name",
            "no-moves",
            "options",
            "pace",
            "passkey",
            "record",
            "room",
            "seat",
            "seats",
            "step",
            "tables",
            "text",
            "theme",
            "too-many-moves",
            "unknown-move",
            "watch",
            "words",
            "zone",
        }
    ),
    HTTPStatus.TOO_MANY_REQUESTS: frozenset({"too-many-codes"}),
    HTTPStatus.INTERNAL_SERVER_ERROR: frozenset({"damaged"}),
    HTTPStatus.SERVICE_UNAVAILABLE: frozenset({"not-written"}),
}
"""The codes of `TableRefusal` by their status."""

_BY_CODE: Final = {code: status for status, codes in STATUSES.items() for code in codes}


def status_of(code: str) -> int:
    """The status of a code. Raises KeyError for one that no table gives.

    >>> status_of("not-host")
    403
    """
    return int(_BY_CODE[code])
