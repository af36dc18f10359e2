"""Compare tables with a simple model under any order of commands, allowed or not."""

from __future__ import annotations

from hypothesis import settings

from tests.tables.table_model import TableModel
from tests.tiers import examples

TestTableModel = TableModel.TestCase
TestTableModel.settings = settings(examples(8, 25), stateful_step_count=30)
