"""A needle set drawn from a family: NAME@K, the same for the same seed everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, cycle, islice, zip_longest
from pathlib import Path

from niah.errors import ConfigError, HaystackError, NeedleError
from niah.needles.checks import check_needle_set
from niah.needles.conversations import draw_conversation
from niah.needles.families.chains import draw_chain, draw_graph
from niah.needles.families.checks import template_words
from niah.needles.families.computed import draw_computed, draw_tally
from niah.needles.families.load import load_family
from niah.needles.families.schema import Family, Repeated, Riddle, Story, choices_of
from niah.needles.families.writer import (
    Composer,
    FamilyDraw,
    FilledTemplate,
    SlotValues,
    TemplateWriter,
    distractors_of,
    near_misses,
    needles_of,
)
from niah.needles.needle_set import (
    Distractor,
    Element,
    Hardness,
    Needle,
    NeedleSet,
    Passage,
    number_words,
    question_with_options,
)
from niah.needles.stories.world import TASKS, Cast, Plot
from niah.text.templates import join_names, render_line
from niah.text.tokenizer import count, get_tokenizer

_FEWEST = 6
_MOST_DISTRACTORS = 30
_ATTEMPTS = 4


def draw_needle_set(name: str, k: int, seed: int) -> NeedleSet:
    """The family's set of ``k`` needles as ``seed`` draws it. Raises UserError where it has none."""
    path, family = load_family(name)
    if not family.fewest <= k <= family.most:
        nearest = min(max(k, family.fewest), family.most)
        problem = f"{family.name}@{k}: the family has sets of {family.fewest} to {family.most:,} needles."
        raise NeedleError(problem, f"Ask for {family.name}@{nearest}.")
    return _drawn(path, family, k, seed)


@lru_cache(maxsize=256)
def _drawn(path: Path, family: Family, k: int, seed: int) -> NeedleSet:
    from jinja2 import TemplateError

    try:
        needle_set = _draw(family, k, seed)
    except HaystackError as error:
        raise NeedleError(f"{path}: {family.name}@{k}: {error.message}", error.remedy) from None
    except TemplateError as error:
        problem = f"a template cannot be filled in: {str(error.message).rstrip('.')}."
        raise ConfigError(path, "", problem, "Slots look like this: {{ town }}.") from None
    check_needle_set(path, needle_set)
    return needle_set


