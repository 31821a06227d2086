"""From a case to its context: its layout as text, counted again where the layout is no proof."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial

from niah.cases.assembly.background import (
    ACCIDENT,
    Background,
    background_of,
    background_source,
    load_background,
)
from niah.cases.assembly.joints import LINE_END, Seams
from niah.cases.assembly.layout import NO_WHOLE_SENTENCES, Layout, lay_out
from niah.cases.assembly.placement import (
    Allocation,
    Insert,
    Inserts,
    allocate,
    count_inserts,
    share_out,
    stops_of,
)
from niah.cases.case import BuiltMode, Case, Context, Placed
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import CaseError
from niah.needles.load import load_needle_set
from niah.text.mentions import mention_starts
from niah.text.tokenizer import Tokenizer, count, get_tokenizer, token_at

_MERGES = "tokens merge across joints"
_EDGE = 100  # characters at either end of a context that P is counted with
_MOST_ATTEMPTS = 12


def build_context(case: Case) -> Context:
    """The context of a case; one that cannot be exact is contiguous. Raises UserError."""
    exact: BuiltMode = "contiguous" if case.mode == "contiguous" else "exact"
    try:
        return _build(case, exact)
    except CaseError as error:
        failed = error
    if failed.reason in (NO_WHOLE_SENTENCES, _MERGES):
        if background_source(case, load_needle_set(case.needle_set, case.seed)).goes_on:
            with suppress(CaseError):
                return _build(case, exact, to_spare=True)
        if case.mode == "auto":
            try:
                return _build(case, "contiguous")
            except CaseError as error:
                failed = error if error.reason == ACCIDENT else failed
    raise CaseError(f"{case.case_id}: {failed.message}", failed.remedy, failed.reason) from None


def _build(case: Case, mode: BuiltMode, *, to_spare: bool = False) -> Context:
    """The context, laid out again where its text was found to cost something else than reckoned."""
    needle_set = load_needle_set(case.needle_set, case.seed)
    inserts = count_inserts(needle_set, case.seed, case.tokenizer, case.order)
    distractors = inserts.chosen(case.distractors, case.distractor_hardness)
    source, tokenizer = background_source(case, needle_set), get_tokenizer(case.tokenizer)
    question, units, begun = needle_set.question, inserts.units, load_background(source)
    start, end, drifts = begun.corpus.slice(0, 1).strip(), begun.usual_end, (0,) * (len(units) + 1)
    tried = set[tuple[str, tuple[int, ...]]]()
    while (end, drifts) not in tried and len(tried) < _MOST_ATTEMPTS:
        room = allocate(case, inserts, begun, end)
        background = background_of(source, room.haystack_tokens, to_spare=to_spare)
        late = iter(drifts)
        stops = [
            stop if stop.unit is None else stop._replace(position=max(0, stop.position - next(late)))
            for stop in stops_of(units, room, distractors, case.distractor_depth)
        ]
        edges = units[0].text if room.leads else start, units[-1].text if room.trails else end
        prompt_more = partial(_prompt_more, case, question, room.prompt_tokens, edges)
        layout = Layout(background, _seams(background), room.haystack_tokens - drifts[-1], prompt_more)
        lay_out(layout, stops, is_exact=mode == "exact")
        tried.add((end, drifts))
        if not source.without:
            _check_no_accidents(background, inserts, layout)
        tail, actual = end, room
        if mode == "contiguous":  # its last sentence, and whether a needle opens it, show at the end alone
            first, tail = layout.segments[0].what, layout.text_of(layout.state.end or 0)
            opens = isinstance(first, Insert) and first.role != "distractor"
            head = first.text if isinstance(first, Insert) else start
            actual = share_out(case, inserts, begun, head, tail, leads=opens)
        context = _write(layout, actual, mode)
        if not layout.state.is_proven or not _has_prompt_tokens(case, question, context, tokenizer):
            context = recount(context, tokenizer, *load_prompt(case.prompt).frame(question))
        elif actual == room and not any(drifts):
            return context
        if _is_as_promised(case, context, background, tokenizer):
            return context
        drifts, end = _drifts(context, layout, room, case.prompt_length), tail
    problem = f"{case.tokenizer} merges tokens across the joints of this case, so it cannot be counted out."
    raise CaseError(problem, "Use another tokenizer, depth or context length.", _MERGES)


@lru_cache(maxsize=32)
def _seams(background: Background) -> Seams:
    return Seams(get_tokenizer(background.corpus.tokenizer), background.corpus)


def _prompt_more(case: Case, question: str, tokens: int, edges: tuple[str, str], head: str, tail: str) -> int:
    """Tokens that P has more with another first or last sentence; "" is that of ``edges``."""
    found = prompt_tokens(case.prompt, case.tokenizer, question, head or edges[0], tail or edges[1])
    return found - tokens


def _has_prompt_tokens(case: Case, question: str, context: Context, tokenizer: Tokenizer) -> bool:
    """Whether P is what the first and last words of the context make of it."""
    if tokenizer.additive:
        return True
    text = context.text
    first, last = text.find(" ", _EDGE), text.rfind(" ", 0, -_EDGE)
    head, tail = text[:first] if first > 0 else text, text[last + 1 :]
    return prompt_tokens(case.prompt, case.tokenizer, question, head, tail) == context.prompt_tokens


def _drifts(context: Context, layout: Layout, room: Allocation, length: int) -> tuple[int, ...]:
    """By how many tokens each unit, and the end, came later than the layout reckoned."""
    inserted = [(each.what, each.start) for each in layout.segments if isinstance(each.what, Insert)]
    reckoned = [start for item, start in inserted if not (context.needles and item.role == "distractor")]
    units = context.passages or context.needles or context.distractors
    starts = [unit.token_start - start for unit, start in zip(units, reckoned, strict=True)]
    total = context.tokens + context.prompt_tokens
    return (*starts, total - length + room.haystack_tokens - layout.placed)


def _is_as_promised(case: Case, context: Context, background: Background, tokenizer: Tokenizer) -> bool:
    """Whether a context that was counted again keeps its mode's promise."""
    if context.mode == "contiguous":
        from niah.cases.audit import contiguity_fault

        return contiguity_fault(context, background, case.prompt_length, tokenizer) is None
    placed = (*context.needles, *context.passages)
    is_whole = context.tokens + context.prompt_tokens == case.prompt_length
    return is_whole and all(item.token_start == item.asked_token for item in placed)


