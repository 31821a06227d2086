"""Suites: a YAML grid of cases, or question sets, or both (docs/suites-and-questions.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, product
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from niah.cases.case import (
    AccidentRule,
    AnyHardness,
    Case,
    DistractorDepth,
    HaystackOrder,
    Length,
    Mode,
    NeedleOrder,
    SkipRule,
    check_case_count,
    id_part,
    in_key,
    parse_case_id,
)
from niah.cases.prompts import load_prompt
from niah.cases.questions.question_set import question_set_path
from niah.cases.sample import Sample
from niah.cases.samples import LeftOut, QuestionSets, attempt_cases, context_of, sample_of
from niah.errors import ConfigError, HaystackError, UnknownName, UserError
from niah.files import YAML, FileModel, check_each_once, checked_model, find, load_mapping, places
from niah.haystacks.documents import haystack_names, haystack_path, is_entries, is_shipped, load_documents
from niah.needles.entries import check_has_entries, has_entries
from niah.needles.load import load_needle_set, needle_set_names, split_name
from niah.text.tokenizer import chat_template_tokens, find_source

_Value = TypeVar("_Value", str, float)
_Item = TypeVar("_Item")


def _or_one(item: Any) -> BeforeValidator:
    """Reads one value alone as a list of one."""
    return BeforeValidator(
        lambda value: tuple(value) if isinstance(value, list) else (value,),
        json_schema_input_type=item | _Listed[item],
    )


_GRID = ("haystacks", "needle_sets", "lengths", "depths")
_OF_SINGLE_SETS = ("shortest", "longest", "exceptions")
_AXES = ("haystack_order", "distractors")
_Count = Annotated[int, Field(ge=0)]
_Listed = Annotated[tuple[_Item, ...], Field(min_length=1), AfterValidator(check_each_once)]
_Counts = Annotated[_Listed[_Count], _or_one(_Count)]
_Orders = Annotated[_Listed[HaystackOrder], _or_one(HaystackOrder)]
_SomeNames = Annotated[_Listed[str], _or_one(str)]


class ExceptionFile(FileModel):
    """What holds for one needle set in place of the suite's keys: its haystacks, its distractors."""

    haystack: _SomeNames | None = None
    distractors: _Counts | None = None
    distractor_hardness: AnyHardness | None = None
    haystack_order: _Orders | None = None


