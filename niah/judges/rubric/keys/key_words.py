"""Where a text names the keys of a needle set, each in any way that it may be written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import told_in
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.names import Names, ways_to_write
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.languages.detect import languages_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Element

# "The granite gate, not the willow gate": the second key is given nothing.
_NOT_KEY = lazy_pattern(
    r"(?:\b(?:not|never|nor|unlike|except|than|instead\s+of|nicht|kein\w*|statt|pas|não|non|sin[oó]|не)|n't)\s+"
    r"(?:(?:for|of|to|at|für|zu|pour|para|per|de|del|do|da|di|для|от)\s+)?(?:(?:the|der|die|das|den|le|la|el|il|lo|o|a)\s+)?\Z"
)
_WINDOW = 32
_LISTING = frozenset(
    re.findall(
        r"\w+",
        """
    and or nor the a an s of for to at as well also
    und oder der die das den dem des für zum zur von sowie et ou le la les l du de des pour y o e el los las
    del para os as do da dos das no na il lo gli i di della dello per и или для от
    """,
    )
)
_VERBS = frozenset(
    re.findall(r"\w+", "is are was were be has have ist sind hat lautet est sont es son é são è sono")
)
# With these before it the keys' last word names no other key: "each gate", "the second gate".
_NO_NAME = lazy_pattern(
    r"in|on|by|each|every|any|all|both|no|n?either|same|(?:an)?other|next|last|th(?:is|at|ese)|which|what|its|their"
    r"|respective|correct|given|following|whole|entire|first|second|third|\w+th"
    r"|one|two|three|four|five|six|seven"
)
_NOUN_FIRST = frozenset(("fr", "es", "pt", "it"))
_MOST_WORDS_OF_A_KEY = 3
_LEAST_NOUN = 4
_LEAST_OF_FORM = 5


@dataclass(frozen=True)
class KeyWords:
    """How a needle set's keys are written.

    Attributes:
        names: every way to write a key.
        abroad: the same, in other languages and scripts too.
        foreign: finds "the plum gate" where all keys are gates; None where keys have no last word in common.
        between: the words that may stand between two keys of one list.
        order: the keys in the question's order.
    """

    names: Names
    abroad: Names
    foreign: re.Pattern[str] | None
    between: frozenset[str]
    order: tuple[str, ...]

    def by_word(self, word: str) -> str | None:
        """The one key that has a word: "security deposit" for "deposit", whatever else is called so too.

        Keys that share a word are told apart by the rest, which may be said of other things.
        """
        if _shared_word(self.order):
            return None
        having = [key for key in self.order if word in normalise(key).split()]
        return having[0] if len(having) == 1 else None

    def by_form(self, word: str) -> str | None:
        """The one key that has a word of which this is another form: "founding year" for "founded".

        Names have none: "Corrowdale" is not "Corrow".
        """
        having = [
            key
            for key in self.order
            if not key.istitle() and any(map(partial(_other_form, word), normalise(key).split()))
        ]
        return having[0] if len(having) == 1 else None


def _other_form(word: str, of: str) -> bool:
    return len(of) >= _LEAST_OF_FORM and begin_alike(of, word) and word not in inflections(of)


@lru_cache(maxsize=256)
def key_words(answer_key: AnswerKey) -> KeyWords:
    """How the set's keys are written. Every element has a key."""
    keys = tuple(element.key for element in answer_key.elements)
    shared = _shared_word(keys)
    shorter = {
        key: (*_shorter(key, shared, answer_key), *_by_one_word(key, keys, answer_key)) for key in keys
    }
    written = ways_to_write((Element(key, shorter[key]) for key in keys), right=True)
    told = told_in(answer_key)
    names = Names(written, told, translated=False)
    question = normalise(answer_key.question)
    asked = (mention.name for mention in find_mentions(question, names))
    words = {form for word in re.findall(r"\w+", question) for form in inflections(word)}
    return KeyWords(
        names=names,
        abroad=Names(written, told),
        foreign=_foreign(shared.word) if shared and shared.is_last else None,
        between=_LISTING | (words - _VERBS),
        order=tuple(dict.fromkeys((*asked, *keys))),
    )


