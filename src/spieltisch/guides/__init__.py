"""Guided first rounds and worked examples: a few short steps over a real game.

A game gets a first round by a file, `guide/guide.toml` in its folder: the seats, seed and options of a real start,
whose seat is the learner's, and steps with what to grasp, the rules it comes from, and what to try; and worked examples
by files `examples/NAME.toml`, whose steps ask for nothing. What others do in between is written down as moves, so
everything one sees is said by the rules themselves; `spieltisch.guides.check` plays it all through, so that a change of
the rules cannot leave it behind.

>>> import spieltisch
>>> game = spieltisch.game("paris-connection")
>>> guide = guide_of(game)
>>> lesson = play_lesson(game, guide, 1, [])
>>> lesson.number, lesson.is_complete, lesson.position.seat + 1 == guide.seat
(1, False, True)
"""

from spieltisch.guides.guide import Example, Guide, GuideError, ScriptedGame, Step, Task, examples, guide_of, read
from spieltisch.guides.lesson import Lesson, OffScript, Told, play_lesson

__all__ = [
    "Example",
    "Guide",
    "GuideError",
    "Lesson",
    "OffScript",
    "ScriptedGame",
    "Step",
    "Task",
    "Told",
    "examples",
    "guide_of",
    "play_lesson",
    "read",
]
