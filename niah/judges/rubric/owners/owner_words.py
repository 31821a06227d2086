"""The words that tell whose a thing is: those that only the distractors that plant it use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.owners.side_facts import GENERIC
from niah.judges.rubric.owners.told_apart import Asked, Facts
from niah.text.sentences import split_sentences
from niah.text.writing import HANGUL, UNSPACED

_EASTERN = f"{UNSPACED}{HANGUL}"
# Vowel signs of Devanagari are no letters, and parts of its words.
_WORD = lazy_pattern(rf"(?:[^\W_{_EASTERN}]|(?<=[\u0900-\u097f])[\u0900-\u0903\u093a-\u094f\u0962\u0963])+")
_SIGNS = lazy_pattern(f"[{_EASTERN}]+")
# Words that tell of no owner, in whichever text they stand.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """
        about above again against almost also although always among another because been before
        being below both comes complete could does done each either else even ever every first found
        from gave give given gives goes have having here into itself just kept know known last least
        like made make makes many more most much must named near need needs never nobody none
        nothing once only other others over quite said same says seen should since some somebody
        still such take taken takes than that their them then there these they thing things this
        those though through together told under until upon used very wants well went were what when
        where whether which while whole whose will with without would years your
        the and for but not you all any can had her was one our out day get has him his how man new now old
        see two way who boy did its let put say she too use own off yet nor why are may got ago
        answer answers answered question text texts passage passages context document documents mention
        mentions mentioned state states stated speak speaks spoken tell tells read reads word words later
        doubt doubts question course sure surely certain certainly clear clearly indeed simply short brief
        final finally result conclusion reply correct right true list
        """,
    )
)


_SHORT = 80
"""Words of a distractor of which any may tell whose its elements are."""
_CAPITAL = re.compile(r"(?<!\w)[^\W\d_a-z]\w*")
_FIRST_LETTER = 1
"""From where on in a sentence a capital is a name's."""
_PARTICLE = 2
"""Letters of a word that tells nothing."""
_LEAST_STEM = 4
"""Letters above which a word has a stem that may tell."""
_LEAST_ALIKE = 6
"""Letters of words that may be kin by how they begin."""
_PARTICLES = frozenset(
    re.findall(
        r"\w+",
        """
        the and for but not you all any can had her was one our has him his how see two who did its let put
        say she too use are may got that this those these there their they them then than with from into onto
        over under upon have been being were will would could does done each either every some such what
        when where which while whose your very only also more most much many answer question text passage
        """,
    )
)


@lru_cache(maxsize=256)
def facts_apart(key: AnswerKey) -> dict[str, Facts]:
    """Of each wrong element, the words that tell its fact from the one that was asked for."""
    languages = languages_of_key(key)
    plain = forms_of_common_words(languages, plain=True)
    own = _own_forms(key)
    asked = _forms(key.references, languages)
    asked -= _forms([name for element in key.elements for name in element.names], languages)
    asked = (asked | _forms((key.question,), languages)) - plain - GENERIC
    told: dict[str, set[str]] = {}
    for distractor in key.distractors:
        for element in distractor.elements:
            told.setdefault(element.name, set()).update(_forms((distractor.text,), languages))
    return {name: Facts(frozenset(words - own - plain), asked - words) for name, words in told.items()}


@lru_cache(maxsize=256)
def _own_forms(key: AnswerKey) -> frozenset[str]:
    texts = (key.question, *key.references, *(needle.text for needle in key.needles))
    return _forms(texts, languages_of_key(key))


@lru_cache(maxsize=256)
def _words_of_facts(key: AnswerKey) -> dict[str, tuple[str, ...]]:
    """The longer words that tell facts apart, by how they begin."""
    known: dict[str, set[str]] = {}
    for facts in facts_apart(key).values():
        for word in facts.owner | facts.asked:
            if len(word) >= _LEAST_ALIKE:
                known.setdefault(word[:_LEAST_STEM], set()).add(word)
    return {begin: tuple(words) for begin, words in known.items()}


def words_and_kin(text: str, key: AnswerKey) -> frozenset[str]:
    """``owner_words`` of a text, and those of facts that begin as they do: "the signing", "signed"."""
    known, own = _words_of_facts(key), _own_forms(key)
    words = frozenset(owner_words(text, languages_of_key(key)))
    return words.union(
        (word[:-1] for word in words if word[-1] == "-"),  # "diving" has the stem "dive"
        (
            other
            for word in words
            if len(word) >= _LEAST_ALIKE and word not in own
            for other in known.get(word[:_LEAST_STEM], ())
            if begin_alike(word, other)
        ),
    )


