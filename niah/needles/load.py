"""Needle sets by name: written in YAML, drawn from a family, or made of a command line's facts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from niah.errors import ConfigError, NeedleError, UnknownName, UserError, did_you_mean
from niah.files import atomic_write, cache_folder, checked_model, find, load_yaml, locate, places, yaml_names
from niah.haystacks.structure import FileState, state_of
from niah.needles.checks import check_needle_set
from niah.needles.needle_set import (
    Distractor,
    Element,
    ElementFinder,
    Needle,
    NeedleSet,
    question_with_options,
)
from niah.text.mentions import mention_spans, mentions

_SIZED = re.compile(r"(?P<family>.+)@(?P<k>[^@/]*)")


def own_facts_folder() -> Path:
    """Where the facts of a command line (``niah run --needle``) are, in the user's cache."""
    return cache_folder() / "needles"


def needle_set_names() -> list[str]:
    """The written needle sets that a bare name can mean. For families see ``family_names``."""
    return yaml_names(places("needles"))


def load_needle_set(name: str, seed: int) -> NeedleSet:
    """The needle set of that name or path; one of a family as ``seed`` draws it. Raises UserError."""
    sized = split_name(name)
    if sized is None:
        path = find_needle_set(name)
        return _written(path, state_of(path))
    from niah.needles.families.draw import draw_needle_set

    return draw_needle_set(*sized, seed)


@lru_cache(maxsize=256)
def _written(path: Path, state: FileState) -> NeedleSet:
    needle_set = needle_set_of(path, load_yaml(path, NeedleSet))
    check_needle_set(path, needle_set)
    return needle_set


def every_needle_set(seed: int) -> list[NeedleSet]:
    """Every written needle set, and of each family the one of seven needles, or of as many as it can have."""
    from niah.needles.families.load import family_names, load_family

    sizes = {family: min(7, load_family(family)[1].most) for family in family_names()}
    names = needle_set_names() + [f"{family}@{k}" for family, k in sizes.items()]
    return [load_needle_set(name, seed) for name in names]


def find_needle_set(name: str) -> Path:
    """The file of a written needle set. Raises UnknownName, or NeedleError for a family without its size."""
    if not (Path(name).is_file() and is_family(name)):
        if found := locate(name, places("needles")):
            return found
        try:
            return find("needle set", name, [*places("needles"), own_facts_folder()])
        except UnknownName as error:
            if not is_family(name):
                if error.message.startswith("no "):  # of a path a list of names helps little
                    error.remedy = did_you_mean(name, _all_names("K"))
                raise
    problem = f"{name!r} is a family of needle sets; how many needles?"
    raise NeedleError(problem, f"Say for instance {name}@7.")


def is_family(name: str) -> bool:
    """Whether ``name`` is a family's, or the path of a file in a folder called ``families``."""
    from niah.needles.families.load import find_family

    try:
        path, _ = find_family(name)
    except UnknownName:
        return False
    return Path(name) != path or path.parent.name == "families"


def split_name(name: str) -> tuple[str, int] | None:
    """Family and size of "starlight-short@12"; None for a written set. Raises UnknownName or NeedleError."""
    match = _SIZED.fullmatch(name)
    if match is None or Path(name).is_file():
        return None
    family, k = match["family"], match["k"]
    if not is_family(family):
        if Path(family).is_file():
            raise NeedleError(f"{family} is no family.", "Move it to needles/families/.")
        raise UnknownName("needle set", name, _all_names(k))
    if not re.fullmatch("[0-9]{1,9}", k):
        raise NeedleError(f"{name!r}: after @ stands a number of needles.", f"Say for instance {family}@7.")
    return family, int(k)


def _all_names(size: str) -> list[str]:
    from niah.needles.families.load import family_names

    return needle_set_names() + [f"{family}@{size}" for family in family_names()]


