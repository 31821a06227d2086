"""Items of an answer's lists that are nothing in the needle set: the reader made them up.

Only what cannot well be anything else counts. The list must be an answer to the question: it names an
element, or nothing in the answer does. The item must be a name of a few plain words, no pronoun, verb of
speech or the like among them. It may not consist of words that the question or a needle uses, nor be another
way to write an element that is missing: share a word with it, or differ from it by a slip of the pen.
Sets of one element, of codes (see ``codes``), with keys or without elements have no such lists.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from niah.cases.sample import AnswerKey
from niah.judges.rubric.answer_lists import (
    AnswerList,
    ListItem,
    lists_in_lines,
    lists_in_sentences,
    marked_lines,
    only_list,
)
from niah.judges.rubric.eastern_items import eastern_items, eastern_name
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.languages.detect import languages_of, reads_as_english
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK, mask_mentions
from niah.judges.rubric.normalise import normalise, spaced, tidy
from niah.judges.rubric.translated.dictionary import DICTIONARY_LANGUAGES, thing_words
from niah.needles.needle_set import Element

# With more than that the agreement is below any threshold.
_MOST = 100
_MOST_WORDS = 4
_SEVERAL = 2
"""So many names that are nearly those of missing elements are other names: one may be put in other words."""
_ALIKE = 0.8

_NAME = lazy_pattern(
    r"(?:(?:the|an?|some|der|die|das|den|eine?n?|les?|la|un|une|el|los|las|una|uno|il|lo|gli"
    r"|um|uma|os?|as)[ ]|[lL]')?"
    r"([a-zà-žßа-я]+(?:['-][a-zà-žßа-я]+)*(?:[ ][a-zà-žßа-я]+(?:['-][a-zà-žßа-я]+)*)*)"
)
# "Thickly sliced" tells of the item before it.
_PARTICIPLE = re.compile(
    r"\b(?!friendly|love|live|lone|elder|early|daily|weekly|month|family|holy|silly|ugly|jolly|kindly|stately|cost|dead)\w+ly\b"
    r"|\w{3}ed\Z"
)
_EMOJI = r"[\U0001f300-\U0001f5ff\U0001f900-\U0001faff]+"
_ORNAMENT = re.compile(rf"\A{_EMOJI}\s*|\s*{_EMOJI}\Z")
_WORD = re.compile(r"[^\W_]+")
_JOINERS = frozenset(("of", "the", "a", "an", "and", "with"))
# No name of a thing has these.
_NOT_A_NAME = frozenset(
    re.findall(
        r"\w+",
        """
        i we you he she it they me us him them my our your his her its their this that these those
        who whom which what where when why how whether if because since so then there here also too
        etc more less other others another any all both each every none nothing nobody everything
        anything something someone is are was were be been being has have had do does did done can
        could may might must shall should will would not no never nor or but as by for from in into
        on onto at to after before during about above below over under until says said say states
        stated according mentioned mentions listed named given gives makes make used uses namely
        finally lastly firstly secondly first second third next last final well sure okay ok yes
        yeah obviously certainly indeed however therefore thus overall together respectively please
        thanks hope answer answers question context text passage passages paragraph document
        documents source sources note notes summary conclusion introduction explanation reasoning
        reason details example step steps result list item items element elements ingredient
        ingredients component components unknown unclear possibly perhaps maybe probably likely only
        just even still sometimes very really quite fresh rich creamy tasty enough most many several few one
        two three four five six seven eight nine ten fifteen true false null none confidence serve
        slice add find read look see let know key keys name names value values
        total count important essential required require requires special unique
        nicht auch noch weitere weiteren andere anderen alle beide sonst weiter usw laut gemäß wie dies diese
        sie er wird wurde wurden sind ist war waren hat haben werden sich dann danach zuletzt zuerst
        autres autre tous toutes ainsi suite selon est sont était étaient ont qui que dont ne pas elle ils
        elles puis ensuite enfin después luego finalmente depois enfim poi infine затем потом наконец сначала
        otros otras otro otra todos todas demás así según es son era fueron
        outros outras outro todos assim segundo é são foi foram não ela ele
        altri altre altro tutti così via eccetera secondo è sono che non lei lui loro era erano
        dit texte dice texto diz testo steht сказано тексте
        другие прочие остальные все так далее т д это они он она не что которые согласно были был была
        """,
    )
)
_GRADES = frozenset(("high", "low", "medium"))
"""By themselves they grade an answer: "Confidence: high"."""
# "Und zwar auf dem Dachboden" is no item.
_NO_ITEM = re.compile(
    r"(?:zwar|nämlich|jeweils|auf|im|am|aus|bei|beim|mit|von|vom|zum|zur|für|ohne|dans|sur|avec|chez|sans"
    r"|c'est|sobre|dentro|desde|sem|nel|nella|dal|dalla|sul|sulla|cioè|ossia|ovvero)\b"
)
_FEWEST_LINES = 2
# An answer in another language translates names, which cannot be told from inventions.
_FOREIGN = re.compile(
    r"\b(?:le|la|les|des|du|et|une|sont|der|das|und|ist|sind|ein|eine|los|las|el|una|con|il|gli|della|sono"
    r"|och|het|een|zijn|są|oraz|är|são|uma)\b"
)


def hallucinated_items(
    answer: str, text: str, key: AnswerKey, found: Collection[str], *, named: bool
) -> frozenset[str]:
    """Names that the answer lists and the needle set knows nothing of, as the answer spells them, tidied.

    Args:
        answer: without reasoning, otherwise as the reader gave it: bullets count.
        text: the same, tidied and masked.
        key: what was asked.
        found: names of the elements that the answer holds.
        named: whether it names anything, right or wrong.
    """
    if not _lists_are_asked_for(key):
        return frozenset()
    if len(found) == len(key.elements):
        text = _without_reasons(text, len(key.elements))
    names: dict[str, None] = {}
    for answer_list in _lists(answer, text, key):
        if any(item.known for item in answer_list.items) or (answer_list.marked and not named):
            names |= dict.fromkeys(_hallucinated(answer_list, key))
            if len(names) > _MOST:
                break
    missing = [element for element in key.elements if element.name not in found]
    beside = _beside_one(text, key)
    if not any(_may_be(name, element) for name in beside for element in missing):
        names |= dict.fromkeys(beside)
    names |= dict.fromkeys(item for item in eastern_items(text) if item not in _told(key))
    if not names or (len(_FOREIGN.findall(text)) > 1 and not _in_its_own_language(text, key)):
        return frozenset()
    names = dict.fromkeys(_of_another_thing(list(names), missing, text, key))
    alike = {name: [e for e in missing if _may_be(name, e)] for name in list(names)[:_MOST]}
    slips = [name for name, elements in alike.items() if elements and _has_own_word(name, elements)]
    if len(slips) < _SEVERAL or languages_of(text).known[1:] or languages_of(_told(key)).known[1:]:
        slips = []
    return frozenset((*(name for name, elements in alike.items() if not elements), *slips))


def _has_own_word(name: str, elements: Collection[Element]) -> bool:
    """Whether a name has a word that is no form of one of the elements' words: "silver thistle"."""
    own = {
        form for e in elements for said in e.names for w in normalise(said).split() for form in inflections(w)
    }
    return any(not any(w.startswith(o) or o.startswith(w) for o in own) for w in _WORD.findall(name))


