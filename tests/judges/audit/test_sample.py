"""Fewer answers, every type with its share."""

from __future__ import annotations

from collections import Counter

from niah.cases.sample import AnswerKey
from niah.judges.audit.probe import Probe, ProbeType
from niah.judges.audit.probes import probes
from niah.judges.audit.sample import sample
from niah.judges.audit.truth import truth


def some(key: AnswerKey, counts: dict[ProbeType, int]) -> list[Probe]:
    return [
        Probe(key, kind, str(number), "", truth(key))
        for kind, count in counts.items()
        for number in range(count)
    ]


def test_shares_by_hand(pizza: AnswerKey) -> None:
    # A tenth of 60, 30 and 10 is 6, 3 and 1. Of 60, 36 and 4 it is 6, 3.6 and 0.4: rounding would try no
    # answer of the last type, so format gives up what is over 3.
    every = some(pizza, {"hostile": 60, "format": 30, "missing": 10})
    assert Counter(p.type for p in sample(every, 10, 1)) == {"hostile": 6, "format": 3, "missing": 1}
    every = some(pizza, {"hostile": 60, "format": 36, "missing": 4})
    assert Counter(p.type for p in sample(every, 10, 1)) == {"hostile": 6, "format": 3, "missing": 1}


def test_a_limit_below_the_number_of_types_keeps_the_greatest(pizza: AnswerKey) -> None:
    every = some(pizza, {"missing": 2, "hostile": 60, "format": 36})
    assert Counter(p.type for p in sample(every, 2, 1)) == {"hostile": 1, "format": 1}


def test_all_where_there_are_no_more(pizza: AnswerKey) -> None:
    every = probes(pizza, 1)
    assert sample(every, len(every), 1) == every


def test_the_number_asked_for_in_order_and_by_the_seed(pizza: AnswerKey) -> None:
    every = probes(pizza, 1)
    for limit in (1, 7, 40, len(every) - 1):
        drawn = sample(every, limit, 2)
        places = [every.index(probe) for probe in drawn]
        assert len(drawn) == limit
        assert places == sorted(places)
    assert sample(every, 40, 2) == sample(every, 40, 2) != sample(every, 40, 3)
