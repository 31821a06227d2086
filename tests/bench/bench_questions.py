"""67 questions over 14 documents: asked, judged, compared, reported, and reported again without documents.

    python -m tests.bench.bench_questions CORPORA [WORK [MINUTES]]

CORPORA is a folder of Project Gutenberg books (see ``tests.bench.gutenberg_questions``), WORK an empty folder
that keeps what was made. Two readers under five strategies: a simulated model behind a real HTTP endpoint on
this machine, and smollm2, embedded. The run is stopped after so many MINUTES, if any: what was not asked by
then has no score. Answers that are kept from an earlier run are taken.

Then question sets, documents, haystacks and needle sets are moved away, from a copy of the source tree too,
and the report is made again: every figure and table must be the same, and the page but for its contexts.
"""

from __future__ import annotations

import base64
import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.gutenberg_questions import write_question_set
from tests.loopback import Post, Reply, completion, replying

TREE = Path(__file__).parents[2]
DATA = ("haystacks", "needles", "cases", "runs")
RUN = """\
suite: suite.yaml
readers:
  - {model: simulated, api_base: "%s", window: 8192, concurrency: 4}
  - smollm2
strategies:
  - lc
  - minilm/budget-500/document@100
  - minilm/budget-500/norm@100
  - mixpr/budget-500/document
  - closed-book
judge: auto
truncate: back
"""
_BLOCK = re.compile(r'data-start="\d+">([^<]*)<')
_WORD = re.compile(r"[a-z0-9]+")


