"""The HTTP status of each refusal of a table."""

from http import HTTPStatus
from typing import assert_never

from spieltisch.tables.refusal_codes import RefusalCode, RefusalKind


def status_of(code: RefusalCode) -> HTTPStatus:
    """Return the HTTP status for the kind of a refusal code.

    >>> status_of(RefusalCode.NOT_HOST)
    <HTTPStatus.FORBIDDEN: 403>
    """
    match code.kind:
        case RefusalKind.FORBIDDEN:
            return HTTPStatus.FORBIDDEN
        case RefusalKind.MISSING:
            return HTTPStatus.NOT_FOUND
        case RefusalKind.CONFLICT:
            return HTTPStatus.CONFLICT
        case RefusalKind.INVALID:
            return HTTPStatus.UNPROCESSABLE_ENTITY
        case RefusalKind.TOO_MANY_TRIES:
            return HTTPStatus.TOO_MANY_REQUESTS
        case RefusalKind.DAMAGED:
            return HTTPStatus.INTERNAL_SERVER_ERROR
        case RefusalKind.NOT_WRITTEN:
            return HTTPStatus.SERVICE_UNAVAILABLE
        case never:
            assert_never(never)
