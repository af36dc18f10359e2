"""The rules of Legendary Inventors, L1 to L29 with the rulings S1 to S14, as functions over records.

`s` is the state, `c` components and options, `w` working memory (`state.py`, `params.py`). A function that forbids
something returns the code of the reason (`refusals.py`), or 0. A seat without a choice is not asked: after each move,
moves that are the only legal ones are played automatically (`entry_points.py`).
"""
