"""Mutated files and command lines against the real command line: no traceback, no hang, no gigabytes.

    python -m tests.cli.fuzz 10000 [--first 0] [--only KIND] [--keep FOLDER]

Case number N is the same everywhere: a file of one kind (``tests/cli/fuzz_seeds.py``), mutated as N draws
it and given to a command that reads it, or a command line with words mutated, or a good one with anything
in the environment variables of its options. Whatever comes, a command may take 20 seconds and 2 GB, and end
with exit code 0, 1, 2 or 3. Cases run in forked processes, so that one that crashes costs the others nothing.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import pickle
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

import niah
from tests.cli.fuzz_mutations import mutated, mutated_variables, mutated_words
from tests.cli.fuzz_seeds import SeedFile, command_lines, silent, write_world
from tests.conftest import simulating

SLOWEST_S = 20.0
MOST_MEMORY = 2_000_000_000
_PACKAGE = Path(niah.__file__).parent
_CODES = (0, 1, 2, 3)
_BATCH = 50
_PATIENCE = 8


@dataclass(frozen=True)
class Outcome:
    """What became of a case.

    Attributes:
        number: the case.
        kind: of its file, "words" or "variables".
        arguments: the command line, behind the variables that were set.
        code: its exit code; -1 where it came to none.
        problem: what went wrong, and where in niah; "" where nothing did.
    """

    number: int
    kind: str
    arguments: tuple[str, ...]
    code: int
    problem: str


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=Path, help="folder for the files of cases that went wrong")
    given = parser.parse_args()
    # Read when OpenMP loads: a fork of a process whose OpenMP threads have worked waits for them for ever.
    os.environ["OMP_NUM_THREADS"] = "1"
    begun = time.perf_counter()
    codes: Counter[tuple[str, int]] = Counter()
    causes: Counter[str] = Counter()
    for outcome in fuzz(given.cases, given.first, given.only, given.keep):
        codes[outcome.kind, outcome.code] += 1
        if outcome.problem:
            causes[outcome.problem] += 1
            words = " ".join(outcome.arguments)[:200]
            print(f"{outcome.number} {outcome.kind} {words!r}\n    {outcome.problem}", flush=True)
    print(f"\n{given.cases} cases, {causes.total()} went wrong, {time.perf_counter() - begun:.0f} s")
    for problem, number in causes.most_common():
        print(f"{number:>6}  {problem}")
    for kind in sorted({kind for kind, _ in codes}):
        ended = ", ".join(
            f"{number} with {code}" for (of, code), number in sorted(codes.items()) if of == kind
        )
        print(f"{kind:<16}  ended: {ended}")
    sys.exit(1 if causes else 0)


def fuzz(cases: int, first: int = 0, only: str = "", keep: Path | None = None) -> Iterator[Outcome]:
    """What became of the cases from ``first`` on."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        try:
            os.chdir(folder)
            server = opened.enter_context(simulating())
            seeds = write_world(server.base_url)
            if only:
                seeds = [seed for seed in seeds if seed.kind == only]
            number = first
            while number < first + cases:
                upto = min(number + _BATCH, first + cases)
                outcomes = run_forked(
                    number, upto, partial(_case, seeds, bool(only), here / keep if keep else None)
                )
                yield from outcomes
                number += len(outcomes)
        finally:
            os.chdir(here)


def run_forked(first: int, upto: int, case: Callable[[int], Outcome]) -> list[Outcome]:
    """Run cases in a process of their own, up to the first at which that process ends, if one does."""
    sys.stdout.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            with os.fdopen(writing, "wb") as pipe:
                for number in range(first, upto):
                    pickle.dump(case(number), pipe)
                    pipe.flush()
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    outcomes = []
    with os.fdopen(reading, "rb") as pipe:
        while True:
            try:
                outcomes.append(pickle.load(pipe))
            except (EOFError, pickle.UnpicklingError):
                break
    _, status = os.waitpid(child, 0)
    if status:
        how = (
            f"signal {os.WTERMSIG(status)}"
            if os.WIFSIGNALED(status)
            else "itself: nothing else could stop it"
        )
        outcomes.append(Outcome(first + len(outcomes), "?", (), -1, f"the process ended by {how}"))
    return outcomes


