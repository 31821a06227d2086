"""The tokenizer that BLEU is customarily counted in."""

from __future__ import annotations

import re

_RULES = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def tokens_13a(text: str) -> list[str]:
    """Words and ASCII punctuation marks, case kept; "3,500.75" and "gold-mist" are one token each.

    The rules of NIST's mteval-v13a, which Hugging Face's evaluate and sacrebleu use by default, without those
    for SGML entities.
    """
    line = f" {text} ".replace("-\n", "").replace("\n", " ")
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return line.split()
