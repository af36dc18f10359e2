"""Alerts: messages that reach people elsewhere when it is their turn, when they are mentioned or lose their seat."""

from typing import Final

from spieltisch.features.feature import Feature
from spieltisch.store.alert_queue import queue_alerts
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS, OUTBOX

FEATURE: Final = Feature("alerts", (ALERT_SUBSCRIPTIONS, OUTBOX), queue_alerts)
