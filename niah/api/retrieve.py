"""How well strategies retrieve; and the figures of MixPR, for whose router alone a reader is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from niah.cases.sample import Sample
from niah.errors import UserError
from niah.event_loop import run_to_end
from niah.files import atomic_write
from niah.plots.figures import Drawn
from niah.plots.sweeps import ALPHA, TIME_STRATEGIES, K, draw_router, draw_sweep, draw_times
from niah.plots.theme import themed
from niah.readers.options import DEFAULT_ROOM, thinks_by_default
from niah.readers.reader import Failure, Request, Response
from niah.retrieval.mixpr.figure_names import ALPHA_SWEEP, K_SWEEP, TIME
from niah.retrieval.mixpr.router import Reach, read_routing, route, routing_prompt
from niah.retrieval.mixpr.router_questions import RouterQuestion, router_questions
from niah.runs.evidence import check_evidence, evidence_lines, knows_what_to_send
from niah.runs.retrieval import RetrievalRecord, check_retrieval, evaluate
from niah.runs.unread_scripts import unread_scripts
from niah.strategies.strategy import Strategy, parse

if TYPE_CHECKING:
    from niah.readers.reader import Reader

SWEEPS = {ALPHA_SWEEP: ALPHA, K_SWEEP: K}
_LONGEST_NAIVE = 130_000
"""Tokens of a context whose matrix of all pairs fits into a few gigabytes."""
_REPLY_TOKENS = 16
"""One letter is asked for."""

Follow = Callable[[Iterable[RetrievalRecord], int], Iterable[RetrievalRecord]]
"""Passes on the records of a total number, and shows the progress meanwhile."""


def evaluate_retrieval(
    samples: Sequence[Sample],
    strategies: Sequence[Strategy],
    *,
    out: Path | None = None,
    follow: Follow = lambda records, total: records,
    say: Callable[[str], None] = lambda line: None,
) -> list[RetrievalRecord]:
    """How much of the needles each strategy retrieves for each sample.

    Args:
        samples: of a suite: its cases and questions.
        strategies: to compare.
        out: file for a JSON line per sample and strategy; it appears when all are done.
        follow: shows the progress.
        say: is called with a line where something is loaded or fetched first, and with warnings.

    Raises UserError for mistakes, before any work.
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


def routed_by_reader(questions: Sequence[RouterQuestion], reader: Reader) -> list[Reach | None]:
    """Where a reader sends each question; None where its reply says neither, or there is none.

    Raises UserError where the reader cannot be asked at all.
    """
    reader.check()
    return run_to_end(_ask(questions, reader))


async def _ask(questions: Sequence[RouterQuestion], reader: Reader) -> list[Reach | None]:
    lanes = asyncio.Semaphore(reader.concurrency)
    tokens = _REPLY_TOKENS + (DEFAULT_ROOM if thinks_by_default(reader.name) else 0)

    async def one(question: RouterQuestion) -> Response:
        async with lanes:
            return await reader.read(Request(routing_prompt(question.text), tokens))

    async with reader:
        replies = await asyncio.gather(*map(one, questions))
    failures = [reply for reply in replies if isinstance(reply, Failure) and not reply.text]
    if failures and len(failures) == len(replies):
        raise UserError(
            f"{reader.name} answered none of {len(replies)} questions: {failures[0].reason.rstrip('.')}.",
            "Check the model's name, its key and its address.",
        )
    # The letter comes first: a reply that was cut behind it has said enough.
    return [read_routing(reply.text) for reply in replies]


def router_rates(
    questions: Sequence[RouterQuestion], found: Sequence[Reach | None]
) -> dict[str, tuple[int, int]]:
    """By kind: how many questions went to the right expert, of how many."""
    rates: dict[str, tuple[int, int]] = {}
    for question, reach in zip(questions, found, strict=True):
        right, asked = rates.get(question.kind, (0, 0))
        rates[question.kind] = right + (reach == question.reach), asked + 1
    return rates


def save_router_figure(folder: Path, reader: Reader | None = None) -> list[Path]:
    """Draw the router's accuracy by rules, and by a reader where one is given; the files written."""
    questions = router_questions()
    rates = {
        "rules, all": router_rates(questions, [route(question.text) for question in questions]),
        "rules, held out": router_rates(
            [question for question in questions if question.held_out],
            [route(question.text) for question in questions if question.held_out],
        ),
    }
    if reader is not None:
        rates[reader.name] = router_rates(questions, routed_by_reader(questions, reader))
    return _saved(lambda: draw_router(rates), folder)


def save_mixpr_figure(
    name: str,
    samples: Sequence[Sample],
    strategies: Sequence[Strategy],
    folder: Path,
    *,
    out: Path | None = None,
    follow: Follow = lambda records, total: records,
    say: Callable[[str], None] = lambda line: None,
) -> list[Path]:
    """Retrieve with each strategy for each sample, and draw one of MixPR's figures; the files written.

    Args:
        name: of ``SWEEPS``, or "time".
        samples: of a suite.
        strategies: to compare; those of the figure where there are none.
        folder: for NAME.svg, .png and .csv.
        out, follow, say: see ``evaluate_retrieval``.

    Raises UserError for mistakes, before any work.
    """
    if name == TIME:
        chosen = strategies or [parse(text) for text in TIME_STRATEGIES]
        records = _timed(samples, chosen, out, follow, say)
        return _saved(lambda: draw_times(records), folder)
    sweep = SWEEPS[name]
    chosen = strategies or [parse(text) for text in sweep.strategies]
    for strategy in chosen:
        if sweep.value(strategy.name) is None:
            raise UserError(
                f"the figure {name} is drawn over {sweep.setting}, and {strategy.name} has none of its own.",
                f"Leave --strategies out, or compare such as {sweep.strategies[0]}.",
            )
    if not any(sample.needles for sample in samples):
        raise UserError(f"the figure {name} needs needles, and no case has any.", "Take another suite.")
    records = evaluate_retrieval(samples, chosen, out=out, follow=follow, say=say)
    reaches = {sample.needle_set or "": route(sample.key.question) for sample in samples}
    return _saved(lambda: draw_sweep(records, reaches, sweep), folder)


def _timed(
    samples: Sequence[Sample],
    strategies: Sequence[Strategy],
    out: Path | None,
    follow: Follow,
    say: Callable[[str], None],
) -> list[RetrievalRecord]:
    """The records of all samples, each strategy warm; none of long samples by what forms the whole matrix."""
    evaluate_retrieval(samples[:1], strategies, say=say)
    short = [sample for sample in samples if sample.tokens <= _LONGEST_NAIVE]
    quick = [strategy for strategy in strategies if strategy.retriever != "mixpr-naive"]
    long = [sample for sample in samples if sample.tokens > _LONGEST_NAIVE] if quick else []
    records = evaluate_retrieval(short, strategies, out=None if long else out, follow=follow, say=say)
    return records + evaluate_retrieval(long, quick, out=out, follow=follow, say=say) if long else records


def _saved(draw: Callable[[], Drawn], folder: Path) -> list[Path]:
    with themed():
        return draw().save(folder)
