"""Benchmarks: scripts to run manually; `docs/performance.md` has their results."""
