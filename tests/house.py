"""The house in numbers: ``python -m tests.house`` prints them, ``test_house.py`` keeps them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from configparser import ConfigParser
from functools import cache
from pathlib import Path

import grimp
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).parent.parent
NIAH = ROOT / "niah"

# The commands that show or check needle sets load them by name, as the packages of needles and cases do.
LOADERS = ("niah/needles/", "niah/cases/", "niah/cli/materials/", "niah/api/needle_sets.py")

# What strategies, judges and orders are called. Outside their packages an object says what it is.
KINDS = {"lc", "oracle", "closed-book", "rubric", "norm", "reverse", "document", "sides"}
KINDS_AT_HOME = ("niah/strategies/", "niah/judges/")


@cache
def parsed() -> dict[str, ast.Module]:
    """Every module of niah by its path from the repository's root."""
    return {str(file.relative_to(ROOT)): ast.parse(file.read_text()) for file in sorted(NIAH.rglob("*.py"))}


def files_at_roots() -> dict[str, int]:
    """How many modules stand directly in each package, its ``__init__`` among them."""
    return {
        str(folder.parent.relative_to(ROOT)): len(list(folder.parent.glob("*.py")))
        for folder in NIAH.rglob("__init__.py")
    }


@cache
def _imports() -> tuple[tuple[str, str], ...]:
    graph = grimp.build_graph("niah", cache_dir=None)
    return tuple(
        (module, imported)
        for module in sorted(graph.modules)
        for imported in sorted(graph.find_modules_directly_imported_by(module))
    )


def upward_imports() -> list[str]:
    """Imports of a package by one that the contract in setup.cfg puts below it or beside it."""
    contract = ConfigParser()
    contract.read(ROOT / "setup.cfg")
    lines = contract["importlinter:contract:house"]["layers"].split("\n")
    layers = {name.strip(): -i for i, line in enumerate(lines) for name in line.split("|") if name.strip()}

    def layer(module: str) -> tuple[str, int] | None:
        return next(((name, at) for name, at in layers.items() if f"{module}.".startswith(f"{name}.")), None)

    both = [(module, imported, layer(module), layer(imported)) for module, imported in _imports()]
    return [
        f"{module} imports {imported}"
        for module, imported, ours, theirs in both
        if ours and theirs and ours[0] != theirs[0] and ours[1] <= theirs[1]
    ]


def circles() -> list[list[str]]:
    """Groups of modules that import each other, directly or not; imports inside functions count."""
    names = sorted({name for pair in _imports() for name in pair})
    index = {name: i for i, name in enumerate(names)}
    rows, columns = zip(*((index[a], index[b]) for a, b in _imports()), strict=True)
    matrix = coo_array(([1] * len(rows), (rows, columns)), shape=(len(names), len(names)))
    _, labels = connected_components(matrix, connection="strong")
    groups = defaultdict(list)
    for name, label in zip(names, labels, strict=True):
        groups[label].append(name)
    return [group for group in groups.values() if len(group) > 1]


def _defined(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def names_with_two_meanings() -> dict[str, list[str]]:
    """Public classes, functions and constants that more than one module defines, with the modules."""
    modules = defaultdict(set)
    for path, module in parsed().items():
        for name in _defined(module):
            if not name.startswith("_"):
                modules[name].add(path)
    return {name: sorted(paths) for name, paths in sorted(modules.items()) if len(paths) > 1}


def needle_set_loads() -> list[str]:
    """Where ``load_needle_set`` is imported, besides those who may."""
    return [
        f"{path}:{node.lineno}"
        for path, module in parsed().items()
        if not path.startswith(LOADERS)
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and any(name.name == "load_needle_set" for name in node.names)
    ]


def comparisons_with_kinds() -> list[str]:
    """Where a name of a strategy, judge or order is compared with, outside the packages that define them."""

    def literals(node: ast.expr | ast.pattern) -> Iterator[str]:
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value

    found = []
    for path, module in parsed().items():
        if path.startswith(KINDS_AT_HOME):
            continue
        for node in ast.walk(module):
            compared: list[ast.expr | ast.pattern] = []
            if isinstance(node, ast.Compare):
                compared = [
                    side
                    for side in (node.left, *node.comparators)
                    if isinstance(side, ast.Constant | ast.Tuple | ast.List | ast.Set)
                ]
            elif isinstance(node, ast.match_case):
                compared = [node.pattern]
            for side in compared:
                found += [f"{path}:{side.lineno} {name!r}" for name in KINDS.intersection(literals(side))]
    return sorted(found)


def lines_of_code(folder: Path) -> int:
    """Lines of all Python files below a folder."""
    return sum(len(file.read_text().splitlines()) for file in folder.rglob("*.py"))


def main() -> None:
    """Print all counts, and what stands behind those that should be 0."""
    print("files at the root of each package")
    for package, number in sorted(files_at_roots().items(), key=lambda item: (-item[1], item[0])):
        print(f"  {number:>3}  {package}")
    two_meanings = [f"{name}: {', '.join(paths)}" for name, paths in names_with_two_meanings().items()]
    for title, found in (
        ("upward imports", upward_imports()),
        ("circles of imports", [" <-> ".join(group) for group in circles()]),
        ("public names with two meanings", two_meanings),
        ("load_needle_set outside needles, cases and their commands", needle_set_loads()),
        ("comparisons with names of strategies, judges and orders", comparisons_with_kinds()),
    ):
        print(f"{title}: {len(found)}")
        for line in found:
            print(f"       {line}")
    for folder in (NIAH, ROOT / "tests"):
        print(f"lines of {folder.name}/: {lines_of_code(folder):,}")


if __name__ == "__main__":
    main()
