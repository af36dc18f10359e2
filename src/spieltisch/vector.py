"""Many games at once, compiled: see `spieltisch.lab.vector`.

>>> from spieltisch.vector import VectorEnv
>>> VectorEnv.__name__
'VectorEnv'
"""

from spieltisch.lab.saved_game import SavedGame
from spieltisch.lab.vector import VectorEnv, prepare
from spieltisch.lab.vector_players import VectorPolicy

__all__ = ["SavedGame", "VectorEnv", "VectorPolicy", "prepare"]
