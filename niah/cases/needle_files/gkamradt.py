"""A command of LLMTest_NeedleInAHaystack as a needle set and a suite.

The file holds the command as it was typed, ``needlehaystack.run_test --needle "..." ...``, over several lines
or one. Flags that are not there have that project's defaults.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from niah.cases.needle_files.drafts import WrittenNeedleSets, write_needle_sets, write_yaml
from niah.cases.needle_files.u_niah import needle_set_draft
from niah.errors import ConfigError, UserError, did_you_mean
from niah.file_mistakes import first_mistake

_ANSWER_TOKENS = 256
_MOST_STEPS = 1000
_PIZZA = ("Figs are", "Prosciutto is", "Goat cheese is")
_LOST: Mapping[str, str] = {
    "provider": "a reader is named with --model PROVIDER/NAME",
    "model_name": "a reader is named with --model PROVIDER/NAME",
    "model_kwargs": "a reader's options stand in a run config",
    "evaluator": "answers are judged by the rubric; --judge names a model",
    "evaluator_model_name": "answers are judged by the rubric; --judge names a model",
    "results_version": "--repeats of niah run",
    "num_concurrent_requests": "--concurrency of niah run",
    "seconds_to_sleep_between_completions": "rate limits are met by themselves",
    "final_context_length_buffer": "a length counts the whole prompt here",
    "save_results": "a run file keeps all",
    "save_contexts": "niah show rebuilds a context",
    "print_ongoing_status": "progress is shown",
    "eval_set": "LangSmith's",
}


def _listed(value: object) -> object:
    """A list as jsonargparse reads one: YAML in one word."""
    return yaml.safe_load(value) if isinstance(value, str) else value


_Length = Annotated[int, Field(ge=16)]
_Depth = Annotated[float, Field(ge=0, le=100)]
_Steps = Annotated[int, Field(ge=1, le=_MOST_STEPS)]


class _Flags(BaseModel):
    """Those that say what is asked, with their defaults."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    needle: str = (
        "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day."
    )
    retrieval_question: str = "What is the best thing to do in San Francisco?"
    haystack_dir: str = "PaulGrahamEssays"
    context_lengths_min: _Length = 1000
    context_lengths_max: _Length = 16000
    context_lengths_num_intervals: _Steps = 35
    context_lengths: Annotated[list[_Length] | None, BeforeValidator(_listed)] = None
    document_depth_percent_min: _Depth = 0
    document_depth_percent_max: _Depth = 100
    document_depth_percent_intervals: _Steps = 35
    document_depth_percents: Annotated[list[_Depth] | None, BeforeValidator(_listed)] = None
    document_depth_percent_interval_type: Literal["linear", "sigmoid"] = "linear"
    multi_needle: bool = False
    needles: Annotated[list[str], BeforeValidator(_listed)] = Field(
        default_factory=lambda: [
            f"{each} one of the secret ingredients needed to build the perfect pizza." for each in _PIZZA
        ]
    )


def import_gkamradt(paths: Sequence[Path], folder: Path, called: Path) -> WrittenNeedleSets:
    """Write the needle set to ``folder`` and the suite to cases/, both under the file's name.

    Raises ConfigError about ``called``, and UserError where a file would be lost.
    """
    if len(paths) > 1:
        raise UserError("one command is imported at a time.", "Name one file.")
    (path,) = paths
    given = _given(path, called)
    try:
        flags = _Flags.model_validate(given)
    except ValidationError as error:
        mistake = first_mistake(_Flags, given, error.errors())
        raise ConfigError(called, f"--{mistake.key}", mistake.problem, mistake.remedy) from None
    needles = flags.needles if flags.multi_needle else [flags.needle]
    draft = needle_set_draft(
        path.stem, needles, flags.retrieval_question, " ".join(" ".join(needles).split()), _ANSWER_TOKENS
    )
    suite = Path("cases") / f"{draft.name}.yaml"
    if suite.exists():
        raise UserError(f"{suite} is there already.", "Rename the file with the flags, or remove it.")
    written = write_needle_sets([draft], folder)
    haystack, lost = _haystack(flags.haystack_dir)
    write_yaml(
        suite,
        {
            "description": "Imported from flags of LLMTest_NeedleInAHaystack.",
            "haystacks": [haystack],
            "needle_sets": [str(folder / f"{draft.name}.yaml")],
            "lengths": _lengths(flags),
            "depths": _depths(flags),
            "skip": "impossible",
            "accidents": "avoid",
            "repeat": True,
        },
    )
    lost += [f"--{flag}: {instead}" for flag, instead in _LOST.items() if flag in given]
    return WrittenNeedleSets(written.names, (*written.losses, f"the grid: {suite}", *lost))


def _given(path: Path, called: Path) -> dict[str, Any]:
    """The flags of the command, their dashes off."""
    try:
        words = shlex.split(path.read_text("utf-8").replace("\\\n", " "), comments=True)
    except UnicodeDecodeError:
        raise ConfigError(called, "", "is not UTF-8 text.", "Save it as UTF-8.") from None
    except ValueError as error:
        raise ConfigError(called, "", f"is no command line: {error}.", "Write it as it was typed.") from None
    known = {*_Flags.model_fields, *_LOST}
    given = dict[str, Any]()
    place = next((place for place, word in enumerate(words) if word.startswith("--")), len(words))
    while place < len(words):
        flag, joined, value = words[place].removeprefix("--").partition("=")
        if not words[place].startswith("--") or flag not in known:
            problem = f"{words[place]!r} is no flag of needlehaystack.run_test."
            raise ConfigError(called, "", problem, did_you_mean(flag, known))
        if not joined:
            place += 1
            if place == len(words):
                raise ConfigError(called, f"--{flag}", "has no value.", "Write one.")
            value = words[place]
        given[flag] = value
        place += 1
    if not given:
        problem = "holds no flags of needlehaystack.run_test."
        raise ConfigError(called, "", problem, 'Write the command, such as --needle "..." .')
    return given


def _haystack(folder: str) -> tuple[str, list[str]]:
    """The folder, where it is here; niah's own essays instead of that project's."""
    if Path(folder).is_dir():
        return folder, []
    return "essays", [f"--haystack_dir {folder}: no such folder here, so niah's essays are the haystack"]


def _lengths(flags: _Flags) -> list[int]:
    if flags.context_lengths:
        return sorted(set(flags.context_lengths))
    low, high = flags.context_lengths_min, flags.context_lengths_max
    return _unique(_even(low, high, flags.context_lengths_num_intervals))


def _depths(flags: _Flags) -> list[int]:
    """Whole per cents: evenly, or bunched at both ends by a logistic curve as that project has it."""
    if flags.document_depth_percents:
        return _unique(flags.document_depth_percents)
    from math import exp

    low, high = flags.document_depth_percent_min, flags.document_depth_percent_max
    even = _even(low, high, flags.document_depth_percent_intervals)
    if flags.document_depth_percent_interval_type == "linear":
        return _unique(even)
    return _unique(depth if depth in (0, 100) else 100 / (1 + exp(-0.1 * (depth - 50))) for depth in even)


def _even(low: float, high: float, steps: int) -> list[float]:
    """As numpy's linspace."""
    return [low] if steps == 1 else [low + (high - low) * step / (steps - 1) for step in range(steps)]


def _unique(values: Iterable[float]) -> list[int]:
    return sorted({round(value) for value in values})
