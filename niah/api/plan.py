"""What a run will take, before anything is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from niah.cases.left_out import avoided_by, contiguous_notes
from niah.errors import UserError
from niah.haystacks.documents import haystack_structure, is_entries
from niah.readers.credentials import noted_missing_keys, noting_missing_keys
from niah.readers.embedded import EmbeddedReader
from niah.readers.reader import EMBEDDED_WINDOW
from niah.runs.config.run_config import RunConfig
from niah.runs.cost.estimate import Plan
from niah.runs.cost.prices import Budget
from niah.runs.execution.run import estimate_rest, ledger_for
from niah.runs.file.read_model import read_run
from niah.runs.offline_check import check_offline
from niah.runs.plan import plan_trials, run_facts
from niah.runs.shards import Shard
from niah.runs.unread_scripts import unread_scripts
from niah.runs.windows.known import known_windows
from niah.runs.windows.too_long import too_long_for
from niah.text.chat_template import chat_template_tokens

_NEAR = 512
"""Tokens below a window within which a chat template and an answer may no longer fit."""


def plan_config(
    config: RunConfig,
    path: Path,
    shard: Shard | None = None,
    *,
    budget: Budget | None = None,
    reuse: bool = False,
) -> Plan:
    """Calls, tokens and money of a run. No model is asked, nothing retrieved, embedded or written.

    An endpoint is asked how many tokens its model holds.

    Args:
        config: the resolved run config.
        path: the run file, which need not be there; its finished trials are subtracted.
        shard: the part of the run that is meant; None is all of it.
        budget: of the run; the config's without it.
        reuse: subtract the answers that the run would take from earlier runs.

    Raises UserError for mistakes in the config, RunFileError for a run file of another config.
    """
    with noting_missing_keys():
        check_offline(config)
        missing = noted_missing_keys()
    planned = plan_trials(config)
    trials = planned.part(shard)
    run = read_run(path) if path.exists() else None
    if run:
        run.check(run_facts(config, planned.part()))
        trials = [trial for trial in trials if trial.asks_first or not run.knows(trial.reader, trial.sample)]
    done = run.finished() if run else set()
    todo = [trial for trial in trials if trial.trial_id not in done]
    estimate = estimate_rest(config, todo, trials, run, reuse=reuse)
    budget, refusal = budget or config.budget, ""
    try:
        ledger_for(config, budget, estimate, planned.part(shard), run)
    except UserError as error:
        refusal = error.message
    told = {trial.sample.case.haystack: trial.sample.case.structure for trial in trials if trial.sample.case}
    structures = {name: haystack_structure(name, told[name]) for name in sorted(told) if not is_entries(name)}
    samples = {trial.sample.sample_id: trial.sample for trial in planned.trials}
    avoided = tuple(avoided_by(samples.values()))
    too_long = too_long_for(known_windows(config.readers), todo)
    cases = [(sample.case, sample) for sample in samples.values() if sample.case]
    warnings = (
        *contiguous_notes(cases),
        *missing,
        *planned.notes,
        *unread_scripts(samples.values(), config.strategies),
        *too_long,
    )
    reserve = max((sample.case.reserve for sample in samples.values() if sample.case), default=0)
    longest = max((sample.context_length for sample in samples.values()), default=0)
    return replace(
        estimate,
        budget=budget,
        refusal=refusal,
        left_out=planned.left_out,
        avoided=avoided,
        structures=structures,
        warnings=warnings,
        reserve=reserve,
        chat_templates=_chat_templates(config, longest if not reserve else EMBEDDED_WINDOW),
    )


def _chat_templates(config: RunConfig, longest: int) -> dict[str, int]:
    """Tokens that embedded readers put around a prompt, by reader; of those whose window is far, none."""
    found = {}
    for reader in config.readers:
        if isinstance(reader, EmbeddedReader) and longest + _NEAR >= EMBEDDED_WINDOW:
            tokens = chat_template_tokens(reader.model)
            if tokens is not None:
                found[reader.name] = tokens
    return found
