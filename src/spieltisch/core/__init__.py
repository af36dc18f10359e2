"""The kernel that all games share: words, components, positions, moves, records and compiled rules."""
