"""Model a table simply, for comparison with any order of commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from spieltisch import tables
from spieltisch.tables import Event, Table, TableRefusal
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, Somebody

WHO = st.sampled_from((ADA, BEN, CLEO, DORA))
QUESTIONS = st.sampled_from(
    (
        tables.ask_undo,
        tables.agree_undo,
        tables.refuse_undo,
        tables.ask_abort,
        tables.agree_abort,
        tables.refuse_abort,
        tables.ask_hints,
        tables.agree_hints,
        tables.refuse_hints,
        tables.leave,
    )
)


class TableModel(RuleBasedStateMachine):
    """A simple model of a table: the moves played and the people on the seats."""

    def __init__(self) -> None:
        super().__init__()
        self.sitting = self.begin()
        self.moves: list[str] = []
        self.seats: list[str] = [ADA.id, "", ""]

    def begin(self) -> Sitting:
        return Sitting.open("me", "open", "link")

    def attempt(self, command: Callable[[], object]) -> bool:
        try:
            command()
        except TableRefusal:
            return False
        return True

    @rule(person=WHO, seat=st.sampled_from((None, 0, 1, 2, 3)), has_link=st.booleans())
    def sits(self, person: Somebody, seat: int | None, has_link: bool) -> None:
        if self.attempt(lambda: self.sitting.does(tables.sit, person, seat, by_link=has_link)):
            taken_seat = self.sitting.table.seat_of(person.id)
            assert taken_seat is not None
            assert not self.seats[taken_seat]
            assert person.id not in self.seats
            assert seat in (None, taken_seat)
            self.seats[taken_seat] = person.id

    @rule(person=WHO, choice_number=st.integers(0, 10_000))
    def plays(self, person: Somebody, choice_number: int) -> None:
        table = self.sitting.table
        move = "done"
        if table.position is not None and (legal := table.position.legal_moves):
            move = str(legal[choice_number % len(legal)])
        is_done = self.attempt(lambda: self.sitting.does(tables.play, person.id, move, table.version))
        may = table.status == "running" and table.to_decide is not None and self.seats[table.to_decide] == person.id
        assert is_done == may
        if is_done:
            self.moves.append(move)

    @rule(choice_number=st.integers(0, 10_000), count=st.integers(1, 6))
    def goes_on(self, choice_number: int, count: int) -> None:
        for _ in range(count):
            seat = self.sitting.table.to_decide
            if seat is None or not self.seats[seat]:
                return
            self.plays(
                next(person for person in (ADA, BEN, CLEO, DORA) if person.id == self.seats[seat]), choice_number
            )

    @rule(person=WHO)
    def undoes(self, person: Somebody) -> None:
        if self.attempt(lambda: self.sitting.does(tables.undo, person.id, self.sitting.table.version)):
            self.moves.pop()

    @rule(person=WHO, command=QUESTIONS)
    def asks_or_answers(self, person: Somebody, command: Callable[[Table, str], Sequence[Event]]) -> None:
        table_before = self.sitting.table
        if not self.attempt(lambda: self.sitting.does(command, person.id)):
            return
        now = self.sitting.table
        if command is tables.leave and person.id in self.seats:  # else a reserved seat was declined
            self.seats[self.seats.index(person.id)] = ""
        if len(now.moves) < len(table_before.moves):
            assert now.undo_asked is None
            self.moves = self.moves[: len(now.moves)]
        if now.status == "aborted":
            assert table_before.status == "open" or all(
                not seat or table_before.abort_asked or seat == person.id for seat in self.seats
            )

    @invariant()
    def the_table_is_what_the_model_says(self) -> None:
        table = self.sitting.table
        assert [play.move for play in table.moves] == self.moves
        assert [seat.person if seat.kind == "person" else "" for seat in table.seats] == self.seats
        assert table.position is None or table.position_at(0).setup_draws == table.deal().setup_draws
        assert table.version == len(self.sitting.written)
        assert (table.secret is None) == (table.status in ("open", "running"))
        assert table.position is None or table.position.number == len(self.moves)

    def teardown(self) -> None:
        folded_table, table = self.sitting.folded(), self.sitting.table
        assert folded_table.summary() == table.summary()
        assert folded_table.moves == table.moves
        assert folded_table.undo_asked == table.undo_asked
        for perspective in (None, 0, 2):
            assert folded_table.log(perspective) == table.log(perspective)
        if table.position is not None:
            assert folded_table.position is not None
            assert folded_table.position.digest() == table.position.digest()
