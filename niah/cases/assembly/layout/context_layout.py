"""A context being laid out, from one insert to the next.

The background goes on after a needle where it stopped before it, so that cases of other depths and lengths
share it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from operator import sub

from niah.cases.assembly.backgrounds.background import Background, Boundaries
from niah.cases.assembly.backgrounds.runs import LONGEST_BRIDGE, LONGEST_RUN
from niah.cases.assembly.insertion_points import NO_ROOM_FOR_DISTRACTORS, InsertionPoint
from niah.cases.assembly.joints.token_merges import TokenMerges
from niah.cases.assembly.layout.exact_search import ExactSearch
from niah.cases.assembly.layout.laid_text import LaidText
from niah.cases.assembly.layout.next_joints import NextJoints
from niah.cases.assembly.layout.search_limits import MOST_EXTRA
from niah.cases.assembly.layout.unused_runs import UnusedRuns
from niah.errors import CaseError

NO_WHOLE_SENTENCES = "no whole sentences add up"
LONG_LINES_REMEDY = " (Break its long lines.)"
LINES_REMEDY = (
    " (Where its lines are shorter, or you break it into such, structure: lines ends sentences with lines, "
    "in the suite or in a haystack.yaml beside the text.)"
)


class ContextLayout:
    """A context being laid out.

    Attributes:
        text: as far as it is laid.
        joints: what the next ones would cost.
        haystack_tokens: H.
        unit_starts: the tokens before each unit, as reckoned.

    Args:
        background: where haystack text comes from.
        boundaries: where it may be interrupted without changing a count.
        haystack_tokens: H.
        merges: makes what says what joints cost, when it is first asked.
        additive: whether the tokenizer makes all joints at ``boundaries`` cost nothing.
        passed_over: of the ways that come out exactly, how many to pass over before each unit and the end.
        two_runs: whether two runs may stand where one does not come out, whatever joints cost.
    """

    def __init__(
        self,
        background: Background,
        boundaries: Boundaries,
        haystack_tokens: int,
        merges: Callable[[], TokenMerges],
        *,
        additive: bool,
        passed_over: Sequence[int] = (),
        two_runs: bool = False,
    ) -> None:
        self.text = LaidText(background, additive=additive)
        self.joints = NextJoints(self.text, merges)
        self.haystack_tokens = haystack_tokens
        self.unit_starts: list[int] = []
        runs = UnusedRuns(self.text, haystack_tokens)
        self._search = ExactSearch(self.text, self.joints, boundaries, runs, two_runs=two_runs)
        self._corpus = background.corpus
        self._tokens = background.corpus.tokens
        self._boundaries = boundaries
        self._additive = additive
        self._passed_over = passed_over
        self._unit_tokens = 0

    def insert(self, stop: InsertionPoint) -> None:
        """Put a stop's inserts here."""
        text = self.text
        for number, item in enumerate(stop.inserts):
            if number and not self._additive:
                extra = self.joints.between(stop, number)
                text.placed += extra
                text.measured |= extra != 0
            tokens = item.tokens if text.segments else item.bare
            if number == stop.unit:
                self.unit_starts.append(text.placed + self._unit_tokens)
                self._unit_tokens += tokens
            else:
                text.placed += tokens
            text.segments.append(item)

    def go_to(self, position: int, following: InsertionPoint | None = None) -> None:
        """Lay haystack text until exactly ``position`` haystack tokens stand; to the end without it.

        Raises CaseError.
        """
        wanted = position - self.text.placed
        if following is not None and not self._additive:
            before_unit = range(1, (following.unit or 0) + 1)
            wanted -= sum(self.joints.between(following, number) for number in before_unit)
        if not wanted:
            return
        if wanted < 0:
            raise CaseError(
                "the text so far is too long.",
                "Ask for fewer distractors or a greater context length.",
                NO_ROOM_FOR_DISTRACTORS,
            )
        passed_over = self._passed_over[len(self.unit_starts)] if self._passed_over else 0
        if not self._search.lay(wanted, following, passed_over):
            fits = self._tokens[-1] < self._corpus.size * self.haystack_tokens // 2
            contiguous = "mode: contiguous, one sentence short at most, or " if fits else ""
            raise CaseError(
                f"no whole sentences of the haystack add up to the {wanted} tokens before "
                f"position {position}.",
                f"Use {contiguous}another haystack. {self.describe_pieces()}",
                NO_WHOLE_SENTENCES,
            )

    def go_near(self, position: int, following: InsertionPoint) -> None:
        """Lay haystack text up to a sentence boundary shortly before ``position`` haystack tokens."""
        onward = self.joints.onward()
        limit = self._tokens[self.text.cursor] + position - self.text.placed
        for at in range(bisect_right(self._boundaries.tokens, limit) - 1, -1, -1):
            piece = self._boundaries.pieces[at]
            if piece <= self.text.cursor or limit - self._boundaries.tokens[at] > LONGEST_BRIDGE:
                break
            if self.joints.may_stop(piece, following):
                self.text.lay_onward(piece, None, onward)
                return
        self.go_closest(position, following)

    def go_closest(self, position: int, following: InsertionPoint | None = None) -> None:
        """Lay haystack text up to the last sentence boundary at or before ``position`` haystack tokens.

        Without ``following`` the context ends there.
        """
        text, joints = self.text, self.joints
        wanted = position - text.placed
        limit = self._tokens[text.cursor] + wanted
        for piece in range(bisect_right(self._tokens, limit + MOST_EXTRA) - 1, text.cursor, -1):
            is_free, extra = self._is_free(piece, is_end=following is None), 0
            if not is_free:
                extra = joints.stopping_cost(piece, following) if following else joints.closing_cost(piece)
            if self._tokens[piece] - self._tokens[text.cursor] + extra <= wanted:
                text.lay(piece, None, extra, measured=not is_free)
                return

    def _is_free(self, piece: int, *, is_end: bool) -> bool:
        """Whether it is proven that nothing costs more where the background stops before ``piece``."""
        if not self._additive or self.text.measured or (is_end and not self._corpus.plain[piece - 1]):
            return False
        at = bisect_left(self._boundaries.pieces, piece)
        if at == len(self._boundaries.pieces) or self._boundaries.pieces[at] != piece:
            return False
        return self.joints.goes_on_free

    def describe_pieces(self) -> str:
        """What the haystack is made of, and how that may be changed."""
        corpus = self._corpus
        longest = max(map(sub, self._tokens[1:], self._tokens))
        what, remedy = (
            ("Lines", LONG_LINES_REMEDY) if corpus.structure == "lines" else ("Sentences", LINES_REMEDY)
        )
        remedy = remedy if longest > LONGEST_RUN else ""
        mean = self._tokens[-1] / corpus.size
        return f"{what} of this one have {mean:,.0f} tokens on average, {longest:,} at most.{remedy}"
