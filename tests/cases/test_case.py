import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.cases.case import Case, parse_case_id
from niah.errors import UserError

NAMES = st.from_regex(r"[a-z]{1,8}(-[a-z0-9]{1,5}){0,2}", fullmatch=True)


@given(
    st.builds(
        Case,
        needle_set=NAMES,
        haystack=NAMES,
        context_length=st.integers(1, 10**8),
        depth=st.integers(0, 1000).map(lambda tenths: tenths / 10),
        seed=st.integers(0, 10**6),
        tokenizer=st.sampled_from(["cl100k", "o200k"]),
        mode=st.sampled_from(["auto", "contiguous"]),
        order=st.sampled_from(["listed", "shuffled"]),
        distractors=st.integers(0, 99),
        prompt=st.sampled_from(["u-niah", "dos-rag-qa"]),
        repeat=st.booleans(),
        accidents=st.sampled_from(["stop", "avoid"]),
        reserve=st.integers(0, 500),
    )
)
def test_an_id_says_everything_about_its_case(case: Case) -> None:
    assert parse_case_id(case.case_id) == case


@pytest.mark.parametrize(
    "text",
    [
        *("", "ferry-lanterns", "a_b_c_d1_s1", "a_b_1_d1_s1_zzz", "a_b_1_d1..2_s1", "a_b_1_d250_s1"),
        *(f"a_b_{'9' * 5000}_d1_s1", f"a_b_1_d1_s{'9' * 5000}", f"a_b_1_d1_s1_x{'9' * 5000}"),
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse_case_id(text)
