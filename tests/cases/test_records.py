import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.records import case_record, write_records
from niah.cases.suite import Suite
from niah.errors import CaseError

DESIGN = [
    "case_id", "needle_set", "haystack", "context_length", "depth", "seed", "tokenizer", "mode",
    "question", "answer", "elements", "needles", "distractors", "tokens", "prompt_tokens", "sha256",
]  # fmt: skip


def test_every_key_of_the_contract_is_there() -> None:
    case = Case("three-gates", "essays", 2000, 50)
    record = case_record(case, build_context(case), with_context=True)
    assert [key for key in DESIGN if key not in record] == []
    assert record["elements"][0]["key"] == "copper gate"
    assert record["repeats"] == 0
    for needle in record["needles"]:
        assert record["context"][needle["start"] : needle["end"]] == needle["text"]


def test_nested_needles_and_their_passages_are_both_recorded() -> None:
    case = Case("needle-in-needle", "essays", 24000, 20)
    record = case_record(case, build_context(case))
    spans = {passage["id"]: (passage["start"], passage["end"]) for passage in record["passages"]}
    holds = [
        sum(start <= needle["start"] < end for needle in record["needles"]) for start, end in spans.values()
    ]
    assert sum(holds) == 15
    assert holds.count(0) >= 1
    assert max(holds) >= 3


IMPOSSIBLE = Case("three-gates", "essays", 32, 50)
TOO_LONG = Case("ferry-lanterns", "essays", 9_000_000, 0)
POSSIBLE = Case("ferry-lanterns", "essays", 1000, 50)


def test_a_case_that_cannot_be_built_is_an_error_that_names_the_way_out() -> None:
    with pytest.raises(CaseError, match=r"three-gates_essays_32_d50_s1: .* skip: impossible in the suite"):
        write_records(Suite((POSSIBLE, IMPOSSIBLE)), list[bytes]().append, with_context=False, audited=False)


def test_what_cannot_be_built_is_left_out_and_the_rest_is_as_it_would_be_alone() -> None:
    lines: list[bytes] = []
    suite = Suite((IMPOSSIBLE, POSSIBLE, TOO_LONG), skip="impossible")
    written = write_records(suite, lines.append, with_context=True, audited=True)
    alone: list[bytes] = []
    write_records(Suite((POSSIBLE,)), alone.append, with_context=True, audited=True)
    assert lines == alone
    assert [(each.case_id, each.reason) for each in written.left_out] == [
        (IMPOSSIBLE.case_id, "too short for prompt and needles"),
        (TOO_LONG.case_id, "longer than the haystack"),
    ]
