"""Provenance of the values in a component file: its `[[provenance]]` tables, looked up by the path of a value."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

import msgspec

MarkName = Literal["printed", "reported", "example", "reconstructed"]
MARKS: Final[tuple[MarkName, ...]] = get_args(MarkName)
"""The marks of provenance.

In this order: in a rulebook or on a public picture of the parts in the box; second-hand, in a review or a
transcription; in a worked example of a rulebook; reconstructed by this project and balanced by simulation.
"""


class Mark(msgspec.Struct, frozen=True):
    """The provenance of a value: one of `MARKS`, and the evidence for it."""

    mark: MarkName
    evidence: str


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[provenance]]` table: the mark of the values at or below the path `of`, in which `*` matches any one step."""

    of: str
    mark: MarkName
    evidence: str

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the path."""
        return tuple(self.of.split("."))

    @property
    def precision(self) -> tuple[int, list[bool]]:
        """A sort key that is greater for a more specific entry: more steps, then more steps that are not `*`."""
        return len(self.steps), [step != "*" for step in self.steps]


_Tree: TypeAlias = "dict[str | None, _Tree | Provenance]"


class ProvenanceIndex:
    """An index of entries by path. A lookup takes as long with thousands of entries as with a few.

    >>> sources = ProvenanceIndex(
    ...     [Provenance("cities", "printed", "map"), Provenance("cities.*.name", "example", "page 4")]
    ... )
    >>> [entry.of for entry in sources.lookup("cities.lyon.name.en")]
    ['cities', 'cities.*.name']
    """

    def __init__(self, entries: Iterable[Provenance]) -> None:
        self._tree: _Tree = {}
        for entry in entries:
            node = self._tree
            for step in entry.steps:
                node = node.setdefault(step, {})  # type: ignore[assignment]  # under a step is a tree
            node[None] = entry

    def lookup(self, path: str) -> list[Provenance]:
        """Return the entries for this path and for the paths above it."""
        entries: list[Provenance] = []
        nodes = [self._tree]
        for step in path.split("."):
            nodes = [node[key] for node in nodes for key in {step, "*"} if key in node]  # type: ignore[misc]  # as above
            entries += [node[None] for node in nodes if None in node]  # type: ignore[misc]  # under None is an entry
        return entries
