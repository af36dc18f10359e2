"""No: what a table says when something cannot be done: a code for programs, and words for people.

The texts of the kernel's own refusals (a rule, the turn) come from the game; those of the table stand here, each once.
"""

from __future__ import annotations

from spieltisch.core.errors import Refusal
from spieltisch.core.words import Message, message
from spieltisch.tables.refusal_codes import RefusalCode


class TableRefusal(Exception):
    """Something that cannot be done now, or not by this person; nothing was changed.

    `code` is a short word for programs, which has its kind; `message` a sentence for people; `rule` an anchor on the
    game's rules page where a rule is the reason ("" otherwise; "turn" and "over" as in `Refusal`).
    """

    def __init__(self, code: RefusalCode, words: Message, rule: str = "") -> None:
        super().__init__(code, words, rule)  # what it is made of, so that it pickles
        self.code = code
        self.message = words
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


NOT_YOUR_TURN = Refusal("turn", message("It is not your turn."))


def no_table() -> TableRefusal:
    return TableRefusal(RefusalCode.NO_TABLE, message("There is no such table, or it is not open to you."))


def lost_table() -> TableRefusal:
    words = message("The server has lost this table: its file came back older than it was.")
    return TableRefusal(RefusalCode.NO_TABLE, words)


def no_link() -> TableRefusal:
    return TableRefusal(RefusalCode.NO_LINK, message("This link is not valid, or not any more. Ask for a new one."))


def no_seat() -> TableRefusal:
    return TableRefusal(RefusalCode.SEAT, message("There is no such seat at this table."))


def no_bot() -> TableRefusal:
    return TableRefusal(RefusalCode.BOT, message("There is no such opponent for this game."))


def not_your_seat() -> TableRefusal:
    return TableRefusal(RefusalCode.NOT_YOUR_SEAT, message("You do not sit at this table."))


def not_host() -> TableRefusal:
    return TableRefusal(RefusalCode.NOT_HOST, message("Only the host of the table can do this."))


def not_invited() -> TableRefusal:
    return TableRefusal(RefusalCode.NOT_INVITED, message("This seat is taken by invitation. Ask the host for a link."))


def seat_taken() -> TableRefusal:
    return TableRefusal(RefusalCode.SEAT_TAKEN, message("This seat is taken."))


def no_free_seat() -> TableRefusal:
    return TableRefusal(RefusalCode.SEAT_TAKEN, message("There is no free seat at this table."))


def already_seated() -> TableRefusal:
    return TableRefusal(RefusalCode.ALREADY_SEATED, message("You already sit at this table."))


def own_seat() -> TableRefusal:
    return TableRefusal(RefusalCode.OWN_SEAT, message("This is your own seat; you can leave it."))


def not_taken() -> TableRefusal:
    return TableRefusal(RefusalCode.SEAT_EMPTY, message("Nobody sits there."))


def not_running() -> TableRefusal:
    return TableRefusal(RefusalCode.NOT_RUNNING, message("The game at this table is not running."))


def memory_game() -> TableRefusal:
    words = message("This game is played from memory; its record and its analysis can be had when it is over.")
    return TableRefusal(RefusalCode.MEMORY_GAME, words)


def table_over() -> TableRefusal:
    return TableRefusal(RefusalCode.OVER, message("The game at this table is over."), "over")


def stale() -> TableRefusal:
    words = message("Something has happened at the table in the meantime. Look again, and then decide.")
    return TableRefusal(RefusalCode.STALE, words)


def no_advice(table_gives_any: bool) -> TableRefusal:
    if not table_gives_any:
        return TableRefusal(RefusalCode.NO_ADVICE, message("Nobody is given hints at this table."))
    words = message("Advice is given only at tables where one person plays against bots.")
    return TableRefusal(RefusalCode.NO_ADVICE, words)


def no_advice_yet() -> TableRefusal:
    words = message("There is no advice yet: what it needs is not compiled on this server, or not any more.")
    return TableRefusal(RefusalCode.NO_ADVICE_YET, words)


def no_advice_now() -> TableRefusal:
    return TableRefusal(RefusalCode.NO_ADVICE_NOW, message("No advice came of it this time. Ask again."))


def no_analysis_yet() -> TableRefusal:
    words = message("There is no analysis yet: this server still compiles what it needs for it. Come back in a minute.")
    return TableRefusal(RefusalCode.NO_ANALYSIS_YET, words)


def too_many_analyses() -> TableRefusal:
    words = message("Other games are being looked at already. Come back in a few minutes.")
    return TableRefusal(RefusalCode.TOO_MANY_ANALYSES, words)