def find_keys(text: str, words: KeyWords, values: int = 0) -> list[Mention]:
    """Where ``text`` names a key, in reading order; keys that it excepts ("not the willow gate") stay out.

    In another language ("Kupfertor") or script ("Корроу") keys are read where as many are recognised as there
    are keys, or values: of some alone, the values of the others would move on to them.

    A ``right`` mention is one of the set's keys. The others are keys that nobody asked for, by the words of
    the text ("plum gate"): what is given to one of them is not given to a key of the set.

    Args:
        text: normalised (see ``niah.judges.rubric.normalise``).
        words: from ``key_words``.
        values: how many different ones the text has; 0 where that is not known.
    """
    own = _own_keys_in(text, words, values)
    inside = {offset for key in own for offset in range(key.start, key.end)}
    keys = (*own, *(key for key in _foreign_keys(text, words) if key.end - 1 not in inside))
    found = sorted(keys, key=lambda mention: mention.start)
    return [key for key in found if not _NOT_KEY.search(text[max(0, key.start - _WINDOW) : key.start])]


def _own_keys_in(text: str, words: KeyWords, values: int) -> Sequence[Mention]:
    """The set's own keys, in another language or script too where enough are recognised."""
    own = find_mentions(text, words.names)
    named = len({key.name for key in own})
    if named == len(words.order):
        return own
    abroad = find_mentions(text, words.abroad)
    recognised = len({key.name for key in abroad})
    enough = min(len(words.order), values or len(words.order))
    return abroad if recognised > named and recognised >= enough else own


@dataclass(frozen=True)
class _SharedWord:
    """The word that all keys share: their last ("copper gate"), or their first ("cofre azul")."""

    word: str
    is_last: bool


def _shared_word(keys: Sequence[str]) -> _SharedWord | None:
    """None where they share none, or where that is all that one of them has."""
    words = [normalise(key).split() for key in keys]
    if len(words) < 2 or any(len(key) < 2 for key in words):
        return None
    for place in (-1, 0):
        if len({key[place] for key in words}) == 1:
            return _SharedWord(words[0][place], is_last=place == -1)
    return None


def _shorter(key: str, shared: _SharedWord | None, answer_key: AnswerKey) -> tuple[str, ...]:
    """The key without the shared word, unless the needle set uses that for something else ("copper roof")."""
    if shared is None:
        return ()
    word = re.escape(shared.word)
    if shared.is_last:
        short = normalise(key).removesuffix(shared.word).strip()
        alone = re.compile(rf"(?<!\w){re.escape(short)}(?!\w)(?!\s+{word})")
    else:
        short = normalise(key).removeprefix(shared.word).strip()
        alone = re.compile(rf"(?<!\w)(?<!{word}\s){re.escape(short)}(?!\w)")
    said = [answer_key.question, *(needle.text for needle in answer_key.needles)]
    said += [distractor.text for distractor in answer_key.distractors]
    return () if any(alone.search(text) for text in map(normalise, said)) else (short,)


def _by_one_word(key: str, keys: Sequence[str], answer_key: AnswerKey) -> tuple[str, ...]:
    """The noun of a key of several words: "Sledge" of "Hattie Sledge", "globo" of "globo de cristal".

    Not where another key, or a text of the needle set besides the key itself, has that word.
    """
    words = normalise(key).split()
    if not 2 <= len(words) <= _MOST_WORDS_OF_A_KEY or not all(map(str.isalpha, words)):
        return ()
    noun_first = not _NOUN_FIRST.isdisjoint(languages_of(normalise(answer_key.question)).known)
    noun = words[0] if noun_first and not key.istitle() else words[-1]
    others = (word for other in keys if other != key for word in normalise(other).split())
    said = normalise("\n".join(told_in(answer_key))).replace(" ".join(words), " ")
    told = {*re.findall(r"[^\W\d_]+", said), *others}
    return () if len(noun) < _LEAST_NOUN or noun in told else (noun,)


def _foreign(tail: str) -> re.Pattern[str]:
    opening = r"(?:^[ \t]*|\b(?:the|an?|of|for|and|or)[ \t]+|[,:;(\[{.][ \t]*)"
    return re.compile(rf"{opening}([^\W\d_][\w']*[ \t]+{re.escape(tail)})(?!\w)", re.MULTILINE)


def _foreign_keys(text: str, words: KeyWords) -> Iterator[Mention]:
    # The set's own keys stand in the question, so their words are among those between keys.
    for match in words.foreign.finditer(text) if words.foreign else ():
        first, last = match[1].split()
        if first not in words.between | _VERBS and not _NO_NAME.fullmatch(first):
            yield Mention(f"{first} {last}", False, *match.span(1))
