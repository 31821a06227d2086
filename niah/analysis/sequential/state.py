"""From look to look: what is known, what is decided, and what to ask next. Nothing is run here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from niah.analysis.sequential.design import Arm, DesignUnit, SequentialDesign
from niah.analysis.sequential.interim_statistic import (
    MIN_CLUSTERS,
    InterimStatistic,
    chance_of_alarm,
    interim_statistic,
)
from niah.analysis.sequential.spending import p_value
from niah.analysis.stats.clusters import codes
from niah.analysis.stats.corrections import holm

Decision = Literal["regression", "no regression", "undecided"]

Observations = Mapping[Arm, Mapping[str, float | None]]
"""By arm and the unit's key: how much better tonight is than the baseline; None where that is not known."""

# An arm whose chance of an alarm is greater may well alarm, and then others get its part of the level.
_LIKELY = 0.2


@dataclass(frozen=True)
class State:
    """A design and what has come of it so far.

    Attributes:
        design: as it was before the first trial.
        looks_done: how many looks have been taken.
        observed: all differences so far, also of looks that are still to come.
        decided: the arms that are done with.
        statistics: of each arm, at the last look it took part in.
        p: of each arm alone, the least so far.
        looked: how many looks each arm took part in.
    """

    design: SequentialDesign
    looks_done: int
    observed: Observations
    decided: Mapping[Arm, Decision]
    statistics: Mapping[Arm, InterimStatistic]
    p: Mapping[Arm, float]
    looked: Mapping[Arm, int]


def start(design: SequentialDesign) -> State:
    """Nothing is known yet. Looks at the beginning that have no unit, where units are few, are taken."""
    return update(State(design, 0, {arm: {} for arm in design.arms}, {}, {}, {}, {}), {})


def next_batch(state: State) -> Mapping[Arm, tuple[DesignUnit, ...]]:
    """What to ask for the next look, of open arms only; empty when all is decided."""
    if state.looks_done == state.design.looks:
        return {}
    missing = {
        arm: tuple(unit for unit in looks[state.looks_done] if unit.key not in state.observed[arm])
        for arm, looks in state.design.dealt.items()
        if arm not in state.decided
    }
    return {arm: units for arm, units in missing.items() if units}


def update(state: State, observations: Observations) -> State:
    """With more differences, and all looks taken that they complete.

    Differences may come early, late for a decided arm, or a few at a time; only complete looks count. Raises
    ValueError for an arm or a unit that the design does not have.
    """
    for arm, differences in observations.items():
        if arm not in state.design.arms:
            raise ValueError(f"the design has no arm {'/'.join(arm)}.")
        strange = differences.keys() - state.design.keys[arm]
        if strange:
            raise ValueError(f"{'/'.join(arm)} has no unit {min(strange)} in the design.")
    observed = {arm: {**old, **observations.get(arm, {})} for arm, old in state.observed.items()}
    state = replace(state, observed=observed)
    while state.looks_done < state.design.looks and _open(state) and not next_batch(state):
        state = _looked(state)
    return state


def decision(state: State) -> Mapping[Arm, Decision]:
    """For every arm: "regression"; "no regression", where the full design raises no alarm, or hardly would.

    "undecided": trials are missing, or fewer than three clusters have scores, which is no reason to ask more.
    """
    return {arm: state.decided.get(arm, "undecided") for arm in state.design.arms}


def next_trials(design: SequentialDesign, observed: Observations) -> Mapping[Arm, tuple[DesignUnit, ...]]:
    """Which trials to run next, from all that was observed: for a runner that keeps no state of its own."""
    return next_batch(update(start(design), observed))


def _open(state: State) -> list[Arm]:
    return [arm for arm in state.design.arms if arm not in state.decided]


def _looked(state: State) -> State:
    """The state after one more look at the open arms: alarms first, then what cannot alarm any more."""
    look, shares = state.looks_done, state.design.shares
    now = {arm: _statistic(state, arm) for arm in _open(state)}
    p = dict(state.p)
    for arm, at in now.items():
        p[arm] = min(p.get(arm, 1.0), p_value(shares[arm], look, at.z))
    alarms = [arm for arm, each in adjusted(state.design, p).items() if each <= state.design.alpha]
    rest = {arm: at for arm, at in now.items() if arm not in alarms}
    given_up = _given_up(state.design, rest, alarms, last=look + 1 == state.design.looks)
    blind = [arm for arm, at in rest.items() if _is_blind(state, arm, at)]
    decided: dict[Arm, Decision] = {
        **state.decided,
        **dict.fromkeys(given_up, "no regression"),
        **dict.fromkeys(blind, "undecided"),
    }
    return replace(
        state,
        looks_done=look + 1,
        # An arm that was given up may still alarm, when others have left it their part of the level.
        decided={**decided, **dict.fromkeys(alarms, "regression")},
        statistics={**state.statistics, **now},
        p=p,
        looked={**state.looked, **dict.fromkeys(now, look + 1)},
    )


def adjusted(design: SequentialDesign, p: Mapping[Arm, float]) -> Mapping[Arm, float]:
    """Holm's correction of the arms' p-values; 1 for an arm that was never looked at."""
    found = holm([p.get(arm, 1.0) for arm in design.arms], [arm.weight for arm in design.arms])
    return dict(zip(design.arms, map(float, found), strict=True))


def _statistic(state: State, arm: Arm) -> InterimStatistic:
    observed = state.observed[arm]
    known = [unit for look in state.design.dealt[arm][: state.looks_done + 1] for unit in look]
    scored = [(unit.cluster, one) for unit in known if (one := observed[unit.key]) is not None]
    differences = [difference for _, difference in scored]
    share = state.design.shares[arm][state.looks_done]
    return interim_statistic(differences, codes(cluster for cluster, _ in scored), share)


def _given_up(
    design: SequentialDesign, rest: Mapping[Arm, InterimStatistic], alarms: Collection[Arm], last: bool
) -> list[Arm]:
    """At the last look all that have enough clusters; before, those of them that will hardly alarm.

    Giving up is not binding: boundaries do not count on it, so that it costs power and never raises false
    alarms.
    """
    enough = [arm for arm, at in rest.items() if at.clusters >= MIN_CLUSTERS]
    chances = _chances(design, rest, alarms)
    return [arm for arm in enough if last or chances[arm] < design.doubt / arm.weight]


def _is_blind(state: State, arm: Arm, at: InterimStatistic) -> bool:
    """Whether three clusters were asked, or all there are, and fewer have scores: no more would help."""
    if at.clusters >= MIN_CLUSTERS:
        return False
    looks = state.design.dealt[arm]
    asked, every = (
        {unit.cluster for look in some for unit in look} for some in (looks[: state.looks_done + 1], looks)
    )
    return len(asked) >= min(MIN_CLUSTERS, len(every))


def _chances(
    design: SequentialDesign, rest: Mapping[Arm, InterimStatistic], alarms: Collection[Arm]
) -> dict[Arm, float]:
    """Each arm's chance to alarm at the end, at the level it will have if all likely alarms come."""
    expected = set(alarms)
    while True:
        chances = {
            arm: chance_of_alarm(at, design.boundary(arm, design.looks - 1, expected))
            for arm, at in rest.items()
        }
        likely = {arm for arm, chance in chances.items() if chance >= _LIKELY}
        if likely <= expected:
            return chances
        expected |= likely
