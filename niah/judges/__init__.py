"""Verdicts on answers."""

from __future__ import annotations

from niah.judges.rubric.rubric import RubricJudge
from niah.judges.verdict import Verdict

__all__ = ["RubricJudge", "Verdict"]
