"""Names word by word: in another case or number, said of another person, with one slip of the pen.

A word counts by its class: pronouns of all persons are one class, as are the forms of one stem (Snowball's,
of the language that the needle set is written in). Articles are left out. Names with a digit, and those in
scripts without spaces, are not read here: codes and numbers are exact, and such scripts have no endings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from niah.judges.rubric.forms.names.russian import russian_stems
from niah.judges.rubric.forms.text_words import WORD_OF_NAME, TextWords, split_words
from niah.judges.rubric.languages.detect import Language

_APART = re.compile(r"'?[ \t\n]+")
_LETTERS = re.compile(r"[a-z\u00df-\u024f\u0370-\u04ff]+")
_SNOWBALL = {
    **{"en": "english", "de": "german", "fr": "french", "es": "spanish", "pt": "portuguese"},
    **{"it": "italian", "ru": "russian", "nl": "dutch", "sv": "swedish", "pl": "polish", "tr": "turkish"},
}
_NO_STEM = frozenset(("irmão", "irmãos"))
"""Snowball takes the brother for the sister."""
_JOINED: dict[Language, re.Pattern[str]] = {
    "sv": re.compile(r"(?<=\w{3}a)n\Z"),
    "tr": re.compile(r"(?<=\w{3}[aeıioöuü])yl[ae]\Z"),
}
"""What Snowball leaves on a word: the article of "tärnan", the "with" of "pusulayla"."""
_STEMMED = 4
"""Letters from which a word has a stem; shorter ones are all ending."""
_LONGEST = 40
"""Letters of a word that is read at all: "xxxx..." is none."""
_REMEMBERED = 8192
"""Words whose classes a needle set's names remember: answers repeat each other's."""
_LONG = 7
"""Letters of a word in which one slip of the pen is forgiven."""

_POSSESSIVES = frozenset(
    re.findall(
        r"\w+",
        """
        my your his her its our their mein meine meinen meinem meiner meines dein deine deinen
        deinem deiner deines sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres
        unser unsere unseren unserem unserer unseres euer eure euren eurem eurer eures mon ma mes
        ton ta tes son sa ses notre nos votre vos leur leurs mi mis tu tus su sus nuestro nuestra
        nuestros nuestras vuestro vuestra vuestros vuestras meu meus minha minhas teu teus tua tuas
        seu seus sua suas nosso nossa nossos nossas vosso vossa vossos vossas mio mia miei mie tuo
        tuoi tue suo suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro мой моя
        мое мои моего моей моему моим моих моими моем мою твой твоя твое твои твоего твоей твоему
        твоим твоих твоими твоем твою свой своя свое свои своего своей своему своим своих своими
        своем свою наш наша наше наши нашего нашей нашему нашим наших нашими нашем нашу ваш ваша
        ваше ваши вашего вашей вашему вашим ваших вашими вашем вашу его ее их
        """,
    )
)
"""Whose a thing is, in every person and case: a reader turns "my aunt" into "your aunt"."""
_OTHER_WORDS_TOO = frozenset(("son", "sein", "ma", "tu", "ihr", "loro", "ton", "leur"))
"""Possessives that are other words too: they begin names."""
_SAME: dict[str, str] = dict.fromkeys(_POSSESSIVES, "my")
for _class in (
    "mine yours hers ours theirs",
    "i you he she we they",
    "me him us them",
    "myself yourself himself herself itself ourselves yourselves themselves",
    "am is are",
    "was were",
    "has have",
):
    _SAME |= dict.fromkeys(_class.split(), _class)
_ARTICLES = frozenset(("the", "a", "an", "to", "be", "been", "being"))
"""Words that may be left out, or put in, wherever they stand."""
_TURNING = frozenset(
    ("not", "never", "no", "nor", "and", "or", "but", "without", "nearly", "almost", "hardly")
)
"""Words that may never come in between."""
_BESIDE_NUMBERS = 3
"""Words of a name with a number from which on it is a phrase, and no code: "no dividends before 2034"."""
_WORDY = 3
"""Words of a name from which on one more may come in between: "write home every sunday"."""


class LooseMatch(NamedTuple):
    """Where a text writes a name loosely: offsets, and by how many slips of the pen.

    ``name`` is an element's, with whether it is right.
    """

    name: tuple[str, bool]
    start: int
    end: int
    slips: int


@dataclass
class LooseNames:
    """Names by the classes of their words; one that two elements could mean is left out.

    Args:
        names: normalised ways to write, each with its element.
        language: of the needle set.
        vocabulary: every word of the needle set: none of them is a slip of the pen.
    """

    names: Iterable[tuple[str, tuple[str, bool]]]
    language: Language
    vocabulary: frozenset[str]
    _by_first: dict[str, list[tuple[tuple[str, ...], tuple[str, bool]]]] = field(
        default_factory=dict, init=False
    )
    _by_hole: dict[str, set[str]] = field(default_factory=dict, init=False)
    _by_russian_stem: dict[str, set[str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        meant: dict[tuple[str, ...], set[tuple[str, bool]]] = {}
        long_words: set[str] = set()
        for name, element in self.names:
            words = name_words(name)
            if words:
                for way in _turns(words):
                    meant.setdefault(tuple(self.class_of(word) for word in way), set()).add(element)
                long_words.update(word for word in words if len(word) >= _LONG)
        for words, element in _told_apart_in_russian(self.names):
            meant.setdefault(tuple(map(_in_russian, words)), set()).add(element)
            for word in words:
                for stem in russian_stems(word):
                    self._by_russian_stem.setdefault(stem, set()).add(_in_russian(word))
        for classes, elements in meant.items():
            if len(elements) == 1:
                self._by_first.setdefault(classes[0], []).append((classes, next(iter(elements))))
        for word in long_words:
            for hole in _holes(word):
                self._by_hole.setdefault(hole, set()).add(word)
        self._readings_of = lru_cache(maxsize=_REMEMBERED)(self._readings)
        self._begun_by = lru_cache(maxsize=_REMEMBERED)(self._names_begun)

    @property
    def has_any(self) -> bool:
        """Whether any of the names may be found so."""
        return bool(self._by_first)

    def find(self, text: str) -> Iterator[LooseMatch]:
        """Every place of a normalised text where a name stands, word by word."""
        said = split_words(text)
        begun_by = self._begun_by
        begun = [(place, names) for place, word in enumerate(said.words) if (names := begun_by(word))]
        for place, names in begun:
            for wanted, element, slip in names:
                found = (
                    _follow(text, said, self._readings_of, place, wanted, slip) if wanted else (place, slip)
                )
                if found:
                    yield LooseMatch(element, said.spans[place][0], said.spans[found[0]][1], found[1])

    def _names_begun(self, word: str) -> tuple[tuple[tuple[str, ...], tuple[str, bool], int], ...]:
        """The names that a word may begin: the classes behind it, the element, and the word's slips."""
        return tuple(
            (wanted[1:], element, slip)
            for reading, slip in self._readings_of(word).items()
            for wanted, element in self._by_first.get(reading, ())
        )

    def class_of(self, word: str) -> str:
        """The class of a word: all its forms, of all persons."""
        return _SAME.get(word) or word_stem(word, self.language)

    def _readings(self, word: str) -> Mapping[str, int]:
        """The classes that a word may be of, each with its slips of the pen."""
        own = {self.class_of(_bare(word)): 0}
        for stem in russian_stems(word) if self._by_russian_stem else ():
            own |= dict.fromkeys(self._by_russian_stem.get(stem, ()), 0)
        word = word.removesuffix("'s")
        if not _LONG - 1 <= len(word) <= _LONGEST or word in self.vocabulary or not _LETTERS.fullmatch(word):
            return own
        meant = {
            near for hole in _holes(word) for near in self._by_hole.get(hole, ()) if _one_slip(word, near)
        }
        return {self.class_of(near): 1 for near in meant} | own


