"""Where sentences of English prose end: one compiled expression and a short list of abbreviations.

In doubt no border: a long sentence costs nothing, a torn one breaks the promise that every sentence of a
haystack stays whole. ``niah.retrieval.mixpr.kernels`` finds the same candidates in a
compiled loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

OPENERS = "\"'`“‘«([_*"
CLOSERS = "\"'`”’»)\\]_*"
"""The insides of character classes: what may stand before a sentence's first letter, and after its stop."""
NOTE = r"\[[ \"-\-/->@-Z\\^-~]{1,24}+\]"
"""A pattern: a reference behind a stop, as in ".[12][citation needed]"; without a stop inside."""
_CAPITAL_CLASS = "[A-ZÀ-ÖØ-Þ0-9]"
CAPITALS = frozenset(re.findall(_CAPITAL_CLASS, "".join(map(chr, range(256)))))
# A match begins where a run of stops does and gives nothing back: a page of dots is read once. It looks
# behind the first stop, not before it: what begins with a class is found much sooner.
_CANDIDATE = re.compile(
    rf"([.!?…](?<![.!?…]{{2}})[.!?…]*+)([{CLOSERS}]*+)((?:{NOTE}[{CLOSERS}]*+)*+)"
    rf"\s++(?=[{re.escape(OPENERS)}]*{_CAPITAL_CLASS})"
)
# Not behind a blank line: the next paragraph says nothing of this one's end.
_NEXT_WORD = re.compile(r"(?:(?!\n[^\S\n]*\n)[\W\d_])*+([^\W\d_]+)")

# No abbreviation here is longer, so a longer word before a full stop need not be read whole.
_LONGEST = 16


def listed(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


NEVER_LAST = listed(
    "Mr Mrs Ms Dr Prof Rev Fr Hon Gen Col Maj Capt Lt Sgt Cpl Adm Cmdr Gov Sen Rep Pres St Ste Mt Messrs Mme"
    " Mlle vs viz cf ca approx e.g i.e eg ie"
)
BEFORE_NUMBERS = listed(
    "No Nos no nos Fig Figs fig figs p pp Vol Vols vol vols Ch ch Sec sec Art Eq Op Pt pt Bk"
    " Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)
SOMETIMES_LAST = listed("etc al Jr Sr Esq Inc Ltd Co Corp Bros Dept Univ Ave Blvd Rd")
ABBREVIATIONS = NEVER_LAST | BEFORE_NUMBERS | SOMETIMES_LAST
STARTERS = listed(
    "The A An This That These Those He She It They We I You His Her Its Their Our My Your In On At As But And"
    " Or So Then When While If For From By With After Before Because Although Though However There Here What"
    " Who Why How Where Not No Yes One Some Many Most Each Every All Such Now Once Still Yet Nothing Nobody"
    " Everyone Someone To Of"
)


def english_borders(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The borders inside ``text[start:end]``: where a sentence ends, and where the next one begins."""
    first = start
    for candidate in _CANDIDATE.finditer(text, start, end):
        stop, following = candidate.span()
        if candidate.group(1, 2) == (".", "") and not ends_sentence(text, first, stop, following):
            continue
        yield candidate.end(3), following
        first = following


def ends_sentence(text: str, first: int, stop: int, following: int) -> bool:
    """Whether the full stop at ``stop`` ends the sentence that begins at ``first``, by English rules.

    ``following`` is where the text goes on after the white space.
    """
    words = text[max(first, stop - _LONGEST) : stop].rsplit(None, 1)
    word = words[-1].lstrip(OPENERS) if words else ""
    if len(word) > 1 and word.isalpha() and word not in ABBREVIATIONS:  # as most are
        return True
    if word in NEVER_LAST:
        return False
    if word in BEFORE_NUMBERS:
        return not text[following].isdigit()
    is_letter = len(word) == 1 and word.isalpha()
    if stop - first == len(word) and (is_letter or word.isdigit()):
        return False  # the "1." or "A." of a list
    if word == "I":
        return text[following + 1 : following + 2] != "."  # "So do I. She", but "I. J. Good"
    is_acronym = "." in word and word[-1].isalpha()
    if is_letter or is_acronym or word in SOMETIMES_LAST:
        return _starts_plainly(text, following)
    return True


def _starts_plainly(text: str, following: int) -> bool:
    """Whether the paragraph goes on with a word for a start: "in the U.S. The", not "the U.S. Army"."""
    word = _NEXT_WORD.match(text, following)
    return word is not None and word[1] in STARTERS
