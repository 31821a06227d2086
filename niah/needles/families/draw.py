"""A needle set drawn from a family: NAME@K, the same for the same seed everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, zip_longest
from pathlib import Path

from niah.errors import ConfigError, HaystackError, NeedleError
from niah.needles.conversations.draw_conversation import draw_conversation
from niah.needles.families.computed import draw_computed
from niah.needles.families.facts import draw_facts, draw_riddle
from niah.needles.families.links.chains import draw_chain
from niah.needles.families.links.graphs import draw_graph
from niah.needles.families.load import load_family, template_words
from niah.needles.families.passages import Composer
from niah.needles.families.schema import FamilyFile
from niah.needles.families.slots import SlotValues
from niah.needles.families.tallies import draw_tally
from niah.needles.families.writer import FamilyDraw, FilledTemplate, TemplateWriter
from niah.needles.needle_set import Distractor, Hardness, NeedleSet
from niah.needles.options import question_with_options
from niah.needles.stories.draw_story import draw_story
from niah.text.templates import join_names, render_line

_LEVELS = 3
_FEWEST = 6
_MOST_DISTRACTORS = 30
_ATTEMPTS = 4


def draw_needle_set(name: str, k: int, seed: int) -> tuple[Path, NeedleSet]:
    """The family's set of ``k`` needles as ``seed`` draws it, not checked yet, and the family's file.

    Raises UnknownName, ConfigError, or NeedleError if the family has no set of that size.
    """
    from jinja2 import TemplateError

    path, family = load_family(name)
    if not family.fewest <= k <= family.most:
        one = family.most == 1
        sizes = "only one size, 1" if one else f"sets of {family.fewest} to {family.most:,} needles"
        nearest = min(max(k, family.fewest), family.most)
        raise NeedleError(f"{path.stem}@{k}: the family has {sizes}.", f"Ask for {path.stem}@{nearest}.")
    try:
        return path, _draw(path.stem, family, k, seed)
    except HaystackError as error:
        raise NeedleError(f"{path}: {path.stem}@{k}: {error.message}", error.remedy) from None
    except TemplateError as error:
        problem = f"a template cannot be filled in: {str(error.message).rstrip('.')}."
        raise ConfigError(path, "", problem, "Slots look like this: {{ town }}.") from None


def entries_writer(name: str, seed: int, salt: str) -> tuple[Path, TemplateWriter]:
    """The file of a family, and what writes more of its statements: as of one list with its needles.

    ``salt`` is what the entries are for. Raises UnknownName or ConfigError.
    """
    path, family = load_family(name)
    words = template_words(family)
    writer = TemplateWriter(family, SlotValues(seed, f"{path.stem}|{salt}", words), repeats=True)
    writer.shared = TemplateWriter(family, SlotValues(seed, path.stem, words)).shared
    return path, writer


def distractor_count(family: FamilyFile, k: int) -> int:
    """How many distractors a set of ``k`` needles has at least."""
    if family.kind == "unanswerable":
        return max(k, _FEWEST)
    return min(max(k, _FEWEST), _MOST_DISTRACTORS)


def _draw(name: str, family: FamilyFile, k: int, seed: int) -> NeedleSet:
    writer = TemplateWriter(family, SlotValues(seed, name, template_words(family)))
    level = -(-distractor_count(family, k) // _LEVELS)
    drawn = _build(writer, k, level)
    told: dict[str, str] = {
        **writer.shared,
        **(drawn.extra or {}),
        "k": str(k),
        "elements": join_names(tuple(element.name for element in drawn.elements)),
        "keys": join_names(tuple(element.key for element in drawn.elements)),
    }
    options = _options(writer, drawn, family.options) if family.options else drawn.options
    question = render_line(drawn.question or family.question, told)
    return NeedleSet(
        name=f"{name}@{k}",
        question=question_with_options(question, options, letters=family.letters),
        answer=render_line(drawn.answer or family.answer, told),
        elements=drawn.elements,
        needles=drawn.needles,
        distractors=drawn.first
        + _round_robin(
            drawn.hard,
            _others(writer, "medium", family.medium, level),
            _others(writer, "easy", family.easy, level),
        ),
        # Who compares or counts shows the work first.
        answer_tokens=drawn.answer_tokens
        or (256 if family.compute or family.story else 64) + 24 * len(drawn.elements),
        kind=family.kind,
        passages=drawn.passages,
        traps=drawn.traps,
        ordered=drawn.ordered,
        options=options,
        cast=drawn.cast,
    )


def _options(writer: TemplateWriter, drawn: FamilyDraw, number: int) -> tuple[str, ...]:
    """So many answers to choose from, in any order: the right one, those of near misses, others like them."""
    right = drawn.elements[0].name
    near = [element.name for miss in (*drawn.first, *drawn.hard) for element in miss.elements]
    options = [right, *dict.fromkeys(near)][:number]
    options += [writer.draw(writer.family.element) for _ in range(number - len(options))]
    writer.values.random("options").shuffle(options)
    return tuple(options)


def _build(writer: TemplateWriter, k: int, near: int) -> FamilyDraw:
    family = writer.family
    if family.chain:
        return draw_chain(writer, family.chain, k, near, _composer(writer))
    if family.graph:
        return draw_graph(writer, family.graph, k, near)
    if family.tally:
        return draw_tally(writer, family.tally, k, near)
    if family.conversation:
        return draw_conversation(writer, family.conversation, k, near)
    if family.story:
        return draw_story(writer, family.story, k, near)
    if family.riddles:
        return draw_riddle(writer, near)
    if family.compute:
        return draw_computed(writer, family.compute, k, near, _composer(writer))
    return draw_facts(writer, k, near, _composer(writer))


def _composer(writer: TemplateWriter) -> Composer | None:
    pools = writer.family.passages
    return Composer(writer, pools, writer.family.nested or pools.tokens) if pools else None


def _others(
    writer: TemplateWriter, hardness: Hardness, sources: Sequence[str], count: int
) -> tuple[Distractor, ...]:
    """Distractors from a pool of templates of their own; none if the pool is empty."""
    if not sources:
        return ()
    templates = writer.templates(hardness, sources)
    written: dict[str, FilledTemplate] = {}
    # A template without slots says the same each time; the others then go round without it.
    for template in islice(templates, _ATTEMPTS * (count + len(sources))):
        each = writer.write(template)
        written.setdefault(each.text, each)
        if len(written) == count:
            break
    return tuple(
        writer.distractor(hardness, position, each) for position, each in enumerate(written.values())
    )


def _round_robin(*levels: Sequence[Distractor]) -> tuple[Distractor, ...]:
    """One of each level in turn, so that however few a suite takes, they are mixed."""
    return tuple(item for row in zip_longest(*levels) for item in row if item is not None)
