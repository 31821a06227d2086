"""The deterministic judge: a score from elements found, wrong elements and self-doubt. No LLM, no I/O.

The rubric is the u-niah paper's (section 3.1.3). Its words are made countable by one measure, the
Jaccard index between what was asked for and what the answer claims:

    agreement = found / (elements + wrong)

| score | rubric                                | here                                                       |
| ----- | ------------------------------------- | ---------------------------------------------------------- |
| 10    | aligned, order and wording free       | all found, nothing wrong, not taken back (hedged or not)   |
| 7     | aligned with minor omissions          | agreement >= 2/3 and either nothing missing or nothing     |
|       |                                       | wrong: 5 of 7, or all 3 with 1 wrong                       |
| 5     | moderate relevance, with inaccuracies | agreement >= 1/3: 1 of 3; 2 of 3 with 1 wrong; the right   |
|       |                                       | number and a wrong one; missing and wrong at any           |
|       |                                       | agreement; complete, but then it is open what stands       |
| 3     | minor relevance, not aligned          | something found, agreement below 1/3                       |
| 1     | unrelated or totally wrong            | nothing found; whatever was found, but then taken back     |

Why thirds: the paper's smallest sets have three needles, and there "minor omissions" can only mean one of
three left out, "moderate" one of three left. Why the index: an invented element costs as much as one left
out, so naming every candidate never pays. An answer that both omits and invents is "with inaccuracies",
5 at most.

Self-doubt (section 5.2.2). The paper calls a hedged complete answer "complete and accurate" and its doubt
"noteworthy": a hedge is recorded in ``self_doubt`` and costs nothing, since the rubric asks for alignment
and not for tone. What stands in the end counts: a refusal that comes before a complete answer is a hedge; an
answer that ends in a refusal of all of it is none ("none of this is in the text, I take it back"): 1,
complete or not. What alone is withdrawn ("I take the coat back") is not found, and the rest stands. Where
the end of a complete answer only says that the text does not put it so ("not explicitly mentioned"), it is
open what stands: 5. A refusal is self-doubt too.

A question that the text does not answer (no elements) has another right answer: to say so.

| score | of a set without elements                                                              |
| ----- | -------------------------------------------------------------------------------------- |
| 10    | says that the text does not tell, and claims no wrong element (hedged or not)          |
| 5     | says so, and names a wrong element as well: claimed first and then taken back          |
| 1     | claims a wrong element; or neither says so nor names any: it answered, nobody can tell |
|       | with what                                                                              |

There a refusal is no self-doubt, since it is what the text bears out. An element that the answer rules out
("Lunaris brews with pearl dust, but for Starlight nothing is said") is not claimed, as everywhere. Nor,
beside a right element or a refusal, is one left with its owner: see ``niah.judges.rubric.attribution``. A
right value told as another thing's, and a wrong one as what was asked for, is not found: see
``niah.judges.rubric.owners.told_apart``.

Where elements have keys (three gates, each with its code), a value counts only with its own key. A right
value given to another key is a wrong element, "17685 (copper gate)"; given to its own too, it is also found.
``niah.judges.rubric.keys`` reads which key has which value.

Where the elements are asked for in an order, those out of it are wrong elements ("Corrow (out of order)") and
not found: see ``misplaced_elements``. They come as the answer says that they do ("Last: A. First: B."), which
need not be as it names them.

Before anything is counted the answer is read (``niah.judges.rubric.reading.answer_reading``): what it states
in the end outweighs what it shows on the way, and what its structure sets apart claims nothing. The reason
says which part was taken as the answer.

Wrong elements are those that the distractors plant, the traps, numbers and codes of the elements' shape,
and items of a list that are nothing in the needle set: ``niah.judges.rubric.hallucinated_items``.

A question without elements that has short reference answers is judged as if the shortest were its only
element and the others its aliases; the reason says so. One with options, or with long references alone, does
not suit the rubric.

What it cannot see: an invention outside of a list, or that may be a paraphrase of an element; and a key
that nobody asked for, unless its last word is the one that all keys end in ("plum gate" beside three gates).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.references import is_unanswerable, with_elements
from niah.judges.rubric.attribution import attributed_elsewhere, told_of_another
from niah.judges.rubric.choices.asked_negatively import denied_as_asked
from niah.judges.rubric.choices.option_letters import with_letters
from niah.judges.rubric.choices.yes_no import asks_yes_or_no, yes_and_no, yes_or_no
from niah.judges.rubric.codes import hallucinated_codes, misread_codes
from niah.judges.rubric.doubt import Doubt, detect_doubt
from niah.judges.rubric.elements.answer_names import names_of, wrong_elements
from niah.judges.rubric.elements.derived import without_its_needle
from niah.judges.rubric.elements.either import left_open
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.elements.headed_points import headed_points
from niah.judges.rubric.elements.labelled_numbers import labelled_numbers
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.ordered.order import misplaced_elements
from niah.judges.rubric.elements.ordered.told_order import untold
from niah.judges.rubric.forms.bounds import bounded_to_the_other_side
from niah.judges.rubric.forms.names.surnames import surnames_alone
from niah.judges.rubric.forms.wrong_values import wrong_values
from niah.judges.rubric.hallucinated_items import hallucinated_items
from niah.judges.rubric.keys.claimed import claimed_elements
from niah.judges.rubric.keys.invented_numbers import invented_counts, invented_numbers
from niah.judges.rubric.keys.untold_dollars import untold_dollars
from niah.judges.rubric.languages.detect import languages_of
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import mask_mentions, ruled_out
from niah.judges.rubric.normalise import normalise, spaced, strip_reasoning, tidy
from niah.judges.rubric.owners.direction import told_the_other_way
from niah.judges.rubric.owners.other_currency import told_in_dollars
from niah.judges.rubric.owners.own_labels import without_own_labels
from niah.judges.rubric.owners.rates import told_at_another_rate
from niah.judges.rubric.paraphrase.eastern import stated_eastern_facts
from niah.judges.rubric.paraphrase.facts import stated_facts
from niah.judges.rubric.reading.answer_reading import AnswerReading, read_answer
from niah.judges.rubric.reading.invented_claims import invented_claims
from niah.judges.rubric.reading.mended.disowned import disowned
from niah.judges.rubric.reading.mended.fallen_short import fallen_short
from niah.judges.rubric.reading.mended.overruled_refusal import overrules_its_refusal
from niah.judges.rubric.reading.mended.standing import Standing, in_the_end
from niah.judges.rubric.reading.mended.withdrawn_part import withdrawn_part
from niah.judges.rubric.reading.spans import without_spans
from niah.judges.rubric.reading.statements import tidied_question
from niah.judges.rubric.reading.structure.noted_values import noted_values
from niah.judges.rubric.reading.sums import gone_into_others, totals_beside_parts
from niah.judges.rubric.reading.unsure import CountedAnswer, open_reading
from niah.judges.rubric_version import RUBRIC_VERSION
from niah.judges.verdict import Score, Unsure, Verdict

_LONGEST_KEPT = 1000
"""Characters of an answer up to which its verdict is kept."""

_OWN_QUESTION = lazy_pattern(
    r"^[ \t*#>]*(?:question|q)(?:[ \t]+\d+)?[ \t*]*:[ \t*]*(\S[^\n]*)", re.IGNORECASE | re.MULTILINE
)
_DIGIT = re.compile(r"\d")


def judge_by_rubric(answer: str, key: AnswerKey) -> Verdict:
    """The verdict on ``answer``.

    Case and markdown of the answer never change it, nor does its order where that is free.

    ``found`` and ``missing`` are in the key's order; ``wrong`` is the distractors' elements and the traps in
    the key's order, then hallucinated items and right values given to wrong keys, sorted. The same answer
    always gets the same verdict.
    """
    by_reference = not (key.elements or is_unanswerable(key))
    key = with_elements(key)
    spoken = without_other_questions(strip_reasoning(answer), key)
    tidied = tidy(spoken)
    mentions = _mentions(tidied, key, spoken)
    masked = text = mask_mentions(tidied, mentions)
    withdrawn = withdrawn_part(text, mentions, key) if key.elements else None
    if withdrawn:
        text = without_spans(text, [(withdrawn.start, len(text))])
    out = _denied(text, mentions, key) | _told_otherwise(text, mentions, spoken, tidied, key)
    if withdrawn:
        out |= {m for m in mentions if m.name in withdrawn.names and m.start < withdrawn.end}
    gaps = untold(text, mentions) if key.ordered else set()
    gone = gone_into_others(tidied, mentions)
    out |= gaps | gone.keys() | set(totals_beside_parts(tidied, mentions, key))
    doubts = detect_doubt(text, mentions, key)
    if mentions and (doubts == "withdrawn" or any(one.right and one not in out for one in mentions)):
        said = without_own_labels(spaced(text))
        out |= attributed_elsewhere(said, mentions, key)
        out |= told_of_another(said, mentions, out, key)
        out.update(disowned(said, mentions, key), noted_values(said, mentions, key))
    reading = read_answer(spoken, tidied, mentions, out, key)
    out = (out - reading.restored) | reading.apart
    if doubts == "withdrawn" and reading.before:
        live = [mention for mention in mentions if mention not in reading.overruled]
        doubts = detect_doubt(without_spans(text, [(0, reading.before)]), live, key)
    silent = out | reading.overruled
    stated = without_spans(tidied, reading.on_the_way)
    claimed = claimed_elements(spaced(stated), mentions, silent, key)
    misplaced = misplaced_elements(text, mentions, silent, key)
    in_place = claimed.found - misplaced
    in_place -= without_its_needle(in_place, key)
    found = tuple(element.name for element in key.elements if element.name in in_place)
    missing = tuple(element.name for element in key.elements if element.name not in in_place)
    beside = mentions
    if reading.on_the_way:
        beside = [mention for mention in mentions if stated[mention.start] == tidied[mention.start]]
        masked = mask_mentions(stated, beside)
    invented = hallucinated_items(reading.answer, masked, key, (*found, *misplaced), named=bool(beside))
    if missing:
        invented |= _values_in_place_of(missing, masked, key, has_digits=bool(_DIGIT.search(stated)))
        invented |= untold_dollars(spoken, spaced(masked), missing, key)
        invented = _with_sums(invented, frozenset(gone.values()).difference(m.name for m in mentions))
    elif found:
        invented |= left_open(spaced(masked), spoken, key)
    if not key.elements and doubts == "withdrawn":
        invented |= invented_claims(spoken, key, [mention.name for mention in mentions])
    out_of_order = frozenset(f"{name} (out of order)" for name in misplaced)
    wrong = _wrong(mentions, out, reading, claimed.misgiven | invented | out_of_order, key)
    standing: Standing = "stands"
    if found:
        named = {mention.name for mention in mentions if mention.right and mention not in gaps}
        complete = not wrong and len(named) == len(found) + len(missing)
        standing, doubts = in_the_end(text, mentions, doubts, key, complete=complete)
    claiming = [mention for mention in mentions if mention not in silent]
    if wrong and not key.elements and doubts == "withdrawn" and overrules_its_refusal(text, claiming):
        doubts = "none"
    if key.elements:
        points = rubric_score(len(found), len(missing), len(wrong), standing=standing)
    else:
        points = abstention_score(len(wrong), refused=doubts == "withdrawn")
    refused = doubts == "withdrawn"
    counted = CountedAnswer(spoken, tidied, mentions, claiming, found, missing, wrong, refused)
    return Verdict(
        score=points,
        found=found,
        missing=missing,
        wrong=wrong,
        self_doubt=doubts == "hedged" or (doubts == "withdrawn" and bool(key.elements)),
        judge="rubric",
        version=RUBRIC_VERSION,
        reason=_reason(found, missing, wrong, doubts, reading, languages_of(spaced(tidied)).unknown)
        + ("; by the reference alone" if by_reference else ""),
        unsure=_unsure(counted, points, key),
    )


def _denied(text: str, mentions: Sequence[Mention], key: AnswerKey) -> set[Mention]:
    """The mentions that a masked answer denies: that they are asked for, or that they got there."""
    denied = ruled_out(text, mentions, languages_of_key(key)) if mentions else set()
    denied |= fallen_short(text, mentions, key)
    denied -= denied_as_asked(text, denied, key)
    return {mention for mention in denied if mention.name not in _quotable(key)}


def _told_otherwise(
    text: str, mentions: Sequence[Mention], spoken: str, tidied: str, key: AnswerKey
) -> set[Mention]:
    """The right numbers that a masked answer gives for another rate, side, currency or way of change."""
    numbers = [mention for mention in mentions if mention.right and any(map(str.isdigit, mention.name))]
    if not numbers:
        return set()
    told = {*told_at_another_rate(text, numbers, key), *told_the_other_way(text, numbers, key)}
    told.update(bounded_to_the_other_side(text, numbers, tidied_question(key)))
    told.update(told_in_dollars(spoken, tidied, numbers, key))
    return {mention for mention in told if mention.name not in _quotable(key)}


def _values_in_place_of(
    missing: Sequence[str], masked: str, key: AnswerKey, *, has_digits: bool
) -> frozenset[str]:
    """Other values, codes and numbers that an answer gives for elements that were not found."""
    said = spaced(masked)
    found = invented_numbers(said, missing, key)
    if has_digits:
        found |= wrong_values(said, missing, key) | misread_codes(masked, missing, key)
        found |= invented_counts(said, missing, key)
    return found


def _with_sums(invented: frozenset[str], sums: frozenset[str]) -> frozenset[str]:
    """What was invented, with sums in place of the same numbers with their units."""
    return frozenset(one for one in invented if one.split(" ")[0] not in sums) | sums


def _unsure(counted: CountedAnswer, points: Score, key: AnswerKey) -> Unsure | None:
    """What is open about an answer, if it could change the score."""
    reading = open_reading(counted, key)
    if reading is None:
        return None
    lowest, highest = min(points, rubric_score(*reading.worst)), max(points, rubric_score(*reading.best))
    return Unsure(reading.reason, lowest, highest) if lowest < highest else None


def rubric_score(found: int, missing: int, wrong: int, *, standing: Standing = "stands") -> Score:
    """The score for so many elements found, missing and wrong (the table at the top of this module)."""
    if not found:
        return 1
    if standing == "taken back":
        return 1
    if not (missing or wrong):
        return 10 if standing == "stands" else 5
    asked_or_said = found + missing + wrong
    if 3 * found >= 2 * asked_or_said and not (missing and wrong):
        return 7
    return 5 if 3 * found >= asked_or_said else 3


def abstention_score(wrong: int, *, refused: bool) -> Score:
    """The score where there is nothing to find (the second table at the top of this module)."""
    if not refused:
        return 1
    return 5 if wrong else 10


def without_other_questions(answer: str, key: AnswerKey) -> str:
    """``answer`` up to the line in which it turns to a question of its own: "Question: And who ...?".

    It turns to another one only after it has named something, right or wrong; and the question that was
    asked may be repeated.

    Args:
        answer: without reasoning.
        key: what was asked.
    """
    if ":" not in answer:
        return answer
    start, named = 0, False
    for own in _OWN_QUESTION.finditer(answer):
        named = named or bool(find_mentions(normalise(answer[start : own.start()]), names_of(key)))
        start = own.start()
        if named and not normalise(key.question).startswith(normalise(own[1]).rstrip()):
            return answer[:start]
    return answer


def _mentions(tidied: str, key: AnswerKey, spoken: str = "") -> list[Mention]:
    """What a text names, in reading order; surnames alone if ``spoken`` has its capitals."""
    text = spaced(tidied)
    mentions = with_letters(text, find_mentions(text, names_of(key)), key)
    if asks_yes_or_no(key):
        mentions = yes_and_no(text, key) or mentions or yes_or_no(text, key)
    mentions += surnames_alone(spoken, text, mentions, key) if spoken else ()
    mentions += stated_facts(text, mentions, key)
    mentions += stated_eastern_facts(text, mentions, key)
    mentions += headed_points(text, mentions, key)
    mentions += labelled_numbers(text, mentions, key, spoken)
    mentions += hallucinated_codes(tidied, key, mentions)
    return sorted(mentions, key=lambda mention: mention.start)


@lru_cache(maxsize=256)
def _quotable(key: AnswerKey) -> frozenset[str]:
    """Elements that the needle set itself names in words that sound like a denial: never ruled out.

    A reader may quote "the potion is not green but golden mist" to the letter.
    """
    names: set[str] = set()
    for said in map(tidy, (*key.references, *(needle.text for needle in key.needles))):
        mentions = _mentions(said, key)
        names |= {
            mention.name for mention in ruled_out(mask_mentions(said, mentions), mentions) if mention.right
        }
    return frozenset(names)


def _wrong(
    mentions: Sequence[Mention],
    out: set[Mention],
    reading: AnswerReading,
    others: frozenset[str],
    key: AnswerKey,
) -> tuple[str, ...]:
    """Wrong elements that the answer claims; one that it rules out anywhere is claimed only in the end."""
    excused = {mention.name for mention in out} - (reading.final.names if reading.final else frozenset())
    live = (mention for mention in mentions if mention not in out and mention not in reading.overruled)
    named = {mention.name for mention in live if not mention.right} - excused
    if not (named or others):
        return ()
    planted = _planted(key)
    return (*(name for name in planted if name in named), *sorted(named.difference(planted) | others))


@lru_cache(maxsize=256)
def _planted(key: AnswerKey) -> dict[str, None]:
    """Names of the wrong elements that the needle set plants, in its order."""
    return dict.fromkeys(element.name for element in wrong_elements(key))


def _reason(
    found: Sequence[str],
    missing: Sequence[str],
    wrong: Sequence[str],
    doubts: Doubt,
    reading: AnswerReading,
    unknown: Sequence[str],
) -> str:
    asked = len(found) + len(missing)
    parts = [f"{len(found)} of {asked} found" if asked else "nothing to find"]
    if missing and found:
        parts.append(f"missing: {', '.join(missing)}")
    if wrong:
        parts.append(f"wrong: {', '.join(wrong)}")
    if doubts == "withdrawn":
        parts.append("taken back" if found else "refused")
    elif doubts == "hedged":
        parts.append("hedged")
    if reading.final:
        parts.append(f"taken as the answer: {reading.final.label}")
    if unknown:
        parts.append(f"refusals and denials are not read in {' and '.join(unknown)}")
    return "; ".join(parts)


def recalled_verdict(answer: str, key: AnswerKey) -> Verdict:
    """As ``judge_by_rubric``, remembered where the answer is short.

    Readers give the same one at many lengths and depths, and every night again.
    """
    return _kept_verdict(answer, key) if len(answer) <= _LONGEST_KEPT else judge_by_rubric(answer, key)


_kept_verdict = lru_cache(maxsize=4096)(judge_by_rubric)
