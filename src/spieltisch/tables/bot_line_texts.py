"""The words of the lines that bots say at a table; see `bot_lines`."""

from collections.abc import Mapping
from typing import Final

from spieltisch.core.words import Message, message

LINES_OF_STYLES: Final[Mapping[str, Mapping[str, Message]]] = {
    "wanted": {
        "builder": message("“That was the very piece I was missing.”"),
        "trader": message("“Sold! Were you interested, too?”"),
        "collector": message("“One more for the collection. Were you after it, too?”"),
        "blocker": message("“I had a feeling you wanted that.”"),
        "hunter": message("“First come, first served.”"),
    },
    "limit": {
        "builder": message("“Slightly overloaded. It’ll hold.”"),
        "trader": message("“Over the limit, but worth the penalty.”"),
        "collector": message("“A limit? My shelves have none.”"),
        "blocker": message("“Better over the limit than in your hands.”"),
        "hunter": message("“Beyond the limit, it gets interesting.”"),
    },
    "overtakes": {
        "builder": message("“Brick by brick, and suddenly I’m in front.”"),
        "trader": message("“Small profits add up.”"),
        "collector": message("“And that puts me in front.”"),
        "blocker": message("“Make way, please. I’m overtaking.”"),
        "hunter": message("“Got you!”"),
    },
    "overtaken": {
        "builder": message("“Then I’ll just keep building. It isn’t over yet.”"),
        "trader": message("“Nice move. Is it for sale?”"),
        "collector": message("“Enjoy the view. I’ll be back for it.”"),
        "blocker": message("“I should have closed that gap.”"),
        "hunter": message("“Good. Now I have a target again.”"),
    },
}
"""The lines during a game, by moment and style.

A bot takes what the next player wanted, passes a limit, overtakes the leader, or is overtaken as the leader.
"""

LINES_AT_END: Final[Mapping[str, Mapping[str, tuple[Message, ...]]]] = {
    "won": {
        "smile": (
            message("“What a lovely game. Another one?”"),
            message("“Did I really win? How nice!”"),
            message("“Thank you. I enjoyed every move.”"),
        ),
        "firm": (
            message("“Just as calculated.”"),
            message("“A solid piece of work.”"),
            message("“It had to end like this. Well played.”"),
        ),
    },
    "lost": {
        "smile": (
            message("“Congratulations! The next one is mine.”"),
            message("“Well played! I’ve learned something.”"),
            message("“A well-deserved win. Rematch?”"),
        ),
        "firm": (
            message("“I’ll have to check my sums.”"),
            message("“Hm. That wasn’t in the plan.”"),
            message("“Well played. I take my hat off to you.”"),
        ),
    },
}
"""The lines at the end of a game, by outcome and by the mouth of the face."""
