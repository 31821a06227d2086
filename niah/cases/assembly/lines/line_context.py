"""A case whose context is nothing but lines: laid out and written without counting anything anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from niah.cases.assembly.background import Background
from niah.cases.assembly.lines.gaps import FilledGap, NoPlan, haystack_runs
from niah.cases.assembly.lines.line_costs import LineUnit
from niah.cases.assembly.lines.line_layout import LineLayout
from niah.cases.assembly.rendering import HaystackUse, haystack_use
from niah.cases.assembly.room import TokenAllocation
from niah.cases.context import Context, Placed
from niah.text.tokenizer import Tokenizer, count, get_tokenizer


def has_known_lines(background: Background) -> bool:
    """Whether counts of the haystack's lines are known to add up, and its text may stop at lines alone."""
    corpus, tokenizer = background.corpus, get_tokenizer(background.corpus.tokenizer)
    return (
        corpus.structure == "lines"
        and tokenizer.additive
        and tokenizer.cuts_at_lines
        and not corpus.opens
        and corpus.text[:1].isalnum()
        and not background.joint_costs.start(0)
    )


@dataclass(frozen=True)
class LinePlan:
    """A context of lines, laid out.

    Attributes:
        background: where its haystack lines come from.
        units: needles as lines, in the order of the text.
        starts: tokens before each of them.
        gaps: what stands before each of them, and at the end.
        tokens: of the context.
    """

    background: Background
    units: Sequence[LineUnit]
    starts: Sequence[int]
    gaps: Sequence[FilledGap]
    tokens: int


def lay_out_lines(
    background: Background,
    units: Sequence[LineUnit],
    room: TokenAllocation,
    tokens: int,
    fits_end: Callable[[str], bool],
    *,
    two_runs: bool = False,
) -> LinePlan | None:
    """The plan of a case in exact mode; None where its lines have to be measured.

    Args:
        background: where haystack lines come from.
        units: needles as lines, in the order of the text.
        room: how many tokens the haystack gets, and where the units stand.
        tokens: of the context.
        fits_end: whether P stays as it is where the context ends with that line.
        two_runs: whether two runs may stand where one does not come out.
    """
    corpus = background.corpus
    tokenizer = get_tokenizer(corpus.tokenizer)

    def ending(piece: int) -> int | None:
        line = corpus.slice(piece - 1, piece).strip()
        inside = corpus.tokens[piece] - corpus.tokens[piece - 1]
        return _tokens_of(tokenizer, line) - inside if fits_end(line) else None

    layout = LineLayout(background, room.haystack_tokens, ending, two_runs=two_runs)
    starts, before = list[int](), 0
    for unit, position in zip(units, room.positions, strict=True):
        starts.append(position + before)
        before += unit.insert.tokens if starts[-1] else unit.insert.bare
    try:
        layout.insert([unit.costs for unit in units], starts)
        layout.close(tokens)
    except NoPlan:
        return None
    return LinePlan(background, units, starts, layout.gaps, tokens)


@lru_cache(maxsize=8192)
def _tokens_of(tokenizer: Tokenizer, line: str) -> int:
    """Tokens of a line that nothing follows: they do not depend on the line before it."""
    return count(tokenizer, line)


def write_lines(plan: LinePlan, prompt_tokens: int) -> Context:
    """The context of a plan, whose P is ``prompt_tokens``."""
    corpus, cursor, length = plan.background.corpus, 0, 0
    text, offsets, parts, needles = corpus.text, corpus.offsets, list[str](), list[Placed]()
    add, following = parts.append, iter(plan.units)
    for (piece, runs), start in zip(plan.gaps, [*plan.starts, -1], strict=True):
        if piece > cursor:
            begin, end, cursor = offsets[cursor], offsets[piece], piece
            add(text[begin:end])
            length += end - begin
        for first, last in runs:
            begin, end = offsets[first], offsets[last]
            add(text[begin:end])
            length += end - begin
        if start >= 0:
            (name, text_of, elements), line, _, _ = next(following)
            end = length + len(line)
            needles.append(Placed(name, text_of, elements, length, end - 1, start, start))
            add(line)
            length = end
    parts[-1] = parts[-1][:-1]
    goes_on = corpus.size > plan.background.base_size or plan.background.omissions
    use = haystack_use(plan.background, haystack_runs(plan.gaps)) if goes_on else HaystackUse()
    return Context("".join(parts), tuple(needles), (), plan.tokens, prompt_tokens, **use)
