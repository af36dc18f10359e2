"""Check that uploaded component files survive restarts and stricter checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from spieltisch import game
from spieltisch.core.components import ComponentsError
from spieltisch.core.components import read as read_components
from spieltisch.live import Live
from spieltisch.store import ComponentSet, Person, component_sets
from spieltisch.tables import NewTable
from tests.live.live_fixture import PLAN, play
from tests.sentences import template_after
from tests.tables.harness import refused

pytestmark = pytest.mark.both_databases
OVERDEALT = template_after("games/era_of_inventions/component_checks.py", "def _supply")


def test_a_table_with_an_uploaded_component_file_survives_a_restart(tmp_path: Path) -> None:
    rules = game("paris-connection")
    own_text = rules.components.text.replace('name = "', 'name = "my-', 1)
    digests: list[str] = []

    async def first(live: Live, ada: Person, ben: Person) -> None:
        digest = await live.components.add(ada.id, "paris-connection", own_text)
        assert await live.components.add(ada.id, "paris-connection", own_text) == digest
        digests.append(digest)
        assert [
            (file.digest, file.text, file.title.en)
            for file in await live.components.owned_by(ada.id, "paris-connection")
        ] == [(digest, own_text, rules.components.title.en)]
        assert await live.components.owned_by(ben.id, "paris-connection") == ()
        assert (await live.components.find("paris-connection", digest))[1].text == own_text
        with refused("no-components"):
            await live.components.find("paris-connection", "f" * 64)
        with refused("components"):
            await live.components.add(ada.id, "paris-connection", "rows = [")
        with refused("game"):
            await live.components.add(ada.id, "go", own_text)
        table = await live.tables.open(ada, NewTable("paris-connection", PLAN.seats, components=digest))
        assert table.opened.components == digest
        digests.append(table.id)

    async def second(live: Live, ada: Person, ben: Person) -> None:
        table = await live.tables.get(digests[1])
        assert table.setup is not None
        assert table.setup.components.text == own_text

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_stored_component_file_stays_valid_when_checks_become_stricter(tmp_path: Path) -> None:
    era = game("era-of-inventions")
    text = era.components.text.replace("total = 36", "total = 1", 1)
    with pytest.raises(ComponentsError) as raised:
        era.read_components(text)
    assert {finding.message.text for finding in raised.value.findings} == {OVERDEALT.text}

    async def job(live: Live, ada: Person, ben: Person) -> None:
        stored_set = ComponentSet.of(read_components(text, era.Contents), 1.0)
        await component_sets.add(live.store, stored_set)
        assert (await live.components.find(era.key, stored_set.digest))[1].text == text

    play(tmp_path, job)
