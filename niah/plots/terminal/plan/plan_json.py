"""What a run will take, for machines."""

from __future__ import annotations

import json
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from niah.runs.cost.estimate.planned_use import Plan, PlannedUse, ReaderPlan
from niah.runs.cost.preparation import PlannedPreparation


def plan_as_json(plan: Plan, judge: str) -> str:
    """The plan for machines; null is unknown. ``judge`` is the judge's name, also of one that asks nobody."""
    unasked = PlannedUse(judge, 0, 0, 0, Decimal(0), True, 0.0, ())
    document = {
        "preparation": [_preparation_as_json(each) for each in plan.preparing],
        "readers": [_reader_as_json(reader) for reader in plan.readers],
        "judge": _as_json("judge", plan.judge or unasked),
        "systems": [_system_as_json(system) for system in plan.systems],
        "embedders": [_as_json("embedder", embedder) for embedder in plan.embedders],
        "rerankers": [_as_json("reranker", reranker) for reranker in plan.rerankers],
        "asked_without_context": plan.asked_first,
        "local_embedding": asdict(plan.local_embedding) if plan.local_embedding else None,
        "left_out": [asdict(each) for each in plan.left_out],
        "structures": dict(plan.structures),
        "warnings": list(plan.warnings),
        "reserve": plan.reserve,
        "chat_templates": dict(plan.chat_templates),
        "budget": str(plan.budget) if plan.budget else None,
        "would_start": not plan.refusal,
        "refusal": plan.refusal,
        "total": {
            "kept": sum(reader.kept for reader in plan.readers),
            "calls": sum(part.calls for part in plan.parts),
            "usd": _number(plan.usd),
            "budget_tokens": plan.to_budget.tokens,
            "budget_usd": _number(plan.to_budget.usd),
            "seconds": plan.seconds,
        },
    }
    return json.dumps(document, indent=2)


def _as_json(kind: str, part: PlannedUse) -> dict[str, Any]:
    return {
        kind: part.name,
        "calls": part.calls,
        "prompt_tokens": part.prompt_tokens,
        "answer_tokens": part.answer_tokens,
        "thinking_tokens": part.thinking_tokens,
        "usd": _number(part.usd),
        "free": part.free,
        "seconds": part.seconds,
        "tokenizers": list(part.tokenizers),
    }


def _preparation_as_json(part: PlannedUse) -> dict[str, Any]:
    of_documents = part.documents if isinstance(part, PlannedPreparation) else {}
    documents = [
        {
            "strategy": strategy,
            "context_sha256": digest,
            **{name: getattr(each, name) for name in ("calls", "prompt_tokens", "answer_tokens")},
            "usd": _number(each.usd),
        }
        for (strategy, digest), each in of_documents.items()
    ]
    return {**_as_json("model", part), "documents": documents}


def _system_as_json(system: PlannedUse) -> dict[str, Any]:
    tokens = {"prompt_tokens": system.prompt_tokens or None, "answer_tokens": system.answer_tokens or None}
    return _as_json("system", system) | (tokens if system.calls else {})


def _reader_as_json(reader: ReaderPlan) -> dict[str, Any]:
    return {
        **_as_json("reader", reader),
        "trials": reader.trials,
        "kept": reader.kept,
        "prompt_tokens_at_most": reader.prompt_tokens_at_most,
        "answer_tokens_at_most": reader.answer_tokens_at_most,
        "usd_at_most": _number(reader.usd_at_most),
        "tokenizer_is_its_own": reader.counts_own,
        "routed": asdict(reader.routed) if reader.routed else None,
    }


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
