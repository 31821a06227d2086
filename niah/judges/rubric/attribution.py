"""Which wrong elements an answer leaves with their owner: "pearl dust is used at Lunaris Academy"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache, partial

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import foreign_cues
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK, without_mentions
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.owners.beside_refusal import Refusal
from niah.judges.rubric.owners.extras import extras
from niah.judges.rubric.owners.named_sources import sources_and_others
from niah.judges.rubric.owners.owner_words import (
    asked_apart,
    facts_apart,
    forms_asked,
    forms_of_common_words,
    owner_words,
    pairs_of_words,
    telling_words,
    words_and_kin,
    words_of_owners,
)
from niah.judges.rubric.owners.side_facts import PARTING, SideFacts
from niah.judges.rubric.owners.told_apart import is_value, shape, told_apart, told_as_an_owners, told_beside
from niah.text.writing import UNSPACED

# A mention alone in brackets belongs to what stands before them; "the miller (ferret): no".
_CLAUSE_END = lazy_pattern(
    r"[.!?;,()\[\]\u3002\n](?:(?<=[.!?;])(?=\s|\Z|[^\x00-\x7f])|(?<=[\[\]\u3002\n])"
    rf"|(?<=,)(?=[{UNSPACED}])|(?<=\()(?!\s*{MASK}+\s*\))|(?<=\))(?<!{MASK}\)))"
)
_CONTRASTS = ("but", "while", "whereas", "though", "however", "unlike", "compared", "contrast")
_CONTRAST = lazy_pattern(r"\b(?:but|while|whereas|although|though|however|unlike|compared|contrast)\b")
# "The town hall, by contrast, was restored in 1911" is one clause.
_INSERTED = lazy_pattern(
    r",\s(?:by\s+contrast|in\s+contrast|however|on\s+the\s+other\s+hand|meanwhile|for\s+(?:its|his|her|their)\s+part|in\s+turn"
    r"|incidentally|by\s+the\s+way|of\s+course|though),(?=\s)"
)
_COLON = re.compile(r":(?=\s)")
_SENTENCE_OVER = re.compile(r"[.!?\n\u3002]")
# A list's item is claimed by its place, whatever is noted beside it: "slow knife (taken in 1394)".
_ITEM_END = re.compile(r"[ \t]*(?:[(:\n]|\Z)")
_ALONE = re.compile(r"[ \t]*(?:[(:\n]|\Z|[ ]{3})")
_LINE_END = re.compile(r"\n+")
_NOTED = re.compile(r"[ ]{3}(?=\S)")  # a dash
_LINE_BEGINS = re.compile(r"(?:\A|\n)[^\w\n]*(?:the |an? )?\Z")
_CLAIMED = lazy_pattern(
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
_CONTRASTED = re.compile(r"\b(?:while|although|though|whereas)\b[^,.;:\n]*\Z")
_DENIED = re.compile(r"\b(?:not|never|no|nor|neither|nobody|nothing|only|just|merely)\b|n't\b")
_BOTH = 2
_REACH = 80


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
    if ", " in text:
        text = _INSERTED.sub(lambda said: " " * len(said[0]), text)
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
        and not (_ITEM_END.match(text, mention.end) and (key.elements or not _is_labelled(text, mention)))
        and not (of_one_kind and _is_listed(text, mention, mentions))
        and _tells(
            _with_what_follows(text, bounds, clause, said_of_it=not key.elements),
            tellings[mention.name],
            languages_of_key(key),
        )
    }
    if not key.elements:
        return _beside_refusal(text, wrong, elsewhere, key)
    if not right:
        return elsewhere
    question, asked = _question_and_words(key)
    elsewhere.update(sources_and_others(text, mentions, question, asked))
    if len(key.elements) == 1:
        words = partial(owner_words, languages=languages_of_key(key))
        elsewhere |= extras(text, mentions, tellings, words, question)
    return elsewhere | _in_side_facts(text, mentions, bounds, right - counted, key)


@lru_cache(maxsize=256)
def _question_and_words(key: AnswerKey) -> tuple[str, frozenset[str]]:
    """The question, normalised, and its words, in all their forms."""
    return normalise(key.question), forms_asked(key) - forms_of_common_words(
        languages_of_key(key), plain=True
    )


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
    languages, facts = languages_of_key(key), facts_apart(key)
    plain = forms_of_common_words(languages, plain=False)
    refusal = Refusal(
        text, forms_asked(key) - plain, plain, lambda part: frozenset(owner_words(part, languages))
    )
    return {
        mention
        for mention in wrong
        if (mention in elsewhere and not refusal.claims(mention, facts[mention.name]))
        or (mention not in elsewhere and refusal.is_denied_with_all(mention))
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
    if len(key.elements) == 1 and all(mention.right for mention in mentions):
        return told_as_an_owners(text, mentions, facts_apart(key), lambda part: words_and_kin(part, key))
    if len({mention.right for mention in mentions}) < _BOTH or _are_of_one_kind(key):
        return frozenset()
    mentions = [m for m in mentions if m not in out or _is_contrasted(text, m)]
    if not key.needles and not key.distractors and len(key.elements) == 1:
        return told_beside(text, mentions, asked_apart(key), lambda part: telling_words(part, key))
    return told_apart(
        text,
        mentions,
        facts_apart(key),
        lambda part: words_and_kin(part, key),
        kind=_kind(key),
    )


@lru_cache(maxsize=256)
def _kind(key: AnswerKey) -> Callable[[Mention], str] | None:
    """Tells the kinds of things apart where the question asks for one of each, with or without keys."""
    if len(key.elements) == 1:
        return lambda _: ""
    if not any(element.key for element in key.elements):
        return lambda mention: "value" if is_value(mention) else ""
    shapes = {shape(Mention(element.name, True, 0, 0)) for element in key.elements}
    return shape if len(shapes) == len(key.elements) else None


def _is_contrasted(text: str, mention: Mention) -> bool:
    if mention.right:
        return False
    contrast = _CONTRASTED.search(text[max(0, mention.start - _REACH) : mention.start])
    return contrast is not None and not _DENIED.search(contrast[0])


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
        partial(owner_words, languages=languages),
        forms_asked(key) - forms_of_common_words(languages, plain=False),
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
    """Whether several things of one kind are asked for: not one, none for each key, no date and name."""
    if len({element.key for element in key.elements}) == len(key.elements):
        return False
    numbers = [any(map(str.isdigit, element.name)) for element in key.elements]
    return len(numbers) != _BOTH or numbers[0] == numbers[1]


def _counted(text: str, bounds: Sequence[int], key: AnswerKey) -> Iterator[int]:
    """The clauses that count a name among what was asked for: "the third judge was X"."""
    asked = forms_asked(key)
    if not any(map(text.__contains__, _ORDINALS)):
        return
    for match in _COUNTED.finditer(text):
        if (match["before"] or match["behind"]) in asked:
            yield bisect_right(bounds, match.end() - 1)


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


_THAT_IS = re.compile(
    r"\s*(?:(?:actually|no|wait|sorry|but|oh|though)\b,?\s*){0,3}(?:that|this|it)(?:'s|\s+(?:is|was))\b"
)


def _is_labelled(text: str, mention: Mention) -> bool:
    """Whether words and a colon lead from a line's beginning to a mention: "the town hall: 340 euros"."""
    line = text[text.rfind("\n", 0, mention.start) + 1 : mention.start]
    return _LABEL.fullmatch(line) is not None


_LABEL = re.compile(rf"\W*\w[^:{MASK}]*:\s*")


def _with_what_follows(text: str, bounds: Sequence[int], clause: int, *, said_of_it: bool) -> str:
    """A clause, with the one behind it if that names nothing: "a crow, but it is the miller's".

    ``said_of_it``: also if it is a sentence of its own: "A crow. Actually, that is the miller's".
    """
    start, end = bounds[clause - 1 : clause + 1]
    if clause + 1 < len(bounds) and (
        not _SENTENCE_OVER.search(text, max(0, end - 2), end) or (said_of_it and _THAT_IS.match(text, end))
    ):
        following = PARTING.split(text[end : bounds[clause + 1]], maxsplit=1)[0]
        if MASK not in following:
            return text[start:end] + following
    return text[start:end]


def _tells(clause: str, words: frozenset[str], languages: Sequence[Language]) -> bool:
    if words.isdisjoint(owner_words(clause, languages)) and words.isdisjoint(pairs_of_words(clause)):
        return False
    return _CLAIMED.search(clause) is None
