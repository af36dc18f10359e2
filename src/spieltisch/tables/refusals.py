"""Refusals: what a table returns if something cannot be done, with a code for programs and a sentence for people.

The sentences for the kernel's own refusals (a rule, the turn) come from the game; those of the table are here, each
once. Every name below returns a new refusal when it is called: `raise refusals.no_table()`.
"""

from functools import partial

from spieltisch.core.errors import Refusal
from spieltisch.core.words import Message, message
from spieltisch.tables.refusal_codes import RefusalCode


class TableRefusal(Exception):
    """Something cannot be done now, or not by this person; nothing was changed.

    `code` is a short code for programs, with a kind; `message` is a sentence for people. `rule` is an anchor on the
    game's rules page if a rule is the reason ("" otherwise; "turn" and "over" as in `Refusal`).
    """

    def __init__(self, code: RefusalCode, words: Message, rule: str = "") -> None:
        super().__init__(code, words, rule)  # the arguments of the constructor, so that it can be pickled
        self.code = code
        self.message = words
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


NOT_YOUR_TURN = Refusal("turn", message("It’s not your turn."))


no_table = partial(TableRefusal, RefusalCode.NO_TABLE, message("This table doesn’t exist or is private."))
"""A table that does not exist or is not open to this person."""
lost_table = partial(
    TableRefusal, RefusalCode.NO_TABLE, message("The server lost this table: an older copy of its file was restored.")
)
"""A table that was lost with an older database file."""
no_link = partial(TableRefusal, RefusalCode.NO_LINK, message("This link is invalid or has expired. Ask for a new one."))
"""An invalid or revoked link."""
no_seat = partial(TableRefusal, RefusalCode.SEAT, message("This seat doesn’t exist at this table."))
"""A seat that does not exist."""
no_bot = partial(TableRefusal, RefusalCode.BOT, message("This bot is not available for this game."))
"""A bot that does not exist or may not play."""
not_your_seat = partial(TableRefusal, RefusalCode.NOT_YOUR_SEAT, message("You’re not seated at this table."))
"""A person without a seat at the table."""
not_host = partial(TableRefusal, RefusalCode.NOT_HOST, message("Only the host can do this."))
"""A command of the host alone."""
not_invited = partial(
    TableRefusal, RefusalCode.NOT_INVITED, message("This seat is by invitation only. Ask the host for a link.")
)
"""A seat that can only be taken with a link."""
seat_taken = partial(TableRefusal, RefusalCode.SEAT_TAKEN, message("This seat is taken."))
"""A seat that is taken."""
no_free_seat = partial(TableRefusal, RefusalCode.SEAT_TAKEN, message("This table is full."))
"""A table without a free seat."""
already_seated = partial(TableRefusal, RefusalCode.ALREADY_SEATED, message("You’re already at this table."))
"""A person who already has a seat here."""
own_seat = partial(TableRefusal, RefusalCode.OWN_SEAT, message("This is your own seat. Leave the table instead."))
"""A host who reclaims their own seat."""
not_taken = partial(TableRefusal, RefusalCode.SEAT_EMPTY, message("That seat is empty."))
"""A seat without a person."""
not_running = partial(TableRefusal, RefusalCode.NOT_RUNNING, message("No game is in progress at this table."))
"""A game that is not running."""
memory_game = partial(
    TableRefusal,
    RefusalCode.MEMORY_GAME,
    message("This game is played from memory. The game record and analysis are available once it’s over."),
)
"""The record or the analysis of a running game that is played from memory."""
table_over = partial(TableRefusal, RefusalCode.OVER, message("This game is over."), "over")
"""A game that is over."""
stale = partial(
    TableRefusal, RefusalCode.STALE, message("The table has changed in the meantime. Check it and try again.")
)
"""A decision on an outdated page."""


def no_advice(table_gives_any: bool) -> TableRefusal:
    """Return the refusal for advice that the settings of the table, or the other people at it, rule out."""
    if not table_gives_any:
        return TableRefusal(RefusalCode.NO_ADVICE, message("Hints are off at this table."))
    words = message("Hints are only available when you play alone against bots.")
    return TableRefusal(RefusalCode.NO_ADVICE, words)