class SuiteFile(FileModel):
    """A grid, every combination of its lists being one case; or question sets; or both."""

    description: str = ""
    haystacks: _Listed[str] = ()  # names, or paths from the working folder, as are question sets
    needle_sets: _Listed[str] = ()
    lengths: _Listed[Length] = ()  # tokens; 4k are 4,096
    depths: _Listed[Annotated[float, Field(ge=0, le=100)]] = ()
    questions: _SomeNames = ()
    shortest: dict[str, Length] = Field(default={})  # from where on single needle sets are asked
    longest: dict[str, Length] = Field(default={})  # and up to where
    seeds: _Listed[_Count] = (1,)
    tokenizer: str = "cl100k"  # this and the next: see ``niah.cases.case.Case``
    mode: Mode = "auto"
    order: NeedleOrder = "listed"
    haystack_order: _Orders = ("original",)
    distractors: _Counts = (0,)
    distractor_depth: DistractorDepth = "spread"
    distractor_hardness: AnyHardness = "any"
    repeat: bool = False
    prompt: str = "u-niah"
    skip: SkipRule = "nothing"
    accidents: AccidentRule = "stop"
    reserve: _Count | Literal["template"] = 0
    exceptions: dict[str, ExceptionFile] = Field(default={})

    @model_validator(mode="after")
    def _grid_or_questions(self) -> Self:
        """All of a grid or, where there are question sets, none of it."""
        if self.questions and not self.needle_sets:
            for key in sorted(self.model_fields_set - {"description", "questions", "tokenizer", "prompt"}):
                raise ValueError(f"{key}: says something of needle sets, and there are none. Take it out.")
        elif missing := [key for key in _GRID if key not in self.model_fields_set]:
            others = "" if missing[0] in _GRID[2:] else ", or questions in place of the grid"
            raise ValueError(f"{missing[0]}: is missing. Add it{others}.")
        return self

    def every_haystack(self) -> tuple[str, ...]:
        """The suite's haystacks, then those of single needle sets."""
        of_some = (name for exception in self.exceptions.values() for name in exception.haystack or ())
        return tuple(dict.fromkeys((*self.haystacks, *of_some)))

    def lengths_of(self, needle_set: str) -> list[int]:
        """The lengths that ``shortest`` and ``longest`` leave a needle set."""
        least, most = self.shortest.get(needle_set, 0), self.longest.get(needle_set, float("inf"))
        return [length for length in self.lengths if least <= length <= most]

    def cases(self) -> Iterator[Case]:
        """The cases of the grid, in the lists' order."""
        shared = self.model_dump(include={field.name for field in fields(Case)})
        own = {name: dict(shared) for name in self.needle_sets}
        for name, exception in self.exceptions.items():
            own[name] |= exception.model_dump(exclude={"haystack"}, exclude_none=True)
        depths = [abs(depth) for depth in self.depths]  # -0 is 0
        for haystack, seed, name in product(self.every_haystack(), self.seeds, self.needle_sets):
            if self._go_together(haystack, name):
                axes = (own[name][axis] for axis in _AXES)
                for length, depth, *values in product(self.lengths_of(name), depths, *axes):
                    more = own[name] | dict(zip(_AXES, values, strict=True))
                    yield Case(name, haystack, length, depth, seed, **more)

    def _go_together(self, haystack: str, needle_set: str) -> bool:
        """Whether a needle set is asked in a haystack: an exception in its own, entries in `entries`."""
        exception = self.exceptions.get(needle_set)
        if exception and exception.haystack:
            return haystack in exception.haystack
        if haystack not in self.haystacks:
            return False
        if len(set(self.haystacks)) == 1 or not any(map(is_entries, self.haystacks)):
            return True
        return is_entries(haystack) == has_entries(needle_set)


@dataclass(frozen=True)
class Suite:
    """A suite with every name resolved: its cases in the order of its lists."""

    cases: tuple[Case, ...]
    question_sets: QuestionSets
    skip: SkipRule

    def samples(self) -> Iterator[Sample | LeftOut]:
        """The samples of its cases and questions, built one after another, or why a case has none."""
        return chain(attempt_cases(self.cases, sample_of, self.skip), self.question_sets.samples())


def suite_keys(data: Mapping[Any, Any]) -> dict[Any, Any]:
    """The keys of a run config that are its suite's; ``seeds`` are where they are a list."""
    own = {key: value for key, value in data.items() if key in SuiteFile.model_fields}
    return {key: value for key, value in own.items() if key != "seeds" or isinstance(value, list)}


def load_suite(name: str, instead: Mapping[str, Any] = MappingProxyType({})) -> Suite:
    """The suite of that name or path, with what the command line says in its place. Raises UserError.

    ``instead`` has ``haystack``, the only one, and the keys tokenizer, needle_sets, lengths, depths.
    """
    path = find("suite", name, places("cases"))
    if path.suffix in (".jsonl", ".csv"):
        remedy = f"Write a suite of one line, `questions: {name}`, and name that."
        raise UserError(f"{name} is a question set, and no suite.", remedy)
    data = load_mapping(path, SuiteFile)
    if not {"readers", "strategies"}.isdisjoint(data):
        data = suite_keys(data)
    suite = _overridden(path, checked_model(path, data, SuiteFile), instead)
    _check_names(path, suite)
    lists = (suite.every_haystack(), suite.seeds, suite.needle_sets, suite.lengths, suite.depths)
    every = (suite, *suite.exceptions.values())
    values = (max(len(getattr(one, axis) or ()) for one in every) for axis in _AXES)
    check_case_count(path, "", prod((*map(len, lists), *values)))
    suite = suite.model_copy(update={"reserve": _reserved_tokens(path, suite)})
    files = list[Path]()
    for position, question_set in enumerate(suite.questions):
        with in_key(path, f"questions.{position}"):
            files.append(question_set_path(question_set))
    _check_differ(path, "questions", list(map(str, files)), lambda file: id_part(Path(file).stem))
    questions = QuestionSets(tuple(dict.fromkeys(files)), suite.tokenizer, suite.prompt)
    return Suite(tuple(suite.cases()), questions, suite.skip)


