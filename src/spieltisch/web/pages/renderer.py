"""Templates: one Jinja environment for all pages, games and languages, with escaping and translation."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from spieltisch import guides
from spieltisch.bots import BEGINNER, BOTS
from spieltisch.core.game import Game
from spieltisch.core.setup import Setup
from spieltisch.core.words import LANGUAGES, Name, SeatName, Words, base_language, message
from spieltisch.drawing import FITTED, environment
from spieltisch.games import game as find_game
from spieltisch.games import game_modules
from spieltisch.live.limits import DEFAULT, Limits
from spieltisch.puzzles.puzzle_set import file_of
from spieltisch.tables import PRESETS
from spieltisch.tables.bot_characters import character_named
from spieltisch.tables.table_settings import AWAY_HOURS
from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.site_paths import IN_SITE, SitePaths, in_site
from spieltisch.web.pages.template_words import NO_MARKS, TemplateWords, plain_chip

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
LANGUAGE_NAMES: Final = {"en": "English", "de": "Deutsch", "fr": "Français", "nl": "Nederlands"}
TITLE: Final = "Spieltisch"

MAX_STATIC_DRAWINGS: Final = 64
"""Maximum number of setups and languages whose static drawings are cached."""
MAX_CHIPS: Final = 10_000
MAX_CACHED_ROWS: Final = 2000
"""Maximum number of rendered rows of lists that are cached, of about a kilobyte each."""
PAUSE_INTERVAL_SECONDS: Final = 0.004
"""The time for which a long template is rendered before other requests may go on."""
_WORDS: "Final[ContextVar[TemplateWords]]" = ContextVar("words")
"""The words of the page that is being rendered."""


class StaticDrawing(NamedTuple):
    """The static part of a game's drawing: URLs of its map and style sheets, and the definitions of its icons.

    Each page that shows the icons includes their definitions once. A field is "" for a part that the game does not
    have. The style sheet `desk` is for windows that match `fitted`, see `Drawing`.
    """

    board: str = ""
    style: str = ""
    desk: str = ""
    icons: Markup = Markup()
    fitted: str = FITTED


NO_DRAWING: Final = StaticDrawing()


def _build(assets: Assets, folders: Iterable[Path]) -> str:
    """Return a digest of the static files and templates: a page of another build reloads."""
    digest = hashlib.sha256(assets.version.encode())
    for file in sorted(file for folder in (TEMPLATES, *folders) for file in folder.rglob("*.*")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class Renderer:
    """Renders the templates of the web pages and of the games, with compiled templates cached in the folder `cache`.

    `folders` have more templates, named with the key of their folder before a slash. `epoch` returns the store's. Links
    lead below the `path` of the site.
    """

    def __init__(
        self,
        assets: Assets,
        drawn: DrawnFiles,
        *,
        pseudo: bool = False,
        limits: Limits = DEFAULT,
        bots: Sequence[str] = BOTS,
        cache: Path | None = None,
        epoch: Callable[[], str] = str,
        folders: Mapping[str, Path] = MappingProxyType({}),
        path: str = "",
    ) -> None:
        self.assets = assets
        self.drawn = drawn
        self._pseudo = pseudo
        self._limits = limits
        self._bots = bots
        self._folders = dict(folders)
        """The folders of templates by the first part of their names, for a game its key."""
        self._digest = _build(assets, folders.values())
        self._epoch = epoch
        self._environment = self._make(cache, path)
        self._spoken: dict[tuple[str, str], tuple[Words, dict[str, Markup]]] = {}
        self._sentences: OrderedDict[Hashable, Markup] = OrderedDict()
        self._chips: dict[tuple[str, str, str, str], Markup] = {}
        self._drawn_once: dict[tuple[Setup, str], StaticDrawing] = {}
        self._plates: dict[str, str] = {}
        self._rows: OrderedDict[tuple[str, str, Hashable], Markup] = OrderedDict()

    @property
    def build(self) -> str:
        """The digest of everything that pages are made from; a page of another build loads again."""
        return self._digest + self._epoch()

    def words(self, language: str, game: Game | None = None) -> Words:
        """Return the words of the pages in a language, with the game's catalogues first."""
        return Words(language, *([game.folder / "locale"] if game else []), pseudo=self._pseudo)

    def render(
        self,
        template: str,
        language: str,
        game: Game | None = None,
        names: Sequence[str] = (),
        *,
        marks: Mapping[Name, str] = NO_MARKS,
        **context: Any,
    ) -> str:
        """Render a template of the web pages. `marks` are the icons of pieces named in its sentences."""
        return self._render(template, language, game, names, marks, context)

    async def render_with_pauses(
        self,
        template: str,
        language: str,
        game: Game | None = None,
        names: Sequence[str] = (),
        *,
        marks: Mapping[Name, str] = NO_MARKS,
        **context: Any,
    ) -> str:
        """Render a long template like `render`; every few milliseconds other requests may go on."""
        parts = []
        with self._set_words(language, game, names, marks):
            paused = 0.0  # what is shown had to be computed first
            for part in self._environment.get_template(template).generate(language=language, game=game, **context):
                parts.append(part)
                if perf_counter() - paused > PAUSE_INTERVAL_SECONDS:
                    await asyncio.sleep(0)
                    paused = perf_counter()
        return "".join(parts)

    def render_part(self, template: str, language: str, game: Game | None = None, **context: Any) -> Markup:
        """Render a template as part of another."""
        return Markup(self.render(template, language, game, **context))  # noqa: S704 (escaped where it was rendered)

    def render_row(
        self, template: str, language: str, key: Hashable, context: Callable[[], Mapping[str, Any]]
    ) -> Markup:
        """Return a row of a list, rendered once for all `key`s that are equal; `context` is that of the template."""
        full_key = (template, language, key)
        row = self._rows.pop(full_key, None)
        self._rows[full_key] = row if row is not None else self.render_part(template, language, **context())
        if len(self._rows) > MAX_CACHED_ROWS:
            self._rows.popitem(last=False)
        return self._rows[full_key]

    def cover(self, game: Game | None) -> str:
        """Return the URL of the game's cover picture, without a game that of the first; "" if it has none."""
        game = game or find_game(next(iter(game_modules())))
        if game.key not in self._plates:
            self._plates[game.key] = self.render_drawing(game, "cover.svg", "en", (), {})
        svg = self._plates[game.key]
        return self.drawn.keep(svg, ".svg") if svg else ""

    def has_picture(self, game: Game) -> bool:
        """Return True if the game draws pictures of its tables, see `board_pictures`."""
        return game.drawing is not None and (game.drawing.templates / "picture.svg").exists()

    def word_html(self, game: Game, language: str, mark: str, label: str) -> Markup:
        """Return a word with its icon, drawn by the game's `icon_macros.html` if it has one."""
        language = base_language(language)
        key = (game.key, language, mark, label)
        if key not in self._chips:
            if len(self._chips) >= MAX_CHIPS:
                self._chips.clear()
            self._chips[key] = self._chip(game, language, mark, label)
        return self._chips[key]

    def _chip(self, game: Game, language: str, mark: str, label: str) -> Markup:
        drawing = game.drawing
        if not mark or drawing is None or not (drawing.templates / "icons.svg").exists():
            return plain_chip(mark, label)
        own_template = f"{self._folder(game, drawing.templates)}/icon_macros.html"
        marks = self._environment.select_template([own_template, "drawing/icon_macros.html"]).module
        with self._set_words(language, game):
            # The ignored error: mypy cannot know the macros of a template.
            chip: Markup = marks.chip(mark, label)  # type: ignore[attr-defined]  # a template's macro
        return chip

    def marks(self, game: Game, setup: Setup | None) -> Mapping[Name, str]:
        """Return the icons of the pieces named in a game's sentences."""
        drawing = game.drawing
        return NO_MARKS if drawing is None or setup is None else drawing.icons_by_name(setup)

    def render_drawing(
        self, game: Game, template: str, language: str, names: Sequence[str], context: Mapping[str, Any]
    ) -> str:
        """Render a template of a game's drawing; return "" if the game has no such template."""
        drawing = game.drawing
        if drawing is None or not (drawing.templates / template).exists():
            return ""
        path = f"{self._folder(game, drawing.templates)}/{template}"
        return self._render(path, language, game, names, NO_MARKS, context)

    def warm(self) -> None:
        """Load every template, so that none is compiled during a request."""
        for game in map(find_game, game_modules()):
            if game.drawing is not None:
                self._folder(game, game.drawing.templates)
        for name in self._environment.list_templates():
            self._environment.get_template(name)

    def _render(
        self,
        template: str,
        language: str,
        game: Game | None,
        names: Sequence[str],
        marks: Mapping[Name, str],
        context: Mapping[str, Any],
    ) -> str:
        with self._set_words(language, game, names, marks):
            return self._environment.get_template(template).render({"language": language, "game": game, **context})

    @contextmanager
    def _set_words(
        self, language: str, game: Game | None, names: Sequence[str] = (), marks: Mapping[Name, str] = NO_MARKS
    ) -> Iterator[None]:
        """Set the words of the templates. Each thread has its own, in its context."""
        key = language, game.key if game else ""
        if key not in self._spoken:
            self._spoken[key] = self.words(language, game), {}
        chip = plain_chip if game is None else partial(self.word_html, game, language)
        token = _WORDS.set(TemplateWords(*self._spoken[key], self._sentences, game, names, marks, chip))
        try:
            yield
        finally:
            _WORDS.reset(token)

    def _folder(self, game: Game, templates: Path) -> str:
        """Return the folder name of a game's templates."""
        if self._folders.setdefault(game.key, templates) != templates:
            raise ValueError(f"two games are called {game.key}")
        return game.key

    def _make(self, cache: Path | None, path: str) -> Environment:
        env = environment(TEMPLATES, self._folders, cache, (SitePaths,) if path else ())
        env.globals.update(
            _=lambda text, /, **values: _WORDS.get().gettext(text, **values),
            _n=lambda singular, plural, count, /, **values: _WORDS.get().ngettext(singular, plural, count, **values),
            say=lambda what, names=None: _WORDS.get().say(what, names),
            plain=lambda what: _WORDS.get().plain(what),
            plain_names=lambda names: ", ".join(map(_WORDS.get().plain, names)),
            initials=lambda seats: _WORDS.get().initials(seats),
            message=message,
            seat_name=SeatName,
            languages=LANGUAGES,
            language_names=LANGUAGE_NAMES,
            bots=self._bots,
            beginner=BEGINNER,
            character=character_named,
            guide_of=guides.guide_of,
            cover_of=self.cover,
            build=self.build,
            site_path=path,
            static=self.assets.address,
            title_of_site=TITLE,
            longest_name=self._limits.longest_name,
            longest_message=self._limits.message_length,
            presets=PRESETS,
            away_hours=AWAY_HOURS,
            server_away_hours=self._limits.away_hours,
        )
        env.globals[IN_SITE] = partial(in_site, path)
        env.filters["iso"] = lambda at: datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
        env.filters["when"] = lambda at: _WORDS.get().words.time_text(at)
        env.filters["number"] = lambda number: _WORDS.get().words.number_text(number)
        env.filters["percent"] = lambda share: _WORDS.get().words.percent_text(share)
        env.filters["json"] = lambda value: msgspec.json.encode(value).decode()
        env.filters["puzzled"] = lambda game: file_of(game).exists()
        env.filters["dated"] = lambda day: _WORDS.get().words.date_text(day)
        return env

    # --- The static part of a game's drawing. ---

    def static_drawing(self, setup: Setup, language: str) -> StaticDrawing:
        """Return the static part of a game's drawing, drawn once for each setup and language."""
        language = base_language(language)
        key = (setup, language)
        if key not in self._drawn_once:
            if len(self._drawn_once) >= MAX_STATIC_DRAWINGS:
                self._drawn_once.clear()
            self._drawn_once[key] = self._draw_once(setup, language)
        return self._drawn_once[key]

    def _draw_once(self, setup: Setup, language: str) -> StaticDrawing:
        game = setup.game
        drawing = game.drawing
        if drawing is None:
            return NO_DRAWING
        words = self.words(language, game)
        names = {mark: words.say(name) for name, mark in drawing.icons_by_name(setup).items()}
        meanings = drawing.symbol_meanings(setup, words)
        context = {**drawing.static_context(setup, words), "icon_names": names, "symbol_meanings": meanings}
        board, style, desk, icons = (
            self.render_drawing(game, name, language, (), context)
            for name in ("board.svg", "style.css", "desk.css", "icons.svg")
        )
        return StaticDrawing(
            self.drawn.keep(board, ".svg") if board else "",
            self.drawn.keep(style, ".css") if style else "",
            self.drawn.keep(desk, ".css") if desk else "",
            Markup(icons),  # noqa: S704 (escaped where it was rendered)
            drawing.fitted,
        )
