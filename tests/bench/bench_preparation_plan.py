"""RAPTOR's plan against what a scripted model then counts: tokens of prompts and replies, by text and length.

    python -m tests.bench.bench_preparation_plan TEXTS [TOKENS ...] [expected]

TEXTS is a folder of texts (*.txt), TOKENS the lengths of the pieces that are taken from the middle of each:
8,000 and 30,000 without them. Texts that are shorter are left out. Summaries are some words of what they
summarise, about as many tokens as are asked for. With "expected", clusters are such as a plan expects that
embeds nothing, as it does of all but the first documents.
"""

from __future__ import annotations

import sys
from pathlib import Path

from niah.retrieval.registry import get_retriever
from niah.strategies.prepared.steps import ModelCall, PreparedDocument, run_steps
from niah.strategies.strategy import parse
from niah.text.tokenizer import get_tokenizer

_TOKENS = (8_000, 30_000)
_WORDS = 75


def main() -> None:
    if len(sys.argv) == 1:
        print(
            "preparation-plan: left out. It needs texts: python -m tests.bench.bench_preparation_plan TEXTS"
        )
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
