"""The heart of the product: exact by construction, checked by tokenising every context again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from niah.cases.assembly.assembly import build_context
from niah.cases.assembly.finished_text import recount
from niah.cases.audit import audit_context
from niah.cases.case import Case, DistractorDepth, Mode, NeedleOrder
from niah.cases.context import Context
from niah.cases.prompts import load_prompt
from niah.errors import CaseError, Defect
from niah.haystacks.documents import load_documents
from niah.haystacks.load import load_corpus
from niah.needles.families.load import family_names, load_family
from niah.needles.load import load_needle_set, needle_set_names
from niah.text.scanning.short_sentences import short_sentences
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import of_all, some_of

SETS = (
    "ferry-lanterns",
    "three-gates",
    "pizza-ingredients-brief",
    "rainbow-potion-brief",
    "academy-courses-brief",
)
LENGTHS = st.integers(700, 6000)
DEPTHS = st.integers(0, 200).map(lambda halves: halves / 2)

case_strategy = st.builds(
    Case,
    needle_set=st.sampled_from(SETS),
    haystack=st.just("essays"),
    context_length=LENGTHS,
    depth=DEPTHS,
    seed=st.integers(0, 9),
    tokenizer=st.sampled_from(["cl100k", "o200k"]),
    mode=st.sampled_from(["exact", "contiguous"]),
    order=st.sampled_from(["listed", "shuffled"]),
    distractors=st.integers(0, 1),
    distractor_depth=st.sampled_from(["spread", "near", "before", "after"]),
    repeat=st.booleans(),
)


@cache
def sentences_of(corpus_name: str, tokenizer: str) -> dict[str, list[str]]:
    """The sentences of a haystack, by their first twelve characters."""
    corpus = load_corpus(corpus_name, tokenizer)
    by_start: dict[str, list[str]] = {}
    for sentence in {corpus.slice(piece, piece + 1).strip() for piece in range(corpus.size)}:
        by_start.setdefault(sentence[:12], []).append(sentence)
    return by_start


def without_inserts(context: Context) -> list[str]:
    """Haystack text between needles and distractors."""
    parts, at = [], 0
    for item in sorted((*context.needles, *context.distractors), key=lambda placed: placed.start):
        parts.append(context.text[at : item.start])
        at = item.end
    return [*parts, context.text[at:]]


def is_whole_sentences(text: str, sentences: dict[str, list[str]]) -> bool:
    """Whether ``text`` can be read, from left to right, as whole haystack sentences."""
    rest = text.strip()
    while rest:
        fitting = [s for s in sentences.get(rest[:12], []) if rest.startswith(s)]
        if not fitting:
            # A sentence of less than twelve characters stands under all that it is.
            fitting = [s for size in range(1, 12) for s in sentences.get(rest[:size], [])]
        if not fitting:
            return False
        rest = rest[len(max(fitting, key=len)) :].lstrip()
    return True


@settings(max_examples=of_all(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case_strategy)
def test_every_recorded_figure_is_true(case: Case) -> None:
    try:
        context = build_context(case)
    except CaseError:
        # Needles a few tokens apart: no whole sentence fits between them. That must be rare, see below.
        return
    audit_context(case, context)
    tokenizer, needle_set = get_tokenizer(case.tokenizer), load_needle_set(case.needle_set, case.seed)
    prompt = load_prompt(case.prompt).render(context.text, needle_set.question)
    assert count(tokenizer, context.text) == context.tokens
    assert count(tokenizer, prompt) == context.tokens + context.prompt_tokens
    assert all(
        is_whole_sentences(part, sentences_of("essays", case.tokenizer)) for part in without_inserts(context)
    )


@pytest.mark.parametrize("family", family_names())
def test_every_recorded_figure_is_true_for_sets_that_a_seed_draws(family: str) -> None:
    random = Random(family)
    for seed in range(3):
        file = load_family(family)[1]
        k = min(max(random.choice([1, 2, 5, 8]), file.fewest), file.most)
        case = Case(
            f"{family}@{k}",
            "essays",
            context_length=24000,
            depth=random.randint(0, 200) / 2,
            seed=seed,
            distractors=random.randint(0, 4),
            distractor_hardness=random.choice(["any", "hard"]) if k > 1 else "any",
        )
        try:
            context = build_context(case)
        except CaseError as error:
            assert "hard distractors" in str(error)  # noqa: PT017 - nothing else may go wrong
            continue
        audit_context(case, context)


@pytest.fixture(scope="session")
def sentencepiece(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Unigram tokenizer with a space in front of every text, as Llama's and T5's have, learned here."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.UnigramTrainer(vocab_size=3000, special_tokens=["<unk>"], unk_token="<unk>")
    tokenizer.train_from_iterator([load_corpus("essays", "cl100k").text], trainer)
    path = tmp_path_factory.mktemp("sentencepiece") / "tokenizer.json"
    tokenizer.save(str(path))
    return str(path)


@pytest.mark.parametrize(
    "tokenizer",
    ["smollm2", "minilm", "anthropic/claude-2", pytest.param("sentencepiece", marks=pytest.mark.slow)],
)
def test_every_recorded_figure_is_true_for_tokenizers_that_are_not_additive(
    tokenizer: str, request: pytest.FixtureRequest
) -> None:
    name = request.getfixturevalue(tokenizer) if tokenizer == "sentencepiece" else tokenizer
    assert not get_tokenizer(name).additive
    random, built, tried = Random(tokenizer), 0, some_of(range(40), 8)
    for _ in tried:
        case = Case(
            needle_set=random.choice(SETS),
            haystack="essays",
            context_length=random.randint(900, 6000),
            depth=random.randint(0, 200) / 2,
            seed=random.randint(0, 9),
            tokenizer=name,
            mode=random.choice(["exact", "contiguous"]),
            order=random.choice(["listed", "shuffled"]),
            distractors=random.randint(0, 1),
            distractor_depth=random.choice(["spread", "near", "before", "after"]),
        )
        try:
            context = build_context(case)
        except CaseError:
            continue
        audit_context(case, context)
        built += 1
    assert built >= 35 / 40 * len(tried)


@pytest.mark.parametrize("tokenizer", ["smollm2", "minilm", "anthropic/claude-2", "cl100k"])
@pytest.mark.parametrize("mode", ["exact", "contiguous"])
def test_counts_are_true_where_a_context_goes_on_past_the_haystacks_end(
    tokenizer: str, mode: Mode, tmp_path: Path
) -> None:
    """A haystack of some 5,000 tokens, begun in its middle and read nearly twice."""
    path = tmp_path / "short.txt"
    paragraphs = [paragraph for document in load_documents("essays") for paragraph in document.paragraphs]
    path.write_text("\n\n".join(paragraphs[:40]))
    for seed, length, depth in ((1, 3000, 90), (2, 3000, 50), (3, 3000, 100), (4, 9000, 70)):
        case = Case(
            "ferry-lanterns", str(path), length, depth, seed=seed, tokenizer=tokenizer, mode=mode, repeat=True
        )
        context = build_context(case)
        audit_context(case, context)
        wrap = f"{paragraphs[39].rsplit(' ', 1)[1]}\n\n{paragraphs[0].split(' ', 1)[0]} "
        assert wrap in context.text or length == 3000


@pytest.mark.parametrize("needle_set", SETS)
@pytest.mark.parametrize("length", [1500, 2048, 8000])
@pytest.mark.parametrize("depth", [0, 10, 25, 33.3, 50, 75, 90, 100])
def test_exact_cases_are_always_found_where_there_is_room(needle_set: str, length: int, depth: float) -> None:
    case = Case(needle_set, "essays", length, depth)
    context = build_context(case)
    assert context.tokens + context.prompt_tokens == length
    assert [needle.token_start for needle in context.needles] == [
        needle.asked_token for needle in context.needles
    ]


def test_depth_means_what_it_says() -> None:
    # By hand: H = L - P - N, and nothing but floor(H / 4) haystack tokens before the needle.
    case = Case("ferry-lanterns", "essays", 2000, 25)
    context = build_context(case)
    tokenizer = get_tokenizer("cl100k")
    needle_tokens = count(tokenizer, " " + context.needles[0].text)
    haystack_tokens = 2000 - context.prompt_tokens - needle_tokens
    assert context.needles[0].token_start == haystack_tokens // 4


def test_at_full_depth_the_needles_stand_right_before_the_question() -> None:
    context = build_context(Case("pizza-ingredients", "essays", 2000, 100))
    assert context.text.endswith(" ".join(needle.text for needle in context.needles))


def test_at_no_depth_the_first_needle_opens_the_context() -> None:
    context = build_context(Case("pizza-ingredients", "essays", 2000, 0))
    assert context.needles[0].start == 0
    assert context.needles[0].token_start == 0


def test_cases_that_differ_in_depth_share_their_background() -> None:
    shallow, deep = (build_context(Case("ferry-lanterns", "essays", 3000, depth)) for depth in (25, 75))
    common = len(shallow.text[: shallow.needles[0].start - 1200])
    assert common > 1000
    assert shallow.text[:common] == deep.text[:common]


def test_cases_that_differ_in_length_share_their_background() -> None:
    short, long = (build_context(Case("ferry-lanterns", "essays", length, 100)) for length in (1000, 4000))
    assert long.text.startswith(short.text[:2500])


def test_cases_of_one_background_share_the_sentences_that_make_counts_come_out() -> None:
    """Whatever is read of sentences, such as an embedding, is read once for all of them."""
    grid = product(("ferry-lanterns", "three-gates", "pizza-ingredients-brief"), (2000, 4000, 8000))
    contexts = [
        build_context(Case(needle_set, "essays", length, depth))
        for needle_set, length in grid
        for depth in (20, 50, 80)
    ]
    needles = {needle.text for context in contexts for needle in context.needles}
    longest, *others = sorted(({*sentences(context)} for context in contexts), key=len, reverse=True)
    more = set().union(*others) - longest
    more -= {sentence for sentence in more if any(sentence in needle for needle in needles)}
    # 53 now, and 112 where each context chose its own.
    assert len(more) <= 70


def sentences(context: Context) -> list[str]:
    return [context.text[start:end] for start, end in short_sentences(context.text)]


def test_the_background_goes_on_after_a_needle_where_it_stopped() -> None:
    """Take needle and seam away, and what is left is one unbroken passage of the corpus."""
    corpus = load_corpus("essays", "cl100k")
    context = build_context(Case("ferry-lanterns", "essays", 3000, 50))
    endless = corpus.text + corpus.text
    after = context.text[context.needles[0].end :].strip()[:400]
    before = context.text[: context.needles[0].start].strip()
    at = endless.find(after)
    resumed = next(
        size for size in range(len(before)) if endless[:at].rstrip().endswith(before[: len(before) - size])
    )
    # What had to be skipped is the seam: whole sentences, at most 200 tokens.
    assert count(get_tokenizer("cl100k"), before[len(before) - resumed :]) <= 200


def test_seeds_begin_elsewhere() -> None:
    starts = {
        build_context(Case("ferry-lanterns", "essays", 1000, 50, seed=seed)).text[:80] for seed in range(8)
    }
    assert len(starts) >= 6


def test_contiguous_mode_is_one_unbroken_passage() -> None:
    corpus = load_corpus("essays", "cl100k")
    context = build_context(Case("pizza-ingredients", "essays", 3000, 30, mode="contiguous"))
    passage = " ".join(" ".join(without_inserts(context)).split())
    assert passage in " ".join((corpus.text + corpus.text).split())


@pytest.mark.parametrize("mode", ["exact", "contiguous"])
@pytest.mark.parametrize("order", ["listed", "shuffled"])
def test_shuffled_needles_are_the_same_needles(mode: Mode, order: NeedleOrder) -> None:
    context = build_context(Case("academy-courses", "essays", 4000, 20, mode=mode, order=order))
    listed = [needle.id for needle in load_needle_set("academy-courses", 1).needles]
    placed = [needle.id for needle in context.needles]
    assert sorted(placed) == sorted(listed)
    assert (placed == listed) == (order == "listed")


def test_distractors_go_in_and_are_part_of_the_haystack() -> None:
    case = Case("academy-courses", "essays", 6000, 20, distractors=5)
    context = build_context(case)
    audit_context(case, context)
    assert len(context.distractors) == 5
    assert context.tokens + context.prompt_tokens == 6000


def test_prompt_and_context_are_exactly_the_context_length() -> None:
    case = Case("three-gates", "essays", 1234, 40, tokenizer="o200k")
    prompt = load_prompt("u-niah").render(
        build_context(case).text, load_needle_set("three-gates", 1).question
    )
    assert count(get_tokenizer("o200k"), prompt) == 1234


def test_no_space_is_doubled_and_no_line_begins_with_one() -> None:
    context = build_context(Case("academy-courses", "essays", 5000, 0, distractors=3))
    assert not re.search(r"  |\n |\n{3,}| \n", context.text)


def test_a_sentence_longer_than_any_run_stays_whole(tmp_path: Path) -> None:
    """Sterne writes sentences of 700 tokens; here every second needle is due inside one of 900."""
    giant = "It went on, " + ", ".join(f"and on for the {n}th time" for n in range(100)) + "."
    ordinary = [paragraph for document in load_documents("essays") for paragraph in document.paragraphs]
    path = tmp_path / "sterne.txt"
    mixed = [f"{text} {giant} So be it." if at % 8 == 0 else text for at, text in enumerate(ordinary)]
    path.write_text("\n\n".join(mixed))
    for depth in some_of(range(0, 101, 10), 4):
        case = Case("ferry-lanterns", str(path), 6000, depth)
        context = build_context(case)
        audit_context(case, context)
        assert context.text.count("It went on,") == context.text.count("for the 99th time.") > 0


def test_the_audit_finds_a_context_that_was_tampered_with() -> None:
    case = Case("ferry-lanterns", "essays", 1000, 50)
    context = build_context(case)
    with pytest.raises(Defect, match="tokens"):
        audit_context(case, replace(context, text=context.text + " More."))
    moved = context.needles[0]._replace(token_start=context.needles[0].token_start + 1)
    with pytest.raises(Defect, match="token_start"):
        audit_context(case, replace(context, needles=(moved,)))


RIDDLES = [
    f"{opening} the {thing} that {deed} {where}?"
    for opening in ("Who mended", "Where is", "What became of", "Which of you painted")
    for thing in ("brass kettle", "ferryman's second boat", "clock", "letter to the harbour master")
    for deed in ("was promised", "nobody asked for", "stood", "the twins had hidden, or so they said,")
    for where in ("last winter", "behind the mill", "in the long room above the dye works")
]
"""Paragraphs of one sentence each, none of which ends in a full stop."""


@pytest.mark.parametrize("tokenizer", ["cl100k", "smollm2", "minilm"])
@pytest.mark.parametrize("mode", ["exact", "contiguous"])
def test_a_text_of_single_questions_fills_the_context_length(
    tokenizer: str, mode: Mode, tmp_path: Path
) -> None:
    path = tmp_path / "riddles.txt"
    path.write_text("\n\n".join(RIDDLES))
    longest = max(count(get_tokenizer(tokenizer), text) for text in RIDDLES) + 3
    for depth in (0, 20, 50, 95, 100):
        for needle_set, length in (("ferry-lanterns", 1500), ("pizza-ingredients", 6000)):
            case = Case(needle_set, str(path), length, depth, tokenizer=tokenizer, mode=mode, repeat=True)
            context = build_context(case)
            audit_context(case, context)
            assert length - longest <= context.tokens + context.prompt_tokens <= length
            assert all(0 <= each.asked_token - each.token_start < longest for each in context.needles)


def test_the_audit_finds_a_contiguous_context_that_is_short_or_torn() -> None:
    case = Case("ferry-lanterns", "essays", 3000, 50, mode="contiguous")
    context = build_context(case)
    audit_context(case, context)
    tokenizer, prompt = get_tokenizer("cl100k"), load_prompt("u-niah")
    frame = prompt.frame(load_needle_set("ferry-lanterns", 1).question)
    shortened = replace(context, text=context.text[: context.text.rindex(". ") + 1])
    with pytest.raises(Defect, match="the next sentence would have fitted"):
        audit_context(case, recount(shortened, tokenizer, *frame))
    first = context.text.index(". ") + 2
    torn = context.text[:first] + context.text[context.text.index(". ", first) + 2 :]
    start = torn.index(context.needles[0].text)
    moved = context.needles[0]._replace(start=start, end=start + len(context.needles[0].text))
    with pytest.raises(Defect, match="not one unbroken passage"):
        audit_context(case, recount(replace(context, text=torn, needles=(moved,)), tokenizer, *frame))
    early = context.needles[0]._replace(asked_token=context.needles[0].asked_token + 200)
    with pytest.raises(Defect, match="tokens early, over a sentence"):
        audit_context(case, replace(context, needles=(early,)))


@pytest.mark.parametrize("mode", ["exact", "contiguous"])
@pytest.mark.parametrize("tokenizer", ["cl100k", "smollm2"])
def test_what_is_reserved_stays_free(tokenizer: str, mode: Mode) -> None:
    case = Case("three-gates", "essays", 2000, 40, tokenizer=tokenizer, mode=mode, reserve=37)
    context = build_context(case)
    audit_context(case, context)
    question = load_needle_set("three-gates", 1).question
    total = count(get_tokenizer(tokenizer), load_prompt("u-niah").render(context.text, question))
    assert total == 1963 if mode == "exact" else 1863 < total <= 1963
    with pytest.raises(CaseError, match="with the 40 that are reserved"):
        build_context(replace(case, context_length=110, reserve=40))


def test_a_length_too_small_says_how_much_is_needed() -> None:
    with pytest.raises(CaseError, match=r"academy-courses_essays_256_d50_s1: .*at least \d+"):
        build_context(Case("academy-courses", "essays", 256, 50))


def test_a_haystack_too_short_may_repeat_itself_and_says_how_often() -> None:
    corpus = load_corpus("essays", "cl100k")
    case = Case("pizza-ingredients", "essays", 3 * corpus.tokens[-1], 60, repeat=True)
    context = build_context(case)
    audit_context(case, context)
    assert context.repeats == 2
    once = build_context(replace(case, context_length=3000))
    assert once.repeats == 0
    assert context.text.startswith(once.text[:1500])
    assert build_context(replace(once_over(case), repeat=False)).text == build_context(once_over(case)).text


@pytest.mark.parametrize("haystack", ["essays", "starlight"])
def test_a_length_that_no_memory_holds_is_one_line(haystack: str) -> None:
    with pytest.raises(CaseError, match=r"\d+ tokens take 3000000 GB of memory to build") as caught:
        build_context(Case("ferry-lanterns", haystack, 10**14, 50, repeat=True))
    assert caught.value.reason == "longer than memory allows"


def once_over(case: Case) -> Case:
    return replace(case, context_length=3000)


def test_distractors_with_no_room_among_needles_come_before_the_first() -> None:
    case = Case("academy-courses", "essays", 4000, 80, distractors=4)
    context = build_context(case)
    audit_context(case, context)
    assert len(context.distractors) == 4
    assert max(item.end for item in context.distractors) < min(item.start for item in context.needles)
    with pytest.raises(CaseError, match="no room for all distractors"):
        build_context(Case("rainbow-potion", "essays", 1000, 10, distractors=4))


@pytest.mark.parametrize("rule", ["near", "before", "after"])
@pytest.mark.parametrize("mode", ["exact", "contiguous"])
def test_distractors_stand_where_their_rule_says(rule: DistractorDepth, mode: Mode) -> None:
    case = Case("academy-courses", "essays", 12000, 30, distractors=5, distractor_depth=rule, mode=mode)
    context = build_context(case)
    audit_context(case, context)
    needles, distractors = context.needles, context.distractors
    assert len(distractors) == 5
    if rule == "before":
        assert max(item.end for item in distractors) < needles[0].start
    elif rule == "after":
        assert min(item.start for item in distractors) > needles[-1].end
    else:
        edges = {needle.end + 1 for needle in needles} | {needle.start - 1 for needle in needles}
        assert all(item.start in edges or item.end in edges for item in distractors)


def test_distractors_of_one_hardness() -> None:
    hard = [d.id for d in load_needle_set("rainbow-potion", 1).distractors if d.hardness == "hard"]
    case = Case("rainbow-potion", "essays", 4000, 30, distractors=len(hard), distractor_hardness="hard")
    assert [item.id for item in build_context(case).distractors] == hard
    with pytest.raises(CaseError, match=f"asks for {len(hard) + 1} hard distractors, and .* has {len(hard)}"):
        build_context(replace(case, distractors=len(hard) + 1))


def test_no_room_for_distractors_before_a_needle_that_opens_the_context() -> None:
    with pytest.raises(CaseError, match="no room for its distractors before the first needle"):
        build_context(Case("ferry-lanterns", "essays", 2000, 0, distractors=1, distractor_depth="before"))


def test_nested_needles_stand_inside_their_passages() -> None:
    case = Case("needle-in-needle", "essays", 24000, 20, order="shuffled")
    context = build_context(case)
    audit_context(case, context)
    needle_set = load_needle_set("needle-in-needle", 1)
    assert len(context.needles) == 15
    assert len(context.passages) == len(needle_set.passages) == 10
    homes = {needle.id: needle.inside for needle in needle_set.needles}
    by_id = {passage.id: passage for passage in context.passages}
    for needle in context.needles:
        home = by_id[homes[needle.id]]
        assert home.start <= needle.start < needle.end <= home.end


def test_where_nothing_answers_the_distractors_stand_where_needles_would() -> None:
    name = next(n for n in needle_set_names() if load_needle_set(n, 1).kind == "unanswerable")
    case = Case(name, "essays", 4000, 50)
    context = build_context(case)
    audit_context(case, context)
    assert not context.needles
    assert len(context.distractors) == len(load_needle_set(name, 1).distractors)
    assert context.tokens + context.prompt_tokens == 4000


def test_a_haystack_too_short_says_what_it_holds() -> None:
    with pytest.raises(CaseError, match=r"essays holds \d+"):
        build_context(Case("ferry-lanterns", "essays", 5_000_000, 50))


def test_the_least_length_that_the_message_names_is_enough() -> None:
    with pytest.raises(CaseError) as caught:
        build_context(Case("three-gates", "essays", 32, 50))
    least = int(re.findall(r"\d+", caught.value.remedy)[0])
    build_context(Case("three-gates", "essays", least + 64, 50))


@pytest.mark.parametrize("tokenizer", ["cl100k", "smollm2", "minilm"])
@pytest.mark.parametrize("depth", [0, 37, 100])
def test_a_contiguous_context_is_counted_without_reading_it_again(
    tokenizer: str, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what stands around its joints is tokenised, and every figure is that of the whole text."""
    case = Case("three-gates", "essays", 24_000, depth, distractors=2, mode="contiguous", tokenizer=tokenizer)
    load_corpus(case.haystack, case.tokenizer)
    counter, read = get_tokenizer(tokenizer), list[int]()

    def noting(genuine: Callable[[str], object], text: str) -> object:
        read.append(len(text))
        return genuine(text)

    with monkeypatch.context() as patched:
        for method in ("starts", "encode"):
            patched.setattr(counter, method, partial(noting, getattr(counter, method)))
        context = build_context(case)
    assert max(read, default=0) < 6_000 < len(context.text) // 10
    audit_context(case, context)
    frame = load_prompt(case.prompt).frame(load_needle_set(case.needle_set, case.seed).question)
    assert recount(context, counter, *frame) == context
