"""What the deterministic judge makes of answers written by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.rubric.rubric import rubric_score
from niah.needles.needle_set import Distractor, Element, Needle

COLOURS = (
    "crimson essence",
    "emerald liquid",
    "sapphire drops",
    "golden mist",
    "silver sparkles",
    "amethyst vapor",
    "amber glow",
)
POTION = AnswerKey(
    name="rainbow-potion",
    question="What are the seven colours of the rainbow potion at Starlight Academy?",
    references=(f"It is made of {', '.join(COLOURS)}.",),
    elements=tuple(
        Element(
            name, {"golden mist": ("mist of gold",), "amethyst vapor": ("amethyst vapour",)}.get(name, ())
        )
        for name in COLOURS
    ),
    needles=tuple(Needle(name, f"The rainbow potion contains {name}.", (name,)) for name in COLOURS),
    distractors=(
        Distractor("lunaris", "Lunaris Academy brews with ruby essence.", (Element("ruby essence"),)),
        Distractor("pale", "Moon brew uses pale golden mist.", (Element("pale golden mist"),)),
        Distractor("moon", "It also holds moon dust.", (Element("moon dust"), Element("Starlight Academy"))),
    ),
)
PIZZA = AnswerKey(
    name="pizza",
    question="Which ingredients build the perfect pizza?",
    references=("Figs, prosciutto and goat cheese.",),
    elements=(Element("figs"), Element("prosciutto", ("parma ham",)), Element("goat cheese")),
    needles=(
        Needle("n1", "Perhaps surprisingly, figs are one of the ingredients.", ("figs",)),
        Needle("n2", "Prosciutto is one of the ingredients.", ("prosciutto",)),
        Needle("n3", "Goat cheese is one of the ingredients.", ("goat cheese",)),
    ),
    distractors=(
        Distractor("d1", "Calzone needs mountain goat cheese.", (Element("mountain goat cheese"),)),
        Distractor("d2", "Calzone needs olives.", (Element("olives"),)),
    ),
)
VAULTS = AnswerKey(
    name="vault-numbers",
    question="Since 12345 was retired, what are the numbers of the north, east and west vaults?",
    references=("North 48213, east 77121, west 90556.",),
    elements=(Element("48213"), Element("77121"), Element("90556")),
    needles=(
        Needle("n1", "The number of the north vault, built for 50000 crowns, is 48213.", ("48213",)),
        Needle("n2", "The number of the east vault is 77121.", ("77121",)),
        Needle("n3", "The number of the west vault is 90556.", ("90556",)),
    ),
    distractors=(Distractor("d1", "The number of the south vault is 31337.", (Element("31337"),)),),
)
CODE = AnswerKey(
    name="door-code",
    question="What is the code of the observatory door?",
    references=("The code is AX-4821.",),
    elements=(Element("AX-4821"),),
    needles=(Needle("n1", "The code of the observatory door is AX-4821.", ("AX-4821",)),),
)
COUNT = AnswerKey(
    name="dragon-count",
    question="How many dragons guard the 3 gates?",
    references=("7 dragons.",),
    elements=(Element("7", ("seven",)),),
    needles=(Needle("n1", "The gates are guarded by 7 dragons.", ("7",)),),
)
PEOPLE = AnswerKey(
    name="first-teachers",
    question="Who taught in the first year?",
    references=("Prof. Q. Ashby, the Grey Lady and Mira O'Dell.",),
    elements=(Element("Prof. Q. Ashby", ("Ashby",)), Element("the Grey Lady"), Element("Mira O'Dell")),
    needles=(
        Needle("n1", "Prof. Q. Ashby taught in the first year.", ("Prof. Q. Ashby",)),
        Needle("n2", "So did the Grey Lady.", ("the Grey Lady",)),
        Needle("n3", "Mira O'Dell taught in the first year.", ("Mira O'Dell",)),
    ),
    distractors=(Distractor("d1", "Ashby Junior taught in the third year.", (Element("Ashby Junior"),)),),
)
SETS = (POTION, PIZZA, VAULTS, CODE, COUNT, PEOPLE)

LISTED = f"Crimson essence, {', '.join(COLOURS[1:-1])} and amber glow"


class Row(NamedTuple):
    why: str
    key: AnswerKey
    answer: str
    score: int
    found: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    doubt: bool = False


FIGS, HAM, CHEESE = "figs", "prosciutto", "goat cheese"
N, E, W = "48213", "77121", "90556"
ASHBY, LADY, MIRA = "Prof. Q. Ashby", "the Grey Lady", "Mira O'Dell"
PIZZA_ALL, VAULTS_ALL, PEOPLE_ALL = (FIGS, HAM, CHEESE), (N, E, W), (ASHBY, LADY, MIRA)

COMPLETE = [
    Row("the reference itself", POTION, f"{LISTED}.", 10, COLOURS),
    Row("order is free", PIZZA, "Goat cheese, prosciutto, figs", 10, PIZZA_ALL),
    Row("case is free", PIZZA, "FIGS, PROSCIUTTO, GOAT CHEESE", 10, PIZZA_ALL),
    Row(
        "wording is free",
        PIZZA,
        "You build it from prosciutto; then goat cheese, and figs on top.",
        10,
        PIZZA_ALL,
    ),
    Row(
        "bullets and bold", PIZZA, "Sure!\n\n* **Figs**\n* **Prosciutto**\n* **Goat cheese**\n", 10, PIZZA_ALL
    ),
    Row("a numbered list", PIZZA, "1. Figs\n2. Prosciutto\n3. Goat cheese", 10, PIZZA_ALL),
    Row("a table", PIZZA, "| item |\n|---|\n| Figs |\n| Prosciutto |\n| Goat cheese |", 10, PIZZA_ALL),
    Row("hyphens for spaces", PIZZA, "figs, prosciutto, goat-cheese", 10, PIZZA_ALL),
    Row("a line break inside a name", PIZZA, "figs, prosciutto, goat\ncheese", 10, PIZZA_ALL),
    Row("the singular of a plural name", PIZZA, "a fig, prosciutto and goat cheese", 10, PIZZA_ALL),
    Row("the plural of a singular name", PIZZA, "figs, prosciutto and goat cheeses", 10, PIZZA_ALL),
    Row("an alias", PIZZA, "figs, Parma ham, goat cheese", 10, PIZZA_ALL),
    Row(
        "aliases, British",
        POTION,
        LISTED.replace("vapor", "vapour").replace("golden mist", "a mist of gold"),
        10,
        COLOURS,
    ),
    Row("typographic quotes", PEOPLE, "“Ashby”, “the Grey Lady” and ‘Mira O’Dell’", 10, PEOPLE_ALL),
    Row(
        "abbreviations without stops, no article",
        PEOPLE,
        "Prof Q Ashby, Grey Lady, Mira O'Dell",
        10,
        PEOPLE_ALL,
    ),
    Row("an apostrophe left out", PEOPLE, "Ashby, the Grey Lady, Mira ODell", 10, PEOPLE_ALL),
    Row("a possessive", PEOPLE, "Ashby's, the Grey Lady's and Mira O'Dell's lessons", 10, PEOPLE_ALL),
    Row("thousands separators", VAULTS, "North: 48,213; east: 77,121; west: 90,556.", 10, VAULTS_ALL),
    Row("thin spaces in numbers", VAULTS, "48\u202f213, 77\u202f121, 90\u202f556", 10, VAULTS_ALL),
    Row("numbers right before a full stop", VAULTS, "They are 48213. And 77121. And 90556.", 10, VAULTS_ALL),
    Row(
        "an incidental number of a needle, quoted",
        VAULTS,
        "48213 (built for 50000), 77121, 90556",
        10,
        VAULTS_ALL,
    ),
    Row("a number of the question, repeated", VAULTS, "Not 12345. 48213, 77121, 90556", 10, VAULTS_ALL),
    Row("a number of another shape", VAULTS, "In 1987: 48213, 77121, 90556 (3 vaults)", 10, VAULTS_ALL),
    Row("an ISO date is no code", CODE, "AX-4821, as of 2024-05-01", 10, ("AX-4821",)),
    Row("a code with a space", CODE, "It is ax 4821.", 10, ("AX-4821",)),
    Row("a code run together", CODE, "AX4821", 10, ("AX-4821",)),
    Row("a boxed code", CODE, "$\\boxed{\\text{AX-4821}}$", 10, ("AX-4821",)),
    Row("a word for a number", COUNT, "Seven dragons guard them.", 10, ("7",)),
    Row(
        "other short numbers beside the right one",
        COUNT,
        "7 dragons at the 3 gates, 2 of them red",
        10,
        ("7",),
    ),
    Row(
        "thinking aloud is not the answer",
        PIZZA,
        "<think>Olives?</think>Figs, prosciutto, goat cheese",
        10,
        PIZZA_ALL,
    ),
    Row(
        "thinking whose opening tag was prompted",
        PIZZA,
        "Olives?</think>Figs, prosciutto, goat cheese",
        10,
        PIZZA_ALL,
    ),
]
RULED_OUT = [
    Row("'not' before a wrong one", PIZZA, "Figs, prosciutto, goat cheese, but not olives.", 10, PIZZA_ALL),
    Row("'except'", PIZZA, "Figs, prosciutto and goat cheese; everything except olives.", 10, PIZZA_ALL),
    Row("'none of'", PIZZA, "Figs, prosciutto, goat cheese. None of them is an olive.", 10, PIZZA_ALL),
    Row("'rather than'", PIZZA, "Figs, prosciutto and goat cheese rather than olives.", 10, PIZZA_ALL),
    Row(
        "'does not include'",
        PIZZA,
        "It does not include any olives. Figs, prosciutto, goat cheese.",
        10,
        PIZZA_ALL,
    ),
    Row(
        "'X is not one of them'",
        PIZZA,
        "Figs, prosciutto, goat cheese. Olives are not one of them.",
        10,
        PIZZA_ALL,
    ),
    Row("'X belongs to another'", POTION, f"{LISTED}. Ruby essence belongs to another school.", 10, COLOURS),
    Row(
        "named first, ruled out later",
        PIZZA,
        "Olives? No: figs, prosciutto, goat cheese, not olives.",
        10,
        PIZZA_ALL,
    ),
    Row(
        "a wrong number ruled out",
        VAULTS,
        "48213, 77121, 90556. The south vault's number is not 31337.",
        10,
        VAULTS_ALL,
    ),
    Row(
        "'while X ...'",
        PIZZA,
        "While olives go into calzone, we use figs, prosciutto, goat cheese.",
        10,
        PIZZA_ALL,
    ),
    Row("a table says no", PIZZA, "| Figs | yes |\n| Olives | no |\n| Prosciutto | yes |", 7, (FIGS, HAM)),
    Row("'No.' for number", VAULTS, "No. 48213, no. 77121, no. 90556", 10, VAULTS_ALL),
    Row("struck out", PIZZA, "~~Olives~~, figs, prosciutto, goat cheese", 10, PIZZA_ALL),
    Row("'not only X but' asserts X", PIZZA, "Not only figs but prosciutto and goat cheese.", 10, PIZZA_ALL),
    Row(
        "'not without X' asserts X",
        PIZZA,
        "It cannot be made without figs, prosciutto and goat cheese.",
        10,
        PIZZA_ALL,
    ),
    Row(
        "'no doubt X' asserts X",
        PIZZA,
        "No doubt figs, and no doubt prosciutto, goat cheese too.",
        10,
        PIZZA_ALL,
    ),
    Row(
        "'not A, B is' asserts B",
        PIZZA,
        "It is not olives, figs, prosciutto and goat cheese are.",
        10,
        PIZZA_ALL,
    ),
    Row("an element ruled out is not found", PIZZA, "Prosciutto and goat cheese. No figs.", 7, (HAM, CHEESE)),
    Row("'neither nor'", PIZZA, "Neither figs nor prosciutto. Goat cheese it is.", 5, (CHEESE,)),
    Row("'isn't'", PIZZA, "Figs isn't part of it. Prosciutto and goat cheese are.", 7, (HAM, CHEESE)),
    Row("a list ruled out from behind", PIZZA, "Figs, prosciutto and goat cheese are not in it.", 1, ()),
    Row(
        "a list ruled out from ahead",
        PIZZA,
        "It contains everything except figs, prosciutto and goat cheese.",
        1,
        (),
    ),
    Row("'no mention of'", PIZZA, "There is no mention of figs. Goat cheese is used.", 5, (CHEESE,)),
]
INCOMPLETE = [
    Row("6 of 7", POTION, LISTED.replace("Crimson essence, ", ""), 7, COLOURS[1:]),
    Row("5 of 7: 0.71", POTION, "; ".join(COLOURS[:5]), 7, COLOURS[:5]),
    Row("4 of 7: 0.57", POTION, "; ".join(COLOURS[:4]), 5, COLOURS[:4]),
    Row("3 of 7: 0.43", POTION, "; ".join(COLOURS[:3]), 5, COLOURS[:3]),
    Row("2 of 7: 0.29", POTION, "; ".join(COLOURS[:2]), 3, COLOURS[:2]),
    Row("1 of 7: 0.14", POTION, COLOURS[0], 3, COLOURS[:1]),
    Row("2 of 3", PIZZA, "Figs and prosciutto.", 7, (FIGS, HAM)),
    Row("1 of 3", PIZZA, "Figs.", 5, (FIGS,)),
    Row(
        "part of a word is no element",
        PIZZA,
        "Figs and prosciuttos; goat cheesecake, figment",
        7,
        (FIGS, HAM),
    ),
    Row(
        "half a name is no element",
        POTION,
        "crimson, emerald, sapphire, golden, silver, amethyst, amber",
        1,
        (),
    ),
    Row("digits inside a longer number", VAULTS, "148213 and 77121 and 90556.5", 3, (E,), ("148213",)),
]
WRONG = [
    Row("all 7 and one wrong: 0.88", POTION, f"{LISTED} and ruby essence", 7, COLOURS, ("ruby essence",)),
    Row(
        "all 3 and one wrong: 0.75", PIZZA, "figs, prosciutto, goat cheese, olives", 7, PIZZA_ALL, ("olives",)
    ),
    Row(
        "all 3 and two wrong: 0.6",
        PIZZA,
        "figs, prosciutto, goat cheese, mountain goat cheese, olives",
        5,
        PIZZA_ALL,
        ("mountain goat cheese", "olives"),
    ),
    Row("2 of 3 and one wrong: 0.5", PIZZA, "figs, prosciutto, olives", 5, (FIGS, HAM), ("olives",)),
    Row("1 of 3 and one wrong: 0.25", PIZZA, "figs and olives", 3, (FIGS,), ("olives",)),
    Row(
        "6 of 7 and one wrong: missing and wrong is 5 at most",
        POTION,
        "; ".join((*COLOURS[:6], "moon dust")),
        5,
        COLOURS[:6],
        ("moon dust",),
    ),
    Row(
        "an element inside a longer wrong one is not found",
        PIZZA,
        "figs, prosciutto and mountain goat cheese",
        5,
        (FIGS, HAM),
        ("mountain goat cheese",),
    ),
    Row("a shared surname is the longer name", PEOPLE, "Ashby Junior", 1, (), ("Ashby Junior",)),
    Row("only wrong", PIZZA, "Olives, obviously.", 1, (), ("olives",)),
    Row("a distractor's number", VAULTS, "48213, 77121, 31337", 5, (N, E), ("31337",)),
    Row("an invented number", VAULTS, "48213, 77121, 66666", 5, (N, E), ("66666",)),
    Row("a digit lost", VAULTS, "48213, 77121, 9056", 5, (N, E), ("9056",)),
    Row("a digit doubled", VAULTS, "48213, 77121, 905566", 5, (N, E), ("905566",)),
    Row("an invented number, separated", VAULTS, "66,666", 1, (), ("66666",)),
    Row("only an invented code", CODE, "The code is QP-1130.", 1, (), ("qp-1130",)),
    Row("the right code and an invented one: 0.5", CODE, "AX-4821 or QP1130", 5, ("AX-4821",), ("qp1130",)),
    Row("a wrong short number", COUNT, "There are 9 dragons.", 1, (), ("9",)),
    Row("the question's short number is not wrong", COUNT, "There are 3 gates.", 1, ()),
    Row("what the question names is not wrong", POTION, f"At Starlight Academy: {LISTED}", 10, COLOURS),
]
DOUBT = [
    Row(
        "a hedge costs nothing",
        PIZZA,
        "I am not sure, but figs, prosciutto and goat cheese.",
        10,
        PIZZA_ALL,
        doubt=True,
    ),
    Row(
        "'possibly' with the claim",
        PIZZA,
        "Possibly figs, prosciutto, goat cheese.",
        10,
        PIZZA_ALL,
        doubt=True,
    ),
    Row("'might be'", PIZZA, "It might be figs, prosciutto and goat cheese.", 10, PIZZA_ALL, doubt=True),
    Row("'it seems'", PIZZA, "Figs and goat cheese, it seems to me.", 7, (FIGS, CHEESE), doubt=True),
    Row("'maybe' about something else", PIZZA, "Figs, prosciutto, goat cheese. Maybe try it!", 10, PIZZA_ALL),
    Row(
        "'perhaps' quoted from a needle",
        PIZZA,
        "Perhaps surprisingly, figs. Prosciutto. Goat cheese.",
        10,
        PIZZA_ALL,
    ),
    Row(
        "the paper: complete, not explicitly mentioned",
        POTION,
        f"The seven colours are not explicitly mentioned, but there are {LISTED}.",
        10,
        COLOURS,
        doubt=True,
    ),
    Row(
        "the paper: complete, actually a mistake",
        PIZZA,
        "Prosciutto, goat cheese, and figs, but it is actually a mistake as they are not typically used.",
        1,
        PIZZA_ALL,
        doubt=True,
    ),
    Row(
        "the paper: complete, not related to the text",
        PIZZA,
        "Figs, prosciutto, goat cheese, but they are not related to the text.",
        1,
        PIZZA_ALL,
        doubt=True,
    ),
    Row(
        "a remark on something else takes nothing back",
        PIZZA,
        "Figs, prosciutto and goat cheese. The text does not mention any other ingredients.",
        10,
        PIZZA_ALL,
    ),
    Row("a refusal", PIZZA, "The text does not say.", 1, (), doubt=True),
    Row("a refusal in two words", PIZZA, "Not mentioned.", 1, (), doubt=True),
    Row("another refusal", PIZZA, "I cannot find this information in the passage.", 1, (), doubt=True),
    Row("a third", PIZZA, "I'm sorry, there is not enough information.", 1, (), doubt=True),
    Row("refused in part", PIZZA, "Figs. I don't know the rest.", 5, (FIGS,), doubt=True),
    Row("unsure and wrong", PIZZA, "Maybe olives?", 1, (), ("olives",), doubt=True),
]
NONSENSE = [
    Row("empty", PIZZA, "", 1, ()),
    Row("spaces", PIZZA, " \n\t ", 1, ()),
    Row("only thought", PIZZA, "<think>Figs, prosciutto, goat cheese", 1, ()),
    Row("off the point", PIZZA, "The sky above the port was the colour of television.", 1, ()),
    Row("a loop", PIZZA, "the the the " * 200, 1, ()),
    Row("marks alone", CODE, "*** --- |||", 1, ()),
]
TABLE = [*COMPLETE, *RULED_OUT, *INCOMPLETE, *WRONG, *DOUBT, *NONSENSE]


@pytest.mark.parametrize("row", TABLE, ids=[row.why for row in TABLE])
def test_hand_made_answers(row: Row) -> None:
    verdict = judge_by_rubric(row.answer, row.key)
    assert (verdict.score, verdict.found, verdict.wrong, verdict.self_doubt) == row[3:]


@pytest.mark.parametrize(
    ("found", "missing", "wrong", "expected"),
    [
        (15, 0, 0, 10),
        (15, 0, 5, 7),  # 15 / 20 = 0.75
        (15, 0, 8, 5),  # 15 / 23 = 0.65
        (10, 5, 0, 7),  # 10 / 15 = 2/3 exactly
        (9, 6, 0, 5),
        (5, 10, 0, 5),  # 1/3 exactly
        (4, 11, 0, 3),
        (14, 1, 1, 5),  # 14 / 16, but missing and wrong
        (1, 0, 1, 5),
        (1, 0, 2, 5),  # 1/3 exactly
        (1, 0, 3, 3),
        (0, 3, 0, 1),
        (0, 1, 9, 1),
    ],
)
def test_thresholds(found: int, missing: int, wrong: int, expected: int) -> None:
    assert rubric_score(found, missing, wrong) == expected


def test_reason_says_what_is_missing_and_wrong() -> None:
    verdict = judge_by_rubric("I am not sure: figs and olives.", PIZZA)
    assert verdict.reason == "1 of 3 found; missing: prosciutto, goat cheese; wrong: olives; hedged"
    assert judge_by_rubric("The text does not say.", PIZZA).reason == "0 of 3 found; refused"


def test_verdict_names_judge_and_version() -> None:
    verdict = judge_by_rubric("figs", PIZZA)
    assert (verdict.judge, verdict.version) == ("rubric", "23")


SENTENCES = st.lists(
    st.sampled_from(
        [
            *(f"{name} is used" for key in SETS for element in key.elements for name in element.names),
            *(e.name for key in SETS for d in key.distractors for e in d.elements),
            "the answer is not olives",
            "it has everything except figs and goat cheese",
            "I am not sure",
            "possibly moon dust",
            "the text does not say",
            "12345 and 66666 and QP-1130",
            "9 dragons",
        ]
    ),
    max_size=9,
)


@given(SENTENCES, st.sampled_from(SETS), st.data())
def test_naming_one_more_element_never_lowers_the_score(
    sentences: list[str], key: AnswerKey, data: st.DataObject
) -> None:
    element = data.draw(st.sampled_from(key.elements))
    before = judge_by_rubric(". ".join(sentences), key)
    after = judge_by_rubric(". ".join([*sentences, element.name]), key)
    assert element.name in after.found
    assert after.score >= before.score


@given(SENTENCES, st.sampled_from(SETS), st.randoms(use_true_random=False))
def test_order_and_case_change_nothing(sentences: list[str], key: AnswerKey, random: object) -> None:
    # Whether a refusal stands before an answer or takes it back is a matter of order.
    assume(judge_by_rubric(". ".join(sentences), key).self_doubt is False)
    shuffled = list(sentences)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    verdict = judge_by_rubric(". ".join(sentences), key)
    # Whether both are claimed is surer where a wrong one follows the right one with an "and".
    in_any_order = replace(judge_by_rubric(". ".join(shuffled), key), unsure=None)
    assert in_any_order == replace(verdict, unsure=None)
    assert judge_by_rubric(". ".join(sentences).upper(), key) == verdict


@given(st.one_of(st.text(), SENTENCES.map(". ".join)), st.sampled_from(SETS))
def test_found_and_missing_part_the_elements(answer: str, key: AnswerKey) -> None:
    verdict = judge_by_rubric(answer, key)
    names = [element.name for element in key.elements]
    assert sorted((*verdict.found, *verdict.missing)) == sorted(names)
    assert [name for name in names if name in verdict.found] == list(verdict.found)
    planted = {e.name for d in key.distractors for e in d.elements}
    assert all(name in planted or re.search(r"\d", name) for name in verdict.wrong)
    taken_back = verdict.self_doubt and not verdict.missing
    assert (verdict.score == 1) == (not verdict.found) or taken_back
    assert verdict.score < 10 or not (verdict.missing or verdict.wrong)
