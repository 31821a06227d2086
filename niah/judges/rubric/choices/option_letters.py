"""Letters of options in an answer: "B", "(b)", "option B", "the answer is B: seven".

Read where the question puts letters before its options. A letter counts where it stands alone, at the
beginning of a line, or behind words that lead in an answer ("the answer is", "I choose"), and a stop or a
reason follows; in brackets, where a stop or a reason follows. A letter in running text ("a tinker", "plan B")
does not count, and nor does one before or behind the text of its own option, which counts for itself. Lines
with several letters before them list the options, and answer nothing.

Options that are letters themselves (blood groups, or letters whose meaning the question tells) are read in
the same way, and where a word of the question leads them in: "blood group A".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.reading.statements import asked_words
from niah.needles.options import option_letters
from niah.text.writing import HANGUL, KATAKANA, UNSPACED

_REACH = 60
_NOUN = (
    r"(?:option|choice|letter|answer|\bans\b\.?|solution|response|right\s+one|alternative|antwort|auswahl|lösung"
    r"|buchstabe|réponse|choix|lettre|respuesta|opción|letra|resposta|opção|risposta|opzione|lettera|ответ|вариант"
    r"|буква|选项|選項|选择|答案|選択肢|答え|正解|선택지|보기|정답|답|richtig|korrekt)"
)
_IS = (
    r"(?:is|was|are|'s|(?:would|should|must|will|has\s+to)\s+be|lautet|ist|wäre|est|serait|es|sería|é|seria|è|sarebbe"
    r"|是|为|為|应为|は|が|은|는|이|가|[:=>])"
)
_LIKELY = (
    r"(?:therefore|thus|then|clearly|definitely|indeed|simply|probably|most\s+likely|likely|also|donc|quindi)"
)
_CHOOSE = (
    r"(?:choose|chose|select|pick(?:ed)?|go(?:ing)?\s+(?:with|for)|opt\s+for|say|think|believe|guess|suppose"
    r"|wähle|nehme|tippe\s+auf|choisis|prends|elijo|escojo|escolho|scelgo|выбираю|选|選|选择|選擇|選ぶ)"
)
_ONE = r"(?:it|that|this|which|das|es|c'|ce|questo|esto|isso|это)"
_HENCE = r"(?:therefore|thus|hence|so|also|daher|donc|quindi|поэтому|所以|因此|従って|따라서)"
_INSTEAD = r"(?:no|wait|sorry|but|sondern|rather|actually|instead|mais|sino|mas|ma|а|но|而是)"
# Words that lead in a letter, up to it.
_LEADS_IN = lazy_pattern(
    rf"(?:{_NOUN}(?:\s*{_IS}|\s+{_LIKELY}\b,?|\s*[,\"'])*|\b{_ONE}\s*{_IS}(?:\s+{_LIKELY}\b)?|\b{_LIKELY}"
    rf"|{_CHOOSE}|\b{_HENCE}[\s,:]*|\b{_INSTEAD}[\s,:]*|(?:\A|[\n.!?])[^\n.!?:]{{1,30}}:)"
    r"\s*(?:(?:the|die|das|la|le|el|il)\s)?\Z"
)
_SENTENCE_START = lazy_pattern(r"[.!;:。！]\s+\Z")
_REASON = (
    r"(?:because|since|as|for|given|it\s+is|(?:and|but)\s+not|fits|matches|holds|applies"
    r"|is\s+(?:the\s+)?(?:only\s+(?:one|option|choice)|(?:(?:only|most)\s+)?(?:correct|right|best|accurate|true|answer))"
    r"|weil|denn|da|ist\s+richtig|parce|car|porque|pois|perché|потому|так\s+как)"
)
# What may follow a letter that is an answer.
_STOP = lazy_pattern(
    r"\s*(?:\Z|\n|[.,;:!)}\]](?![a-z0-9])|[(\[。、，；！]|[ ]{3}"
    rf"|\b{_REASON}\b|因为|因為|です|だ|でし|입니다|이다|이에요|예요)"
)
_LAST_WORD = lazy_pattern(rf"\s*(?:[.!]?\s*(?:\Z|\n)|,|[ ]{{3}}|{_REASON}\b)")
_WORD_BEFORE = lazy_pattern(rf"([^\W\d_]+)(?:\s+{_IS})?\s*\Z")
_LETTER = re.compile(r"[A-Za-z]")
_PICKED = re.compile(r"[\s.):=]*(?:correct|right|yes|true|richtig|ja|✓|✔|✅|☑)\ufe0f?\s*(?:\Z|[\n.,;(!])")
_LABELS = re.compile(r"[.):]?[ \t]+\S|:\S")
_OWN_TEXT = re.compile(r"[\s().:,=\"'\]]*(?:is\s+)?(?:the|an?|der|die|das|le|la|les|el|los|il|i)?\s*")
_AND = (
    r"[\s)\]]*(?:(?:,|/|\+|\b(?:and|or|und|oder|et|ou|e|o|y|и|или)\b|和|或|と|か|또는|과|와)\s*)+(?:\bthe\s+)?"
    rf"(?:{_NOUN}\s+)?"
)
_JOINS = lazy_pattern(_AND)
_ANOTHER = lazy_pattern(rf"{_AND}[(\[]?[a-z](?![\w'])")


@dataclass(frozen=True)
class _Letter:
    """A letter that may be an option's: where it stands with its brackets, and whether it has some."""

    letter: str
    start: int
    end: int
    in_brackets: bool


