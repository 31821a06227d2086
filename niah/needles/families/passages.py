"""Long passages, composed of pools of sentences so that no two of them are much alike."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence

from niah.needles.families.schema import PassagesFile
from niah.needles.families.writer import TemplateWriter
from niah.text.tokenizer import count, get_tokenizer

_WEIGHT = 16
# Of so many passages before it a passage is kept apart; more of them only cost time.
_REMEMBERED = 256


class Composer:
    """Composes passages around given sentences.

    Two passages have as few templates in common as the pools allow. A passage grows sentence
    by sentence until it is long enough; a sentence that would make it too long is passed over.
    """

    def __init__(self, writer: TemplateWriter, pools: PassagesFile, tokens: tuple[int, int]) -> None:
        self._writer = writer
        self._pools = pools
        self._least, self._most = tokens
        self._random = writer.values.random("passages")
        self._frames = _frames(writer, pools)
        self._earlier: deque[frozenset[str]] = deque(maxlen=_REMEMBERED)

    def compose(self, facts: Sequence[str], given: Mapping[str, str] | None = None) -> str:
        """A passage that holds ``facts`` word for word and in order, among sentences of the pools."""
        opening, closing = next(self._frames)
        chosen = {opening, closing}
        drawn: dict[str, str] = dict(given or {})
        first, last = self._sentence(opening, drawn), self._sentence(closing, drawn)
        tokens = sum(map(_tokens, (first, last, *facts)))
        middles: list[str] = []
        for template in self._candidates(chosen):
            sentence = self._sentence(template, drawn)
            if tokens + _tokens(sentence) <= self._most:
                chosen.add(template)
                middles.append(sentence)
                tokens += _tokens(sentence)
            if tokens >= self._least:
                break
        self._earlier.append(frozenset(chosen))
        self._random.shuffle(middles)
        return " ".join((first, *self._mixed(middles, facts), last))

    def _sentence(self, template: str, drawn: dict[str, str]) -> str:
        written = self._writer.write(template, drawn, self._pools.each)
        drawn.update(written.values)
        return written.text

    def _candidates(self, chosen: set[str]) -> Iterator[str]:
        """Every middle once, each time the one that makes this passage least like any earlier one.

        ``chosen`` grows while this goes on. A template weighs more in an earlier passage that has some of the
        chosen ones already, so that a third in common comes only when no other is left.
        """
        left = list(self._pools.middles)
        self._random.shuffle(left)
        while left:
            weights: Counter[str] = Counter()
            for earlier in self._earlier:
                weight = _WEIGHT ** len(chosen & earlier)
                weights.update(dict.fromkeys(earlier, weight))
            best = min(left, key=lambda template: weights[template])
            left.remove(best)
            yield best

    def _mixed(self, middles: Sequence[str], facts: Sequence[str]) -> list[str]:
        """The facts in gaps between the middles, in their own order, two in one gap only if they must."""
        inner = range(1, len(middles)) or range(1)
        gaps = sorted(self._random.sample(inner, min(len(facts), len(inner))))
        gaps += [len(middles)] * (len(facts) - len(gaps))
        mixed: list[str] = []
        start = 0
        for gap, fact in zip(gaps, facts, strict=True):
            mixed += [*middles[start:gap], fact]
            start = gap
        return [*mixed, *middles[start:]]


def _frames(writer: TemplateWriter, pools: PassagesFile) -> Iterator[tuple[str, str]]:
    """Openings with closings; every pair comes once before any comes again."""
    openings, closings = list(pools.openings), list(pools.closings)
    rng = writer.values.random("frames")
    rng.shuffle(openings)
    rng.shuffle(closings)
    step = 0
    while True:
        shift = step // len(openings)
        yield openings[step % len(openings)], closings[(step + shift) % len(closings)]
        step += 1


def _tokens(sentence: str) -> int:
    """Tokens of a sentence in the middle of a text; in cl100k these add up."""
    return count(get_tokenizer("cl100k"), f" {sentence}")
