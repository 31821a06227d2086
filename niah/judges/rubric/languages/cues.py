"""How each language says that something is the answer, is corrected, does not count, is not told, is unsure.

One YAML file a language stands beside this module. Its entries are regular expressions over tidied text (see
``niah.judges.rubric.normalise.tidy``: casefolded, one kind of quote and dash), with two signs of their own: a
space is any white space (" ?" or none), "…" a few words of the same clause. Where a language puts spaces
between words, an entry matches whole words alone; "\\w*" leaves an ending open.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import get_args

from pydantic import Field

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.languages.detect import Language, languages_of, reads_as_english
from niah.judges.rubric.normalise import spaced

_NEVER = re.compile(r"(?!)")
_TOO_FEW = 3
"""Words of a text that tell no language for certain: "non précisé" is no Italian."""
_GAP = r"[^.!?;:\n。]{0,40}?"


class LanguageFile(FileModel):
    """One language's file. What each list means is said at ``Cues``."""

    language: Language
    name: NonEmptyText
    sources: tuple[NonEmptyText, ...] = Field(min_length=1)
    spaced: bool = True
    """Whether spaces part its words."""
    conclusion: tuple[NonEmptyText, ...]
    correction: tuple[NonEmptyText, ...]
    earlier: tuple[NonEmptyText, ...]
    denies_next: tuple[NonEmptyText, ...]
    denies_previous: tuple[NonEmptyText, ...]
    excludes_next: tuple[NonEmptyText, ...]
    excludes_previous: tuple[NonEmptyText, ...]
    refusal: tuple[NonEmptyText, ...]
    hedge: tuple[NonEmptyText, ...]
    last_word: tuple[NonEmptyText, ...]
    contrast: tuple[NonEmptyText, ...]
    addition: tuple[NonEmptyText, ...]
    apart: tuple[NonEmptyText, ...]
    explanation: tuple[NonEmptyText, ...]
    withdrawal: tuple[NonEmptyText, ...]
    retraction: tuple[NonEmptyText, ...]
    explicit: tuple[NonEmptyText, ...]
    other: tuple[NonEmptyText, ...]
    superlative: tuple[NonEmptyText, ...]
    compared: tuple[NonEmptyText, ...]


