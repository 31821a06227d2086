"""Where an answer refuses or takes back what it says: "the text does not say", "none of this is stated"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading.mended.another_question import (
    asks_another_question,
    asks_for_a_time,
    is_asked_for,
)

_ADVERB = r"(?:\s+(?:\w+ly|even|once|be|any|(?:appear|seem)\s+to))*"
_ABOUT_ELSE = (
    r"(?!\s+(?:(?:any|that|is|are|of)\s+)*(?:other|others)\b)"
    r"(?!\s+(?:(?:me|us|you|anything|any|that|the|to|is|are|of|about|on|as\s+to|regarding|concerning)\s+)*"
    r"(?:otherwise|different|differently|contrary|further|additional|more|else|anything\s+else)\b)"
    r"(?!\s+(?:\w+\s+)?(?:beyond|besides|apart\s+from|other\s+than|except|in\s+addition)\b)"
    rf"(?!\s+(?:the\s+|an?\s+)?{MASK})"
)
_MORE = (
    r"(?:others?|further|additional|more|extra|else|such|second|third|better|later|earlier|subsequent|newer"
    r"|rival|competing|alternative)"
)
_NOT = r"(?:\s+not|n't)"
_IS = r"(?:is|are|was|were|(?:it|that|this|they|we)'(?:s|re))"
_HERE = rf"(?<!{MASK}\s)"
_BORDER = r"\b"
"""What most ways begin with; looked for once for them all."""
_STATED = (
    r"(?:mentioned|stated|specified|provided|given|listed|found|included|described|available|present|named"
    r"|identified|answered|answerable|known|supported|related|relevant|contained|covered|disclosed|revealed"
    r"|indicated|addressed|recorded|dated|priced|said(?!\s+to\b)|told|spel(?:led|t)\s+out)"
)
# A cat may answer to a name, and many things point to something else.
_SAY = (
    r"(?:say|mention|state|specify|provide|give|name|identify|indicate|reveal|answer(?!\s+to\b)|tell|discuss"
    r"|define|describe|contain|disclose|address|cover|record)"
)
_SAYS = (
    r"(?:(?:say|mention|state|contain|answer(?!s?\s+to\b)|provide|tell|give|name|indicate|specify|reveal"
    r"|identify|record|cover|describe)s?|addresse?s?|discuss(?:es)?|specifies|identifies|(?:is|are)\s+about)"
)
_FIND = (
    r"(?:find|found|answer(?:ed)?|determined?|locate|located|identify|identified|provide|tell|say|help|known"
    r"|learn(?:ed|t)?|inferred|established|deduced|derived)"
)
_TEXT = r"(?:texts?|context|passages?|documents?|excerpts?|sources?|material)"
# "Nothing that I have read", "nothing in what I was given", "nothing here".
_OF_WHAT_I_READ = (
    r"(?:(?:that\s+)?(?:i|we)(?:'ve)?\s+(?:\w+\s+){1,4}?|(?:in|of|from|among|within)\s+(?:\w+\s+){1,6}?"
    r"|(?:here|there)\s+|(?:that|which)\s+(?:would\s+|could\s+)?)?"
)

# What is said of the answer as a whole. "X is not mentioned", said of one mention, is a denial of that one.
_WAYS = (
    rf"\b(?:does|do|did){_NOT}{_ADVERB}\s+{_SAY}\b{_ABOUT_ELSE}",
    rf"{_HERE}(?:does|do|did){_NOT}\s+(?:appear|occur|come\s+up)\s+(?:anywhere\b|in\s+the\b)",
    rf"\b(?:never|nowhere){_ADVERB}\s+{_SAYS}\b{_ABOUT_ELSE}",
    r"(?P<no>\b(?:give|provide|offer|contain|name|mention|state)s?|\b(?:identif|specif)(?:y|ies))"
    rf"(?=\s+no\s+\w){_ABOUT_ELSE}(?!\s+no\s+(?:other|further|additional|more))",
    rf"\b(?:does|do){_NOT}\s+(?:allow|permit|enable|help)\s+(?:me|us|one|anyone)?\s*to\s+{_FIND}\b",
    rf"\b(?:will\s+not|won't)\s+find\b{_ABOUT_ELSE}",
    rf"\b{_IS}{_NOT}\s+something\s+(?:that\s+)?(?:the|these|any)\b",
    rf"\bfail(?:s|ed)?\s+to\s+{_SAY}\b{_ABOUT_ELSE}",
    rf"\b(?:cannot|can\s+not|can't|could\s+not|couldn't|unable\s+to|(?:not|\w+n't)\s+able\s+to){_ADVERB}\s+{_FIND}\b"
    rf"{_ABOUT_ELSE}",
    rf"{_HERE}{_IS}{_NOT}{_ADVERB}\s+{_STATED}\b{_ABOUT_ELSE}",
    rf"\b{_IS}{_NOT}\s+(?:explicitly|directly|specifically|clearly)\s+{_STATED}\b{_ABOUT_ELSE}",
    rf"\b(?:they|these|those)\s+(?:are|were){_NOT}{_ADVERB}\s+(?:correct|right|accurate|part|used|from|in)\b",
    rf"\b(?:it|this|that|they|these|which)\s+{_IS}\s+(?:actually\s+|probably\s+|likely\s+)?"
    r"(?:a\s+mistake|an\s+error|mistakes|incorrect|wrong|inaccurate)\b",
    rf"\bi\s+(?:do\s+not|don't|did\s+not|didn't)\s+(?:know|have|see|find)\b{_ABOUT_ELSE}",
    rf"\bi\s+(?:have\s+)?never\s+(?:found|saw|seen|read|came\s+across)\b{_ABOUT_ELSE}",
    rf"\b(?:no|not\s+enough|insufficient)\s+(?:(?!{_MORE}\b)\w+\s+)?(?:information|mention|answer|details?"
    r"|indication|context|evidence|record|data)\b"
    rf"{_ABOUT_ELSE}(?!\s+of\s+(?:the\s+|an?\s+)?{MASK})",
    # "You have not mentioned it", "the sum has not been stated", "no price given", "it goes unmentioned".
    rf"{_HERE}(?:has|have|had){_NOT}{_ADVERB}(?:\s+been)?{_ADVERB}\s+{_STATED}\b{_ABOUT_ELSE}",
    rf"{_HERE}(?:has|have|had)\s+(?:never|nowhere)\s+(?:been\s+)?{_STATED}\b{_ABOUT_ELSE}",
    rf"\bno\s+(?!{_MORE}\b)(?:\w+\s+){{1,3}}?(?<!that\s)(?<!which\s)(?:was\s+|were\s+|is\s+|are\s+|has\s+been\s+)?(?:ever\s+|actually\s+)?"
    rf"(?:given|provided|stated|mentioned|specified|listed|supplied|disclosed|recorded|available)\b{_ABOUT_ELSE}",
    rf"{_HERE}(?:goes|go|went|is\s+left|are\s+left|was\s+left)\s+(?:entirely\s+|completely\s+)?"
    r"(?:unmentioned|unstated|unsaid|unrecorded|unnamed|unspecified|unexplained|unanswered)\b",
    r"\b(?:omit|leave|withhold)s?\s+(?:out\s+)?(?:any|this|that|the)\s+(?:mention|detail|information|figure|name)\b",
    rf"\bsays?\s+nothing\s+(?:of|on|as\s+to|regarding|concerning)\b{_ABOUT_ELSE}",
    r"\b(?:isn't|is\s+not|wasn't|was\s+not)\s+(?:anything|something)\s+(?:\w+\s+){0,4}?(?:text|passage|document|context|about|on)\b",
    r"\b(?:cannot|can\s+not|can't|could\s+not|couldn't)\s+be\s+(?:\w+ly\s+)?(?:ascertained|answered|found|determined|known|told|said"
    r"|established|inferred|deduced|identified|derived|worked\s+out)\b",
    rf"\b(?:am|was|'m)\s+(?:not\s+able|unable)\s+to\s+{_FIND}\b{_ABOUT_ELSE}",
    rf"\black(?:s|ing)?\s+(?:\w+\s+){{0,2}}(?:information|mention|answer|details?)\b{_ABOUT_ELSE}",
    rf"\b(?:nobody|no\s+one|nothing|no\s+(?!{_MORE}\b)\w+)\s+{_IS}"
    rf"\s+(?:\w+ly\s+|ever\s+)?{_STATED}\b{_ABOUT_ELSE}",
    rf"{_HERE}(?:{_IS}|remains?)\s+never\s+{_STATED}\b{_ABOUT_ELSE}",
    rf"{_HERE}(?:{_IS}|remains?)\s+(?:left\s+)?(?:unknown|unstated|unspecified|silent|unanswered|unanswerable"
    r"|undisclosed|unmentioned|unsaid|untold|open|a\s+mystery|an\s+open\s+question)\b",
    r"\b(?:leaves?|left)\s+(?:it|this|that|(?:the|this|that)\s+\w+(?:'s\s+\w+)?)\s+(?:open|unanswered|unsaid|unstated"
    r"|unspecified)\b",
    rf"\bnothing\s+{_OF_WHAT_I_READ}(?:about\b|said\b|{_SAYS}\b){_ABOUT_ELSE}",
    rf"\bnowhere\s+(?:\w+\s+)?{_STATED}\b",
    r"\bno\s+(?:idea|clue)\b|\bno\s+(?:way\s+(?:to|of)\s+)?(?:tell|telling|knowing|know)\b",
    rf"\b(?:no|neither)\s+(?:{_TEXT}|part|line|sentence)\s+(?:\w+\s+){{0,4}}?{_SAYS}\b{_ABOUT_ELSE}",
    rf"{_HERE}{_IS}{_NOT}\s+(?:anywhere\s+)?in\s+the\s+(?:\w+\s+)?{_TEXT}\b",
    rf"\b{_IS}{_NOT}\s+possible\s+to\s+(?:answer|tell|say|determine|know)\b",
    r"\bfound\s+(?:nothing|no\s+(?:information|mention|answer|trace))\b" + _ABOUT_ELSE,
    rf"\bmakes?\s+no\s+(?:reference|allusion)\b{_ABOUT_ELSE}",
    rf"\b(?:does|do|did){_NOT}{_ADVERB}\s+include\s+(?:the|any|this|that|such|who|what|which|how)\b{_ABOUT_ELSE}",
    rf"\b(?:is|are|was|were)\s+(?:missing|absent)\s+from\s+the\s+(?:\w+\s+)?{_TEXT}\b",
    rf"\bnone\s+of\s+(?:(?:the|what|all)\s+(?:\w+\s+){{1,6}}?|(?:them|these|those|it|this|which)\s+){_SAYS}\b{_ABOUT_ELSE}",
    rf"\bnone\s+of\s+(?:these|them|this|that|it|the\s+above)\s+{_IS}\s+(?:\w+ly\s+)?"
    rf"(?:{_STATED}\b|(?:in|from)\s+the\s+(?:\w+\s+)?{_TEXT}\b){_ABOUT_ELSE}",
    # An empty field: {"answer": null}.
    r"\banswers?\s*[:=]\s*(?:(?:null|none|nil|n/a|unknown|\[\s*\])\s*(?:[,;}\n]|\Z)|(?=\}|,\s*\w+:))",
)
ABSTENTIONS = lazy_pattern(
    rf"\b(?=[acdfghilmnoprstuw])(?:{'|'.join(way.removeprefix(_BORDER) for way in _WAYS)})"
    rf"|\A[^\w{MASK}]*(?:\w+[^\w{MASK}]+)?(?:not\s+{_STATED}|n/a|null|none|unknown|unanswerable|\[\s*\])"
    r"(?:\W*\Z|[.;:]|\s+(?:in|by|from)\b|\s+-\s)"
    rf"|\b(?P<field>\w{{1,30}})\s*(?:[:=\u2192]|->)\s*(?:(?:\w+\s+)?not\s+{_STATED}|unknown|unclear|n/a|null)\b{_ABOUT_ELSE}"
)
_SIGN_OF_ABSTENTION = re.compile(
    r"n't|\[|\b(?:no|never|neither|un|cannot(?!\s+do\b)|fail|insufficient|mistake|error|incorrect|wrong|inaccurate|omit|leave|left"
    r"|withhold|lack|silent|open|mystery|missing|absent|null|n/a|answers?\s*[:=])"
)


def abstentions(text: str) -> Iterator[re.Match[str]]:
    """Where a masked text may refuse; one of a few signs stands in every match, and is found much sooner."""
    return ABSTENTIONS.finditer(text) if _SIGN_OF_ABSTENTION.search(text) else iter(())


# Of an answer that names nothing right, a sentence refuses in which a denial meets the text.
_DENIAL = r"(?:not|n't|no|never|nothing|none|nobody|nowhere|neither|nor|cannot|without|hardly)"
_SOURCE = (
    r"(?:texts?|contexts?|passages?|documents?|excerpts?|extracts?|sources?|materials?|accounts?|stor(?:y|ies)|authors?"
    r"|narrators?|writers?|chronicles?|articles?|pages?|chapters?|paragraphs?|records?|notes?|(?:i|we)\s+(?:was|were|am|are|have|had)\s+"
    r"(?:been\s+)?(?:given|shown|sent|handed|read|provided)|you\s+(?:gave|sent|shared|provided|showed|pasted)|reading)"
)
_MATTER = (
    r"(?:information|infos?|details?|figures?|mentions?|(?<!my\s)(?<!your\s)words?|answers?|facts?|data|clues?|hints?|indications?|traces?|evidence"
    r"|questions?|points?)"
)
_TELLS = (
    r"(?:says?|said|tells?|told|(?<=not\s)something|mention(?:s|ed)?|state[sd]?|specif(?:y|ies|ied)|reveal(?:s|ed)?|disclose[sd]?|record(?:s|ed)?|indicate[sd]?|discuss(?:es|ed)?"
    r"|appears?|comes?\s+up|came\s+up|crop(?:s|ped)?\s+up|turn(?:s|ed)?\s+up|covered|addressed|described|spelled\s+out|written\s+down"
    r"|brought\s+up|touched\s+(?:on|upon)|elaborated|documented|noted|set\s+down)"
)
_ASKER = r"(?:i|we|us|me|one|you|it|that|this|reader)"
_LEARNS = (
    r"(?:know|known|find|found|learn|learnt|learned|answer(?:ed)?|determined?|see|worked?\s+out|discover|discovered|tell|say|give|given"
    r"|offer(?:ed)?|provided?|supply|supplied|cover|name|named|address|go(?:es)?\s+into|gets?\s+(?:in|round)\s*to|touch|there|here)"
)
_LEFT_OUT = (
    r"(?:leaves?|left)\s+(?:\w+\s+){0,5}?(?:out|open|unsaid|unanswered|blank|in\s+the\s+dark|to\s+the\s+imagination)"
    r"|omit(?:s|ted)?|lack(?:s|ing|ed)?|missing|absent|silent|mum|unsaid|unstated|unknown|unrecorded|unspecified|unmentioned|undisclosed"
    r"|anyone's\s+guess|beyond\s+(?:what|the\s+scope)|outside\s+(?:of\s+)?(?:what|the\s+scope)|passes\s+over|(?:keeps?|stays?)\s+quiet"
    r"|withh(?:olds?|eld)|gloss(?:es|ed)\s+over"
)
# "The painter remains anonymous", "leaves the artist unnamed", "her name is withheld", "gives her no name".
_OVER = (
    r"(?=\W*\Z|\s*,|\s+(?:in|throughout|here|to\s+(?:us|me|(?:the\s+)?readers?)|from|of|by|all|even|until|as|so|and|for|at|with"
    r"|elsewhere|anywhere)\b)"
)
_IS_LEFT = (
    r"(?<!who\s)(?<!that\s)(?<!which\s)\b(?:remain(?:s|ed)?|stay(?:s|ed)?|goes|go|went|is|are|was|were|been|left|kept)"
    r"(?:\s+(?:\w+ly|still|left|kept|never))*"
)
_NAMELESS = (
    r"(?:(?:un(?:named|identified|credited|attributed|known\s+by\s+name)|nameless|anonymous)"
    rf"{_OVER})"
)
_IS_NAMELESS = (
    rf"{_IS_LEFT}\s+{_NAMELESS}|\b(?:leave|keep)s?\s+(?:[\w']+\s+){{1,10}}?{_NAMELESS}"
    rf"|(?<!whose\s)\b(?:names?|identity|identities)\b(?:\s+of\s+[^,]{{1,80}}?)?\s+{_IS_LEFT}\s+(?:(?:\w+\s+)?secret"
    rf"|withheld|omitted|concealed|hidden|missing|left\s+out|kept\s+back){_OVER}"
    rf"|(?<!whose\s)\b(?:names?|identity)\s+(?:\w+\s+){{0,6}}?(?:is|are|was|were)\s+kept\s+(?:secret|from\b)"
    r"|(?:\b(?:never|not|nowhere)|n't)\s+(?:\w+\s+){0,2}?(?:called|mentioned|referred\s+to|identified|addressed)\s+by\s+(?:\w+\s+)?name\b"
    rf"|(?<!who\s)\b(?:has|have|bears?)\s+no\s+names?\b{_OVER}"
    rf"|(?<!who\s)\bgives?\s+(?:[\w']+\s+){{1,5}}?no\s+names?\b{_OVER}"
    r"|(?:\b(?:is|are|was|were|has\s+been|have\s+been)(?:\s+(?:not|never|nowhere)|n't)"
    r"|\b(?:nobody|no\s+one|no\s+[\w']+)\s+(?:is|are|was|were))\s+(?:\w+ly\s+|ever\s+)?(?:been\s+)?"
    r"(?:credited|divulged|attributed|imparted|supplied)\b"
)
_REFUSING = lazy_pattern(
    rf"(?=.*(?:\b{_DENIAL}\b|n't\b))(?:.*\b{_MATTER}\b|.*\b{_TELLS}\b"
    rf"|.*(?:\b{_DENIAL}\b|n't\b).*\b(?:in|from|within|of|by|on)\b.*\b{_SOURCE}\b"
    rf"|.*\b{_SOURCE}\b.*(?:\b{_DENIAL}\b|n't\b).*\b(?:{_LEARNS}|has|have|contain\w*|includ\w*|such)\b|.*\b{_ASKER}\b.*\b{_LEARNS}\b)"
    rf"|(?=.*\b(?:{_LEFT_OUT})\b)(?:.*\b{_SOURCE}\b|.*\b{_MATTER}\b|.*\b(?:it|that|this|what|how|who|her|his|their|its)\b)"
    r"|.*\bnothing\s+to\s+go\s+on\b|.*\bnowhere\s+to\s+be\s+(?:found|seen)\b|.*(?:n't|\bnot)\s+(?:\w+\s+)?(?:there|here)\W*\Z|.*\bno(?:t\s+a)?\s+(?:word|trace|hint|clue)\b"
    rf"|\W*n/a\b|.*\bno\b.*\banywhere\b|.*(?:{_IS_NAMELESS})"
    rf"|.*\b(?:{_SOURCE}|documentation|docs|manuals?|readme|reports?|guides?|files?|letters?)\b(?:\s+\w+){{0,4}}?"
    r"\s+(?:does|do|did)(?:\s+not|n't)\s+(?:\w+ly\s+)?(?:include|list|show|feature|carry|print)\b"
    r"|.*\bno\b(?:\s+\w+){1,7}?\s+(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:included|listed|quoted)(?=\W*\Z|\s+(?:in|for|with|by|there|here|anywhere|either)\b)"
)
_LONGEST = 400
"""Characters of a clause that are read; none of an answer needs more."""
_SENTENCE = re.compile(r"[^.!?;\n]+(?:[.!?](?=\S)[^.!?;\n]+)*")
_NUMBERED = re.compile(r"\bno\.\s*(?=\d)")
_CLAUSE = re.compile(
    r"\b(?:but|although|though|while|whereas|however|so)\b|,(?=\s+(?:and|the|he|she|it|they)\b)"
)


def refuses_somewhere(text: str, *, quoted: str = "") -> bool:
    """Whether a clause of an answer that names nothing right says that nothing is told.

    Args:
        text: masked.
        quoted: clauses that stand in it are quoted, not meant.
    """
    told = _NUMBERED.sub("no ", text)
    return any(
        _REFUSING.match(clause, 0, _LONGEST)
        for sentence in _SENTENCE.finditer(told)
        if told[sentence.end() : sentence.end() + 1] != "?"
        for clause in _CLAUSE.split(sentence[0])
        if MASK not in clause and not (quoted and clause.strip() in quoted)
    )


_UNTOLD = lazy_pattern(rf"\b{_DENIAL}\b[^.;\n]*\b{_STATED}\b")


def leaves_untold(clause: str) -> bool:
    """Whether a clause that names nothing says that what it speaks of is not told."""
    return refuses_somewhere(clause) or _UNTOLD.search(clause) is not None


# What else is not told takes nothing back: "it does not say why", "the quantities are not stated".
_MANNER = re.compile(r"\s+(?:(?:any|that|the|is|are|of|for|about)\s+)*(how|why|when|exact)(?:ly)?\b")
_WHETHER = re.compile(r"\s+(?:whether|if)\b")
_OBJECT = re.compile(r"\s+(?:any|no|the|an?|their|its|his|her)\s+([\w']+)")
_SUBJECT = re.compile(
    r"\b(?:the|their|its|his|her)\s+(?:(?!other\s)[\w']+\s+)?(\w+)(?:(?<=other)\s+\w+)?\s+\Z"
)
# "Beyond these five the text gives no information."
_BESIDES = re.compile(
    r"(?:\A|[.;!?\n])\W*(?:\w+\s+){0,2}?(?:beyond|besides|apart\s+from|aside\s+from|other\s+than|in\s+addition\s+to|except\s+for)"
    r"\s+(?:this|that|these|those|it|them|the)\b[^.;!?\n]*\Z"
)
# "What she was paid for them is not stated": what is asked there is another question.
_ASKING = lazy_pattern(
    rf"(?:\A|[.;,!?:\n(]|\b(?:and|but|though|although|however))\s*(?:(?:in|at|on|by|for|to|of|from|with)\s+)?\b(?:what|how|who|whom|whose|where|when|why|which)\b([^.;!?\n{MASK}]{{2,60}})\Z"
)
# "No information about who painted them": what that is about tells whether it was asked for.
_ABOUT = re.compile(
    rf"\s+(?:(?:at\s+all|given|available)\s+)?(?:about|on|of|as\s+to|regarding|concerning)\s+([^.;!?\n{MASK}]{{2,80}})"
)
# "I don't know where the can stands": so does what is asked behind it.
_WHAT_IS_NOT_KNOWN = lazy_pattern(
    rf"\s+(?:me\s+|us\s+)?(?:who|whom|whose|what|when|where|why|how)\b([^.;!?\n{MASK}]{{2,80}})"
)
_OTHER_QUESTION = 3
"""Of so many words of what is not known, at most one is the question's, where it is another question."""
_QUESTION_WORDS = frozenset(("who", "whom", "whose", "what", "which", "when", "where", "why", "how", "about"))
_PLAIN = frozenset(
    re.findall(
        r"\w+",
        """
        is are was were be been do does did has have had the a an of for to in on at by it its he she they
        them him her his their this that these those exactly else exact many much long and or not i we you
        """,
    )
)
_ANSWER = frozenset(
    (
        "answer",
        "answers",
        "information",
        "question",
        "items",
        "name",
        "names",
        "number",
        "numbers",
        "list",
        "text",
    )
)
_REACH = 64


