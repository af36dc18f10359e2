"""The named bots: each level has its characters, each with a name, a face and a greeting.

A name is stored in the events of its table, so older tables keep theirs.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from spieltisch.core.words import Message, message
from spieltisch.tables.confusables import confusable_with


class Character(msgspec.Struct, frozen=True):
    """A named bot.

    `face_parts` are the parts of the face, from back to front; `greeting` is a line that it says; `style` is how it
    likes to play (`bots.styles.STYLES`). Three seats in a row have three styles.
    """

    name: str
    face_parts: str
    greeting: Message
    style: str


BOT_CHARACTERS: Final[dict[str, tuple[Character, ...]]] = {
    "beginner": (
        Character("Amelie", "dress round plaits smile", message("“Oh, is that allowed too?”"), "hunter"),
        Character("Basil", "coat long crop smile bow", message("“I take whatever’s closest.”"), "collector"),
        Character("Clothilde", "dress long bun smile lace", message("“My glasses must be here somewhere.”"), "builder"),
        Character("Dorus", "coat round cap smile", message("“I try it first and read the rules later.”"), "blocker"),
        Character("Emil", "coat round wavy firm spectacles bow", message("“Is it my turn already?”"), "collector"),
        Character("Fenna", "dress round bonnet smile", message("“It looked so pretty there.”"), "trader"),
    ),
    "easy": (
        Character("Ada", "dress long curls smile lace", message("“I did the maths. Once.”"), "hunter"),
        Character("Gustave", "coat long crop firm full tie", message("“What pays today is good enough.”"), "collector"),
        Character("Hertha", "dress round bun firm spectacles", message("“A point is a point.”"), "builder"),
        Character(
            "Isambard",
            "coat round wavy firm whiskers hat tie",
            message("“Broad gauge, and straight ahead.”"),
            "blocker",
        ),
        Character("Marie", "dress long wild firm", message("“I weigh everything to the gram.”"), "collector"),
        Character("Nikola", "coat long wavy firm moustache tie", message("“The brightest spark wins.”"), "trader"),
    ),
    "medium": (
        Character(
            "Ottilie", "dress round bob firm spectacles lace", message("“Every bolt has its reason.”"), "builder"
        ),
        Character(
            "Percival",
            "coat long crop smile monocle moustache bow",
            message("“After you. I know what comes next.”"),
            "trader",
        ),
        Character(
            "Quirin", "coat round bald firm goatee spectacles tie", message("“I drew up a plan for this.”"), "hunter"
        ),
        Character("Rosalie", "dress round curls smile bonnet", message("“Measure twice, move once.”"), "builder"),
        Character("Severin", "coat long cap firm whiskers", message("“You build there, I’ll build here.”"), "blocker"),
        Character(
            "Thekla", "dress long plaits firm lace", message("“Steady pressure drives the piston.”"), "collector"
        ),
    ),
    "hard": (
        Character("Ulla", "dress long bob smile", message("“I’ve been waiting for that.”"), "blocker"),
        Character(
            "Valentin", "coat round wild smile moustache bow", message("“A detour? A short cut to the end!”"), "trader"
        ),
        Character("Willem", "coat round bald smile full", message("“The tide turns. I was there first.”"), "builder"),
        Character(
            "Xaver", "coat long wavy firm goatee hat tie", message("“My patent is already on its way.”"), "hunter"
        ),
        Character(
            "Yvette", "dress round curls firm monocle lace", message("“Why? You’ll see, in three turns.”"), "trader"
        ),
        Character("Zelda", "dress long wild smile spectacles", message("“I dreamt of this position.”"), "collector"),
    ),
    "expert": (
        Character("Augusta", "dress long bun firm monocle lace", message("“Two seconds are enough.”"), "builder"),
        Character(
            "Cornelis",
            "coat long wild firm full spectacles",
            message("“I’ve looked at this a few thousand times.”"),
            "collector",
        ),
        Character("Eugénie", "dress round bob firm bonnet lace", message("“Please do take your time.”"), "hunter"),
        Character(
            "Leopold",
            "coat round bald firm whiskers monocle bow",
            message("“I regret nothing, least of all that.”"),
            "trader",
        ),
        Character(
            "Octavia", "dress long curls firm spectacles", message("“It’s all in the last decimal place.”"), "blocker"
        ),
        Character(
            "Theodor",
            "coat round crop firm whiskers moustache hat bow",
            message("“It’ll be an honour to beat you.”"),
            "hunter",
        ),
    ),
}
"""The characters by level, six each, the maximum number of seats at a table."""

_ALL_CHARACTERS: Final = {character.name: character for level in BOT_CHARACTERS.values() for character in level}


def pick_name(bot: str, seat: int, taken: Iterable[str]) -> str:
    """Return the name of a bot in a seat: always the same, except that it must not look like one that is taken.

    A bot that is not a level, such as the one that plays at random, borrows a character of `easy`.

    >>> pick_name("easy", 2, ()), pick_name("easy", 2, ["Hertha"]), pick_name("random", 8, ())
    ('Hertha', 'Isambard', 'Hertha')
    """
    level, others = BOT_CHARACTERS.get(bot, BOT_CHARACTERS["easy"]), tuple(taken)
    preferred = [level[(seat + n) % len(level)].name for n in range(len(level))]
    free = (name for name in (*preferred, *_ALL_CHARACTERS) if confusable_with(name, others) is None)
    return next(free, preferred[0])


def character_named(name: str) -> Character | None:
    """Return the character with this name; None for the name of an earlier bot, or of one from elsewhere."""
    return _ALL_CHARACTERS.get(name)


def style_of(bot: str, seat: int) -> str:
    """Return the style of a bot that takes this seat; "" if it is not a level.

    It depends on nothing else, not even on the name, so that the bots of a duplicate play alike at all of its tables.

    >>> [style_of("easy", seat) for seat in (1, 2, 3)], style_of("random", 1)
    (['collector', 'builder', 'blocker'], '')
    """
    level = BOT_CHARACTERS.get(bot)
    return level[seat % len(level)].style if level else ""
