"""Verdicts on answers."""

from __future__ import annotations

from niah.judges.rubric.rubric import judge_by_rubric
from niah.judges.verdict import Verdict

__all__ = ["Verdict", "judge_by_rubric"]
