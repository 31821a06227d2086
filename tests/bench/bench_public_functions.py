"""What a user calls, in this tree and in another one: CPU seconds then and now, and their ratio.

    python -m tests.bench.bench_public_functions OTHER_TREE [--rounds N] [WORD ...]

    git worktree add --detach /tmp/older 7ef9a1cb

Each function is timed in a process of its own, the trees in turn, the least of several rounds; with words,
those alone whose name has one of them. Each tree writes the run file that it reads, and has a cache folder of
its own, with this machine's weights. What one tree has not got, or cannot do, is "-".
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from niah import paths
from tests.bench.public_function_snippets import COMMANDS, SNIPPETS, WRITE_RUN, Snippet

HERE = Path(__file__).parents[2]
ROUNDS = 3
LIMIT = 1.05
"""Of the seconds then: more of them now is slower."""
_BEFORE = """
import gc, sys, time
from pathlib import Path
FOLDER = Path(sys.argv[1])
"""
_AFTER = """
work()
took, began = [], time.process_time()
while len(took) < 3 or (time.process_time() - began < 0.7 and len(took) < 60):
    gc.collect()
    start = time.process_time()
    work()
    took.append(time.process_time() - start)
print("took", min(took))
"""


class Tree:
    """A tree of niah's sources, with a folder for its cache and its run files."""

    def __init__(self, root: Path, folder: Path, *, older: bool) -> None:
        self._root, self._older, self.folder = root, older, folder
        self._fresh = 0
        (folder / "cache").mkdir(parents=True)
        weights = paths.cache() / "weights"
        if weights.exists():
            (folder / "cache" / "weights").symlink_to(weights)

    def seconds(self, snippet: Snippet) -> float | None:
        """CPU seconds of one ``work``, the least of some; None where it fails."""
        text = _BEFORE + snippet.of(older=self._older) + _AFTER
        said = self._python("-c", text, str(self.folder))
        times = [line.split()[1] for line in said.stdout.splitlines() if line.startswith("took ")]
        if times and said.returncode == 0:
            return float(times[-1])
        self._tell_failure(said)
        return None

    def seconds_of_command(self, command: tuple[str, ...]) -> float | None:
        """CPU seconds of a whole process; None where it fails."""
        self._fresh += 1
        before = _children_s()
        said = self._python(*(f"fresh-{self._fresh}" if part == "FRESH" else part for part in command))
        took = _children_s() - before
        if said.returncode in (0, 1) and "Traceback" not in said.stderr:
            return took
        self._tell_failure(said)
        return None

    def write_run(self) -> None:
        """The run file that its functions read."""
        said = self._python("-c", _BEFORE + Snippet(WRITE_RUN).of(older=False), str(self.folder))
        if said.returncode:
            self._tell_failure(said)

    def _tell_failure(self, said: subprocess.CompletedProcess[str]) -> None:
        last = (said.stderr.strip() or said.stdout.strip()).splitlines()[-1:]
        print(f"  {self._root}: {''.join(last)}", file=sys.stderr, flush=True)

    def _python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        own = {
            "PYTHONPATH": str(self._root),
            "NIAH_CACHE": str(self.folder / "cache"),
            # As in an installation: modules are compiled once, and not at every start.
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(self.folder / "bytecode"),
        }
        return subprocess.run(
            [sys.executable, *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, **own},
        )


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(
    then: Tree, now: Tree, words: list[str], rounds: int
) -> Iterator[tuple[str, list[float | None]]]:
    """Each name with the least seconds then and now."""
    for name, what in chain(SNIPPETS.items(), COMMANDS.items()):
        if words and not any(word in name for word in words):
            continue
        least: list[float | None] = [None, None]
        for _ in range(rounds):
            for place, tree in enumerate((then, now)):
                own = tree.seconds(what) if isinstance(what, Snippet) else tree.seconds_of_command(what)
                known = [one for one in (least[place], own) if one is not None]
                least[place] = min(known, default=None)
        yield name, least


def main(arguments: list[str]) -> None:
    """Print the table; without another tree there is none."""
    if not arguments:
        print("bench_public_functions: needs the path of another tree")
        return
    rounds = ROUNDS
    if "--rounds" in arguments:
        at = arguments.index("--rounds")
        rounds = int(arguments[at + 1])
        del arguments[at : at + 2]
    other, *words = arguments
    with tempfile.TemporaryDirectory() as folder:
        then = Tree(Path(other).resolve(), Path(folder) / "then", older=True)
        now = Tree(HERE, Path(folder) / "now", older=False)
        for tree in (then, now):
            tree.write_run()
        print("| function | then, ms | now, ms | ratio |\n| --- | ---: | ---: | ---: |", flush=True)
        for name, (old, new) in measured(then, now, words, rounds):
            ratio = f"{new / old:.2f}" if old and new else "-"
            slower = " **slower**" if old and new and new > LIMIT * old else ""
            print(f"| {name} | {_ms(old)} | {_ms(new)} | {ratio}{slower} |", flush=True)


def _ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.3g}" if seconds < 1 else f"{1000 * seconds:,.0f}"


if __name__ == "__main__":
    main(sys.argv[1:])
