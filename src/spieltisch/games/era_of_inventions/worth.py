from typing import Any

from spieltisch.core.compiled import rule


@rule
def worth(s: Any, c: Any, p: int) -> int:
    return s.players[p].influence  # type: ignore[no-any-return]
