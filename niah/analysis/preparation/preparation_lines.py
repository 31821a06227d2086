"""What models took that prepared for a run, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from niah.analysis.reused import earlier_run
from niah.runs.file.read_model import RunContents
from niah.runs.preparation.preparer import PreparationCall
from niah.strategies.strategy import strategy_of


def preparation_lines(run: RunContents) -> Iterator[str]:
    """One line a strategy that asked a model first, and one for each step where replies were of no use."""
    names = {record.definition: record.strategy for record in run.records}
    calls: dict[str, list[PreparationCall]] = {definition: [] for definition in names}
    for call in run.preparations:
        calls.setdefault(call.definition, []).append(call)
    for definition, own in calls.items():
        if not own:
            continue
        name = names.get(definition, strategy_of(definition).name)
        documents = len({call.document for call in own})
        paid = [call.usage for call in own if not call.from_cache]
        tokens = sum((usage.prompt_tokens or 0) + (usage.completion_tokens or 0) for usage in paid)
        free = sum(call.from_cache for call in own)
        reused = [call.reused_from for call in own if call.reused_from]
        models = ", ".join(sorted({call.model for call in own}))
        whose = "1 document" if documents == 1 else f"{documents} documents"
        yield (
            f"{name}: {len(own):,} calls of {models} prepared {whose} and the questions on them, {tokens:,} "
            f"tokens; {free:,} replies were there and cost nothing"
            f"{f', {len(reused):,} of them from {earlier_run(reused)}' if reused else ''}."
        )
        steps = Counter(call.step for call in own)
        unclear = Counter(call.step for call in own if not call.is_understood)
        cut = Counter(call.step for call in own if call.is_cut)
        for step, times in steps.items():
            of_step = f"of {times} replies to the step {step!r}"
            if unclear[step]:
                yield f"{name}: {unclear[step]} {of_step} did not say what was asked for."
            if cut[step]:
                yield f"{name}: {cut[step]} {of_step} filled their room and end there."
