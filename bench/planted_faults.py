"""Plants faults in niah, one a file, and shows which of them the tests find.

    python -m bench.planted_faults [HOW_MANY]

In a copy of the tree the quick tests are run with coverage, which shows the tests that run each line of a
function, also in processes that they start; then each fault is planted there, and those tests are run until
one fails.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
FIRST_TESTS = 40  # of those that run a line: the ones that run the fewest lines, in one process
SWAPPED = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
Fault = tuple[str, ast.AST]
SETTINGS = """[run]
source = niah
parallel = true
patch = subprocess
context = ${PLANTED_TEST-}
"""
CONTEXTS = """
import coverage, os, pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    os.environ["PLANTED_TEST"] = name = item.nodeid.partition("[")[0]  # for processes that it starts
    coverage.Coverage.current().switch_context(name)
    return (yield)
"""


def main() -> None:
    """Print a line for each fault, and how many were found."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "niah"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "build", "__pycache__"))
        os.environ["PYTHONPATH"] = str(copy)  # for the processes that tests start, too
        tests = _tests_by_line(copy)
        runs = Counter(test for lines in tests.values() for reached in lines.values() for test in reached)
        rng, found = random.Random(60), 0
        files = [name for name in tests if name.endswith(".py") and len(tests[name]) > 15]  # no templates
        for name in rng.sample(sorted(files), min(wanted, len(files))):
            by_line = {line: sorted(reached, key=runs.__getitem__) for line, reached in tests[name].items()}
            found += _is_found(copy, name, by_line, rng)
        print(f"{found} of {min(wanted, len(files))} found")


def _tests_by_line(copy: Path) -> dict[str, dict[int, list[str]]]:
    """By file and line the tests that run it, as ``file::function``."""
    settings = str(copy / "faults.cfg")
    Path(settings).write_text(SETTINGS)
    (copy / "contexts.py").write_text(CONTEXTS)
    coverage = [sys.executable, "-m", "coverage"]
    tests = ["pytest", "-q", "-n", "auto", "--dist", "loadfile", "-m", "not slow", "-p", "contexts"]
    subprocess.run([*coverage, "run", "--rcfile", settings, "-m", *tests], cwd=copy, check=False)
    subprocess.run([*coverage, "combine", "--rcfile", settings], cwd=copy, check=True)
    data = CoverageData(str(copy / ".coverage"))
    data.read()
    return {
        str(Path(file).relative_to(copy)): {
            line: reached
            for line, contexts in data.contexts_by_lineno(file).items()
            if (reached := sorted({each.rpartition("|")[2] for each in contexts if each}))
        }
        for file in data.measured_files()
        if Path(file).is_relative_to(copy) and file.endswith(".py")
    }


def _faults(tree: ast.Module, lines: set[int]) -> Iterator[Fault]:
    """What may be planted on those lines: comparisons turned, off by one, defaults changed, lines dropped.

    In the bodies of functions: what runs where a module is read is some test's by chance. ``strict=True`` is
    left, which changes nothing where texts of one length are zipped.
    """
    keywords = (each for each in ast.walk(tree) if isinstance(each, ast.keyword) and each.arg == "strict")
    left = {id(each.value) for each in keywords}
    for function in (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ):
        for node in (each for statement in function.body for each in ast.walk(statement)):
            if getattr(node, "lineno", 0) not in lines or id(node) in left:
                continue
            if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
                yield "comparison turned", node
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                yield "off by one", node
            elif isinstance(node, ast.Constant) and type(node.value) is bool:
                yield "default changed", node
            elif isinstance(node, ast.AugAssign) or (
                isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
            ):
                yield "line dropped", node


def _plant(node: ast.AST) -> ast.AST:
    if isinstance(node, ast.Compare):
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
    return ast.copy_location(ast.Pass(), node) if isinstance(node, ast.AugAssign | ast.Expr) else node


def _is_found(copy: Path, name: str, tests: dict[int, list[str]], rng: random.Random) -> bool:
    source = (copy / name).read_text()
    tree = ast.parse(source)
    faults = sorted(_faults(tree, set(tests)), key=lambda each: each[0])
    if not faults:
        print(f"  --    {name}: nothing to plant")
        return True
    kind, node = rng.choice(faults)
    line, column, text = node.lineno, node.col_offset, ast.unparse(node)  # type: ignore[attr-defined]
    planted = ast.unparse(_plant(node))
    lines = source.splitlines(keepends=True)
    end, end_column = node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
    before, after = lines[line - 1].encode()[:column].decode(), lines[end - 1].encode()[end_column:].decode()
    (copy / name).write_text("".join([*lines[: line - 1], before + planted + after, *lines[end:]]))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    first, others = tests[line][:FIRST_TESTS], tests[line][FIRST_TESTS:]
    try:
        found = any(
            subprocess.run(
                [*command, *each], cwd=copy, capture_output=True, timeout=400, check=False
            ).returncode
            not in (0, 5)
            for each in (first, others and ["-n", "auto", *others])
            if each
        )
    except subprocess.TimeoutExpired:
        found = True
    (copy / name).write_text(source)
    print(f"  {'found ' if found else 'MISSED'} {name}:{line}: {kind}: {text} -> {planted}", flush=True)
    return found


if __name__ == "__main__":
    main()