@lru_cache(maxsize=256)
def asked_apart(key: AnswerKey) -> Asked:
    """The words of a question that tell what it asks for."""
    languages = languages_of_key(key)
    plain = forms_of_common_words(languages, plain=True) | GENERIC
    words = frozenset(_WORD.findall(normalise(key.question))) - plain
    return Asked(_forms((key.question,), languages) - plain, len(words))


def telling_words(text: str, key: AnswerKey) -> frozenset[str]:
    """The words of a part of a text that tell something."""
    plain = forms_of_common_words(languages_of_key(key), plain=True) | GENERIC
    return frozenset(word for word in _WORD.findall(text) if len(word) > _PARTICLE) - plain


def _forms(texts: Iterable[str], languages: Sequence[Language]) -> frozenset[str]:
    return frozenset(
        form
        for text in texts
        for word in _words(text, languages)
        if len(word) > _PARTICLE or not word.isascii()
        for form in inflections(word)
    )


@lru_cache(maxsize=256)
def forms_asked(key: AnswerKey) -> frozenset[str]:
    """The words of the question, in singular and plural."""
    return frozenset(form for word in _WORD.findall(normalise(key.question)) for form in inflections(word))


def pairs_of_words(text: str) -> Iterator[str]:
    """Each two words of a text that stand side by side: "day train"."""
    return map(" ".join, pairwise(_WORD.findall(text)))


def owner_words(text: str, languages: Sequence[Language]) -> Iterator[str]:
    """The words that may tell whose a thing is, and their stems; each two signs of what has no spaces.

    Args:
        text: normalised.
        languages: of the needle set; stems are marked so that they are no words themselves.
    """
    for word in _WORD.findall(text):
        yield word
        if len(word) > _LEAST_STEM:
            yield from (f"{word_stem(word, language)}-" for language in languages)
    for run in () if text.isascii() else _SIGNS.findall(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))


@lru_cache(maxsize=256)
def words_of_owners(key: AnswerKey) -> dict[str, frozenset[str]]:
    """Of each wrong element, the words that only the distractors that plant it use.

    Where there is nothing to find, any word tells that is not a mere particle: "the first organ". Elsewhere
    such a word tells with the one behind it, of a distractor that has no better: "day train".
    """
    languages = languages_of_key(key)
    ours = [key.question, *key.references, *(needle.text for needle in key.needles)]
    shared = {form for text in ours for word in _words(text, languages) for form in inflections(word)}
    shared |= forms_of_common_words(languages, plain=not key.elements)
    tellings: dict[str, frozenset[str]] = {}
    for distractor in key.distractors:
        names = [name for element in distractor.elements for name in element.names]
        planted = {word for name in names for word in _words(name, languages)}
        words = frozenset(
            word
            for word in _words(_about_owner(distractor.text, names), languages) - shared - planted
            if len(word) > 2 or not word.isascii()
        )
        if not words:
            plain = forms_of_common_words(languages, plain=True) | {
                form for text in ours for form in _words(text, languages)
            }
            words = frozenset(
                pair
                for pair in pairs_of_words(normalise(distractor.text))
                if len(min(pair.split(), key=len)) > 2
                and plain.isdisjoint(pair.split()[:1])
                and planted.isdisjoint(pair.split())
            )
        for element in distractor.elements:
            tellings[element.name] = tellings.get(element.name, frozenset()) | words
    return tellings


def _about_owner(text: str, names: Sequence[str]) -> str:
    """What of a distractor tells whose its elements are: of a long one names, and the sentences about them.

    In three hundred words of a letter "broken" says nothing of the fiddle at its end; a person's name may.
    """
    if len(text.split()) <= _SHORT:
        return text
    sought = [name.casefold() for name in names]
    return " ".join(
        part
        for sentence in split_sentences(text)
        for part in (
            [sentence]
            if any(map(sentence.casefold().__contains__, sought))
            else _CAPITAL.findall(sentence, _FIRST_LETTER)
        )
    )


@lru_cache(maxsize=32)
def forms_of_common_words(languages: tuple[Language, ...], *, plain: bool) -> frozenset[str]:
    """The forms of what tells of no owner; with ``plain``, of mere particles."""
    common = " ".join(_PARTICLES if plain else _COMMON)
    return frozenset(form for word in _words(common, languages) for form in inflections(word))


def _words(text: str, languages: Sequence[Language]) -> set[str]:
    return set(owner_words(normalise(text), languages))
