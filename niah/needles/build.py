"""From a needle set's file to its value: defaults filled in, derived distractors written out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from niah.errors import ConfigError
from niah.needles.needle_set import Distractor, Element, Needle, NeedleSet, Passage, QuestionKind
from niah.needles.schema import DistractorFile, ElementFile, NeedleSetFile
from niah.text.mentions import mention_pattern


def needle_set_of(path: Path, file: NeedleSetFile) -> NeedleSet:
    """The needle set that ``file`` describes, not checked yet. Raises ConfigError for a bad `from`."""
    texts = {needle.id: needle.text for needle in file.needles}
    planted = (*file.traps, *(element for passage in file.passages for element in passage.elements))
    return NeedleSet(
        name=path.stem,
        question=" ".join(file.question.split()),
        answer=" ".join(file.answer.split()),
        elements=tuple(Element(e.name, e.aliases, " ".join(e.key.split())) for e in file.elements),
        needles=tuple(Needle(n.id, n.text, n.elements, n.inside) for n in file.needles),
        distractors=tuple(
            _distractor(path, position, distractor, texts)
            for position, distractor in enumerate(file.distractors)
        ),
        answer_tokens=file.answer_tokens,
        kind=file.kind or _default_kind(file),
        passages=tuple(Passage(passage.id, passage.text) for passage in file.passages),
        traps=_elements(planted),
    )


def _default_kind(file: NeedleSetFile) -> QuestionKind:
    return "single" if len(file.needles) == 1 else "multi-needle"


def _distractor(path: Path, position: int, file: DistractorFile, needles: dict[str, str]) -> Distractor:
    elements = _elements(file.elements)
    if file.text is not None:
        return Distractor(file.id, file.text, elements, file.hardness or "medium")
    where = f"distractors.{position}"
    if file.from_ not in needles:
        problem = f"no needle is called {file.from_!r}."
        raise ConfigError(path, f"{where}.from", problem, f"Needles: {', '.join(needles)}.")
    text = changed(needles[file.from_], file.change)
    for phrase in file.change:
        if not mention_pattern([phrase]).search(needles[file.from_]):
            problem = f"{phrase!r} does not occur in the needle {file.from_!r}."
            raise ConfigError(path, f"{where}.change", problem, "Copy the phrase from the needle.")
    return Distractor(file.id, text, elements, file.hardness or "hard")


def changed(text: str, change: dict[str, str]) -> str:
    """``text`` with each phrase replaced by another, wherever it stands as whole words, in any case.

    All phrases are replaced at once, so what one puts in is never taken out by the next.
    """
    if not change:
        return text
    replacements = {_folded(phrase): new for phrase, new in change.items()}
    return mention_pattern(change).sub(lambda match: replacements[_folded(match[0])], text)


def _folded(phrase: str) -> str:
    return " ".join(phrase.replace("-", " ").replace("_", " ").casefold().split())


def _elements(files: Iterable[ElementFile]) -> tuple[Element, ...]:
    return tuple(Element(file.name, file.aliases) for file in files)
