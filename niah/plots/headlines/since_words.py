"""Since when a run is as it is, in words: what the record of its nights says, or that it has no history."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from niah.errors import UserError
from niah.runs.file.night_record import NightRecord, read_night_record
from niah.runs.file.nights import night_of

NO_HISTORY = (
    "one run, no history; niah nightly asks the same every night, and niah history shows since when a score"
    " is what it is"
)


def since_words(path: Path) -> str:
    """Of one run: since when it is worse, or that no night was, or where a history would come from.

    Args:
        path: of the run file; the record of its nights is looked for beside it.
    """
    try:
        night = night_of(path)
        record = read_night_record(path.parent, night.name) if night else None
    except (ValueError, UserError):  # a date that is not in the calendar, or a record that nobody can read
        return NO_HISTORY
    if night is None or record is None or not record.nights:
        return NO_HISTORY
    return f"{_of_night(record, night.date)}; niah history --name {night.name} draws all nights"


def _of_night(record: NightRecord, tonight: date) -> str:
    """What the record says of a night and of those before it."""
    known = [day for day in sorted(record.nights) if day <= tonight]
    entry = record.nights.get(tonight)
    if entry is None or entry.verdict is None:
        return "no verdict of this night is recorded; niah nightly with its date gives one"
    accepted = max((day for day in known if day < tonight and record.accepts(day)), default=date.min)
    if entry.verdict == "regression":
        since = next((day for day in record.regressions if accepted < day <= tonight), tonight)
        by_hand = ", accepted by hand" if entry.accepted else ""
        return f"worse than {entry.compared_with} since {since}{by_hand}"
    red = [day for day in known if record.nights[day].verdict == "regression"]
    last = f"the last regression was {red[-1]}" if red else "none of them a regression"
    return f"{entry.verdict} tonight; {len(known)} nights since {known[0]}, {last}"
