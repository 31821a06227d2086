"""The pipelines of long-context-vs-rag and stronger-baselines-dos-rag over pieces of books, skill planted.

    python -m tests.bench.bench_rag_papers BOOKS [WORK [lc-vs-rag|dos-rag|embedded[=N]|embedded-dos]]

BOOKS is a folder of books as text files, WORK a folder that keeps what was made: the same command given again
goes on where it was broken off. With =N, N questions on the first document are asked alone. The questions are
derived by rule (``tests.bench.book_questions``). A loopback reader is right where it is planted to be:
the filter must drop exactly what it knows, the tables must count exactly what was planted, and the
planted shares must lie in their intervals. For dos-rag it is right where the evidence stands in its
context, nine times in ten, and slips in one repeat or another: the figure must have the means and the
spread of its answers. Last, smollm2, embedded, is asked all of them, which takes most of an hour.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean, stdev

from niah.cli.main import main as niah
from tests.bench.book_questions import EACH, write_question_sets
from tests.loopback import Post, Reply, completion, replying
from tests.planted_sides import FATES, PlantedSides, expected_parts, planted_sides

LC_VS_RAG = """
suite: suite-gaps.yaml
readers: [{{model: {model}{more}}}]
strategies: [lc, bm25/top-5/norm, bm25/top-2/norm@sentence-window-3]
filter: closed-book
metrics: [accuracy, contained-match, token-f1]
"""
EMBEDDED_LC_VS_RAG = """
suite: suite-gaps.yaml
readers: [{model: smollm2, window: 1024, truncate: back}]
strategies: [lc, bm25/budget-150/norm@100]
filter: closed-book
metrics: [accuracy, contained-match, token-f1]
"""
EMBEDDED_DOS_RAG = """
suite: suite-gaps-mcq.yaml
readers: [smollm2]
strategies: [oracle, bm25/budget-150/document@100, bm25/budget-300/document@100]
judge: accuracy
"""
DOS_RAG = """
suite: suite-gaps-mcq.yaml
readers: [{{model: planted, api_base: "{address}"}}]
strategies: [lc, oracle, {budgets}]
judge: accuracy
repeats: 2
"""
BUDGETS = (500, 1000, 2500, 5000, 10_000, 20_000, 30_000, 40_000)
DOCUMENTS = 3
"""So many, the longest, are enough for dos-rag, whose strategies are many."""
ORDERS = ("document", "norm")


def main() -> None:
    if len(sys.argv) == 1:
        print("skipped: needs a folder of books: python -m tests.bench.bench_rag_papers BOOKS")
        return
    books = Path(sys.argv[1]).resolve()
    work = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    work.mkdir(parents=True, exist_ok=True)
    os.chdir(work)
    os.environ["XDG_CACHE_HOME"] = str(work / "cache")
    print(f"{write_question_sets(books, work)} questions, 15 documents: {work}")
    for name, prompt in (("gaps", "lc-vs-rag"), ("gaps-mcq", "dos-rag-mcq")):
        Path(f"suite-{name}.yaml").write_text(
            f"questions: {name}.jsonl\nprompt: {prompt}\ntokenizer: o200k\n"
        )
    parts = {
        "lc-vs-rag": _lc_vs_rag,
        "dos-rag": _dos_rag,
        "embedded": _embedded,
        "embedded-dos": _embedded_dos,
    }
    holds = []
    for part in sys.argv[3:] or parts:
        name, _, questions = part.partition("=")
        if questions:
            _keep("gaps.jsonl", slice(int(questions)))
        holds.append(parts[name]())
    print("all holds" if all(holds) else "SOMETHING DOES NOT HOLD")
    sys.exit(not all(holds))


def _lc_vs_rag() -> bool:
    with planted_sides(Path("gaps.jsonl"), _lengths(), seed=1) as reader:
        _run("lc-vs-rag", LC_VS_RAG.format(model="planted", more=f', api_base: "{reader.address}"'))
    known = {name for name, fate in reader.fates.items() if fate == "known"}
    dropped = set(reader.fates) - {name for name, seen, _ in reader.answered if seen != "nothing"}
    expected = expected_parts(reader.questions, reader.fates)
    held = _says(f"the filter drops the {len(known)} planted as known, and no others", dropped == known)
    for row in _table("lc-vs-rag", "lc-vs-rag"):
        if row["part"] == "all":
            found = {name: int(row[name]) for name in expected}
            held &= _says(f"{row['strategy']} counts {found}", found == expected)
    return held and _shares(reader)


def _shares(reader: PlantedSides) -> bool:
    unknown = 1 - FATES["known"]
    planted = {
        "only_lc": FATES["only_lc"] / unknown,
        "only_rag": FATES["only_rag"] / unknown,
        "lc_correct": (FATES["both"] + FATES["only_lc"]) / unknown,
        "rag_correct": (FATES["both"] + FATES["only_rag"]) / unknown,
    }
    held = True
    for row in _table("lc-vs-rag", "lc-vs-rag-shares"):
        if row["part"] == "all" and (truth := planted.get(row["what"])) is not None:
            low, high = float(row["low"]), float(row["high"])
            line = f"{row['strategy']}: {row['what']} {float(row['share']):.3f} [{low:.3f}, {high:.3f}]"
            held &= _says(f"{line}, planted {truth:.3f}", low <= truth <= high)
    return held


class _EvidenceReader:
    """Right where its context holds the evidence, on nine questions of ten; one time in twenty it slips."""

    def __init__(self) -> None:
        self.questions = [json.loads(line) for line in Path("gaps-mcq.jsonl").read_text().splitlines()]
        self.times: dict[str, int] = defaultdict(int)
        self.lock = threading.Lock()

    def reply(self, post: Post) -> Reply:
        prompt = post.body["messages"][0]["content"]
        end = prompt[-4000:]
        one = max(self.questions, key=lambda question: end.rfind(question["question"]))
        digest = hashlib.sha256(prompt.encode()).hexdigest()
        with self.lock:
            self.times[digest] += 1
            time_asked = self.times[digest]
        context = " ".join(prompt[: len(prompt) - len(end) + end.rfind(one["question"])].split())
        able = _unit(one["id"]) < 0.9 and one["evidence"][0] in context
        slips = _unit(f"{digest} {time_asked}") < 0.05
        right = one["answer_index"]
        chosen = right if able and not slips else (right + 1) % len(one["options"])
        return Reply(completion(f"The words around the gap say so. [[{chosen + 1}]]", len(prompt) // 4))


def _unit(text: str) -> float:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32


def _dos_rag() -> bool:
    _keep("gaps-mcq.jsonl", _OF_THE_LONGEST)
    budgets = ", ".join(f"bm25/budget-{size}/{order}@100" for size in BUDGETS for order in ORDERS)
    with replying(_EvidenceReader().reply) as address:
        _run("dos-rag", DOS_RAG.format(address=f"{address}/v1", budgets=budgets))
    right: dict[tuple[str, str], list[float]] = defaultdict(list)
    found: dict[str, list[float]] = defaultdict(list)
    for trial in _trials("dos-rag"):
        right[trial["strategy"], trial["repeat"]].append(float(trial["score"]) == 10)
        if trial["retrieval_completeness"]:
            found[trial["strategy"]].append(float(trial["retrieval_completeness"]) == 1)
    held = True
    for row in _figure("dos-rag", "score-by-budget"):
        runs = [fmean(of_run) for (name, _), of_run in right.items() if name == row["strategy"]]
        truth, spread = fmean(runs), stdev(runs)
        same = abs(float(row["mean"]) - truth) < 1e-6 and abs(float(row["sd_of_runs"]) - spread) < 1e-6
        retrieved = f", evidence retrieved {fmean(own):.3f}" if (own := found[row["strategy"]]) else ""
        held &= _says(f"{row['strategy']}: {truth:.3f} ± {spread:.3f} of runs{retrieved}", same)
    return held


def _embedded() -> bool:
    """lc-vs-rag with smollm2, in a window that two busy cores can fill: nothing fails, the table is there."""
    _run("embedded", EMBEDDED_LC_VS_RAG)
    rows = [row for row in _table("embedded", "lc-vs-rag") if row["part"] == "all"]
    for row in rows:
        counts = ", ".join(f"{part} {row[part]}" for part in ("pairs", "lc_correct", "rag_correct"))
        print(f"  smollm2, {row['strategy']}: {counts}, only_lc {row['only_lc']}, only_rag {row['only_rag']}")
    return _says("the table is there", bool(rows)) and _only_answers("embedded")


def _embedded_dos() -> bool:
    """dos-rag with smollm2, over the longest documents: nothing fails, the figure is there."""
    _keep("gaps-mcq.jsonl", _OF_THE_LONGEST)
    _run("embedded-dos", EMBEDDED_DOS_RAG)
    points = list(_figure("embedded-dos", "score-by-budget"))
    for point in points:
        print(f"  smollm2, {point['strategy']}: {float(point['mean']):.3f} of {point['n']}")
    return _says("the figure is there", bool(points)) and _only_answers("embedded-dos")


def _only_answers(name: str) -> bool:
    outcomes = Counter(trial["outcome"] for trial in _trials(name))
    # It may go on talking until its room is spent.
    return _says(f"{name}: outcomes {dict(outcomes)}", set(outcomes) <= {"scored", "truncated"})


_OF_THE_LONGEST = slice(-DOCUMENTS * EACH, None)


def _keep(name: str, part: slice) -> None:
    """Some lines of a question set alone; those about its longest documents stand last."""
    lines = Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
    Path(name).write_text("".join(lines[part]), encoding="utf-8")


def _run(name: str, config: str) -> None:
    began = time.process_time()
    Path(f"{name}.yaml").write_text(config)
    for command in (["run", f"{name}.yaml"], ["report", name, "--out", f"report-{name}"]):
        if code := niah(command):
            sys.exit(f"niah {' '.join(command)} ended with {code}")
    print(f"{name}: {time.process_time() - began:.0f} s of CPU")


def _lengths() -> dict[str, int]:
    lines = Path("gaps.documents.jsonl").read_text(encoding="utf-8").splitlines()
    return {document["id"]: len(document["text"]) for document in map(json.loads, lines)}


def _trials(name: str) -> list[dict[str, str]]:
    niah(["export", name, "--format", "csv", "--out", f"{name}.csv"])
    with Path(f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _table(run: str, name: str) -> list[dict[str, str]]:
    with Path(f"report-{run}/tables/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _figure(run: str, name: str) -> list[dict[str, str]]:
    with Path(f"report-{run}/figures/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _says(line: str, holds: bool) -> bool:
    print(f"  {'holds' if holds else 'FAILS'}: {line}")
    return holds


if __name__ == "__main__":
    main()
