"""What cases have in common that differ in nothing but length and depth: found once for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from niah.cases.assembly.backgrounds.source import BackgroundSource, background_source, load_background
from niah.cases.assembly.inserts import Insert, Inserts, count_inserts, order_units
from niah.cases.assembly.lines.line_costs import LineUnits, has_known_lines, line_units
from niah.cases.assembly.placing import UnitColumns, unit_columns
from niah.cases.case import AccidentRule, Case, NeedleOrder
from niah.cases.prompts import PromptTemplate, load_prompt, prompt_tokens
from niah.haystacks.structure import Structure
from niah.text.tokenizer import Tokenizer, get_tokenizer


class UnitTokens(NamedTuple):
    """Tokens of units.

    Attributes:
        own: of each.
        before: of all units before each.
        total: of all.
    """

    own: tuple[int, ...]
    before: tuple[int, ...]
    total: int


@dataclass(frozen=True, eq=False)
class CaseSeries:
    """Cases that differ in nothing but length and depth.

    Attributes:
        inserts: the needle set, counted.
        units: what the insertion rule places, in the order of the text.
        source: where the background comes from.
        template: of the prompt.
        tokenizer: whose tokens count.
    """

    inserts: Inserts
    units: tuple[Insert, ...]
    source: BackgroundSource
    template: PromptTemplate
    tokenizer: Tokenizer

    @property
    def question(self) -> str:
        """What is asked."""
        return self.inserts.needle_set.question

    def prompt_tokens(self, head: str, tail: str) -> int:
        """P of a context with that first and that last sentence."""
        return _prompt_tokens(self, head, tail)

    def unit_tokens(self, *, leads: bool) -> UnitTokens:
        """Of the units, each behind a space, but the first where the context begins with it (``leads``)."""
        return self._unit_tokens[leads]

    @cached_property
    def _unit_tokens(self) -> tuple[UnitTokens, UnitTokens]:
        spaced = [unit.tokens for unit in self.units]
        return _counted(spaced), _counted([self.units[0].bare, *spaced[1:]])

    @cached_property
    def columns(self) -> UnitColumns:
        """The units by their attributes."""
        return unit_columns(self.units)

    @cached_property
    def spaced_texts(self) -> tuple[tuple[str, str], ...]:
        """Of each unit its text, and that behind a space."""
        return tuple((unit.text, f" {unit.text}") for unit in self.units)

    @cached_property
    def lines(self) -> LineUnits | None:
        """The units as lines, where the background is lines whose counts are known to add up."""
        if not has_known_lines(load_background(self.source), self.tokenizer):
            return None
        return line_units(self.tokenizer, self.units)

    @cached_property
    def is_plain(self) -> bool:
        """Whether the background's sentences may stop and go on without changing a count."""
        keeps_lines = load_background(self.source).corpus.keeps_lines
        return self.tokenizer.additive and self.tokenizer.cuts_at_spaces and not keeps_lines


def series_of(case: Case) -> CaseSeries:
    """The series that a case belongs to. Raises UnknownName, ConfigError or CaseError."""
    return _series(
        case.needle_set,
        case.haystack,
        case.seed,
        case.tokenizer,
        case.order,
        case.prompt,
        case.accidents,
        case.structure,
    )


@lru_cache(maxsize=256)
def _series(
    needle_set: str,
    haystack: str,
    seed: int,
    tokenizer: str,
    order: NeedleOrder,
    prompt: str,
    accidents: AccidentRule,
    structure: Structure | None,
) -> CaseSeries:
    case = Case(needle_set, haystack, 0, 0, seed, tokenizer, accidents=accidents, structure=structure)
    inserts = count_inserts(needle_set, seed, tokenizer)
    units = order_units(inserts.units, inserts.needle_set, order, seed)
    source = background_source(case, inserts.element_names)
    return CaseSeries(inserts, units, source, load_prompt(prompt), get_tokenizer(tokenizer))


def _counted(own: list[int]) -> UnitTokens:
    return UnitTokens(tuple(own), (0, *accumulate(own[:-1])), sum(own))


@lru_cache(maxsize=16_384)
def _prompt_tokens(series: CaseSeries, head: str, tail: str) -> int:
    return prompt_tokens(series.template, series.question, head, tail, series.tokenizer)
