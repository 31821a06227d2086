"""Which wrong elements an answer leaves with their owner: "pearl dust is used at Lunaris Academy"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.beside_refusal import Refusal
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.named_sources import named_sources, referred_elsewhere, rejected
from niah.judges.rubric.elements.side_facts import PARTING, SideFacts
from niah.judges.rubric.elements.told_apart import Facts, told_apart
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.languages.cues import foreign_cues
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK, without_mentions
from niah.judges.rubric.normalise import normalise
from niah.text.sentences import split_sentences
from niah.text.writing import HANGUL, UNSPACED

_EASTERN = f"{UNSPACED}{HANGUL}"
# Vowel signs of Devanagari are no letters, and parts of its words.
_WORD = lazy_pattern(rf"(?:[^\W_{_EASTERN}]|(?<=[\u0900-\u097f])[\u0900-\u0903\u093a-\u094f\u0962\u0963])+")
_SIGNS = lazy_pattern(f"[{_EASTERN}]+")
# A mention alone in brackets belongs to what stands before them; "the miller (ferret): no".
_CLAUSE_END = lazy_pattern(
    r"[.!?;,()\[\]\u3002\n](?:(?<=[.!?;])(?=\s|\Z|[^\x00-\x7f])|(?<=[\[\]\u3002\n])"
    rf"|(?<=,)(?=[{UNSPACED}])|(?<=\()(?!\s*{MASK}+\s*\))|(?<=\))(?<!{MASK}\)))"
)
_CONTRASTS = ("but", "while", "whereas", "though", "however", "unlike", "compared", "contrast")
_CONTRAST = lazy_pattern(r"\b(?:but|while|whereas|although|though|however|unlike|compared|contrast)\b")
_COLON = re.compile(r":(?=\s)")
_SENTENCE_OVER = re.compile(r"[.!?\n\u3002]")
# A list's item is claimed by its place, whatever is noted beside it: "slow knife (taken in 1394)".
_ITEM_END = re.compile(r"[ \t]*(?:[(:\n]|\Z)")
_ALONE = re.compile(r"[ \t]*(?:[(:\n]|\Z|[ ]{3})")
_LINE_END = re.compile(r"\n+")
_NOTED = re.compile(r"[ ]{3}(?=\S)")  # a dash
_LINE_BEGINS = re.compile(r"(?:\A|\n)[^\w\n]*(?:the |an? )?\Z")
_CLAIMED = re.compile(
    r"\b(?:also(?!\s+(?:looked|considered|checked|noticed|came\s+across)\b)|too|plus|finally|likewise|as\s+well|includ\w+|besides|moreover"
    r"|the\s+(?:answer|date|name|number|code|one|value)\s+(?:\w+\s+){0,5}?(?:must|has\s+to)\s+be)\b"
)
# "The third judge was X, who lost the time at lunch": who counts what was asked for claims each of them.
_ORDINALS = (
    *("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("last", "final", "remaining", "other"),
)
_NTH = f"(?:{'|'.join(_ORDINALS)})"
_COUNTED = lazy_pattern(
    rf"\b{_NTH}\s+(?:and\s+{_NTH}\s+)?(?:(?:one\s+)?of\s+the\s+)?(?P<before>\w+)(?:\s+of\s+them)?,?"
    rf"\s+(?:is|was|being)\s+(?:the\s+)?{MASK}"
    rf"|{MASK}\s+(?:is|was|being|as)\s+the\s+{_NTH}\s+(?:and\s+{_NTH}\s+)?(?:of\s+the\s+)?(?P<behind>\w+)"
)
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
_CONTRASTED = re.compile(r"\b(?:while|although|though|whereas)\b[^,.;:\n]*\Z")
_DENIED = re.compile(r"\b(?:not|never|no|nor|neither|nobody|nothing|only|just|merely)\b|n't\b")
_BOTH = 2
_PARTICLE = 2
"""Letters of a word that tells nothing."""
_LEAST_STEM = 4
"""Letters above which a word has a stem that may tell."""
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


def attributed_elsewhere(text: str, mentions: Sequence[Mention], key: AnswerKey) -> set[Mention]:
    """Wrong mentions in a clause that also says whose they are, and names no right element.

    Whose they are is told by a word of the distractor that neither the question nor a needle uses: "Lunaris",
    "1879", "calzone".

    Args:
        text: masked, hyphens as spaces (see ``niah.judges.rubric.negation.mask_mentions``).
        mentions: every mention in it, in reading order.
        key: what was asked.
    """
    tellings = words_of_owners(key)
    wrong = [mention for mention in mentions if mention.name in tellings and not mention.right]
    if not wrong:
        return set()
    cuts = {match.end() for match in _CLAUSE_END.finditer(text)}
    if any(map(text.__contains__, _CONTRASTS)):
        cuts |= {match.end() for match in _CONTRAST.finditer(text)}
    foreign = foreign_cues(without_mentions(text), languages_of_key(key))
    cuts |= {match.start() for match in foreign.contrast.finditer(text)} if foreign else set()
    bounds = [0, *_parted_at_colons(text, sorted(cuts)), len(text) + 1]
    right = {bisect_right(bounds, mention.start) for mention in mentions if mention.right}
    counted = set(_counted(text, bounds, key)) if right else set()
    of_one_kind = _are_of_one_kind(key)
    elsewhere = {
        mention
        for mention in wrong
        if (clause := bisect_right(bounds, mention.start)) not in right | counted
        and not _ITEM_END.match(text, mention.end)
        and not (of_one_kind and _is_listed(text, mention, mentions))
        and _tells(_with_what_follows(text, bounds, clause), tellings[mention.name], languages_of_key(key))
    }
    if not key.elements:
        return _beside_refusal(text, wrong, elsewhere, key)
    if not right:
        return elsewhere
    asked = _asked_forms(key) - _forms_of_common_words(languages_of_key(key), plain=True)
    question = normalise(key.question)
    elsewhere |= {
        *named_sources(text, mentions, question),
        *rejected(text, mentions, question),
        *referred_elsewhere(text, wrong, asked),
    }
    return elsewhere | _in_side_facts(text, mentions, bounds, right - counted, key)


def _is_listed(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a mention begins a line and is followed by a dash, beside a line with a right one."""
    if not _NOTED.match(text, mention.end) or not _LINE_BEGINS.search(text, 0, mention.start):
        return False
    lines = [*(match.start() for match in _LINE_END.finditer(text)), len(text)]
    own = bisect_right(lines, mention.start)
    beside = [other for other in mentions if abs(bisect_right(lines, other.start) - own) == 1]
    return any(
        other.right and _LINE_BEGINS.search(text, 0, other.start) and _ALONE.match(text, other.end)
        for other in beside
    )


