"""From a case to its context: counts, plan, text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from niah.cases.assembly.background import Stretch, background_of, load_background
from niah.cases.assembly.insertion_points import insertion_points
from niah.cases.assembly.inserts import Inserts, choose_distractors, count_inserts, order_units
from niah.cases.assembly.layout import ContextLayout, ContextSegment, lay_out_contiguously, lay_out_exactly
from niah.cases.assembly.rendering import render_context
from niah.cases.assembly.room import TokenAllocation, allocate_tokens
from niah.cases.assembly.token_merges import TokenMerges
from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import CaseError
from niah.haystacks.corpus import Corpus
from niah.text.mentions import mention_starts
from niah.text.tokenizer import get_tokenizer


def build_context(case: Case) -> Context:
    """The context of a case. Raises UnknownName, ConfigError, HaystackError or CaseError."""
    try:
        return _build(case)
    except CaseError as error:
        raise CaseError(f"{case.case_id}: {error.message}", error.remedy, error.reason) from None


def _build(case: Case) -> Context:
    inserts = count_inserts(case.needle_set, case.seed, case.tokenizer)
    question = inserts.needle_set.question
    units = order_units(inserts.units, inserts.needle_set, case)
    distractors = choose_distractors(inserts, case.distractors, case.distractor_hardness)
    without = inserts.element_names if case.accidents == "avoid" else ()
    background = load_background(case.haystack, case.tokenizer, case.seed, without)
    room = allocate_tokens(case, question, units, background.corpus)
    background = background_of(case.haystack, case.tokenizer, case.seed, room.haystack_tokens, without)
    layout = ContextLayout(
        background,
        background.loose if inserts.break_neutral else background.strict,
        room.haystack_tokens,
        case.seed,
        _joints(case, question, room),
    )
    stops = insertion_points(units, room.positions, distractors, case.distractor_depth, room.haystack_tokens)
    lay_out = lay_out_exactly if case.mode == "exact" else lay_out_contiguously
    segments = lay_out(layout, stops)
    if not without:
        _check_no_accidents(background.corpus, inserts, segments)
    prompt = _prompt_tokens(case, question, room.head, _tail(segments, room))
    return render_context(background, segments, room.positions, prompt)


def _tail(segments: Sequence[ContextSegment], room: TokenAllocation) -> str:
    """The last sentence, or one that costs the same. A contiguous context may end with a needle unasked."""
    last = segments[-1]
    return room.tail if isinstance(last, Stretch) else last.text


def _prompt_tokens(case: Case, question: str, head: str, tail: str) -> int:
    return prompt_tokens(load_prompt(case.prompt), question, head, tail, get_tokenizer(case.tokenizer))


def _joints(case: Case, question: str, room: TokenAllocation) -> TokenMerges | None:
    """What checks the context's joints; None where the tokenizer makes all of them fit."""
    tokenizer = get_tokenizer(case.tokenizer)
    if tokenizer.additive:
        return None
    return TokenMerges(tokenizer, partial(_prompt_tokens, case, question), room.head, room.tail)


@lru_cache(maxsize=512)
def _accidents(text: str, names: tuple[str, ...]) -> list[int]:
    """Character offsets at which the corpus mentions an element."""
    return mention_starts(text, _folded(text), names)


@lru_cache(maxsize=4)
def _folded(text: str) -> str:
    return text.casefold()


def _check_no_accidents(corpus: Corpus, inserts: Inserts, segments: Sequence[ContextSegment]) -> None:
    for offset in _accidents(corpus.text, inserts.element_names):
        piece = corpus.piece_at(offset)
        if any(
            isinstance(segment, Stretch) and segment.first <= piece < segment.last for segment in segments
        ):
            raise CaseError(
                f"the haystack answers by accident: {corpus.slice(piece, piece + 1).strip()!r} holds "
                f"an element of {inserts.needle_set.name}.",
                "Use another haystack or needle set, or leave it out with accidents: avoid in the suite.",
                "the haystack answers by accident",
            )
