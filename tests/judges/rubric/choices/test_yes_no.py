"""Yes and no, said in a sentence."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element


def _asked(right: str, wrong: str, question: str) -> AnswerKey:
    return AnswerKey(
        "polar", question, elements=(Element(right, derived=True),), traps=(Element(wrong, derived=True),)
    )


MAIL = _asked("no", "yes", "Did the signalman of Corby Halt stop the mail train, yes or no?")
PAINT = _asked("yes", "no", "Was the lighthouse at Pell Rock painted before the king's visit?")
SLUICE = _asked("nein", "ja", "Hat der Müller die Schleuse vor dem Hochwasser geöffnet, ja oder nein?")
LETTER = _asked("oui", "non", "Le facteur de Morvane a-t-il livré la lettre avant la neige ?")
BOAT = _asked("否", "是", "渡口的老船夫在涨水那天开船了吗？请回答是或否。")


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (MAIL, "He didn't. He let it pass at full speed."),
        (MAIL, "He did not stop it."),
        (MAIL, "Nope, it went straight through."),
        (MAIL, "The signalman never stopped the mail train that night."),
        (MAIL, "He was about to, so no."),
        (PAINT, "It was, two days earlier."),
        (PAINT, "Indeed it was."),
        (PAINT, "The lighthouse at Pell Rock was painted before the king's visit."),
        (PAINT, "So yes: it had got its white coat by then."),
        (SLUICE, "Der Müller von Selb hat die Schleuse vor dem Hochwasser nicht geöffnet."),
        (SLUICE, "Das hat er nicht getan."),
        (LETTER, "Le facteur de Morvane a bien livré la lettre avant la neige."),
        (BOAT, "老船夫那天没有开船。"),
    ],
)
def test_a_sentence_may_say_yes_or_no(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("It is not possible to say.", 1),
        ("It isn't clear.", 1),
        ("It was not stated in the text.", 1),
        ("It was not.", 10),
        ("No. On second thought, yes.", 1),
        ("No. On reflection, yes.", 1),
    ],
)
def test_what_cannot_be_said_is_no_no(answer: str, score: int) -> None:
    key = _asked("no", "yes", "Could carts cross the ford of Ansey on the night of the storm?")
    assert judge_by_rubric(answer, key).score == score


DAM = _asked("no", "yes", "Did the guild of Orsay approve the dam?")


@pytest.mark.parametrize(
    "answer",
    [
        "The guild voted it down.",
        "The guild threw the proposal out by seven votes to two.",
        "The plan was defeated.",
        "It was refused approval.",
        "It did not: nine masters voted against the dam and only four for it, so the plan failed.",
    ],
)
def test_what_is_thrown_out_is_not_approved(answer: str) -> None:
    assert judge_by_rubric(answer, DAM).score == 10


@pytest.mark.parametrize(
    "answer",
    [
        "The guild did not veto it.",
        "The miller vetoed the dam.",
        "It was vetoed by the duke, but the guild approved it.",
        "The guild overturned the veto.",
        "The guild threw the miller out of the hall.",
    ],
)
def test_who_threw_out_another_or_was_overturned_says_no_no(answer: str) -> None:
    assert judge_by_rubric(answer, DAM).score == 1


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (MAIL, "He did. A cow stood on the line."),
        (MAIL, "The signalman stopped the mail train that night."),
        (MAIL, "There is no doubt that he stopped the mail train."),
        (MAIL, "I cannot say; the text does not mention the mail train."),
        (PAINT, "It wasn't."),
        (PAINT, "The text says nothing about paint."),
        (SLUICE, "Der Müller hat die Schleuse vor dem Hochwasser geöffnet."),
        (LETTER, "Le facteur n'a pas livré la lettre avant la neige."),
    ],
)
def test_the_opposite_and_a_refusal_are_wrong(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 1


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Almost certainly not - he lay asleep in his hut and heard nothing until the morning.", 10),
        ("Certainly not; he slept.", 10),
        ("Almost certainly - he ran out with his lantern and stopped the mail train.", 1),
        ("Probably not stated.", 1),
    ],
)
def test_surely_not_is_a_no(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, MAIL).score == score


TERRACE = _asked("yes", "no", "May guests bring their dogs onto the terrace of the Anchor inn on weekdays?")
POND = _asked("no", "yes", "Is it permitted to swim in the pond of Ash? Answer with one of these: yes, no.")
LESESAAL = _asked("ja", "nein", "Darf man im Lesesaal von Brunn fotografieren? Antworte mit ja oder nein.")


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (TERRACE, "Dogs are allowed on the terrace.", 10),
        (TERRACE, "Dogs are welcome on the terrace on weekdays.", 10),
        (TERRACE, "Dogs are allowed in the dining room only.", 1),
        (TERRACE, "Guests may bring dogs onto the terrace on Sundays only.", 1),
        (TERRACE, "Guests may bring their dogs onto the terrace on Sundays.", 1),
        (TERRACE, "Guests would like to bring dogs onto the terrace on weekdays.", 1),
        (TERRACE, "Cats are allowed on the terrace.", 1),
        (POND, "Swimming in the pond is forbidden.", 10),
        (POND, "Swimming is permitted in the pond.", 1),
        (POND, "Anyone may swim in the river at Ash.", 1),
        (LESESAAL, "Im Lesesaal darf fotografiert werden.", 10),
        (LESESAAL, "Fotografieren ist im Lesesaal erlaubt.", 10),
        (LESESAAL, "Fotografieren ist im Lesesaal verboten.", 1),
        (LESESAAL, "Im Archiv darf man fotografieren.", 1),
        (TERRACE, "Yes on the terrace, no in the dining room.", 10),
        (TERRACE, "On weekdays, yes. On Sundays, no.", 10),
        (TERRACE, "On Sundays, yes. On weekdays, no.", 1),
        (TERRACE, "Yes for small dogs, no for large ones.", 1),
        (POND, "Yes in the river, but no in the pond.", 10),
        (POND, "No in the river, yes in the pond.", 1),
    ],
)
def test_a_statement_of_what_is_allowed_is_a_yes(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (TERRACE, "Yes, and the text does not mention that they have to be on a leash.", 10),
        (TERRACE, "Yes. The passage doesn't say that the dogs need a muzzle.", 10),
        (TERRACE, "Yes - it isn't stated that guests have to ask first.", 10),
        (POND, "No; the text does not state that there is a fine.", 10),
        (TERRACE, "Yes. Correction: the text does not say that dogs may be brought onto the terrace.", 1),
        (TERRACE, "Yes, but the text does not say that this is certain.", 1),
        (POND, "No. Wait, the text does not say that swimming in the pond is forbidden.", 1),
        (POND, "The text does not state that swimming in the pond is permitted.", 1),
    ],
)
def test_another_fact_that_is_not_told_takes_nothing_back(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score


LICENCE = _asked("no", "yes", "Was the ferry licence of the Tollund company upheld after the fire?")


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ('{"upheld": false}', 10),
        ('{"licence_upheld": "no", "reason": "withdrawn by the council"}', 10),
        ('{"answer": false}', 10),
        ('{"not_upheld": true}', 10),
        ('{"upheld": true}', 1),
        ('{"not_upheld": false}', 1),
        ('{"licence_found": false}', 1),
        ('{"upheld": null}', 1),
        ('{"upheld": false, "answer": true}', 1),
    ],
)
def test_a_field_in_the_questions_words_says_yes_or_no(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, LICENCE).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Nie, rada cofnęła tę licencję promową jeszcze przed końcem roku.", 10),
        ("Nee, de vergunning is ingetrokken.", 10),
        ("Hayır.", 10),
        ("لا، سحب المجلس الرخصة.", 10),
        ("जी नहीं, परिषद ने लाइसेंस वापस ले लिया।", 10),
        ("Tak, potwierdzono ją.", 1),
        ("Nie wiadomo.", 1),
        ("Nie podano.", 1),
        ("لا يذكر النص ذلك.", 1),
        ("نعم.", 1),
    ],
)
def test_yes_and_no_are_read_in_more_languages(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, LICENCE).score == score