no_advice_yet = partial(TableRefusal, RefusalCode.NO_ADVICE_YET, message("Hints are not available on this server yet."))
"""Advice whose code is not compiled on this server."""
no_advice_now = partial(TableRefusal, RefusalCode.NO_ADVICE_NOW, message("No hint this time. Try again."))
"""Advice that failed this time."""
no_analysis_yet = partial(
    TableRefusal,
    RefusalCode.NO_ANALYSIS_YET,
    message("Analysis will be available in a minute: the server is still getting ready."),
)
"""An analysis whose code is still being compiled."""
too_many_analyses = partial(
    TableRefusal,
    RefusalCode.TOO_MANY_ANALYSES,
    message("The server is busy with other analyses. Try again in a few minutes."),
)
"""An analysis while others are queued."""
nothing_to_undo = partial(TableRefusal, RefusalCode.NOTHING_TO_UNDO, message("Nothing to undo."))
"""An undo without a move to undo."""
final_move = partial(
    TableRefusal,
    RefusalCode.FINAL_MOVE,
    message("This can’t be undone: something was drawn or revealed, or the turn is over."),
)
"""An undo of a final move."""
nothing_asked = partial(TableRefusal, RefusalCode.NOTHING_ASKED, message("This request is no longer open."))
"""A response to a request that does not exist or is settled."""
already_asked = partial(
    TableRefusal, RefusalCode.ALREADY_ASKED, message("You’ve already asked. The others haven’t answered yet.")
)
"""A request that is already open."""
frozen = partial(
    TableRefusal,
    RefusalCode.FROZEN,
    message("This table is frozen: under the current rules its game would come out differently. You can only view it."),
)
"""A frozen table."""
suspended = partial(
    TableRefusal,
    RefusalCode.FROZEN,
    message("The operator of the server has frozen this table. You can only view it."),
)
"""A table that the operator has frozen."""
not_suspended = partial(
    TableRefusal, RefusalCode.NOT_SUSPENDED, message("The operator has not frozen this table, so it can’t be thawed.")
)
"""A thaw of a table that the operator has not frozen."""
not_over = partial(TableRefusal, RefusalCode.NOT_OVER, message("This game is not over yet."))
"""A game that is not over yet."""
withheld = partial(TableRefusal, RefusalCode.WITHHELD, message("Hidden until the other games of this deal are over."))
"""A page that is withheld until the other tables of the deal are over."""
already_in_duplicate = partial(
    TableRefusal,
    RefusalCode.ALREADY_IN_DUPLICATE,
    message("You already know this deal from another table. You can only play each deal once."),
)
"""A person who knows the deal from another table."""


def unknown_move(text: str) -> TableRefusal:
    """Return the refusal for a text that is no move of the game."""
    words = message("“{text}” is not a move in this game.", text=text[:80])
    return TableRefusal(RefusalCode.UNKNOWN_MOVE, words)


def illegal(refusal: Refusal) -> TableRefusal:
    """Return the kernel's refusal with its code: not your turn, game over, or against a rule."""
    if refusal.rule == "turn":
        return TableRefusal(RefusalCode.TURN, refusal.message, refusal.rule)
    if refusal.rule == "over":
        return TableRefusal(RefusalCode.OVER, refusal.message, refusal.rule)
    return TableRefusal(RefusalCode.ILLEGAL, refusal.message, refusal.rule)


damaged = partial(
    TableRefusal, RefusalCode.DAMAGED, message("The data of this table is damaged. Tell the server’s operator.")
)
"""Stored data that cannot be read."""
not_written = partial(
    TableRefusal,
    RefusalCode.NOT_WRITTEN,
    message("Saving failed, so nothing was changed. Try again; if it keeps happening, tell the server’s operator."),
)
"""A change that could not be stored."""
no_game = partial(TableRefusal, RefusalCode.GAME, message("Game not found."))
"""A game that does not exist."""
no_components = partial(TableRefusal, RefusalCode.NO_COMPONENTS, message("Component file not found."))
"""A component file that does not exist."""


def bad_components(findings: str) -> TableRefusal:
    """Return the refusal for an invalid component file."""
    return TableRefusal(
        RefusalCode.COMPONENTS, message("This component file can’t be used: {findings}", findings=findings)
    )


components_too_slow = partial(
    TableRefusal,
    RefusalCode.COMPONENTS,
    message("This component file can’t be used: reading it takes too much time or memory."),
)
"""A component file that takes too much time or memory to read."""


def bad_record(problem: str) -> TableRefusal:
    """Return the refusal for an invalid record."""
    return TableRefusal(RefusalCode.RECORD, message("This game record can’t be read: {problem}", problem=problem))


record_too_slow = partial(
    TableRefusal, RefusalCode.RECORD, message("This game record can’t be read: it takes too much time or memory.")
)
"""A record that takes too much time or memory to read."""


def unknown_components_of_record(fingerprint: str) -> TableRefusal:
    """Return the refusal for a record whose component file has not been uploaded."""
    words = message(
        "This game was played with custom components ({fingerprint}). Upload the component file first.",
        fingerprint=fingerprint,
    )
    return TableRefusal(RefusalCode.RECORD, words)


no_language = partial(TableRefusal, RefusalCode.LANGUAGE, message("This language is not available."))
"""A language that does not exist."""
no_code = partial(
    TableRefusal, RefusalCode.NO_CODE, message("This code is wrong, has already been used or is over ten minutes old.")
)
"""A code that is wrong, used or expired."""


def logged_in(name: str) -> TableRefusal:
    """Return the refusal for a visitor who is logged in with games or component files."""
    words = message("You’re signed in here as {name} and have games or component files. Sign out first.", name=name)
    return TableRefusal(RefusalCode.LOGGED_IN, words)


signed_out = partial(TableRefusal, RefusalCode.SIGNED_OUT, message("You’ve been signed out on this device."))
"""A session that was ended while its request was on its way."""
too_many_codes = partial(
    TableRefusal, RefusalCode.TOO_MANY_CODES, message("Too many wrong codes. Try again in ten minutes.")
)
"""After too many wrong codes."""
no_animation_speed = partial(TableRefusal, RefusalCode.PACE, message("Unknown animation speed."))
"""An unknown animation speed."""
no_theme = partial(TableRefusal, RefusalCode.THEME, message("Unknown theme."))
"""An unknown theme."""
