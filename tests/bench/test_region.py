"""Check `python -m bench.region`: its simulation agrees with the theory of queues and is reproducible."""

from __future__ import annotations

from math import log

import pytest
from bench.click_times import percentile
from bench.region import Costs, Region, Simulation

EVENING = Region(people=10_000)
SECONDS = 30.0


def test_times_of_pages_agree_with_the_theory_of_queues() -> None:
    region, costs = Region(people=1_440_000, changes=1e-9, pages=1.0), Costs(page=0.01)
    outcome = Simulation(region, costs, 1, 40.0, seed=1).run(4000.0)
    rate, mean = len(outcome.pages) / 4000.0, 1 / (100.0 - 80.0)  # M/M/1: 80 arrivals a second of 100 that it can serve
    assert rate == pytest.approx(80.0, rel=0.02)
    assert outcome.busy == pytest.approx(0.8, rel=0.02)
    assert sum(outcome.pages) / len(outcome.pages) == pytest.approx(mean, rel=0.1)
    assert percentile(outcome.pages, 0.99) == pytest.approx(mean * log(100), rel=0.1)
    assert not outcome.clicks


def test_the_processor_time_of_a_change_is_the_sum_of_the_times_of_its_parts() -> None:
    costs = Costs()
    outcome = Simulation(EVENING._replace(pages=0.0), costs, 1, 1000.0, seed=2).run(400.0)
    changes = len(outcome.pushes) / EVENING.seats
    assert outcome.busy * 400.0 / changes == pytest.approx(costs.check + EVENING.seats * costs.draw, rel=0.02)


def test_equal_seeds_give_equal_outcomes() -> None:
    first, second, third = (Simulation(EVENING, Costs(), 2, 40.0, seed).run(SECONDS) for seed in (3, 3, 4))
    assert first == second != third


def test_processes_with_too_little_memory_load_tables_again() -> None:
    enough, too_little = (Simulation(EVENING, Costs(), 2, megabytes, 5).run(SECONDS) for megabytes in (40.0, 10.0))
    assert enough.loads == 0.0
    assert too_little.loads > 0.3
    assert too_little.busy > enough.busy


def test_writes_that_wait_share_a_transaction() -> None:
    quick, slow = (Simulation(EVENING, Costs(commit=commit), 1, 40.0, 6).run(SECONDS) for commit in (0.001, 0.1))
    assert slow.commits < quick.commits / 2
    assert slow.committing <= 1.0
