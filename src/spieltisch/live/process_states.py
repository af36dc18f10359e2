"""Notices of each process on a database about its own work, which are not stored."""

from collections.abc import Callable, Collection
from typing import Final

from spieltisch.live.leases import Leases
from spieltisch.live.notices import Notices

REPEAT: Final = "repeat"
"""Begins the kind of a notice that asks all processes to say everything again."""


class ProcessStates:
    """Texts by subject, of this process and of others; "" is nothing.

    When a process has begun or ended, or when notices may have been missed, all forget what others have said, and say
    theirs again.
    """

    def __init__(self, kind: str, notices: Notices, leases: Leases) -> None:
        self.changed: Callable[[str], object] = lambda subject: None
        """Called with a subject of which another process says something else now."""
        self._kind = kind
        self._notices = notices
        self._process = leases.owner
        self._has_others = leases.is_shared
        self._own: dict[str, str] = {}
        self._others: dict[str, dict[str, str]] = {}
        notices.on(kind, self._hear)
        notices.on(f"{REPEAT} {kind}", self._repeat)
        notices.missed.append(self._ask)
        leases.on_ended.append(self._ask)
        self._ask()

    def others(self, subject: str) -> Collection[str]:
        """Return what other processes say of a subject."""
        return self._others.get(subject, {}).values()

    def say(self, subject: str, text: str) -> None:
        """Tell the others what this process has of a subject now, unless they know or there can be none."""
        if self._has_others and text != self._own.get(subject, ""):
            self._own[subject] = text
            if not text:
                del self._own[subject]
            self._notices.announce(self._kind, self._process, subject, text)

    def _ask(self) -> None:
        self._notices.announce(f"{REPEAT} {self._kind}")

    def _repeat(self, _notice: int) -> None:
        forgotten, self._others = self._others, {}
        for subject in forgotten:
            self.changed(subject)
        for subject, text in self._own.items():
            self._notices.announce(self._kind, self._process, subject, text)

    def _hear(self, _notice: int, process: str, subject: str, text: str) -> None:
        if process == self._process:
            return
        said = self._others.setdefault(subject, {})
        said[process] = text
        if not text:
            del said[process]
        if not said:
            del self._others[subject]
        self.changed(subject)
