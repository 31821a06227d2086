"""Needles of other projects as needle sets: U-NIAH, NeedleBench and NoLiMa (``niah import``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from niah.cases.questions.datasets import Row, local_files, mistakes_in, name_of_files, published_rows
from niah.errors import ConfigError, UnknownName, UserError
from niah.files import atomic_write, checked_model
from niah.needles.checks import check_needle_set, content_words
from niah.needles.load import needle_set_of
from niah.needles.needle_set import Element, ElementFinder, NeedleSet
from niah.paths import shipped
from niah.text.mentions import mentions
from niah.text.sentences import split_sentences
from niah.yaml_file import parse_yaml


@dataclass(frozen=True)
class Draft:
    """A needle set to write: its name, its keys, and what of the original is not in it, a line each."""

    name: str
    data: Mapping[str, object]
    losses: tuple[str, ...] = ()


@dataclass(frozen=True)
class NeedleFormat:
    """A format: a description of its file, the drafts of one row, its licence, and what to cite."""

    description: str
    drafts: Callable[[Row], Iterator[Draft]]
    licence: str
    citation: str
    rows: Callable[[Sequence[Path], Path], Iterator[Row]] = published_rows


@dataclass(frozen=True)
class WrittenNeedleSets:
    """The names of the needle sets written, and what of the original is not in them, a line each."""

    names: tuple[str, ...]
    losses: tuple[str, ...]


def import_needles(name: str, files: Sequence[str], folder: Path) -> WrittenNeedleSets:
    """Write the needle sets of published files to ``folder``; all are checked before the first is written.

    A needle set that cannot be one is left out, and said. Raises UserError where none is left, a file is
    not as it was published, or a file would be lost.
    """
    if name not in NEEDLE_FORMATS:
        raise UnknownName("format of needles", name, NEEDLE_FORMATS)
    form, about = NEEDLE_FORMATS[name], name_of_files(files)
    sound, losses = list[Draft](), list[str]()
    for row in form.rows(local_files(files), about):
        with mistakes_in(row, about, NeedleSet):
            drafts = list(form.drafts(row))
        for draft in drafts:
            try:
                _check(draft, folder)
                sound.append(draft)
            except ConfigError as error:
                said = error.message.removeprefix(f"{folder / draft.name}.yaml: ")
                losses.append(f"{draft.name} is left out: {said}")
    if not sound:
        first = f"; {losses[0]}" if losses else "."
        raise ConfigError(about, "", f"gives no needle set{first}", f"Name {form.description}.")
    for draft in sound:
        write_yaml(folder / f"{draft.name}.yaml", draft.data)
    losses += [f"{draft.name}: {loss}" for draft in sound for loss in draft.losses]
    return WrittenNeedleSets(tuple(draft.name for draft in sound), tuple(losses))


def _check(draft: Draft, folder: Path) -> None:
    """Raise ConfigError for a draft that is no needle set, UserError where a file would be lost or hidden."""
    file = folder / f"{draft.name}.yaml"
    if file.exists():
        raise UserError(f"{file} is there already.", "Name another folder with --out, or remove it.")
    ours = [shipped("needles") / file.name, shipped("needles") / "families" / file.name]
    if folder == Path("needles") and any(each.is_file() for each in ours):
        problem = f"{file} would hide the set {draft.name} that ships with niah."
        raise UserError(problem, "Rename the file that is imported, or name another folder with --out.")
    check_needle_set(file, needle_set_of(file, checked_model(file, draft.data, NeedleSet)))


def write_yaml(path: Path, data: Mapping[str, object]) -> None:
    """Write a YAML file in the order of its keys."""
    import yaml

    with atomic_write(path) as written:
        written.write(yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False, width=110).encode())


def _as_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "needles"


def _needle_set(
    kind: str, question: str, answer: str, room: int, needles: Sequence[tuple[str, bool]]
) -> dict[str, Any]:
    """A needle set whose one element is the answer; a needle is a text, and whether it carries it."""
    return {
        "kind": kind,
        "question": question,
        "answer": answer,
        "answer_tokens": room,
        "elements": [{"name": answer}],
        "needles": [{"text": text, "elements": [answer] if carries else []} for text, carries in needles],
    }


def _needlebench(row: Row) -> Iterator[Draft]:
    """A needle set for each fact (needles.jsonl) or chain (multi_needle_reasoning_*.json)."""
    if "derivations" not in row:
        pairs = [(row["needle"], True)]
        data = _needle_set("single", row["retrieval_question"], row["arg2"], 96, pairs)
        yield Draft(f"needlebench-fact-{row.number}", data)
        return
    needles, answer = row["derivations"], row["answer"]
    carriers = [mentions(needle, [answer]) for needle in needles]
    derived = not any(carriers)  # it follows from all of them
    pairs = [(text, derived or carries) for text, carries in zip(needles, carriers, strict=True)]
    data = _needle_set("multi-hop", row["question"], answer, 96, pairs)
    if derived:
        data["elements"] = [{"name": answer, "derived": True}]
    yield Draft(f"needlebench-chain-{row.number}", data)


_NOLIMA_LICENCE = "Adobe Research License: no commercial use"


def _nolima(row: Row) -> Iterator[Draft]:
    """A needle set for each test and question; characters take turns, where NoLiMa draws one."""
    needle, characters = row["needle"], row["character_set"]
    for number, (test, made) in enumerate(row["tests"].items()):
        character = characters[number % len(characters)]
        values = {"CHAR": character, **{str(at): each for at, each in enumerate(made["input_args"], 1)}}
        for hops, question in row["questions"].items():
            text, asked = (_filled(each, values) for each in (needle, question))
            data = _needle_set("latent", asked, character, 64, [(text, True)])
            name = _as_name(f"nolima-{row['id']}-{test}-{hops}")
            yield Draft(name, {"description": f"NoLiMa ({_NOLIMA_LICENCE}).", **data})


def _filled(template: str, values: Mapping[str, str]) -> str:
    """The template with {CHAR}, and {1} for the first of what is given. Raises ValueError."""
    places = re.findall(r"\{(CHAR|\d+)\}", template)
    if missing := [place for place in places if place not in values]:
        raise ValueError(f"has the place {{{missing[0]}}}, and a test gives {len(values) - 1} values")
    return re.sub(r"\{(CHAR|\d+)\}", lambda place: values[place[1]], template)


def _yaml_rows(paths: Sequence[Path], about: Path) -> Iterator[Row]:
    """The cases of needle_cases.yaml, each under its name."""
    for path in paths:
        data = parse_yaml(path)
        for name, case in data.items() if isinstance(data, Mapping) else ():
            if isinstance(case, Mapping):
                row = Row({**case, "name": name})
                row.where, row.path, row.number = str(name), path, 1
                yield row


def _u_niah(row: Row) -> Iterator[Draft]:
    """A needle set u-niah-NAME whose elements are the names and phrases that needles and answer share.

    Which part of the answer a needle carries is not written in U-NIAH's file. Long needles over which the
    names that an answer lists are spread unevenly are passages, and their sentences with the names nested
    needles.
    """
    question, answer = row["question"], row["true_answer"]
    names = _names(answer, question)
    texts = [_parted(" ".join(text.split()), names) for text in row["needles"]]
    rest = re.sub("|".join(map(re.escape, names)) or "(?!)", " ", answer)
    lists_names = len(names) > 2 and set(content_words(rest)) <= set(content_words(question))
    nested = lists_names and any(
        len(split_sentences(text)) > 1 and sum(mentions(text, [each]) for each in names) != 1
        for text in texts
    )
    shared = [] if nested else _phrases(texts, question, answer, names)
    named = [each for each in names if any(mentions(text, [each]) for text in texts)]
    named = [each for each in named if not any(mentions(phrase, [each]) for phrase in shared)]
    in_order = sorted([*named, *shared], key=lambda each: answer.casefold().find(each.casefold()))
    elements, losses = _elements(in_order, question), list[str]()
    carried = ElementFinder(elements)
    data = _needle_set("single" if len(texts) == 1 else "multi-needle", question, answer, 256, ())
    if nested:
        data["passages"] = [{"id": f"passage-{place}", "text": text} for place, text in enumerate(texts, 1)]
        data["needles"] = [
            {"text": sentence, "elements": list(carried(sentence)), "inside": passage["id"]}
            for passage in data["passages"]
            for sentence in split_sentences(passage["text"])
            if carried(sentence)
        ]
        within = f"{len(data['needles'])} sentences of them nested needles"
        losses.append(f"{len(texts)} needles are passages, and {within}")
    else:
        data["needles"] = [{"text": text, "elements": list(carried(text))} for text in texts]
        if supporting := [place for place, each in enumerate(data["needles"], 1) if not each["elements"]]:
            losses.append(f"needles that share nothing with the answer are supporting text: {supporting}")
    if elements:
        losses.append(f"elements are guessed from the answer: {', '.join(each.name for each in elements)}")
    data["elements"] = [
        {"name": each.name} | ({"aliases": list(each.aliases)} if each.aliases else {}) for each in elements
    ]
    yield Draft(_as_name(f"u-niah-{row['name']}"), data, tuple(losses))


def _parted(text: str, names: Sequence[str]) -> str:
    """The text with spaces where names touch words ("Runes Translationis"); sentences end in a stop."""
    for name in names:
        text = re.sub(rf"(?<=[\w.!?,;:)])(?={re.escape(name)})|(?<={re.escape(name)})(?=[^\W_])", " ", text)
    ends = re.search(r"[.!?…][\"')\]”’»]*\Z", text)
    return text if ends or not split_sentences(text)[1:] else f"{text}."


def _names(answer: str, question: str) -> list[str]:
    """Names of several words in an answer ("Magical History & Theory"), but for those in the question."""
    capitals = re.findall(r"[A-Z][\w’'-]*(?:(?:\s+&)?\s+[A-Z][\w’'-]*)+", answer)
    found = dict.fromkeys(re.sub(r"^(?:The|A|An)\s+", "", name) for name in capitals)
    asked = question.replace("'s", "")
    return [name for name in found if " " in name and not mentions(asked, [name.removesuffix("'s")])]


def _phrases(texts: Sequence[str], question: str, answer: str, names: Sequence[str]) -> list[str]:
    """The phrase that each needle shares with the answer; of a long needle none of a single word."""
    asked, found = set(content_words(question)), list[str]()
    for text, phrase in zip(texts, shared_phrases(texts, question, answer), strict=True):
        is_short = not split_sentences(text)[1:]
        in_name = phrase and any(mentions(name, [phrase]) and mentions(text, [name]) for name in names)
        if phrase and not in_name and (is_short or len(set(content_words(phrase)) - asked) > 1):
            found.append(phrase)
    return found


def _elements(names: Iterable[str], question: str) -> list[Element]:
    """Elements of these names; one that ends in words of the question ("Trial") goes without them too."""
    asked, elements = set(content_words(question)), list[Element]()
    for name in names:
        words = name.split()
        while len(words) > 1 and asked.issuperset(content_words(words[-1])):
            words.pop()
        short = " ".join(words)
        elements.append(Element(name, () if short == name else (short,)))
    return elements


def shared_phrases(needles: Sequence[str], question: str, answer: str) -> list[str | None]:
    """For each needle the longest run of words that the answer has too and the question has not.

    A run holds no content word of the question and is in no other needle; the one with most content words is
    taken. None where there is no such run.
    """
    asked = set(content_words(question))
    return [
        next(
            (
                phrase
                for phrase in _shared_runs(needle, answer, asked)
                if not any(mentions(text, [phrase]) for other, text in enumerate(needles) if other != place)
            ),
            None,
        )
        for place, needle in enumerate(needles)
    ]


def _shared_runs(needle: str, answer: str, asked: set[str]) -> list[str]:
    """The maximal runs of words of a needle that are in the answer, those with the most content first."""

    def content(first: int, last: int) -> set[str]:
        return set(content_words(needle[spans[first][0] : spans[last][1]]))

    spans = [match.span() for match in re.finditer(r"\w+(?:['’-]\w+)*", needle)]
    runs, start = list[str](), 0
    while start < len(spans):
        said = content(start, start)
        if not said or said & asked:
            start += 1  # a run begins with a word that says something
            continue
        end = start
        while end < len(spans) and not content(start, end) & asked:
            if not mentions(answer, [needle[spans[start][0] : spans[end][1]]]):
                break
            end += 1
        last = end - 1
        while last >= start and not content(last, last):
            last -= 1  # and ends with one
        if last >= start:
            runs.append(needle[spans[start][0] : spans[last][1]])
        start = max(end, start + 1)
    return sorted(runs, key=lambda run: (len(content_words(run)), len(run)), reverse=True)


NEEDLE_FORMATS = {
    "u-niah": NeedleFormat(
        "U-NIAH's needle_cases.yaml",
        _u_niah,
        "as its repository says",
        "Gao et al. (2025), U-NIAH: Unified RAG and LLM Evaluation for Long Context Needle-In-A-Haystack. "
        "arXiv:2503.00353",
        _yaml_rows,
    ),
    "needlebench": NeedleFormat(
        "NeedleBench's needles.jsonl and multi_needle_reasoning JSON",
        _needlebench,
        "as its dataset's card says",
        "Li et al. (2024), NeedleBench. arXiv:2407.11963",
    ),
    "nolima": NeedleFormat(
        "NoLiMa's needle_set.json",
        _nolima,
        _NOLIMA_LICENCE,
        "Modarressi et al. (2025), NoLiMa: Long-Context Evaluation Beyond Literal Matching, ICML. "
        "arXiv:2502.05167",
    ),
}