def needle_set_of(path: Path, file: NeedleSet) -> NeedleSet:
    """What the file at ``path`` holds, its defaults filled in. Raises ConfigError for a bad `from`."""
    elements, written = file.elements, file.needles
    if not elements and len(written) == 1 and "elements" not in written[0].model_fields_set:
        elements = (Element(file.answer.removesuffix(".")),)
    found = ElementFinder(elements)
    carried = [each.elements if "elements" in each.model_fields_set else found(each.text) for each in written]
    needles = tuple(
        Needle(each.id or f"needle-{number}", each.text, names, each.inside)
        for number, (each, names) in enumerate(zip(written, carried, strict=True), 1)
    )
    texts = {needle.id: needle.text for needle in needles}
    distractors, mistakes = list[Distractor](), list[ConfigError]()
    for place, each in enumerate(file.distractors):
        try:
            distractors.append(_made(path, place, each, texts))
        except ConfigError as error:
            mistakes.append(error)
    if mistakes:
        raise ConfigError.of_all(mistakes)
    usual = "single" if sum(map(bool, carried)) == 1 else "multi-needle"
    known = {
        "question": question_with_options(file.question, file.options),
        "kind": file.kind if "kind" in file.model_fields_set else usual,
        "elements": elements,
        "needles": needles,
        "distractors": tuple(distractors),
        "traps": (*file.traps, *(element for passage in file.passages for element in passage.elements)),
    }
    return file.model_copy(update=known).named(path.stem)


def _made(path: Path, place: int, file: Distractor, needles: dict[str, str]) -> Distractor:
    """A distractor; its text is made where it is written as a change of a needle."""
    where = f"distractors.{place}"
    if bool(file.text) == bool(file.from_) or bool(file.from_) != bool(file.change):
        problem = "needs either a text or a needle."
        raise ConfigError(path, where, problem, "Give `text`, or `from` and `change`.")
    if not file.from_:
        return Distractor(file.id, file.text, file.elements, file.hardness)
    text = needles.get(file.from_)
    if text is None:
        problem = f"no needle is called {file.from_!r}."
        raise ConfigError(path, f"{where}.from", problem, f"Needles: {', '.join(needles)}.")
    for phrase in file.change:
        if not mentions(text, [phrase]):
            problem = f"{phrase!r} does not occur in the needle {file.from_!r}."
            raise ConfigError(path, f"{where}.change", problem, "Copy it from the needle.")
    hardness = file.hardness if "hardness" in file.model_fields_set else "hard"
    # Each phrase is replaced by another, all at once, wherever it is whole words, in any case.
    made, last = "", 0
    for start, end in mention_spans(text, file.change):
        said, whole = text[start:end], [(0, end - start)]
        new = next(new for phrase, new in file.change.items() if mention_spans(said, [phrase]) == whole)
        made += text[last:start] + new
        last = end
    return Distractor(file.id, made + text[last:], file.elements, hardness)


def write_own_facts(
    folder: Path,
    needles: Sequence[str],
    question: str,
    expected: Sequence[str],
    label: Callable[[str], str] = str,
) -> Path:
    """The file in ``folder`` with the needle set of these facts, written if not there. Raises UserError."""
    import yaml

    for name, texts in (("needle", needles), ("question", [question]), ("expect", expected)):
        if not texts or not all(text.strip() for text in texts):
            together = f"{label('needle')}, {label('question')} and {label('expect')} go together."
            raise UserError(f"{label(name)} is missing.", together)
    for answer in expected:
        if not any(mentions(needle, [answer]) for needle in needles):
            problem = f"{label('expect')}: no needle holds the expected answer {answer!r}."
            raise UserError(problem, "Expect a word or number as the needle has it.")
    data = {
        "question": question,
        "answer": ", ".join(expected),
        "elements": [{"name": answer} for answer in dict.fromkeys(expected)],
        "needles": [{"text": needle} for needle in needles],
    }
    digest = hashlib.sha256("\n".join([*needles, question, *expected]).encode()).hexdigest()[:6]
    words = re.findall(r"[a-z0-9]+", question.lower())[:5] or ["needle"]
    path = folder / f"{'-'.join([*words, digest])}.yaml"
    check_needle_set(path, needle_set_of(path, checked_model(path, data, NeedleSet)))
    if not path.is_file():
        text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
        with atomic_write(path) as file:
            file.write(f"# A needle set. niah check {path} says whether it holds.\n{text}".encode())
    return path
