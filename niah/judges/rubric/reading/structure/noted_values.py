"""A value in brackets behind another one, told of something else: "1894 (work begun 1883)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.invented_numbers import words_of_others
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.owners.owner_words import forms_asked, owner_words
from niah.judges.rubric.owners.side_facts import NOT_ASIDE

_NOTE = lazy_pattern(rf"(?P<value>{MASK}+)[ \t]*(?P<note>[(\[](?P<said>[^()\[\]\n]*{MASK}[^()\[\]\n]*)[)\]])")
_DONE = lazy_pattern(
    r"\b(?!(?:correct|revis|chang|updat|amend|replac|stat|mention|not|list|cit|dat|call|estimat|round|suppos|claim|confirm"
    r"|disput|indicat|alleg)ed\b)(?:[^\W\d_]{3,}ed|begun|began|built|laid|made|sold|bought|sunk|dug|cast|hung|drawn)\b"
)
_OF_ACCOUNTS = re.compile(
    r"\b(?:text|passage|source|version|account|note|document|answer|actually|rather|correct\w*)\b"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM = 4


def noted_values(text: str, mentions: Sequence[Mention], key: AnswerKey) -> Iterator[Mention]:
    """The values noted behind another, where one was asked for, in words for something else.

    A wrong one behind the right one, where the note says what was done, and the question does not; the right
    one behind a wrong one, where the note has words of a distractor and none of the question.

    Args:
        text: masked, hyphens as spaces.
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    if len(key.elements) != 1 or ("(" not in text and "[" not in text):
        return
    asked = forms_asked(key)
    stems = {word[:_STEM] for word in asked}
    for note in _NOTE.finditer(text):
        said = note["said"]
        first = [one for one in mentions if note.start("value") <= one.start < note.end("value")]
        noted = [one for one in mentions if note.start("said") <= one.start < note.end("said")]
        if not first or not noted or NOT_ASIDE.search(said) or _OF_ACCOUNTS.search(said):
            continue
        if first[-1].right and not any(one.right for one in noted):
            if any(verb[0][:_STEM] not in stems for verb in _DONE.finditer(said)):
                yield from noted
        elif not first[-1].right and all(one.right for one in noted):
            words = frozenset(owner_words(said, languages_of_key(key)))
            if not words.isdisjoint(words_of_others(key)) and asked.isdisjoint(_WORD.findall(said)):
                yield from noted
