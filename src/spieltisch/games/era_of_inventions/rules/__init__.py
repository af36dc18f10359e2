"""The rules of Era of Inventions, E1 to E58 with the rulings R1 to R41, as functions over records.

`s` is the state, `c` components and options, `w` working memory. Legality is written once: `refusal` gives the reason
that forbids a move, or 0, by asking one function a rule; `legal` asks the same functions about every move worth asking
about. The actions stand in `factories.py` (A, B), `stores.py` (C), `producing.py` (D), `market.py` (E) and
`inventing.py` (F), all moves together in `course.py`; the order of play in `opening.py`, `turns.py`, `rounds.py` and
`ending.py`, and when anything may be done at all in `timing.py`.
"""
