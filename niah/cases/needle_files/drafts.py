"""Needle sets made from somebody else's file: all that hold are written, or nothing is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.errors import ConfigError, UserError
from niah.files import atomic_write, checked_model
from niah.needles.checks import check_needle_set
from niah.needles.load import needle_set_of
from niah.needles.schema import NeedleSetFile
from niah.paths import shipped


@dataclass(frozen=True)
class NeedleSetDraft:
    """One needle set: its name, what its file is to hold, and what of the original is not in it."""

    name: str
    data: Mapping[str, object]
    losses: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrittenNeedleSets:
    """What came of a file.

    Attributes:
        names: of the sets written.
        losses: what of the original is not in them, a line each.
    """

    names: tuple[str, ...]
    losses: tuple[str, ...]


def write_needle_sets(drafts: Sequence[NeedleSetDraft], folder: Path) -> WrittenNeedleSets:
    """Write each draft as ``folder``/NAME.yaml. All are checked before the first is written.

    Raises ConfigError where one is not what a needle set must be, UserError where a file would be lost.
    """
    for draft in drafts:
        _check_draft(draft, folder)
    return _write(drafts, folder, ())


def write_those_that_hold(drafts: Iterable[NeedleSetDraft], folder: Path, called: Path) -> WrittenNeedleSets:
    """As ``write_needle_sets``, but a draft that is no needle set becomes a loss.

    Raises ConfigError, about ``called``, where none holds; UserError where a file would be lost.
    """
    held, losses = list[NeedleSetDraft](), list[str]()
    for draft in drafts:
        try:
            _check_draft(draft, folder)
        except ConfigError as error:
            said = error.message.removeprefix(f"{folder / draft.name}.yaml: ")
            losses.append(f"{draft.name} is left out: {said}")
        else:
            held.append(draft)
    if not held:
        first = losses[0] if losses else "it holds none."
        raise ConfigError(called, "", f"gives no needle set that holds; {first}", "Name another file.")
    return _write(held, folder, losses)


def _check_draft(draft: NeedleSetDraft, folder: Path) -> None:
    file = folder / f"{draft.name}.yaml"
    if file.exists():
        raise UserError(f"{file} is there already.", "Name another folder with --out, or remove it.")
    ours = [shipped("needles") / file.name, shipped("needles") / "families" / file.name]
    if folder == Path("needles") and any(each.is_file() for each in ours):
        problem = f"{file} would hide the set {draft.name} that ships with niah."
        raise UserError(problem, "Rename the file that is imported, or name another folder with --out.")
    check_needle_set(file, needle_set_of(file, checked_model(file, draft.data, NeedleSetFile)))


def _write(drafts: Sequence[NeedleSetDraft], folder: Path, left_out: Iterable[str]) -> WrittenNeedleSets:
    for draft in drafts:
        write_yaml(folder / f"{draft.name}.yaml", draft.data)
    losses = [f"{draft.name}: {loss}" for draft in drafts for loss in draft.losses]
    return WrittenNeedleSets(tuple(draft.name for draft in drafts), (*left_out, *losses))


def write_yaml(path: Path, data: Mapping[str, object]) -> None:
    """Write a file of niah's in the order of its keys."""
    import yaml

    with atomic_write(path) as written:
        written.write(yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False, width=110).encode())
