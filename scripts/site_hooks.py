"""Hooks of MkDocs: the site has pages that lie outside docs/, and links between all of them lead there.

MkDocs imports this file (see mkdocs.yml); it runs where only the tools of the site are installed.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
OUTSIDE_DOCS = ("CONTRIBUTING.md", "CHANGELOG.md", "bench/NOTES.md")
"""The files outside docs/ that belong to the site, at the same place below its root."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere."""
    for name in OUTSIDE_DOCS:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files of the repository into links between pages; drop those to examples."""
    source = page.file.src_uri
    folder = posixpath.dirname(source if source in OUTSIDE_DOCS else f"docs/{source}")

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, match[1]))
        return f"]({posixpath.relpath(target.removeprefix('docs/'), posixpath.dirname(source) or '.')}"

    markdown = re.sub(r"\[([^]]*)\]\((?:\.\./)+examples/[^)]*\)", r"\1", markdown)
    return re.sub(r"\]\((?![a-z]+:|#)([^)#\s]+)", link, markdown)
