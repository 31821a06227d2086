"""Needle sets by name: written in YAML, or drawn from a family.

Families are imported where a name asks for one: cases of written sets start without them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from niah.errors import ConfigError, NeedleError, UnknownName
from niah.files import find, is_yaml_name, load_yaml, unknown_file, yaml_names
from niah.needles.checks import check_needle_set
from niah.needles.needle_set import (
    Distractor,
    Element,
    Needle,
    NeedleSet,
    Passage,
)
from niah.needles.options import question_with_options
from niah.needles.schema import DistractorFile, ElementFile, NeedleFile, NeedleSetFile
from niah.paths import places
from niah.text.mentions import mention_spans, mentions


def needle_set_of(path: Path, file: NeedleSetFile) -> NeedleSet:
    """The needle set that ``file`` describes, not checked yet. Raises ConfigError for a bad `from`."""
    elements = tuple(Element(e.name, e.aliases, " ".join(e.key.split()), e.derived) for e in file.elements)
    if not elements and len(file.needles) == 1 and file.needles[0].elements is None:
        elements = (Element(" ".join(file.answer.split()).removesuffix(".")),)
    needles = tuple(_needle(place, needle, elements) for place, needle in enumerate(file.needles, 1))
    texts = {needle.id: needle.text for needle in needles}
    planted = (*file.traps, *(element for passage in file.passages for element in passage.elements))
    return NeedleSet(
        name=path.stem,
        question=question_with_options(" ".join(file.question.split()), file.options, letters=file.letters),
        answer=" ".join(file.answer.split()),
        elements=elements,
        needles=needles,
        distractors=tuple(
            _distractor(path, position, distractor, texts)
            for position, distractor in enumerate(file.distractors)
        ),
        answer_tokens=file.answer_tokens,
        kind=file.kind or ("single" if sum(bool(n.elements) for n in needles) == 1 else "multi-needle"),
        passages=tuple(Passage(passage.id, passage.text) for passage in file.passages),
        traps=_elements(planted),
        ordered=file.ordered,
        options=file.options,
    )


def _needle(place: int, file: NeedleFile, elements: Sequence[Element]) -> Needle:
    """Without an id it is called after its place; without elements it carries those that it mentions."""
    names = file.elements
    if names is None:
        names = tuple(each.name for each in elements if mentions(file.text, each.names))
    return Needle(file.id or f"needle-{place}", file.text, names, file.inside)


def _distractor(path: Path, position: int, file: DistractorFile, needles: dict[str, str]) -> Distractor:
    elements = _elements(file.elements)
    if file.text is not None:
        return Distractor(file.id, file.text, elements, file.hardness or "medium")
    where = f"distractors.{position}"
    if file.from_ not in needles:
        problem = f"no needle is called {file.from_!r}."
        raise ConfigError(path, f"{where}.from", problem, f"Needles: {', '.join(needles)}.")
    text = replace_phrases(needles[file.from_], file.change)
    for phrase in file.change:
        if not mentions(needles[file.from_], [phrase]):
            problem = f"{phrase!r} does not occur in the needle {file.from_!r}."
            raise ConfigError(path, f"{where}.change", problem, "Copy the phrase from the needle.")
    return Distractor(file.id, text, elements, file.hardness or "hard")


def replace_phrases(text: str, change: dict[str, str]) -> str:
    """``text`` with each phrase replaced by another, wherever it stands as whole words, in any case.

    All phrases are replaced at once, so what one puts in is never taken out by the next.
    """
    if not change:
        return text
    replacements = {_folded(phrase): new for phrase, new in change.items()}
    pieces, last = list[str](), 0
    for start, end in mention_spans(text, change):
        pieces += [text[last:start], replacements[_folded(text[start:end])]]
        last = end
    return "".join([*pieces, text[last:]])


def _folded(phrase: str) -> str:
    composed = unicodedata.normalize("NFC", phrase)
    return " ".join(composed.replace("-", " ").replace("_", " ").casefold().split())


def _elements(files: Iterable[ElementFile]) -> tuple[Element, ...]:
    return tuple(Element(file.name, file.aliases) for file in files)


_SIZED = re.compile(r"(?P<family>.+)@(?P<k>[^@/]*)")


def needle_folders() -> list[Path]:
    """Where needle sets are looked for: the working folder's ``needles/``, then what ships."""
    return places("needles")


def needle_set_names() -> list[str]:
    """The written needle sets that a bare name can mean. For families see ``family_names``."""
    return yaml_names(needle_folders())


@lru_cache(maxsize=256)
def load_needle_set(name: str, seed: int) -> NeedleSet:
    """The needle set of that name or path; one of a family ("starlight-short@12") as ``seed`` draws it.

    Raises UnknownName, ConfigError, or NeedleError for a family without a size that it can have.
    """
    sized = split_name(name)
    if sized is None:
        path = find_needle_set(name)
        needle_set = needle_set_of(path, load_yaml(path, NeedleSetFile))
    else:
        from niah.needles.families.draw import draw_needle_set

        path, needle_set = draw_needle_set(*sized, seed)
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
    if Path(name).is_file() and is_family(name):
        raise _unsized(name)
    try:
        return find("needle set", name, needle_folders())
    except UnknownName:
        if is_family(name):
            raise _unsized(name) from None
        raise unknown_file("needle set", name, _all_names("K")) from None


def is_family(name: str) -> bool:
    """Whether ``name`` is a family's, or the path of a file in a folder called ``families``."""
    from niah.needles.families.load import family_folders

    path = Path(name)
    return is_yaml_name(name, family_folders()) or (path.parent.name == "families" and path.is_file())


def split_name(name: str) -> tuple[str, int] | None:
    """Family and size of "starlight-short@12"; None for the name or path of a written set.

    Raises UnknownName for a family that is not there, NeedleError for a size that no family has.
    """
    match = _SIZED.fullmatch(name)
    if match is None or Path(name).is_file():
        return None
    from niah.needles.families.schema import MOST

    family, k = match["family"], match["k"]
    if not is_family(family):
        if Path(family).is_file():
            problem = f"{family} is in no folder called families, and only files there are families."
            raise NeedleError(problem, f"Move it to needles/families/, and say {Path(family).stem}@{k}.")
        raise UnknownName("needle set", name, _all_names(k))
    if not (k.isascii() and k.isdigit() and 1 <= int(k) <= MOST):
        raise NeedleError(
            f"{name!r}: after @ stands a number of needles from 1 to {MOST:,}.",
            f"Say for instance {family}@7.",
        )
    return family, int(k)


def _unsized(name: str) -> NeedleError:
    return NeedleError(
        f"{name!r} is a family of needle sets; how many needles?", f"Say for instance {name}@7."
    )


def _all_names(size: str) -> list[str]:
    from niah.needles.families.load import family_names

    return needle_set_names() + [f"{family}@{size}" for family in family_names()]
