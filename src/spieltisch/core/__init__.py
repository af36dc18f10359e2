"""The kernel that all games share: words, components, positions, moves, records and compiled rules.

Belongs here: what all games need, such as words, components, positions, moves, records and compiled rules. Does not
belong here: what only one game needs (its folder in `games`), shapes and colours (`drawing`), people (`tables`).
"""
