"""What the run configs of the two RAG papers take, by ``niah plan``.

    python -m tests.bench.bench_paper_plans BOOKS

Nobody's datasets are here: questions of our own over pieces of books (BOOKS, a folder of text files) stand in
for them, as many and over as many tokens as the datasets have on average. What is printed stands in the run
configs.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from niah.cli.main import main as niah
from niah.text.tokenizer import count, get_tokenizer

# Questions and mean tokens of a context. LongBench's files have 200 questions (multifieldqa 150), QuALITY's
# dev 2,086; the other numbers, and all lengths, are those of long-context-vs-rag's table 2. En.MC has 229
# questions over books of 184,000 tokens (stronger-baselines-dos-rag).
LC_VS_RAG = {
    "nq": (109, 18_165),
    "coursera": (172, 7_934),
    "2wikimhqa": (200, 7_191),
    "hotpotqa": (200, 10_603),
    "musique": (200, 12_974),
    "multifieldqa": (150, 5_706),
    "narrativeqa": (200, 25_274),
    "qasper": (200, 5_350),
    "quality": (2_086, 5_089),
    "toefl-qa": (121, 729),
    "multidoc2dial": (158, 3_077),
}
SETS = {
    "lc-vs-rag": LC_VS_RAG,
    "dos-rag-quality": {"quality": LC_VS_RAG["quality"]},
    "dos-rag-infinitebench": {"infinitebench-en-mc": (229, 184_000)},
}
CHOICES = {"coursera", "quality", "toefl-qa", "infinitebench-en-mc"}
DOCUMENTS = 4
"""A set asks about so many; the mean is what counts."""

_SAMPLE = 200_000
"""So many letters say how long a token is."""

MODELS = ("openai/gpt-4o-mini", "openai/gpt-4o")


def main() -> None:
    if len(sys.argv) != 2:
        print("skipped: needs a folder of books: python -m tests.bench.bench_paper_plans BOOKS")
        return
    text = "\n\n".join(
        path.read_text(encoding="utf-8-sig") for path in sorted(Path(sys.argv[1]).glob("*.txt"))
    )
    os.environ.setdefault("OPENAI_API_KEY", "no key: nobody is asked")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for config, sets in SETS.items():
            for name, (questions, tokens) in sets.items():
                _write(name, questions, tokens, text)
            for model in MODELS:
                print(f"{config}, {model}:", flush=True)
                niah(["plan", config, "--model", model])


def _write(name: str, questions: int, tokens: int, text: str) -> None:
    """A question set of so many questions over documents of so many tokens."""
    folder = Path("cases/questions")
    folder.mkdir(parents=True, exist_ok=True)
    letters = round(tokens * len(text[:_SAMPLE]) / count(get_tokenizer("o200k"), text[:_SAMPLE]))
    documents = [
        {"id": f"{name}-{at}", "text": text[at * letters : (at + 1) * letters]} for at in range(DOCUMENTS)
    ]
    asked = [_question(name, at) for at in range(questions)]
    for ending, lines in (("jsonl", asked), ("documents.jsonl", documents)):
        (folder / f"{name}.{ending}").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def _question(name: str, at: int) -> dict[str, object]:
    asked = {
        "id": f"{name}-{at}",
        "document_id": f"{name}-{at % DOCUMENTS}",
        "question": f"What does person {at} of {name} say of the house by the river?",
    }
    if name in CHOICES:
        options = [f"that it was sold to the {at + place}th neighbour" for place in range(4)]
        return {**asked, "options": options, "answer_index": at % 4}
    return {**asked, "answers": [f"that it was sold to the {at}th neighbour"]}


if __name__ == "__main__":
    main()
