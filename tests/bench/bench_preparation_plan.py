"""What ``niah plan`` says of strategies that ask a model first, against what a scripted model then counts.

    python -m tests.bench.bench_preparation_plan systems [STRATEGY ...]

plans and runs twelve cases of 4,000 tokens under each of the papers' systems: calls and tokens, planned and
counted, of preparing and of reading. The model chooses what has most words in common with the question.

    python -m tests.bench.bench_preparation_plan TEXTS [TOKENS ...] [expected]

sets RAPTOR's plan beside what is counted of longer texts: tokens of prompts and replies. TEXTS is a folder of
texts (*.txt), TOKENS the lengths of the pieces that are taken from the middle of each: 8,000 and 30,000
without them. Texts that are shorter are left out. Summaries are some words of what they summarise, about as
many tokens as are asked for. With "expected", clusters are such as a plan expects that embeds nothing, as it
does of all but the first documents.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from niah.retrieval.registry import get_retriever
from niah.strategies.prepared.steps import ModelCall, PreparedDocument, run_steps
from niah.strategies.strategy import parse
from niah.text.tokenizer import get_tokenizer
from tests.runs.preparation.scripted_model import found, scripted
from tests.runs.preparation.system_plans import plans_beside_counts

SYSTEMS = (
    "raptor-pca:minilm/budget-1000/norm",
    "raptor-pca:minilm/top-5/norm",
    "raptor-pca-traversal:minilm/top-2/document",
    "raptor-umap:minilm/budget-1000/norm",
    "readagent-2",
    "readagent-6",
    "readagent-sequential-2",
    "tree-index-1",
    "tree-index-2",
    "minilm/budget-2000/document@100+summary-500",
    "lc+summary-500",
    "minilm/budget-2000/document@100+sentences-500",
    "route(minilm/budget-500/document@100,lc)",
    "mixpr-reader-a0.3/budget-500/document",
    "mixpr-auto/budget-1000/document",
    "auto-merging",
    "sentence-window",
    "minilm/budget-1000/norm@100",
    "minilm/budget-1000/document@100",
    "lc",
)
_TOKENS = (8_000, 30_000)
_WORDS = 75


def main() -> None:
    if len(sys.argv) == 1:
        print("skipped: needs a word: python -m tests.bench.bench_preparation_plan systems")
        return
    if sys.argv[1] == "systems":
        print_systems(sys.argv[2:] or SYSTEMS)
        return
    tokenizer = get_tokenizer("cl100k")
    expects = "expected" in sys.argv
    lengths = [int(each) for each in sys.argv[2:] if each != "expected"] or _TOKENS
    for path in sorted(Path(sys.argv[1]).glob("*.txt")):
        text = path.read_text(encoding="utf-8-sig")
        starts = tokenizer.starts(text)
        for tokens in lengths:
            if len(starts) <= tokens:
                continue
            first = (len(starts) - tokens) // 2
            piece = text[int(starts[first]) : int(starts[first + tokens])]
            _print_ratio(path.stem, tokens, PreparedDocument(piece, tokenizer), expects=expects)


def print_systems(strategies: Sequence[str]) -> None:
    """A line for each; in brackets planned / counted, marked where it is not within 10 %."""
    with tempfile.TemporaryDirectory() as folder, scripted() as model:
        model.rule = found
        for system in plans_beside_counts(Path(folder), model, strategies):
            print(f"{system.strategy}\n    planned: {system.preparing}, reading {system.reading}")
            print(f"    counted: {system.prepared}, reading {system.read}")
            ratios = ", ".join(
                f"{what} {ratio:.3f}{'' if 0.9 <= ratio <= 1.1 else ' (!)'}"
                for what, ratio in system.ratios.items()
            )
            print(f"    planned / counted: {ratios}", flush=True)


def _print_ratio(name: str, tokens: int, document: PreparedDocument, *, expects: bool) -> None:
    strategy = parse("raptor").prepared
    assert strategy
    counted = dict.fromkeys(("planned", "taken"), 0)
    calls = dict.fromkeys(counted, 0)

    def reply(whose: str) -> object:
        def replied(call: ModelCall) -> str:
            text = call.expected
            if whose == "taken":
                words = call.prompt.split()
                text = " ".join(words[40 : 40 + _WORDS] or words)
            counted[whose] += document.count(call.prompt) + document.count(text)
            calls[whose] += 1
            return text

        return replied

    retriever = get_retriever("minilm", lambda line: None)
    embeds = None if expects else lambda: retriever
    run_steps(strategy.document(document, embeds), reply("planned"))  # type: ignore[arg-type]
    run_steps(strategy.document(document, lambda: retriever), reply("taken"))  # type: ignore[arg-type]
    print(
        f"{name:28} {tokens:6,} tokens: planned {calls['planned']:3} calls, {counted['planned']:7,} tokens; "
        f"taken {calls['taken']:3} calls, {counted['taken']:7,} tokens; "
        f"ratio {counted['taken'] / counted['planned']:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
