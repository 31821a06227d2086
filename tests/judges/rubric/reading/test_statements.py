from __future__ import annotations

from niah.cases.samples import key_of
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.languages.cues import cues_of
from niah.judges.rubric.negation import mask_mentions
from niah.judges.rubric.normalise import spaced, tidy
from niah.judges.rubric.reading.layout import read_layout
from niah.judges.rubric.reading.statements import Clauses, Statement, asked_words, split_statements

KEY = key_of("ferry-lanterns", 1)


def statements_of(answer: str) -> tuple[str, tuple[Statement, ...]]:
    tidied = tidy(answer)
    mentions = find_mentions(spaced(tidied), names_of(KEY))
    layout = read_layout(answer, tidied)
    return tidied, split_statements(mask_mentions(tidied, mentions), layout, mentions, KEY)


def test_sentences_bullets_and_rows_are_statements_and_name_what_stands_in_them() -> None:
    tidied, statements = statements_of("It is 347. Nobody saw 582!\n- a bullet\n\nthe end")
    said = [tidied[one.start : one.end].strip() for one in statements]
    assert said == ["it is 347.", "nobody saw 582!", "a bullet", "the end"]
    assert [[mention.name for mention in one.mentions] for one in statements] == [["347"], ["582"], [], []]


def test_an_answer_in_the_questions_words_echoes_them() -> None:
    asked = " ".join(sorted(asked_words(KEY)))
    _, (echoing, bare) = statements_of(f"{asked} 347.\n582.")
    assert echoing.echo == 1
    assert bare.echo == 0


def test_a_clause_ends_with_a_bracket_a_stop_or_a_but() -> None:
    text = "it was █ (so they say), but now █."
    clauses = Clauses(text, cues_of(text))
    assert text[slice(clauses.starting_before(7), clauses.ending_after(8))] == "it was █ "
    last = text.rindex("█")
    assert text[slice(clauses.starting_before(last), clauses.ending_after(last))] == "but now █"