@dataclass(frozen=True)
class _Drawn:
    """What a case does: a command line, the variables that are set for it, and the file that it reads."""

    kind: str
    arguments: list[str]
    variables: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None


def _drawn(seeds: list[SeedFile], number: int, files_alone: bool) -> _Drawn:
    """The case of that number; its file is written and gets a name that no other case has."""
    draw, lines = random.Random(f"fuzz|{number}"), command_lines()
    share = 1.0 if files_alone else draw.random()
    if share < 0.2:
        return _Drawn("words", mutated_words(draw, lines))
    if share < 0.3:
        line = draw.choice(lines)
        return _Drawn("variables", line, mutated_variables(draw, variables_of(line), lines))
    seed = draw.choice(seeds)
    path, arguments = seed.write(f"f{number}", mutated(draw, seed.content, seed.kind), draw)
    return _Drawn(seed.kind, arguments, path=path)


def variables_of(line: list[str]) -> list[str]:
    """The environment variables of the options of a good command line's command."""
    from niah.cli.main import niah

    context = click.Context(niah)
    command: click.Command = niah
    for word in line:
        below = command.get_command(context, word) if isinstance(command, click.Group) else None
        if below is None:
            break
        command = below
    named = (option.envvar for option in command.params if isinstance(option.envvar, str))
    return [*sorted(named), "COLUMNS", "NO_COLOR", "TERM"]


def _case(seeds: list[SeedFile], files_alone: bool, keep: Path | None, number: int) -> Outcome:
    from niah.cli.main import main as niah

    before = set(Path().rglob("*"))
    drawn = _drawn(seeds, number, files_alone)
    path, environment = drawn.path, dict(os.environ)
    os.environ.update(drawn.variables)
    try:
        code, problem = watched(niah, drawn.arguments)
    finally:
        os.environ.clear()
        os.environ.update(environment)
    if problem and keep and path and path.is_file():
        keep.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, keep / path.name)
    for new in sorted(set(Path().rglob("*")) - before, reverse=True):
        if new.is_dir() and not new.is_symlink():
            shutil.rmtree(new, ignore_errors=True)
        else:
            new.unlink(missing_ok=True)
    given = (f"{name}={value}" for name, value in drawn.variables.items())
    return Outcome(number, drawn.kind, (*given, *drawn.arguments), code, problem)


def watched(command: Callable[[list[str]], int], arguments: list[str]) -> tuple[int, str]:
    """Exit code of a command, -1 where it came to none, and what went wrong."""
    _reset_peak()
    level, begun = _status("VmHWM"), time.process_time()
    try:
        with silent(), _within(SLOWEST_S):
            code = command(arguments)
    except SystemExit as error:
        return -1, f"SystemExit {error.code}"
    except BaseException as error:  # a traceback, for the user
        return -1, _where(error)
    if code not in _CODES:
        return code, f"exit code {code}"
    if time.process_time() - begun > SLOWEST_S:
        return code, f"more than {SLOWEST_S:g} s"
    if (used := _status("VmHWM") - level) > MOST_MEMORY:
        return code, f"{used / 1e9:.1f} GB of memory"
    return code, ""


def _where(error: BaseException) -> str:
    """The error, and the innermost lines of niah that it went through."""
    every = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [(path.relative_to(_PACKAGE), line) for path, line in every if path.is_relative_to(_PACKAGE)]
    places = [f"{path}:{line}" for path, line in ours[-3:]]
    message = " ".join(str(error).split())[:120].encode("unicode_escape").decode()
    return f"{type(error).__name__} at {' > '.join(places)}: {message}"


class TooSlow(BaseException):
    """No Exception: no handler may take it for an error of its own."""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raise TooSlow after so long; end the process where it does not even come to that."""

    def stop(*_: object) -> None:
        raise TooSlow(f"more than {seconds:g} s")

    # By the processor's time, since machines are shared; what waits for nothing ends by the clock.
    before = [signal.signal(kind, stop) for kind in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE * seconds)
    faulthandler.dump_traceback_later(2 * _PATIENCE * seconds, exit=True)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_status("VmSize") + 2 * MOST_MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for kind, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(kind, handler)


def _status(name: str) -> int:
    """Bytes that Linux gives under that name of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(name)


def _reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


if __name__ == "__main__":
    main()
