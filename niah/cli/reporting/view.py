"""``niah view``: the page of a run under way, and of a folder of runs."""

from __future__ import annotations

import click

from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.option_types import FILLED, PORT


@click.command()
@click.argument(
    "target", default="runs", metavar="[RUN|FOLDER]", type=FILLED, shell_complete=completes(RUN_FILES)
)
@click.option(
    "--port",
    type=PORT,
    help="Serve at this port; 8765 without it, or a free one where that is taken. 0 takes any.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def view_command(target: str, port: int | None, opens: bool) -> None:
    """Serve the page of a RUN that may be under way, or of every run in a FOLDER (runs/ without it).

    The page renews itself as trials finish. Runs of a folder can be put side by side. Only this machine is
    answered, and nothing is ever written. Ctrl-C ends it.
    """
    from pathlib import Path

    from niah.api.run_files import run_path

    path = Path(target) if Path(target).is_dir() else run_path(target)
    from niah.api.viewing.server import HOST, view_server

    with view_server(path, port) as server:
        address = f"http://{HOST}:{server.server_port}/"
        click.echo(f"{path} is shown at {address}  (Ctrl-C ends it)")
        if opens:
            import webbrowser

            webbrowser.open(address)
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            click.echo("niah: no longer shown.")
