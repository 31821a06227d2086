"""What a user calls, as Python text that two trees can run, for ``bench_public_functions``.

Each snippet defines ``work``, which is timed; what stands before it is not. ``FOLDER`` holds ``run.sqlite``.
Where names have moved since the round's first commit, the older tree has a text of its own.
"""

from __future__ import annotations

from textwrap import dedent
from typing import NamedTuple


class Snippet(NamedTuple):
    """One measurement. ``then`` is the older tree's text; "" where both run the same."""

    now: str
    then: str = ""

    def of(self, *, older: bool) -> str:
        """The text for one of the two trees."""
        return dedent(self.then if older and self.then else self.now)


WRITE_RUN = """
    from tests.plots.html.simulated_run import Size, write_run
    sets = ("pizza-ingredients", "rainbow-potion", "academy-courses")
    strategies = ("lc", "topk", "topk-rev", "half", "bm25/top-5/norm")
    size = Size(lengths=(2000, 4000, 8000, 16000, 32000), depths=(0, 25, 50, 75, 100), sets=sets,
                strategies=strategies, seeds=(1, 2))
    write_run(FOLDER / "run.sqlite", size)
    write_run(FOLDER / "other.sqlite", size)
"""
"""1,500 trials written by the tree that reads them."""

_TEXT_NOW = """
    from niah.haystacks.load import load_corpus
    from niah.text.tokenizer import get_tokenizer
    from niah.text.chunks import passages, sentences, windows
    text = load_corpus("essays", "cl100k").text
    tokenizer = get_tokenizer("cl100k")
    starts = tokenizer.starts(text)
"""
_CASES = """
    from itertools import product
    from niah.cases.case import Case
    sets = ("ferry-lanterns", "pizza-ingredients", "rainbow-potion", "academy-courses")
    lengths = (2000, 4000, 8000, 16000, 32000, 64000, 128000)
    cases = [Case(s, "essays", n, d, repeat=True) for s, n, d in product(sets, lengths, (10, 50, 90))]
"""
_BUILD_NOW = _CASES + "    from niah.cases.assembly.assembly import build_context as build\n"
_BUILD_THEN = _CASES + "    from niah.cases.assembly import build\n"
_PASSAGES = (
    _TEXT_NOW
    + """
    from niah.retrieval.registry import get_retriever
    chunks = [text[chunk.start : chunk.end] for chunk in passages(text, starts)]
    fresh = iter(range(len(chunks)))
    QUESTION = "What does the baker of Orsel Street say that a perfect pizza cannot do without?"
"""
)
_MIXPR_NOW = """
    import random
    from niah.haystacks.load import load_corpus
    from niah.retrieval.registry import get_retriever
    from niah.text.sentences import split_sentences
    essays = load_corpus("essays", "cl100k")
    said = [s for p in essays.text.split("\\n\\n") for s in split_sentences(p)]
    each = essays.tokens[-1] / len(said)
    draw = random.Random(1)
    mixpr = get_retriever("mixpr", print)
    def recombined(tokens):
        return "\\n\\n".join(" ".join(draw.choices(said, k=8)) for _ in range(int(tokens / each / 8)))
    long = recombined(TOKENS)
    def work():
        mixpr.best_spans("Who was the composer of the quartet that was performed at the lake?", long)
"""
_JUDGE_NOW = """
    from niah.cases.samples import key_of
    from niah.judges.rubric import judge_by_rubric
    key = key_of("pizza-ingredients", 1)
    def judge(answer):
        judge_by_rubric(answer, key)
"""
_JUDGE_THEN = """
    from niah.judges import RubricJudge
    from niah.needles.load import load_needle_set
    key, rubric = load_needle_set("pizza-ingredients", 1), RubricJudge()
    def judge(answer):
        rubric.judge(answer, key)
"""
ANSWERS = {
    "judge: right": ["Figs, prosciutto and goat cheese.", "The three are figs, prosciutto and goat cheese."],
    "judge: some right, some wrong": [
        "According to the baker, a perfect pizza needs figs, anchovies and goat cheese.",
        "Prosciutto, ricotta and rosemary.",
        "- figs\n- spinach\n- goat cheese",
    ],
    "judge: refusal": ["The text does not say.", "I could not find that in the passage."],
    "judge: in other languages": [
        "Die drei Zutaten sind Feigen, Prosciutto und Ziegenk\u00e4se.",
        "Les trois ingr\u00e9dients sont les figues, le prosciutto et le fromage de ch\u00e8vre.",
    ],
    "judge: long": [
        "The passage about the oven is about chimneys and does not matter here. There is also a rival baker"
        " at the corner of Tern Lane, who swore by anchovies, but the question is not about him. The baker"
        " of Orsel Street holds that a perfect pizza cannot do without figs, prosciutto and goat cheese."
        "\n\nThe list:\n\n1. **figs** - he begins with them\n2. **prosciutto** - in thin slices\n"
        "3. **goat cheese** - by hand",
    ],
}