def _of_another_thing(
    names: list[str], missing: Sequence[Element], text: str, key: AnswerKey
) -> Sequence[str]:
    """Names that an answer may not just translate: all of them where it is in the needle set's language.

    In another language those of which all words are known to name things, if those of what is missing are;
    all of them where nothing is missing.
    """
    own = languages_of(_told(key)).main or languages_of(_told(key)).known[1:] or ("en",)
    said = languages_of(text).main or languages_of(text).known[1:]
    said = ("en",) if reads_as_english(text) and not said else said
    if not said or not set(said).isdisjoint(own) or set(said).isdisjoint(DICTIONARY_LANGUAGES):
        return names
    known = thing_words(own[0]).knows
    if (
        not missing
    ):  # there is nothing else to translate than what stands in brackets: "presunto (prosciutto)"
        return [name for name in names if not re.search(rf"{re.escape(name)}\s*\(\s*{MASK}", text)]
    if not all(known(normalise(element.name).split()) for element in missing):
        return ()
    return [name for name in names if any(thing_words(one).knows(_WORD.findall(name)) for one in said)]


_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]+)*")
_BECAUSE = lazy_pattern(
    r"\b(?:because|since|as\s+(?:it|they|these|this)|weil|denn|da\s+(?:sie|es|er)|parce\s+qu\w*|puisqu\w*|porque|ya\s+que|perché|poiché"
    r"|потому\s+что|так\s+как)\b"
)
_MASKED = re.compile(f"{MASK}+")


