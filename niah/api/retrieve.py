"""How well strategies retrieve, with no model asked; and the figures of the MixPR paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path

import orjson

from niah.cases.sample import Sample
from niah.errors import UserError
from niah.files import atomic_write
from niah.plots.sweeps import ALPHA, TIME_STRATEGIES, K, draw_router, draw_sweep, draw_times
from niah.plots.theme import themed
from niah.retrieval.mixpr.figure_names import ALPHA_SWEEP, K_SWEEP, TIME
from niah.retrieval.mixpr.router import route
from niah.retrieval.mixpr.router_questions import RouterQuestion, router_questions
from niah.runs.checks import unread_scripts
from niah.runs.retrieval import (
    RetrievalRecord,
    check_evidence,
    check_retrieval,
    evaluate,
    evidence_lines,
    knows_what_to_send,
)
from niah.strategies.strategy import Strategy, parse

_LONGEST_NAIVE = 130_000
"""Tokens of a context whose matrix of all pairs fits into a few gigabytes."""

Say = Callable[[str], None]
Follow = Callable[[Iterable[RetrievalRecord], int], Iterable[RetrievalRecord]]
"""Passes on the records of a total number, and shows the progress meanwhile."""


def evaluate_retrieval(
    samples: Sequence[Sample], strategies: Sequence[Strategy], out: Path | None, follow: Follow, say: Say
) -> list[RetrievalRecord]:
    """How much of the needles each strategy retrieves for each sample. Raises UserError before any work.

    Args:
        samples: of a suite: its cases and questions.
        strategies: to compare.
        out: file for a JSON line per sample and strategy; it appears when all are done.
        follow: shows the progress.
        say: is called with a line where something is loaded or fetched first, and with warnings.
    """
    check_retrieval(strategies, say)
    for strategy in strategies:
        check_evidence(strategy, samples)
    for line in (*evidence_lines(strategies, samples), *unread_scripts(samples, strategies)):
        say(line)
    total = sum(knows_what_to_send(strategy, sample) for strategy in strategies for sample in samples)
    records = []
    with atomic_write(out) if out else nullcontext() as file:
        for record in follow(evaluate(samples, strategies, say), total):
            if file is not None:
                file.write(orjson.dumps(record.as_json(), option=orjson.OPT_APPEND_NEWLINE))
            records.append(record)
    return records


def save_mixpr_figure(
    name: str,
    samples: Sequence[Sample],
    strategies: Sequence[Strategy],
    folder: Path,
    out: Path | None,
    follow: Follow,
    say: Say,
) -> list[Path]:
    """Retrieve with each strategy for each sample, and draw one of MixPR's figures; the files written.

    Args:
        name: alpha, k or time.
        samples: of a suite.
        strategies: to compare; those of the figure where there are none.
        folder: for NAME.svg, .png and .csv.
        out, follow, say: see ``evaluate_retrieval``.
    """
    if name == TIME:
        timed = _timed(samples, strategies or [parse(text) for text in TIME_STRATEGIES], out, follow, say)
        with themed():
            return draw_times(timed).save(folder)
    sweep = {ALPHA_SWEEP: ALPHA, K_SWEEP: K}[name]
    chosen = strategies or [parse(text) for text in sweep.strategies]
    for strategy in chosen:
        if sweep.value(strategy.name) is None:
            raise UserError(
                f"the figure {name} is drawn over {sweep.setting}, and {strategy.name} has none of its own.",
                f"Leave --strategies out, or compare such as {sweep.strategies[0]}.",
            )
    if not any(sample.needles for sample in samples):
        raise UserError(f"the figure {name} needs needles, and no case has any.", "Take another suite.")
    records = evaluate_retrieval(samples, chosen, out, follow, say)
    reaches = {sample.needle_set or "": route(sample.key.question) for sample in samples}
    with themed():
        return draw_sweep(records, reaches, sweep).save(folder)


def _timed(
    samples: Sequence[Sample], strategies: Sequence[Strategy], out: Path | None, follow: Follow, say: Say
) -> list[RetrievalRecord]:
    """The records of all samples, each strategy warm; none of long samples by what forms the whole matrix."""
    evaluate_retrieval(samples[:1], strategies, None, lambda records, total: records, say)
    short = [sample for sample in samples if sample.tokens <= _LONGEST_NAIVE]
    quick = [strategy for strategy in strategies if strategy.retriever != "mixpr-naive"]
    long = [sample for sample in samples if sample.tokens > _LONGEST_NAIVE] if quick else []
    records = evaluate_retrieval(short, strategies, None if long else out, follow, say)
    return records + evaluate_retrieval(long, quick, out, follow, say) if long else records


def save_router_figure(folder: Path) -> list[Path]:
    """Draw how often MixPR's router sends questions to the right expert, by kind; the files written."""
    questions = router_questions()
    held_out = [question for question in questions if question.held_out]
    with themed():
        rates = {"rules, all": router_rates(questions), "rules, held out": router_rates(held_out)}
        return draw_router(rates).save(folder)


def router_rates(questions: Sequence[RouterQuestion]) -> dict[str, tuple[int, int]]:
    """By kind: how many questions went to the right expert, of how many."""
    rates: dict[str, tuple[int, int]] = {}
    for question in questions:
        right, asked = rates.get(question.kind, (0, 0))
        rates[question.kind] = right + (route(question.text) == question.reach), asked + 1
    return rates
