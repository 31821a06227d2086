"""A package of one's own: built as a wheel, installed, and used by a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.conftest import answering, read_closely, start_niah, write

_PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "lamp-parts"
version = "0.3"

[project.entry-points."niah.retrievers"]
last-words = "lamp_parts:LastWords"

[project.entry-points."niah.metrics"]
digits = "lamp_parts:digits"

[project.entry-points."niah.question_sets"]
piped = "lamp_parts:PIPED"

[project.entry-points."niah.readers"]
broken = "lamp_parts:no_such_thing"
"""
_MODULE = '''\
from niah.plugins import QuestionSetFormat

class LastWords:
    """The later a chunk, the better."""

    def score(self, query, texts):
        return list(range(len(texts)))

def digits(answer, reference):
    """The share of the reference's digits that the answer has."""
    wanted = [sign for sign in reference if sign.isdigit()]
    return sum(sign in answer for sign in wanted) / max(1, len(wanted))

def read_piped(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        document, question, answer = line.split("|")
        yield {"id": f"q{number}", "document": document, "question": question, "answers": [answer]}

PIPED = QuestionSetFormat(".piped", "document|question|answer", read_piped)
'''
_BOATS = " ".join(f"Boat {number} is moored at the quay." for number in range(120))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that pip has installed the package into, by a wheel that it builds."""
    folder = tmp_path_factory.mktemp("package")
    write(folder / "pyproject.toml", _PROJECT)
    write(folder / "lamp_parts.py", _MODULE)
    pip = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check"]
    how = ("--no-deps", "--no-index", "--no-build-isolation", "--target", folder / "site")
    subprocess.run([str(word) for word in (*pip, "install", *how, folder)], check=True, capture_output=True)
    return folder / "site"


def _niah(site: Path, folder: Path, *words: str) -> tuple[int, str, str]:
    path = os.pathsep.join([str(site), str(Path(__file__).parents[2])])
    process = start_niah(*words, cwd=folder, env={"PYTHONPATH": path})
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def test_a_run_uses_a_package_s_retriever_metric_and_question_format(site: Path, folder: Path) -> None:
    question = f"{_BOATS} The pilot has berth 77.|Which berth has the pilot?|berth 77\n"
    write(folder / "harbour.piped", question)
    write(folder / "cases" / "harbour.yaml", "questions: harbour.piped\n")
    with answering(m=read_closely) as endpoint:
        words = (
            "--suite cases/harbour.yaml --strategies last-words/top-1/norm@100,lc --judge digits --model m"
        )
        asking = (*words.split(), "--api-base", endpoint.base, "--out", "harbour.sqlite")
        code, out, err = _niah(site, folder, "run", *asking)
        assert code == 0, err
    code, out, err = _niah(site, folder, "export", "harbour.sqlite")
    rows = {row["strategy"]: row for row in map(json.loads, out.splitlines())}
    assert set(rows) == {"last-words/top-1/norm@100", "lc"}
    for row in rows.values():
        assert (row["outcome"], row["score"], row["judge_scores"]["digits"]) == ("scored", 10, 10)
    prompts = [post.body["messages"][0]["content"] for post in endpoint.posts]
    assert all("berth 77" in prompt for prompt in prompts)
    last, whole = sorted(prompts, key=len)
    assert "Boat 0 " in whole
    assert "Boat 60 " not in last


def test_what_cannot_be_used_costs_a_line(site: Path, folder: Path) -> None:
    code, out, _ = _niah(site, folder, "list", "plugins")
    assert code == 0
    for name in ("last-words", "digits", "piped"):
        assert any({name, "lamp-parts", "0.3"} <= set(line.split()) for line in out.splitlines())
    assert "no_such_thing" in out
    code, _, err = _niah(site, folder, "run", "--suite", "single", "--model", "broken")
    assert code == 2
    assert "broken" in err
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1
    assert not list(folder.rglob("*.sqlite"))
