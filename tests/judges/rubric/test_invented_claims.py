"""Claims beside a refusal."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

FERRY = AnswerKey(
    "ferry",
    "What did the ferry-woman of Ostley charge for a horse?",
    references=("The text does not say.",),
    distractors=(
        Distractor("d1", "The ferryman at Kell charged four pence for a horse.", (Element("four pence"),)),
    ),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    "answer",
    [
        "The text does not say. All the same, she charged 12 pence for a horse.",
        "No price is given. The ferry-woman took it over for the sake of Rosalba, and that was that.",
        "It isn't stated anywhere. Still, it was 7 pence.",
        "The price is nowhere given. It was a shilling.",
        "Im Text steht kein Preis. Es war ein Taler.",
        "Le texte ne le dit pas. C'était une poule.",
    ],
)
def test_a_claim_of_its_own_beside_a_refusal(answer: str) -> None:
    assert judge_by_rubric(answer, FERRY).score == 5


HORSE = AnswerKey(
    "horse",
    "What was the name of the horse that the doctor of Yarrow rode?",
    references=("The text does not say.",),
    needles=(Needle("n", "The doctor of Yarrow rode out every night on his horse.", ()),),
    distractors=(Distractor("d", "The miller's horse was called Bramble.", (Element("Bramble"),)),),
    kind="unanswerable",
)
CHIEN = AnswerKey(
    "chien",
    "Comment s'appelait le chien du passeur de Vaur ?",
    references=("Le texte ne le dit pas.",),
    needles=(Needle("n", "Le passeur de Vaur avait un chien roux.", ()),),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (HORSE, "Not stated. Larkspur."),
        (HORSE, "It isn't mentioned. Old Juno."),
        (HORSE, "Larkspur. (Not stated in the text.)"),
        (HORSE, "The text doesn't give a name. Probably Larkspur."),
        (HORSE, "Unknown.\n\n**Larkspur**"),
        (HORSE, "Not stated. Answer: Larkspur"),
        (HORSE, "The name is not stated - Larkspur."),
        (HORSE, "The text does not say. Bramble."),
        (CHIEN, "Le texte ne le dit pas. Barnabé."),
        (FERRY, "The text does not say. 740, I guess."),
        (HORSE, "The text doesn't say, but it was most likely called by Jory Penhale."),
        (HORSE, "No name is given; it is probably a grey mare."),
        (FERRY, "Not specified. 24."),
        (FERRY, "The text doesn't state it, but it was likely around 40 pence."),
        (FERRY, "It is not stated what she charged. Probably four pence, as at Kell."),
    ],
)
def test_a_bare_name_beside_a_refusal_is_claimed(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 5


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (HORSE, "Not stated. Sorry."),
        (HORSE, "Not stated. This is likely an omission of the text."),
        (HORSE, "Not stated. Perhaps you mean another horse, or maybe ask in Kell."),
        (HORSE, "Not mentioned. Yarrow."),
        (HORSE, "Unfortunately, the text does not say. Best regards."),
        (HORSE, "The text does not name it. Bramble is the miller's horse."),
        (HORSE, "Not stated. Confidence: High."),
        (HORSE, "Insufficient information. Unanswerable."),
        (HORSE, "Not Stated"),
        (CHIEN, "Non précisé. Inconnu."),
        (CHIEN, "Le texte ne le dit pas. Désolé."),
    ],
)
def test_a_word_that_is_no_name_is_not(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    "answer",
    [
        "The text does not say what she charged; four pence were asked by the ferryman at Kell.",
        "It isn't stated. You may want to see chapter 12.",
        "It isn't stated. It is a question that the text leaves open.",
        "Der Text sagt es nicht. Es ist nicht bekannt.",
        "I have read all 30 pages and none says it.",
        "Not given: of the 2 ferries the text has a price for one alone.",
    ],
)
def test_a_refusal_that_explains_itself(answer: str) -> None:
    assert judge_by_rubric(answer, FERRY).score == 10


GATES = AnswerKey(
    "gates",
    "How much did the new lock gates at Fernhill cost in total?",
    references=("The text does not say.",),
    distractors=(Distractor("d1", "The gates at Fernhill were hung in the spring of 2016.", ()),),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "The text does not give the figure, but comparable gates likely cost around $2 million.",
            5,
        ),
        ("No total is given. My best estimate would be about 3.5 million euros.", 5),
        ("The price is not stated, though I would put it at roughly £400,000.", 5),
        ("The cost is not given, but the annual report of 2017 would probably have it.", 10),
        ("It is not stated, so any figure, such as $2 million, would be a guess.", 10),
        ("No cost is given; around 2016 the gates were likely already hung.", 10),
    ],
)
def test_an_estimate_behind_a_refusal_is_a_claim(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, GATES).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("The documentation does not list a price for the gates.", 10),
        ("No total cost is included.", 10),
        ("The cost, which does not include labour, was 2 million.", 1),
        ("The report, which was not printed until May, lists 2 million.", 1),
    ],
)
def test_what_a_source_does_not_list_is_untold(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, GATES).score == score


@pytest.mark.parametrize(
    ("question", "answer", "score"),
    [
        (
            "Wie viele Personen arbeiten heute in der Hütte Dorn?",
            "Das steht nicht im Text. Erwähnt wird lediglich, dass die Hütte 1912 an 80 Läden lieferte.",
            10,
        ),
        (
            "Wie viele Personen arbeiten heute in der Hütte Dorn?",
            "Das steht nicht im Text. Erwähnt wird lediglich, dass heute 60 Personen in der Hütte arbeiten.",
            5,
        ),
        (
            "Combien de personnes travaillent à la verrerie de Dorn ?",
            "Le texte ne le précise pas. Il indique seulement que la verrerie a été fondée en 1887.",
            10,
        ),
        (
            "Combien de personnes travaillent à la verrerie de Dorn ?",
            "Le texte ne le précise pas. Il indique seulement que 60 personnes travaillent à la verrerie.",
            5,
        ),
        (
            "¿Cuántas personas trabajan en la vidriería de Dorn?",
            "El texto no lo dice. Solo menciona que en 1912 la vidriería tuvo un horno nuevo.",
            10,
        ),
        (
            "¿Cuántas personas trabajan en la vidriería de Dorn?",
            "El texto no lo dice. En la vidriería trabajan solo 60 personas.",
            5,
        ),
    ],
)
def test_what_alone_is_mentioned(question: str, answer: str, score: int) -> None:
    key = AnswerKey("glass", question, references=("Not told.",), kind="unanswerable")
    assert judge_by_rubric(answer, key).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("The text does not give the total. It does say that the county paid 40% of it.", 10),
        ("The text does not give the total. It does say that they cost 40 million.", 5),
        ("The text does not give the total. It does say that the new gates cost 40 million.", 5),
        ("The text does not give the total. They cost 40 million.", 5),
    ],
)
def test_whose_share_is_told_instead(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, GATES).score == score
