"""Where a text names what the elements answer for: "the copper gate's", "Copper Gate:", or just "copper"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements import Mention, Names, find_mentions, inflections, ways_to_write
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Element

# "The granite gate, not the willow gate": the second key is given nothing.
_NOT_KEY = re.compile(
    r"(?:\b(?:not|never|nor|unlike|except|than|instead\s+of)|n't)\s+(?:(?:for|of|to|at)\s+)?(?:the\s+)?\Z"
)
_WINDOW = 32

_LISTING = frozenset(
    ("and", "or", "nor", "the", "a", "an", "s", "of", "for", "to", "at", "as", "well", "also")
)
_VERBS = frozenset(("is", "are", "was", "were", "be", "has", "have"))
# With these before it the keys' last word names no other key: "each gate", "the second gate".
_NO_NAME = re.compile(
    r"in|on|by|each|every|any|all|both|no|n?either|same|(?:an)?other|next|last|th(?:is|at|ese)|which|what|its|their"
    r"|respective|correct|given|following|whole|entire|first|second|third|\w+th"
    r"|one|two|three|four|five|six|seven"
)


@dataclass(frozen=True)
class KeyWords:
    """How a needle set's keys are written.

    Attributes:
        names: every way to write a key.
        foreign: finds "the plum gate" where all keys are gates; None where keys have no word in common.
        between: the words that may stand between two keys of one list.
        order: the keys in the question's order.
    """

    names: Names
    foreign: re.Pattern[str] | None
    between: frozenset[str]
    order: tuple[str, ...]


@lru_cache(maxsize=256)
def key_words(answer_key: AnswerKey) -> KeyWords:
    """How the set's keys are written. Every element has a key."""
    keys = tuple(element.key for element in answer_key.elements)
    tail = _tail(keys)
    names = ways_to_write((Element(key, _shorter(key, tail, answer_key)) for key in keys), right=True)
    question = normalise(answer_key.question)
    asked = (mention.name for mention in find_mentions(question, names))
    words = {form for word in re.findall(r"\w+", question) for form in inflections(word)}
    return KeyWords(
        names=names,
        foreign=_foreign(tail) if tail else None,
        between=_LISTING | (words - _VERBS),
        order=tuple(dict.fromkeys((*asked, *keys))),
    )


def find_keys(text: str, words: KeyWords) -> list[Mention]:
    """Where ``text`` names a key, in reading order; keys that it excepts ("not the willow gate") stay out.

    A ``right`` mention is one of the set's keys. The others are keys that nobody asked for, by the words of
    the text ("plum gate"): what is given to one of them is not given to a key of the set.

    Args:
        text: normalised (see ``niah.judges.rubric.normalise``).
        words: from ``key_words``.
    """
    keys = (*find_mentions(text, words.names), *_foreign_keys(text, words))
    found = sorted(keys, key=lambda mention: mention.start)
    return [key for key in found if not _NOT_KEY.search(text[max(0, key.start - _WINDOW) : key.start])]


def _tail(keys: Sequence[str]) -> str:
    """The last word that all keys share, if each has more words than that."""
    words = [normalise(key).split() for key in keys]
    lasts = {key[-1] for key in words}
    return lasts.pop() if len(words) > 1 and len(lasts) == 1 and all(len(key) > 1 for key in words) else ""


def _shorter(key: str, tail: str, answer_key: AnswerKey) -> tuple[str, ...]:
    """The key without its last word, unless the needle set uses that for something else ("copper roof")."""
    if not tail:
        return ()
    short = normalise(key).removesuffix(tail).strip()
    alone = re.compile(rf"(?<!\w){re.escape(short)}(?!\w)(?!\s+{re.escape(tail)})")
    said = [answer_key.question, *(needle.text for needle in answer_key.needles)]
    said += [distractor.text for distractor in answer_key.distractors]
    return () if any(alone.search(text) for text in map(normalise, said)) else (short,)


def _foreign(tail: str) -> re.Pattern[str]:
    opening = r"(?:^[ \t]*|\b(?:the|an?|of|for|and|or)[ \t]+|[,:;(\[{.][ \t]*)"
    return re.compile(rf"{opening}([^\W\d_][\w']*[ \t]+{re.escape(tail)})(?!\w)", re.MULTILINE)


def _foreign_keys(text: str, words: KeyWords) -> Iterator[Mention]:
    # The set's own keys stand in the question, so their words are among those between keys.
    for match in words.foreign.finditer(text) if words.foreign else ():
        first, last = match[1].split()
        if first not in words.between | _VERBS and not _NO_NAME.fullmatch(first):
            yield Mention(f"{first} {last}", False, *match.span(1))
