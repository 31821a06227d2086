"""The haystack `entries`: more of what a needle set is made of, so that it is all there is in the context."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from niah.errors import NeedleError
from niah.haystacks.corpus import Corpus, tokenised
from niah.haystacks.documents import ENTRIES
from niah.needles.conversations import further_turns
from niah.needles.families.chains import decoy_statements, edges_elsewhere
from niah.needles.families.checks import template_words
from niah.needles.families.computed import further_entries
from niah.needles.families.load import load_family
from niah.needles.families.schema import Family
from niah.needles.families.writer import SlotValues, TemplateWriter
from niah.needles.load import load_needle_set, split_name
from niah.needles.needle_set import Element, ElementFinder, NeedleSet

_ENTRIES = 2_000  # in one instance, 60,000 to 100,000 tokens
_IN_A_PARAGRAPH = 8
_CHANGES = 40  # other values of the set's slots in one batch of statements, as the needles share theirs


def has_entries(needle_set: str) -> bool:
    """Whether a needle set is of a family whose list can go on. Raises UnknownName or ConfigError."""
    sized = split_name(needle_set)
    family = load_family(sized[0])[1] if sized else None
    return family is not None and bool(family.entries or (family.tally and family.tally.others))


def check_has_entries(needle_set: str) -> tuple[Path, Family, int]:
    """Family and size of a needle set whose list can go on. Raises UnknownName, or NeedleError for others."""
    sized = split_name(needle_set)
    if sized is None or not has_entries(needle_set):
        problem = f"the haystack {ENTRIES} is a needle set's further entries, and {needle_set} has none."
        raise NeedleError(problem, "Ask for common-list@K or hash-hop@K there.")
    return *load_family(sized[0]), sized[1]


def load_entries(needle_set: str, tokenizer: str, seed: int, instance: int) -> Corpus:
    """One instance of the entries of a needle set, tokenised. Raises UserError."""
    return _load(needle_set, load_needle_set(needle_set, seed), tokenizer, seed, instance)


@lru_cache(maxsize=8)
def _load(name: str, drawn: NeedleSet, tokenizer: str, seed: int, instance: int) -> Corpus:
    path, text = entries_text(name, seed, instance)
    structure = check_has_entries(name)[1].entries or "prose"
    return tokenised(ENTRIES, path, [(f"{name}-{instance}", text)], tokenizer, structure)


def entries_text(needle_set: str, seed: int, instance: int) -> tuple[Path, str]:
    """The family's file, and an instance's text: paragraphs of entries, or lines. Raises UserError."""
    path, family, k = check_has_entries(needle_set)
    drawn, words = load_needle_set(needle_set, seed), template_words(family)
    values = SlotValues(seed, f"{family.name}|{ENTRIES}|{instance}", words)
    writer = TemplateWriter(family, values, repeats=True)
    writer.shared = TemplateWriter(family, SlotValues(seed, family.salt, words)).shared
    if family.tally:
        entries = further_entries(writer, family.tally, drawn, seed, instance, _ENTRIES)
    elif family.conversation:
        entries = further_turns(writer, family.conversation, drawn)
    else:
        entries = _statements(writer, drawn, k)
    if family.entries == "lines":
        return path, "\n".join(entries)
    paragraphs = (entries[i : i + _IN_A_PARAGRAPH] for i in range(0, len(entries), _IN_A_PARAGRAPH))
    return path, "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)


def _statements(writer: TemplateWriter, drawn: NeedleSet, k: int) -> list[str]:
    """Statements of decoys in no order; none mentions an element or key of ``drawn``, of size ``k``."""
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
