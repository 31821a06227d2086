"""What an answer sets apart by structure: below a heading, in a table, before "that is what ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import CuePattern, Cues
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.owners.owner_words import words_of_owners
from niah.judges.rubric.reading.layout import AnswerLine, Layout
from niah.judges.rubric.reading.spans import TextRange, mentions_in_any, mentions_inside
from niah.judges.rubric.reading.statements import Statement, tidied_question
from niah.judges.rubric.reading.structure.dated import superseded_spans
from niah.judges.rubric.reading.structure.footnotes import footnotes
from niah.judges.rubric.reading.structure.labels import sorted_out

_WORD = re.compile(r"[^\W_]+")
_INLINE_LEAD = lazy_pattern(rf"(?:\A|(?<=[.!?;\n({{,]))[ \t]*([^:.!?;\n{MASK}{{}}]{{2,100}}):(?=\s|{MASK})")
_NO = lazy_pattern(
    r"\W*(?:(?:no(?:pe|ne)?|not|false|excluded?|rejected|wrong|incorrect|irrelevant|ignored?|distractor|decoy|discarded"
    r"|ruled\s+out|out|unrelated|other|another|different|nein|non|n\xe3o|nee|\u043d\u0435\u0442)\b.*"
    r"|\u5426.*|\u4e0d.*|\uc544\ub2c8.*)"
    r"|[^\w]*[\u2717\u2718\u2716\u274c\u2715\u00d7][^\w]*(?:\w.*)?"
)
_YES = lazy_pattern(
    r"\W*(?:yes|true|included?|required|correct|right|accepted|chosen|kept|counts?|valid|relevant|part\b.*|answer|matches"
    r"|ja|oui|s[i\xed]|sim|\u0434\u0430|\u662f|\u306f\u3044|\ub124)\b.*|[^\w]*[\u2713\u2714\u2705\u2611][^\w]*(?:\w.*)?"
)
# A sentence of its own in brackets, behind another one.
_REMARK = re.compile(r"(?<=[.!?:)])\s+\([^()]*\)(?=\s*(?:\Z|\n))")
_ANAPHORA = lazy_pattern(
    r"[\s,(-]*(?:and\s+|but\s+|so\s+)?(?:that(?:'s)?|those|these|this|they(?:'re)?|it(?:'s)?|both|neither|the\s+latter|the\s+former|such|all\s+of\s+(?:which|them|those)"
    r"|none\s+of\s+(?:which|them|those|these)|which|those\s+\w+|these\s+\w+|that\s+\w+)\b"
)
# Of a heading: "names it does not answer to", "never used"; "there is no doubt about it:" denies nothing.
_DENIES = lazy_pattern(
    r"(?:\b(?:not|never|no|none|nicht|keine?|pas|jamais|nunca|non|mai|n\xe3o|\u043d\u0435)\b|n't\b|\u4e0d|\u672a|\uc54a)"
    r"(?!\s+(?:only|just|to\s+(?:forget|be\s+missed)|sure|certain|in\s+order|nur|seulement"
    r"|doubts?|question|mistake|wonder|secret|surprise|zweifel|doute|(?:hay\s+|h\xe1\s+)?(?:dudas?|d\xfavidas?)|c'\xe8\s+dubbio))"
)
# "Not crossed off:", whatever is crossed off in the question; "not entirely certain:" sets nothing apart.
_NOT_DONE = lazy_pattern(
    r"\W*not\s+(?!(?:\w+ly\s+)?(?:sure|certain|clear|confident|settled|convinced))"
    r"(?:\w+\s+){0,2}?(?:\w+ed|taken|chosen|kept|part|among|for|here)\b"
)
_ELSEWHERE = lazy_pattern(
    r"\b(?:not|never|no|nothing|nor|neither|none|another|others?|else|elsewhere|different(?:ly)?|irrelevant|unrelated|only|merely|decoys?|distractors?"
    r"|red\s+herrings?|separate|aside|ignore[ds]?|excluded?|beside\s+the\s+point|instead)\b|n't\b"
)
_STATED = re.compile(
    r"\b(?:stated|mentioned|specified|clear|sure|certain|confirmed|given|named|explicit(?:ly)?|said)\b"
)
_NO_PART = lazy_pattern(
    r"\b(?:that|this|the\s+latter|those|these|they|both|it)\s+(?:ones?\s+|\w+\s+)?(?:(?:is|are|was|were|does|do|did)(?:\s+not|n't)"
    r"|(?:is|are|was|were)\s+no)\s+(?:\w+\s+){0,2}?(?:part|among|one\s+of|included|asked|required|relevant|concern|count|belong"
    r"|answers?|apply|matter)\b"
)
_THAT_IS_WHAT = lazy_pattern(
    r"[\s,(-]*(?:(?:that|this|it)(?:'s|\s+is|\s+was)|(?:those|these|they)(?:'re|\s+are|\s+were))\s+"
    r"(?:just\s+|only\s+|simply\s+|merely\s+)?(?:what|where|whom?|how|for\s+(?:the|an?)\s+\w+|from|at|in|of)\b"
)


# "But these come from 2011", with a word of their owner.
_COMES_FROM = lazy_pattern(
    r"[\s,(-]*(?:and\s+|but\s+|yet\s+)?(?:that|those|these|they|both)(?:\s+\w+)?\s+(?:are|is|was|were|comes?|came|dates?|dated|belongs?|appl(?:y|ies)"
    r"|refers?)\s+(?:only\s+|just\s+|both\s+)?(?:from|in|of|for|at|to|by|back)\b"
)
_HOLDS = lazy_pattern(
    r"\b(?:counts?|appl(?:y|ies)|valid|right|correct|true|holds?|stands?|later|latest|last|current|newer|newest|answers?)\b"
)
_LONGEST_LEAD = 9
"""Words of a heading that sets apart; a sentence compares: "last year's leaflet with this year's:"."""
_ENDS_IN_ITS_VERB = lazy_pattern(r"[\u3040-\u30ff\uac00-\ud7a3]")


class SetApart(NamedTuple):
    """What structure sets apart.

    Attributes:
        surely: mentions below a heading, in a row or before a sentence that says that they do not count.
        beside: mentions that are set apart from a part that answers the question, if there is one.
        spans, spans_beside: where the first and the second stand.
    """

    surely: frozenset[Mention]
    beside: frozenset[Mention]
    spans: tuple[TextRange, ...]
    spans_beside: tuple[TextRange, ...]


def set_apart(
    answer: str,
    text: str,
    layout: Layout,
    statements: Sequence[Statement],
    mentions: Sequence[Mention],
    cues: Cues,
    key: AnswerKey,
) -> SetApart:
    """What a masked text sets apart.

    Args:
        answer: as the reader gave it, without reasoning.
        text: the same, masked.
        layout, statements: of it.
        mentions: every mention in it that is not ruled out, in reading order.
        cues: of its languages.
        key: what was asked.
    """
    owners = words_of_owners(key)
    left: set[Mention] = set()
    surely: list[TextRange] = []
    beside: list[TextRange] = []
    leads = list(_leads(text, layout))
    for lead, block in leads:
        said = text[lead[0] : lead[1]].replace("-", " ")
        left |= _left_with_owner(said, block, mentions, owners)
        if cues.conclusion.search(said) or cues.hedge.search(said):
            continue
        if _NOT_DONE.match(said) or cues.excludes_next.search(said) or cues.excludes_previous.search(said):
            surely.append(block)
        elif (
            (_DENIES.search(said) and not _DENIES.search(tidied_question(key)))
            or (len(_WORD.findall(said)) <= _LONGEST_LEAD and _tells(cues.apart, said, key))
            or _tells(cues.earlier, said, key)
            or cues.explanation.search(said)
        ):
            beside.append(block)
    surely += _crossed_lines(text, layout)
    for note, lines in footnotes(answer, layout):
        said = text[slice(*note)]
        if _DENIES.search(said) or cues.apart.search(said) or cues.excludes_next.search(said):
            beside += lines
    beside += [match.span() for match in _REMARK.finditer(text)] if "(" in text else []
    for table in layout.tables():
        surely += _rows_with_a_no(text, table)
        beside += _columns_apart(text, table, cues)
        beside += _columns_of_others(text, table, key)
        for column, head in enumerate(table[0].cells):
            for row in table[1:]:
                if column < len(row.cells):
                    left |= _left_with_owner(text[slice(*head)], row.cells[column], mentions, owners)
    beside += superseded_spans(text, layout, leads, key)
    pointed = _pointed_at(text, statements, mentions, owners)
    return SetApart(
        surely=frozenset(mentions_in_any(mentions, surely))
        | pointed
        | left
        | frozenset(sorted_out(text, layout, leads, mentions, cues, key))
        | _excluded(text, statements, mentions, cues),
        beside=frozenset(mentions_in_any(mentions, beside)),
        spans=tuple(surely),
        spans_beside=tuple(beside),
    )


def _tells(cue: CuePattern, said: str, key: AnswerKey) -> bool:
    """Whether a heading has a cue that is not the question's own word: "In the old chest were:"."""
    match = cue.search(said)
    return match is not None and match[0] not in tidied_question(key)


