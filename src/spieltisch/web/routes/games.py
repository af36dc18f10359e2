"""What belongs to a game and no table: its rules in four languages, its components and where their values come from."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from litestar import Response, get, post
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect

from spieltisch.core.components import MARKS, Components, Mark
from spieltisch.core.words import LANGUAGES, Message, message
from spieltisch.games import game as game_by_key
from spieltisch.web import markdown
from spieltisch.web.answers import Asked, fields, go, house_of, page, visit
from spieltisch.web.limits import gate_of
from spieltisch.web.refusals import PageRefusal

MARK_WORDS: Final[dict[str, tuple[Message, Message]]] = {
    "printed": (message("printed"), message("In a rulebook, or on a public picture of the box's own parts.")),
    "reported": (message("reported"), message("Second-hand: in a review or a transcription.")),
    "example": (message("example"), message("In a worked example of a rulebook.")),
    "reconstructed": (message("reconstructed"), message("Ours: not public, balanced by simulation.")),
}
"""What each mark is called, and what it means."""


@get("/games/{key:str}/rules")
async def rules(request: Asked, key: str) -> Response[str]:
    game = game_by_key(key)
    text = _rules(game.folder, visit(request).language)
    return page(request, "rules.html", game=game, text=markdown.html(text), headings=markdown.headings(text))


@lru_cache(maxsize=64)
def _rules(folder: Path, language: str) -> str:
    """The rules page of a game, in English where it has no other."""
    for file in (folder / "pages" / f"rules.{language}.md", folder / "pages" / "rules.en.md"):
        if file.exists():
            return file.read_text("utf-8")
    raise PageRefusal(404, "no-page", message("There is no such page."))


@get("/games/{key:str}/components")
async def components(request: Asked, key: str) -> Response[str]:
    """Every value of the component file with its source."""
    game = game_by_key(key)
    who = visit(request)
    digest = request.query_params.get("set", "")
    shown = await _chosen(request, key, digest)
    sets = await house_of(request).components(who.person_id, key) if who.person_id else ()
    return page(
        request,
        "components.html",
        game=game,
        components=shown,
        digest=digest,
        sets=sets,
        groups=_groups(shown, who.language),
        counts={mark: sum(found.mark == mark for _, _, found in shown.values()) for mark in MARKS},
        mark_words=MARK_WORDS,
    )


async def _chosen(request: Asked, key: str, digest: str) -> Components[Any]:
    return await house_of(request).read_components(game_by_key(key).key, digest)


def _groups(components: Components[Any], language: str) -> dict[str, list[tuple[str, str, Mark]]]:
    """The values by the first step of their path, names in the visitor's language only; the file's own name is none."""
    groups: dict[str, list[tuple[str, str, Mark]]] = {}
    for path, value, mark in components.values():
        first, _, rest = path.partition(".")
        named, _, last = rest.rpartition(".")
        if first in ("game", "name", "title") or (last in LANGUAGES and last != language):
            continue
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        groups.setdefault(first, []).append((named if last == language else rest, text, mark))
    return groups


@get("/games/{key:str}/components.toml")
async def components_file(request: Asked, key: str) -> Response[str]:
    """The component file itself, to edit and bring back."""
    shown = await _chosen(request, key, request.query_params.get("set", ""))
    headers = {"Content-Disposition": f'attachment; filename="{key}-{shown.name}.toml"'}
    return Response(shown.text, media_type="text/plain; charset=utf-8", headers=headers)


async def add_components(request: Asked, key: str) -> Redirect:
    """Keep an owner's component file; a damaged one is refused with the line that is wrong."""
    game_by_key(key)
    form = await fields(request)
    person = visit(request).person
    if person is None:
        raise PageRefusal(
            403, "no-name", message("Sit down at a table first: component files are kept with your name.")
        )
    await gate_of(request).component_file(house_of(request), person)
    digest = await house_of(request).add_components(person.id, key, form.get("text", ""))
    return go(f"/games/{key}/components?set={digest}")


ROUTES = [rules, components, components_file]


def uploads(longest: int | None) -> list[BaseRouteHandler]:
    """What takes forms that may be longer than others: as many bytes, or (None) any number."""
    return [post("/games/{key:str}/components", request_max_body_size=longest)(add_components)]
