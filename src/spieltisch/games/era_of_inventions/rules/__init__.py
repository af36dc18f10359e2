"""The rules of Era of Inventions, E1 to E58 with the rulings R1 to R41, as functions over records.

`s` is the state, `c` components and options, `w` working memory. Legality is written once: `refusal` returns the reason
that forbids a move, or 0, by calling one function for each rule; `legal` calls the same functions for every move that
could be legal. The actions are in `factories.py` (A, B), `stores.py` (C), `producing.py` (D), `market.py` (E) and
`inventing.py` (F), all moves together in `entry_points.py`; the order of play is in `setup.py`, `turns.py`, `rounds.py`
and `ending.py`, and `phases.py` has the rules about the phases in which a move is possible at all.
"""