def nothing_to_undo() -> TableRefusal:
    return TableRefusal(RefusalCode.NOTHING_TO_UNDO, message("There is nothing to take back."))


def final_move() -> TableRefusal:
    words = message("This move is final: it drew by chance, told something new, or ended the turn.")
    return TableRefusal(RefusalCode.FINAL_MOVE, words)


def nothing_asked() -> TableRefusal:
    return TableRefusal(RefusalCode.NOTHING_ASKED, message("Nobody has asked for this, or the question is settled."))


def already_asked() -> TableRefusal:
    return TableRefusal(RefusalCode.ALREADY_ASKED, message("This has been asked already; the others have to answer."))


def frozen() -> TableRefusal:
    words = message(
        "This table is frozen: under the present rules its game comes out differently. It can only be read."
    )
    return TableRefusal(RefusalCode.FROZEN, words)


def not_over() -> TableRefusal:
    return TableRefusal(RefusalCode.NOT_OVER, message("The game at this table is not over yet."))


def withheld() -> TableRefusal:
    return TableRefusal(
        RefusalCode.WITHHELD, message("This is kept back until the other tables of this deal are over.")
    )


def already_in_duplicate() -> TableRefusal:
    words = message(
        "You play this deal at another table already, or have seen it there. Each person plays a deal once."
    )
    return TableRefusal(RefusalCode.ALREADY_IN_DUPLICATE, words)


def unknown_move(text: str) -> TableRefusal:
    words = message("“{text}” is no move of this game.", text=text[:80])
    return TableRefusal(RefusalCode.UNKNOWN_MOVE, words)


def illegal(refusal: Refusal) -> TableRefusal:
    """The kernel's refusal with the code that belongs to it: not your turn, game over, or against a rule."""
    if refusal.rule == "turn":
        return TableRefusal(RefusalCode.TURN, refusal.message, refusal.rule)
    if refusal.rule == "over":
        return TableRefusal(RefusalCode.OVER, refusal.message, refusal.rule)
    return TableRefusal(RefusalCode.ILLEGAL, refusal.message, refusal.rule)


def damaged() -> TableRefusal:
    words = message("What is stored of this table is damaged and cannot be read.")
    return TableRefusal(RefusalCode.DAMAGED, words)


def not_written() -> TableRefusal:
    words = message("This could not be stored, so nothing was changed. Please try again; if it goes on, tell the host.")
    return TableRefusal(RefusalCode.NOT_WRITTEN, words)


def no_game() -> TableRefusal:
    return TableRefusal(RefusalCode.GAME, message("There is no such game."))


def no_components() -> TableRefusal:
    return TableRefusal(RefusalCode.NO_COMPONENTS, message("There is no such component file."))


def bad_components(findings: str) -> TableRefusal:
    return TableRefusal(
        RefusalCode.COMPONENTS, message("This component file cannot be used: {findings}", findings=findings)
    )


def components_too_slow() -> TableRefusal:
    words = message("This component file cannot be used: reading it takes too much time or memory.")
    return TableRefusal(RefusalCode.COMPONENTS, words)


def bad_record(problem: str) -> TableRefusal:
    return TableRefusal(RefusalCode.RECORD, message("This record cannot be read: {problem}", problem=problem))


def record_too_slow() -> TableRefusal:
    return TableRefusal(RefusalCode.RECORD, message("This record cannot be read: it takes too much time or memory."))


def unknown_components_of_record(fingerprint: str) -> TableRefusal:
    words = message(
        "This game was played with components of its own ({fingerprint}). Bring their file along first.",
        fingerprint=fingerprint,
    )
    return TableRefusal(RefusalCode.RECORD, words)


def no_language() -> TableRefusal:
    return TableRefusal(RefusalCode.LANGUAGE, message("There is no such language here."))


def no_code() -> TableRefusal:
    return TableRefusal(
        RefusalCode.NO_CODE, message("This code is wrong, was used already, or is older than ten minutes.")
    )


def logged_in(name: str) -> TableRefusal:
    words = message("You’re logged in here as {name}, with games or component files. Log out first.", name=name)
    return TableRefusal(RefusalCode.LOGGED_IN, words)


def too_many_codes() -> TableRefusal:
    return TableRefusal(
        RefusalCode.TOO_MANY_CODES, message("Too many wrong codes came from here. Try again in ten minutes.")
    )


def no_animation_speed() -> TableRefusal:
    return TableRefusal(RefusalCode.PACE, message("Pieces cannot move at this pace."))


def no_theme() -> TableRefusal:
    return TableRefusal(RefusalCode.THEME, message("There is no such theme."))
