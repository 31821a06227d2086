"""What others add to niah: registries of things by name, which installed packages extend by entry points.

The types that a package's judges, readers, strategies and the rest take or give are all here:

    from niah.plugins import Answer, RuleJudge, Verdict

Each is imported from where it lives when it is first asked for; its type is in ``__init__.pyi``.
"""

from __future__ import annotations

from importlib import import_module

__all__ = [
    "Answer",
    "AnswerKey",
    "ChunkOrder",
    "ChunkerKind",
    "Failure",
    "Metric",
    "Preset",
    "QuestionSetFormat",
    "ReaderSpec",
    "Request",
    "RuleJudge",
    "Usage",
    "Verdict",
]

_HOMES = {
    "Answer": "niah.readers.reader",
    "AnswerKey": "niah.cases.sample",
    "ChunkOrder": "niah.strategies.parts",
    "ChunkerKind": "niah.strategies.chunkers",
    "Failure": "niah.readers.reader",
    "Metric": "niah.judges.metrics",
    "Preset": "niah.strategies.presets",
    "QuestionSetFormat": "niah.cases.questions.question_set",
    "Request": "niah.readers.reader",
    "RuleJudge": "niah.judges.verdict",
    "Usage": "niah.readers.reader",
    "Verdict": "niah.judges.verdict",
    "ReaderSpec": "niah.readers.resolve",
}


def __getattr__(name: str) -> object:
    """Import what is asked for the first time."""
    if name not in _HOMES:
        raise AttributeError(f"module 'niah.plugins' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