def _without_reasons(text: str, asked: int) -> str:
    """A masked text without the sentences that say why, if as many names as were asked for are elsewhere."""
    for sentence in _SENTENCE.finditer(text) if _BECAUSE.search(text) else ():
        others = len(_MASKED.findall(text)) - len(_MASKED.findall(sentence[0]))
        if others >= asked and _BECAUSE.search(sentence[0]):
            text = text[: sentence.start()] + " " * len(sentence[0]) + text[sentence.end() :]
    return text


def _lists(answer: str, text: str, key: AnswerKey) -> Iterator[AnswerList]:
    yield from lists_in_sentences(text)
    if len(answer.splitlines()) < _FEWEST_LINES:
        return
    lines, shapes = marked_lines(answer)
    if _all_bullets_name(text, shapes):
        return
    # Two bare lines are no list.
    if len(shapes) > 2 or (len(shapes) > 1 and any(marked for _, marked in shapes)):
        tidied = tidy(lines)
        yield from lists_in_lines(mask_mentions(tidied, find_mentions(spaced(tidied), names_of(key))), shapes)


def _all_bullets_name(text: str, shapes: Sequence[tuple[int, bool]]) -> bool:
    """Whether each line with a bullet names an element, so that none of a list's items is unknown."""
    lines = [line for line in text.split("\n") if line and not line.isspace()]
    if len(lines) != len(shapes):
        return False
    bullets = [MASK in line for line, (_, marked) in zip(lines, shapes, strict=True) if marked]
    return bool(bullets) and all(bullets)


def _hallucinated(answer_list: AnswerList, key: AnswerKey) -> list[str]:
    """The list's unknown items; none if one of them is no name, unless bullets part the items."""
    unknown = [item for item in answer_list.items if not item.known]
    if not unknown:
        return []
    names = [name for item in unknown if (name := _name(item, key))]
    if answer_list.marked and any(item.known for item in answer_list.items):
        return names
    bare = all(_is_name(item) for item in unknown)
    known = len(answer_list.items) - len(unknown)
    return names if bare and (known > 1 or answer_list.marked) else []


def _beside_one(text: str, key: AnswerKey) -> list[str]:
    """The unknown items of an answer that is one list, as long as was asked for, with one known item.

    The first item may have a lead-in: "a perfect pizza needs tomatoes, basil and figs".
    """
    items = [ListItem(item.strip(), MASK in item) for item in only_list(text)]
    if len(items) < _LEAST_ITEMS or len(items) != len(key.elements) or sum(i.known for i in items) != 1:
        return []
    first, unknown = items[0], [item for item in items if not item.known]
    if any(item.known and not _ALONE.fullmatch(item.text) for item in items[1:]):
        return []
    words = _WORD.findall(first.text)
    if not (first.known or (_vocabulary(key).isdisjoint(words) and _PRONOUNS.isdisjoint(words))):
        unknown = unknown[1:]  # with a lead-in, nobody can tell where the item begins
    return [name for item in unknown if (name := _name(item, key))] if all(map(_is_name, unknown)) else []


_LEAST_ITEMS = 3
_ALONE = lazy_pattern(rf"(?:(?:the|an?|some)\s+)?{MASK}+(?:s|'s)?")
_PRONOUNS = frozenset(("it", "he", "she", "they"))


