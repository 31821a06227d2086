"""The answers of an audit, and fewer of them."""

from __future__ import annotations

from collections import Counter

from niah.cases.sample import AnswerKey
from niah.judges.audit.probe import PROBE_TYPES, Probe, ProbeType, true_verdict
from niah.judges.audit.probes import build_probes, draw_probes
from niah.judges.audit.texts import hostile_texts


def test_every_type_is_tried_where_it_can_be(pizza: AnswerKey, gates: AnswerKey, well: AnswerKey) -> None:
    assert {p.type for p in build_probes(pizza, 1)} == set(PROBE_TYPES) - {"swapped keys"}
    assert {p.type for p in build_probes(gates, 1)} == set(PROBE_TYPES)
    assert {p.type for p in build_probes(well, 1)} == {
        *("complete", "wrong", "paraphrased", "format", "verbose", "set aside"),
        *("doubt, incomplete", "taken back", "unrelated", "hostile"),
    }


def test_every_number_of_elements_is_left_out_once(pizza: AnswerKey) -> None:
    missing = [p for p in build_probes(pizza, 1) if p.type == "missing"]
    assert [(p.name, p.truth.score) for p in missing] == [("1 of 3 left out", 7), ("2 of 3 left out", 5)]
    for probe in missing:
        assert all(
            (name in probe.answer) == (name in probe.truth.found)
            for name in probe.truth.found + probe.truth.missing
        )


def test_the_seed_settles_everything(pizza: AnswerKey) -> None:
    assert build_probes(pizza, 3) == build_probes(pizza, 3)
    assert {p.answer for p in build_probes(pizza, 3)} != {p.answer for p in build_probes(pizza, 4)}


def test_no_room_is_left_unfilled(pizza: AnswerKey, gates: AnswerKey, well: AnswerKey) -> None:
    for key in (pizza, gates, well):
        for probe in build_probes(key, 1, every_base=True):
            for slot in ("{answer}", "{wrong}", "{base}", "{question}", "{list}"):
                assert slot not in probe.answer, probe.name


def test_forty_and_more_different_hostile_answers(pizza: AnswerKey) -> None:
    names = {probe.name.partition(", on ")[0] for probe in build_probes(pizza, 1) if probe.type == "hostile"}
    assert len(names) >= 40
    assert len(set(hostile_texts().every_text().values())) == len(hostile_texts().every_text()) >= 40


def test_a_hostile_answer_deserves_what_its_base_deserves(pizza: AnswerKey, well: AnswerKey) -> None:
    by_base = {"a refusal": 1, "nothing to the point": 1, "1 of 3": 5, "wrong elements": 1}
    for key in (pizza, well):
        around = [p for p in build_probes(key, 1, every_base=True) if ", on " in p.name]
        for probe in around:
            assert probe.truth.score == by_base[probe.name.rpartition(", on ")[2]]
        counts = Counter(probe.name.rpartition(", on ")[2] for probe in around)
        assert set(counts.values()) == {len(hostile_texts().every_text())}
    assert "a refusal" not in counts, "where the text does not tell, a refusal deserves a 10"


def test_a_hostile_text_that_names_an_element_is_left_out(pizza: AnswerKey) -> None:
    assert any("bananas" in probe.answer for probe in build_probes(pizza, 1))
    pears = pizza.distractors[-1]
    named = pears.__class__(pears.id, pears.text, (pears.elements[0].__class__("bananas"),))
    fruity = AnswerKey(
        name=pizza.name,
        question=pizza.question,
        references=(pizza.answer,),
        elements=pizza.elements,
        needles=pizza.needles,
        distractors=(named,),
    )
    assert not any(
        probe.name.startswith("few-shot") for probe in build_probes(fruity, 1) if probe.type == "hostile"
    )


def test_naming_every_candidate_counts_all_of_them(pizza: AnswerKey) -> None:
    probe = next(p for p in build_probes(pizza, 1) if p.name == "every candidate")
    # 3 found, 2 wrong: 3/5.
    assert (probe.truth.score, probe.truth.wrong) == (5, ("ricotta", "pears"))
    assert "ricotta" in probe.answer


def test_hidden_wrong_elements_are_still_wrong(pizza: AnswerKey) -> None:
    hidden = [p for p in build_probes(pizza, 1) if p.name.startswith("wrong elements with")]
    assert len(hidden) >= 10
    for probe in hidden:
        assert (probe.truth.score, probe.truth.wrong) == (5, ("ricotta", "pears"))
        assert "ricotta" not in probe.answer


def some(key: AnswerKey, counts: dict[ProbeType, int]) -> list[Probe]:
    return [
        Probe(key, kind, str(number), "", true_verdict(key))
        for kind, count in counts.items()
        for number in range(count)
    ]


def test_shares_by_hand(pizza: AnswerKey) -> None:
    # A tenth of 60, 30 and 10 is 6, 3 and 1. Of 60, 36 and 4 it is 6, 3.6 and 0.4: rounding would try no
    # answer of the last type, so format gives up what is over 3.
    every = some(pizza, {"hostile": 60, "format": 30, "missing": 10})
    assert Counter(p.type for p in draw_probes(every, 10, 1)) == {"hostile": 6, "format": 3, "missing": 1}
    every = some(pizza, {"hostile": 60, "format": 36, "missing": 4})
    assert Counter(p.type for p in draw_probes(every, 10, 1)) == {"hostile": 6, "format": 3, "missing": 1}


def test_a_limit_below_the_number_of_types_keeps_the_greatest(pizza: AnswerKey) -> None:
    every = some(pizza, {"missing": 2, "hostile": 60, "format": 36})
    assert Counter(p.type for p in draw_probes(every, 2, 1)) == {"hostile": 1, "format": 1}


def test_all_where_there_are_no_more(pizza: AnswerKey) -> None:
    every = build_probes(pizza, 1)
    assert draw_probes(every, len(every), 1) == every


def test_the_number_asked_for_in_order_and_by_the_seed(pizza: AnswerKey) -> None:
    every = build_probes(pizza, 1)
    for limit in (1, 7, 40, len(every) - 1):
        drawn = draw_probes(every, limit, 2)
        places = [every.index(probe) for probe in drawn]
        assert len(drawn) == limit
        assert places == sorted(places)
    assert draw_probes(every, 40, 2) == draw_probes(every, 40, 2) != draw_probes(every, 40, 3)