def takes_back(match: re.Match[str], key: AnswerKey, *, complete: bool) -> bool:
    """Whether what is not told is what was asked for, by the words of the question.

    Args:
        match: of ``ABSTENTIONS``, in a masked text.
        key: what was asked.
        complete: whether the answer names every element.
    """
    text, start, end = match.string, match.start(), match.end()
    if match["field"]:
        return match["field"] in _asked_words(key) | _ANSWER or is_asked_for(match["field"], key)
    if complete and asks_another_question(match, key):
        return False
    manner = _MANNER.match(text, end)
    if manner:
        return manner[1] in _asked_words(key) or (manner[1] == "when" and asks_for_a_time(key))
    if not complete and not match["no"]:
        return True
    if complete and _WHETHER.match(text, end):
        return False
    if complete and _BESIDES.search(text[max(0, start - _REACH) : start]):
        return False
    if complete and (asking := _ASKING.search(text[max(0, start - _REACH) : start])):
        said = _words(asking[1]) - _PLAIN
        return not said or not said.isdisjoint(_asked_words(key) | _ANSWER)
    if complete and (about := _ABOUT.match(text, end)):
        said = _words(about[1]) - _PLAIN - _QUESTION_WORDS
        if said and said.isdisjoint(_asked_words(key) | _ANSWER):
            return False
    if complete and (unknown := _WHAT_IS_NOT_KNOWN.match(text, end)):
        said = _words(unknown[1]) - _PLAIN - _QUESTION_WORDS
        if said and len(said & (_asked_words(key) | _ANSWER)) * _OTHER_QUESTION <= len(said):
            return False
    matter = _OBJECT.match(text, end)
    if complete and match[0].startswith("no ") and not matter:
        return not _words(match[0]).isdisjoint(_asked_words(key) | _ANSWER)
    if not matter and match[0].startswith(("is", "are", "was", "were", "has", "have", "had")):
        matter = _SUBJECT.search(text[max(0, start - _REACH) : start])
    return not matter or matter[1] in _asked_words(key) | _ANSWER


@lru_cache(maxsize=256)
def _asked_words(key: AnswerKey) -> frozenset[str]:
    return frozenset(form for word in _words(tidy(key.question)) for form in inflections(word))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))