def _left_with_owner(
    said: str, span: TextRange, mentions: Sequence[Mention], owners: Mapping[str, frozenset[str]]
) -> set[Mention]:
    """The wrong mentions of a span whose heading has a word that only their distractors use."""
    wrong = [mention for mention in mentions_inside(mentions, span) if not mention.right]
    words = frozenset(_WORD.findall(said)) if wrong else frozenset()
    return {mention for mention in wrong if not words.isdisjoint(owners.get(mention.name, ()))}


def _excluded(
    text: str, statements: Sequence[Statement], mentions: Sequence[Mention], cues: Cues
) -> frozenset[Mention]:
    """The wrong mentions of a sentence that names nothing right and says that they do not count.

    Where the verb ends the sentence, that is said of all that follow the last right one.
    """
    live = set(mentions)
    found: set[Mention] = set()
    for statement in statements:
        named = [mention for mention in statement.mentions if mention in live]
        if any(mention.right for mention in statement.mentions):
            if not _ENDS_IN_ITS_VERB.search(text, statement.start, statement.end):
                continue
            last = max(mention.start for mention in statement.mentions if mention.right)
            named = [mention for mention in named if mention.start > last]
        if not named:
            continue
        if cues.excludes_previous.search(text, named[-1].end, statement.end) or cues.excludes_next.search(
            text, statement.start, named[0].start
        ):
            found.update(named)
    return frozenset(found)


