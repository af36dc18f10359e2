"""The command line. A command imports what it needs when it runs, so that `spieltisch --help` stays fast."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from spieltisch.commands import Database, KeepDays, database_place, fail_on_bad_file
from spieltisch.commands.admin import admin, admin_log
from spieltisch.commands.analyse import analyse
from spieltisch.commands.arena import arena
from spieltisch.commands.backup import backup, restore
from spieltisch.commands.bench import bench
from spieltisch.commands.components import components
from spieltisch.commands.config_file import Config
from spieltisch.commands.doctor import doctor
from spieltisch.commands.fuzz import fuzz
from spieltisch.commands.mail_test import mail_test
from spieltisch.commands.migrate import migrate
from spieltisch.commands.output import fail, write
from spieltisch.commands.people import people
from spieltisch.commands.puzzles import puzzles
from spieltisch.commands.rate import rate
from spieltisch.commands.records import export, import_records
from spieltisch.commands.replay import replay
from spieltisch.commands.report import report
from spieltisch.commands.results import results
from spieltisch.commands.retention import retention
from spieltisch.commands.simulate import simulate
from spieltisch.commands.steps import steps
from spieltisch.commands.tables import tables
from spieltisch.commands.upgrade import upgrade
from spieltisch.commands.verify import verify

VARIABLES = {"auto_envvar_prefix": "SPIELTISCH"}
"""The settings of a command whose options can be set in the environment."""

app = typer.Typer(
    name="spieltisch",
    help="Board games of the age of invention: a table on the web, and a fast simulator.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(requested: bool) -> None:
    if requested:
        from spieltisch.commit import version_text

        write(f"spieltisch {version_text()}")
        raise typer.Exit


@app.callback()
def spieltisch(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and the commit, and exit."
        ),
    ] = False,
) -> None:
    """Board games of the age of invention: a table on the web, and a fast simulator."""


@app.command(context_settings=VARIABLES)
def serve(
    host: Annotated[str, typer.Option(help="Listen on this address; 0.0.0.0 admits the whole network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Listen on this port; 0 chooses a free one.")] = 8889,
    data: Annotated[
        Path | None, typer.Option(file_okay=False, help="Store tables in this folder. Default: your application data.")
    ] = None,
    database: Database = "",
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Run this many processes, which share the PostgreSQL database, also with other machines. "
            "Default: one process with a database of its own.",
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the lobby in a browser if there is a display.")
    ] = True,
    public_url: Annotated[
        str, typer.Option(help="Use this URL in links to the server; with https, cookies are secure.")
    ] = "",
    network: Annotated[bool, typer.Option("--network", help="Admit your local network, too.")] = False,
    network_address: Annotated[
        list[str] | None,
        typer.Option(help="Use this address of the machine if --network finds another one. May be repeated."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            help="Set a limit for each visitor, such as requests_per_minute=600; 0 is no limit. May be repeated."
        ),
    ] = None,
    keep_days: KeepDays = None,
    mail_server: Annotated[
        str,
        typer.Option(
            help="Send mail through this server, such as smtps://user:password@mail.example.org. "
            "Better set in the environment or in a file.",
        ),
    ] = "",
    mail_from: Annotated[str, typer.Option(help="Send mail from this address, such as games@example.org.")] = "",
    allow_private_alerts: Annotated[
        bool, typer.Option("--allow-private-alerts", help="Send alerts into your own network, too, and by plain http.")
    ] = False,
    push_service: Annotated[
        list[str] | None,
        typer.Option(
            help="Send browser alerts through this push service, too, such as push.example.org. May be repeated."
        ),
    ] = None,
    compile_search: Annotated[
        bool,
        typer.Option(
            "--compile-search/--no-compile-search", help="Compile the search of the bots, once, in the background."
        ),
    ] = True,
    bot: Annotated[
        list[str] | None,
        typer.Option(help="Offer this bot, too: mine.py:Bot, or one from an installed package. May be repeated."),
    ] = None,
    contact: Annotated[str, typer.Option(help="Show this mail address or URL to visitors, and in security.txt.")] = "",
    imprint: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Show the text in this Markdown file as the imprint.")
    ] = None,
    metrics_token: Annotated[
        str, typer.Option(help="Open /metrics to this bearer token. Better set in the environment or in a file.")
    ] = "",
    log: Annotated[
        Literal["text", "json"], typer.Option(help="Write the log as text or as one JSON object a line.")
    ] = "text",
    config: Config = None,
) -> None:
    """Start the web server."""
    from spieltisch.alerts.mail import BadMail, MailServer
    from spieltisch.alerts.push import BadPushService, service_host
    from spieltisch.bots.external import UnknownBot
    from spieltisch.live.limits import BadLimit, Limits
    from spieltisch.live.retention import Retention
    from spieltisch.store.errors import StoreError
    from spieltisch.web.http.addresses import BadAddress
    from spieltisch.web.server import serve

    try:
        limits = Limits.read(limit or ())
        serve(
            host,
            port,
            database_place(data, database),
            open_browser=browser,
            public_url=public_url,
            network=network,
            network_addresses=network_address or (),
            workers=workers,
            limits=limits,
            retention=Retention.read(keep_days or ()),
            compile_search=compile_search,
            mail=MailServer.read(mail_server, mail_from),
            private_addresses=allow_private_alerts,
            push_services=[service_host(text) for text in push_service or ()],
            bots=bot or (),
            contact=contact,
            imprint=_text(imprint) if imprint else "",
            metrics_token=metrics_token,
            log_format=log,
        )
    except (StoreError, BadAddress, BadLimit, BadMail, BadPushService, UnknownBot, OSError) as error:
        raise fail(f"{error}") from error


def _text(file: Path) -> str:
    with fail_on_bad_file(file):
        return file.read_text(encoding="utf-8")


for command in (
    admin,
    backup,
    restore,
    migrate,
    retention,
    export,
    doctor,
    simulate,
    report,
    steps,
    arena,
    rate,
    replay,
    analyse,
    upgrade,
    verify,
    bench,
    fuzz,
):
    app.command()(command)
app.command("import")(import_records)
app.command("admin-log")(admin_log)
app.command("mail-test", context_settings=VARIABLES)(mail_test)
for name, group in (
    ("components", components),
    ("people", people),
    ("puzzles", puzzles),
    ("results", results),
    ("tables", tables),
):
    app.add_typer(group, name=name)
