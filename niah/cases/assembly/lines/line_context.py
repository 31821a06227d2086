"""A case whose context is nothing but lines: laid out and written without counting anything anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from niah.cases.assembly.background import Background
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joins import LINE_END
from niah.cases.assembly.layout import ContextSegment
from niah.cases.assembly.lines.line_costs import line_costs
from niah.cases.assembly.lines.line_layout import Gap, LineLayout, NoLines
from niah.cases.assembly.rendering import haystack_use
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


def lay_out_lines(
    background: Background,
    units: Sequence[Insert],
    room: TokenAllocation,
    tokens: int,
    fits_end: Callable[[str], bool],
    *,
    two_runs: bool = False,
) -> tuple[Context, list[ContextSegment]] | None:
    """The context of a case in exact mode, and its segments; None where its lines have to be measured.

    Args:
        background: where haystack lines come from.
        units: needles, in the order of the text.
        room: how many tokens the haystack gets, and where the units stand.
        tokens: of the context.
        fits_end: whether P stays as it is where the context ends with that line.
        two_runs: whether two runs may stand where one does not come out.
    """
    tokenizer = get_tokenizer(background.corpus.tokenizer)
    costs = [line_costs(tokenizer, unit.text) for unit in units]
    corpus = background.corpus

    def ending(piece: int) -> int | None:
        line = corpus.slice(piece - 1, piece).strip()
        inside = corpus.tokens[piece] - corpus.tokens[piece - 1]
        return _tokens_of(tokenizer, line) - inside if fits_end(line) else None

    layout, starts, before = LineLayout(background, room.haystack_tokens, ending, two_runs=two_runs), [], 0
    try:
        for unit, cost, position in zip(units, costs, room.positions, strict=True):
            if cost is None or unit.role != "needle":
                return None
            start = position + before
            layout.insert(cost, start)
            starts.append(start)
            before += unit.tokens if start else unit.bare
        layout.close(tokens)
    except NoLines:
        return None
    return _write(background, layout.gaps, units, starts, tokens, room.prompt_tokens)


@lru_cache(maxsize=8192)
def _tokens_of(tokenizer: Tokenizer, line: str) -> int:
    """Tokens of a line that nothing follows: they do not depend on the line before it."""
    return count(tokenizer, line)


def _write(
    background: Background,
    gaps: Sequence[Gap],
    units: Sequence[Insert],
    starts: Sequence[int],
    tokens: int,
    prompt_tokens: int,
) -> tuple[Context, list[ContextSegment]]:
    corpus, parts, length, needles = background.corpus, list[str](), 0, list[Placed]()
    text, offsets, segments = corpus.text, corpus.offsets, list[ContextSegment]()
    for gap, unit, start in zip(gaps, units, starts, strict=False):
        for first, last in gap:
            begin, end = offsets[first], offsets[last]
            parts.append(text[begin:end])
            length += end - begin
        segments += gap
        segments.append(unit)
        written = unit.text
        end = length + len(written)
        needles.append(Placed(unit.id, written, unit.elements, length, end, start, start))
        parts += written, LINE_END
        length = end + 1
    parts += [text[offsets[first] : offsets[last]] for first, last in gaps[-1]]
    segments += gaps[-1]
    parts[-1] = parts[-1][:-1]
    use = haystack_use(background, segments)
    return Context("".join(parts), tuple(needles), (), tokens, prompt_tokens, **use), segments