def _leads(text: str, layout: Layout) -> Iterator[tuple[TextRange, TextRange]]:
    """Each heading, label, bullet with bullets below and "Not counted: ..." with what it leads in."""
    for number, line in enumerate(layout.lines):
        if line.kind in ("heading", "label") and MASK not in text[line.start : line.end]:
            yield (line.start, line.end), layout.block_below(number)
        elif line.kind == "bullet" and MASK not in text[line.start : line.end]:
            yield (line.start, line.end), layout.branch_below(number)
    for match in _INLINE_LEAD.finditer(text) if ":" in text else ():
        end = _end_of_lead(text, match.end(), layout)
        if end > match.end():
            yield match.span(1), (match.end(), end)


_LEAD_ENDS = lazy_pattern(r"[.!?;](?=\s|\Z)|[\u3002]|(?<=[\u3040-\u9fff])[!?;]|\n|,\s*[\w -]{1,30}:\s|[\])}]")


def _end_of_lead(text: str, start: int, layout: Layout) -> int:
    """ "[a, b]" ends with its bracket, anything else with the sentence or with the next "word:"."""
    opening = re.compile(r"\s*\[").match(text, start)
    if opening:
        end = text.find("]", start)
        return len(text) if end < 0 else end
    for found in _LEAD_ENDS.finditer(text, start):
        opens, closes = (
            sum(text.count(sign, start, found.start()) for sign in signs) for signs in ("([{", ")]}")
        )
        if found[0] not in (")", "]", "}") or opens <= closes:
            return found.start()
    return len(text)


def _rows_with_a_no(text: str, table: Sequence[AnswerLine]) -> Iterator[TextRange]:
    """Rows that say no in a column in which others say yes."""
    width = max(len(row.cells) for row in table)
    for column in range(width):
        cells = [
            (row, text[slice(*row.cells[column])].strip()) for row in table[1:] if column < len(row.cells)
        ]
        noes = [row for row, said in cells if MASK not in said and _NO.fullmatch(said)]
        yeses = [row for row, said in cells if MASK not in said and _YES.fullmatch(said)]
        if noes and yeses:
            yield from ((row.start, row.end) for row in noes)


