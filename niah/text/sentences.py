"""Paragraphs and sentences, in any script.

English prose goes by one compiled expression and a short list of abbreviations; other scripts go by the
character classes of Unicode's annex 29 and rules of ours: the annex alone ends a sentence after every "Dr."
and finds no border in Thai. In doubt no border: a torn sentence breaks a promise, a long one costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regex import Match, Pattern

_Span = tuple[int, int]


def split_sentences(paragraph: str) -> list[str]:
    """The sentences of one line of prose, in order, without the white space between them."""
    return [paragraph[start:end] for start, end in sentence_spans(paragraph, 0, len(paragraph))]


def sentence_spans(text: str, start: int, end: int) -> list[_Span]:
    """The sentences of ``text[start:end]`` as character spans of ``text``, end exclusive."""
    is_english = text.isascii() or _foreign().search(text, start, end) is None
    spans, first = list[_Span](), start
    for stop, following in (english_borders if is_english else script_borders)(text, start, end):
        spans.append((first, stop))
        first = following
    return [*spans, (first, end)] if first < end else spans


_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
LINE_END = re.compile(r"\n")
_WORD = re.compile(r"\S+")


def paragraph_spans(text: str) -> Iterator[_Span]:
    """Stretches between blank lines, without the white space around them."""
    return split_trimmed(text, 0, len(text), _BLANK_LINES)


def split_trimmed(text: str, start: int, end: int, border: re.Pattern[str]) -> Iterator[_Span]:
    """The stretches of ``text[start:end]`` between borders, trimmed; empty ones are left out."""
    borders = (match.span() for match in border.finditer(text, start, end))
    for stop, following in (*borders, (end, end)):
        piece = text[start:stop].lstrip()
        if piece:
            yield stop - len(piece), stop - len(piece) + len(piece.rstrip())
        start = following


def short_sentences(text: str, words: int = 32) -> list[_Span]:
    """Character spans of sentences of a paragraph (mixture-of-pageranks, section 4, "Chunking method").

    Those of more than ``words`` words are cut at newlines, then into nearly equal parts.
    """
    spans: list[_Span] = []
    for paragraph in paragraph_spans(text):
        for start, end in sentence_spans(text, *paragraph):
            if len(text[start:end].split()) <= words:
                spans.append((start, end))
                continue
            for line in split_trimmed(text, start, end, LINE_END):
                found = [match.span() for match in _WORD.finditer(text, *line)]
                parts = -(-len(found) // words)
                borders = [i * len(found) // parts for i in range(parts + 1)]
                spans.extend((found[a][0], found[b - 1][1]) for a, b in pairwise(borders))
    return spans


# The insides of character classes: what may stand before a sentence's first letter, and after its stop.
_OPENERS = "\"'`“‘«([_*"
_CLOSERS = "\"'`”’»)\\]_*"
_HIDDEN = "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\u2066\u2067\u2068\u2069\ufe0f\ufeff"
_NOTE = r"\[[ \"-\-/->@-Z\\^-~]{1,24}+\]"  # a reference behind a stop, as in ".[12][citation needed]"
_CAPITAL_CLASS = "[A-ZÀ-ÖØ-Þ0-9]"
# A match begins where a run of stops does and gives nothing back: a page of dots is read once.
_CANDIDATE = re.compile(
    rf"([.!?…](?<![.!?…]{{2}})[.!?…]*+)([{_CLOSERS}]*+)((?:{_NOTE}[{_CLOSERS}]*+)*+)"
    rf"\s++(?=[{re.escape(_OPENERS)}]*{_CAPITAL_CLASS})"
)
# Not behind a blank line: the next paragraph says nothing of this one's end.
_NEXT_WORD = re.compile(r"(?:(?!\n[^\S\n]*\n)[\W\d_])*+([^\W\d_]+)")
_LONGEST = 16  # no abbreviation here is longer, so a longer word before a full stop need not be read whole


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
_ENGLISH_ABBREVIATIONS = _NEVER_LAST | _BEFORE_NUMBERS | _SOMETIMES_LAST
_STARTERS = _listed(
    "The A An This That These Those He She It They We I You His Her Its Their Our My Your In On At As But And"
    " Or So Then When While If For From By With After Before Because Although Though However There Here What"
    " Who Why How Where Not No Yes One Some Many Most Each Every All Such Now Once Still Yet Nothing Nobody"
    " Everyone Someone To Of"
)


def english_borders(text: str, start: int, end: int) -> Iterator[_Span]:
    """The borders inside ``text[start:end]``: where a sentence ends, and where the next one begins."""
    first = start
    for candidate in _CANDIDATE.finditer(text, start, end):
        stop, following = candidate.span()
        if candidate.group(1, 2) != (".", "") or _ends_sentence(text, first, stop, following):
            yield candidate.end(3), following
            first = following


def _word_before(text: str, first: int, stop: int) -> str:
    words = text[max(first, stop - _LONGEST) : stop].rsplit(None, 1)
    return words[-1].rstrip(_HIDDEN).lstrip(_OPENERS + _HIDDEN) if words else ""


def _ends_sentence(text: str, first: int, stop: int, following: int) -> bool:
    """Whether the full stop at ``stop`` ends a sentence, by English rules; ``following`` comes next."""
    word = _word_before(text, first, stop)
    if len(word) > 1 and word.isalpha() and word not in _ENGLISH_ABBREVIATIONS:  # as most are
        return True
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
        # Where the paragraph goes on with a word for a start: "in the U.S. The", not "the U.S. Army".
        found = _NEXT_WORD.match(text, following)
        return found is not None and found[1] in _STARTERS
    return True


# Words before a full stop that does not end the sentence. Single letters ("А. С. Пушкин") need no list.
_ABBREVIATIONS = _listed(
    # Russian, Ukrainian, Bulgarian
    "гг вв г-н г-жа др пр проф акад доц им ул пл пер просп обл стр рис табл гл см ср напр тыс млн млрд"
    " руб коп ред изд св тов гр инж мин макс ок род вул буд грн"
    # Greek
    " κκ κα δρ καθ βλ δηλ αρ σελ τηλ εκ χιλ αι υπ αγ στρ"
    # German, French, Spanish, Italian, Portuguese, Polish, Czech, Turkish, where the next word is Latin
    " Nr bzw usw ggf vgl Vgl evtl Hr Hrn Bd Abs Sra Srta Ud Uds núm pág av Sig Sigg Exmo tzw zob hab płk mjr"
    " np např tzv atd tj pí örn bkz vb"
    # Hindi, Bengali, Tamil, Telugu
    " डॉ डा प्रो पं कु सं रु सन् पृ ডা ডঃ মো மு திரு డా"
    # Arabic, Persian, Hebrew
    " هـ عج گب מר עמ מס פרופ"
)
_MONTHS = _listed(
    "Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember"
)
# A Thai phrase that begins so carries the sentence on.
_THAI_GOES_ON = tuple(_listed("และ หรือ แต่ ที่ ซึ่ง เพราะ โดย ว่า กับ จึง ก็ แล้ว เพื่อ คือ ได้แก่ เช่น ๆ ฯ"))
_LEAST_PHRASE = 24  # characters before a space of Thai or Lao that may be a border
_LATIN_SENTENCE = re.compile(r"[A-Z][\w'’-]*(?:,?\s[\w'’-]+){2}")
_LATIN_STOPS = frozenset(".!?…")


@lru_cache(maxsize=1)
def _foreign() -> re.Pattern[str]:
    """What the rules for English prose know nothing of; compiling so many characters takes milliseconds."""
    return re.compile(
        "[\u00ad\u0100-\u1fff\u200b-\u200f\u202a-\u202e\u2032-\u203a\u2060-\u209f\u2190-\ud7ff\ue000-\uffef"
        "\U00010000-\U0001faff¿¡„‚‟†‡«»´¹²³äöüÄÖÜß]"
    )


def script_borders(text: str, start: int, end: int) -> Iterator[_Span]:
    """Where sentences end and the next begin, by rules for any script."""
    first = start
    for found in _candidates().finditer(text, start, end):
        is_border = _ends_here if found["stop"] else _ends_phrase
        if is_border(text, first, found):
            first = found.end()
            yield found.end("mark"), first


@lru_cache(maxsize=1)
def _candidates() -> Pattern[str]:
    """A stop, what closes on it and notes, or a space of Thai; white space; what opens, and a character."""
    import regex

    hidden = r"\p{Default_Ignorable_Code_Point}"  # no page shows it (UAX 44)
    sign = rf"[\p{{So}}\U0001f3fb-\U0001f3ff{hidden}]"
    raised = r"[¹²³\u2070-\u209f†‡]"
    note = rf"\[[^\[\].!?…\n]{{1,24}}+\]|{raised}++|{sign}++|[^\S\n]{sign}++(?=\s)"
    behind = rf"(?=\s|\[|{raised}|{sign})"
    closers = rf"(?:[{_CLOSERS}\p{{Pe}}\p{{Pf}}\u2032-\u2037´‟＂＇]|[“«‘‹]{behind}|\s»(?=[\s.,;:!?)]))"
    dash = rf"[—–]\s?(?=\p{{Lu}})(?!{_CAPITAL_CLASS})"
    signs = rf"{sign}*+(?:(?<={sign})\s)?+"
    openers = rf"{signs}[{re.escape(_OPENERS)}¿¡„‚‹»\p{{Ps}}\p{{Pi}}]*+(?:(?<=«)\s|{dash})?+"
    # From where a run of stops begins: a page of them is read once.
    stop = r"[.!?…\p{SB=ST}\p{SB=AT}།༎]"
    stops = rf"(?:(?<!{stop}){stop}++|(?<=\p{{Greek}})[;\u037e])"
    phrase = r"(?P<phrase>(?<=[\p{Thai}\p{Lao}])(?=\s))"
    return regex.compile(
        rf"(?P<mark>(?P<stop>{stops}){hidden}*+(?P<close>{closers}*+)(?:(?:{note}){closers}*+)*+|{phrase})"
        rf"(?P<space>\s*+)(?=(?P<open>{openers})(?P<next>\S))"
    )


def _ends_phrase(text: str, first: int, found: Match[str]) -> bool:
    """Whether a long phrase ends at this space of Thai, and what follows does not carry it on."""
    if found.start() - first < _LEAST_PHRASE or text.startswith(_THAI_GOES_ON, found.end()):
        return False
    following = found["next"]
    if following.isascii():
        return _LATIN_SENTENCE.match(text, found.start("next")) is not None
    return text[found.start() - 1] not in "ๆฯ" and "\u0e00" <= following <= "\u0eff" and following.isalpha()


def _ends_here(text: str, first: int, found: Match[str]) -> bool:
    """Whether the stop ends the sentence that begins at ``first``."""
    stop, close, following = found["stop"], found["close"], found["next"]
    if not found["space"]:
        return _ends_unspaced(text, found)
    if following.islower():
        return stop[-1] not in _LATIN_STOPS and not close
    if not following.isalnum():
        return stop[-1] not in _LATIN_STOPS
    # Where no case tells, the sentence may well go on after a question in quotes, or an ellipsis.
    is_caseless = following.isalpha() and not (following.isupper() or following.istitle())
    is_doubtful = stop[-1] == "…" or stop.endswith("..") or (close and stop[-1] not in ".。।۔።")
    if is_caseless and is_doubtful:
        return False
    return stop != "." or close != "" or not _is_abbreviated(text, first, found)


def _ends_unspaced(text: str, found: Match[str]) -> bool:
    """Whether a stop ends a sentence though no white space follows, as in Chinese, Japanese and Burmese."""
    stop, close, following = found["stop"][-1], found["close"], found["next"]
    if not (following.isalnum() or found["open"]):
        return False
    if stop in "!?":
        return not close and _is_wide(text[found.start() - 1]) and _is_wide(following)
    if stop in ".…;\u037e․﹒" or (stop == "．" and following.isdigit()):
        return False
    # 「……。」と言った, “……？”她问: what is quoted is a part of the sentence.
    return not close or (stop in "。｡" and not close.strip("）)〕】》"))


def _is_wide(character: str) -> bool:
    """Whether it is Han, kana or a wide mark."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef" or character >= "\U00020000"


def _is_abbreviated(text: str, first: int, found: Match[str]) -> bool:
    """Whether the full stop belongs to the word before it."""
    stop, following = found.start(), found.end()
    word = _word_before(text, first, stop)
    next_word = re.match(r"[^\W\d_]*", text[following : following + _LONGEST])
    if word in _ABBREVIATIONS or (re.fullmatch(r"\d\d?", word) and next_word and next_word[0] in _MONTHS):
        return True
    if len(word) == 1 and (_is_wide(word) or "\uac00" <= word <= "\ud7a3"):
        return False  # it writes a syllable or a word: "네."
    return not _ends_sentence(text, first, stop, following)
