"""Read the findings of an error in a component file."""

from __future__ import annotations

from functools import partial

from spieltisch.core.components import ComponentsError
from tests.sentences import sentence_after

validation = partial(sentence_after, "core/toml_validation.py")
whole_number_required = partial(validation, "elif inner is int:")


def findings_of(error: ComponentsError) -> list[tuple[str, str]]:
    """Return the findings: each key path with its problem."""
    listed_findings = [(finding.path, str(finding.message)) for finding in error.findings]
    assert str(error) == "\n".join(f"{path}: {text}" if path else text for path, text in listed_findings)
    return listed_findings
