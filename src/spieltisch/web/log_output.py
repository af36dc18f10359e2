"""The form of the server's log: one line per event on standard error, as text or as JSON."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Literal, TypeAlias

import structlog

from spieltisch.live.log_counts import count_line
from spieltisch.store import ReadFailed, WriteFailed

LogFormat: TypeAlias = Literal["text", "json"]


def name_outage(_logger: object, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Name a failure of the database in place of its traceback, which is long and always the same."""
    given = line.get("exc_info")
    error = sys.exc_info()[1] if given is True else given
    if isinstance(error, (ReadFailed, WriteFailed)):
        del line["exc_info"]
        line["problem"] = str(error)
    return line


def configure_logging(log_format: LogFormat = "text") -> None:
    """Log one line per event to standard error, of libraries only warnings: httpx logs URLs, with their passwords."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        count_line,
        name_outage,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_renderers(log_format)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("spieltisch").setLevel(logging.INFO)


def _renderers(log_format: LogFormat) -> list[structlog.typing.Processor]:
    if log_format == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