def _judged(answers: list[str]) -> Snippet:
    loop = f"""
    from itertools import product
    ANSWERS = {answers!r}
    nouns = "lamp river stone apron ladder basket kettle button harbour meadow saddle pocket candle".split()
    said = map(" ".join, product(nouns, repeat=4))
    def work():
        for _ in range(20):
            for answer in ANSWERS:
                judge(f"{{answer}} {{next(said).capitalize()}}.")
"""
    return Snippet(_JUDGE_NOW + loop, _JUDGE_THEN + loop)


_METRIC = """
    from niah.judges.metrics import {name}
    REFERENCE = "The perfect pizza cannot do without figs, prosciutto and goat cheese."
    ANSWER = "According to the baker of Orsel Street, a pizza needs figs and goat cheese, and ham. " * 3
    def work():
        for number in range(300):
            {name}(ANSWER + str(number), REFERENCE)
"""


def _metric(name: str, module: str, then: str) -> Snippet:
    return Snippet(_METRIC.format(name=name, module=module), _METRIC.format(name=name, module=then))


_READ_NOW = """
    from niah.runs.file.read_model import read_run
    from niah.analysis.frame import data_frame, trial_frame
    from niah.analysis.trial_columns import trial_columns
    run = read_run(FOLDER / "run.sqlite")
    records, samples = run.records, run.samples
    columns = trial_columns(records, samples)
    frame = data_frame(columns)
"""
_READ_THEN = """
    from niah.runs.details import read_run
    from niah.runs.store import open_for_reading
    from niah.analysis.columns import columns_of
    from niah.analysis.needle_sets_asked import needle_sets_asked
    with open_for_reading(FOLDER / "run.sqlite") as store:
        records, cases = store.records(), store.cases()
    columns, asked = columns_of(records), needle_sets_asked(records)
"""


def _read(now: str, then: str) -> Snippet:
    return Snippet(f"{_READ_NOW}    def work(): {now}\n", f"{_READ_THEN}    def work(): {then}\n")


def _table(name: str, then: str, module: str, argument: str = "columns") -> Snippet:
    now = f"""
    from niah.analysis.tables.registry import TableData, made_table
    from niah.reference.numbers import published
    numbers = published(None)
    def work(): made_table({name!r}, TableData(columns, samples, numbers, (), None))
"""
    older = f"""
    from niah.analysis.{module} import {then}
    from niah.reference.numbers import published
    numbers = published(None)
    def work(): {then}({argument})
"""
    return Snippet(_READ_NOW + now, _READ_THEN + older)


def _figure(name: str, then: str) -> Snippet:
    now = f"""
    from niah.plots.figures.figure_data import figure_data
    from niah.plots.kit.saved_figure import save_figure as save
    from niah.plots.kit.theme import themed
    from niah.plots.registry import FIGURES
    figure = FIGURES[{name!r}]
    def work():
        with themed():
            for one in figure.draw(figure_data(frame)):
                save(one, FOLDER / "figures")
"""
    older = f"""
    from niah.plots.figures.material import material_of
    from niah.plots.figures.publish import publish
    from niah.plots.theme import themed
    from niah.plots.registry import PAINTERS
    [paint] = [p for p in PAINTERS if f"{{p.__module__.split('.')[-1]}}.{{p.__name__}}" == {then!r}]
    recipes = {{case.case_id: case for case in cases}}
    def work():
        with themed():
            for one in paint(material_of(records, recipes, frozenset())):
                publish(one, FOLDER / "figures")
"""
    return Snippet(_READ_NOW + now, _READ_THEN + older)


