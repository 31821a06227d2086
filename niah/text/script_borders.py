"""Where sentences end in texts of any script, by the character classes of UAX 29.

Unicode's standard annex 29 says which characters end sentences ("。", "।", "؟", "።" and some 160 more), which
only may ("."), and which letters have no case, so that no capital can tell. The classes come from the package
``regex``. The rules on top of them are ours: the annex alone ends a sentence after every "Dr.", "z. B." and
"डॉ.", takes an opening quote for a closing one, and finds no border at all in Thai. Where a Latin capital
or a digit follows, the rules for English prose decide. In doubt no border.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from niah.text.english_borders import CAPITALS, CLOSERS, OPENERS, ends_sentence, listed

if TYPE_CHECKING:
    from regex import Match, Pattern

    Border = tuple[int, int]

# Words before a full stop that does not end the sentence. Single letters ("А. С. Пушкин", "د. أحمد") and
# words with a stop inside ("т.е.", "π.χ.") need no list.
_ABBREVIATIONS = listed(
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
_MONTHS = listed(
    "Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember"
)
# A Thai phrase that begins so carries the sentence on.
_THAI_GOES_ON = tuple(listed("และ หรือ แต่ ที่ ซึ่ง เพราะ โดย ว่า กับ จึง ก็ แล้ว เพื่อ คือ ได้แก่ เช่น ๆ ฯ"))
_LEAST_PHRASE = 24
"""Characters that must stand before a space of Thai or Lao that may be a border."""

FOREIGN_SIGNS = (
    "[\u00ad\u0100-\u1fff\u200b-\u200f\u202a-\u202e\u2032-\u203a\u2060-\u209f\u2190-\ud7ff\ue000-\uffef"
    "\U00010000-\U0001faff¿¡„‚‟†‡«»´¹²³äöüÄÖÜß]"
)
"""A pattern: the characters that the rules for English prose know nothing of."""
_LATIN_SENTENCE = re.compile(r"[A-Z][\w'’-]*(?:,?\s[\w'’-]+){2}")
_LATIN_STOPS = frozenset(".!?…")
_LATIN_CAPITALS = "".join(sorted(CAPITALS))


def find_foreign(text: str, start: int, end: int | None = None) -> int | None:
    """The first character of ``text[start:end]`` that the rules for English prose know nothing of."""
    found = _foreign().search(text, start, len(text) if end is None else end)
    return found.start() if found else None


@lru_cache(maxsize=1)
def _foreign() -> re.Pattern[str]:
    """Compiled for the first text that is not ASCII: so many characters take milliseconds."""
    return re.compile(FOREIGN_SIGNS)


def script_borders(text: str, start: int, end: int) -> Iterator[Border]:
    """The borders inside ``text[start:end]``: where a sentence ends, and where the next one begins.

    Characters that no page shows (UAX 44's Default_Ignorable_Code_Point: zero-width and bidirectional marks,
    soft hyphens, variation selectors) hide no border. They stay with the sentence that they follow.
    """
    if not _invisible().search(text, start, end):
        yield from _visible_borders(text, start, end)
        return
    shown = [at for at in range(start, end) if not _invisible().match(text[at])]
    visible = "".join(text[at] for at in shown)
    for stop, _ in _visible_borders(visible, 0, len(visible)):
        at = shown[stop - 1] + 1
        while at < end and _invisible().match(text[at]):
            at += 1
        following = at
        while following < end and text[following].isspace():
            following += 1
        yield at, following


@lru_cache(maxsize=1)
def _invisible() -> Pattern[str]:
    import regex

    return regex.compile(r"\p{Default_Ignorable_Code_Point}")


def _visible_borders(text: str, start: int, end: int) -> Iterator[Border]:
    first = start
    for found in _candidates().finditer(text, start, end):
        is_border = _ends_here if found["stop"] else _ends_phrase
        if is_border(text, first, found):
            first = found.end()
            yield found.end("mark"), first


@lru_cache(maxsize=1)
def _candidates() -> Pattern[str]:
    """A stop and what closes on it, or a space of Thai; white space; then what opens, and a character.

    References, footnote signs and pictures behind a stop belong to its sentence.
    """
    import regex

    sign = r"[\p{So}\U0001f3fb-\U0001f3ff]"
    raised = r"[¹²³\u2070-\u209f†‡]"
    note = rf"\[[^\[\].!?…\n]{{1,24}}+\]|{raised}++|{sign}++|[^\S\n]{sign}++(?=\s)"
    behind = rf"(?=\s|\[|{raised}|{sign})"
    closers = rf"(?:[{CLOSERS}\p{{Pe}}\p{{Pf}}\u2032-\u2037´‟＂＇]|[“«‘‹]{behind}|\s»(?=[\s.,;:!?)]))"
    dash = rf"[—–]\s?(?=\p{{Lu}})(?![{_LATIN_CAPITALS}])"
    signs = rf"{sign}*+(?:(?<={sign})\s)?+"
    openers = rf"{signs}[{re.escape(OPENERS)}¿¡„‚‹»\p{{Ps}}\p{{Pi}}]*+(?:(?<=«)\s|{dash})?+"
    # From where a run of stops begins: a page of them is read once.
    stop = r"[.!?…\p{SB=ST}\p{SB=AT}།༎]"
    stops = rf"(?:(?<!{stop}){stop}++|(?<=\p{{Greek}})[;\u037e])"
    phrase = r"(?P<phrase>(?<=[\p{Thai}\p{Lao}])(?=\s))"
    return regex.compile(
        rf"(?P<mark>(?P<stop>{stops})(?P<close>{closers}*+)(?:(?:{note}){closers}*+)*+|{phrase})"
        rf"(?P<space>\s*+)(?=(?P<open>{openers})(?P<next>\S))"
    )


def _ends_phrase(text: str, first: int, found: Match[str]) -> bool:
    """Whether a sentence ends at this space of Thai, which has no full stop.

    Writers put a space where a clause ends, and around numbers and foreign words: a long phrase before it and
    a word behind it that does not carry the sentence on must do.
    """
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
    is_full_stop = stop == "." and not close
    if following in CAPITALS and set(stop) <= _LATIN_STOPS:
        return not is_full_stop or not _is_abbreviated(text, first, found)
    if following.islower():
        return stop[-1] not in _LATIN_STOPS and not close
    if following.isalpha() and not following.isupper() and not following.istitle():
        # No case tells. After a question in quotes, or an ellipsis, the sentence may well go on.
        if stop[-1] == "…" or stop.endswith("..") or (close and stop[-1] not in ".。।۔።"):
            return False
        return not is_full_stop or not _is_abbreviated(text, first, found)
    if following.isalnum():
        return not is_full_stop or not _is_abbreviated(text, first, found)
    return stop[-1] not in _LATIN_STOPS


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
    """Whether it is of a script that is written without spaces: Han, kana, or wide marks."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef" or character >= "\U00020000"


def _is_abbreviated(text: str, first: int, found: Match[str]) -> bool:
    """Whether the full stop belongs to the word before it."""
    stop, following = found.start(), found.end()
    words = text[max(first, stop - 16) : stop].split()
    word = words[-1].lstrip(OPENERS) if words else ""
    if word in _ABBREVIATIONS:
        return True
    if word.isdigit() and len(word) <= 2 and _word_at(text, following) in _MONTHS:
        return True
    if len(word) == 1 and _has_no_alphabet(word):
        return False  # a word of one syllable: "네."
    return not ends_sentence(text, first, stop, following)


def _word_at(text: str, at: int) -> str:
    end = at
    while end < len(text) and text[end].isalpha():
        end += 1
    return text[at:end]


def _has_no_alphabet(letter: str) -> bool:
    """Whether it writes a syllable or a word: Hangul, kana, Han."""
    return _is_wide(letter) or "\uac00" <= letter <= "\ud7a3"
