"""Which strategies are one system at several budgets, and what that system is called."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from niah.strategies.strategy import Strategy, strategy_of


def budget_lines(strategies: Iterable[Strategy]) -> dict[str, str]:
    """By name, what strategies share that differ in their budget alone; of one without budget its own name.

    Strategies under names of the user's own, such as mine-125 and mine-500, go by these: "mine-N". What two
    of them are is the same for niah where their code has two versions; each then stays with its like by name.
    """
    lines: dict[str, str] = {}
    by_line: defaultdict[str, list[Strategy]] = defaultdict(list)
    for each in strategies:
        lines[each.name] = each.name
        if each.budget is not None:
            by_line[each.system_line].append(each)
    named = {line: _own_names(line, members) for line, members in by_line.items()}
    times = Counter(name for own in named.values() for name in set(own.values()))
    for line, own in named.items():
        is_one = len({each.budget for each in by_line[line]}) == len(own)
        tells = len(set(own.values())) == 1 or not is_one
        lines |= {name: shared if tells and times[shared] == 1 else line for name, shared in own.items()}
    return lines


def _own_names(line: str, members: Sequence[Strategy]) -> dict[str, str]:
    """By name, what it is called for all of its budgets: ``line`` where the name is not the user's own."""
    return {each.name: _without_budget(each, len(members)) or line for each in members}


def _without_budget(strategy: Strategy, members: int) -> str:
    if strategy_of(strategy.name).budget is not None:
        return ""
    return re.sub(rf"(?<!\d){strategy.budget}(?!\d)", "N", strategy.name) if members > 1 else strategy.name
