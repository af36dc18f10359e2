"""How much it holds: scripts to be run by hand, with what they found in `docs/performance.md`."""
