"""Check metrics from outside: right numbers, no names, and access only with the token."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from spieltisch import tables
from spieltisch.core.errors import UnknownGame
from spieltisch.core.setup import Setup
from spieltisch.features import FEATURES
from spieltisch.features.metrics.service import Metrics
from spieltisch.live import Live
from spieltisch.tables import Opened
from tests.paths import ROOT
from tests.tables.harness import SECRET, Sitting
from tests.web.servers import Server, running_server
from tests.web.visitors import Visitor

OPENS = "correct horse"
UNSHOWN = re.compile(r"spieltisch_(loop_lag_seconds_(count|sum)|\w+_created)")
"""The metrics of ours that the dashboard need not show."""


@pytest.fixture(scope="module")
def metrics_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("measured"), "--metrics-token", OPENS) as started_server:
        yield started_server


def answer(server: Server, authorization: str) -> httpx.Response:
    return httpx.get(f"{server.address}/metrics", headers={"Authorization": authorization}, verify=False)


def values(text: str) -> dict[str, float]:
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_contain_counts_and_no_names(metrics_server: Server) -> None:
    with Visitor(metrics_server) as ada:
        table = ada.table("me", "open", "open")
        metrics = answer(metrics_server, f"Bearer {OPENS}")
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "Ada" not in metrics.text
    assert table.rpartition("/")[2] not in metrics.text
    metric_values = values(metrics.text)
    assert metric_values["spieltisch_tables open"] == metric_values["spieltisch_people"] == 1
    assert metric_values["spieltisch_table_changes_total paris-connection"] >= 1
    assert metric_values["spieltisch_outbox_alerts"] == metric_values["spieltisch_tables_with_bot_to_move"] == 0
    assert metric_values["spieltisch_database_bytes"] > 4096
    assert metric_values["process_resident_memory_bytes"] > 0
    assert "spieltisch_loop_lag_seconds_count" in metric_values
    assert "# TYPE spieltisch_log_lines_total counter" in metrics.text


def test_the_dashboard_queries_only_metrics_of_the_server(metrics_server: Server) -> None:
    with Visitor(metrics_server) as ada:
        ada.table("me", "open", "open")
        ada.post("/new/paris-connection", headers={"Origin": "https://elsewhere.example"})  # a line in the log
        text = answer(metrics_server, f"Bearer {OPENS}").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    counted = {sample.name for sample in samples}
    labels = {"job", "instance"}.union(*(sample.labels for sample in samples))
    dashboard = json.loads((ROOT / "deploy" / "grafana-dashboard.json").read_text("utf-8"))
    targets = [target for panel in dashboard["panels"] for target in panel["targets"]]
    asked = {name for target in targets for name in re.findall(r"(?:spieltisch|process|python)_\w+", target["expr"])}
    assert asked <= counted
    ours = {name for name in counted if name.startswith("spieltisch_") and not UNSHOWN.fullmatch(name)}
    assert ours <= asked
    grouped = {name for target in targets for name in re.findall(r"by \((\w+)\)", target["expr"])}
    assert grouped | {name for target in targets for name in re.findall(r"{{(\w+)}}", target["legendFormat"])} <= labels
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer other", f"Basic {OPENS}", OPENS])
def test_the_metrics_page_is_not_found_without_the_token(metrics_server: Server, authorization: str) -> None:
    refusal, unknown_page = (
        answer(metrics_server, authorization),
        httpx.get(f"{metrics_server.address}/nowhere", verify=False),
    )
    assert (refusal.status_code, unknown_page.status_code) == (404, 404)


def test_metrics_count_changes_of_a_table_with_an_uninstalled_game(tmp_path: Path) -> None:
    def gone(opened: Opened) -> Setup:
        raise UnknownGame(opened.game)

    async def job() -> bytes:
        live = await Live.open(tmp_path / "house.sqlite3", features=FEATURES)
        live.service(Metrics).count_change(tables.fold("t", SECRET, Sitting.running().written, gone))
        text = await live.service(Metrics).exposition(0)
        await live.close()
        return text

    assert b'spieltisch_table_changes_total{game="paris-connection"} 1.0' in asyncio.run(job())
