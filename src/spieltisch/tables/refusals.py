"""No: what a table answers when something cannot be done. It has a proper HTTP status, and words for people.

The texts of the kernel's own refusals (a rule, the turn) come from the game; those of the table stand here, each once.
"""

from __future__ import annotations

from spieltisch.core.refusal import Refusal
from spieltisch.core.words import Message, message


class TableRefusal(Exception):
    """Something that cannot be done now, or not by this person; nothing was changed.

    `status` is the HTTP status, `code` a short word for programs, `message` a sentence for people, `rule` an anchor
    on the game's rules page where a rule is the reason ("" otherwise; "turn" and "over" as in `Refusal`).
    """

    def __init__(self, status: int, code: str, words: Message, rule: str = "") -> None:
        super().__init__(f"{status} {code}: {words}")
        self.status = status
        self.code = code
        self.message = words
        self.rule = rule


NOT_YOUR_TURN = Refusal("turn", message("It is not your turn."))


def no_table() -> TableRefusal:
    return TableRefusal(404, "no-table", message("There is no such table."))


def no_link() -> TableRefusal:
    return TableRefusal(404, "no-link", message("This link is not valid, or not any more. Ask for a new one."))


def no_seat() -> TableRefusal:
    return TableRefusal(422, "seat", message("There is no such seat at this table."))


def no_bot() -> TableRefusal:
    return TableRefusal(422, "bot", message("There is no such opponent for this game."))


def not_your_seat() -> TableRefusal:
    return TableRefusal(403, "not-your-seat", message("You do not sit at this table."))


def not_host() -> TableRefusal:
    return TableRefusal(403, "not-host", message("Only the host of the table can do this."))


def not_invited() -> TableRefusal:
    return TableRefusal(403, "not-invited", message("This seat is taken by invitation. Ask the host for a link."))


def may_not_watch() -> TableRefusal:
    return TableRefusal(403, "may-not-watch", message("This table is not open to spectators."))


def seat_taken() -> TableRefusal:
    return TableRefusal(409, "seat-taken", message("This seat is taken."))


def no_free_seat() -> TableRefusal:
    return TableRefusal(409, "seat-taken", message("There is no free seat at this table."))


def already_seated() -> TableRefusal:
    return TableRefusal(409, "already-seated", message("You already sit at this table."))


def own_seat() -> TableRefusal:
    return TableRefusal(409, "own-seat", message("This is your own seat; you can leave it."))


def not_taken() -> TableRefusal:
    return TableRefusal(409, "not-taken", message("Nobody sits there."))


def not_running() -> TableRefusal:
    return TableRefusal(409, "not-running", message("The game at this table is not running."))


def forgotten() -> TableRefusal:
    words = message("This game is played from memory; its record can be had when it is over.")
    return TableRefusal(409, "forgotten", words)


def not_open() -> TableRefusal:
    return TableRefusal(409, "not-open", message("The game has already begun."))


def table_over() -> TableRefusal:
    return TableRefusal(409, "over", message("The game at this table is over."), "over")


def stale() -> TableRefusal:
    words = message("Something has happened at the table in the meantime. Look again, and then decide.")
    return TableRefusal(409, "stale", words)


def nothing_to_undo() -> TableRefusal:
    return TableRefusal(409, "nothing-to-undo", message("There is nothing to take back."))


def final_move() -> TableRefusal:
    words = message("This move is final: it drew by chance, told something new, or ended the turn.")
    return TableRefusal(409, "final-move", words)


def nothing_asked() -> TableRefusal:
    return TableRefusal(409, "nothing-asked", message("Nobody has asked for this, or the question is settled."))


def already_asked() -> TableRefusal:
    return TableRefusal(409, "already-asked", message("This has been asked already; the others have to answer."))


def frozen() -> TableRefusal:
    words = message(
        "This table is frozen: under the present rules its game comes out differently. It can only be read."
    )
    return TableRefusal(409, "frozen", words)


def not_over() -> TableRefusal:
    return TableRefusal(409, "not-over", message("The game at this table is not over yet."))


def unknown_move(text: str) -> TableRefusal:
    words = message("“{text}” is no move of this game.", text=text[:80])
    return TableRefusal(422, "unknown-move", words)


def illegal(refusal: Refusal) -> TableRefusal:
    """The kernel's refusal with the status that belongs to it: not your turn, game over, or against a rule."""
    if refusal.rule == "turn":
        return TableRefusal(403, "turn", refusal.message, refusal.rule)
    if refusal.rule == "over":
        return TableRefusal(409, "over", refusal.message, refusal.rule)
    return TableRefusal(422, "illegal", refusal.message, refusal.rule)


def damaged() -> TableRefusal:
    words = message("What is stored of this table is damaged and cannot be read.")
    return TableRefusal(500, "damaged", words)


def not_written() -> TableRefusal:
    words = message("This could not be stored, so nothing was changed. Please try again; if it goes on, tell the host.")
    return TableRefusal(503, "not-written", words)


def no_game() -> TableRefusal:
    return TableRefusal(422, "game", message("There is no such game."))


def no_components() -> TableRefusal:
    return TableRefusal(404, "no-components", message("There is no such component file."))


def bad_components(findings: str) -> TableRefusal:
    return TableRefusal(422, "components", message("This component file cannot be used: {findings}", findings=findings))


def no_language() -> TableRefusal:
    return TableRefusal(422, "language", message("There is no such language here."))


def no_code() -> TableRefusal:
    return TableRefusal(404, "no-code", message("This code is wrong, was used already, or is older than ten minutes."))


def no_pace() -> TableRefusal:
    return TableRefusal(422, "pace", message("Pieces cannot move at this pace."))


def no_theme() -> TableRefusal:
    return TableRefusal(422, "theme", message("There is no such theme."))