def _draw(family: Family, k: int, seed: int) -> NeedleSet:
    writer = TemplateWriter(family, SlotValues(seed, family.salt, template_words(family)))
    # A third each are hard, medium and easy.
    level = -(-max(_FEWEST, min(k, k if family.kind == "unanswerable" else _MOST_DISTRACTORS)) // 3)
    part = next((name for name in _BUILDERS if getattr(family, name)), "")
    drawn = _BUILDERS[part](writer, getattr(family, part), k, level) if part else _facts(writer, k, level)
    names, keys = (tuple(getattr(each, what) for each in drawn.elements) for what in ("name", "key"))
    known = {**writer.shared, **(drawn.extra or {}), "k": str(k)}
    known |= {"elements": join_names(names), "keys": join_names(keys)}
    question = render_line(drawn.question or family.question, known)
    # One of each level in turn, so that however few a suite takes, they are mixed.
    others = (_others(writer, "medium", family.medium, level), _others(writer, "easy", family.easy, level))
    mixed = filter(None, chain.from_iterable(zip_longest(drawn.hard, *others)))
    # Who compares or counts shows the work first.
    room = (256 if family.compute or family.story else 64) + 24 * len(drawn.elements)
    return NeedleSet(
        question=question_with_options(question, drawn.options),
        answer=render_line(drawn.answer or family.answer, known),
        elements=drawn.elements,
        needles=drawn.needles,
        distractors=(*drawn.first, *mixed),
        answer_tokens=drawn.answer_tokens or room,
        kind=family.kind,
        passages=drawn.passages,
        traps=drawn.traps,
        ordered=drawn.ordered,
        options=drawn.options,
    ).named(f"{family.name}@{k}", drawn.cast, drawn.offered)


def _others(
    writer: TemplateWriter, hardness: Hardness, sources: Sequence[str], count: int
) -> tuple[Distractor, ...]:
    """Distractors from a pool of templates of their own; none if the pool is empty."""
    if not sources:
        return ()
    written: dict[str, FilledTemplate] = {}
    # A template without slots says the same each time; the others then go round without it.
    for template in islice(writer.templates(hardness, sources), _ATTEMPTS * (count + len(sources))):
        each = writer.write(template)
        written.setdefault(each.text, each)
        if len(written) == count:
            break
    return writer.distractors(hardness, written.values())


def _facts(writer: TemplateWriter, k: int, near: int) -> FamilyDraw:
    """``k`` facts, as the family's kind wants them stated, and at least ``near`` hard distractors."""
    family, composer = writer.family, writer.composer
    templates = writer.templates("needles", family.needles)
    if family.kind == "unanswerable":
        return FamilyDraw(hard=near_misses(writer, templates, near))
    # Each with its passage at once, so that a larger set begins with the needles of the smaller one.
    number = 1 if family.kind == "multi-key" else k
    stated = [writer.in_passage(writer.write(next(templates))) for _ in range(number)]
    texts, elements = [each.text for each in stated], tuple(map(writer.element, stated))
    passages: tuple[Passage, ...] = ()
    if family.nested and composer:
        needles, passages = _nested(writer, texts, elements, composer)
    else:
        needles = needles_of("needle", texts, [(element.name,) for element in elements])
    # What the kind needs comes first: older statements, or those of keys that are not asked for.
    needed = {"conflicting": k, "multi-query": k, "multi-key": k - 1}.get(family.kind)
    if needed is None:
        hard = near_misses(writer, templates, near)
    else:
        rivals, key = list[FilledTemplate](), family.key
        if family.older:
            older = writer.templates("older", family.older)
            rivals = [writer.write(next(older), {key: each.values[key]}) for each in stated]
        rivals += [writer.write(next(templates)) for _ in range(max(needed, near) - len(rivals))]
        hard = writer.distractors("hard", rivals)
    ordered = family.kind == "recall-all" and k > 1
    first = needed or 0
    return FamilyDraw(elements, needles, passages, first=hard[:first], hard=hard[first:], ordered=ordered)


def _nested(
    writer: TemplateWriter, facts: list[str], elements: tuple[Element, ...], composer: Composer
) -> tuple[tuple[Needle, ...], tuple[Passage, ...]]:
    """The facts unevenly in about two thirds as many passages, and of those one in four holds none."""
    k = len(facts)
    count = max(2, round(2 * k / 3))
    holding = max(1, count - max(1, count // 4))
    rng = writer.values.random("nesting")
    homes = [*range(min(holding, k)), *(rng.randrange(holding) for _ in range(k - holding))]
    rng.shuffle(homes)
    places = list(range(count))
    rng.shuffle(places)
    ids = [f"passage-{place + 1}" for place in places]
    inside: list[list[str]] = [[] for _ in ids]
    for fact, home in zip(facts, homes, strict=True):
        inside[home].append(fact)
    texts = {name: composer.compose(held) for name, held in zip(ids, inside, strict=True)}
    needles = tuple(Needle(f"needle-{i + 1}", facts[i], (elements[i].name,), ids[homes[i]]) for i in range(k))
    return needles, tuple(Passage(name, texts[name]) for name in sorted(ids, key=lambda n: int(n[8:])))


def _riddle(writer: TemplateWriter, riddles: Sequence[Riddle], k: int, near: int) -> FamilyDraw:
    """One of the family's riddles, and ``near`` hard distractors about it."""
    riddle = riddles[writer.values.random("riddle").randrange(len(riddles))]
    written = writer.write(riddle.needle)
    element = writer.element(written)
    templates = writer.templates("hard", riddle.hard)
    hard = writer.distractors("hard", [writer.write(next(templates)) for _ in range(near)])
    needles = needles_of("needle", [written.text], [(element.name,)])
    extra, question, answer = {writer.family.element: element.name}, riddle.question, riddle.answer
    return FamilyDraw((element,), needles, hard=hard, extra=extra, question=question, answer=answer)


def _repeated(writer: TemplateWriter, repeated: Repeated, k: int, near: int) -> FamilyDraw:
    """A text of ``k`` words of which one is changed, and ``near`` hard distractors: texts of other words."""
    rng, texts = writer.values.random("repeated"), list[tuple[str, str]]()
    pairs = cycle(rng.sample(repeated.words, len(repeated.words)))
    for number, (word, changed) in enumerate(islice(pairs, near + 1)):
        words = [word] * k
        words[rng.randrange(k)] = changed
        values = {"words": " ".join(words)} | (writer.changed(number) if number else {})
        texts.append((values["words"], writer.write(repeated.text, values).text))
    (wanted, text), *others = texts
    # A place has a word, which stands in other places too.
    places = enumerate(wanted.split(), 1)
    elements = tuple(Element(f"{place}: {word}", derived=True) for place, word in places)
    return FamilyDraw(
        elements=elements,
        needles=needles_of("needle", [text], [tuple(element.name for element in elements)]),
        hard=distractors_of([text for _, text in others]),
        extra={"words": wanted},
        answer_tokens=64 + 2 * count(get_tokenizer("cl100k"), wanted),
    )


def draw_story(writer: TemplateWriter, story: Story, k: int, near: int) -> FamilyDraw:
    """A story of ``k`` facts, and ``near`` hard distractors: facts about another cast. Raises UserError."""
    taken, task = set[str](), TASKS[story.task]
    cast = _cast(writer, taken)
    plot = task.make(cast, k)
    other = task.make(_cast(writer, taken), max(near, task.fewest))
    facts = _tell(writer, story, plot)
    carried = [plot.answer if place in plot.support else () for place in range(len(facts))]
    said = {value for _, values in plot.events for value in values.values()}
    wrong = [name for name in dict.fromkeys(plot.wrong) if name in said and name not in plot.answer]
    as_words = number_words(int(plot.answer[0])) if plot.counts else ()
    return FamilyDraw(
        # What everybody may say ("loft", "two") follows from the needles and is in other texts too.
        elements=tuple(Element(name, as_words, derived=True) for name in plot.answer),
        needles=needles_of("fact", facts, carried),
        traps=tuple(map(Element, wrong)),
        hard=distractors_of(_tell(writer, story, other)[:near]),
        extra=plot.values,
        question=story.asks[plot.ask].question,
        answer=story.asks[plot.ask].answer,
        ordered=plot.ordered,
        options=plot.options,
        cast=tuple(cast.drawn),
        offered=_usual_count(writer.family, k) if plot.counts else len(_offered(writer.family, story, plot)),
    )


@lru_cache(maxsize=64)
def _usual_count(family: Family, k: int) -> float:
    """1 / the share of 200 stories with the most frequent answer, which the other half of them names."""
    answers, task = list[tuple[str, ...]](), TASKS[family.story.task if family.story else ""]
    for seed in range(200):
        writer = TemplateWriter(family, SlotValues(seed, f"{family.name}|usual", ""))
        with suppress(NeedleError, HaystackError):  # others of that size may be told
            answers.append(task.make(_cast(writer, set()), k).answer)
    halves = Counter(answers[::2]), Counter(answers[1::2])
    found = (half[other.most_common(1)[0][0]] for half, other in (halves, halves[::-1]) if other)
    return len(answers) / max(1, sum(found))


def _offered(family: Family, story: Story, plot: Plot) -> set[str]:
    """The answers that a question lists, or the facts tell; where these lack the right one, all choices."""
    question, choices = story.asks[plot.ask].question, map(choices_of, family.each.values())
    alike = {name for each in choices if {*plot.answer} & {*each} for name in each}
    if (listed := {name for name in alike if name in question}).issuperset(plot.answer):
        return listed
    filled = [(slot, value) for _, values in plot.events for slot, value in values.items()]
    offered, asked = {*plot.answer, *alike}, {*plot.values.values()} - {*plot.answer}
    for _ in range(2):  # who gives, and who is given to
        slots = {slot for slot, value in filled if value in offered}
        offered |= {value for slot, value in filled if slot in slots}
    offered &= {value for _, value in filled if value not in asked}
    return offered if offered.issuperset(plot.answer) else alike


def _cast(writer: TemplateWriter, taken: set[str]) -> Cast:
    slots, value = writer.family.each, writer.values.value
    choices = {name: choices_of(slot) for name, slot in slots.items() if choices_of(slot)}
    rng = writer.values.random("story")
    return Cast(rng, lambda slot: value(slot, slots[slot], fresh=True), choices, taken)


def _tell(writer: TemplateWriter, story: Story, plot: Plot) -> list[str]:
    templates = {name: writer.templates(f"tell|{name}", lines) for name, lines in story.tell.items()}
    return [writer.write(next(templates[name]), values).text for name, values in plot.events]


_BUILDERS: dict[str, Callable[..., FamilyDraw]] = {
    **{"graph": draw_graph, "tally": draw_tally, "conversation": draw_conversation, "story": draw_story},
    **{"riddles": _riddle, "chain": draw_chain, "compute": draw_computed, "repeated": _repeated},
}
"""What draws a family that has one of these keys, with so many hard distractors or more; else ``_facts``."""