_FIGURES = {
    **{name: f"{name.replace('-', '_')}.paint" for name in ("score-by-length", "heatmap-matrix", "heatmaps")},
    **{
        name: f"{name.replace('-', '_')}.paint"
        for name in ("score-by-depth", "rag-minus-lc", "effective-length")
    },
    **{
        name: f"{name.replace('-', '_')}.paint" for name in ("retrieval-by-length", "error-types", "outcomes")
    },
    **{
        name: f"{name.replace('-', '_')}.paint"
        for name in ("missing-and-extra", "noise-ratio", "distractors")
    },
    "context-organisation": "organisation.paint",
    "score-by-tokens": "frontier.paint_tokens",
}
_NIGHTS = """
    from tests.analysis.compare.simulated_nights import Nights, Simulation, as_records
    from niah.analysis.compare import {name} as compare
    from niah.analysis.pairs import pair
    simulation = Simulation(Nights(sets=6, seeds=3))
    before, after = (as_records(simulation.records, side) for side in simulation.draw(0))
    def work(): compare(pair(before, after))
"""
_PATTERNS_NOW = """
    from niah.analysis.frame import trial_frame
    from niah.analysis.patterns import find_patterns
    from tests.analysis.simulated_trials import ALL, World, simulate, simulated_samples
    world = World(seeds=4)
    records, samples = simulate(ALL, world, 0), simulated_samples(world)
    frame = trial_frame(records, samples)
    def work(): find_patterns(frame, samples)
"""
_PATTERNS_THEN = """
    from niah.analysis.patterns import find_patterns
    from tests.analysis.simulated_trials import ALL, World, planted_names, simulate
    world = World(seeds=4)
    records = simulate(ALL, world, 0)
    def work(): find_patterns(records, planted=planted_names(world))
"""
_RUN_400 = """
    import asyncio, atexit
    from tests.bench.bench_runner import plan, start_stub, through_execute
    base, stub = start_stub()
    atexit.register(stub.terminate)
    trials = plan(8_000, 400)
    def work(): asyncio.run(through_execute(base, trials, 32))
"""

