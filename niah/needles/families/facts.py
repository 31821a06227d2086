"""Facts and riddles: needles that each state one thing, and what is nearly right beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from niah.needles.families.passages import Composer
from niah.needles.families.writer import FamilyDraw, FilledTemplate, TemplateWriter
from niah.needles.needle_set import Distractor, Element, Needle, Passage


def draw_facts(writer: TemplateWriter, k: int, near: int, composer: Composer | None) -> FamilyDraw:
    """``k`` facts, as the family's kind wants them stated, and at least ``near`` hard distractors."""
    family = writer.family
    templates = writer.templates("needles", family.needles)
    if family.kind == "unanswerable":
        return FamilyDraw(hard=near_misses(writer, templates, near, composer))
    asked = 1 if family.kind == "multi-key" else k
    stated: list[FilledTemplate] = []
    texts: list[str] = []
    for _ in range(asked):
        stated.append(writer.write(next(templates)))
        # Composed at once, so that a larger set begins with the needles of the smaller one.
        whole = composer.compose([stated[-1].text]) if composer and not family.nested else stated[-1].text
        texts.append(whole)
    elements = tuple(map(writer.element, stated))
    passages: tuple[Passage, ...] = ()
    if family.nested and composer:
        needles, passages = _nested(writer, texts, elements, composer)
    else:
        needles = tuple(
            Needle(f"needle-{position + 1}", text, (element.name,))
            for position, (text, element) in enumerate(zip(texts, elements, strict=True))
        )
    needed, hard = _rivals(writer, templates, stated, k, near)
    if not needed and not hard:
        hard = near_misses(writer, templates, near, None if family.nested else composer)
    return FamilyDraw(elements, needles, passages, first=needed, hard=hard)


def _rivals(
    writer: TemplateWriter, templates: Iterator[str], stated: list[FilledTemplate], k: int, near: int
) -> tuple[tuple[Distractor, ...], tuple[Distractor, ...]]:
    """The distractors that a kind needs, and more of the same; none for most kinds."""
    kind = writer.family.kind
    if kind == "conflicting":
        older = _older(writer, stated)
        return older, _others(writer, templates, max(0, near - k), start=k)
    count = {"multi-key": k - 1, "multi-query": k}.get(kind)
    if count is None:
        return (), ()
    others = _others(writer, templates, max(count, near))
    return others[:count], others[count:]


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


def near_misses(
    writer: TemplateWriter, templates: Iterator[str], count: int, composer: Composer | None
) -> tuple[Distractor, ...]:
    """Needles with one of the set's attributes drawn anew; none of a family that changes none.

    Such a one would be no distractor but one more needle.
    """
    distractors = []
    for position in range(count if writer.family.change else 0):
        change = writer.changed(position)
        written = writer.write(next(templates), change)
        if composer:
            shared: Mapping[str, str] = {**writer.shared, **change}
            written = FilledTemplate(composer.compose([written.text], shared), written.values)
        distractors.append(writer.distractor("hard", position, written))
    return tuple(distractors)


def _others(
    writer: TemplateWriter, templates: Iterator[str], count: int, start: int = 0
) -> tuple[Distractor, ...]:
    """The same statements of keys that nobody asks for."""
    return tuple(
        writer.distractor("hard", start + position, writer.write(next(templates)))
        for position in range(count)
    )


def _older(writer: TemplateWriter, stated: list[FilledTemplate]) -> tuple[Distractor, ...]:
    """What used to be said of the same keys."""
    key = writer.family.key
    templates = writer.templates("older", writer.family.older)
    return tuple(
        writer.distractor("hard", position, writer.write(next(templates), {key: written.values[key]}))
        for position, written in enumerate(stated)
    )


def draw_riddle(writer: TemplateWriter, near: int) -> FamilyDraw:
    """One of the family's riddles, and ``near`` hard distractors about it."""
    riddles = writer.family.riddles
    riddle = riddles[writer.values.random("riddle").randrange(len(riddles))]
    written = writer.write(riddle.needle)
    element = writer.element(written)
    templates = writer.templates("hard", riddle.hard)
    return FamilyDraw(
        elements=(element,),
        needles=(Needle("needle-1", written.text, (element.name,)),),
        hard=tuple(
            writer.distractor("hard", position, writer.write(next(templates))) for position in range(near)
        ),
        extra={writer.family.element: element.name},
        question=riddle.question,
        answer=riddle.answer,
    )
