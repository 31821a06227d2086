"""Retrieval by words and by embeddings in fourteen languages, and its speed in six scripts.

    python -m tests.bench.bench_words [--speed]

Each town of tests/data/harbour.yaml is a haystack, each of its needles a needle set with one distractor. A
case has 6,000 tokens of o200k and its needle at 25 or 75 %. Figures are completeness: the share of needles
that are whole among the five best passages of up to 100 tokens. With --speed, megabytes a second instead.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import yaml

from niah.api.retrieve import evaluate_retrieval
from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.cases.samples import sample_of
from niah.retrieval.lexical import BM25Retriever, TfidfRetriever
from niah.retrieval.mixpr.mixpr import MixPR
from niah.strategies.strategy import parse
from tests.retrieval.harbour import Harbour, harbour, languages

RETRIEVERS = ("tfidf", "bm25", "mixpr", "minilm")
TOKENS, SENTENCES = 6_000, 500
DEPTHS = (25, 75)


def needle_set(town: Harbour, place: int) -> dict[str, object]:
    """The town's needle of that place, whose one element is the whole sentence."""
    needle, other = town.texts[place].strip(), town.texts[len(town.questions) + place].strip()
    element = needle.rstrip(".।。។။")
    return {
        "question": town.questions[place],
        "answer": element,
        "elements": [{"name": element}],
        "needles": [{"id": "needle", "text": needle, "elements": [element]}],
        "distractors": [{"id": "other", "text": other}],
    }


def samples(language: str) -> list[Sample]:
    """The cases of one language; haystack and needle sets are written into the working folder."""
    town = harbour(language, seed=1, background=SENTENCES)
    background = town.texts[2 * len(town.questions) :]
    spaced = " " if background[0].endswith((".", "।")) else ""
    Path(f"{language}.txt").write_text(
        "\n\n".join(spaced.join(background[i : i + 8]) for i in range(0, SENTENCES, 8)), encoding="utf-8"
    )
    Path("needles").mkdir(exist_ok=True)
    found = []
    for place in range(len(town.questions)):
        name = f"{language}-{place}"
        text = yaml.safe_dump(needle_set(town, place), allow_unicode=True)
        Path("needles", f"{name}.yaml").write_text(text, encoding="utf-8")
        for depth in DEPTHS:
            case = Case(name, f"{language}.txt", TOKENS, depth, seed=1, tokenizer="o200k", distractors=1)
            found.append(sample_of(case))
    return found


def completeness() -> None:
    strategies = [parse(f"{retriever}/top-5/norm@100") for retriever in RETRIEVERS]
    print(f"{'':10}{'cases':>8}" + "".join(f"{name:>8}" for name in RETRIEVERS))
    for language in languages():
        cases = samples(language)
        records = evaluate_retrieval(cases, strategies)
        shares = [
            fmean(record.completeness or 0 for record in records if record.strategy == str(strategy.plan))
            for strategy in strategies
        ]
        print(f"{language:10}{len(cases):8}" + "".join(f"{share:8.2f}" for share in shares), flush=True)


def megabytes_a_second(texts: Sequence[str], question: str) -> list[float]:
    size = sum(len(text.encode()) for text in texts) / 1e6
    rates = []
    for make in (TfidfRetriever, BM25Retriever, MixPR):
        make().score(question, texts[:10])
        start = time.process_time()
        make().score(question, texts)
        rates.append(size / (time.process_time() - start))
    return rates


def speed() -> None:
    print(f"{'MB/s':10}" + "".join(f"{name:>8}" for name in RETRIEVERS[:3]))
    for language in ("english", "russian", "hindi", "korean", "chinese", "thai"):
        town = harbour(language, seed=1, background=5_000)
        rates = megabytes_a_second(town.texts * 8, town.questions[0])
        print(f"{language:10}" + "".join(f"{rate:8.1f}" for rate in rates), flush=True)


if __name__ == "__main__":
    if "--speed" in sys.argv:
        speed()
    else:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            completeness()
