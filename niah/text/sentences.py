"""Sentence splitting for English prose, by one compiled expression and a short list of abbreviations.

In doubt the splitter does not split: a long sentence costs nothing, a torn one breaks the promise that
every sentence of a haystack stays whole.
"""

from __future__ import annotations

import re

_OPENERS = "\"'“‘«([_*"
_CLOSERS = "\"'”’»)\\]_*"
_CANDIDATE = re.compile(rf"([.!?…]+)([{_CLOSERS}]*)\s+(?=[{re.escape(_OPENERS)}]*[A-ZÀ-ÖØ-Þ0-9])")
_NEXT_WORD = re.compile(r"[^\W\d_]+")

# No abbreviation here is longer, so a longer word before a full stop need not be read whole.
_LONGEST = 16


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NEVER_LAST = _listed(
    "Mr Mrs Ms Dr Prof Rev Fr Hon Gen Col Maj Capt Lt Sgt Cpl Adm Cmdr Gov Sen Rep Pres St Ste Mt Messrs Mme"
    " Mlle vs viz cf ca approx e.g i.e eg ie"
)
_BEFORE_NUMBERS = _listed(
    "No Nos no nos Fig Figs fig figs p pp Vol Vols vol vols Ch ch Sec sec Art Eq Op Pt pt Bk"
    " Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)
_SOMETIMES_LAST = _listed("etc al Jr Sr Esq Inc Ltd Co Corp Bros Dept Univ Ave Blvd Rd")
_STARTERS = _listed(
    "The A An This That These Those He She It They We I You His Her Its Their Our My Your In On At As But And"
    " Or So Then When While If For From By With After Before Because Although Though However There Here What"
    " Who Why How Where Not No Yes One Some Many Most Each Every All Such Now Once Still Yet Nothing Nobody"
    " Everyone Someone To Of"
)


def split_sentences(paragraph: str) -> list[str]:
    """The sentences of one line of prose, in order.

    A sentence ends at . ! ? or an ellipsis and the quotes or brackets that close on it, when white space
    and then an upper-case letter, a digit or an opening quote follow. The white space between two
    sentences belongs to neither, so ``" ".join(...)`` gives back a paragraph with single spaces.
    """
    return [paragraph[start:end] for start, end in sentence_spans(paragraph, 0, len(paragraph))]


def sentence_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of ``text[start:end]`` as character spans of ``text``, end exclusive."""
    spans = []
    first = start
    for candidate in _CANDIDATE.finditer(text, start, end):
        stop, following = candidate.span()
        if candidate.groups() == (".", "") and not _ends_sentence(text, first, stop, following):
            continue
        spans.append((first, candidate.end(2)))
        first = following
    if first < end:
        spans.append((first, end))
    return spans


def _ends_sentence(text: str, first: int, stop: int, following: int) -> bool:
    """Whether the full stop at ``stop`` ends the sentence that begins at ``first``.

    ``following`` is where the text goes on after the white space.
    """
    words = text[max(first, stop - _LONGEST) : stop].split()
    word = words[-1].lstrip(_OPENERS) if words else ""
    if word in _NEVER_LAST:
        return False
    if word in _BEFORE_NUMBERS:
        return not text[following].isdigit()
    is_letter = len(word) == 1 and word.isalpha()
    if stop - first == len(word) and (is_letter or word.isdigit()):
        return False  # the "1." or "A." of a list
    if word == "I":
        return text[following + 1 : following + 2] != "."  # "So do I. She", but "I. J. Good"
    is_acronym = "." in word and word[-1].isalpha()
    if is_letter or is_acronym or word in _SOMETIMES_LAST:
        return _starts_plainly(text, following)
    return True


def _starts_plainly(text: str, following: int) -> bool:
    """Whether the next word is one that starts sentences ("in the U.S. The", not "the U.S. Army")."""
    word = _NEXT_WORD.search(text, following)
    return word is not None and word[0] in _STARTERS
