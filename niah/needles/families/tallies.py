"""Tallies: entries that list words; the most frequent over all entries are asked for, three mostly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise
from math import gcd, prod

from niah.errors import HaystackError
from niah.needles.families.schema import Tally
from niah.needles.families.writer import FamilyDraw, TemplateWriter, hard_distractors, needles_of
from niah.needles.needle_set import Element, NeedleSet
from niah.text.mentions import mention_spans
from niah.text.sentences import split_sentences
from niah.text.templates import join_names

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
    deal = _mixed if tally.times else _dealt
    dealt = deal(dict(zip(words, counts, strict=True)), k, rng)
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
    hard, traps = hard_distractors(elsewhere, wrong), tuple(map(Element, words[asked:]))
    return FamilyDraw(tuple(map(Element, right)), needles, hard=hard, traps=traps)


def common_counts(k: int, asked: int = _ASKED, times: int | None = None) -> tuple[int, ...]:
    """How often each word comes in ``k`` entries, the ``asked`` common ones first.

    A common word comes ``times`` times, any other three times; without ``times`` in most entries, and any
    other at most a third as often. Four others to an entry.
    """
    common = times or max(3, k - k // 5)
    rare = _RARE_TIMES if times else common // _ASKED
    whole, rest = divmod(_RARE_PER_ENTRY * k, rare)
    return (common,) * asked + (rare,) * whole + ((rest,) if rest else ())


def zipf_counts(k: int) -> tuple[int, ...]:
    """How often each word comes in ``k`` entries of about eight words, the commonest first.

    The word of rank r comes in proportion to r ** -2, as RULER's frequent words (Zipf's law). The first three
    are raised where rounding would let the fourth come as often.
    """
    total = _ZIPF_PER_ENTRY * k
    ranks = range(1, 2 * _ZIPF_PER_ENTRY)
    norm = sum(rank**-_ZIPF_ALPHA for rank in ranks)
    counts = [max(1, round(total * rank**-_ZIPF_ALPHA / norm)) for rank in ranks]
    kept = 1 + next((i for i in range(len(counts)) if sum(counts[: i + 1]) >= total), len(counts) - 1)
    counts = counts[: max(kept, _ASKED + 2)]
    for place in range(_ASKED - 1, -1, -1):
        counts[place] = max(counts[place], counts[place + 1] + 1)
    return tuple(counts)


def _dealt(counts: dict[str, int], k: int, rng: random.Random) -> list[list[str]]:
    """Every word, as often as ``counts`` says, over ``k`` entries in turn; each is then shuffled."""
    words, seat = [word for word, times in counts.items() for _ in range(times)], rng.randrange(k)
    entries = [words[(place - seat) % k :: k] for place in range(k)]
    for entry in entries:
        rng.shuffle(entry)
    rng.shuffle(entries)
    return entries


def _mixed(counts: dict[str, int], k: int, rng: random.Random) -> list[list[str]]:
    """Every word, as often as ``counts`` says, shuffled into ``k`` entries of different lengths."""
    words = [word for word, times in counts.items() for _ in range(times)]
    rng.shuffle(words)
    mean = len(words) / k
    ends = [round((place + rng.uniform(-_VARIES, _VARIES)) * mean) for place in range(1, k)]
    return [words[first:last] for first, last in pairwise([0, *ends, len(words)])]


def further_entries(
    writer: TemplateWriter, tally: Tally, drawn: NeedleSet, seed: int, instance: int, number: int
) -> list[str]:
    """So many entries of coined words that come three times each at most, as RULER's uncommon words do.

    Raises HaystackError where the words are used up.
    """
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
    """``count`` words of the ``most`` that are an instance's; two instances share none.

    A word is made of one part of each list, every combination once, in an order that the seed settles.
    Raises HaystackError.
    """
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
