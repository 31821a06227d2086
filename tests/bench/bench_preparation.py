"""The papers' systems with smollm2 as the model that prepares, over two real texts of about 5,000 tokens.

    python -m tests.bench.bench_preparation BOOKS [WORK]

BOOKS is a folder of books as text files. WORK keeps what was made: a run that was stopped goes on there. The
questions are derived by rule (``tests.bench.book_questions``). Prints for each strategy and step how often
the model was asked, what it took, and how many replies said nothing of use. 135 million parameters do it
badly; the calls have to be right.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean

from niah.cli.main import main as niah
from niah.runs.file.read_model import read_run
from niah.strategies.strategy import strategy_of
from tests.bench.book_questions import write_question_sets

STRATEGIES = (
    "raptor-pca:minilm/budget-500/document",
    "raptor-umap:minilm/budget-500/document",
    "readagent-2",
    "readagent-sequential-2",
    "tree-index",
)
_FOUND = 6
"""Questions that are looked for in a text; two of each are asked."""
_RUN = """
suite: two-texts.yaml
readers: [{{model: smollm2}}]
strategies: [{strategies}]
"""


def main() -> None:
    if len(sys.argv) == 1:
        print("skipped: needs a folder of books: python -m tests.bench.bench_preparation BOOKS")
        return
    books = Path(sys.argv[1]).resolve()
    work = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    work.mkdir(parents=True, exist_ok=True)
    os.chdir(work)
    write_question_sets(books, work, (5, 5), _FOUND)
    lines = Path("gaps.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("gaps.jsonl").write_text("".join(lines[:2] + lines[-2:]), encoding="utf-8")
    Path("two-texts.yaml").write_text("questions: gaps.jsonl\nprompt: lc-vs-rag\n")
    Path("systems.yaml").write_text(_RUN.format(strategies=", ".join(STRATEGIES)))
    if code := niah(["run", "systems.yaml", "--out", "systems.sqlite"]):
        sys.exit(code)
    _print_calls(Path("systems.sqlite"))


def _print_calls(path: Path) -> None:
    run = read_run(path)
    records = defaultdict(list)
    for record in run.records:
        records[record.strategy].append(record)
    for strategy, own in records.items():
        outcomes = ", ".join(f"{count} {name}" for name, count in Counter(r.outcome for r in own).items())
        scores = [record.score for record in own if record.score is not None]
        print(f"{strategy}: {outcomes}; mean score {fmean(scores) if scores else float('nan'):.1f}")
        calls = [call for call in run.preparations if call.definition == strategy_of(strategy).definition]
        for step in dict.fromkeys(call.step for call in calls):
            of_step = [call for call in calls if call.step == step]
            prompts = sum(call.usage.prompt_tokens or 0 for call in of_step)
            replies = sum(call.usage.completion_tokens or 0 for call in of_step)
            print(
                f"  {step:8} {len(of_step):3} calls, {prompts:6,} + {replies:5,} tokens, "
                f"{sum(not call.is_understood for call in of_step)} said nothing of use, "
                f"{sum(call.is_cut for call in of_step)} filled their room"
            )


if __name__ == "__main__":
    main()
