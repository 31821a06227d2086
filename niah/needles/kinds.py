"""What each kind of needle set demands, over and above what holds for all."""

from __future__ import annotations

import re
from pathlib import Path

from niah.errors import ConfigError
from niah.needles.element_finder import ElementFinder
from niah.needles.needle_set import Distractor, Element, NeedleSet

_WORD = re.compile(r"[^\W\d_]+|\d+")
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly", "er", "ers")
_SHORTEST = 3


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP_WORDS = _listed(
    "a about above after again against all along also although am among an and another any anybody anyone"
    " anything are around as at away back be became because been before being below between both but by"
    " came can could did do does doing done down during each either else ever every everybody everyone"
    " everything few first for from get goes going got had has have having he her here hers herself him"
    " himself his how however i if in indeed instead into is it its itself just keep last later least less"
    " let like made make many may me might mine more most much must my myself near neither never next no"
    " nobody none nor not nothing now of off often on once one only onto or other others our ours out over"
    " own per perhaps put quite rather said same say says see seen several shall she should since so some"
    " somebody someone something still such take than that the their theirs them themselves then there"
    " these they thing things this those though through till to together too took toward towards two under"
    " until up upon us very was way we well went were what whatever when where whether which while who"
    " whoever whom whose why will with within without would yet you your yours"
)


def content_words(text: str) -> dict[str, str]:
    """The stems of the words that carry meaning, each with the word as it stands in ``text``.

    Possessives and common endings are cut off, so that "painters" and "painter's" are one; stop words and
    words of under three letters are left out.
    """
    words = (word for word in _WORD.findall(text) if len(word) >= _SHORTEST)
    return {stem(word): word for word in words if word.casefold() not in _STOP_WORDS}


def stem(word: str) -> str:
    """``word`` without its commonest endings: "baked", "bakes" and "baking" are all "bak"."""
    bare = word.casefold()
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if bare.endswith(suffix) and len(bare) - len(suffix) >= _SHORTEST:
            bare = bare[: -len(suffix)]
            break
    return bare[:-1] if len(bare) > _SHORTEST and bare[-1] in "ey" else bare


def check_kind(path: Path, needle_set: NeedleSet) -> None:
    """Raise ConfigError if the set is not what its kind says."""
    if needle_set.kind == "unanswerable":
        _check_unanswerable(path, needle_set)
        return
    for key, there in (("needles", needle_set.needles), ("elements", needle_set.elements)):
        if not there:
            problem = f"there are none, and a set of the kind {needle_set.kind} needs some."
            raise ConfigError(path, key, problem, "Write one, or say `kind: unanswerable`.")
    carriers = sum(bool(needle.elements) for needle in needle_set.needles)
    if needle_set.kind == "single" and carriers > 1:
        problem = f"is single, and {carriers} needles carry elements."
        raise ConfigError(path, "kind", problem, "Say multi-needle, or let one needle carry the answer.")
    if needle_set.kind == "latent":
        _check_latent(path, needle_set)
    elif needle_set.kind == "multi-query":
        _check_multi_query(path, needle_set)
    elif needle_set.kind in ("multi-key", "conflicting"):
        _check_rivals(path, needle_set)


def _check_unanswerable(path: Path, needle_set: NeedleSet) -> None:
    for key, there in (
        ("needles", needle_set.needles),
        ("elements", needle_set.elements),
        ("passages", needle_set.passages),
    ):
        if there:
            problem = "the kind is unanswerable, so there can be none."
            raise ConfigError(path, key, problem, "Take them out, or choose another kind.")
    if not needle_set.distractors:
        problem = "an unanswerable set needs at least one, or nothing tempts a reader to answer."
        raise ConfigError(path, "distractors", problem, "Write one that is near the question.")


def _check_latent(path: Path, needle_set: NeedleSet) -> None:
    asked = content_words(needle_set.question)
    for position, needle in enumerate(needle_set.needles):
        said = content_words(needle.text) if needle.elements else {}
        for stem, word in said.items():
            if stem in asked:
                raise ConfigError(
                    path,
                    f"needles.{position}.text",
                    f"shares {word!r} with the question ({asked[stem]!r}); the kind is latent.",
                    "Reword one of the two, so that no content word is in both.",
                )


def _check_multi_query(path: Path, needle_set: NeedleSet) -> None:
    for position, element in enumerate(needle_set.elements):
        if not element.key:
            problem = "is missing; a multi-query set asks for its elements by key."
            raise ConfigError(path, f"elements.{position}.key", problem, "Add it, as the question writes it.")
    asked = ElementFinder(Element(element.key) for element in needle_set.elements)
    if not any(_is_rival(item) and not asked(item.text) for item in needle_set.distractors):
        problem = "none is about a key that nobody asked for."
        remedy = "Add one that is, and list its value under its elements."
        raise ConfigError(path, "distractors", problem, remedy)


def _check_rivals(path: Path, needle_set: NeedleSet) -> None:
    if not any(map(_is_rival, needle_set.distractors)):
        what = "the older statement" if needle_set.kind == "conflicting" else "another key's value"
        problem = f"none carries an element, and a {needle_set.kind} set needs {what}."
        raise ConfigError(path, "distractors", problem, "Add it, and list the value under its elements.")


def _is_rival(distractor: Distractor) -> bool:
    return bool(distractor.elements)
