"""What a model costs: US dollars per token, by the length of the prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal


@dataclass(frozen=True)
class Rates:
    """US dollars per token, for requests whose prompt has more than ``above`` tokens."""

    above: int
    input: Decimal
    cached_input: Decimal
    output: Decimal
    thinking: Decimal | None = None
    """Of thoughts, where they cost other than what other output does."""


@dataclass(frozen=True)
class Price:
    """What a model costs. Long prompts may cost more per token, all of their tokens.

    Attributes:
        rates: by rising ``above``; the first has 0.
        free: nothing is paid by nature (embedded, or a server of one's own), so that 0 is no guess.
        assumed: whether free only in that nobody has said what a server of one's own costs.
        call: US dollars for each call beside its tokens, as rerankers cost.
    """

    rates: tuple[Rates, ...]
    free: bool = False
    call: Decimal = Decimal(0)
    assumed: bool = False

    @property
    def counts_thoughts(self) -> bool:
        """Whether thoughts cost other than what other output does."""
        return any(rates.thinking is not None for rates in self.rates)

    def of(
        self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0, thinking_tokens: int = 0
    ) -> Decimal:
        """US dollars for one call.

        Args:
            prompt_tokens: of its whole prompt.
            completion_tokens: all that was written.
            cached_tokens: of the prompt, in the provider's prompt cache.
            thinking_tokens: of what was written.
        """
        rates = self._rates(prompt_tokens)
        cached, thinking = min(cached_tokens, prompt_tokens), min(thinking_tokens, completion_tokens)
        fresh = (prompt_tokens - cached) * rates.input
        answer = (completion_tokens - thinking) * rates.output
        thoughts = self.of_thoughts(prompt_tokens, thinking)
        return self.call + fresh + cached * rates.cached_input + answer + thoughts

    def of_thoughts(self, prompt_tokens: int, thinking_tokens: int) -> Decimal:
        """US dollars for the thoughts of a call."""
        rates = self._rates(prompt_tokens)
        return thinking_tokens * (rates.output if rates.thinking is None else rates.thinking)

    def at_most(self, prompt_tokens: int, room: int) -> Decimal:
        """US dollars for one call that fills its room, be it with an answer or with thoughts."""
        return max(self.of(prompt_tokens, room), self.of(prompt_tokens, room, 0, room))

    def _rates(self, prompt_tokens: int) -> Rates:
        return next(
            rates for rates in reversed(self.rates) if rates.above == 0 or prompt_tokens > rates.above
        )


FREE = Price((Rates(0, Decimal(0), Decimal(0), Decimal(0)),), free=True)
"""The model inside the package."""
NO_PRICE_SET = replace(FREE, assumed=True)
"""A server of one's own: it counts as 0 until its user says what it costs."""