SNIPPETS: dict[str, Snippet] = {
    "build 84 cases, 2k to 128k": Snippet(
        *(
            build + "    def work():\n        for case in cases: build(case)\n"
            for build in (_BUILD_NOW, _BUILD_THEN)
        )
    ),
    "audit them": Snippet(
        f"""{_BUILD_NOW}
    from niah.cases.audit import audit_context as audit
    contexts = [build(case) for case in cases]
    def work():
        for case, context in zip(cases, contexts): audit(case, context)
""",
        f"""{_BUILD_THEN}
    from niah.cases.audit import audit
    contexts = [build(case) for case in cases]
    def work():
        for case, context in zip(cases, contexts): audit(case, context)
""",
    ),
    "count tokens of an essay haystack's paragraphs": Snippet(
        f"{_TEXT_NOW}    paragraphs = text.split('\\n\\n')\n    def work(): tokenizer.counts(paragraphs)\n"
    ),
    "where each of its tokens begins": Snippet(f"{_TEXT_NOW}    def work(): tokenizer.starts(text)\n"),
    "split it into sentences": Snippet(
        f"""{_TEXT_NOW}
    from niah.text.sentences import split_sentences
    paragraphs = text.split("\\n\\n")
    def work():
        for paragraph in paragraphs: split_sentences(paragraph)
"""
    ),
    "cut it into windows": Snippet(f"{_TEXT_NOW}    def work(): windows(text, starts)\n"),
    "cut it into passages": Snippet(f"{_TEXT_NOW}    def work(): passages(text, starts)\n"),
    "cut it into short sentences": Snippet(f"{_TEXT_NOW}    def work(): sentences(text, starts)\n"),
    **{
        f"{name}: score 400 new passages": Snippet(
            f"""{_PASSAGES}
    retriever = get_retriever({name!r}, print)
    def work(): retriever.score(QUESTION, chunks[next(fresh):][:400])
"""
        )
        for name in ("bm25", "tfidf")
    },
    "minilm: score 20 new passages": Snippet(
        f"""{_PASSAGES}
    import time
    retriever = get_retriever("minilm", print)
    def work(): retriever.score(QUESTION, [f"{{time.time_ns()}} {{chunk}}" for chunk in chunks[:20]])
"""
    ),
    **{
        f"mixpr: best sentences of {said} tokens": Snippet(_MIXPR_NOW.replace("TOKENS", str(tokens)))
        for said, tokens in (("128k", 128_000), ("1M", 1_000_000))
    },
    "render 100 prompts of 8k tokens": Snippet(
        f"""{_TEXT_NOW}
    from niah.cases.prompts import load_prompt
    prompt = load_prompt("u-niah")
    def work():
        for number in range(100): prompt.render(text[:40_000], f"What is number {{number % 7}}?")
"""
    ),
    **{name: _judged(answers) for name, answers in ANSWERS.items()},
    "exact match": _metric("exact_match", "word_overlap", "exact_match"),
    "F1 (token-f1)": _metric("token_f1", "word_overlap", "token_f1"),
    "F1 (squad-f1)": _metric("squad_f1", "word_overlap", "squad_f1"),
    "rouge-l": _metric("rouge_l", "word_overlap", "rouge_l"),
    "bleu-4": _metric("bleu_4", "bleu", "bleu"),
    "meteor": _metric("meteor", "meteor", "meteor"),
    "read a run file of 1,500 trials": Snippet(
        _READ_NOW + '    def work(): read_run(FOLDER / "run.sqlite")\n',
        _READ_THEN
        + """
    def work():
        with open_for_reading(FOLDER / "run.sqlite") as store:
            read_run(store, store.records())
            store.cases()
""",
    ),
    "its trials as columns": _read("trial_frame(records, samples)", "columns_of(records)"),
    "table: scores by length": _table("scores-by-length", "length_bands", "length_bands"),
    "table: by needle set and length": _table(
        "scores-by-needle-set-and-length", "length_bands_by_needle_set", "length_bands"
    ),
    "table: win rates": _table("win-rates", "win_rates", "win_rates"),
    "table: win and lose": _table("win-lose", "win_lose", "win_lose"),
    "table: by haystack": _table("scores-by-haystack", "by_haystack", "breakdown"),
    "table: by needle set": _table("scores-by-needle-set", "by_needle_set", "breakdown"),
    "table: by kind": _table("scores-by-kind", "by_kind", "breakdown", "columns, records, asked"),
    "table: question words": _table(
        "question-words", "question_words", "question_words", "columns, records, asked"
    ),
    "table: error patterns": _table("error-patterns", "pattern_table", "pattern_table", "records, asked"),
    "table: causes": _table("causes", "errors_by_cause", "cause_table", "records"),
    "table: known without context": _table("known-without-context", "known_cases", "cause_table", "records"),
    "table: distractors chosen": _table(
        "distractors-chosen", "chosen", "chosen_table", "records, cases, asked"
    ),
    "table: judges' agreement": _table("judge-agreement", "agreement", "agreement_table", "records"),
    "table: outcomes": _table("outcomes", "outcomes", "outcome_table"),
    "table: resources": _table("resources", "resources", "resources"),
    "table: beside papers": _table("beside-papers", "beside", "beside", "records, numbers"),
    **{f"figure: {name}": _figure(name, then) for name, then in _FIGURES.items()},
    "compare two runs of 2,160 trials": Snippet(
        _NIGHTS.format(name="compare_pairs"), _NIGHTS.format(name="compare")
    ),
    "effective lengths": Snippet(
        f"{_READ_NOW}    from niah.analysis.effective_length import effective_lengths\n"
        "    def work(): effective_lengths(frame)\n",
        f"{_READ_THEN}    from niah.analysis.effective_length import effective_lengths\n"
        "    def work(): effective_lengths(records)\n",
    ),
    "error patterns of 7,680 trials": Snippet(_PATTERNS_NOW, _PATTERNS_THEN),
    "plan the run quick": Snippet(
        """
    from niah.runs.config.load import load_config
    from niah.runs.plan import plan_trials
    def work(): plan_trials(load_config("quick"))
""",
        """
    from niah.runs.config import load_config
    from niah.runs.plan import plan_trials
    def work(): plan_trials(load_config("quick"))
""",
    ),
    "export 1,500 trials as CSV": Snippet(
        f"{_READ_NOW}    import io\n    from niah.runs.file.export import export\n"
        '    def work(): export(records, io.BytesIO(), "csv")\n',
        f"{_READ_THEN}    import io\n    from niah.runs.export import export\n"
        '    def work(): export(records, io.BytesIO(), "csv")\n',
    ),
    "run 400 trials of 8k tokens, 32 in flight": Snippet(_RUN_400),
    "load eight needle sets, five of them drawn": Snippet(
        """
    from niah.needles.load import load_needle_set
    written = ("pizza-ingredients", "rainbow-potion", "three-gates")
    drawn = ("chain@4", "multi-key@4", "multi-value@4", "variables@4", "common-words@8")
    numbers = iter(range(1, 10**9))
    def work():
        number = next(numbers)
        for name in (*written, *drawn): load_needle_set(name, number)
"""
    ),
    "load the suite quick": Snippet(
        '    from niah.cases.suite import load_suite\n    def work(): load_suite("quick")\n'
    ),
}

COMMANDS: dict[str, tuple[str, ...]] = {
    "python -c 'import niah'": ("-c", "import niah"),
    "niah --version": ("-m", "niah", "--version"),
    "niah --help": ("-m", "niah", "--help"),
    "niah list needle-sets": ("-m", "niah", "list", "needle-sets"),
    "niah needles check pizza-ingredients": ("-m", "niah", "needles", "check", "pizza-ingredients"),
    "niah generate quick": ("-m", "niah", "generate", "quick", "--out", "FRESH"),
    "niah show RUN": ("-m", "niah", "show", "run.sqlite"),
    "niah export RUN": ("-m", "niah", "export", "run.sqlite"),
    "niah compare RUN RUN": ("-m", "niah", "compare", "run.sqlite", "other.sqlite"),
    "niah plan quick": ("-m", "niah", "plan", "quick"),
    "niah report RUN": ("-m", "niah", "report", "run.sqlite"),
}
