"""Where the values of a component file come from: the `[[provenance]]` tables at its end, found by a value's path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

import msgspec

MarkName = Literal["printed", "reported", "example", "reconstructed"]
MARKS: Final[tuple[MarkName, ...]] = get_args(MarkName)
"""In a rulebook or on a public picture of the box's own parts; second-hand, in a review or a transcription; in a
worked example of a rulebook; ours, balanced by simulation."""


class Mark(msgspec.Struct, frozen=True):
    """Where a value comes from: one of `MARKS`, and the evidence for it."""

    mark: MarkName
    evidence: str


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[provenance]]` table: the mark of the values at or below the path `of`, in which `*` is any one step."""

    of: str
    mark: MarkName
    evidence: str

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(self.of.split("."))

    @property
    def precision(self) -> tuple[int, list[bool]]:
        """Greater for an entry that says more: more steps, and then steps that are not `*`."""
        return len(self.steps), [step != "*" for step in self.steps]


_Tree: TypeAlias = "dict[str | None, _Tree | Provenance]"


class ProvenanceIndex:
    """Finds what is said about a path, among thousands of entries as quickly as among a few.

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
        """The entries whose paths are this one, or above it."""
        found: list[Provenance] = []
        nodes = [self._tree]
        for step in path.split("."):
            nodes = [node[key] for node in nodes for key in {step, "*"} if key in node]  # type: ignore[misc]  # as above
            found += [node[None] for node in nodes if None in node]  # type: ignore[misc]  # under None is an entry
        return found
