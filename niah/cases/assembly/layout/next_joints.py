"""What the next joints of a context would cost, wherever its background stops and whatever comes there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from niah.cases.assembly.backgrounds.runs import Stretch
from niah.cases.assembly.insertion_points import InsertionPoint
from niah.cases.assembly.joints.joins import before_insert, before_piece
from niah.cases.assembly.joints.token_merges import TokenMerges
from niah.cases.assembly.layout.laid_text import LaidText


class NextJoints:
    """Reckons what may be laid behind a text.

    Args:
        text: as far as it is laid.
        merges: makes what says what joints cost, when it is first asked.
    """

    def __init__(self, text: LaidText, merges: Callable[[], TokenMerges]) -> None:
        self._text = text
        self._corpus = text.corpus
        self._make_merges = merges

    def between(self, stop: InsertionPoint, number: int) -> int:
        """What the joint costs between an insert of a stop and the one before it."""
        left, right = stop.inserts[number - 1].text, stop.inserts[number].text
        return self._merges.extra(left, before_insert(self._corpus, self._text.held), right) or 0

    def may_stop(self, piece: int, following: InsertionPoint | None) -> bool:
        """Whether the background may stop before ``piece``, one of those where that changes no count."""
        if following is None and not (piece > self._text.cursor and self._corpus.plain[piece - 1]):
            return False
        return self._text.additive or self.fits(piece, None, following)

    def fits(self, piece: int, run: Stretch | None, following: InsertionPoint | None) -> bool:
        """Whether no joint costs anything: background up to ``piece``, then ``run``, then ``following``."""
        onward = self.onward() if piece > self._text.cursor else 0
        if self.cost(piece, run, following) != onward:
            return False
        if following is None or piece >= self._corpus.size:
            return True
        # The background goes on behind what follows.
        held = self._text.held_after(piece, run)
        joint, left_out = before_piece(self._corpus, piece, held)
        return self._merges.extra(following.inserts[-1].text, joint, piece, left_out) == 0

    def cost(self, piece: int, run: Stretch | None, following: InsertionPoint | None) -> int | None:
        """What all joints cost: background up to ``piece``, then ``run``, then ``following`` or the end.

        None where they cannot be: no token begins at one, or the prompt would cost something else.
        """
        left, held, cost = self._text.end(), self._text.held, 0
        for stretch in (Stretch(self._text.cursor, piece), run):
            if stretch is not None and stretch.first < stretch.last:
                extra = self.onto(left, held, stretch.first)
                if extra is None:
                    return None
                left, held = stretch.last, self._text.held_behind(stretch, held)
                cost += extra
        if following is None:
            if left is None or not self._merges.fits_end(self._text.text_of(left)):
                return None
            return cost + self._merges.end(left)
        if left is None:
            return cost
        extra = self._merges.extra(left, before_insert(self._corpus, held), following.inserts[0].text)
        return None if extra is None else cost + extra

    def closing_cost(self, piece: int) -> int:
        """What joints cost where the background runs on up to ``piece`` and the context ends, P with it."""
        merges = self._merges
        return self.onward() + merges.end(piece) + merges.closing(self._text.text_of(piece))

    def stopping_cost(self, piece: int, following: InsertionPoint) -> int:
        """What joints cost where the background runs on up to ``piece`` and ``following`` comes; P stays."""
        joint = before_insert(self._corpus, self._text.held_after(piece, None))
        return self.onward() + (self._merges.extra(piece, joint, following.inserts[0].text) or 0)

    def onward(self) -> int:
        """What it costs that the background goes on here."""
        text = self._text
        if text.segments and text.additive and not text.measured and self.goes_on_free:
            return 0
        if text.cursor >= self._corpus.size:
            return 0
        if not text.segments:
            if self._corpus.neutral_start[text.cursor]:
                return 0
            text.measured |= not text.additive
            return text.background.joint_costs.start(text.cursor)
        return self.onto(text.end(), text.held, text.cursor) or 0

    @property
    def goes_on_free(self) -> bool:
        """Whether the background's next piece costs what it does where it stands, behind an insert too."""
        is_inside = bool(self._text.segments) and self._text.cursor > 0
        return is_inside or self._corpus.neutral_start[self._text.cursor]

    def onto(self, left: int | str | None, held: str, piece: int) -> int | None:
        """What the joint costs between ``left`` and a piece; None where no token begins at it."""
        if left is None:
            fits = self._merges.fits_start(self._corpus.slice(piece, piece + 1).strip())
            return self._merges.start(piece) if fits else None
        joint, left_out = before_piece(self._corpus, piece, held)
        return self._merges.extra(left, joint, piece, left_out)

    def check_edges(self) -> None:
        """Set ``measured`` unless the context begins and ends with what P was reckoned with."""
        text = self._text
        first, last = text.segments[0], text.segments[-1]
        head = text.text_of(first.first + 1) if isinstance(first, Stretch) else first.text
        tail = text.text_of(last.last if isinstance(last, Stretch) else last.text)
        text.measured |= head != self._merges.head or not self._merges.fits_end(tail)

    @cached_property
    def _merges(self) -> TokenMerges:
        return self._make_merges()
