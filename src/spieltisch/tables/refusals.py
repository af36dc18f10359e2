"""Refusals: what a table returns if something cannot be done, with a code for programs and a sentence for people.

The sentences for the kernel's own refusals (a rule, the turn) come from the game; those of the table are here, each
once.
"""

from __future__ import annotations

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


def no_table() -> TableRefusal:
    """Return the refusal for a table that does not exist or is not open to this person."""
    return TableRefusal(RefusalCode.NO_TABLE, message("This table doesn’t exist or is private."))


def lost_table() -> TableRefusal:
    """Return the refusal for a table that was lost with an older database file."""
    words = message("The server lost this table: an older copy of its file was restored.")
    return TableRefusal(RefusalCode.NO_TABLE, words)


def no_link() -> TableRefusal:
    """Return the refusal for an invalid or revoked link."""
    return TableRefusal(RefusalCode.NO_LINK, message("This link is invalid or has expired. Ask for a new one."))


def no_seat() -> TableRefusal:
    """Return the refusal for a seat that does not exist."""
    return TableRefusal(RefusalCode.SEAT, message("This seat doesn’t exist at this table."))


def no_bot() -> TableRefusal:
    """Return the refusal for a bot that does not exist or may not play."""
    return TableRefusal(RefusalCode.BOT, message("This bot is not available for this game."))


def not_your_seat() -> TableRefusal:
    """Return the refusal for a person without a seat at the table."""
    return TableRefusal(RefusalCode.NOT_YOUR_SEAT, message("You’re not seated at this table."))


def not_host() -> TableRefusal:
    """Return the refusal for a command of the host alone."""
    return TableRefusal(RefusalCode.NOT_HOST, message("Only the host can do this."))


def not_invited() -> TableRefusal:
    """Return the refusal for a seat that can only be taken with a link."""
    return TableRefusal(RefusalCode.NOT_INVITED, message("This seat is by invitation only. Ask the host for a link."))


def seat_taken() -> TableRefusal:
    """Return the refusal for a seat that is taken."""
    return TableRefusal(RefusalCode.SEAT_TAKEN, message("This seat is taken."))


def no_free_seat() -> TableRefusal:
    """Return the refusal for a table without a free seat."""
    return TableRefusal(RefusalCode.SEAT_TAKEN, message("This table is full."))


def already_seated() -> TableRefusal:
    """Return the refusal for a person who already has a seat here."""
    return TableRefusal(RefusalCode.ALREADY_SEATED, message("You’re already at this table."))


def own_seat() -> TableRefusal:
    """Return the refusal for a host who reclaims their own seat."""
    return TableRefusal(RefusalCode.OWN_SEAT, message("This is your own seat. Leave the table instead."))


def not_taken() -> TableRefusal:
    """Return the refusal for a seat without a person."""
    return TableRefusal(RefusalCode.SEAT_EMPTY, message("That seat is empty."))


def not_running() -> TableRefusal:
    """Return the refusal for a game that is not running."""
    return TableRefusal(RefusalCode.NOT_RUNNING, message("No game is in progress at this table."))


def memory_game() -> TableRefusal:
    """Return the refusal for the record or the analysis of a running game that is played from memory."""
    words = message("This game is played from memory. The game record and analysis are available once it’s over.")
    return TableRefusal(RefusalCode.MEMORY_GAME, words)


def table_over() -> TableRefusal:
    """Return the refusal for a game that is over."""
    return TableRefusal(RefusalCode.OVER, message("This game is over."), "over")


def stale() -> TableRefusal:
    """Return the refusal for a decision on an outdated page."""
    words = message("The table has changed in the meantime. Check it and try again.")
    return TableRefusal(RefusalCode.STALE, words)


def no_advice(table_gives_any: bool) -> TableRefusal:
    """Return the refusal for advice that the settings of the table, or the other people at it, rule out."""
    if not table_gives_any:
        return TableRefusal(RefusalCode.NO_ADVICE, message("Hints are off at this table."))
    words = message("Hints are only available when you play alone against bots.")
    return TableRefusal(RefusalCode.NO_ADVICE, words)


def no_advice_yet() -> TableRefusal:
    """Return the refusal for advice whose code is not compiled on this server."""
    words = message("Hints are not available on this server yet.")
    return TableRefusal(RefusalCode.NO_ADVICE_YET, words)


def no_advice_now() -> TableRefusal:
    """Return the refusal for advice that failed this time."""
    return TableRefusal(RefusalCode.NO_ADVICE_NOW, message("No hint this time. Try again."))


def no_analysis_yet() -> TableRefusal:
    """Return the refusal for an analysis whose code is still being compiled."""
    words = message("Analysis will be available in a minute: the server is still getting ready.")
    return TableRefusal(RefusalCode.NO_ANALYSIS_YET, words)


def too_many_analyses() -> TableRefusal:
    """Return the refusal for an analysis while others are queued."""
    words = message("The server is busy with other analyses. Try again in a few minutes.")
    return TableRefusal(RefusalCode.TOO_MANY_ANALYSES, words)