def _beside_refusal(
    text: str, wrong: Sequence[Mention], elsewhere: Collection[Mention], key: AnswerKey
) -> set[Mention]:
    """Of an answer that refuses, the wrong mentions that it does not claim."""
    languages, facts = languages_of_key(key), _facts(key)
    plain = _forms_of_common_words(languages, plain=False)
    refusal = Refusal(
        text, _asked_forms(key) - plain, plain, lambda part: frozenset(_owner_words(part, languages))
    )
    return {
        mention
        for mention in wrong
        if (mention in elsewhere and not refusal.guesses(mention, facts[mention.name]))
        or (mention not in elsewhere and refusal.is_told_instead(mention, facts[mention.name], elsewhere))
    }


def told_of_another(
    text: str, mentions: Sequence[Mention], out: Collection[Mention], key: AnswerKey
) -> frozenset[Mention]:
    """The mentions that an answer tells as another thing's, where it also tells what was asked for.

    Args:
        text: masked, hyphens as spaces.
        mentions: every mention in it, in reading order.
        out: those that are ruled out; a mere "whereas" before it may still claim one.
        key: what was asked.
    """
    if len({mention.right for mention in mentions}) < _BOTH or _are_of_one_kind(key):
        return frozenset()
    mentions = [m for m in mentions if m not in out or _is_contrasted(text, m)]
    languages, facts = languages_of_key(key), _facts(key)
    return told_apart(
        text,
        mentions,
        lambda name: facts.get(name, Facts(frozenset(), frozenset())),
        lambda part: frozenset(_owner_words(part, languages)),
        one_thing=len(key.elements) == 1,
    )


def _is_contrasted(text: str, mention: Mention) -> bool:
    if mention.right:
        return False
    contrast = _CONTRASTED.search(text[max(0, mention.start - _SHORT) : mention.start])
    return contrast is not None and not _DENIED.search(contrast[0])


@lru_cache(maxsize=256)
def _facts(key: AnswerKey) -> dict[str, Facts]:
    """Of each wrong element, the words that tell its fact from the one that was asked for."""
    languages = languages_of_key(key)
    plain = _forms_of_common_words(languages, plain=True)
    own = _forms((key.question, *key.references, *(needle.text for needle in key.needles)), languages)
    asked = _forms((key.question, *key.references), languages) - plain
    asked -= _forms([name for element in key.elements for name in element.names], languages)
    told: dict[str, set[str]] = {}
    for distractor in key.distractors:
        for element in distractor.elements:
            told.setdefault(element.name, set()).update(_forms((distractor.text,), languages))
    return {name: Facts(frozenset(words - own - plain), asked - words) for name, words in told.items()}


