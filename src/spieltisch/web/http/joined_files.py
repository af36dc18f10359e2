"""Files that a page loads as one, so that its first visit needs few requests.

Style sheets are put one after the other. A script contains its modules and all that these import, each once and in the
order in which a browser would run them. A module becomes a function that returns what it exports, so its own names stay
its own; what it imports, it takes from `modules`. Scripts of the site have no other forms of `import` and `export`
than those that are replaced here, no cycles, and nothing exported changes its value.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

JOINED_STYLES: Final[Mapping[str, Sequence[str]]] = {
    "table-page.css": (
        "table.css",
        "panel.css",
        "dock.css",
        "turn-moves.css",
        "animation.css",
        "chat.css",
        "plan.css",
        "phone.css",
    ),
    "lesson-page.css": ("table.css", "panel.css", "dock.css", "lesson.css", "animation.css"),
    "planned-turn-page.css": ("table.css", "panel.css", "turn-moves.css", "plan.css"),
    "replay-page.css": ("table.css", "panel.css", "chart.css", "replay.css", "animation.css"),
}
JOINED_SCRIPTS: Final[Mapping[str, Sequence[str]]] = {
    "table-page.js": ("table.js", "chat.js", "present-players.js"),
    "lesson-page.js": ("lesson.js",),
    "planned-turn-page.js": ("plan-page.js",),
    "puzzle-page.js": ("lesson.js", "puzzles.js", "share-buttons.js"),
    "replay-page.js": ("replay.js",),
}
IMPORT: Final = re.compile(r"^import (?:(?P<names>\{ [\w, ]+ \}) from )?'\./(?P<file>[\w-]+\.js)';$", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:(?:async )?function|class|const) (?P<name>\w+))", re.MULTILINE)
LEFT_OVER: Final = re.compile(r"^\s*(?:import|export)\b(?!\().*$", re.MULTILINE)


def join_modules(entries: Sequence[str], read: Callable[[str], str]) -> str:
    r"""Return one module that does what the entries do; `read` returns the content of a file.

    It exports `modules`, what each exports by file name, so that another script can use the same ones. Raise ValueError
    for a form that is not replaced.

    >>> files = {"one.js": "import { two } from './two.js';\nalert(two);", "two.js": "export const two = 2;"}
    >>> print(join_modules(["one.js"], files.__getitem__))
    export const modules = {};
    modules['two.js'] = (() => {
    const two = 2;
    return { two };
    })();
    modules['one.js'] = (() => {
    const { two } = modules['two.js'];
    alert(two);
    return {  };
    })();
    <BLANKLINE>
    """
    texts: dict[str, str] = {}
    for entry in entries:
        _add(entry, read, texts)
    return "export const modules = {};\n" + "".join(texts.values())


def _add(file: str, read: Callable[[str], str], texts: dict[str, str]) -> None:
    """Add a module after those that it imports, unless it is there."""
    if file in texts:
        return
    content = read(file)
    for match in IMPORT.finditer(content):
        _add(match["file"], read, texts)
    names = ", ".join(match["name"] for match in EXPORT.finditer(content))
    body = EXPORT.sub("", IMPORT.sub(_take_imported, content))
    if left := LEFT_OVER.search(body):
        raise ValueError(f"{file}: {left[0]}")
    texts[file] = f"modules['{file}'] = (() => {{\n{body.rstrip()}\nreturn {{ {names} }};\n}})();\n"


def _take_imported(match: re.Match[str]) -> str:
    return f"const {match['names']} = modules['{match['file']}'];" if match["names"] else ""
