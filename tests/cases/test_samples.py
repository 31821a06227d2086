from __future__ import annotations

from dataclasses import replace

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.samples import rebuild, sample_of
from niah.errors import CaseError

CASE = Case("rainbow-potion", "essays", 2000, 40, seed=2, distractors=2)


def test_a_sample_rebuilds_its_context_or_says_that_it_is_another_one_now() -> None:
    sample = sample_of(CASE)
    assert rebuild(sample).text == build_context(CASE).text
    with pytest.raises(CaseError, match="has changed since the run was planned"):
        rebuild(replace(sample, sha256="0" * 64))
