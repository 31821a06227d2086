"""Metrics: against their libraries, by hand, and as judges. tests/data/metrics.md has an example of each."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from niah.cases.sample import AnswerKey
from niah.errors import UserError
from niah.judges.error_types import paper_error_type
from niah.judges.metrics import METRICS, Metric, bleu, chrf, parse_choice, rouge_l
from niah.judges.registry import check_suited, find_rule_judge, guarded, resolve_judge, second_judge
from niah.judges.verdict import Verdict
from niah.needles.needle_set import Element
from niah.readers.reader import Failure, Usage

# --- libraries and worked examples ----------------------------------------------------------------

Pairs = list[tuple[str, str]]
_WORDS = (
    *("the", "The", "a", "cat", "cats", "mat", "on", "and", "mist", "gold-mist", "don't", "U.S.", "3.5"),
    *("1,000", "42%", "(about)", "figs,", "figs", "ham.", "Ham!", "under_score", "--", "***", "\n", "\n\n"),
)
_FOREIGN = ("crème", "Straße", "霧の町", "Москва", "naïve", "🍇")
_ODD = [
    ("figs", "figs"),
    ("a", "a b c d e f g"),
    ("the the the the", "the"),
    ("one two three\nfour five", "four five\none two three"),
    ("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"),
    ("---\nfigs\n---", "figs"),
    ("3,500.75 dollars", "$3,500.75"),
    ("hyphen-\nated", "hyphenated"),
    ("x", "y"),
]


def _drawn(count: int, words: tuple[str, ...]) -> Pairs:
    """Pairs of up to 40 words, the answer an edited reference in half of them."""
    draw = random.Random(20261123)
    pairs: Pairs = []
    while len(pairs) < count:
        reference = draw.choices(words, k=draw.randint(1, 40))
        answer = draw.choices(words, k=draw.randint(1, 40))
        if draw.random() < 0.5:
            answer = [draw.choice(words) if draw.random() < 0.3 else word for word in reference]
        pair = " ".join(answer), " ".join(reference)
        # Texts without a letter or digit are compared mark by mark here, and are nothing to rouge-score.
        if all(any(char.isalnum() for char in text) for text in pair):
            pairs.append(pair)
    return pairs


_ROUGE, _BLEU = RougeScorer(["rougeL"]), partial(BLEU, effective_order=True)


def _by_rouge_score(kind: str, answer: str, reference: str) -> float:
    return float(_ROUGE.score(reference, answer)[kind].fmeasure)


def _by_sacrebleu(metric: BLEU | CHRF, answer: str, reference: str) -> float:
    return metric.sentence_score(answer, [reference]).score / 100


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        (rouge_l, partial(_by_rouge_score, "rougeL"), _WORDS),
        (partial(bleu, longest=1), partial(_by_sacrebleu, _BLEU(max_ngram_order=1)), None),
        (partial(bleu, longest=4), partial(_by_sacrebleu, _BLEU(max_ngram_order=4)), None),
        (chrf, partial(_by_sacrebleu, CHRF()), None),
    ],
    ids=["rouge-l", "bleu-1", "bleu-4", "chrf"],
)
def test_as_the_library(
    ours: Callable[[str, str], float], theirs: Callable[[str, str], float], words: tuple[str, ...] | None
) -> None:
    pairs = _drawn(400, words or _WORDS + _FOREIGN) + _ODD
    differ = [pair for pair in pairs if ours(*pair) != pytest.approx(theirs(*pair), abs=1e-9)]
    assert differ == []
    assert len({ours(*pair) for pair in pairs}) > 100


_PAGE = (Path(__file__).parents[1] / "data" / "metrics.md").read_text(encoding="utf-8")
_EXAMPLES: list[tuple[str, str, str, str]] = re.findall(
    r"^\| `([\w-]+)` \| `(.*)` \| `(.*)` \| ([\d.]+) \|$", _PAGE, re.MULTILINE
)


def test_every_metric_has_a_definition_and_an_example() -> None:
    assert re.findall(r"^\| \*\*([\w-]+)\*\* \|", _PAGE, re.MULTILINE) == list(METRICS)
    assert {name for name, *_ in _EXAMPLES} == set(METRICS)


@pytest.mark.parametrize(("name", "answer", "reference", "value"), _EXAMPLES)
def test_example(name: str, answer: str, reference: str, value: str) -> None:
    score = METRICS[name].score(answer.replace("\\n", "\n"), [reference])
    assert f"{score:.{len(value.partition('.')[2])}f}" == value


_FREE = [metric for metric in METRICS.values() if metric.name != "accuracy"]
_vocabulary = st.sampled_from(["the", "a", "gold", "mist", "figs", "ham", "runs", "running", "Lunaris", "42"])
_text = st.one_of(st.text(max_size=60), st.lists(_vocabulary, max_size=8).map(" ".join))


@pytest.mark.parametrize("metric", _FREE, ids=lambda metric: metric.name)
@given(answer=_text, reference=_text)
@example(answer=" " * 30, reference="7")
def test_values_lie_between_0_and_1_and_a_text_is_all_of_itself(
    metric: Metric, answer: str, reference: str
) -> None:
    assert 0 <= metric.of_pair(answer, reference) <= 1
    # METEOR has its penalty; not every text ranks something, or has a code or a value at its end.
    if metric.name not in ("meteor", "ndcg-10", "mrcr-v2", "oolong"):
        assert metric.of_pair(answer, answer) == pytest.approx(1)
    assert metric.score(answer, [reference, "figs"]) >= metric.score(answer, [reference])


# --- multiple choice ------------------------------------------------------------------------------

_CHOICES: list[tuple[str, str]] = re.findall(r"^\| `(.*)` \| (\d+|-) \|$", _PAGE, re.MULTILINE)


@pytest.mark.parametrize(("answer", "option"), _CHOICES)
def test_the_option_that_an_answer_gives(answer: str, option: str) -> None:
    assert parse_choice(answer.replace(r"\n", "\n")) == (None if option == "-" else int(option))


@given(st.text(), st.integers(1, 26))
def test_a_last_statement_on_its_own_line_counts(before: str, option: int) -> None:
    assert parse_choice(before) in {None, *range(1, 27)}
    assert parse_choice(f"{before}.\nThus the answer is [[{option}]]") == option


CITY = AnswerKey(
    name="city",
    question="Which city is it?",
    references=("Paris",),
    options=("London", "Paris", "Paris, Texas", "7"),
    answer_index=1,
)


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        *((said, "Paris") for said in ("[[2]]", "(B)", "paris.", "The answer is Paris, not London.")),
        ("<think>London? [[1]]</think>[[2]]", "Paris"),
        ("Paris, Texas", "Paris, Texas"),
        ("The answer is 7.", "7"),
        *((said, "") for said in ("", "I cannot tell.", "London or Paris", "[[1]] or [[2]]", "[[5]]")),
    ],
)
def test_accuracy_takes_the_letter_the_number_or_the_text(answer: str, chosen: str) -> None:
    found = find_rule_judge("accuracy").verdict(answer, CITY)
    right = chosen == "Paris"
    assert (found.score, found.value) == ((10, 1) if right else (1, 0))
    assert found.wrong == ((chosen,) if chosen and not right else ())
    assert paper_error_type(found) == ("correct" if right else "missing_and_wrong" if chosen else "other")


SEVERAL = AnswerKey(
    name="several",
    question="Which two?",
    elements=(Element("jade"), Element("coral")),
    options=("amber", "jade", "opal", "coral"),
)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        *(("BD", 1), ("The answers are (B) and (D).", 1), ("B. jade\nD. coral", 1), ("jade and coral", 1)),
        *(("B", 1 / 2), ("Answer: A, B, D", 2 / 3), ("A", 0)),
    ],
)
def test_accuracy_of_several_right_options_is_their_share_of_all_chosen(answer: str, value: float) -> None:
    assert find_rule_judge("accuracy").verdict(answer, SEVERAL).value == pytest.approx(value)


# --- as judges ------------------------------------------------------------------------------------

DARCY = AnswerKey(name="who", question="Who?", references=("Fitzwilliam Darcy of Pemberley", "Mr. Darcy"))


@pytest.mark.parametrize(
    ("value", "problem"),
    [*((odd, f"it gave {odd}, not 0 to 1") for odd in (float("nan"), 2.5, -1)), ("x", "TypeError: ")],
)
def test_a_packages_metric_that_fails_is_a_judge_error(value: float, problem: str) -> None:
    metric: Metric = METRICS._adapt("odd", lambda answer, reference: value)
    given = asyncio.run(guarded("odd", metric.judge(), "metric").judge("Darcy", DARCY))
    assert isinstance(given, Failure)
    assert given.reason.startswith(f"the metric odd failed: {problem}")


def test_a_packages_judge_whose_verdict_has_another_form_is_a_judge_error() -> None:
    odd = Verdict(10, (), (), (), False, "odd", "1", "", "x")  # type: ignore[arg-type]
    judge = replace(METRICS["contained-match"].judge(), verdict=lambda answer, key: odd)
    given = asyncio.run(guarded("odd", judge).judge("Darcy", DARCY))
    assert isinstance(given, Failure)
    assert given.reason.startswith(
        "the judge odd failed: its verdict's value: Input should be a valid number"
    )


def test_auto_with_a_metric_of_ones_own_choice() -> None:
    judge, auto = find_rule_judge("auto:contained-match"), find_rule_judge("auto")
    free = AnswerKey("q", "Who?", ("Ada Byron",))
    none = AnswerKey("q", "Who?", kind="unanswerable")
    options = AnswerKey("q", "Which?", options=("a", "b"), answer_index=0)
    assert judge.verdict("It was, I think, Ada Byron.", free).score == 10
    assert 1 < auto.verdict("It was, I think, Ada Byron.", free).score < 10
    for key, right, wrong in ((none, "The text does not say.", "Ada."), (options, "(a)", "(b)")):
        assert [judge.verdict(each, key).score for each in (right, wrong)] == [10, 1]
        assert second_judge(judge, key) is None
    given = asyncio.run(auto.judge("Ada Byron", free))
    assert isinstance(given, Verdict)
    assert (given.score, given.usage, given.cost) == (10, Usage(0, 0, 0), Decimal(0))
    assert judge.verdict("Ada.", none).judge == "auto:contained-match"
    assert second_judge(judge, free) == resolve_judge("squad-f1")
    assert second_judge(resolve_judge("auto:squad-f1"), free) is None


ELEMENTS = AnswerKey(name="potion", question="?", references=("Mist.",), elements=(Element("gold mist"),))
FREE = AnswerKey(
    name="why", question="Why?", references=("She is afraid of the dark.", "She does not like it at all.")
)


UNKNOWN = AnswerKey(name="why", question="Why?", kind="unanswerable")


@pytest.mark.parametrize(
    ("judge", "key", "why", "instead"),
    [
        ("accuracy", DARCY, "it has no right option", "squad-f1"),
        ("squad-f1", UNKNOWN, "it has no reference answer", "rubric"),
        ("rubric", FREE, "its reference has more than three words and no elements", "squad-f1"),
        ("rubric", CITY, "it has options, and the rubric does not read their letters", "accuracy"),
        ("accuracy", ELEMENTS, "it has no right option", "rubric"),
    ],
)
def test_a_judge_that_does_not_suit_gives_no_number_and_is_refused_with_one_that_does(
    judge: str, key: AnswerKey, why: str, instead: str
) -> None:
    chosen, problem = resolve_judge(judge), f"{judge} cannot judge {key.name}: {why}."
    assert asyncio.run(chosen.judge("Paris", key)) == Failure("judge_error", problem)
    with pytest.raises(UserError, match=f"{problem} Take auto .{instead} for"):
        check_suited(chosen, [key])
