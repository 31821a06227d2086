"""What a run will take, to look at and to reckon with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from niah.api.python.notebook_display import printed_html, printed_text
from niah.plots.plan import plan_as_json, print_plan
from niah.runs.cost.estimate import Plan


@dataclass(frozen=True, repr=False)
class RunPlan:
    """What a run will take.

    Attributes:
        plan: by reader, judge and embedder.
        judge: the judge's name.
    """

    plan: Plan
    judge: str

    @property
    def calls(self) -> int:
        """Requests, all together."""
        return self.plan.calls

    @property
    def usd(self) -> Decimal | None:
        """US dollars that are expected; None where one price is unknown."""
        return self.plan.usd

    @property
    def refusal(self) -> str:
        """Why ``niah.run`` would not start with its budget; "" where it would."""
        return self.plan.refusal

    def as_dict(self) -> dict[str, Any]:
        """What ``niah plan --json`` prints; None is unknown."""
        document: dict[str, Any] = json.loads(plan_as_json(self.plan, self.judge))
        return document

    def __repr__(self) -> str:
        return printed_text(lambda console: print_plan(self.plan, self.judge, console))

    def _repr_html_(self) -> str:
        return printed_html(lambda console: print_plan(self.plan, self.judge, console))
