"""What all games share: words, components, positions, moves, records, compiled rules."""
