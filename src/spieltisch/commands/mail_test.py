"""`spieltisch mail-test`: send one mail, to try the settings of the mail server."""

from typing import Annotated

import typer

from spieltisch.commands.config_file import Config
from spieltisch.commands.output import JsonOption, command_output, fail


def mail_test(
    address: Annotated[str, typer.Argument(help="Send the mail to this address.")],
    mail_server: Annotated[str, typer.Option(help="Send it through this server, as for serve.")] = "",
    mail_from: Annotated[str, typer.Option(help="Send it from this address, as for serve.")] = "",
    config: Config = None,
    as_json: JsonOption = False,
) -> None:
    """Send a mail with the settings of serve, and show what the mail server answers."""
    import asyncio
    import logging
    import secrets

    import structlog

    from spieltisch.alerts.alert import Alert, DeliveryFailed
    from spieltisch.alerts.mail import BadMail, MailServer, clean_address
    from spieltisch.core.words import Words

    with command_output(as_json) as output:
        # The log would say again what is shown below.
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
        try:
            server = MailServer.read(mail_server, mail_from)
            if server is None:
                raise fail("there is no mail server: set --mail-server and --mail-from, or their variables")
            text = "Spieltisch can send mail with these settings."
            alert = Alert(secrets.token_hex(16), "Test of Spieltisch", text, "", "", 0, "en")
            asyncio.run(server.send(clean_address(address), alert))
        except BadMail as error:
            raise fail(f"{error}") from error
        except DeliveryFailed as error:
            cause = f" ({error.__cause__})" if error.__cause__ is not None else ""
            raise fail(f"{Words('en').say(error.reason)}{cause}") from error
        line = "{address}: {host} took the mail. Look whether it arrives, and whether it is taken for spam."
        output.show({"address": address, "host": server.host}, line)
