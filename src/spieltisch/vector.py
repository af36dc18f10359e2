"""Many games at once, compiled: see `spieltisch.lab.vector`.

>>> from spieltisch.vector import VectorEnv
>>> VectorEnv.__name__
'VectorEnv'
"""

from spieltisch.lab.vector import VectorEnv, prepare

__all__ = ["VectorEnv", "prepare"]
