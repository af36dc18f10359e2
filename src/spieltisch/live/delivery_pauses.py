"""Pauses after failed deliveries, by recipient, also when it is subscribed again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from spieltisch.store.alert_subscriptions import AlertSubscription

MIN_BACKOFF_SECONDS: Final = 30.0
"""The pause after the first failed attempt; it doubles with each further one."""
MAX_BACKOFF_SECONDS: Final = 4 * 3600.0
"""The longest pause between two attempts."""
MAX_RECIPIENTS: Final = 10_000
"""The maximum number of recipients in memory; those whose last failure is the oldest are dropped first."""


class DeliveryPauses:
    """Failures in a row of recipients of alerts, so that a new subscription of a recipient does not end its pause.

    They are kept in memory; after a restart, the store knows when queued alerts are to be sent again.
    """

    def __init__(self) -> None:
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and the end of the pause

    def until(self, subscription: AlertSubscription) -> float:
        """Return the end of the pause of a recipient (UTC seconds), or 0."""
        return self._failures.get(_recipient(subscription), (0, 0.0))[1]

    def failures(self, subscription: AlertSubscription) -> int:
        """Return the number of failures since the last delivery."""
        return self._failures.get(_recipient(subscription), (0, 0.0))[0]

    def has_failed(self, subscription: AlertSubscription) -> bool:
        """Return True if the last delivery is known to have failed."""
        return subscription.failed is not None or self.failures(subscription) > 0

    def add_failure(self, subscription: AlertSubscription, now: float, earlier: int) -> None:
        """Record a failure that follows this number of earlier ones."""
        self._failures[_recipient(subscription)] = earlier + 1, now + retry_pause(earlier)
        self._failures.move_to_end(_recipient(subscription))
        if len(self._failures) > MAX_RECIPIENTS:
            self._failures.popitem(last=False)

    def clear(self, subscription: AlertSubscription) -> None:
        """Record a delivery."""
        self._failures.pop(_recipient(subscription), None)


def retry_pause(attempts: int) -> float:
    """Return the seconds until the next try, after one more failure than `attempts`.

    >>> [retry_pause(attempts) for attempts in (0, 1, 2, 5000)]
    [30.0, 60.0, 120.0, 14400.0]
    """
    return min(MIN_BACKOFF_SECONDS * 2.0 ** min(attempts, 20), MAX_BACKOFF_SECONDS)


def _recipient(subscription: AlertSubscription) -> str:
    return f"{subscription.kind} {subscription.address.get('endpoint') or subscription.address['address']}"
