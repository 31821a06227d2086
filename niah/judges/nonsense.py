"""Whether an answer that has nothing right still names something in reply, or is nonsense. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from functools import lru_cache

from niah.judges.rubric.normalise import strip_reasoning
from niah.text.english_borders import listed

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# What these find begins at a border, so that they take no longer than the text is long.
_QUESTION = re.compile(r"(?:\A|(?<=[.!?。？！\n]))[^.!?。？！\n]*[?？]")
# "1." before an item of a list, and "Answer:" before nothing.
_LIST_NUMBER = re.compile(r"(?:^|(?<=\s))\d{1,2}[.)](?=\s)")
_EMPTY_LABEL = re.compile(r"(?<!\w)\w+\s*:\s*\Z")
_SENTENCE_END = re.compile(r"(?<![.!。！])[.!。！]+(?=\s|\Z)|[。！\n]+")
_PART = re.compile(r"[,;、，؛]|\b(?:and|or|und|oder|et|ou|y|o|e|и|или)\b")
# Scripts that are written without spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_LETTERS_A_WORD = 2
_FEWEST_IN_A_LOOP = 6
_MOST_SAID_AGAIN = 0.4
_MOST_IN_A_PART = 5
_COMMON_LENGTH = 4
_SHORTEST_TOPIC = 3
_PLEASANTRIES = listed(
    "yes no not please thanks thank you sure certainly gladly course of welcome okay ok hello hi help sorry"
    " i a an the it is that this answer"
)
_NO_TOPIC = listed(
    "about after again all and any are before being but can could did does each every for from had has have"
    " her him his how into its many may more most much must new not now off one only other our out over own"
    " shall she should some such than that the their them then there these they this those too under until"
    " upon use used very was were what when where which while who whom whose why will with would you your"
    " auf aus bei das dem den der des die ein eine für hat ist mit nach sich und von war wer wie zum zur"
    " aux avec dans est les par pas pour que qui quel quelle sont sur una con como del las los por qué son"
    " uno che chi cosa della non nel per più sono com dos das não quem uma для как кто что это был была"
)


def names_something(answer: str, question: str) -> bool:
    """Whether an answer replies to the question with anything that could be right or wrong.

    It does where it has a number or a name that the question has not, is a bare name or a list of such, or
    takes up a word of the question and adds another; in another script than the question's nobody can say
    that it does not. It does not where it is empty, an endless loop, a question, a pleasantry, the question
    itself, or whole sentences about something else.
    """
    said = _replied(answer)
    words, asked = _words(said), _stems(question)
    new = [word for word in words if word not in _PLEASANTRIES and _stem(word) not in asked]
    if not new or _is_loop(words):
        return False
    return (
        any(map(str.isdigit, "".join(new)))
        or _has_new_name(said, asked)
        or _is_bare(said)
        or any(_stem(word) in asked for word in words if _tells_topic(word))
        or not _scripts(said) & _scripts(question)
    )


def _replied(answer: str) -> str:
    """The answer without its reasoning, questions, the numbers of a list, and a label before nothing."""
    said = strip_reasoning(answer)
    if "?" in said or "？" in said:
        said = _QUESTION.sub("", said)
    said = _LIST_NUMBER.sub("", said).strip()
    return _EMPTY_LABEL.sub("", said).strip() if said.endswith(":") else said


def _tells_topic(word: str) -> bool:
    """Whether a word that stands in question and answer is more than grammar."""
    return bool(_UNSPACED.search(word)) or (len(word) >= _SHORTEST_TOPIC and word not in _NO_TOPIC)


def _scripts(text: str) -> set[str]:
    """The scripts of its letters, as Unicode calls them; between two that differ no words can be shared."""
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in set(text) if letter.isalpha()}


def _words(text: str) -> list[str]:
    """In small letters; where no spaces stand between words, every pair of neighbouring characters."""
    folded = text.casefold()
    every: list[str] = _WORD.findall(folded)
    if not _UNSPACED.search(folded):
        return every
    found: list[str] = []
    for word in every:
        if _UNSPACED.search(word) and len(word) > _LETTERS_A_WORD:
            found += [word[at : at + _LETTERS_A_WORD] for at in range(len(word) - 1)]
        else:
            found.append(word)
    return found


@lru_cache(maxsize=4_096)
def _stems(text: str) -> frozenset[str]:
    """Of all its words; thousands of answers are to one question."""
    return frozenset(map(_stem, _words(text)))


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """Roughly: what inflected forms of a longer word begin with."""
    if len(word) <= _COMMON_LENGTH or _UNSPACED.search(word):
        return word
    return word[: max(_COMMON_LENGTH, len(word) - 2)]


def _is_loop(words: list[str]) -> bool:
    return len(words) >= _FEWEST_IN_A_LOOP and len(set(words)) <= _MOST_SAID_AGAIN * len(words)


def _has_new_name(text: str, asked: Set[str]) -> bool:
    """Whether a word with a capital stands inside a sentence that the question has not, "I" apart."""
    for sentence in _SENTENCE_END.split(text):
        for match in list(_WORD.finditer(sentence))[1:]:
            word = match[0]
            if word[0].isupper() and len(word) > 1 and _stem(word.casefold()) not in asked:
                return True
    return False


def _is_bare(text: str) -> bool:
    """Whether it is one sentence of a few words, or a list of such."""
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if _WORD.search(sentence)]
    return len(sentences) == 1 and all(
        len(_words(part)) <= _MOST_IN_A_PART for part in _PART.split(sentences[0])
    )
