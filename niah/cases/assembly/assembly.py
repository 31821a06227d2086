"""From a case to its context: counts, plan, text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from operator import add
from typing import NamedTuple

from niah.cases.assembly.answer_leakage import check_no_accidents
from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.backgrounds.runs import Stretch
from niah.cases.assembly.backgrounds.source import background_of, background_source, load_background
from niah.cases.assembly.finished_text import KnownRun, known_runs, placement_fault, recount
from niah.cases.assembly.insertion_points import (
    NO_ROOM_FOR_DISTRACTORS,
    InsertionPoint,
    insertion_points,
)
from niah.cases.assembly.inserts import choose_distractors
from niah.cases.assembly.joints.token_merges import TokenMerges
from niah.cases.assembly.layout.context_layout import NO_WHOLE_SENTENCES, ContextLayout
from niah.cases.assembly.layout.contiguous_mode import (
    last_sentence,
    lay_out_contiguously,
    pieces_before_inserts,
)
from niah.cases.assembly.layout.exact_mode import lay_out_exactly
from niah.cases.assembly.layout.laid_text import ContextSegment
from niah.cases.assembly.lines.gaps import NoPlan, haystack_runs
from niah.cases.assembly.lines.line_context import line_layout, write_lines
from niah.cases.assembly.lines.line_layout import LineLayout
from niah.cases.assembly.lines.sentence_context import sentence_layout, write_sentences
from niah.cases.assembly.lines.sentence_layout import SentenceLayout
from niah.cases.assembly.rendering import render_context
from niah.cases.assembly.room import TokenAllocation, allocate_tokens
from niah.cases.assembly.series import CaseSeries, series_of
from niah.cases.case import Case, DistractorDepth
from niah.cases.context import Context
from niah.errors import CaseError

_MOST_ATTEMPTS = 12
"""How often a context is laid out at most where its text was found to cost something else than reckoned."""

_MERGES = "tokens merge across joints"
_MORE_HELPS = (NO_WHOLE_SENTENCES, _MERGES)
"""Why a context fails where sentences that make counts come out may have been too few."""


class _Resort(NamedTuple):
    """What is done where sentences do not come out.

    Attributes:
        to_spare: whether more of a haystack that goes on is read than the context needs.
        two_runs: whether two runs may stand before an insert, or the end, where one does not come out.
    """

    to_spare: bool = False
    two_runs: bool = False


_USUAL, _RESORTS = _Resort(), (_Resort(to_spare=True), _Resort(to_spare=True, two_runs=True))


@dataclass(frozen=True)
class _Attempt:
    """What one attempt to lay out a context allows for, by what those before it came to.

    Attributes:
        end: the sentence that the context ends with, or one that costs the same.
        drifts: tokens that each unit, and the end, are expected to come late.
        passed_over: ways to pass over before each unit, and the end.
    """

    end: str
    drifts: tuple[int, ...]
    passed_over: tuple[int, ...]

    def by_another_way(self, found: Sequence[int]) -> _Attempt:
        """The same by the next way to the first unit that was found to drift otherwise; to the end else."""
        pairs = zip(self.drifts, found, strict=True)
        place = next((at for at, (before, after) in enumerate(pairs) if before != after), len(found) - 1)
        passed_over = list(self.passed_over)
        passed_over[place] += 1
        return replace(self, passed_over=tuple(passed_over))


def build_context(case: Case) -> Context:
    """The context of a case. Raises UnknownName, ConfigError, HaystackError or CaseError.

    Where the needles stand too close for distractors to be spread among them, all come before the first.
    """
    try:
        return _build(case, case.distractor_depth)
    except CaseError as error:
        if error.reason in _MORE_HELPS:
            for resort in _RESORTS if background_source(case, ()).goes_on else _RESORTS[-1:]:
                with suppress(CaseError):
                    return _build(case, case.distractor_depth, resort)
        if error.reason == NO_ROOM_FOR_DISTRACTORS and case.distractor_depth == "spread":
            with suppress(CaseError):
                return _build(case, "before")
        raise CaseError(f"{case.case_id}: {error.message}", error.remedy, error.reason) from None


def _build(case: Case, distractor_depth: DistractorDepth, resort: _Resort = _USUAL) -> Context:
    series = series_of(case)
    inserts, units, source, tokenizer = series.inserts, series.units, series.source, series.tokenizer
    distractors = choose_distractors(inserts, case.distractors, case.distractor_hardness)
    if case.mode == "exact" and not distractors:
        context = _from_tables(case, series, resort)
        if context is not None:
            return context
    background, frame = load_background(source), series.template.frame(series.question)
    within, nothing = None, (0,) * (len(units) + 1)
    attempt, tried = _Attempt(background.usual_end, nothing, nothing), set[_Attempt]()
    while attempt not in tried and len(tried) < _MOST_ATTEMPTS:
        room = allocate_tokens(case, series, background, attempt.end)
        background = background_of(source, room.haystack_tokens, to_spare=resort.to_spare)
        layout = ContextLayout(
            background,
            background.loose if inserts.break_neutral else background.strict,
            room.haystack_tokens - attempt.drifts[-1],
            partial(_merges, series, room, background),
            additive=tokenizer.additive and not background.corpus.keeps_lines,
            passed_over=attempt.passed_over,
            two_runs=resort.two_runs,
        )
        stops = insertion_points(units, room.positions, distractors, distractor_depth, room.haystack_tokens)
        lay_out = lay_out_exactly if case.mode == "exact" else lay_out_contiguously
        try:
            segments = lay_out(layout, _moved(stops, attempt.drifts))
        except CaseError:
            if tried:
                break
            raise
        tried.add(attempt)
        _check_no_accidents(series, background, partial(_runs, segments))
        context, run_starts = render_context(
            background, segments, room.positions, room.prompt_tokens, layout.text.opening
        )
        if tokenizer.cuts_at_spaces and not layout.text.measured and not background.corpus.keeps_lines:
            return context
        known: Sequence[KnownRun] = ()
        if tokenizer.cuts_at_spaces:
            known = known_runs(context.text, background.corpus, segments, run_starts, tokenizer)
        context = recount(context, tokenizer, *frame, known)
        found = _drifts(context, layout, room, case.prompt_length)
        is_settled = found == attempt.drifts and _as_promised(case, context, room)
        if case.mode == "exact":
            if is_settled:
                return context
            following = replace(attempt, drifts=found)
            attempt = attempt.by_another_way(found) if following in tried else following
            continue
        corpus, pieces = background.corpus, pieces_before_inserts(segments)
        if placement_fault(context, corpus, pieces, frame, case.prompt_length, tokenizer) is None:
            within = context
        if is_settled and within is not None:
            break
        if is_settled:  # the end costs less than was reckoned: room for one more sentence is asked for
            total = context.tokens + context.prompt_tokens
            found = (*found[:-1], found[-1] - (case.prompt_length - total))
        attempt = replace(attempt, drifts=found, end=last_sentence(corpus, segments))
    if within is not None:
        return within
    raise CaseError(
        f"{case.tokenizer} merges tokens across the joints of this case, so that it cannot be counted out.",
        "Use another tokenizer, depth or context length.",
        _MERGES,
    )


def _from_tables(case: Case, series: CaseSeries, resort: _Resort) -> Context | None:
    """The context of a case without distractors, where it is known what its joints cost."""
    lines = series.lines
    if lines is None and not series.is_plain:
        return None
    background = load_background(series.source)
    room = allocate_tokens(case, series, background, background.usual_end)
    background = background_of(series.source, room.haystack_tokens, to_spare=resort.to_spare)
    units = series.unit_tokens(leads=not room.positions[0])
    starts = list(map(add, room.positions, units.before))
    layout: LineLayout | SentenceLayout
    try:
        if lines is not None:
            layout = line_layout(series, background, room, two_runs=resort.two_runs)
            layout.insert(starts, lines.own, lines.extras, lines.closing)
        else:
            layout = sentence_layout(series, background, room)
            layout.insert(starts, units.own, [0] * len(starts))
        layout.close(room.tokens)
    except NoPlan:
        return None
    _check_no_accidents(series, background, partial(haystack_runs, layout.gaps))
    write = write_sentences if lines is None else write_lines
    return write(series, background, layout.gaps, starts, room)


def _runs(segments: Sequence[ContextSegment]) -> list[Stretch]:
    return [segment for segment in segments if isinstance(segment, Stretch)]


def _moved(stops: Sequence[InsertionPoint], drifts: Sequence[int]) -> list[InsertionPoint]:
    """The stops, each unit's earlier by as much as its text was found to be late the last time."""
    if not any(drifts):
        return list(stops)
    late = iter(drifts)
    return [
        stop if stop.unit is None else stop._replace(position=max(0, stop.position - next(late)))
        for stop in stops
    ]


