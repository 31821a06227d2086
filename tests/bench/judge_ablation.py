"""What each family of the rubric's rules is worth: switched off one by one, on answers scored by hand.

    python -m tests.bench.judge_ablation                  # hand_made and scored_by_hand of tests/judges
    python -m tests.bench.judge_ablation more.yaml [...]  # and more files of either form

Prints, as a table, how many scores are right with all rules, and how many more are wrong without each:
too low, and too high. A family that changes nothing has no place in the rubric. Prints verdicts a second too:
with every needle set new to the judge, and once it knows them.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from niah.judges import judge_by_rubric
from niah.judges.rubric import negation, rubric
from niah.judges.rubric.reading import answer_reading, asides, final_statement, set_apart
from tests.judges.scored_answers import HAND_MADE, SCORED_BY_HAND, ScoredAnswer, scored_answers

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
    "headings and labels": _off(set_apart, "_leads", lambda *_: iter(())),
    "rows with a no": _off(set_apart, "_rows_with_a_no", lambda *_: iter(())),
    "columns apart": _off(set_apart, "_columns_apart", lambda *_: iter(())),
    "owners in headings": _off(set_apart, "_left_with_owner", lambda *_: set()),
    "'that is what ...'": _off(set_apart, "_pointed_at", _nothing),
    "sentences that exclude": _off(set_apart, "_excluded", _nothing),
    "remarks in brackets": _off(set_apart, "_REMARK", _NEVER),
    "denials, English": _off(negation, "_ruled_out", lambda *_: ()),
    "denials, other languages": _off(negation, "denied_mentions", lambda *_: set()),
    "owners in clauses": _off(rubric, "attributed_elsewhere", lambda *_: set()),
    "hallucinated items": _off(rubric, "hallucinated_items", _nothing),
    "hallucinated codes": _off(rubric, "hallucinated_codes", lambda *_: []),
    "withdrawals, read to the end": _off(
        rubric, "in_the_end", lambda _t, _m, doubts, _k, **_: ("stands", doubts)
    ),
    "withdrawals of a part": _off(rubric, "withdrawn_part", lambda *_: None),
    "one of several replaced": _off(answer_reading, "replaced", lambda *_: (frozenset(), frozenset())),
}


def misjudged(answers: Sequence[ScoredAnswer]) -> tuple[int, int]:
    """How many scores are too low, and how many too high."""
    differences = [judge_by_rubric(one.answer, one.key).score - one.score for one in answers]
    return sum(difference < 0 for difference in differences), sum(
        difference > 0 for difference in differences
    )


def _timed(answers: Sequence[ScoredAnswer]) -> tuple[tuple[int, int], float]:
    """How many are misjudged, and in how many seconds of computing."""
    start = time.process_time()
    return misjudged(answers), time.process_time() - start


def _clear() -> None:
    rubric._quotable.cache_clear()


def main() -> None:
    """Print the table."""
    answers = list(scored_answers([*HAND_MADE, *SCORED_BY_HAND, *map(Path, sys.argv[1:])]))
    (low, high), first = _timed(answers)
    known = min(_timed(answers)[1] for _ in range(3))
    right = len(answers) - low - high
    print(
        f"{len(answers)} answers, {right / len(answers):.1%} of scores right, {low} too low, {high} too high;"
    )
    print(f"{len(answers) / first:.0f} verdicts a second at first, {len(answers) / known:.0f} then\n")
    print("| without | more too low | more too high |\n| --- | --- | --- |")
    for name, switched_off in FAMILIES.items():
        _clear()
        with switched_off():
            lower, higher = misjudged(answers)
        print(f"| {name} | {lower - low:+d} | {higher - high:+d} |", flush=True)
    _clear()


if __name__ == "__main__":
    main()