def _overridden(path: Path, suite: SuiteFile, instead: Mapping[str, Any]) -> SuiteFile:
    """The suite as the command line wants it, without needle sets that have no length left."""
    said = {key: value for key, value in instead.items() if value is not None}
    try:
        if "tokenizer" in said:
            find_source(said["tokenizer"])
        if "haystack" in said:
            check_haystack(said["haystack"])
            own = {key: one.model_copy(update={"haystack": None}) for key, one in suite.exceptions.items()}
            said |= {"haystacks": (said.pop("haystack"),), "exceptions": own}
        for needle_set in said.get("needle_sets", ()):
            load_needle_set(needle_set, suite.seeds[0])
    except UnknownName as error:  # of the command line: no mistake of the suite's
        raise UserError(error.message, error.remedy) from None
    changed = suite.model_copy(update=said)
    if said.keys().isdisjoint(_GRID[1:]):
        return changed
    if not suite.needle_sets:
        problem = f"{path} is a suite of question sets alone, which have no needle sets, lengths or depths."
        raise UserError(problem, "Leave these out, or name a suite with needle sets.")
    left = tuple(name for name in changed.needle_sets if changed.lengths_of(name))
    if not left:
        lengths = ", ".join(map(str, changed.lengths))
        problem = f"none of the needle sets of {path} is asked at {lengths} tokens."
        raise UserError(problem, "Its keys shortest and longest say at which they are.")
    of_left = {
        key: {name: value for name, value in getattr(changed, key).items() if name in left}
        for key in _OF_SINGLE_SETS
    }
    return changed.model_copy(update={"needle_sets": left, **of_left})


def _check_names(path: Path, suite: SuiteFile) -> None:
    """Whether all that the suite names is there. Raises ConfigError or HaystackError."""
    for place, name in enumerate(suite.haystacks):
        with in_key(path, f"haystacks.{place}"):
            check_haystack(name)
    only_entries = bool(suite.haystacks) and all(map(is_entries, suite.haystacks))
    for place, name in enumerate(suite.needle_sets):
        with in_key(path, f"needle_sets.{place}"):
            load_needle_set(name, suite.seeds[0])
            if only_entries:
                check_has_entries(name)
    for key in _OF_SINGLE_SETS:
        for name in getattr(suite, key):
            with in_key(path, f"{key}.{name}"):
                if name not in suite.needle_sets:
                    raise UnknownName("needle set of this suite", name, suite.needle_sets)
                if not suite.lengths_of(name):
                    lengths = ", ".join(map(str, suite.lengths))
                    raise UserError(f"leaves {name} no length of {lengths}.", "Change the bound.")
    for name, exception in suite.exceptions.items():
        for haystack in exception.haystack or ():
            with in_key(path, f"exceptions.{name}.haystack"):
                check_haystack(haystack)
                if is_entries(haystack):
                    check_has_entries(name)
        _check_differ(path, f"exceptions.{name}.haystack", exception.haystack or (), id_part)
    with in_key(path, "tokenizer"):
        find_source(suite.tokenizer)
    with in_key(path, "prompt"):
        load_prompt(suite.prompt)
    _check_differ(path, "haystacks", suite.haystacks, id_part)
    _check_differ(path, "needle_sets", suite.needle_sets, id_part)
    _check_differ(path, "depths", suite.depths, "{:g}".format)