def _forms(texts: Iterable[str], languages: Sequence[Language]) -> frozenset[str]:
    return frozenset(
        form
        for text in texts
        for word in _words(text, languages)
        if len(word) > _PARTICLE or not word.isascii()
        for form in inflections(word)
    )


def _in_side_facts(
    text: str, mentions: Sequence[Mention], bounds: Sequence[int], right: set[int], key: AnswerKey
) -> set[Mention]:
    """Wrong mentions in a clause that names a right element, but in a fact about something else."""
    if _are_of_one_kind(key):  # "and finished with grated nutmeg" goes on with the list
        return set()
    tellings, languages = words_of_owners(key), languages_of_key(key)
    sides = SideFacts(
        text,
        mentions,
        partial(_owner_words, languages=languages),
        _asked_forms(key) - _forms_of_common_words(languages, plain=False),
    )
    return {
        mention
        for mention in mentions
        if not mention.right
        and mention.name in tellings
        and (clause := bisect_right(bounds, mention.start)) in right
        and sides.holds(mention, (bounds[clause - 1], bounds[clause] - 1), tellings[mention.name])
    }


def _are_of_one_kind(key: AnswerKey) -> bool:
    """Whether several things of one kind are asked for: not one, nor one for each key."""
    keys = {element.key for element in key.elements}
    return len(keys) < len(key.elements)


def _counted(text: str, bounds: Sequence[int], key: AnswerKey) -> Iterator[int]:
    """The clauses that count a name among what was asked for: "the third judge was X"."""
    asked = _asked_forms(key)
    if not any(map(text.__contains__, _ORDINALS)):
        return
    for match in _COUNTED.finditer(text):
        if (match["before"] or match["behind"]) in asked:
            yield bisect_right(bounds, match.end() - 1)


@lru_cache(maxsize=256)
def _asked_forms(key: AnswerKey) -> frozenset[str]:
    """The words of the question, in singular and plural."""
    return frozenset(form for word in _WORD.findall(normalise(key.question)) for form in inflections(word))


def _parted_at_colons(text: str, cuts: Sequence[int]) -> Iterator[int]:
    """The cuts, and one at each colon that has a mention before it in its clause: "X is the miller's: Y"."""
    if ":" not in text:
        yield from (cut for cut in cuts if cut < len(text))
        return
    start = 0
    for cut in (*cuts, len(text)):
        for colon in _COLON.finditer(text, start, cut):
            if MASK in text[start : colon.start()]:
                start = colon.end()
                yield start
        start = cut
        if cut < len(text):
            yield cut


def _with_what_follows(text: str, bounds: Sequence[int], clause: int) -> str:
    """A clause, with the one behind it if that names nothing: "a crow, but it is the miller's"."""
    start, end = bounds[clause - 1 : clause + 1]
    if clause + 1 < len(bounds) and not _SENTENCE_OVER.search(text, max(0, end - 2), end):
        following = PARTING.split(text[end : bounds[clause + 1]], maxsplit=1)[0]
        if MASK not in following:
            return text[start:end] + following
    return text[start:end]


def _tells(clause: str, words: frozenset[str], languages: Sequence[Language]) -> bool:
    if words.isdisjoint(_owner_words(clause, languages)) and words.isdisjoint(_pairs(clause)):
        return False
    return _CLAIMED.search(clause) is None


def _pairs(text: str) -> Iterator[str]:
    """Each two words of a text that stand side by side: "day train"."""
    return map(" ".join, pairwise(_WORD.findall(text)))


def _owner_words(text: str, languages: Sequence[Language]) -> Iterator[str]:
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
    shared |= _forms_of_common_words(languages, plain=not key.elements)
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
            plain = _forms_of_common_words(languages, plain=True) | {
                form for text in ours for form in _words(text, languages)
            }
            words = frozenset(
                pair
                for pair in _pairs(normalise(distractor.text))
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
def _forms_of_common_words(languages: tuple[Language, ...], *, plain: bool) -> frozenset[str]:
    """The forms of what tells of no owner; with ``plain``, of mere particles."""
    common = " ".join(_PARTICLES if plain else _COMMON)
    return frozenset(form for word in _words(common, languages) for form in inflections(word))


def _words(text: str, languages: Sequence[Language]) -> set[str]:
    return set(_owner_words(normalise(text), languages))
