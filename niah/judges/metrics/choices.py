"""Which option of a multiple-choice question an answer decides for; never a guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.errors import NeedleError
from niah.judges.rubric.normalise import strip_reasoning
from niah.needles.needle_set import Element
from niah.needles.options import listed_options

_ONE = r"[A-Za-z]|1\d|2[0-6]|[1-9]"
_MARKUP = re.compile(r"[*_`#\"“”]+")
_QUOTED = re.compile(rf"(?<!\w)['‘’$]({_ONE})['‘’$](?!\w)")

# Set apart so that it can be nothing else: [[2]], \boxed{B}, <answer>B</answer>.
_SET_APART = (
    rf"\[\[\s*(?:{_ONE})\s*\]\]"
    rf"|\\boxed\{{\s*(?:\\text\w*\{{)?\s*\(?(?:{_ONE})\)?\s*\}}+"
    rf"|<answer>\s*\(?(?:{_ONE})\)?\.?\s*</answer>"
)
# A bare letter may be a word ("a cat", "I think") or an initial ("U.S."), a number
# an amount ("2 cats", "2.5").
_ENDS = r"(?=\s*(?:\Z|\n|[.:,](?!\w)|[;!)\]]))"
_GOES_ON = r"(?=\s+(?:because|since|[-–—])\s)"
_BARE = rf"(?:(?:{_ONE})(?:{_ENDS}|{_GOES_ON})|(?-i:[B-HJ-Z])(?=\s)|(?-i:[A-Z])(?=\s*\())"
_OPTION = rf"(?:{_SET_APART}|\(\s*(?:{_ONE})\s*\)|\[\s*(?:{_ONE})\s*\]|(?<!\w){_BARE})"
_NAMED = rf"(?:(?:option|choice|letter|number|answer)\s+)?(?P<option>{_OPTION})(?!\s*\?)"

_STATEMENT = re.compile(
    rf"(?P<apart>{_SET_APART})"
    r"|\b(?:answer|option|choice)(?:\s+(?:to|for|here)\b[^.:\n]{0,80}?)?\s*"
    r"(?:\b(?:is|was|(?:would|should|must|will)\s+be)\b|[:=])"
    r"(?:\s|:|\b(?:therefore|thus|clearly|definitely|indeed|simply|(?:most\s+)?likely|probably)\b)*"
    rf"{_NAMED}"
    rf"|\b(?:choose|select|pick|go\s+with)\s+{_NAMED.replace('<option>', '<chosen>')}"
    rf"|(?<!\w)(?P<praised>\((?:{_ONE})\)|(?-i:[A-Z]))\s+is\s+(?:the\s+)?(?:most\s+)?(?:correct|right|best|accurate)\b",
    re.IGNORECASE,
)
# What makes two options alternatives: a word or mark between them, or nothing but space.
_ALTERNATIVE = re.compile(
    r"(?:[)\]\s]*(?:[,/&+]|\bor\b|\band\b)\s*(?:(?:or|and)\s+)?"
    rf"|[ \t]+|\s+(?=(?:{_ONE})[.)]?[ \t]*(?:\n|\Z)))"
    rf"{_NAMED}",
    re.IGNORECASE,
)
_JOINED_BEFORE = re.compile(
    rf"(?<!\w)(?:\((?:{_ONE})\)|(?-i:[A-Z])|\d)\s*(?:[,/&+]|\bor\b|\band\b)\s*(?:option\s+)?\Z", re.IGNORECASE
)
_CLAUSE_START = re.compile(r"[.!?;,\n]|\bbut\b", re.IGNORECASE)
_NOT_MEANT = re.compile(
    r"\b(?:not|never|cannot|neither|nor|doubt|if|unless|whether|wrong|incorrect)\b|n['’]t\b", re.IGNORECASE
)
_ALONE = re.compile(rf"\s*(?:[-•]\s+)?(?:(?:option|choice)\s+)?[(\[]?({_ONE})[)\].:!]*\s*", re.IGNORECASE)
_LABEL = re.compile(rf"\s*(?:\(({_ONE})\)|({_ONE})[.):](?=\s))\s*\S")
_UNWRAPPED = re.compile(rf"(?<![\w\\])(?:{_ONE})(?!\w)")
_LETTER_A = ord("a")
_SEVERAL_LEAD_IN = re.compile(
    r"\b(?:answers?|options?|choices?|letters?)\b(?:\s+(?:is|are|would\s+be))?\s*[:=]?(?:\s+both\b)?",
    re.IGNORECASE,
)
_SEVERAL_FIRST = re.compile(r"\s*\(?[A-Z]\)?(?:(?:\s*[,;&/]|\s+and\b|\s)+\s*\(?[A-Z]\)?(?![\w.:]))+")
_SEVERAL_LABELS = re.compile(r"\(([A-Z])\)|(?<!\w)([A-Z])[.):](?=\s)")
_LONGEST_CLAUSE = 200


@dataclass(frozen=True)
class _Statement:
    option: int
    start: int
    end: int


def parse_choice(answer: str) -> int | None:
    """The option that the answer decides for, counted from 1; "B", "b" and "2" are option 2. None if unclear.

    The last statement decides: "[[2]]" (stronger-baselines-dos-rag, A.8, whose readers explain first),
    "The answer is (B)", "Answer: c", "I choose B", "Option B is correct", "\\boxed{B}". A statement that is
    cut off ("[[2"), denied, asked or conditional does not count. Where nothing is stated, a line that is only
    an option ("**B**"), or a first or last line that starts with one ("B. Paris"), decides, if no other line
    speaks for another option.

    None too for alternatives ("[[1]] or [[2]]", "B or C"), several options at once ("A, C", "BC"), and an
    option mentioned in passing.

    Args:
        answer: without reasoning (see ``niah.judges.rubric.normalise.strip_reasoning``).
    """
    text = _QUOTED.sub(r"\1", _MARKUP.sub("", unicodedata.normalize("NFKC", answer)))
    statements = [*_statements(text)]
    return _last(text, statements) if statements else _from_lines(text)


def accuracy(answer: str, reference: str) -> float:
    """1 if the answer decides for the option that ``reference`` names, otherwise 0.

    An answer that decides for none, or for several, gets 0. Letters and numbers are the same options: "B" is
    "[[2]]".

    Raises:
        NeedleError: ``reference`` names no option.
    """
    wanted = parse_choice(reference)
    if wanted is None:
        message = f"accuracy compares options, and the reference {reference!r} names none."
        raise NeedleError(message, "Give an option such as B or [[2]], or choose another metric.")
    return float(parse_choice(answer) == wanted)


def chosen_option(answer: str, key: AnswerKey) -> int | None:
    """The place, from 0, of the option that the answer decides for; None if unclear.

    By its letter or number (``parse_choice``), or by its text: where the answer is nothing but the text of
    one, or names no letter and claims one option's text alone (as the rubric reads claims: "not London but
    Paris" claims one).

    Args:
        answer: the reader's.
        key: a question with options.
    """
    answer = strip_reasoning(answer)
    texts = [_bare(option) for option in key.options]
    if _bare(answer) in texts:
        return texts.index(_bare(answer))
    number = parse_choice(answer)
    if number is not None and number <= len(key.options):
        return number - 1
    from niah.judges.rubric.rubric import judge_by_rubric  # whose rules take a while to import

    verdict = judge_by_rubric(answer, _by_text(key))
    claimed = [option for option in key.options if option in (*verdict.found, *verdict.wrong)]
    return key.options.index(claimed[0]) if len(claimed) == 1 else None


def chosen_options(answer: str, key: AnswerKey) -> frozenset[int]:
    """The places, from 0, of all options that the answer decides for: one at most where one is right.

    Where several are, they are listed by letter or number ("BD", "The answers are (B) and (D)"), each with
    its text ("B. the loft"), or by their texts alone.
    """
    one = chosen_option(answer, key)
    if key.answer_index is not None:
        return frozenset() if one is None else frozenset({one})
    text = _MARKUP.sub("", strip_reasoning(answer)).strip()
    for said in reversed(_SEVERAL_LEAD_IN.split(text)):
        first = _SEVERAL_FIRST.match(said)
        for listed in (said, first[0] if first else ""):
            if places := listed_options(listed, len(key.options)):
                return places
    labels = {letter or other for letter, other in _SEVERAL_LABELS.findall(text)}
    if labels and (places := listed_options(" ".join(labels), len(key.options))):
        return places
    named = frozenset(place for place, option in enumerate(key.options) if _bare(option) in text.casefold())
    return named or (frozenset() if one is None else frozenset({one}))


def _bare(text: str) -> str:
    return text.strip().strip(".\"'*`“”").casefold()


@lru_cache(maxsize=1024)
def _by_text(key: AnswerKey) -> AnswerKey:
    """The first option as the element, the others as wrong ones: which is right does not matter here."""
    first, *others = map(Element, key.options)
    return AnswerKey(name=key.name, question="", elements=(first,), traps=tuple(others))


def _statements(text: str) -> Iterator[_Statement]:
    for match in _STATEMENT.finditer(text):
        group = next(name for name, said in match.groupdict().items() if said is not None)
        if not _NOT_MEANT.search(_clause_before(text, match.start())):
            yield _Statement(_number(match[group]), *match.span())


def _clause_before(text: str, end: int) -> str:
    before = text[max(0, end - _LONGEST_CLAUSE) : end]
    return before[max((mark.end() for mark in _CLAUSE_START.finditer(before)), default=0) :]


def _last(text: str, statements: list[_Statement]) -> int | None:
    """The last statement's option, unless it is one of several alternatives."""
    last = statements[-1]
    if _JOINED_BEFORE.search(text[max(0, last.start - _LONGEST_CLAUSE) : last.start]):
        return None
    for statement in statements[-2:]:
        other = _ALTERNATIVE.match(text, statement.end)
        if other and other.end() > last.start and _number(other["option"]) != statement.option:
            return None
    return last.option


def _from_lines(text: str) -> int | None:
    lines = [line for line in text.splitlines() if line.strip()]
    alone = {_number(match[1]) for match in map(_ALONE.fullmatch, lines) if match}
    if alone:
        return alone.pop() if len(alone) == 1 else None
    labels = [(line, match[1] or match[2]) for line in lines for match in [_LABEL.match(line)] if match]
    if len(labels) != 1 or labels[0][0] not in (lines[0], lines[-1]):
        return None
    label = labels[0][1]
    # "1. First, ..." among other lines is a list of reasons.
    return _number(label) if len(lines) == 1 or not label.isdigit() else None


def _number(option: str) -> int:
    """The option's number, whatever the option is wrapped in."""
    bare = _UNWRAPPED.findall(option)[0].lower()
    return int(bare) if bare.isdigit() else ord(bare) - _LETTER_A + 1
