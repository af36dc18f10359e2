"""Guided first rounds: a few short steps over a real game, for somebody who has never played it.

A game gets one by a file, `guide/guide.toml` in its folder: the seats, seed and options of a real start, whose seat is
the learner's, and steps with what to grasp, the rules it comes from, and what to try. What others do in between is
written down as moves, so everything the learner sees is said by the rules themselves; `spieltisch.guides.check` plays
it all through, so that a change of the rules cannot leave the guide behind.

>>> import spieltisch
>>> game = spieltisch.game("paris-connection")
>>> guide = of(game)
>>> lesson = walk(game, guide, 1, [])
>>> lesson.number, lesson.tried, lesson.position.seat + 1 == guide.seat
(1, False, True)
"""

from spieltisch.guides.guide import Ask, Guide, GuideError, Start, Step, of, read
from spieltisch.guides.lesson import Astray, Lesson, walk
from spieltisch.guides.script import Told

__all__ = ["Ask", "Astray", "Guide", "GuideError", "Lesson", "Start", "Step", "Told", "of", "read", "walk"]
