"""Wrong elements beside a refusal: told of something else ("only of the building (1931)"), or guessed.

A sentence that lists what the text has instead, in words that the question has not, claims nothing of what
was asked. A guess does, even if its end says where it is from: "it was most likely closed in 1988, the same
year as the aquarium".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.owners.side_facts import GENERIC
from niah.judges.rubric.owners.told_apart import Facts
from niah.judges.rubric.reading.spans import SENTENCE_END, sentence_around

GUESS = lazy_pattern(
    r"\b(?:(?:most\s+|very\s+|quite\s+)?(?:likely|probably)|presumably|perhaps|maybe|possibly|supposedly|guess(?:ing)?|must\s+have|suppose"
    r"|assume|suspect|bet|i(?:'d|\s+would)\s+say|i\s+think|i\s+believe|conceivably|in\s+all\s+(?:likelihood|probability))\b"
)
# "The roof alone cost 340 euros", "at least 55 of it": a part of what was asked for.
_PART_OF_IT = lazy_pattern(
    r"\balone\b|\bat\s+(?:least|minimum)\b|\bof\s+(?:it|this|that|the\s+(?:total|sum))\b"
)
# "None of the amounts in the text (...) refers to it"; and "none of these is the cost of it" behind them.
_NONE_OF = lazy_pattern(
    r"\W*(?:(?:but|however|and|yet|still|again)\b,?\s*)?none\s+of\b(?![^.;\n]*\b(?:wrong|false|incorrect)\b)"
)
_NONE_OF_THESE = lazy_pattern(
    r"(?:\A|[.!?;\n])\W*(?:(?:but|however|and|yet|still|again)\b,?\s*)?none\s+of\s+(?:these|those|them|which|the\s+above)"
    r"(?:\s+(?:figures?|amounts?|sums?|numbers?|values?|dates?|years?|names?|people|persons|prices?|costs?|facts|ones|times))?\s+"
    r"(?:(?:is|are|was|were)\s+(?!\w*\s?(?:certain|sure|confirmed|clear|wrong|false|excluded|ruled)\b)|(?:refer|relate|belong|appl|concern|answer"
    r"|tell|give|state|match|correspond)\w*\s)"
)
_NOT_GUESSED = re.compile(r"(?:\b(?:not|never|cannot)|n't)\s+(?:\w+\s+)?\Z")
_CLAUSE_BEGIN = lazy_pattern(r"[,:(]\s|\b(?:but|while|whereas|though|although|however)\b")
_PRONOUN = lazy_pattern(r"\b(?:it|he|she|they|this|that)\b")
# "It does mention other dates", "the only years given are", "we hear only of".
_LISTS = lazy_pattern(
    r"\b(?:mention(?:s|ed)?|hear|reads?|finds?|found|given|gives?|named?|names|listed|lists|appear(?:s|ing)?|occur(?:s|ring)?"
    r"|refers?|speaks?|tells?|told|provides?|provided|stated|available|known)\b(?!\s+(?:that|how|when|it|he|she)\b)"
)
_OTHERS = lazy_pattern(
    r"\b(?:other|unrelated)\s+(?:\w+\s+)?(?:dates?|years?|times?|numbers?|names?|figures?|values?|people|persons|events|facts|details|things"
    r"|prices|amounts|sums|places)\b"
)
_ONLY = re.compile(r"\b(?:only|just|merely)\b")
# "It only says that ...", "erwähnt wird lediglich, von wem ...", "il précise seulement que ...".
_REPORTS = (
    r"(?:mention(?:s|ed)?|says?|said|states?|stated|tells?|told|notes?|noted|records?|recorded|reports?|reported|indicates?"
    r"|erwähn\w*|genannt|nennt|sagt|steht|berichtet|angegeben|mentionne\w*|mentionné\w*|indique\w*|précise\w*|dit|parle"
    r"|menciona\w*|indica\w*|dice|diz|habla|informa\w*|menziona\w*|specifica\w*|parla|cita\w*"
    r"|staat|vermeldt?|noemt|genoemd|zegt|gezegd|nämns|sägs|står|anges|berättas|framgår|wspomn\w+|wspomina\w*|podano|wiadomo|powiedziano"
    r"|сказан\w+|говорится|упомина\w+|упомянут\w*|известно|указан\w*)"
)
# "Bekannt ist nur, dass ...", "on sait seulement que ...".
_KNOWN = (
    r"(?:known?|learn|bekannt|weiss|wissen|erfährt|erfahren|fest\s?steht|fest\s+steht|sait|savons|apprend|apprenons|connu|sabe|sabemos"
    r"|conoce|consta|descubre|aprende|descobre|sa|sappiamo|apprende|noto|scopre|bekend|weet|weten|lezen|känt|vet|wiadomo|известно)"
)
_JUST = (
    r"(?:only|just|merely|nur|lediglich|bloss|seulement|uniquement|simplement|sólo|solo|solamente|únicamente|soltanto"
    r"|apenas|somente|só|alleen|slechts|enkel|bara|endast|enbart|däremot|tylko|jedynie|лишь|только)"
)
_TELLS = rf"(?:{_REPORTS}|{_KNOWN})"
_ONLY_REPORTS = lazy_pattern(
    rf"\b(?:{_JUST}(?:\s+(?!if\b|when\b)\w+){{0,2}}?\s+{_TELLS}|{_TELLS}(?:\s+\w+)?\s+{_JUST}"
    rf"|(?:lo\s+único|a\s+única\s+coisa|tout\s+ce|l'unica\s+cosa|das\s+einzige)[\s,]+(?:que?|che|was)\b[^.;\n{MASK}]{{1,40}}?)"
    r"(?:\s+\w+)?[\s,]+(?:c'est\s+)?(?:that|who|what|how|dass|wer|wessen|wem|von\s+wem|wie|que|qui|quién|che|chi"
    r"|dat|hoe|att|vem|hur|że|kto|kim|jak|что|кто|кем|как)\b"
    # "Nur vom Rahmen ist die Rede", "речь идет лишь о раме".
    r"|\b(?:nur|lediglich|bloss)(?=\s+(?:von|vom|über)\b[^.;\n]*\b(?:die\s+rede|gesprochen|berichtet)\b)|речь\s+(?:идет\s+)?(?:лишь|только)\s+об?\b"
    # Turkish, Chinese, Japanese, Korean and Arabic.
    r"|\b(?:yalnızca|sadece)\b(?=[^.;\n]*\b(?:belirtil|söylen|anlatıl|yazı|geçi|bahsed)\w+)|[只仅僅](?:提到|提及|说|說|写|寫)(?:了|到)?"
    r"|(?:だけ|のみ)(?:が|は)?[^。\n]{0,4}?(?:書か|述べ|触れ|記さ|あり|ある|言及)|(?:라고만|다고만|만)\s+(?:되어|나와|나오|적혀|쓰여|언급|밝혀)"
    r"|(?:ي?ذكر)\s+فقط\s+أن"
)
_ENGLISH_LINK = re.compile(r"(?:that|who|what|how)\Z")
# "A different house (on Undertakers' Lane) cost 6411 crowns", "6411 crowns was the price of another house".
_ANOTHER = r"(?:another|a\s+(?:different|separate|second)|some\s+other|one\s+of\s+the\s+other)"
_OF_ANOTHER = (
    lazy_pattern(
        rf"(?<!than )(?<!like )(?<!as )(?<!with )(?<!not )(?<!from )\b{_ANOTHER}\s+(?P<what>[^\W\d_]{{3,}})"
        r"(?:\s*\([^()\n]*\)|,[^,.;\n]*,)?(?:\s+(?!and\b|but\b|or\b|than\b|it\b|he\b|she\b)[\w']+){1,7}\s+\Z"
    ),
    lazy_pattern(
        rf"(?:\s+(?!and\b|but\b|like\b|as\b)\w+){{0,2}}?\s+(?:is|was|are|were)\s+(?:\w+\s+){{0,3}}?(?:of|for|on)\s+{_ANOTHER}\s+(?P<what>[^\W\d_]{{3,}})"
    ),
)
_CELL = lazy_pattern(rf"\W*(?P<label>[^\W\d_][^,:|\n{MASK}]*?)\s*[,:|]\s*{MASK}+\W*")
# "| Odro Venable | made the frame |", "- 1911: town hall restored".
_ROW = lazy_pattern(rf"[^\w\n{MASK}]*{MASK}+\s*(?:,|:|\s[-\u2013]?\s)(?P<said>[^\n{MASK}]*)\n?")
_ONLY_ITS = lazy_pattern(r"\bonly\s+(?:the|its|his|her|their)\s+\w")
# A row for what was asked, with nothing in it.
_EMPTY_CELL = lazy_pattern(
    r"^\W*[^\W\d_][^,:|\n]*[,:|]\s*(?:not\b|no\b|none\b|unknown|unnamed|unspecified|unstated|n/a|null|-+\s*,?$)",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_ANY_WORD = re.compile(r"[^\W_]")
_ABOUT = re.compile(r"\b(?:about|around|roughly|approximately|some|the|it|was|is|by|in|at|a)\b")


class Refusal:
    """The wrong elements beside one refusal, in a masked text."""

    def __init__(
        self,
        text: str,
        asked: Collection[str],
        plain: Collection[str],
        words: Callable[[str], Collection[str]],
    ) -> None:
        """Of a masked text.

        Args:
            text: masked, hyphens as spaces.
            asked: the words of the question that tell what it asks for, in all their forms.
            plain: words that tell nothing.
            words: of a part of the text, and their stems.
        """
        self._text, self._words = text, words
        self._asked, self._plain = frozenset(asked) - GENERIC, plain

    def claims(self, mention: Mention, facts: Facts) -> bool:
        """Whether a wrong element that has an owner is claimed all the same: guessed, or told as a part."""
        return self.guesses(mention, facts) or bool(
            _PART_OF_IT.search(self._text, *sentence_around(self._text, mention))
        )

    def is_denied_with_all(self, mention: Mention) -> bool:
        """Whether it is said of a wrong element, with all others, that it is not what was asked for."""
        if GUESS.search(self._text):
            return False
        sentence = sentence_around(self._text, mention)
        if _NONE_OF.match(self._text, *sentence):
            return True
        return any(
            not self._asked.isdisjoint(_WORD.findall(self._text[none.end() : self._sentence_end(none.end())]))
            for none in _NONE_OF_THESE.finditer(self._text, max(0, sentence[1] - 1))
        )

    def guesses(self, mention: Mention, facts: Facts) -> bool:
        """Whether a wrong element is guessed for what was asked, before anything tells whose it is."""
        start, _ = sentence_around(self._text, mention)
        before = self._text[start : mention.start]
        begins = [match.end() for match in _CLAUSE_BEGIN.finditer(before)]
        before = before[begins[-1] :] if begins else before
        guess = GUESS.search(before)
        if (
            not guess
            or _NOT_GUESSED.search(before, 0, guess.start())
            or not facts.owner.isdisjoint(self._words(before))
        ):
            return False
        rest = before[: guess.start()] + before[guess.end() :]
        if not _ANY_WORD.search(_ABOUT.sub(" ", rest)):
            return True  # "Probably 31, as on the Ragnhild."
        return not self._asked.isdisjoint(_WORD.findall(before)) or bool(_PRONOUN.search(before))

    def is_told_instead(self, mention: Mention, facts: Facts, elsewhere: Collection[Mention]) -> bool:
        """Whether a sentence only lists a wrong element among what the text tells of something else.

        Args:
            mention: a wrong element that no word leaves with its owner.
            facts: of it.
            elsewhere: the wrong elements that are left with their owners.
        """
        start, end = sentence_around(self._text, mention)
        sentence = self._text[start:end]
        if self._is_told_of_another(mention, start, end):
            return not GUESS.search(sentence)
        if not (facts.asked & self._asked).isdisjoint(self._words(sentence)) or GUESS.search(sentence):
            return False
        cell = _CELL.fullmatch(sentence)
        if cell:
            is_owner = not facts.owner.isdisjoint(self._words(cell["label"]))
            return _EMPTY_CELL.search(self._text) is not None and (is_owner or self._says_more(cell["label"]))
        if row := _ROW.fullmatch(sentence):
            is_owner = not facts.owner.isdisjoint(self._words(row["said"]))
            return is_owner or (mention.name[:1].isdigit() and self._says_more(row["said"]))
        if report := _ONLY_REPORTS.search(sentence):
            if not _ENGLISH_LINK.search(report[0]) and not _WORD.search(
                sentence, report.end(), mention.start - start
            ):
                return False  # "Bekannt ist nur, dass X das Porträt gemalt hat": no word tells of what else.
            return self._says_more(_ONLY_REPORTS.sub(" ", sentence), self._text[:start])
        beside = any(start <= other.start < end for other in elsewhere)
        if not _LISTS.search(sentence) or not (
            _OTHERS.search(sentence) or _ONLY_ITS.search(sentence) or (beside and _ONLY.search(sentence))
        ):
            return False
        return self._says_more(_LISTS.sub(" ", sentence))

    def _is_told_of_another(self, mention: Mention, start: int, end: int) -> bool:
        """Whether a sentence gives a wrong element to another thing of the kind that was asked about."""
        if "another" not in self._text and "different" not in self._text and "other" not in self._text:
            return False
        before, behind = _OF_ANOTHER
        told = before.search(self._text, start, mention.start) or behind.match(self._text, mention.end, end)
        return told is not None and told["what"] in self._asked

    def _says_more(self, said: str, before: str = "") -> bool:
        """Whether something has a word that the question has not, nor any sentence about a text.

        Nor what stands ``before``, where the question is said again in the answer's language.
        """
        told = frozenset(_WORD.findall(said)) - self._asked - GENERIC - frozenset(self._plain)
        told -= frozenset(_WORD.findall(before))
        return any(not any(begin_alike(word, asked) for asked in self._asked) for word in told)

    def _sentence_end(self, start: int) -> int:
        end = SENTENCE_END.search(self._text, start)
        return end.start() if end else len(self._text)
