"""What a release carries says the same as the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

import niah

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_citation_and_changes_name_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == niah.__version__
    assert citation["license"] == PROJECT["license"]
    assert [author["name"] for author in citation["authors"]] == [one["name"] for one in PROJECT["authors"]]
    assert re.search(rf"^## {re.escape(niah.__version__)}$", (ROOT / "CHANGELOG.md").read_text(), re.M)


def test_the_root_has_the_pages_that_a_reader_looks_for_and_no_notes() -> None:
    pages = {page.name for page in ROOT.glob("*.md")}
    assert pages == {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}


def test_commits_are_checked_as_lint_checks() -> None:
    (repo,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    target = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M)
    assert target is not None
    linted = target[1].replace("$(BIN)", ".venv/bin").split("\n\t")
    assert [hook["entry"] for hook in repo["hooks"]] == [line.strip() for line in linted]


def test_the_pythons_that_are_promised_are_tested() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())
    tried = workflow["jobs"]["tests"]["strategy"]["matrix"]["python"]
    prefix = "Programming Language :: Python :: "
    assert tried == [line.removeprefix(prefix) for line in PROJECT["classifiers"] if line.startswith(prefix)]
    assert PROJECT["requires-python"] == f">={tried[0]}"


def test_readme_and_docs_are_short() -> None:
    pages = [page for page in (ROOT / "docs").glob("*.md") if page.name != "architecture.md"]
    assert len((ROOT / "README.md").read_text().split()) <= 600
    assert len(pages) <= 14
    assert sum(len(page.read_text().split()) for page in pages) <= 22_000
