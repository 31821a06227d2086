"""Which option an answer gives by letter or number: "B", "[[2]]", "The answer is (C)"."""

from __future__ import annotations

import re
import unicodedata

_ONE = r"[A-Za-z]|1\d|2[0-6]|[1-9]"
_NO_WORD = r"(?![\w'’]|[.,]\w|\s*\?|\s+(?!because\b)[a-z]+\b)"  # "a cat", "2 cats", "2.5", "U.S."
_STATED = re.compile(
    rf"\[\[\s*({_ONE})\s*\]\]|\\boxed\{{\W*(?:\\text\w*\{{)?\W*({_ONE})\W*\}}|<answer>\W*({_ONE})\W*</answer>"
    r"|\b(?:answer|option|choice)\b[^.:\n]{0,80}?(?:\bis\b|[:=])[\s:]*(?:(?:therefore|thus|option)\s+)*"
    rf"[(\[]?({_ONE})[)\]]?{_NO_WORD}"
    rf"|\b(?:choose|select|pick|go with)\s+(?:option\s+)?[(\[]?({_ONE})[)\]]?{_NO_WORD}",
    re.IGNORECASE,
)
_OTHER = re.compile(r"(?:\s*[,/&]\s*|\s+(?:(?:or|and)\s+)?)(?:option\s+)?[(\[]*([A-Z]|\d\d?)\b")
_DENIED = re.compile(r"(?:\b(?:not|never|nor|wrong|incorrect)\b|n['’]t\b)[^.;,\n]*\Z", re.IGNORECASE)
_ALONE = re.compile(rf"\s*(?:[-•]\s+)?(?:(?:option|choice)\s+)?[(\[]?({_ONE})[)\].:!]*\s*", re.IGNORECASE)
_LABEL = re.compile(rf"\s*(?:\(({_ONE})\)|({_ONE})[.):](?=\s))\s*\S")
MARKUP = re.compile(r"[*_`#\"“”]+|(?<!\w)['‘’$](?=\w{1,2}['‘’$])|(?<=\w)['‘’$](?!\w)")


def parse_choice(answer: str) -> int | None:
    """The option that an answer without reasoning decides for, from 1: "B", "b" and "2" are 2; None if
    unclear.

    The last statement counts: "[[2]]" (stronger-baselines-dos-rag, A.8), "The answer is (B)", "\\boxed{B}",
    unless it is denied or one of several. Without any, a line that is an option alone, or a first or last
    line that begins with one.
    """
    text = MARKUP.sub("", unicodedata.normalize("NFKC", answer))
    stated = [found for found in _STATED.finditer(text) if not _DENIED.search(text[: found.start()])]
    if stated:
        option = _number(stated[-1])
        for found in stated[-2:]:
            other = _OTHER.match(text, found.end())
            if other and (found is stated[-1] or other.end() > stated[-1].start()):
                return None
        return option
    lines = [line for line in text.splitlines() if line.strip()]
    if alone := {_number(match) for match in map(_ALONE.fullmatch, lines) if match}:
        return alone.pop() if len(alone) == 1 else None
    labels = [(line, match) for line in lines for match in [_LABEL.match(line)] if match]
    if len(labels) != 1 or labels[0][0] not in (lines[0], lines[-1]):
        return None
    return None if len(lines) > 1 and labels[0][0].strip(" (")[0].isdigit() else _number(labels[0][1])


def _number(found: re.Match[str]) -> int:
    option = next(filter(None, found.groups())).lower()
    return int(option) if option.isdigit() else ord(option) - ord("a") + 1
