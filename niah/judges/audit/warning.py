"""A word to whoever chooses a judge that cannot be trusted."""

from __future__ import annotations

from niah.judges.audit.kept import KeptAudit, audit_file, kept_audit
from niah.judges.judge import Judge
from niah.readers.reader import EMBEDDED

# Measured for docs/judge-audit.md, with replies of up to 300 tokens and no second attempt.
_SMOLLM2 = (
    f"the judge {EMBEDDED} is too small to judge: when measured, none of its 16 replies was a verdict. "
    "Expect judge errors; the rubric judge needs no model."
)


def audit_warning(judge: Judge) -> str | None:
    """One line with the figures if the judge failed its latest audit; None if it passed or was never audited.

    The embedded smollm2 was measured before it shipped: an audit of it takes hours.

    Args:
        judge: not open yet.
    """
    kept = kept_audit(audit_file(judge))
    if kept is not None:
        return None if kept.passed else _failed(judge.name, kept)
    is_shipped = judge.name == EMBEDDED and judge.settings.get("provider") == "embedded"
    return _SMOLLM2 if is_shipped else None


def said(value: float | None) -> str:
    """A figure for people: "0.83", "7", "undefined"."""
    if value is None:
        return "undefined"
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _failed(name: str, kept: KeptAudit) -> str:
    short = "; ".join(f"{m.name} {said(m.value)}, {m.asked} asked" for m in kept.marks if not m.met)
    return f"the judge {name} failed its audit ({short}). Its scores are not to be trusted."
