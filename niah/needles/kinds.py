"""What each kind of needle set demands, over and above what holds for all."""

from __future__ import annotations

import re
from pathlib import Path

from niah.errors import ConfigError
from niah.needles.needle_set import Distractor, NeedleSet
from niah.needles.words import content_words
from niah.text.mentions import mentions

# "The text does not say", "nothing is said of it", "that cannot be answered from the text".
_DOES_NOT_TELL = re.compile(
    r"(?:\b(?:not|no|never|nothing|nobody|nowhere|cannot)\b|n't\b).*"
    r"\b(?:say|says|said|tell|tells|told|mention\w*|states?|stated|gives?|given|names?|named|finds?|found|answer\w*"
    r"|known?|recorded|information)\b",
    re.IGNORECASE,
)


def check_kind(path: Path, needle_set: NeedleSet) -> None:
    """Raise ConfigError if the set is not what its kind says."""
    if needle_set.kind == "unanswerable":
        _check_unanswerable(path, needle_set)
        return
    for key, there in (("needles", needle_set.needles), ("elements", needle_set.elements)):
        if not there:
            problem = f"there are none, and a set of the kind {needle_set.kind} needs some."
            raise ConfigError(path, key, problem, "Write one, or say `kind: unanswerable`.")
    if needle_set.kind != "multi-hop":
        _check_no_links(path, needle_set)
    if needle_set.kind == "single" and len(needle_set.needles) > 1:
        problem = f"is single, and there are {len(needle_set.needles)} needles."
        raise ConfigError(path, "kind", problem, "Say multi-needle, or keep one needle.")
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
    if not _DOES_NOT_TELL.search(needle_set.answer):
        problem = "does not say that the text does not tell."
        raise ConfigError(path, "answer", problem, "Write for instance: The text does not say who it was.")


def _check_no_links(path: Path, needle_set: NeedleSet) -> None:
    for position, needle in enumerate(needle_set.needles):
        if not needle.elements:
            raise ConfigError(
                path,
                f"needles.{position}.elements",
                "carries no element; only a link of a multi-hop chain may.",
                "List what it carries, or say `kind: multi-hop`.",
            )


def _check_latent(path: Path, needle_set: NeedleSet) -> None:
    asked = content_words(needle_set.question)
    for position, needle in enumerate(needle_set.needles):
        said = content_words(needle.text)
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
    asked = [element.key for element in needle_set.elements]
    if not any(_is_rival(item) and not mentions(item.text, asked) for item in needle_set.distractors):
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
