"""No: what a table says when something cannot be done: a code for programs, and words for people.

The texts of the kernel's own refusals (a rule, the turn) come from the game; those of the table stand here, each once.
"""

from __future__ import annotations

from typing import Final

from spieltisch.core.refusal import Refusal
from spieltisch.core.words import Message, message


class TableRefusal(Exception):
    """Something that cannot be done now, or not by this person; nothing was changed.

    `code` is a short word for programs, `message` a sentence for people, `rule` an anchor on the game's rules page
    where a rule is the reason ("" otherwise; "turn" and "over" as in `Refusal`).
    """

    def __init__(self, code: str, words: Message, rule: str = "") -> None:
        super().__init__(f"{code}: {words}")
        self.code = code
        self.message = words
        self.rule = rule


NOBODYS_FAULT: Final = frozenset({"damaged", "not-written"})
"""Codes of what is not against anybody's wish: the file could not be read, or not be written."""

NOT_YOUR_TURN = Refusal("turn", message("It is not your turn."))


def no_table() -> TableRefusal:
    return TableRefusal("no-table", message("There is no such table, or it is not open to you."))


def lost_table() -> TableRefusal:
    words = message("The server has lost this table: its file came back older than it was.")
    return TableRefusal("no-table", words)


def no_link() -> TableRefusal:
    return TableRefusal("no-link", message("This link is not valid, or not any more. Ask for a new one."))


def no_seat() -> TableRefusal:
    return TableRefusal("seat", message("There is no such seat at this table."))


def no_bot() -> TableRefusal:
    return TableRefusal("bot", message("There is no such opponent for this game."))


def not_your_seat() -> TableRefusal:
    return TableRefusal("not-your-seat", message("You do not sit at this table."))


def not_host() -> TableRefusal:
    return TableRefusal("not-host", message("Only the host of the table can do this."))


def not_invited() -> TableRefusal:
    return TableRefusal("not-invited", message("This seat is taken by invitation. Ask the host for a link."))


def seat_taken() -> TableRefusal:
    return TableRefusal("seat-taken", message("This seat is taken."))


def no_free_seat() -> TableRefusal:
    return TableRefusal("seat-taken", message("There is no free seat at this table."))


def already_seated() -> TableRefusal:
    return TableRefusal("already-seated", message("You already sit at this table."))


def own_seat() -> TableRefusal:
    return TableRefusal("own-seat", message("This is your own seat; you can leave it."))


def not_taken() -> TableRefusal:
    return TableRefusal("not-taken", message("Nobody sits there."))


def not_running() -> TableRefusal:
    return TableRefusal("not-running", message("The game at this table is not running."))


def forgotten() -> TableRefusal:
    words = message("This game is played from memory; its record and its analysis can be had when it is over.")
    return TableRefusal("forgotten", words)


def begun() -> TableRefusal:
    words = message("Chance is settled at this table: nobody can add to it any more.")
    return TableRefusal("begun", words)


def already_added() -> TableRefusal:
    return TableRefusal("already-added", message("You have added to chance already; what was added stands."))


def table_over() -> TableRefusal:
    return TableRefusal("over", message("The game at this table is over."), "over")


def stale() -> TableRefusal:
    words = message("Something has happened at the table in the meantime. Look again, and then decide.")
    return TableRefusal("stale", words)


def no_advice(table_gives_any: bool) -> TableRefusal:
    if not table_gives_any:
        return TableRefusal("no-advice", message("Nobody is given hints at this table."))
    words = message("Advice is given only at tables where one person plays against bots.")
    return TableRefusal("no-advice", words)


def no_advice_yet() -> TableRefusal:
    words = message("There is no advice yet: what it needs is not compiled on this server, or not any more.")
    return TableRefusal("no-advice-yet", words)


def no_advice_now() -> TableRefusal:
    return TableRefusal("no-advice-now", message("No advice came of it this time. Ask again."))


def no_analysis_yet() -> TableRefusal:
    words = message("There is no analysis yet: this server still compiles what it needs for it. Come back in a minute.")
    return TableRefusal("no-analysis-yet", words)