def check_haystack(name: str) -> None:
    """Raise UserError unless it is a name that ships, or text with a word of its own in case ids."""
    if is_shipped(name) or is_entries(name):
        return
    word = id_part(name)
    if is_entries(word) or (is_shipped(word) and not haystack_path(name).samefile(haystack_path(word))):
        problem = f"{name!r} would be {word!r} in case ids, a haystack that ships."
        raise HaystackError(problem, "Rename the folder or file.")
    load_documents(name)


def _check_differ(path: Path, key: str, values: Sequence[_Value], part: Callable[[_Value], str]) -> None:
    """Raise ConfigError for two values that are the same in case ids: a run would keep one's answers."""
    parts: dict[str, _Value] = {}
    for position, value in enumerate(values):
        other = parts.setdefault(part(value), value)
        if other != value:
            problem = f"{value!r} and {other!r} are both {part(value)!r} in ids."
            raise ConfigError(path, f"{key}.{position}", problem, "Rename one of them, or take it out.")


def _reserved_tokens(path: Path, suite: SuiteFile) -> int:
    """Tokens of each length that are kept for a reader's chat template. Raises ConfigError."""
    if suite.reserve == "template":
        tokens = chat_template_tokens(suite.tokenizer)
        if tokens is None:
            problem = f"counts the chat template of {suite.tokenizer}, and none that can be counted is known."
            remedy = "Write how many tokens it adds, or take the model's tokenizer: a .gguf, or its folder."
            raise ConfigError(path, "reserve", problem, remedy)
        return tokens
    least = min(suite.lengths, default=suite.reserve + 1)
    if suite.reserve >= least:
        problem = f"keeps {suite.reserve} tokens of a length of {least}."
        raise ConfigError(path, "reserve", problem, "Write fewer.")
    return suite.reserve


# The cases of a suite, one after another


@dataclass(frozen=True)
class OpenedCase:
    """A case, or a question over a given document; ``answer`` is "" where the text does not answer."""

    sample: Sample
    case_id: str
    question: str
    answer: str

    @property
    def context(self) -> str:
        """The text that it is about, the same byte for byte every time."""
        return context_of(self.sample).text

    @property
    def prompt(self) -> str:
        """What a model gets that reads everything: instructions, context and question."""
        return load_prompt(self.sample.prompt).render(self.context, self.question, self.sample.key.options)


def open_cases(suite: str | Path) -> Iterator[OpenedCase]:
    """The cases and questions of a suite, by name or path, built one after another. Raises UserError."""
    samples = load_suite(str(suite)).samples()  # a mistake is raised at once
    return (
        OpenedCase(each, each.sample_id, each.key.question, each.key.answer)
        for each in samples
        if not isinstance(each, LeftOut)
    )


def case_of_id(text: str) -> Case | None:
    """The case that an id spells out, its paths found from here; None for other text. Raises UserError."""
    try:
        case = parse_case_id(text)
    except UserError:
        return None

    def path_of(part: str, *, is_yaml: bool) -> str:
        near = sorted(map(str, (*Path().glob("*"), *Path().glob("*/*"))))
        found = [each for each in near if id_part(each) == part and each.endswith(YAML) == is_yaml] or [part]
        if not (is_yaml or Path(found[0]).exists()):
            unknown = UnknownName("haystack", part, haystack_names())
            unknown.remedy += " A case id holds only the last part of a path: go to the folder of your text."
            raise unknown
        if len(found) > 1:
            raise UserError(f"{part} of the case id may be {' or '.join(found)}.", "Move one away.")
        return found[0]

    if case.haystack not in haystack_names() and not is_entries(case.haystack):
        case = replace(case, haystack=path_of(case.haystack, is_yaml=False))
    if split_name(case.needle_set) is None and case.needle_set not in needle_set_names():
        case = replace(case, needle_set=path_of(case.needle_set, is_yaml=True))
    return case
