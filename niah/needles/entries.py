"""The haystack `entries`: more of what a needle set is made of, so that it is all there is in the context.

Of a tally, as in RULER's common and frequent words, lists of coined words that come three times each at most;
of a conversation, its other turns; of other families, statements of other keys, chains, edges or sets.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from math import gcd, prod
from pathlib import Path

from niah.errors import HaystackError, NeedleError
from niah.haystacks.corpus import Corpus
from niah.haystacks.documents import ENTRIES
from niah.haystacks.load import tokenised
from niah.needles.conversations import further_turns
from niah.needles.families.chains import decoy_statements, edges_elsewhere
from niah.needles.families.check import template_words
from niah.needles.families.load import load_family
from niah.needles.families.schema import Tally
from niah.needles.families.slots import SlotValues
from niah.needles.families.tallies import VARIES
from niah.needles.families.writer import TemplateWriter
from niah.needles.load import load_needle_set, split_name
from niah.needles.needle_set import Element, ElementFinder, NeedleSet
from niah.text.mentions import mention_spans
from niah.text.sentences import split_sentences
from niah.text.templates import join_names

ABOUT_ENTRIES = (
    "more of the needle set's own list, as long as need be: for common-list@K, recall@K and the like"
)

_ENTRIES = 2_000  # in one instance, 60,000 to 100,000 tokens
_WORDS = (4, 8)
_TIMES = 3  # how often a word comes, at most (RULER's uncommon words)
_BETWEEN = 3  # how much oftener a word of the answer comes, at least
_IN_A_PARAGRAPH = 8
_CHANGES = 40  # other values of the set's slots in one batch of statements, as the needles share theirs


def has_entries(needle_set: str) -> bool:
    """Whether a needle set is of a family whose list can go on. Raises UnknownName or ConfigError."""
    sized = split_name(needle_set)
    return sized is not None and load_family(sized[0])[1].has_entries


def check_has_entries(needle_set: str) -> tuple[str, int]:
    """Family and size of a needle set whose list can go on. Raises UnknownName, or NeedleError for others."""
    sized = split_name(needle_set)
    if sized is None or not load_family(sized[0])[1].has_entries:
        raise NeedleError(
            f"the haystack {ENTRIES} is a needle set's further entries, and {needle_set} has none.",
            "Ask for common-list@K or hash-hop@K there. (A family needs `entries` or `tally.others`.)",
        )
    return sized


def load_entries(needle_set: str, tokenizer: str, seed: int, instance: int) -> Corpus:
    """One instance of the entries of a needle set, tokenised. Raises UserError."""
    check_has_entries(needle_set)
    return _load(needle_set, load_needle_set(needle_set, seed), tokenizer, seed, instance)


@lru_cache(maxsize=8)
def _load(name: str, drawn: NeedleSet, tokenizer: str, seed: int, instance: int) -> Corpus:
    path, text = entries_text(name, seed, instance)
    structure = load_family(check_has_entries(name)[0])[1].entries or "prose"
    return tokenised(ENTRIES, path, [(f"{name}-{instance}", text)], tokenizer, structure)


def entries_text(needle_set: str, seed: int, instance: int) -> tuple[Path, str]:
    """The family's file, and the text of an instance: paragraphs of entries, or lines.

    Raises NeedleError where the set has no entries, HaystackError where a tally's words are used up.
    """
    name, k = check_has_entries(needle_set)
    path, family = load_family(name)
    drawn, words = load_needle_set(needle_set, seed), template_words(family)
    values = SlotValues(seed, f"{family.name}|{ENTRIES}|{instance}", words)
    writer = TemplateWriter(family, values, repeats=True)
    writer.shared = TemplateWriter(family, SlotValues(seed, family.name, words)).shared
    if family.tally:
        entries = _tally_entries(writer, family.tally, drawn, seed, instance)
    elif family.conversation:
        entries = further_turns(writer, family.conversation, drawn)
    else:
        entries = _statements(writer, drawn, k)
    if family.entries == "lines":
        return path, "\n".join(entries)
    paragraphs = (entries[i : i + _IN_A_PARAGRAPH] for i in range(0, len(entries), _IN_A_PARAGRAPH))
    return path, "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)


def _statements(writer: TemplateWriter, drawn: NeedleSet, k: int) -> list[str]:
    """Statements of decoy chains, edges elsewhere, other keys or sets, in no order.

    None mentions one of the elements or keys of ``drawn``, the needle set of size ``k``.
    """
    family = writer.family
    if family.chain:
        statements = decoy_statements(writer, family.chain, k, _ENTRIES)
    elif family.graph:
        statements = edges_elsewhere(writer, family.graph, _ENTRIES)
    else:
        templates = writer.templates("needles", family.needles)
        changes = [writer.changed(place) for place in range(_CHANGES)]
        rng = writer.values.random("changes")
        statements = [writer.write(next(templates), rng.choice(changes)).text for _ in range(_ENTRIES)]
    writer.values.random("statements").shuffle(statements)
    keys = (Element(element.key) for element in drawn.elements if element.key)
    mentioned = ElementFinder((*drawn.stated, *keys))
    return [statement for statement in statements if not mentioned(statement)]


def _tally_entries(
    writer: TemplateWriter, tally: Tally, drawn: NeedleSet, seed: int, instance: int
) -> list[str]:
    """Entries of a tally's other words."""
    counts = count_words(drawn, "\n".join(needle.text for needle in drawn.needles))
    times = min(_TIMES, max(1, min(counts[element.name] for element in drawn.elements) // _BETWEEN))
    rng = writer.values.random(ENTRIES)
    if tally.times is None:
        lengths, longest = [rng.randint(*_WORDS) for _ in range(_ENTRIES)], _WORDS[1]
    else:  # as many as the longest needle has; short ones mostly, to make up many counts of tokens
        longest = round(sum(counts.values()) / len(drawn.needles) * (1 + 2 * VARIES))
        lengths = [rng.randint(2, rng.randint(2, longest)) for _ in range(_ENTRIES)]
    others = _OtherWords(tally.others, seed, drawn)
    words = others.some(-(-sum(lengths) // times), _ENTRIES * longest // times, instance) * times
    rng.shuffle(words)
    rest, entries = iter(words), list[str]()
    # Into an entry of one sentence nothing can be put.
    whole = [entry for entry in tally.entries if len(split_sentences(entry)) == 1] or tally.entries
    for length, template in zip(lengths, writer.templates(ENTRIES, whole), strict=False):
        entries.append(writer.write(template, {"words": join_names(tuple(islice(rest, length)))}).text)
    return entries


def count_words(needle_set: NeedleSet, text: str) -> Counter[str]:
    """How often each of a tally's own words comes in a text; coined ones are not counted."""
    words = (*needle_set.elements, *needle_set.traps)
    return Counter({word.name: len(mention_spans(text, word.names)) for word in words})


class _OtherWords:
    """Words made of one part of each list, every combination once, in an order that the seed settles."""

    def __init__(self, parts: Sequence[Sequence[str]], seed: int, drawn: NeedleSet) -> None:
        self._parts = parts
        self._total = prod(map(len, parts))
        rng = random.Random(f"{drawn.name.partition('@')[0]}|{seed}|{ENTRIES}")
        self._first = rng.randrange(self._total)
        # Coprime to the total, so that every place comes once.
        self._step = rng.randrange(1, self._total + 1)
        while gcd(self._step, self._total) != 1:
            self._step = self._step % self._total + 1
        named = (*drawn.elements, *drawn.traps)
        self._taken = {part for word in named for name in word.names for part in name.casefold().split()}

    def some(self, count: int, most: int, instance: int) -> list[str]:
        """``count`` words of the ``most`` that are an instance's; two instances share none.

        Raises HaystackError.
        """
        most += len(self._taken)
        if (instance + 1) * most > self._total:
            raise HaystackError(
                f"the haystack {ENTRIES} has no words left: {self._total:,} can be coined.",
                "Use a shorter length, or add to `tally.others` of the family.",
            )
        coined = map(self._word, range(instance * most, (instance + 1) * most))
        return list(islice((word for word in coined if word.casefold() not in self._taken), count))

    def _word(self, place: int) -> str:
        chosen, rest = list[str](), (self._first + place * self._step) % self._total
        for part in self._parts:
            rest, at = divmod(rest, len(part))
            chosen.append(part[at])
        return "".join(chosen)