# "A squeeze of", "un peu de": how much of a thing; and "aus dem Jahr 1790", "to thicken it" behind it.
_MEASURE = lazy_pattern(
    r"\A(?:and\s+|und\s+|et\s+|[ye]\s+|и\s+)?(?:(?:an?|some|one|eine?n?|une?|una|uma?|uno)\s+)?"
    r"(?:(?:squeeze|dash|bit|pinch|splash|handful|touch|drop|little|pair|set|bottle|cup|spoonful|slice|piece)s?\s+of"
    r"|(?:prise|schuss|bisschen|wenig|etwas|handvoll)|peu\s+d(?:e\s+|')|pincée\s+d(?:e\s+|')|filet\s+d(?:e\s+|')|poco\s+d[ei]"
    r"|po'\s+di|pizzico\s+di|pizca\s+de|chorrito\s+de|puñado\s+de|pouco\s+de|pitada\s+de|fio\s+de|щепотк\w|немного)\s*"
    r"(?:(?:fresh|freshly\s+\w+|finely\s+\w+)\s+)?"
)
_BEHIND = re.compile(
    r"\s+(?:from|for|with|to|in|at|on|dating|aus|für|zum|zur|mit|vom|im|pour|avec|dans|para|con|com|em|no|na|per|nel|nella|для|с|из|в|на)\s.*"
)


def _is_name(item: ListItem) -> bool:
    match = _bare(item)
    words = match[1].split(" ") if match else []
    return (
        0 < len(words) <= _MOST_WORDS
        and _NOT_A_NAME.isdisjoint(words)
        and not _GRADES.issuperset(words)
        and not _PARTICIPLE.search(item.text)
        and not _NO_ITEM.match(item.text.strip())
    )


def _bare(item: ListItem) -> re.Match[str] | None:
    bare = _ORNAMENT.sub("", item.text.strip())
    if MASK in bare:
        return None
    whole = _NAME.fullmatch(bare)
    if whole and _NOT_A_NAME.isdisjoint(whole[1].split(" ")):
        return whole
    return _NAME.fullmatch(_BEHIND.sub("", _MEASURE.sub("", bare))) or whole


def _name(item: ListItem, key: AnswerKey) -> str:
    """The item if it is a name of something new, else ""."""
    if eastern := eastern_name(item.text.strip()):
        return "" if eastern in _told(key) else eastern
    match = _bare(item)
    if not match or not _is_name(item) or len(match[1]) < 3:
        return ""
    words = set(_WORD.findall(match[1])) - _JOINERS
    return "" if words <= _vocabulary(key) else match[1]


def _may_be(name: str, element: Element) -> bool:
    """Whether the name may be another way to write the element."""
    words = _WORD.findall(name)
    return any(
        any(begin_alike(word, other) for word in words for other in _WORD.findall(written))
        or _misspelt(name, written)
        or any(not one.isascii() and one in written for one in map("".join, pairwise(name)))
        for written in map(normalise, element.names)
    )


def _misspelt(name: str, written: str) -> bool:
    matcher = SequenceMatcher(None, name, written)
    return (
        matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE
    )


def _in_its_own_language(text: str, key: AnswerKey) -> bool:
    """Whether the answer's main language is the needle set's."""
    written = languages_of(text)
    main = written.main or written.known[1:2]
    return not set(languages_of(_told(key)).known[1:]).isdisjoint(main)


@lru_cache(maxsize=256)
def _told(key: AnswerKey) -> str:
    return normalise("\n".join((key.question, *(needle.text for needle in key.needles))))


@lru_cache(maxsize=256)
def _lists_are_asked_for(key: AnswerKey) -> bool:
    elements = key.elements
    coded = sum(any(map(str.isdigit, element.name)) for element in elements) * 2 > len(elements)
    return len(elements) > 1 and not coded and not any(element.key for element in elements)


@lru_cache(maxsize=256)
def _vocabulary(key: AnswerKey) -> frozenset[str]:
    """Every word of the question, the answer, the needles and the aliases, in singular and plural."""
    said = [key.question, *key.references, *(needle.text for needle in key.needles)]
    said += [name for element in key.elements for name in element.names]
    words = {word for text in said for word in _WORD.findall(normalise(text))}
    return frozenset(form for word in words for form in inflections(word))
