"""Modules without a test file of their name: ``python -m tests.untested`` prints them and what tests them."""

from __future__ import annotations

import ast
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
REASONS = ROOT / "tests" / "data" / "untested-modules.yaml"
"""By path of a module or folder: what tests it, where no name, import or room of tests says so."""


def modules_without_a_test_of_their_name() -> dict[str, str]:
    """What tests each of them instead; "" where nothing is known to."""
    tests = list((ROOT / "tests").rglob("test_*.py"))
    names = {test.name for test in tests}
    imported = _imported()
    reasons: dict[str, str] = yaml.safe_load(REASONS.read_text())
    found = {}
    for module in sorted((ROOT / "niah").rglob("*.py")):
        path = module.relative_to(ROOT)
        if module.name == "__init__.py" or f"test_{module.name}" in names:
            continue
        room = ROOT / "tests" / path.parent.relative_to("niah")
        by = imported.get(".".join(path.with_suffix("").parts), "")
        if not by and room != ROOT / "tests" and list(room.glob("test_*.py")):
            by = f"{room.relative_to(ROOT)}/"
        above = (str(place) for place in (path, *path.parents))
        found[str(path)] = by or next((reasons[place] for place in above if place in reasons), "")
    return found


def _imported() -> dict[str, str]:
    """Modules of niah that tests import, with one that does."""
    found: dict[str, str] = {}
    for test in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(test.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("niah"):
                for name in (str(node.module), *(f"{node.module}.{one.name}" for one in node.names)):
                    found.setdefault(name, str(test.relative_to(ROOT)))
    return found


def main() -> None:
    """Print each with what tests it, those that nothing is known to test last."""
    found = modules_without_a_test_of_their_name()
    for path, by in sorted(found.items(), key=lambda item: not item[1]):
        print(f"{path}: {by or 'NOTHING'}")
    print(f"{len(found)} modules without a test file of their name, {list(found.values()).count('')} unknown")


if __name__ == "__main__":
    main()
