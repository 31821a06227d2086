"""``niah check``: needle sets that hold together, and cannot be asked fairly all the same."""

from __future__ import annotations

from collections.abc import Iterator

from niah.cases.sample import AnswerKey, answer_key
from niah.errors import ConfigError
from niah.judges.registry import rules_for
from niah.judges.verdict import HIGHEST, LOWEST, is_unanswerable
from niah.needles.families.checks import check_draws
from niah.needles.families.load import load_family
from niah.needles.load import find_needle_set, is_family, load_needle_set, split_name
from niah.needles.needle_set import NeedleSet


def check_needle_sets(name: str) -> Iterator[tuple[list[NeedleSet], list[ConfigError]]]:
    """The needle set of a name, or of each size of a family one a seed; and mistakes. Raises UserError."""
    if is_family(name):
        _, family = load_family(name)
        for k in sorted({family.fewest, *(min(size, family.most) for size in (7, 60))}):
            yield from check_needle_sets(f"{name}@{k}")
        return
    sized, mistakes = split_name(name), list[ConfigError]()
    path = load_family(sized[0])[0] if sized else find_needle_set(name)
    drawn = [load_needle_set(name, seed) for seed in (range(1, 6) if sized else (1,))]
    try:
        if sized and len({frozenset(each.elements) for each in drawn}) == 1:
            check_draws(path, [load_needle_set(name, seed) for seed in range(1, 21)])
    except ConfigError as error:
        mistakes.append(error)
    where = f"in {drawn[0].name}, " if sized else ""
    wrong = next(filter(None, (list(misjudged_texts(answer_key(each))) for each in drawn)), [])
    mistakes += (ConfigError(path, key, f"{where}{said}") for key, said in wrong)
    yield drawn, mistakes


def misjudged_texts(key: AnswerKey) -> Iterator[tuple[str, str]]:
    """Key and fault of what the judge without a model gets wrong of the question's own texts. The reference
    answer must score 10, no single needle 10 where several have to be found, and a refusal 1 (10 where the
    text does not answer)."""
    judge = rules_for(key)
    verdict = judge.verdict(key.answer, key)
    if verdict.score != HIGHEST:
        scored = f"the {verdict.judge} scores the reference answer {verdict.score:g}: {verdict.reason}."
        yield "answer", f"{scored} Name every element in it, or an alias, and nothing else."
    carriers = [place for place, needle in enumerate(key.needles) if needle.elements]
    if len(key.elements) > 1 < len(carriers) and key.kind not in ("multi-hop", "aggregation", "story"):
        for place in carriers[:60]:
            if judge.verdict(key.needles[place].text, key).score == HIGHEST:
                alone = f"alone it answers the whole question, and {len(carriers)} needles carry the answer."
                yield f"needles.{place}.text", f"{alone} Leave a part of the answer to the others."
    wanted = HIGHEST if is_unanswerable(key) else LOWEST
    for refusal in ("The text does not say.", "There is no information about this in the text."):
        if (score := judge.verdict(refusal, key).score) != wanted:
            scored = f"the refusal {refusal!r} scores {score:g}, not {wanted}."
            yield "elements", f"{scored} Name elements by words that are not part of it."
            return