_CROSS = re.compile(r"[\u2717\u2718\u2716\u274c\u2715]|\A\s*\[\s?\]")
_ANY_TICK = lazy_pattern(r"[\u2713\u2714\u2705\u2611\[]")
_TICK = re.compile(r"[\u2713\u2714\u2705\u2611]|\A\s*\[x\]")


def _crossed_lines(text: str, layout: Layout) -> list[TextRange]:
    """Lines with a cross where others have a tick."""
    if not _ANY_TICK.search(text):
        return []
    lines = [((line.start, line.end), text[line.start : line.end]) for line in layout.lines]
    ticked = {span for span, said in lines if _TICK.search(said)}
    return [span for span, said in lines if _CROSS.search(said) and span not in ticked] if ticked else []


def _columns_apart(text: str, table: Sequence[AnswerLine], cues: Cues) -> Iterator[TextRange]:
    """Columns whose head sets them apart from another column that names something too."""
    heads = [text[slice(*cell)] for cell in table[0].cells]
    naming = [
        column
        for column in range(len(heads))
        if any(column < len(row.cells) and MASK in text[slice(*row.cells[column])] for row in table[1:])
    ]
    apart = [
        column
        for column in naming
        if not cues.conclusion.search(heads[column])
        and (
            cues.apart.search(heads[column])
            or cues.earlier.search(heads[column])
            or cues.excludes_next.search(heads[column])
            or cues.explanation.search(heads[column])
            or _BEFORE.search(heads[column])
        )
    ]
    if len(apart) < len(naming):
        for column in apart:
            yield from (row.cells[column] for row in table[1:] if column < len(row.cells))


def _columns_of_others(text: str, table: Sequence[AnswerLine], key: AnswerKey) -> Iterator[TextRange]:
    """Columns whose head the question does not name, where it names another's: "Year 8", "Year 9"."""
    question = tidied_question(key)
    heads = [text[slice(*cell)].strip() for cell in table[0].cells]
    named = [
        len(head) > 1 and re.search(rf"(?<!\w){re.escape(head)}(?!\w)", question) is not None
        for head in heads
    ]
    naming = [
        column
        for column in range(len(heads))
        if any(column < len(row.cells) and MASK in text[slice(*row.cells[column])] for row in table[1:])
    ]
    shapes = {_shape(heads[column]) for column in naming}
    if any(named[column] for column in naming) and len(shapes) == 1 and "" not in shapes:
        for column in naming:
            if not named[column]:
                yield from (row.cells[column] for row in table[1:] if column < len(row.cells))


def _shape(head: str) -> str:
    """The word with which a head of several begins: heads that begin alike name things of one kind."""
    first, _, rest = head.partition(" ")
    return first if rest else ""


_BEFORE = re.compile(
    r"\b(?:before|then|was|vorher|avant|antes|prima|\u0434\u043e|\u0440\u0430\u043d\u044c\u0448\u0435|\u4ee5\u524d|\uc774\uc804)\b"
)


def _pointed_at(
    text: str,
    statements: Sequence[Statement],
    mentions: Sequence[Mention],
    owners: Mapping[str, frozenset[str]],
) -> frozenset[Mention]:
    """Wrong mentions of a statement that the next one sets aside: "X. That is what the miller paid."."""
    live = set(mentions)
    found: set[Mention] = set()
    for before, after in pairwise(statements):
        named = [mention for mention in before.mentions if mention in live]
        if not named or after.mentions or any(mention.right for mention in named):
            continue
        said = text[after.start : after.end]
        if _NO_PART.search(said):
            found.update(named)
        opening = _ANAPHORA.match(said)
        if opening and ((_ELSEWHERE.search(said) and not _STATED.search(said)) or _THAT_IS_WHAT.match(said)):
            found.update(named)
        elif _COMES_FROM.match(said) and not _HOLDS.search(said):
            words = frozenset(_WORD.findall(said))
            found.update(mention for mention in named if not words.isdisjoint(owners.get(mention.name, ())))
    return frozenset(found)
