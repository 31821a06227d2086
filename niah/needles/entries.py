"""The haystack `entries`: more of what a needle set is made of, so that it is all there is in the context.

Of a tally, as in RULER's common and frequent words: nothing but lists of words, of which a few come often
and all others hardly ever. The needles are the entries that have the frequent ones; this haystack is the
rest. Its words are coined from the parts that the family lists, are no part of the needle set's words, and
come three times each at most, in all instances together: what is asked for stays the answer however long the
context is.
Of a conversation, its other turns. Of other families, as in RULER's haystack of needles: statements of other
keys, chains, edges or sets.
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
from niah.haystacks.structure import Structure
from niah.needles.families.draw import entries_writer
from niah.needles.families.load import load_family
from niah.needles.families.schema import FamilyFile, TallyFile
from niah.needles.families.statements import further_statements
from niah.needles.families.tallies import VARIES
from niah.needles.families.writer import TemplateWriter
from niah.needles.load import load_needle_set, split_name
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_spans
from niah.text.sentences import split_sentences
from niah.text.templates import join_names

ABOUT_ENTRIES = (
    "more of the needle set's own list, as long as need be: for common-list@K, recall@K and the like"
)

_ENTRIES = 2_000
"""In one instance, 60,000 to 100,000 tokens."""

_WORDS = (4, 8)
_TIMES = 3
"""How often a word comes, at most (RULER's uncommon words)."""
_BETWEEN = 3
"""How much oftener a word of the answer comes, at least."""
_IN_A_PARAGRAPH = 8


def has_entries(needle_set: str) -> bool:
    """Whether a needle set is of a family whose list can go on. Raises UnknownName or ConfigError."""
    return _list_of(needle_set) is not None


def _list_of(needle_set: str) -> tuple[str, int] | None:
    """Family and size of a needle set, if its list can go on."""
    sized = split_name(needle_set)
    return sized if sized and load_family(sized[0])[1].has_entries else None


def check_has_entries(needle_set: str) -> tuple[str, int]:
    """Family and size of a needle set whose list can go on. Raises UnknownName, or NeedleError for others."""
    sized = _list_of(needle_set)
    if sized is None:
        raise NeedleError(
            f"the haystack {ENTRIES} is a needle set's further entries, and {needle_set} has none.",
            "Ask for common-list@K or hash-hop@K there. (A family needs `entries` or `tally.others`.)",
        )
    return sized


@lru_cache(maxsize=8)
def load_entries(needle_set: str, tokenizer: str, seed: int, instance: int) -> Corpus:
    """One instance of the entries beside a needle set, tokenised. Raises UserError."""
    path, text = entries_text(needle_set, seed, instance)
    structure = _structure(load_family(check_has_entries(needle_set)[0])[1])
    return tokenised(ENTRIES, path, [(f"{needle_set}-{instance}", text)], tokenizer, structure)


def _structure(family: FamilyFile) -> Structure:
    return family.entries or "prose"


def entries_text(needle_set: str, seed: int, instance: int) -> tuple[Path, str]:
    """The family's file, and the text of an instance: paragraphs of entries, a sentence each where it can be.

    Lines, where the family has those. Raises NeedleError where the set has no entries, HaystackError where a
    tally's words are used up.
    """
    family, k = check_has_entries(needle_set)
    path, writer = entries_writer(family, seed, f"{ENTRIES}|{instance}")
    drawn = load_needle_set(needle_set, seed)
    if writer.family.tally:
        entries = _tally_entries(writer, writer.family.tally, drawn, seed, instance)
    else:
        entries = further_statements(writer, drawn, k, _ENTRIES)
    if _structure(writer.family) == "lines":
        return path, "\n".join(entries)
    paragraphs = (entries[i : i + _IN_A_PARAGRAPH] for i in range(0, len(entries), _IN_A_PARAGRAPH))
    return path, "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)


def _tally_entries(
    writer: TemplateWriter, tally: TallyFile, drawn: NeedleSet, seed: int, instance: int
) -> list[str]:
    """Entries of a tally's other words."""
    times, longest = _times(drawn), _longest(tally, drawn)
    rng = writer.values.random(ENTRIES)
    if longest:  # short ones mostly: of long ones alone few counts of tokens could be made up
        lengths = [rng.randint(2, rng.randint(2, longest)) for _ in range(_ENTRIES)]
    else:
        lengths, longest = [rng.randint(*_WORDS) for _ in range(_ENTRIES)], _WORDS[1]
    others = _OtherWords(tally.others, seed, drawn)
    words = others.some(-(-sum(lengths) // times), _ENTRIES * longest // times, instance) * times
    rng.shuffle(words)
    rest, entries = iter(words), list[str]()
    templates = writer.templates(ENTRIES, _of_one_sentence(tally.entries))
    for length, template in zip(lengths, templates, strict=False):
        entries.append(writer.write(template, {"words": join_names(tuple(islice(rest, length)))}).text)
    return entries


def _longest(tally: TallyFile, drawn: NeedleSet) -> int | None:
    """The most words of an entry, as many as the longest needle has; None where that is as usual."""
    if tally.times is None:
        return None
    words = sum(count_words(drawn, "\n".join(needle.text for needle in drawn.needles)).values())
    return round(words / len(drawn.needles) * (1 + 2 * VARIES))


def count_words(needle_set: NeedleSet, text: str) -> Counter[str]:
    """How often each of a tally's own words comes in a text; coined ones are not counted."""
    words = (*needle_set.elements, *needle_set.traps)
    return Counter({word.name: len(mention_spans(text, word.names)) for word in words})


def _times(needle_set: NeedleSet) -> int:
    text = "\n".join(needle.text for needle in needle_set.needles)
    counts = count_words(needle_set, text)
    least = min(counts[element.name] for element in needle_set.elements)
    return min(_TIMES, max(1, least // _BETWEEN))


def _of_one_sentence(entries: Sequence[str]) -> Sequence[str]:
    """Entries that nothing can be put into; all, where all have several sentences."""
    return [entry for entry in entries if len(split_sentences(entry)) == 1] or entries


class _OtherWords:
    """Words made of one part of each list, every combination once, in an order that the seed settles."""

    def __init__(self, parts: Sequence[Sequence[str]], seed: int, beside: NeedleSet) -> None:
        self._parts = parts
        self._total = prod(map(len, parts))
        rng = random.Random(f"{beside.name.partition('@')[0]}|{seed}|{ENTRIES}")
        self._first = rng.randrange(self._total)
        # Coprime to the total, so that every place comes once.
        self._step = rng.randrange(1, self._total + 1)
        while gcd(self._step, self._total) != 1:
            self._step = self._step % self._total + 1
        named = (*beside.elements, *beside.traps)
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
