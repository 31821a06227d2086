"""``niah.cases``: the cases and questions of a suite, each with its context; needle sets checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from niah.cases.case import Case, id_part, parse_case_id
from niah.cases.prompts import load_prompt
from niah.cases.sample import AnswerKey, Sample, answer_key
from niah.cases.samples import LeftOut, attempt_cases, context_of, sample_of
from niah.cases.suite import load_suite
from niah.errors import ConfigError, UserError
from niah.files import YAML
from niah.haystacks.documents import haystack_names, is_entries
from niah.judges.registry import rules_for
from niah.judges.verdict import HIGHEST, LOWEST, is_unanswerable
from niah.needles.families.load import check_draws, load_family
from niah.needles.load import find_needle_set, is_family, load_needle_set, needle_set_names, split_name
from niah.needles.needle_set import NeedleSet


@dataclass(frozen=True)
class OpenedCase:
    """A case, or a question over a given document; ``answer`` is "" where the text does not answer."""

    sample: Sample
    case_id: str
    question: str
    answer: str

    @property
    def context(self) -> str:
        """The text that it is about, the same byte for byte every time."""
        return context_of(self.sample).text

    @property
    def prompt(self) -> str:
        """What a model gets that reads everything: instructions, context and question."""
        return load_prompt(self.sample.prompt).render(self.context, self.question, self.sample.key.options)


def open_cases(suite: str | Path) -> Iterator[OpenedCase]:
    """The cases and questions of a suite, by name or path, built one after another. Raises UserError."""
    loaded = load_suite(str(suite))  # a mistake is raised at once

    def samples() -> Iterator[Sample]:
        made = attempt_cases(loaded.cases, sample_of, loaded.skip)
        yield from (each for each in made if not isinstance(each, LeftOut))
        yield from loaded.question_sets.samples()

    return (OpenedCase(each, each.sample_id, each.key.question, each.key.answer) for each in samples())


def case_of_id(text: str) -> Case | None:
    """The case that an id spells out, None for other text; of a path the id has the last part, found here."""
    try:
        case = parse_case_id(text)
    except UserError:
        return None
    here = sorted(map(str, Path().iterdir()))
    if case.haystack not in haystack_names() and not is_entries(case.haystack):
        texts = (path for path in here if id_part(path) == case.haystack and not path.endswith(YAML))
        case = replace(case, haystack=next(texts, case.haystack))
    if split_name(case.needle_set) is None and case.needle_set not in needle_set_names():
        sets = (path for path in here if id_part(path) == case.needle_set and path.endswith(YAML))
        case = replace(case, needle_set=next(sets, case.needle_set))
    return case


def check_needle_sets(name: str) -> Iterator[tuple[list[NeedleSet], list[ConfigError]]]:
    """The needle set of a name or path, or of each size of a family one for each seed; and their mistakes.

    Raises UnknownName, ConfigError or NeedleError for one that cannot be drawn or contradicts itself.
    """
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
    """Key and fault of what the judge without a model gets wrong of the question's own texts.

    The reference answer must score 10, no single needle 10 where several have to be found, and a refusal 1
    (10 where the text does not answer).
    """
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
