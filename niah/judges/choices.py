"""Which option an answer gives by its letter or number: "B", "[[2]]", "The answer is (C)"."""

from __future__ import annotations

import re
import unicodedata

_ONE = r"[A-Za-z]|1\d|2[0-6]|[1-9]"
_APART = (
    rf"\[\[\s*(?:{_ONE})\s*\]\]|\\boxed\{{\s*(?:\\text\w*\{{)?\s*\(?(?:{_ONE})\)?\s*\}}+"
    rf"|<answer>\s*\(?(?:{_ONE})\)?\.?\s*</answer>"
)
# A bare letter may be a word ("a cat") or an initial ("U.S."), a number an amount ("2 cats", "2.5").
_BARE = (
    rf"(?:(?:{_ONE})(?=\s*(?:\Z|\n|[.:,](?!\w)|[;!)\]])|\s+(?:because|since|[-–—])\s)"
    r"|(?-i:[B-HJ-Z])(?=\s)|(?-i:[A-Z])(?=\s*\())"
)
_OPTION = (
    r"(?:(?:option|choice|letter|number|answer)\s+)?"
    rf"(?P<OPTION>{_APART}|\(\s*(?:{_ONE})\s*\)|\[\s*(?:{_ONE})\s*\]|(?<!\w){_BARE})(?!\s*\?)"
)
_STATED = re.compile(
    rf"(?P<apart>{_APART})"
    r"|\b(?:answer|option|choice)(?:\s+(?:to|for|here)\b[^.:\n]{0,80}?)?\s*"
    r"(?:\b(?:is|was|(?:would|should|must|will)\s+be)\b|[:=])"
    r"(?:\s|:|\b(?:therefore|thus|clearly|definitely|indeed|simply|(?:most\s+)?likely|probably)\b)*"
    + _OPTION.replace("OPTION", "named")
    + r"|\b(?:choose|select|pick|go\s+with)\s+"
    + _OPTION.replace("OPTION", "chosen")
    + rf"|(?<!\w)(?P<praised>\((?:{_ONE})\)|(?-i:[A-Z]))\s+is\s+(?:the\s+)?(?:most\s+)?"
    r"(?:correct|right|best|accurate)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?:[)\]\s]*(?:[,/&+]|\bor\b|\band\b)\s*(?:(?:or|and)\s+)?"
    rf"|[ \t]+|\s+(?=(?:{_ONE})[.)]?[ \t]*(?:\n|\Z)))" + _OPTION.replace("OPTION", "option"),
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?<!\w)(?:\(?[A-Z1-9]\)?)\s*(?:[,/&+]|\bor\b|\band\b)\s*(?:option\s+)?\Z|\b[Oo]r\s+\Z")
_NOT_MEANT = re.compile(
    r"\b(?:not|never|cannot|neither|nor|doubt|if|unless|whether|wrong|incorrect)\b|n['’]t\b", re.IGNORECASE
)
_ALONE = re.compile(rf"\s*(?:[-•]\s+)?(?:(?:option|choice)\s+)?[(\[]?({_ONE})[)\].:!]*\s*", re.IGNORECASE)
_LABEL = re.compile(rf"\s*(?:\(({_ONE})\)|({_ONE})[.):](?=\s))\s*\S")
MARKUP = re.compile(r"[*_`#\"“”]+|(?<!\w)['‘’$](?=\w{1,2}['‘’$])|(?<=\w)['‘’$](?!\w)")


def parse_choice(answer: str) -> int | None:
    """The option that an answer without reasoning decides for, from 1: "B", "b" and "2" are 2; None if
    unclear.

    The last statement counts: "[[2]]" (stronger-baselines-dos-rag, A.8), "The answer is (B)", "I choose B",
    "\\boxed{B}", unless it is denied, conditional or one of several. Without any, a line that is an option
    alone, or a first or last line that begins with one.
    """
    text = MARKUP.sub("", unicodedata.normalize("NFKC", answer))
    stated = [
        (_number(next(filter(None, found.groups()))), *found.span())
        for found in _STATED.finditer(text)
        if not _NOT_MEANT.search(
            re.split(r"[.!?;,\n]|\bbut\b", text[max(0, found.start() - 200) : found.start()])[-1]
        )
    ]
    if stated:
        option, start, _ = stated[-1]
        if _JOINED.search(text[max(0, start - 200) : start]):
            return None
        for said, _, end in stated[-2:]:
            other = _OTHER.match(text, end)
            if other and other.end() > start and _number(other["option"]) != said:
                return None
        return option
    lines = [line for line in text.splitlines() if line.strip()]
    if alone := {_number(match[1]) for match in map(_ALONE.fullmatch, lines) if match}:
        return alone.pop() if len(alone) == 1 else None
    labels = [(line, match[1] or match[2]) for line in lines for match in [_LABEL.match(line)] if match]
    if len(labels) != 1 or labels[0][0] not in (lines[0], lines[-1]):
        return None
    label = labels[0][1]
    return _number(label) if len(lines) == 1 or not label.isdigit() else None


def _number(option: str) -> int:
    bare = re.findall(rf"(?<![\w\\])(?:{_ONE})(?!\w)", option)[0].lower()
    return int(bare) if bare.isdigit() else ord(bare) - ord("a") + 1