def too_many_analyses() -> TableRefusal:
    words = message("Other games are being looked at already. Come back in a few minutes.")
    return TableRefusal("too-many-analyses", words)


def nothing_to_undo() -> TableRefusal:
    return TableRefusal("nothing-to-undo", message("There is nothing to take back."))


def final_move() -> TableRefusal:
    words = message("This move is final: it drew by chance, told something new, or ended the turn.")
    return TableRefusal("final-move", words)


def nothing_asked() -> TableRefusal:
    return TableRefusal("nothing-asked", message("Nobody has asked for this, or the question is settled."))


def already_asked() -> TableRefusal:
    return TableRefusal("already-asked", message("This has been asked already; the others have to answer."))


def frozen() -> TableRefusal:
    words = message(
        "This table is frozen: under the present rules its game comes out differently. It can only be read."
    )
    return TableRefusal("frozen", words)


def not_over() -> TableRefusal:
    return TableRefusal("not-over", message("The game at this table is not over yet."))


def kept_back() -> TableRefusal:
    return TableRefusal("kept-back", message("This is kept back until the other tables of this deal are over."))


def one_of_a_deal() -> TableRefusal:
    words = message(
        "You play this deal at another table already, or have seen it there. Each person plays a deal once."
    )
    return TableRefusal("one-of-a-deal", words)


def one_deal_of_two() -> TableRefusal:
    words = message(
        "Both of them play, or played, one deal at different tables. "
        "They can be one person when all its tables are over."
    )
    return TableRefusal("one-of-a-deal", words)


def unknown_move(text: str) -> TableRefusal:
    words = message("“{text}” is no move of this game.", text=text[:80])
    return TableRefusal("unknown-move", words)


def illegal(refusal: Refusal) -> TableRefusal:
    """The kernel's refusal with the code that belongs to it: not your turn, game over, or against a rule."""
    if refusal.rule == "turn":
        return TableRefusal("turn", refusal.message, refusal.rule)
    if refusal.rule == "over":
        return TableRefusal("over", refusal.message, refusal.rule)
    return TableRefusal("illegal", refusal.message, refusal.rule)


def damaged() -> TableRefusal:
    words = message("What is stored of this table is damaged and cannot be read.")
    return TableRefusal("damaged", words)


def not_written() -> TableRefusal:
    words = message("This could not be stored, so nothing was changed. Please try again; if it goes on, tell the host.")
    return TableRefusal("not-written", words)


def no_game() -> TableRefusal:
    return TableRefusal("game", message("There is no such game."))


def no_components() -> TableRefusal:
    return TableRefusal("no-components", message("There is no such component file."))


def bad_components(findings: str) -> TableRefusal:
    return TableRefusal("components", message("This component file cannot be used: {findings}", findings=findings))


def endless_components() -> TableRefusal:
    words = message("This component file cannot be used: reading it takes too much time or memory.")
    return TableRefusal("components", words)


def bad_record(problem: str) -> TableRefusal:
    return TableRefusal("record", message("This record cannot be read: {problem}", problem=problem))


def endless_record() -> TableRefusal:
    return TableRefusal("record", message("This record cannot be read: it takes too much time or memory."))


def unknown_components_of_record(fingerprint: str) -> TableRefusal:
    words = message(
        "This game was played with components of its own ({fingerprint}). Bring their file along first.",
        fingerprint=fingerprint,
    )
    return TableRefusal("record", words)


def no_language() -> TableRefusal:
    return TableRefusal("language", message("There is no such language here."))


def no_code() -> TableRefusal:
    return TableRefusal("no-code", message("This code is wrong, was used already, or is older than ten minutes."))


def too_many_codes() -> TableRefusal:
    return TableRefusal("too-many-codes", message("Too many wrong codes came from here. Try again in ten minutes."))


def no_pace() -> TableRefusal:
    return TableRefusal("pace", message("Pieces cannot move at this pace."))


def no_theme() -> TableRefusal:
    return TableRefusal("theme", message("There is no such theme."))