def _drifts(context: Context, layout: ContextLayout, room: TokenAllocation, length: int) -> tuple[int, ...]:
    """By how many tokens each unit, and the end, came later than the layout reckoned."""
    units = context.passages or context.needles or context.distractors
    starts = [unit.token_start - reckoned for unit, reckoned in zip(units, layout.unit_starts, strict=True)]
    total = context.tokens + context.prompt_tokens
    return (*starts, total - length + room.haystack_tokens - layout.text.placed)


def _as_promised(case: Case, context: Context, room: TokenAllocation) -> bool:
    """Whether P is what the positions were reckoned with and, in exact mode, nothing is off by a token."""
    if context.prompt_tokens != room.prompt_tokens:
        return False
    placed = (*context.needles, *context.passages)
    return case.mode == "contiguous" or (
        context.tokens + context.prompt_tokens == case.prompt_length
        and all(item.token_start == item.asked_token for item in placed)
    )


def _merges(series: CaseSeries, room: TokenAllocation, background: Background) -> TokenMerges:
    return TokenMerges(background.joint_costs, series.prompt_tokens, room.head, room.tail)


def _check_no_accidents(
    series: CaseSeries, background: Background, runs: Callable[[], Sequence[tuple[int, int]]]
) -> None:
    if not series.source.without:
        inserts = series.inserts
        check_no_accidents(background.corpus, inserts.needle_set.name, inserts.element_names, runs)
