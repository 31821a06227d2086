"""Which wrong elements an answer leaves with their owner: "pearl dust is used at Lunaris Academy"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements import Mention, inflections
from niah.judges.rubric.normalise import normalise

_WORD = re.compile(r"[^\W_]+")
_CLAUSE_END = re.compile(
    r"[.!?;](?=\s|\Z)|[\n()\[\]]|\b(?:but|while|whereas|although|though|however|unlike|compared|contrast)\b"
)
# A list's item is claimed by its place, whatever is noted beside it: "slow knife (taken in 1394)".
_ITEM_END = re.compile(r"[ \t]*(?:[(:\n]|-[ \t]|\Z)")
_CLAIMED = re.compile(r"\b(?:also|too|plus|finally|likewise|as\s+well|includ\w+|besides|moreover)\b")
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
    bounds = [0, *(match.end() for match in _CLAUSE_END.finditer(text)), len(text) + 1]
    right = {bisect_right(bounds, mention.start) for mention in mentions if mention.right}
    return {
        mention
        for mention in wrong
        if (clause := bisect_right(bounds, mention.start)) not in right
        and not _ITEM_END.match(text, mention.end)
        and _tells(text[bounds[clause - 1] : bounds[clause]], tellings[mention.name])
    }


def _tells(clause: str, words: frozenset[str]) -> bool:
    return not (words.isdisjoint(_WORD.findall(clause)) or _CLAIMED.search(clause))


@lru_cache(maxsize=256)
def words_of_owners(key: AnswerKey) -> dict[str, frozenset[str]]:
    """Of each wrong element, the words that only the distractors that plant it use."""
    ours = [key.question, *key.references, *(needle.text for needle in key.needles)]
    shared = {form for text in ours for word in _words(text) for form in inflections(word)} | _COMMON
    tellings: dict[str, frozenset[str]] = {}
    for distractor in key.distractors:
        planted = {word for element in distractor.elements for name in element.names for word in _words(name)}
        words = frozenset(word for word in _words(distractor.text) - shared - planted if len(word) > 2)
        for element in distractor.elements:
            tellings[element.name] = tellings.get(element.name, frozenset()) | words
    return tellings


def _words(text: str) -> set[str]:
    return set(_WORD.findall(normalise(text)))
