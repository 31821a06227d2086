"""The question of a trial, as a strategy that asks a model first gets it."""

from __future__ import annotations

from collections.abc import Callable

from niah.cases.prompts import load_prompt
from niah.runs.trial import Trial
from niah.strategies.prepared.steps import AskedQuestion
from niah.strategies.select import Selection


def asked_question(trial: Trial, selected: Callable[[str], Selection]) -> AskedQuestion:
    """The trial's question; ``selected`` says what another strategy makes of its context."""
    sample = trial.sample
    template = load_prompt(sample.prompt)
    return AskedQuestion(
        text=sample.key.question,
        room=sample.context_room,
        prompt=lambda text: template.render(text, sample.key.question, sample.key.options),
        answer_tokens=trial.max_tokens,
        selected=selected,
        options=sample.key.options,
    )
