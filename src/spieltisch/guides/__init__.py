"""Guided first rounds and worked examples: a few short steps through a real game.

Belongs here: how lessons and worked examples are read, played and checked against the rules. Does not belong here:
their texts (in the folder of the game), and the pages that show them (`web`).

The first round of a game is the file `guide/guide.toml` in its folder: seats, seed and options of a real start, the
seat of the learner, and steps, each with an explanation, the rules behind it, and tasks. Worked examples are files
`examples/NAME.toml`, whose steps have no tasks. The moves of the other seats are scripted, so the rules themselves
produce everything that is shown. `spieltisch.guides.check` plays all of it, so that a guide cannot be out of date after
a change of the rules.

>>> import spieltisch
>>> game = spieltisch.game("paris-connection")
>>> guide = guide_of(game)
>>> lesson = play_lesson(game, guide, 1, [])
>>> lesson.number, lesson.is_complete, lesson.position.seat + 1 == guide.seat
(1, False, True)
"""

from spieltisch.guides.guide import Guide, GuideError, ScriptedGame, examples, guide_of, read
from spieltisch.guides.lesson import Lesson, OffScript, play_lesson
