"""At which addresses the trials of a run were asked, as its invocations say: a server may move."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from niah.file_mistakes import counted
from niah.readers.reader import Reader
from niah.runs.file.read_model import RunContents
from niah.runs.provenance import Invocation
from niah.runs.trial import Outcome

AskedAt = Mapping[str, Mapping[str, Counter[Outcome]]]
"""By reader and address, how many trials came to which outcome."""


def asked_at(run: RunContents) -> AskedAt:
    """Where the trials with an outcome were asked; what nobody can tell is left out.

    Of shards that were merged, the times of one say nothing of another.
    """
    shards = {str(each.settings.get("shard", {}).get("value")) for each in run.invocations}
    if len(shards) > 1:
        return {}
    starts = [each.started_at for each in run.invocations]
    found: dict[str, dict[str, Counter[Outcome]]] = {}
    for record in run.records:
        place = bisect_right(starts, record.finished_at) if record.outcome != "not_run" else 0
        if place and (address := _address(run, run.invocations[place - 1], record.reader)):
            by_address = found.setdefault(record.reader, {})
            by_address.setdefault(address, Counter())[record.outcome] += 1
    return found


def latest_address(run: RunContents, reader: str) -> str:
    """Where the latest invocation asks a reader; "" where nobody can tell."""
    return _address(run, run.invocations[-1], reader) if run.invocations else ""


def elsewhere_lines(run: RunContents, readers: Sequence[Reader], retry: Collection[Outcome]) -> Iterator[str]:
    """What to know of trials that stay as they are and were asked at another address than they would be now.

    Args:
        run: as it was before.
        readers: as they would be asked now.
        retry: outcomes that are asked again.
    """
    before = asked_at(run)
    for reader in readers:
        now = str(reader.settings.get("api_base") or "").rstrip("/")
        for address, outcomes in before.get(reader.name, {}).items():
            failed = 0 if "reader_error" in retry else outcomes["reader_error"]
            stay = sum(number for name, number in outcomes.items() if name not in (*retry, "reader_error"))
            if not now or address == now:
                continue
            if stay:
                were = "was" if stay == 1 else "were"
                yield (
                    f"{counted(stay, 'trial')} of {reader.name} {were} finished at {address}; "
                    f"to ask {now} instead: --out FILE, or a reader name of its own in a run config."
                )
            if failed:
                yield (
                    f"{counted(failed, 'trial')} of {reader.name} ended as reader_error at {address}; "
                    f"--retry reader_error asks {now}."
                )


def _address(run: RunContents, invocation: Invocation, reader: str) -> str:
    """Where an invocation asked a reader; "" where it does not say so."""
    said = invocation.settings.get("api_base", {}).get("value")
    address = said.get(reader) if isinstance(said, Mapping) else said
    if not address and not any(each.settings.get("api_base", {}).get("value") for each in run.invocations):
        address = run.readers.get(reader, {}).get("api_base")
    return str(address or "").rstrip("/")
