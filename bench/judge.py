"""Verdicts of the rubric a second of computing, on answers new to it, next to a plain search for the names.

python -m bench.judge
"""

from __future__ import annotations

import time

from niah.cases.samples import key_of
from niah.judges.rubric import judge_by_rubric

SETS = ("pizza-ingredients", "rainbow-potion", "three-gates", "coach-timetable", "stairs-portrait")
ANSWER = "According to the text, as far as I can tell, number {}: {}"
WORDS = 9  # of the reference answer, so that answers have 20


def main() -> None:
    """Print verdicts a second, and how many words the answers have."""
    keys = [key_of(name, 1) for name in SETS]
    answers = [
        (ANSWER.format(at, " ".join(key.answer.split()[:WORDS])), key) for key in keys for at in range(2000)
    ]
    for answer, key in answers[::500]:
        judge_by_rubric(answer, key)
    words = sum(len(answer.split()) for answer, _ in answers) / len(answers)
    start = time.process_time()
    for answer, key in answers:
        judge_by_rubric(answer, key)
    rubric = len(answers) / (time.process_time() - start)
    start = time.process_time()
    for answer, key in answers:
        sum(name.casefold() in answer.casefold() for element in key.elements for name in element.names)
    plain = len(answers) / (time.process_time() - start)
    print(f"answers of {words:.0f} words: {rubric:,.0f} verdicts a second; a plain search: {plain:,.0f}")


if __name__ == "__main__":
    main()
