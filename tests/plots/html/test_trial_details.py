from dataclasses import replace

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.plots.html.trial_details import ExcerptLimits, SampleView, TextPart, view_sample, worth_showing

CASE = Case("pizza-ingredients", "essays", 1024, 50, 1, distractors=2)
SAMPLE = sample_of(CASE)
ROOM = ExcerptLimits(around=50, plain=80)


def view(spans: list[list[tuple[int, int]]]) -> SampleView:
    return view_sample(SAMPLE, spans, ROOM)


def text_of(parts: tuple[TextPart, ...]) -> str:
    return "".join(part.text for part in parts)


def test_needles_are_marked_word_for_word() -> None:
    context = build_context(CASE)
    marked = {part.id: part.text for part in view([]).around if part.kind == "needle"}
    assert marked == {needle.id: needle.text for needle in context.needles}


def test_around_has_so_many_characters_on_either_side_and_says_what_it_leaves_out() -> None:
    context, found = build_context(CASE), view([])
    shown = sum(len(part.text) for part in found.around)
    assert shown + sum(part.omitted for part in found.around) == len(context.text) == found.chars
    first = context.needles[0]
    assert found.around[0] == TextPart("gap", omitted=first.start - 50)
    assert found.around[1] == TextPart("plain", context.text[first.start - 50 : first.start])


def test_a_chunk_without_a_needle_is_its_beginning() -> None:
    context = build_context(CASE)
    (parts,) = view([[(0, 400)]]).chunks.values()
    assert parts == (TextPart("plain", context.text[:80]), TextPart("gap", omitted=320))


def test_a_chunk_is_shown_around_its_needle_even_if_it_holds_only_a_part() -> None:
    context = build_context(CASE)
    needle = context.needles[0]
    middle = (needle.start + needle.end) // 2
    (parts,) = view([[(middle - 300, middle)]]).chunks.values()
    assert [part.kind for part in parts] == ["gap", "plain", "needle"]
    assert parts[-1].text == context.text[needle.start : middle]


def test_distractors_are_marked_as_such() -> None:
    context = build_context(CASE)
    one = context.distractors[0]
    (parts,) = view([[(one.start - 10, one.end + 10)]]).chunks.values()
    assert [(part.kind, part.text) for part in parts if part.kind == "distractor"] == [
        ("distractor", one.text)
    ]
    assert text_of(parts) == context.text[one.start - 10 : one.end + 10]


def test_the_same_chunk_of_two_trials_is_kept_once() -> None:
    assert list(view([[(0, 100), (200, 300)], [(200, 300), (0, 100)]]).chunks) == [(0, 100), (200, 300)]


def test_the_first_eight_chunks_are_shown_and_all_that_hold_some_of_a_needle() -> None:
    context = build_context(CASE)
    needle = context.needles[-1]
    plain = [(at, at + 5) for at in range(0, 60, 5)]
    assert worth_showing([*plain, (needle.start, needle.end)], context.needles) == [
        *plain[:8],
        (needle.start, needle.end),
    ]


def test_a_context_that_is_another_one_now_is_not_shown() -> None:
    found = view_sample(replace(SAMPLE, sha256="0" * 64), [[(0, 100)]], ROOM)
    assert "has changed since the run was planned" in found.missing
    assert (found.chars, found.around, found.chunks) == (None, (), {})


def test_of_a_needle_set_that_is_gone_everything_but_the_text_is_shown() -> None:
    there, gone = view([]), view_sample(replace(SAMPLE, source=replace(CASE, needle_set="gone")), [], ROOM)
    assert gone.missing == "no needle set called 'gone'."
    assert gone == replace(there, missing=gone.missing, chars=None, around=())


def test_a_very_long_needle_is_cut() -> None:
    found = view_sample(sample_of(Case("starlight-long@3", "starlight", 4000, 50, 1)), [], ROOM)
    assert max(len(part.text) for part in found.around if part.kind == "needle") <= 900


def test_where_nobody_knows_the_needles_the_beginning_is_shown() -> None:
    found = view_sample(replace(SAMPLE, needles=(), distractors=()), [], ROOM)
    beginning, gap = found.around
    assert (beginning.kind, len(beginning.text), gap.kind) == ("plain", ROOM.plain, "gap")
