"""Verdicts on answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from niah.judges.verdict import Verdict

if TYPE_CHECKING:
    from niah.judges.rubric.rubric import judge_by_rubric

__all__ = ["Verdict", "judge_by_rubric"]


def __getattr__(name: str) -> Any:
    """The rubric, whose patterns take half a second to build, when it is asked for."""
    if name == "judge_by_rubric":
        from niah.judges.rubric.rubric import judge_by_rubric

        return judge_by_rubric
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