def _follow(
    text: str,
    said: TextWords,
    readings_of: Callable[[str], Mapping[str, int]],
    place: int,
    wanted: tuple[str, ...],
    slips: int,
) -> tuple[int, int] | None:
    """The place of the last word and the slips, if the words behind ``place`` are of the wanted classes."""
    words, spans = said.words, said.spans
    spare = 1 if len(wanted) + 1 >= _WORDY else 0
    for one in wanted:
        before, place = place, place + 1
        while place < len(words) and one not in (classes := readings_of(words[place])):
            is_article = words[place] in _ARTICLES
            # A name that begins anew within itself ("inside, inside-out") is read from its second beginning.
            if not is_article and (
                not spare or words[place] in _TURNING or classes.keys() & readings_of(words[before]).keys()
            ):
                return None
            spare -= not is_article
            place += 1
        if place >= len(words):
            return None
        slips += classes[one]
        if slips > 1 or not all(
            text[left[1] : right[0]] == " " or _APART.fullmatch(text, left[1], right[0])
            for left, right in pairwise(spans[before : place + 1])
        ):
            return None
    return place, slips


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name without articles; none where it has a digit, or letters that are not read here."""
    words = [_bare(word) for word in WORD_OF_NAME.findall(name)]
    letters = [word for word in words if _LETTERS.fullmatch(word)]
    numbers = [word for word in words if word.isdecimal()]
    if not words or WORD_OF_NAME.sub("", name).strip(" .,'-") or len(letters) + len(numbers) < len(words):
        return ()
    if numbers and len(letters) < _BESIDE_NUMBERS:
        return ()
    inner = [word for word in words if word not in _ARTICLES] or words
    return tuple(inner[1:] if len(inner) > 1 and inner[0] in _POSSESSIVES - _OTHER_WORDS_TOO else inner)


def _in_russian(word: str) -> str:
    """The class of all cases of a word: another one than that of its Snowball stem."""
    return f"{word}\N{COMBINING CYRILLIC LETTER A}"


def _told_apart_in_russian(
    names: Iterable[tuple[str, tuple[str, bool]]],
) -> Iterator[tuple[tuple[str, ...], tuple[str, bool]]]:
    """The words of Russian names of which no case is another element's too, as a sister's may be."""
    russian = [(words, element) for name, element in names if (words := name_words(name))]
    russian = [(words, element) for words, element in russian if all(map(russian_stems, words))]
    stems: dict[str, set[tuple[str, bool]]] = {}
    for words, element in russian:
        for first in russian_stems(words[0]):
            stems.setdefault(first, set()).add(element)
    for words, element in russian:
        near = {other for first in russian_stems(words[0]) for other in stems[first]} - {element}
        if not any(other in near and _share_all_stems(words, theirs) for theirs, other in russian):
            yield words, element


def _share_all_stems(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return len(words) == len(others) and not any(
        russian_stems(word).isdisjoint(russian_stems(other))
        for word, other in zip(words, others, strict=True)
    )


def _turns(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words, and of two the other way about: "quince jelly", "jelly of quince"."""
    yield words
    if len(words) == 2:
        yield words[1], "of", words[0]


