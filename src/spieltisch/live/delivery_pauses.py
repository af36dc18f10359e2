"""Pauses after failed deliveries, by recipient, even if another person subscribes it again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from spieltisch.store.alert_subscriptions import AlertSubscription

MIN_BACKOFF_SECONDS: Final = 30.0
"""The pause after the first failed attempt; it doubles with each further one."""
MAX_BACKOFF_SECONDS: Final = 4 * 3600.0
"""The longest pause between two attempts."""
MAX_RECIPIENTS: Final = 10_000


class DeliveryPauses:
    """Failures in a row of recipients of alerts.

    They are kept in memory; after a restart, the store knows when queued alerts are to be sent again.
    """

    def __init__(self) -> None:
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and the end of the pause

    def until(self, subscription: AlertSubscription) -> float:
        """Return the end of the pause of a recipient (UTC seconds), or 0."""
        return self._failures.get(_recipient(subscription), (0, 0.0))[1]

    def has_failed(self, subscription: AlertSubscription) -> bool:
        """Return whether the last delivery is known to have failed."""
        return subscription.failed is not None or _recipient(subscription) in self._failures

    def add_failure(self, subscription: AlertSubscription, now: float, attempts: int) -> float:
        """Record a failure after this number of earlier attempts, and return the pause in seconds."""
        failures, _ = self._failures.pop(_recipient(subscription), (0, 0.0))
        failures = max(failures, attempts)
        pause = retry_pause(failures)
        self._failures[_recipient(subscription)] = failures + 1, now + pause
        if len(self._failures) > MAX_RECIPIENTS:
            self._failures.popitem(last=False)
        return pause

    def clear(self, subscription: AlertSubscription) -> None:
        """Record a delivery."""
        self._failures.pop(_recipient(subscription), None)


def retry_pause(attempts: int) -> float:
    """Return the pause in seconds after a failure that follows this number of failed attempts.

    >>> [retry_pause(attempts) for attempts in (0, 1, 2, 5000)]
    [30.0, 60.0, 120.0, 14400.0]
    """
    return min(MIN_BACKOFF_SECONDS * 2.0 ** min(attempts, 20), MAX_BACKOFF_SECONDS)


def _recipient(subscription: AlertSubscription) -> str:
    return f"{subscription.kind} {subscription.address.get('endpoint') or subscription.address['address']}"