def main() -> None:
    if len(sys.argv) == 1:
        print("skipped: needs a folder of books: python -m tests.bench.bench_questions CORPORA")
        return
    corpora = Path(sys.argv[1])
    work = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="niah-questions-")).resolve()
    minutes = float(sys.argv[3]) if len(sys.argv) > 3 else None
    tree = work / "tree"
    shutil.copytree(TREE / "niah", tree / "niah", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in DATA:
        shutil.copytree(TREE / folder, tree / folder, ignore=shutil.ignore_patterns("*.sqlite*"))
    write_question_set(corpora, work / "cases" / "questions")
    (work / "suite.yaml").write_text("questions: [essays, gutenberg]\nprompt: lc-vs-rag\n")
    with simulated_model() as address:
        (work / "first.yaml").write_text(RUN % f"{address}/v1")
        (work / "second.yaml").write_text(RUN.replace("  - smollm2\n", "") % f"{address}/careless/v1")
        niah(work, "plan", "first.yaml")
        niah(work, "run", "first.yaml", "--plots", "plots/run", minutes=minutes)
        niah(work, "run", "second.yaml", "--plots", "plots/second")
    niah(work, "judge", "run", "runs/first.sqlite", "--judge", "rouge-l")
    niah(work, "compare", "runs/first.sqlite", "--readers", "smollm2,simulated")
    niah(work, "compare", "runs/first.sqlite", "runs/second.sqlite", "--common")
    niah(work, "report", "runs/first.sqlite", "--out", "plots/before")
    print_scores(exported(work))
    away = work / "away"
    for path in (work / "cases", work / "suite.yaml", *(tree / folder for folder in DATA)):
        (away / path.relative_to(work)).parent.mkdir(parents=True, exist_ok=True)
        path.rename(away / path.relative_to(work))
    niah(work, "report", "runs/first.sqlite", "--out", "plots/after")
    niah(work, "compare", "runs/first.sqlite", "--readers", "smollm2,simulated")
    niah(work, "judge", "run", "runs/first.sqlite", "--judge", "token-f1")
    print_differences(work / "plots" / "before", work / "plots" / "after")
    print(f"work folder: {work}")


def niah(work: Path, *arguments: str, minutes: float | None = None) -> None:
    """One command in the work folder, with the copied tree's niah; its words and its time are printed."""
    started = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(work / "tree"), "COLUMNS": "110"}
    with subprocess.Popen(
        [sys.executable, "-m", "niah", *arguments],
        cwd=work, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            out, err = process.communicate(timeout=minutes and minutes * 60)
        except subprocess.TimeoutExpired:
            process.terminate()
            out, err = process.communicate()
    took = time.perf_counter() - started
    print(f"\n$ niah {' '.join(arguments)}   [{took:.0f} s, exit code {process.returncode}]")
    print(out[-6000:] + err[-3000:], flush=True)
    stopped = minutes is not None and took > minutes * 60
    if process.returncode not in ((0, 1, 3) if arguments[0] == "compare" else (0,)) and not stopped:
        sys.exit(f"niah {arguments[0]} failed")


def exported(work: Path) -> list[dict[str, str]]:
    """The trials of the first run, as ``niah export`` has them."""
    niah(work, "export", "runs/first.sqlite", "--format", "csv", "--out", "first.csv")
    with (work / "first.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def print_scores(trials: list[dict[str, str]]) -> None:
    """Mean scores by reader and strategy, for options and for free answers, and every outcome's count."""
    choices = {
        f"{path.stem}_{json.loads(line)['id']}"
        for path in (TREE / "cases/questions/essays.jsonl", TREE / "tests/bench/gutenberg.jsonl")
        for line in path.read_text().splitlines()
        if "options" in json.loads(line)
    }
    scores: dict[tuple[str, str], dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    outcomes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for trial in trials:
        pair = trial["reader"], trial["strategy"]
        outcomes[pair][trial["outcome"]] += 1
        if trial["score"]:
            sample = trial["case_id"].removesuffix("_p-lc-vs-rag")
            scores[pair][sample in choices].append(float(trial["score"]))
    print(f"{'reader':<12}{'strategy':<34}{'options':>8}{'free':>8}  outcomes")
    for (reader, strategy), by_kind in scores.items():
        means = [
            f"{statistics.mean(by_kind[kind]):>8.2f}" if by_kind[kind] else f"{'–':>8}"
            for kind in (True, False)
        ]
        print(f"{reader:<12}{strategy:<34}{''.join(means)}  {dict(outcomes[reader, strategy])}")


def print_differences(before: Path, after: Path) -> None:
    """Which files of two reports are the same; the page alone may differ, by its contexts."""
    files = sorted(path.relative_to(before) for path in before.rglob("*") if path.is_file())
    others = sorted(path.relative_to(after) for path in after.rglob("*") if path.is_file())
    print(f"\n{len(files)} files before, {len(others)} after, the same names: {files == others}")
    same = [path for path in files if (before / path).read_bytes() == (after / path).read_bytes()]
    print(f"{len(same)} are the same byte for byte; not: {[str(path) for path in files if path not in same]}")
    pages = [(folder / "index.html").read_text(encoding="utf-8") for folder in (before, after)]
    without = [_BLOCK.sub("", page) for page in pages]
    print(f"the page without its packed blocks is the same: {without[0] == without[1]}")
    for first, second in zip(
        *([unpacked(text) for text in _BLOCK.findall(page)] for page in pages), strict=True
    ):
        print(f"a block's parts that are the same: { {key: first[key] == second[key] for key in first} }")


def unpacked(text: str) -> dict[str, object]:
    """A block of the page: answers, verdicts and passages."""
    block: dict[str, object] = json.loads(zlib.decompress(base64.b64decode(text), -zlib.MAX_WBITS))
    return block


@contextmanager
def simulated_model() -> Iterator[str]:
    """A model behind HTTP that quotes what is nearest to the question; /careless reads half of the text."""

    def reply(post: Post) -> Reply:
        prompt = post.body["messages"][-1]["content"]
        text = answer(prompt, careless="careless" in post.path)
        return Reply(completion(text, len(prompt) // 4, len(text) // 4 + 1))

    with replying(reply) as address:
        yield address


def answer(prompt: str, *, careless: bool) -> str:
    """By words in common: the best option's letter, or the end of the best sentence."""
    text, _, asked = prompt.rpartition("Question: ")
    question, *options = asked.strip().split("\n")
    sentences = re.split(r"(?<=[.!?])\s+", text.rpartition("answer the question briefly")[0])
    if careless:
        sentences = sentences[: len(sentences) // 2]
    best = max(sentences, key=lambda sentence: overlap(sentence, question), default="")
    if not options:
        return " ".join(best.split()[-12:]) or "The text does not say."
    near = " ".join(sorted(sentences, key=lambda sentence: -overlap(sentence, question))[:3])
    return max(options, key=lambda option: overlap(near, option))[:1]


def overlap(text: str, wanted: str) -> float:
    """Share of the wanted words of more than three letters that are in the text."""
    words = {word for word in _WORD.findall(wanted.lower()) if len(word) > 3}
    return len(words & set(_WORD.findall(text.lower()))) / max(1, len(words))


if __name__ == "__main__":
    main()