def with_letters(text: str, mentions: Sequence[Mention], key: AnswerKey) -> list[Mention]:
    """The mentions, and the options that an answer names by their letters.

    A letter beside its option's own text, "(b) seven", is one mention with it.

    Args:
        text: normalised.
        mentions: what it names otherwise, in reading order.
        key: what was asked.
    """
    options = lettered_options(key)
    if not options:
        return list(mentions)
    by_letter = _single_letters(key)
    if by_letter:  # their letters in running text are no mentions
        mentions = [each for each in mentions if text[each.start : each.end] not in by_letter]
    letters = list(_letters(text, "".join(options)))
    labels = {letter for letter in letters if _is_label(text, letter)}
    is_list = len({label.letter for label in labels}) > 1
    starts = [mention.start for mention in mentions]
    found: list[Mention] = []
    merged: set[Mention] = set()
    last: _Letter | None = None
    for letter in letters:
        name, right = options[letter.letter]
        place = bisect_left(starts, letter.start)
        near = (each for each in mentions[max(0, place - 1) : place + 1] if each not in merged)
        own = (each for each in near if each.name == name and _says_itself(text, letter, each))
        if beside := next(own, None):
            merged.add(beside)
            span = min(letter.start, beside.start), max(letter.end, beside.end)
            found.append(Mention(name, right, *span))
            continue
        inside = place and mentions[place - 1].end > letter.start
        joined = last is not None and _JOINS.fullmatch(text, last.end, letter.start) is not None
        listed = is_list and letter in labels and not _PICKED.match(text, letter.end)
        asked = bool(by_letter) and _word_before(text, letter.start) in asked_words(key)
        stated = joined or asked or _is_stated(text, letter)
        if not inside and not listed and stated and _goes_no_further(text, letter):
            last = letter
            found.append(Mention(name, right, letter.start, letter.end))
    found += (mention for mention in mentions if mention not in merged)
    return sorted(found, key=lambda mention: mention.start)


@lru_cache(maxsize=256)
def lettered_options(key: AnswerKey) -> Mapping[str, tuple[str, bool]]:
    """By its small letter, each option's name and whether it is right; empty without letters."""
    if len(key.elements) != 1:
        return {}
    wrong = [trap.name for trap in key.traps if trap.derived]
    right = next((name for name in key.elements[0].names if option_letters(key.question, [name, *wrong])), "")
    if not (right and wrong):
        return _single_letters(key)
    return {
        letter.casefold(): (key.elements[0].name, True) if option == right else (option, False)
        for letter, option in option_letters(key.question, [right, *wrong]).items()
    }


@lru_cache(maxsize=256)
def _single_letters(key: AnswerKey) -> Mapping[str, tuple[str, bool]]:
    """As ``lettered_options``, of the options that are letters themselves."""
    options = [(trap.name, False) for trap in key.traps if trap.derived]
    if len(key.elements) != 1 or not options:
        return {}
    options.append((key.elements[0].name, True))
    return {name.casefold(): (name, right) for name, right in options if _LETTER.fullmatch(name)}


def _word_before(text: str, end: int) -> str:
    """The word that ends at ``end`` but for spaces and an "is"; "" where none does."""
    match = _WORD_BEFORE.search(text[max(0, end - _REACH) : end])
    return match[1] if match else ""


def _letters(text: str, letters: str) -> Iterator[_Letter]:
    """Every such letter that is a word of its own; signs of scripts without spaces may touch it."""
    word = rf"[^\W{UNSPACED}{KATAKANA}{HANGUL}]"
    bare = rf"(?<!{word})(?<!['.])(?P<bare>[{letters}])(?!{word})(?!['’])(?!\.\s?\w\.)"
    wrapped = rf"[(\[{{【]{{1,2}}\s*(?P<wrapped>[{letters}])\s*[)\]}}】]{{1,2}}"
    quoted = rf"(?<!\w)'(?P<quoted>[{letters}])'(?!\w)"
    for match in re.finditer(f"{wrapped}|{quoted}|{bare}", text):
        kind = str(match.lastgroup)
        yield _Letter(match[kind], *match.span(), kind == "wrapped")


def _is_stated(text: str, letter: _Letter) -> bool:
    """Whether the letter stands where an answer does: by its brackets, or by what stands before it."""
    if letter.in_brackets:
        return True
    before = text[max(0, letter.start - _REACH) : letter.start]
    if _LEADS_IN.search(before) or _begins_a_line(text, letter):
        return True
    return _SENTENCE_START.search(before) is not None and _LAST_WORD.match(text, letter.end) is not None


def _begins_a_line(text: str, letter: _Letter) -> bool:
    line = text[max(0, letter.start - _REACH) : letter.start].rpartition("\n")
    return (line[1] == "\n" or letter.start <= _REACH) and not line[2].strip("\"'*• \t")


def _is_label(text: str, letter: _Letter) -> bool:
    """Whether a line begins with the letter and goes on."""
    return _begins_a_line(text, letter) and _LABELS.match(text, letter.end) is not None


def _goes_no_further(text: str, letter: _Letter) -> bool:
    """Whether the letter ends what is said: a stop, a reason or another letter follows."""
    return any(pattern.match(text, letter.end) for pattern in (_STOP, _ANOTHER, _PICKED))


def _says_itself(text: str, letter: _Letter, mention: Mention) -> bool:
    """Whether the text of an option stands before or behind its letter."""
    if mention.start >= letter.end:
        return _OWN_TEXT.fullmatch(text, letter.end, mention.start) is not None
    return letter.in_brackets and mention.end <= letter.start and text[mention.end : letter.start].isspace()