def _bare(word: str) -> str:
    return word.partition("'")[0] if word.endswith("'s") else word.replace("'", "")


@lru_cache(maxsize=65536)
def word_stem(word: str, language: Language) -> str:
    """What the forms of a word have in common (Snowball); the word itself where that is not known."""
    if word in _NO_STEM:
        return word
    if not _STEMMED <= len(word) <= _LONGEST or language not in _SNOWBALL or not _LETTERS.fullmatch(word):
        return word
    if joined := _JOINED.get(language):
        word = joined.sub("", word)
    return str(_stemmer(_SNOWBALL[language]).stemWord(word))


@lru_cache(maxsize=8)
def _stemmer(algorithm: str):  # type: ignore[no-untyped-def]
    from snowballstemmer import stemmer

    return stemmer(algorithm)


def _holes(word: str) -> set[str]:
    """The word, and the word with any one letter left out."""
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


def _one_slip(word: str, meant: str) -> bool:
    """Whether ``word`` is ``meant`` with one letter changed, left out, doubled or added, or two exchanged."""
    if word == meant or word[0] != meant[0] or abs(len(word) - len(meant)) > 1:
        return False
    if len(word) == len(meant):
        differing = [place for place in range(len(word)) if word[place] != meant[place]]
        if len(differing) == 1:
            return True
        first, last = differing[0], differing[-1]
        swapped = word[first] == meant[last] and word[last] == meant[first]
        return len(differing) == 2 and last == first + 1 and swapped
    shorter, longer = sorted((word, meant), key=len)
    return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))
