"""Pauses between deliveries to a recipient and to a host, also when they are subscribed again."""

from collections import OrderedDict
from math import inf
from typing import Final, TypeVar

from spieltisch.alerts.channels import host_of, recipient_of
from spieltisch.store.alert_subscriptions import AlertSubscription

MIN_BACKOFF_SECONDS: Final = 30.0
"""The pause after the first failed attempt; it doubles with each further one."""
MAX_BACKOFF_SECONDS: Final = 4 * 3600.0
"""The longest pause between two attempts."""
RECIPIENT_PAUSE_SECONDS: Final = 10.0
"""The pause after a delivery to a recipient; alerts of that time are sent together."""
HOST_PAUSE_SECONDS: Final = 1.0
"""The pause between two deliveries to a host, unless it is a service that many people share."""
MAX_ENTRIES: Final = 10_000
"""The maximum number of recipients, and of hosts, in memory; the oldest entries are dropped first."""
K = TypeVar("K")
V = TypeVar("V")


class DeliveryPauses:
    """The last deliveries to recipients of alerts and to hosts; a new subscription of a recipient ends no pause.

    They are kept in memory; after a restart, the store knows when failed alerts are to be sent again. Times are those
    of a clock that is never set.
    """

    def __init__(self) -> None:
        self._recipients: OrderedDict[str, tuple[int, float]] = OrderedDict()  # failures, and the end of the pause
        self._hosts: OrderedDict[str, float] = OrderedDict()  # the first time that is not reserved
        self._reserved: OrderedDict[str, float] = OrderedDict()  # by the id of the subscription

    def until(self, subscription: AlertSubscription) -> float:
        """Return the end of the pause of a recipient, or minus infinity."""
        return self._recipients.get(_recipient(subscription), (0, -inf))[1]

    def failures(self, subscription: AlertSubscription) -> int:
        """Return the number of failures since the last delivery."""
        return self._recipients.get(_recipient(subscription), (0, -inf))[0]

    def has_failed(self, subscription: AlertSubscription) -> bool:
        """Return True if the last delivery is known to have failed."""
        return subscription.failed is not None or self.failures(subscription) > 0

    def add_failure(self, subscription: AlertSubscription, now: float, earlier: int) -> None:
        """Record a failure that follows this number of earlier ones."""
        _put(self._recipients, _recipient(subscription), (earlier + 1, now + retry_pause(earlier)))

    def add_delivery(self, subscription: AlertSubscription, now: float) -> None:
        """Record a delivery."""
        _put(self._recipients, _recipient(subscription), (0, now + RECIPIENT_PAUSE_SECONDS))

    def reserve(self, subscription: AlertSubscription, now: float) -> float:
        """Return when an alert may be sent to the host of a subscription; reserve that time if it is in the future."""
        host = host_of(subscription.kind, subscription.address)
        if not host:
            return now
        at = self._reserved.pop(subscription.id, -inf)
        if at < now - HOST_PAUSE_SECONDS:  # no time was reserved, or it passed unused
            at = max(now, self._hosts.get(host, now))
            _put(self._hosts, host, at + HOST_PAUSE_SECONDS)
        if at > now:
            _put(self._reserved, subscription.id, at)
        return at


def _put(entries: OrderedDict[K, V], key: K, value: V) -> None:
    entries[key] = value
    entries.move_to_end(key)
    if len(entries) > MAX_ENTRIES:
        entries.popitem(last=False)


def retry_pause(attempts: int) -> float:
    """Return the seconds until the next try, after one more failure than `attempts`.

    >>> [retry_pause(attempts) for attempts in (0, 1, 2, 5000)]
    [30.0, 60.0, 120.0, 14400.0]
    """
    return min(MIN_BACKOFF_SECONDS * 2.0 ** min(attempts, 20), MAX_BACKOFF_SECONDS)


def _recipient(subscription: AlertSubscription) -> str:
    return f"{subscription.kind} {recipient_of(subscription.kind, subscription.address)[0]}"