class EitherPattern:
    """Patterns of several languages, looked for as if they were one: the first place counts, then order.

    Each language's is compiled once for all mixtures of languages, which answers have in great variety.
    """

    def __init__(self, patterns: Sequence[re.Pattern[str]]) -> None:
        self._patterns = tuple(patterns)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The first match, as ``re.Pattern.search`` gives it."""
        best: re.Match[str] | None = None
        for pattern in self._patterns:
            match = pattern.search(text, start, end)
            if match and (best is None or match.start() < best.start()):
                best = match
        return best

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The match at ``start``."""
        return next((match for one in self._patterns if (match := one.match(text, start))), None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches that do not overlap; none is empty."""
        coming = [pattern.search(text) for pattern in self._patterns]
        while found := [match for match in coming if match]:
            first = min(found, key=re.Match.start)
            yield first
            for place, match in enumerate(coming):
                if match and match.start() < first.end():
                    coming[place] = self._patterns[place].search(text, first.end())


CuePattern = re.Pattern[str] | EitherPattern


class Cues:
    """The cues of one or more languages, each kind as one pattern over tidied text.

    A pattern is compiled when it is first looked for.

    Attributes:
        conclusion: what follows is the answer: "final answer:", "in short", "答案是".
        correction: what follows takes the place of what stands before: "no, wait", "vielmehr".
        earlier: what follows in its clause was so before, or was thought first: "previously", "i thought".
        denies_next: the one thing that follows is denied: "not", "nicht", "不是".
        denies_previous: the one thing before is denied: "is not", "ではなく", "가 아니라".
        excludes_next: the whole list that follows does not count: "except", "not required:", "除了".
        excludes_previous: what stands before in the sentence does not count: "belong to another".
        refusal: the text does not tell, or the answer is not known.
        hedge: the answer is unsure of itself.
        last_word: a conclusion with it counts even if it names fewer things than were asked for: "final".
        contrast: a clause begins that says something else: "but", "until", "до".
        addition: what follows comes to what stands before: "also", "or".
        apart: a heading with it sets apart what stands below, where the answer is complete without that.
        explanation: a heading with it leads in how the answer was found.
        withdrawal: the answer takes back what it has said: "i withdraw", "davon steht nichts im text".
        retraction: the same in so many words, which leaves nothing standing: "anulo a resposta".
        explicit: what was answered is not told in so many words: "ausdrücklich steht das nicht im text".
        other: something else is not told, which takes nothing back: "further", "andere", "其他".
        superlative: of a question that asks for one out of many that are compared: "most", "die schwerste".
        compared: an answer to such a question says what comes behind: "ahead of", "devant", "second".
    """

    conclusion: CuePattern
    correction: CuePattern
    earlier: CuePattern
    denies_next: CuePattern
    denies_previous: CuePattern
    excludes_next: CuePattern
    excludes_previous: CuePattern
    refusal: CuePattern
    hedge: CuePattern
    last_word: CuePattern
    contrast: CuePattern
    addition: CuePattern
    apart: CuePattern
    explanation: CuePattern
    withdrawal: CuePattern
    retraction: CuePattern
    explicit: CuePattern
    other: CuePattern
    superlative: CuePattern
    compared: CuePattern

    def __init__(self, languages: tuple[Language, ...]) -> None:
        self._languages = languages

    def __getattr__(self, kind: str) -> CuePattern:
        if kind not in CUE_KINDS:
            raise AttributeError(kind)
        known = [one for language in self._languages if (one := _pattern_of(language, kind))] or [_NEVER]
        pattern: CuePattern = known[0] if len(known) == 1 else EitherPattern(known)
        setattr(self, kind, pattern)
        return pattern


CUE_KINDS = tuple(Cues.__annotations__)


def cues_of(tidied: str) -> Cues:
    """The cues of the languages that a tidied text is written in; those of English where nothing tells."""
    return cues_in(languages_of(spaced(tidied)).known)


def cues_beside(tidied: str, language: Language) -> Cues:
    """The cues of the languages of a tidied text, and of one that it may be too short to show."""
    return cues_in(tuple(dict.fromkeys((*languages_of(spaced(tidied)).known, language))))


def foreign_cues(tidied: str, own: tuple[Language, ...] = ()) -> Cues | None:
    """The cues of the languages other than English that a tidied text is written in, if any.

    Args:
        tidied: the text.
        own: languages of the needle set, in which an answer may be that is too short to show its own.
    """
    languages = languages_of(spaced(tidied)).known[1:]
    may_be_own = own not in ((), ("en",)) and (not languages or len(tidied.split()) <= _TOO_FEW)
    if may_be_own and not reads_as_english(tidied):
        languages = tuple(dict.fromkeys((*languages, *(language for language in own if language != "en"))))
    return cues_in(languages) if languages else None


@lru_cache(maxsize=64)
def cues_in(languages: tuple[Language, ...]) -> Cues:
    """The cues of ``languages`` together."""
    return Cues(languages)


@lru_cache(maxsize=4)
def corrections(text: str, cues: Cues) -> tuple[re.Match[str], ...]:
    """Where a text corrects itself; several that read an answer look for it."""
    return tuple(cues.correction.finditer(text))


@lru_cache(maxsize=len(get_args(Language)))
def load_language(language: Language) -> LanguageFile:
    """One language's file."""
    return load_yaml(Path(__file__).with_name(f"{language}.yaml"), LanguageFile)


@cache
def _pattern_of(language: Language, kind: str) -> re.Pattern[str] | None:
    """The pattern for any phrase of one kind, word borders looked for once; None where there is none."""
    file = load_language(language)
    phrases = "|".join(
        phrase.replace("\u0451", "\u0435").replace("…", _GAP).replace(" ?", r"\s*").replace(" ", r"\s+")
        for phrase in getattr(file, kind)
    )
    if not phrases:
        return None
    return re.compile(rf"(?<!\w)(?:{phrases})(?!\w)" if file.spaced else f"(?:{phrases})")
