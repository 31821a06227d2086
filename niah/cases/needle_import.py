"""Needles of other projects as needle sets: U-NIAH and NoLiMa (``niah import``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from niah.cases.questions.datasets import (
    Row,
    datasets,
    local_files,
    mistakes_in,
    name_of_files,
    published_rows,
)
from niah.errors import ConfigError
from niah.files import atomic_write, check_free, checked_model, parse_yaml
from niah.needles.checks import check_needle_set, content_words
from niah.needles.load import needle_set_of
from niah.needles.needle_set import Element, ElementFinder, NeedleSet
from niah.text.mentions import mentions
from niah.text.sentences import split_sentences

Draft = tuple[str, Mapping[str, object], Sequence[str]]
"""A needle set to write: its name, its keys, and what of the original is not in it, a line each."""


def import_needles(name: str, files: Sequence[str], folder: Path) -> tuple[list[str], list[str]]:
    """Write the needle sets of published files to ``folder``, those that hold: all of them or none.

    Returns their names, and what of the original is not in them, a line each. Raises UserError.
    """
    about, rows = name_of_files(files), _yaml_rows if name == "u-niah" else published_rows
    sound, left_out, losses = dict[str, Mapping[str, object]](), list[str](), list[str]()
    for row in rows(local_files(files), about):
        with mistakes_in(row, about, NeedleSet):
            drafts = list(NEEDLE_FORMATS[name](row))
        for title, data, lost in drafts:
            file = folder / f"{title}.yaml"
            if title in sound:
                left_out.append(f"{title} is left out: another before it has its name")
                continue
            check_free(file)
            try:
                check_needle_set(file, needle_set_of(file, checked_model(file, data, NeedleSet)))
            except ConfigError as error:
                left_out.append(f"{title} is left out: {error.message.removeprefix(f'{file}: ')}")
                continue
            sound[title] = data
            losses += [f"{title}: {loss}" for loss in lost]
    if not sound:
        first = f"; {left_out[0]}" if left_out else "."
        raise ConfigError(about, "", f"gives no needle set{first}", f"Name {datasets()[name].description}.")
    import yaml

    for title, data in sound.items():
        with atomic_write(folder / f"{title}.yaml") as output:
            output.write(yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110).encode())
    return list(sound), [*left_out, *losses]


def _as_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "needles"


def _nolima(row: Row) -> Iterator[Draft]:
    """A needle set for each test and question; characters take turns, where NoLiMa draws one."""
    needle, characters, licence = row["needle"], row["character_set"], datasets()["nolima"].licence
    for number, (test, made) in enumerate(row["tests"].items()):
        character = characters[number % len(characters)]
        values = {"CHAR": character, **{str(at): each for at, each in enumerate(made["input_args"], 1)}}
        for hops, question in row["questions"].items():
            text, asked = (_filled(each, values) for each in (needle, question))
            data = {
                "description": f"NoLiMa ({licence}).",
                "kind": "latent",
                "question": asked,
                "answer": character,
                "answer_tokens": 64,
                "elements": [{"name": character}],
                "needles": [{"text": text, "elements": [character]}],
            }
            yield _as_name(f"nolima-{row['id']}-{test}-{hops}"), data, ()


def _filled(template: str, values: Mapping[str, str]) -> str:
    """The template with {CHAR}, and {1} for the first of what is given. Raises KeyError."""
    return re.sub(r"\{(CHAR|\d+)\}", lambda place: values[place[1]], template)


def _yaml_rows(paths: Sequence[Path], about: Path) -> Iterator[Row]:
    """The cases of needle_cases.yaml, each under its name."""
    for path in paths:
        data = parse_yaml(path)
        cases = data.items() if isinstance(data, Mapping) else ()
        yield from (
            Row({**each, "name": name}, name, path, 1) for name, each in cases if isinstance(each, Mapping)
        )


def _u_niah(row: Row) -> Iterator[Draft]:
    """A needle set u-niah-NAME whose elements are the names and phrases that needles and answer share.

    Its file does not say which part of the answer a needle carries: the names in both, or else the longest
    phrase that it alone shares. Long needles with names unevenly are passages, their sentences nested.
    """
    question, answer, losses = row["question"], row["true_answer"], list[str]()
    asked, names = set(content_words(question)), _names(answer, question)
    texts = [_parted(" ".join(text.split()), names) for text in row["needles"]]
    held = [[name for name in names if mentions(text, [name])] for text in texts]
    rest = re.sub("|".join(map(re.escape, names)) or "(?!)", " ", answer)
    nested = len(names) > 2 and set(content_words(rest)) <= asked
    nested = nested and any(
        len(each) != 1 and split_sentences(text)[1:] for text, each in zip(texts, held, strict=True)
    )
    found = list(dict.fromkeys(chain.from_iterable(held)))
    for place, text in enumerate(texts) if not nested else ():
        others = texts[:place] + texts[place + 1 :]
        least = 2 if split_sentences(text)[1:] else 1  # content words; one is too few of a long needle
        runs = (run for run in _shared_runs(text, answer, asked) if len(content_words(run)) >= least)
        alone = (run for run in runs if not any(mentions(other, [run]) for other in others))
        found += list(islice(alone, not held[place]))
    found.sort(key=lambda name: answer.casefold().find(name.casefold()))
    elements = [_element(name, asked) for name in found]
    carried = ElementFinder(elements)
    data: dict[str, Any] = {
        "kind": "single" if len(texts) == 1 else "multi-needle",
        "question": question,
        "answer": answer,
        "elements": [
            {"name": each.name} | ({"aliases": list(each.aliases)} if each.aliases else {})
            for each in elements
        ],
        "needles": [{"text": text, "elements": list(carried(text))} for text in texts],
    }
    if nested:
        data["passages"] = [{"id": f"passage-{place}", "text": text} for place, text in enumerate(texts, 1)]
        data["needles"] = [
            {"text": sentence, "elements": list(carried(sentence)), "inside": passage["id"]}
            for passage in data["passages"]
            for sentence in split_sentences(passage["text"])
            if carried(sentence)
        ]
        losses.append(f"its needles are passages, with {len(data['needles'])} sentences as nested needles")
    elif supporting := [place for place, each in enumerate(data["needles"], 1) if not each["elements"]]:
        losses.append(f"needles that share nothing with the answer are supporting text: {supporting}")
    if elements:
        losses.append(f"elements are guessed from the answer: {', '.join(each.name for each in elements)}")
    yield _as_name(f"u-niah-{row['name']}"), data, losses


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
    return [name for name in found if " " in name and not mentions(question.replace("'s", ""), [name])]


def _element(name: str, asked: set[str]) -> Element:
    """An element of that name; one that ends in words of the question ("Trial") goes without them too."""
    words = name.split()
    while len(words) > 1 and asked.issuperset(content_words(words[-1])):
        words.pop()
    short = " ".join(words)
    return Element(name, () if short == name else (short,))


def _shared_runs(needle: str, answer: str, asked: set[str]) -> list[str]:
    """The longest runs of a needle's words in the answer, content at both ends, none of ``asked``."""
    spans = [match.span() for match in re.finditer(r"\w+(?:['’-]\w+)*", needle)]
    content = [set(content_words(needle[start:end])) for start, end in spans]
    runs, at = list[str](), 0
    while at < len(spans):
        end = at + 1
        if content[at] and not content[at] & asked:
            last = 0
            while end <= len(spans) and mentions(answer, [needle[spans[at][0] : spans[end - 1][1]]]):
                if content[end - 1] & asked:
                    break
                last = end if content[end - 1] else last
                end += 1
            if last:
                runs.append(needle[spans[at][0] : spans[last - 1][1]])
        at = max(end - 1, at + 1)
    return sorted(runs, key=lambda run: (len(content_words(run)), len(run)), reverse=True)


NEEDLE_FORMATS = {"u-niah": _u_niah, "nolima": _nolima}
"""By name: the needle sets of a row. ``niah/cases/questions/datasets.yaml`` describes them."""