def _check_no_accidents(background: Background, inserts: Inserts, layout: Layout) -> None:
    """Raise CaseError where the context's haystack text answers by accident."""
    corpus = background.corpus
    runs = [each.what for each in layout.segments if not isinstance(each.what, Insert)]
    for offset in _accidents(corpus.text, inserts.needle_set.answering):
        piece = corpus.piece_at(offset)
        if any(first <= piece < last for first, last in runs):
            sentence, name = corpus.slice(piece, piece + 1).strip(), inserts.needle_set.name
            problem = f"the haystack answers by accident: {sentence!r} holds an element of {name}."
            remedy = "Use another haystack or needle, or leave it out by a suite with accidents: avoid."
            raise CaseError(problem, remedy, ACCIDENT)


@lru_cache(maxsize=512)
def _accidents(text: str, names: tuple[str, ...]) -> list[int]:
    """Character offsets at which a text mentions an element."""
    return mention_starts(text, names)


def _write(layout: Layout, room: Allocation, mode: BuiltMode) -> Context:
    """The text of a layout, with the span and the token position of everything that was put in."""
    placed: dict[str, list[Placed]] = {"needle": [], "passage": [], "distractor": []}
    length, unit_tokens, positions = 0, 0, iter(room.positions)
    for item, joint, text, start in layout.segments:
        opens, begin = not length, length + len(joint)
        length = begin + len(text)
        if not isinstance(item, Insert):
            continue
        asked = start
        if item.role != "distractor":
            asked = next(positions) + unit_tokens
            unit_tokens += item.bare if opens else item.tokens
        found = Placed(item.id, text, item.elements, begin, length, start, asked, item.hardness)
        placed[item.role].append(found)
        for needle, offset, tokens, lined, bare in item.nested:
            at, more = begin + offset, bare if opens else lined if joint == LINE_END else tokens
            span = at, at + len(needle.text), start + more, asked + more
            placed["needle"].append(Placed(needle.id, needle.text, needle.elements, *span))
    return Context(
        text="".join([part for segment in layout.segments for part in (segment.joint, segment.text)]),
        needles=tuple(placed["needle"]),
        distractors=tuple(placed["distractor"]),
        tokens=layout.state.tokens,
        prompt_tokens=room.prompt_tokens,
        passages=tuple(placed["passage"]),
        mode=mode,
    )


def recount(context: Context, tokenizer: Tokenizer, before: str, after: str) -> Context:
    """The context with tokens, P (of the prompt ``before`` and ``after``) and places as its text has them."""
    text = context.text
    starts = tokenizer.starts(text).tolist()

    def found(items: Sequence[Placed]) -> list[Placed]:
        return [item._replace(token_start=token_at(starts, text, item.start)) for item in items]

    passages, needles = found(context.passages), found(context.needles)
    for passage in passages:
        for place, needle in enumerate(needles):
            if passage.start <= needle.start < passage.end:
                asked = passage.asked_token + needle.token_start - passage.token_start
                needles[place] = needle._replace(asked_token=asked)
    return replace(
        context,
        needles=tuple(needles),
        passages=tuple(passages),
        distractors=tuple(item._replace(asked_token=item.token_start) for item in found(context.distractors)),
        tokens=len(starts),
        prompt_tokens=count(tokenizer, before + text + after) - len(starts),
    )
