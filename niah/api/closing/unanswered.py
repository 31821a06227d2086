"""Which strategies and readers of a run got no answer at all, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from niah.file_mistakes import counted
from niah.readers.fatal import StoppedReader
from niah.runs.trial import Outcome, TrialRecord

UNANSWERED: tuple[Outcome, ...] = ("reader_error", "preparation_error")


def is_unanswered(records: Sequence[TrialRecord]) -> bool:
    """Whether trials were asked, and none of them got an answer."""
    asked = [record for record in records if record.outcome != "not_run"]
    return bool(asked) and all(record.outcome in UNANSWERED for record in asked)


def unanswered_lines(records: Sequence[TrialRecord], told: Collection[str] = ()) -> Iterator[str]:
    """A line for each strategy or reader of which no trial got an answer, though others did, with the reason.

    Where it is a strategy with every reader, the line names the strategy alone; a reader with every strategy,
    the reader alone; else both.

    Args:
        records: of the run.
        told: readers and strategies of which it is said already.
    """
    pairs: dict[tuple[str, str], list[TrialRecord]] = {}
    for record in records:
        if record.outcome != "not_run" and not {record.reader, record.strategy} & {*told}:
            pairs.setdefault((record.strategy, record.reader), []).append(record)
    failed = {pair: own for pair, own in pairs.items() if is_unanswered(own)}
    lines: dict[str, list[TrialRecord]] = {}
    for (strategy, reader), own in failed.items():
        if all(pair in failed for pair in pairs if pair[0] == strategy):
            name = strategy
        elif all(pair in failed for pair in pairs if pair[1] == reader):
            name = reader
        else:
            name = f"{strategy} with {reader}"
        lines.setdefault(name, []).extend(own)
    for name, own in lines.items():
        trials = f"any of its {len(own)} trials" if len(own) > 1 else "its one trial"
        yield f"{name} got no answer in {trials}{_most_often(own)}."


def fault_lines(records: Sequence[TrialRecord], stopped: Mapping[str, StoppedReader]) -> Iterator[str]:
    """Of which readers and strategies no answers were to be had, and why, for whoever was not there.

    Args:
        records: of the run.
        stopped: why readers and strategies were asked no further, by name.
    """
    for name, why in stopped.items():
        left = sum(
            record.outcome == "not_run" and name in (record.reader, record.strategy) for record in records
        )
        not_run = f" ({counted(left, 'trial')} not run)" if left else ""
        yield f"{name} was asked no further{not_run}: {why.reason.rstrip('.')}. {why.remedy}".rstrip()
    yield from unanswered_lines(records, stopped)


def _most_often(records: Sequence[TrialRecord]) -> str:
    reasons = Counter(record.reason for record in records if record.reason)
    if not reasons:
        return ""
    (reason, _), *others = reasons.most_common(2)
    return f"{', most often' if others else ''}: {reason.rstrip('.')}"
