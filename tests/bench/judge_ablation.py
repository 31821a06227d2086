"""What each family of the rubric's rules is worth: switched off one by one, on answers scored by hand.

    python -m tests.bench.judge_ablation                       # the answers of tests/judges/hand_made
    python -m tests.bench.judge_ablation more.yaml [...]       # and more files, with needle sets inline

Prints, as a table, how many scores are right with all rules, and how many more are wrong without each:
too low, and too high. A family that changes nothing has no place in the rubric.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

from niah.cases.sample import AnswerKey
from niah.cases.samples import answer_key, key_of
from niah.judges import judge_by_rubric
from niah.judges.rubric import negation, rubric
from niah.judges.rubric.reading import answer_reading, asides, final_statement, set_apart
from niah.needles.load import needle_set_of
from niah.needles.schema import NeedleSetFile

HAND_MADE = Path(__file__).parents[1] / "judges" / "hand_made"
Scored = tuple[str, AnswerKey, float]
_NEVER = re.compile(r"(?!)")


def _off(module: Any, name: str, value: object) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(module, name, value)


def _nothing(*_: object, **__: object) -> Any:
    return frozenset()


FAMILIES: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "the whole reading": _off(rubric, "read_answer", lambda answer, *_: answer_reading.AnswerReading(answer)),
    "conclusions, boxes, corrections": _off(answer_reading, "last_conclusion", lambda *_: None),
    "bold text": _off(final_statement, "_in_bold", lambda _: None),
    "a choice out of more": _off(final_statement, "_chosen", lambda _: None),
    "the question's words": _off(final_statement, "_in_the_questions_words", lambda _: None),
    "the only statement": _off(final_statement, "_the_only_one", lambda _: None),
    "earlier values and thoughts": _off(asides, "_after", _nothing),
    "changes from one to the other": _off(asides, "_changed", _nothing),
    "a value corrected": _off(asides, "_corrected", _nothing),
    "'was my first guess'": _off(asides, "_called_earlier", _nothing),
    "sums": _off(asides, "terms_of_sums", _nothing),
    "accounts of others": _off(asides, "_reported", lambda *_: set()),
    "headings and labels": _off(set_apart, "_leads", lambda *_: iter(())),
    "rows with a no": _off(set_apart, "_rows_with_a_no", lambda *_: iter(())),
    "columns apart": _off(set_apart, "_columns_apart", lambda *_: iter(())),
    "owners in headings": _off(set_apart, "_left_with_owner", lambda *_: set()),
    "'that is what ...'": _off(set_apart, "_pointed_at", _nothing),
    "sentences that exclude": _off(set_apart, "_excluded", _nothing),
    "remarks in brackets": _off(set_apart, "_REMARK", _NEVER),
    "denials, English": _off(negation, "_ruled_out", lambda *_: ()),
    "denials, other languages": _off(negation, "_denied_abroad", lambda *_: set()),
    "owners in clauses": _off(rubric, "attributed_elsewhere", lambda *_: set()),
    "hallucinated items": _off(rubric, "hallucinated_items", _nothing),
    "hallucinated codes": _off(rubric, "hallucinated_codes", lambda *_: []),
    "withdrawals, read to the end": _off(rubric, "_standing", lambda *_: "stands"),
}


def scored_answers(paths: list[Path]) -> Iterator[Scored]:
    """Every answer of the files, with its key and the score that people gave it."""
    for path in paths:
        for group in yaml.safe_load(path.read_text(encoding="utf-8")):
            key = key_of(group["set"], 1) if "set" in group else _inline(path, group["key"])
            yield from ((one["answer"], key, one["score"]) for one in group["answers"])


def _inline(path: Path, key: dict[str, Any]) -> AnswerKey:
    file = NeedleSetFile.model_validate_json(json.dumps({"description": path.stem, **key}))
    return answer_key(needle_set_of(path, file))


def misjudged(answers: list[Scored]) -> tuple[int, int]:
    """How many scores are too low, and how many too high."""
    differences = [judge_by_rubric(answer, key).score - score for answer, key, score in answers]
    return sum(difference < 0 for difference in differences), sum(
        difference > 0 for difference in differences
    )


def _clear() -> None:
    rubric._quotable.cache_clear()


def main() -> None:
    """Print the table."""
    answers = list(scored_answers([*sorted(HAND_MADE.glob("*.yaml")), *map(Path, sys.argv[1:])]))
    start = time.process_time()
    low, high = misjudged(answers)
    seconds = time.process_time() - start
    right = len(answers) - low - high
    print(
        f"{len(answers)} answers, {right / len(answers):.1%} of scores right, {low} too low, {high} too high;"
    )
    print(f"{len(answers) / seconds:.0f} verdicts a second\n")
    print("| without | more too low | more too high |\n| --- | --- | --- |")
    for name, switched_off in FAMILIES.items():
        _clear()
        with switched_off():
            lower, higher = misjudged(answers)
        print(f"| {name} | {lower - low:+d} | {higher - high:+d} |", flush=True)
    _clear()


if __name__ == "__main__":
    main()