def nothing_to_undo() -> TableRefusal:
    """Return the refusal for an undo without a move to undo."""
    return TableRefusal(RefusalCode.NOTHING_TO_UNDO, message("Nothing to undo."))


def final_move() -> TableRefusal:
    """Return the refusal for an undo of a final move."""
    words = message("This move is final: it drew something, revealed something or ended the turn.")
    return TableRefusal(RefusalCode.FINAL_MOVE, words)


def nothing_asked() -> TableRefusal:
    """Return the refusal for a response to a request that does not exist or is settled."""
    return TableRefusal(RefusalCode.NOTHING_ASKED, message("This request is no longer open."))


def already_asked() -> TableRefusal:
    """Return the refusal for a request that is already open."""
    return TableRefusal(RefusalCode.ALREADY_ASKED, message("You’ve already asked. The others haven’t answered yet."))


def frozen() -> TableRefusal:
    """Return the refusal for a frozen table."""
    words = message(
        "This table is frozen: under the current rules its game would come out differently. You can only view it."
    )
    return TableRefusal(RefusalCode.FROZEN, words)


def not_over() -> TableRefusal:
    """Return the refusal for a game that is not over yet."""
    return TableRefusal(RefusalCode.NOT_OVER, message("This game is not over yet."))


def withheld() -> TableRefusal:
    """Return the refusal for what is withheld until the other tables of the deal are over."""
    return TableRefusal(RefusalCode.WITHHELD, message("Hidden until the other games of this deal are over."))


def already_in_duplicate() -> TableRefusal:
    """Return the refusal for a person who knows the deal from another table."""
    words = message("You already know this deal from another table. You can only play each deal once.")
    return TableRefusal(RefusalCode.ALREADY_IN_DUPLICATE, words)


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


def damaged() -> TableRefusal:
    """Return the refusal for stored data that cannot be read."""
    words = message("The data of this table is damaged. Tell the server’s operator.")
    return TableRefusal(RefusalCode.DAMAGED, words)


def not_written() -> TableRefusal:
    """Return the refusal for a change that could not be stored."""
    words = message(
        "Saving failed, so nothing was changed. Try again; if it keeps happening, tell the server’s operator."
    )
    return TableRefusal(RefusalCode.NOT_WRITTEN, words)


def no_game() -> TableRefusal:
    """Return the refusal for a game that does not exist."""
    return TableRefusal(RefusalCode.GAME, message("Game not found."))


def no_components() -> TableRefusal:
    """Return the refusal for a component file that does not exist."""
    return TableRefusal(RefusalCode.NO_COMPONENTS, message("Component file not found."))


def bad_components(findings: str) -> TableRefusal:
    """Return the refusal for an invalid component file."""
    return TableRefusal(
        RefusalCode.COMPONENTS, message("This component file can’t be used: {findings}", findings=findings)
    )


def components_too_slow() -> TableRefusal:
    """Return the refusal for a component file that takes too much time or memory to read."""
    words = message("This component file can’t be used: reading it takes too much time or memory.")
    return TableRefusal(RefusalCode.COMPONENTS, words)


def bad_record(problem: str) -> TableRefusal:
    """Return the refusal for an invalid record."""
    return TableRefusal(RefusalCode.RECORD, message("This game record can’t be read: {problem}", problem=problem))


def record_too_slow() -> TableRefusal:
    """Return the refusal for a record that takes too much time or memory to read."""
    return TableRefusal(
        RefusalCode.RECORD, message("This game record can’t be read: it takes too much time or memory.")
    )


def unknown_components_of_record(fingerprint: str) -> TableRefusal:
    """Return the refusal for a record whose component file has not been uploaded."""
    words = message(
        "This game was played with custom components ({fingerprint}). Upload the component file first.",
        fingerprint=fingerprint,
    )
    return TableRefusal(RefusalCode.RECORD, words)


def no_language() -> TableRefusal:
    """Return the refusal for a language that does not exist."""
    return TableRefusal(RefusalCode.LANGUAGE, message("This language is not available."))


def no_code() -> TableRefusal:
    """Return the refusal for a code that is wrong, used or expired."""
    return TableRefusal(
        RefusalCode.NO_CODE, message("This code is wrong, has already been used or is over ten minutes old.")
    )


def logged_in(name: str) -> TableRefusal:
    """Return the refusal for a visitor who is logged in with games or component files."""
    words = message("You’re signed in here as {name} and have games or component files. Sign out first.", name=name)
    return TableRefusal(RefusalCode.LOGGED_IN, words)


def too_many_codes() -> TableRefusal:
    """Return the refusal after too many wrong codes."""
    return TableRefusal(RefusalCode.TOO_MANY_CODES, message("Too many wrong codes. Try again in ten minutes."))


def no_animation_speed() -> TableRefusal:
    """Return the refusal for an unknown animation speed."""
    return TableRefusal(RefusalCode.PACE, message("Unknown animation speed."))


def no_theme() -> TableRefusal:
    """Return the refusal for an unknown theme."""
    return TableRefusal(RefusalCode.THEME, message("Unknown theme."))
