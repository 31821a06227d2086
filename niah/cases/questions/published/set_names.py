"""What shipped suites call the question sets that users import from their own copies."""

from __future__ import annotations

_FILES = {
    "quality": ("quality", "QuALITY.v1.0.1.dev"),
    "infinitebench-en-mc": ("infinitebench", "longbook_choice_eng.jsonl"),
    "narrativeqa": ("longbench", "narrativeqa.jsonl"),
    "qasper": ("longbench", "qasper.jsonl"),
    "multifieldqa": ("longbench", "multifieldqa_en.jsonl"),
    "hotpotqa": ("longbench", "hotpotqa.jsonl"),
    "2wikimhqa": ("longbench", "2wikimqa.jsonl"),
    "musique": ("longbench", "musique.jsonl"),
    "nq": ("l-eval", "natural_question.jsonl"),
    "coursera": ("l-eval", "coursera.jsonl"),
    "toefl-qa": ("l-eval", "tpo.jsonl"),
    "multidoc2dial": ("l-eval", "multidoc_qa.jsonl"),
    "novelqa": ("novelqa", "NovelQA/Data/PublicDomain/*.json"),
}
"""Format and published file, by the name that the papers' printed numbers have."""


def command_to_import(name: str) -> str:
    """The command that makes the question set of that name; "" of a name that no shipped suite has."""
    if name not in _FILES:
        return ""
    kind, file = _FILES[name]
    out = "" if kind == name else f" --out cases/questions/{name}.jsonl"
    return f"niah questions import {kind} {file}{out}"
