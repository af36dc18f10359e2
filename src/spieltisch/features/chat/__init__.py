"""Chat at the tables: rooms for players and spectators, own notes, mentions, reactions, muted people and reports."""

from typing import Final

from spieltisch.features.chat.reports import MESSAGE_REPORTS
from spieltisch.features.chat.rows import CHAT_MESSAGES, MUTES, REACTIONS
from spieltisch.features.feature import Feature, Served


def _served() -> Served:
    from spieltisch.features.chat import routes
    from spieltisch.features.chat.pages import ChatPages
    from spieltisch.features.chat.service import TOPIC, Chat

    return Served(service=Chat, topics={TOPIC: ChatPages}, sections=(ChatPages,), routes=routes)


FEATURE: Final = Feature("chat", (CHAT_MESSAGES, REACTIONS, MUTES, MESSAGE_REPORTS), served=_served)
