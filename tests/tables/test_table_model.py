"""Any order of commands, allowed or not, against a simple model of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from spieltisch import tables
from spieltisch.tables import Event, Table, TableRefusal
from tests.tables.harness import ADA, BEN, CLEO, DORA, Sitting, Somebody
from tests.tiers import examples

WHO = st.sampled_from((ADA, BEN, CLEO, DORA))
QUESTIONS = st.sampled_from(
    (
        tables.ask_undo,
        tables.agree_undo,
        tables.refuse_undo,
        tables.ask_abort,
        tables.agree_abort,
        tables.refuse_abort,
        tables.leave,
    )
)


class TableModel(RuleBasedStateMachine):
    """The model: the moves that stand, who sits where, and what they added to chance."""

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

    @rule(person=WHO, seat=st.sampled_from((None, 0, 1, 2, 3)), by_link=st.booleans())
    def sits(self, person: Somebody, seat: int | None, by_link: bool) -> None:
        if self.attempt(lambda: self.sitting.does(tables.sit, person, seat, by_link=by_link)):
            taken = self.sitting.table.seat_of(person.id)
            assert taken is not None
            assert not self.seats[taken]
            assert person.id not in self.seats
            assert seat in (None, taken)
            self.seats[taken] = person.id

    @rule(person=WHO, pick=st.integers(0, 10_000))
    def plays(self, person: Somebody, pick: int) -> None:
        table = self.sitting.table
        move = "done"
        if table.position is not None and (legal := table.position.legal_moves):
            move = str(legal[pick % len(legal)])
        done = self.attempt(lambda: self.sitting.does(tables.play, person.id, move, table.version))
        may = table.status == "running" and table.to_decide is not None and self.seats[table.to_decide] == person.id
        assert done == may
        if done:
            self.moves.append(move)

    @rule(pick=st.integers(0, 10_000), many=st.integers(1, 6))
    def goes_on(self, pick: int, many: int) -> None:
        for _ in range(many):
            seat = self.sitting.table.to_decide
            if seat is None or not self.seats[seat]:
                return
            self.plays(next(person for person in (ADA, BEN, CLEO, DORA) if person.id == self.seats[seat]), pick)

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
        folded, table = self.sitting.folded(), self.sitting.table
        assert folded.summary() == table.summary()
        assert folded.moves == table.moves
        assert folded.undo_asked == table.undo_asked
        for perspective in (None, 0, 2):
            assert folded.log(perspective) == table.log(perspective)
        if table.position is not None:
            assert folded.position is not None
            assert folded.position.digest() == table.position.digest()


TestTableModel = TableModel.TestCase
TestTableModel.settings = settings(examples(8, 25), stateful_step_count=30)
