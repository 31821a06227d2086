"""Answers that follow from all needles: comparisons, counts and sums; tallies, entries that list words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice, pairwise
from math import gcd, prod

from niah.errors import HaystackError
from niah.needles.families.schema import SUMS, Compute, Tally, choices_of
from niah.needles.families.writer import (
    FamilyDraw,
    FilledTemplate,
    TemplateWriter,
    distractors_of,
    near_misses,
    needles_of,
)
from niah.needles.needle_set import Element, NeedleSet, number_words
from niah.text.mentions import mention_spans
from niah.text.sentences import split_sentences
from niah.text.templates import join_names

_IN_ORDER = ("ascending", "descending")
_Worked = tuple[Sequence[FilledTemplate], Sequence[tuple[str, ...]], FamilyDraw]
"""What is stated, a text for each needle; the names of elements that each carries; the answer."""


def draw_computed(writer: TemplateWriter, compute: Compute, k: int, near: int) -> FamilyDraw:
    """``k`` needles without ties, the answer that follows from all, and ``near`` hard distractors at most."""
    templates = writer.templates("needles", writer.family.needles)
    work = {"count": _counted, "commonest": _commonest, "sums": _summed}.get(compute.answer, _compared)
    stated, carried, drawn = work(writer, templates, compute, k)
    needles = needles_of("needle", [writer.in_passage(each).text for each in stated], carried)
    ordered = compute.answer in _IN_ORDER
    return replace(drawn, needles=needles, hard=near_misses(writer, templates, near), ordered=ordered)


def _compared(writer: TemplateWriter, templates: Iterator[str], compute: Compute, k: int) -> _Worked:
    """The elements sorted by number: all of them, or the first; then the others are traps."""
    stated = [writer.write(next(templates), {compute.of: writer.draw(compute.of)}) for _ in range(k)]
    elements = [(each.values[compute.of], writer.element(each)) for each in stated]
    descends = compute.answer in ("greatest", "descending")

    def ordinal(value: str) -> int:  # a number, or that of a day written year first
        return date.fromisoformat(value).toordinal() if "-" in value[1:] else int(value)

    ranked = sorted(elements, key=lambda each: ordinal(each[0]), reverse=descends)
    asked = tuple(element for _, element in (ranked if compute.answer in _IN_ORDER else ranked[:1]))
    carried = [(element.name,) if element in asked else () for _, element in elements]
    traps = tuple(element for _, element in ranked[len(asked) :])
    return stated, carried, FamilyDraw(asked, traps=traps, extra={"value": ranked[0][0]}, offered=k)


def _counted(writer: TemplateWriter, templates: Iterator[str], compute: Compute, k: int) -> _Worked:
    """How many have the choice that is counted, 2 to ``k`` - 1; those needles carry the derived number."""
    options, rng = _choices(writer, compute), writer.values.random("count")
    counted, *others = rng.sample(options, len(options))
    number = rng.randint(2, k - 1)
    choices = [counted] * number + [rng.choice(others) for _ in range(k - number)]
    rng.shuffle(choices)
    element = Element(str(number), number_words(number), derived=True)
    stated = [writer.write(next(templates), {compute.of: choice}) for choice in choices]
    carried = [(element.name,) if choice == counted else () for choice in choices]
    return stated, carried, FamilyDraw((element,), extra={"counted": counted}, offered=k - 2)


def _commonest(writer: TemplateWriter, templates: Iterator[str], compute: Compute, k: int) -> _Worked:
    """The choice that most needles have, by two at least; these carry it, though others name it too."""
    options, rng = _choices(writer, compute), writer.values.random("commonest")
    first, *others = rng.sample(options, len(options))
    # Of the rest each has two fewer at most: shared out evenly they would have ``even`` each.
    least = -(-(k - 2) // len(options)) + 2
    number = rng.randint(min(least, k), min(least + k // len(options), k))
    choices = [first] * number + [others[place % len(others)] for place in range(k - number)]
    rng.shuffle(choices)
    stated = [writer.write(next(templates), {compute.of: choice}) for choice in choices]
    traps = tuple(Element(other) for other in others if other in choices)
    carried = [(first,) if choice == first else () for choice in choices]
    drawn = FamilyDraw((Element(first, derived=True),), traps=traps, offered=1 + len(traps))
    return stated, carried, drawn


def _summed(writer: TemplateWriter, templates: Iterator[str], compute: Compute, k: int) -> _Worked:
    """The sum of the numbers for each of three names; no sum is equal to another, or to a number."""
    rng, names = writer.values.random("sums"), [writer.draw(compute.by) for _ in range(SUMS)]
    owners = [*names, *names, *(rng.choice(names) for _ in range(k - 2 * SUMS))]
    rng.shuffle(owners)
    while True:
        numbers = [writer.draw(compute.of) for _ in owners]
        sums = dict.fromkeys(names, 0)
        for name, number in zip(owners, numbers, strict=True):
            sums[name] += int(number)
        totals = {name: str(total) for name, total in sums.items()}
        if len({*totals.values(), *numbers}) == len(set(numbers)) + SUMS:
            break
    pairs = zip(owners, numbers, strict=True)
    said = [{compute.by: name, compute.of: number} for name, number in pairs]
    stated = [writer.write(next(templates), values) for values in said]
    elements = tuple(Element(total, key=name, derived=True) for name, total in totals.items())
    listed = join_names(tuple(f"{name} {total}" for name, total in totals.items()))
    carried = [(totals[name],) for name in owners]
    return stated, carried, FamilyDraw(elements, extra={"totals": listed})


def _choices(writer: TemplateWriter, compute: Compute) -> list[str]:
    return list(dict.fromkeys(choices_of(writer.family.each[compute.of])))


_ASKED = 3
_RARE_PER_ENTRY, _RARE_TIMES = 4, 3
_VARIES = 0.4  # of the mean length: by so much may an entry begin or end earlier or later
_ZIPF_PER_ENTRY, _ZIPF_ALPHA = 8, 2.0
_WORDS = (4, 8)  # of an entry that others' entries go on with
_BETWEEN = 3  # how much oftener a word of the answer comes, at least


def draw_tally(writer: TemplateWriter, tally: Tally, k: int, near: int) -> FamilyDraw:
    """``k`` entries in which the words asked for outnumber all others, and ``near`` hard distractors."""
    rng = writer.values.random("tally")
    asked = tally.asked if tally.law == "common" else _ASKED
    counts = common_counts(k, asked, tally.times) if tally.law == "common" else zipf_counts(k)
    words = [writer.draw(writer.family.element) for _ in counts]
    every = [word for word, times in zip(words, counts, strict=True) for _ in range(times)]
    if tally.times:  # shuffled, into entries of different lengths
        rng.shuffle(every)
        mean = len(every) / k
        ends = [round((place + rng.uniform(-_VARIES, _VARIES)) * mean) for place in range(1, k)]
        dealt = [every[first:last] for first, last in pairwise([0, *ends, len(every)])]
    else:  # to the entries in turn
        seat = rng.randrange(k)
        dealt = [every[(place - seat) % k :: k] for place in range(k)]
        for entry in dealt:
            rng.shuffle(entry)
        rng.shuffle(dealt)
    templates = writer.templates("entries", tally.entries)
    right = words[:asked]
    texts = [writer.write(next(templates), {"words": join_names(tuple(entry))}).text for entry in dealt]
    needles = needles_of("entry", texts, [tuple(word for word in right if word in entry) for entry in dealt])
    elsewhere, wrong = list[str](), list[tuple[Element, ...]]()
    for place in range(near if writer.family.change else 0):  # entries of another tally
        one, other = (writer.draw(writer.family.element) for _ in range(2))
        said = {**writer.changed(place), "words": join_names((one, other, one, one))}
        elsewhere.append(writer.write(next(templates), said).text)
        wrong.append((Element(one), Element(other)))
    hard, traps = distractors_of(elsewhere, wrong), tuple(map(Element, words[asked:]))
    return FamilyDraw(tuple(map(Element, right)), needles, hard=hard, traps=traps)


def common_counts(k: int, asked: int = _ASKED, times: int | None = None) -> tuple[int, ...]:
    """How often each word comes in ``k`` entries, the ``asked`` common ones first; any other is rare."""
    # In most entries, and any other at most a third as often; or ``times`` times, and others three times.
    common = times or max(3, k - k // 5)
    rare = _RARE_TIMES if times else common // _ASKED
    whole, rest = divmod(_RARE_PER_ENTRY * k, rare)
    return (common,) * asked + (rare,) * whole + ((rest,) if rest else ())


def zipf_counts(k: int) -> tuple[int, ...]:
    """How often each word comes in ``k`` entries, by rank r as r ** -2 (RULER's frequent words)."""
    total = _ZIPF_PER_ENTRY * k
    ranks = range(1, 2 * _ZIPF_PER_ENTRY)
    norm = sum(rank**-_ZIPF_ALPHA for rank in ranks)
    counts = [max(1, round(total * rank**-_ZIPF_ALPHA / norm)) for rank in ranks]
    kept = 1 + next((i for i in range(len(counts)) if sum(counts[: i + 1]) >= total), len(counts) - 1)
    counts = counts[: max(kept, _ASKED + 2)]
    for place in range(_ASKED - 1, -1, -1):  # where rounding would let the fourth come as often
        counts[place] = max(counts[place], counts[place + 1] + 1)
    return tuple(counts)


def further_entries(
    writer: TemplateWriter, tally: Tally, drawn: NeedleSet, seed: int, instance: int, number: int
) -> list[str]:
    """So many entries of coined words, each three times at most. Raises HaystackError: none left."""
    counts = count_words(drawn, "\n".join(needle.text for needle in drawn.needles))
    times = min(_RARE_TIMES, max(1, min(counts[element.name] for element in drawn.elements) // _BETWEEN))
    rng = writer.values.random("entries")
    if tally.times is None:
        lengths, longest = [rng.randint(*_WORDS) for _ in range(number)], _WORDS[1]
    else:  # as many as the longest needle has; short ones mostly, to make up many counts of tokens
        longest = round(sum(counts.values()) / len(drawn.needles) * (1 + 2 * _VARIES))
        lengths = [rng.randint(2, rng.randint(2, longest)) for _ in range(number)]
    parts = (-(-sum(lengths) // times), number * longest // times, instance)
    words = _coined(tally.others, seed, drawn, *parts) * times
    rng.shuffle(words)
    rest, entries = iter(words), list[str]()
    # Into an entry of one sentence nothing can be put.
    whole = [entry for entry in tally.entries if len(split_sentences(entry)) == 1] or tally.entries
    for length, template in zip(lengths, writer.templates("entries", whole), strict=False):
        entries.append(writer.write(template, {"words": join_names(tuple(islice(rest, length)))}).text)
    return entries


def count_words(needle_set: NeedleSet, text: str) -> Counter[str]:
    """How often each of a tally's own words comes in a text; coined ones are not counted."""
    words = (*needle_set.elements, *needle_set.traps)
    return Counter({word.name: len(mention_spans(text, word.names)) for word in words})


def _coined(
    parts: Sequence[Sequence[str]], seed: int, drawn: NeedleSet, count: int, most: int, instance: int
) -> list[str]:
    """``count`` words of one part of each list, of the ``most`` of an instance alone, in seeded order."""
    total = prod(map(len, parts))
    rng = random.Random(f"{drawn.name.partition('@')[0]}|{seed}|entries")
    first, step = rng.randrange(total), rng.randrange(1, total + 1)
    while gcd(step, total) != 1:  # coprime to the total, so that every place comes once
        step = step % total + 1
    own = (*drawn.elements, *drawn.traps)
    taken = {part for word in own for name in word.names for part in name.casefold().split()}
    most += len(taken)
    if (instance + 1) * most > total:
        problem = f"the haystack entries has no words left: {total:,} can be coined."
        raise HaystackError(problem, "Use a shorter length, or add to `tally.others` of the family.")
    words = list[str]()
    for place in range(instance * most, (instance + 1) * most):
        word, rest = "", (first + place * step) % total
        for part in parts:
            rest, at = divmod(rest, len(part))
            word += part[at]
        if word.casefold() not in taken:
            words.append(word)
        if len(words) == count:
            break
    return words
