"""Which gate an answer gives each code to, in answers written by hand and by SmolLM2-135M."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import Verdict, judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

C, W, G = "50317", "82946", "17685"
COPPER, WILLOW, GRANITE = KEYS = ("copper gate", "willow gate", "granite gate")
ALL = (C, W, G)
GATES = AnswerKey(
    name="three-gates",
    question="What are the access codes of the copper gate, the willow gate and the granite gate?",
    references=(
        f"The access code of the copper gate is {C}, of the willow gate {W} and of the granite gate {G}.",
    ),
    elements=tuple(Element(code, key=key) for code, key in zip(ALL, KEYS, strict=True)),
    needles=tuple(
        Needle(key.split()[0], f"The access code of the {key} is {code}.", (code,))
        for code, key in zip(ALL, KEYS, strict=True)
    ),
    distractors=(Distractor("marble", "The access code of the marble gate is 63529.", (Element("63529"),)),),
)
ADA, TOMAS, INES = KEEPERS = ("Ada Brook", "Tomas Reed", "Ines Vane")
LANTERNS = AnswerKey(
    name="lanterns",
    question="Who keeps the lanterns of the north pier, the old mill and the customs house?",
    references=("At the north pier Ada Brook, at the old mill Tomas Reed, at the customs house Ines Vane.",),
    elements=(
        Element(TOMAS, key="old mill"),
        Element(ADA, ("Ada",), "north pier"),
        Element(INES, key="customs house"),
    ),
    needles=(
        Needle("pier", "Ada Brook keeps the lantern of the north pier.", (ADA,)),
        Needle("mill", "Tomas Reed keeps the lantern of the old mill.", (TOMAS,)),
        Needle("house", "Ines Vane keeps the lantern of the customs house.", (INES,)),
    ),
)

RECORDS = [{"code": code, "gate": key} for code, key in zip(ALL, KEYS, strict=True)]

# How SmolLM2 likes to begin.
LEAD = "The access codes of the copper gate, the willow gate and the granite gate are"
ROW = "The access codes of the copper gate, willow gate and granite gate are"


class Row(NamedTuple):
    why: str
    answer: str
    score: int
    found: tuple[str, ...]
    wrong: tuple[str, ...] = ()


def _of(code: str, key: str) -> str:
    return f"{code} ({key})"


SMOLLM2 = [
    Row(
        "three right codes, each for another gate: first to first, second to second",
        f"{ROW} {G}, {C} and {W} respectively.",
        1,
        (),
        (_of(G, COPPER), _of(C, WILLOW), _of(W, GRANITE)),
    ),
    Row(
        "one right code for the wrong gate",
        f"The access code of the copper gate is {G}.",
        1,
        (),
        (_of(G, COPPER),),
    ),
    Row(
        "two of three, the key before each",
        f"The access code of the copper gate is {C}, and the access code of the granite gate is {G}.",
        7,
        (C, G),
    ),
    Row(
        "a lead-in that names all keys has nothing",
        f"The access codes of the copper gate, the willow gate, and the granite gate are:\n\n"
        f"The access code of the copper gate is {C}.\nThe access code of the willow gate is {W}.\n"
        f"The access code of the granite gate is {G}.",
        10,
        ALL,
    ),
    Row(
        "one code for all gates: 1 / (3 + 2)",
        f"The access codes of the copper gate, willow gate, and granite gate are all the same code, {C}.",
        3,
        (C,),
        (_of(C, GRANITE), _of(C, WILLOW)),
    ),
    Row(
        "one code for all gates, 'the same' said a sentence before",
        f"{ROW} all the same. They are all the same access code, which is {C}.",
        3,
        (C,),
        (_of(C, GRANITE), _of(C, WILLOW)),
    ),
    Row(
        "a gate that nobody asked for has its code for itself",
        f"{LEAD}:\n\n1. Copper Gate: {W}\n2. Willow Gate: {G}\n3. Saltash Gate: {G}",
        1,
        (),
        (_of(G, "saltash gate"), _of(G, WILLOW), _of(W, COPPER)),
    ),
    Row(
        "a key on its own line, then again with its code",
        f"{LEAD}:\n\nAccess Code 1: Copper Gate\nThe access code of the copper gate is {C}.\n"
        f"The access code of the willow gate is {W}.",
        7,
        (C, W),
    ),
    Row(
        "a loop: the third is right, what the row has said already is nothing new",
        f"{ROW} {G}, {G}, {G}, {G}, {G}",
        3,
        (G,),
        (_of(G, COPPER), _of(G, WILLOW)),
    ),
    Row(
        "right for its own gate, wrong for another: 1 / (3 + 1)",
        f"The access code of the copper gate is {G}, and the access code of the granite gate is {G}.",
        3,
        (G,),
        (_of(G, COPPER),),
    ),
    Row(
        "the key again behind its code",
        f"The access code of the copper gate is {C}, which is the number of the copper gate. "
        f"The access code of the willow gate is {W}.",
        7,
        (C, W),
    ),
    Row(
        "the key again, 'found in'",
        f"{LEAD}:\n\nThe access code of the copper gate is {C}, which is a code that is only found in the "
        f"copper gate.\n\nThe access code of the willow gate is {G}, which is a code that is only found in "
        f"the willow gate.",
        3,
        (C,),
        (_of(G, WILLOW),),
    ),
    Row(
        "a bare list that breaks off goes down the gates in order: 1 / (3 + 1)",
        f"{LEAD}:\n\n1. {G}\n2. {W}",
        3,
        (W,),
        (_of(G, COPPER),),
    ),
    Row(
        "a year is no code, but takes its gate's place",
        f"The access code of the copper gate is {G}. The access code of the granite gate is 1999. "
        f"The access code of the willow gate is {G}.",
        1,
        (),
        (_of(G, COPPER), _of(G, WILLOW)),
    ),
    Row(
        "'all the same', then different codes",
        f"The access codes of the willow gate, granite gate, and copper gate are all the same. "
        f"The access code of the copper gate is {G}, the access code of the willow gate is {W}, "
        f"and the access code of the granite gate is {C}.",
        3,
        (W,),
        (_of(G, COPPER), _of(C, GRANITE)),
    ),
    Row(
        "a key named again in its sentence starts the row anew",
        f"{LEAD} all related to the access code of the copper gate, which is {C}.",
        5,
        (C,),
    ),
    Row(
        "the whole list, then another gate with the last code",
        f"The access code of the copper gate is {C}, and the swallow is a country tenant.\n\n"
        f"The access code of the willow gate is {W}.\n\nThe access code of the granite gate is {G}.\n\n"
        f"The access code of the plum gate is {G}.",
        7,
        ALL,
        (_of(G, "plum gate"),),
    ),
    Row(
        "inventions in a row: only what is right somewhere can be in the wrong place",
        f"{ROW} {G}, 17686, 17687, 17688",
        1,
        (),
        (_of(G, COPPER), "17686", "17687", "17688"),
    ),
]
KEYS_FIRST = [
    Row("the reference itself", GATES.answer, 10, ALL),
    Row("the row of three, right", f"{ROW} {C}, {W} and {G}, respectively.", 10, ALL),
    Row(
        "any case, possessives",
        f"COPPER GATE'S: {C}; the Willow Gate's code is {W}; granite gate's {G}",
        10,
        ALL,
    ),
    Row("without the word that all keys end in", f"copper: {C}\nwillow: {W}\ngranite: {G}", 10, ALL),
    Row("short keys, one plural", f"The copper, willow and granite gates have {C}, {W} and {G}.", 10, ALL),
    Row("slashes", f"Copper/willow/granite: {W}/{C}/{G}", 3, (G,), (_of(C, WILLOW), _of(W, COPPER))),
    Row(
        "bullets and bold",
        f"* **Copper Gate:** `{C}`\n* **Granite Gate:** `{W}`",
        3,
        (C,),
        (_of(W, GRANITE),),
    ),
    Row(
        "a key, and its code on the next line", f"{LEAD}:\n\nCopper gate\n{C}\n\nWillow gate\n{W}", 7, (C, W)
    ),
    Row("a line broken after 'is'", f"The copper gate's is\n{C} and the willow gate's is\n{W}.", 7, (C, W)),
    Row(
        "'No.' ends no sentence",
        f"Copper gate: No. {C}, willow gate: No. {W}, granite gate: No. {G}",
        10,
        ALL,
    ),
    Row(
        "a list of two keys has one code",
        f"The copper gate and the willow gate have {W}; the granite gate has {G}.",
        5,
        (W, G),
        (_of(W, COPPER),),
    ),
    Row("fewer codes than keys, from the first", f"{ROW} {C} and {G}.", 3, (C,), (_of(G, WILLOW),)),
    Row(
        "fewer codes than keys, which are no list: the last keys",
        f"I sought the copper gate in vain, and the willow gate and the granite gate have {W} and {G}.",
        7,
        (W, G),
    ),
    Row(
        "fewer codes than keys, which are no list",
        f"With the copper gate lost, the willow gate by the river and the granite gate have {W} and {G}.",
        7,
        (W, G),
    ),
    Row(
        "keys of the codes' own sentence",
        f"Granite gate: ?\nThe copper and willow gates have the same, {C}.",
        3,
        (C,),
        (_of(C, WILLOW),),
    ),
    Row(
        "a list of keys, in words",
        f"The code of the copper gate and the code of the willow gate is {W}.",
        3,
        (W,),
        (_of(W, COPPER),),
    ),
    Row("another key's code in brackets", f"Copper gate: {C} (willow gate: {W}, granite gate: {G})", 10, ALL),
    Row(
        "another key's code too", f"Copper gate: {C}. Willow gate: {W} or {C}.", 5, (C, W), (_of(C, WILLOW),)
    ),
    Row("'but' turns the order", f"The copper gate's is unknown, but {W} is the willow gate's.", 5, (W,)),
    Row("'but' begins anew", f"I do not know the copper gate's, but the willow gate's is {W}.", 5, (W,)),
    Row(
        "all candidates for one key: 1 / (3 + 2)",
        f"Copper gate: {C} or {W} or {G}",
        3,
        (C,),
        (_of(G, COPPER), _of(W, COPPER)),
    ),
    Row("a number of another shape in a list", f"{ROW} 1999, {W} and {G}.", 7, (W, G)),
    Row("an invented code takes its gate's place", f"{ROW} 66666, {W} and {G}.", 5, (W, G), ("66666",)),
    Row("a distractor's code takes its gate's place", f"{ROW} {C}, 63529 and {G}.", 5, (C, G), ("63529",)),
    Row(
        "a distractor's gate with a right code", f"The marble gate's is {G}.", 1, (), (_of(G, "marble gate"),)
    ),
    Row(
        "a summary says nothing new",
        f"Granite gate: {G}. Copper gate: {C}. Willow gate: {W}. So the codes are {G}, {C} and {W}.",
        10,
        ALL,
    ),
    Row("codes corrected", f"Copper gate: {G}. No, the copper gate has {C}.", 3, (C,), (_of(G, COPPER),)),
    Row(
        "another sentence goes on with its key",
        f"I found the copper gate. It opens with {G}.",
        1,
        (),
        (_of(G, COPPER),),
    ),
]
VALUES_FIRST = [
    Row("the key in brackets", f"{C} (copper gate), {G} (willow gate)", 3, (C,), (_of(G, WILLOW),)),
    Row("'for'", f"{C} for copper and {W} for willow", 7, (C, W)),
    Row(
        "'for', after a lead-in",
        f"{LEAD} as follows: {C} for the copper gate, {G} for the granite gate.",
        7,
        (C, G),
    ),
    Row("'is the code of'", f"{C} is the code of the copper gate and {W} opens the willow gate.", 7, (C, W)),
    Row("nothing but order", f"{C} copper gate, {W} willow gate, {G} granite gate", 10, ALL),
    Row("a key on the next line", f"{C}\nCopper gate\n\n{G}\nWillow gate", 3, (C,), (_of(G, WILLOW),)),
    Row("a row of codes, then a row of keys", f"{C}, {W} and {G} for copper, willow and granite.", 10, ALL),
    Row("one code for two keys", f"{W} for the copper and the willow gate", 3, (W,), (_of(W, COPPER),)),
    Row(
        "two keys, then the next code",
        f"{W} for copper and willow, {G} for granite",
        5,
        (W, G),
        (_of(W, COPPER),),
    ),
    Row("its own key and another", f"The granite gate's is {G} (copper gate).", 3, (G,), (_of(G, COPPER),)),
    Row(
        "a key pinned to the next code",
        f"{C} for the copper gate, willow gate {W}, granite gate {G}",
        10,
        ALL,
    ),
]
STRUCTURED = [
    Row("a JSON object", json.dumps({"copper gate": C, "willow_gate": W, "granite": G}), 10, ALL),
    Row(
        "a JSON object, two swapped",
        json.dumps({COPPER: W, WILLOW: C}),
        1,
        (),
        (_of(C, WILLOW), _of(W, COPPER)),
    ),
    Row(
        "JSON records on many lines, code before gate, after a lead-in",
        f"{LEAD}:\n```json\n{json.dumps(RECORDS, indent=1)}\n```",
        10,
        ALL,
    ),
    Row("JSON with a null", '{"copper gate": null, "willow gate": 82946}', 5, (W,)),
    Row(
        "a table",
        f"| Gate | Code |\n|---|---|\n| Copper gate | {C} |\n| Willow gate | {G} |",
        3,
        (C,),
        (_of(G, WILLOW),),
    ),
    Row("a table, code first", f"| Code | Gate |\n|---|---|\n| {C} | Copper |\n| {W} | Willow |", 7, (C, W)),
    Row("a table on its side", f"| Copper | Willow | Granite |\n|---|---|---|\n| {C} | {W} | {G} |", 10, ALL),
]
NO_KEY = [
    Row("one bare code", G, 5, (G,)),
    Row("one bare code after the question", f"{GATES.question} {G}", 5, (G,)),
    Row("two bare codes, in whatever order", f"The codes are {G} and {W}.", 7, (W, G)),
    Row("three bare codes, in the question's order", f"{C}\n{W}\n{G}", 10, ALL),
    Row("said twice", f"{C}, {G}, {W}. Yes: {C}, {G}, {W}.", 3, (C,), (_of(G, WILLOW), _of(W, GRANITE))),
    Row(
        "three bare codes in another order",
        f"{G}, {C} and {W}",
        1,
        (),
        (_of(G, COPPER), _of(C, WILLOW), _of(W, GRANITE)),
    ),
    Row(
        "'the first ... the second'",
        f"The first gate's is {C}, the second gate's {W}, the third's {G}.",
        10,
        ALL,
    ),
    Row(
        "a bare code that has a key elsewhere",
        f"{G}. The code of the copper gate is {G}.",
        1,
        (),
        (_of(G, COPPER),),
    ),
    Row("no code at all", "The copper gate, the willow gate and the granite gate have codes.", 1, ()),
]
NEGATED = [
    Row("'not 1 but 2'", f"The copper gate's code is not {G} but {C}.", 5, (C,)),
    Row("'2, not 1'", f"The copper gate's code is {C}, not {G}.", 5, (C,)),
    Row("a key ruled out", f"{G} is the code of the granite gate, not the copper gate.", 5, (G,)),
    Row("a key excepted", f"The granite gate, not the copper gate, has {G}.", 5, (G,)),
    Row("only ruled out", f"The copper gate's code is not {C}.", 1, ()),
]
TOLD_NOTHING = [
    Row(
        "two keys of which nothing is told",
        f"It is {C}. The willow and the granite gate's are not given.",
        5,
        (C,),
    ),
    Row(
        "neither ... nor",
        f"{C}. Neither the willow gate's nor the granite gate's seems to be stated.",
        5,
        (C,),
    ),
    Row("a value with words of its own", f"The copper gate has {C}, and the mossy one {W}.", 7, (C, W)),
    Row(
        "a summary in the question's order",
        f"Willow gate: {W}. The others {C} and {G}. So: {C}, {W}, {G}.",
        10,
        ALL,
    ),
]
TABLE = [*TOLD_NOTHING, *SMOLLM2, *KEYS_FIRST, *VALUES_FIRST, *STRUCTURED, *NO_KEY, *NEGATED]


def _judged(answer: str, answer_key: AnswerKey = GATES) -> Verdict:
    return judge_by_rubric(answer, answer_key)


@pytest.mark.parametrize("row", TABLE, ids=[row.why for row in TABLE])
def test_answers(row: Row) -> None:
    verdict = _judged(row.answer)
    assert (verdict.score, verdict.found, sorted(verdict.wrong)) == (row.score, row.found, sorted(row.wrong))


@pytest.mark.parametrize(
    ("why", "answer", "found", "wrong"),
    [
        (
            "no common last word",
            "North pier: Ada Brook\nOld mill: Ines Vane",
            (ADA,),
            (_of(INES, "old mill"),),
        ),
        ("an alias", "Ada keeps the lantern of the old mill.", (), (_of(ADA, "old mill"),)),
        (
            "the question's order, not the elements'",
            "Ada Brook, Tomas Reed, Ines Vane",
            (TOMAS, ADA, INES),
            (),
        ),
        ("half a key is none", "North Pole: Tomas Reed", (TOMAS,), ()),
        ("values first", "Ines Vane at the customs house, Ada at the north pier", (ADA, INES), ()),
    ],
)
def test_values_and_keys_in_words(
    why: str, answer: str, found: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    verdict = _judged(answer, LANTERNS)
    assert (verdict.found, verdict.wrong) == (found, wrong), why


Pairs = list[tuple[str, str]]


def _joined(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


LAYOUTS: dict[str, Callable[[Pairs], str]] = {
    "sentences": lambda pairs: " ".join(f"The access code of the {k} is {v}." for k, v in pairs),
    "one sentence": lambda pairs: _joined([f"the {k}'s code is {v}" for k, v in pairs]),
    "bullets": lambda pairs: "\n".join(f"- **{k.title()}**: {v}" for k, v in pairs),
    "value in brackets": lambda pairs: _joined([f"the {k} ({v})" for k, v in pairs]),
    "table": lambda pairs: "| Gate | Code |\n|--|--|\n" + "\n".join(f"| {k} | {v} |" for k, v in pairs),
    "object": lambda pairs: json.dumps(dict(pairs), indent=2),
    "records": lambda pairs: json.dumps([{"code": v, "gate": k} for k, v in pairs]),
    "row": lambda pairs: f"{_joined([k for k, _ in pairs])} have {_joined([v for _, v in pairs])}.",
    "row of values": lambda pairs: f"{_joined([v for _, v in pairs])} open {_joined([k for k, _ in pairs])}.",
    "labels": lambda pairs: "\n\n".join(f"{k.title()}:\n{v}" for k, v in pairs),
    "for": lambda pairs: _joined([f"{v} for the {k}" for k, v in pairs]),
    "value, then key": lambda pairs: "\n".join(f"{v}: {k}" for k, v in pairs),
}


@pytest.mark.parametrize("lead", ["", f"{LEAD}:\n\n", f"{LEAD}: ", f"{LEAD} as follows: "])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_says_what_it_says(layout: str, lead: str) -> None:
    order = (GRANITE, COPPER, WILLOW)
    own = dict(zip(KEYS, ALL, strict=True))
    for codes in product(ALL, repeat=3):
        pairs = list(zip(order, codes, strict=True))
        verdict = _judged(lead + LAYOUTS[layout](pairs))
        assert set(verdict.found) == {code for key, code in pairs if own[key] == code}, pairs
        assert set(verdict.wrong) == {_of(code, key) for key, code in pairs if own[key] != code}, pairs


def test_a_short_key_that_the_set_uses_for_something_else_is_none() -> None:
    roof = replace(
        GATES, distractors=(Distractor("roof", "The copper roof cost 63529.", (Element("63529"),)),)
    )
    assert _judged(f"copper: {G}").wrong == (_of(G, COPPER),)
    assert _judged(f"copper: {G}", roof).found == (G,)


def test_a_key_inside_a_value_is_none() -> None:
    elements = (Element("mill lamp", key="old mill"), Element("north pier lamp", key="north pier"))
    lamps = AnswerKey(
        name="lamps", question="Which lamps have the old mill and the north pier?", elements=elements
    )
    assert _judged("The north pier lamp is at the old mill.", lamps).wrong == (
        _of("north pier lamp", "old mill"),
    )


def test_without_keys_place_means_nothing() -> None:
    bare = replace(GATES, elements=tuple(Element(code) for code in ALL))
    assert _judged(f"{ROW} {G}, {C} and {W} respectively.", bare).score == 10


def test_an_answer_that_is_one_endless_number_is_judged_in_time_that_grows_with_it() -> None:
    begun = time.process_time()
    verdict = judge_by_rubric(f"{'7' * 200_000}. The granite gate opens with {G}.", GATES)
    assert time.process_time() - begun < 5  # where every digit is left out once: half a minute
    assert verdict.found == (G,)


SKATERS = AnswerKey(
    name="skaters",
    question="What numbers are on the jerseys of Hattie Sledge, Minnie Vandal and Olga Rhythm?",
    elements=(
        Element("88", key="Hattie Sledge"),
        Element("407", key="Minnie Vandal"),
        Element("19", key="Olga Rhythm"),
    ),
    needles=(Needle("skaters", "Hattie Sledge has 88, Minnie Vandal 407 and Olga Rhythm 19.", ("88",)),),
)
PRICES = AnswerKey(
    name="prices",
    question="Сколько стоили стеклянный глобус, медная черепаха и тряпичная кукла?",
    elements=(
        Element("340 рублей", key="стеклянный глобус"),
        Element("75 рублей", key="медная черепаха"),
        Element("120 рублей", key="тряпичная кукла"),
    ),
)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("Double eight for Sledge, nineteen for Rhythm, and four-oh-seven for Vandal.", SKATERS),
        ("Rhythm: 19; Sledge: 88; Vandal: 407.", SKATERS),
        ("За глобус просили триста сорок рублей, за куклу сто двадцать, за черепаху 75.", PRICES),
        ("Кукла: 120 рублей, черепаха: 75 рублей, глобус: 340 рублей.", PRICES),
    ],
)
def test_a_key_may_be_called_by_its_noun(answer: str, key: AnswerKey) -> None:
    assert (judge_by_rubric(answer, key).score, judge_by_rubric(answer, key).wrong) == (10, ())


def test_values_that_change_places_between_keys_called_by_their_nouns_are_wrong() -> None:
    verdict = judge_by_rubric("Sledge has 407, Vandal has 88 and Rhythm has 19.", SKATERS)
    assert (verdict.found, verdict.wrong) == (("19",), ("407 (Hattie Sledge)", "88 (Minnie Vandal)"))
