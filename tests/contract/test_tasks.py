"""RULER, BABILong, Hash-Hop, MRCR, GraphWalks and ledgers, solved by parsers that see the prompt alone."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.contract.conftest import run_niah
from tests.recount import Tokens, generate, places

Solver = Callable[[str, str], list[str]]


def magic(text: str, question: str) -> list[str]:
    """The values of all keys that the question names."""
    pairs = re.findall(r"The magic (?:number|UUID) of ([\w-]+) is: ([\w-]+)\.", text)
    return [value for key, value in pairs if re.search(rf"(?<![\w-]){key}(?![\w-])", question)]


def variables(text: str, question: str) -> list[str]:
    """Every variable that comes to the number asked for."""
    assigned = dict(re.findall(r"VAR (\w+) = (?:VAR )?(\w+)", text))
    asked = re.findall(r"\d+", question)[0]
    found = {asked}
    while more := {name for name, value in assigned.items() if value in found} - found:
        found |= more
    return sorted(found - {asked})


def commonest(text: str, question: str) -> list[str]:
    """The three or ten words that come most often in the list asked for."""
    ordinal = re.findall(r"the (\w+) list", question)[0].capitalize()
    rows = re.findall(rf"{ordinal} list, line \d+: (.+?)\.", text)
    ranked = Counter(word for row in rows for word in re.split(r", | and ", row)).most_common()
    number = 10 if "ten" in question.split() else 3
    assert ranked[number - 1][1] > ranked[number][1], "no clear answer"
    return [word for word, _ in ranked[:number]]


def first_document(text: str, question: str) -> list[str]:
    """What the cabinet asked about gained in the year asked about."""
    academy, year = re.findall(r"collector of (.+) bring home .* journey of (\d+)", question)[0]
    patterns = (
        rf"cabinet of {academy} from this journey of {year} was the (.+?), which",
        rf"in {year} the cabinet of {academy} gained the (.+?) by my hands",
        rf"The ([^.]+?), bought in [^.]+? has stood in the cabinet of {academy} since {year}",
        rf"It was the (.+?) that I carried home to the cabinet of {academy} in {year}",
    )
    return [found for pattern in patterns for found in re.findall(pattern, text)]


def second_document(text: str, question: str) -> list[str]:
    """What the companion of whom the question names brought home."""
    name, year = re.findall(r"travelled with (.+) in (\d+), and", question)[0]
    links = (
        rf"For the journey of {year} {name} had engaged a companion, (.+?), of whom",
        rf"In {year} {name} set out from .+? as the pupil of (.+?), and carried",
        rf"The travelling papers of {name} for {year} are signed by (.+?), who went",
    )
    (companion,) = [found for link in links for found in re.findall(link, text)]
    ends = (
        rf"What {companion} brought home from the journey of {year} was the (.+?), packed",
        rf"In {year} the customs house of [^.]+? let {companion} pass with the (.+?), after",
        rf"everything that {companion} saw in {year}, only the (.+?) could be carried",
    )
    return [found for end in ends for found in re.findall(end, text)]


def hops(text: str, question: str) -> list[str]:
    """The string at the end of the hops, or all of them in order."""
    edges = dict(re.findall(r"(\w{16}) -> (\w{16})", text))
    at = re.findall(r"Start from (\w{16})", question)[0]
    number = int(re.findall(r"(\d+) in all", question)[0])
    way = [at := edges[at] for _ in range(number)]
    return way if "in order" in question else way[-1:]


def walks(text: str, question: str) -> list[str]:
    """The nodes at the depth asked for, or the parents of a node."""
    edges = re.findall(r"(\w{10}) -> (\w{10})", text)
    start = re.findall(r"[0-9a-f]{10}", question)[0]
    if "have an edge to" in question:
        return sorted({left for left, right in edges if right == start})
    seen = level = {start}
    for _ in range(int(re.findall(r"at depth (\d+)", question)[0])):
        level = {right for left, right in edges if left in level} - seen
        seen = seen | level
    return sorted(level)


def reply(text: str, question: str) -> list[str]:
    """The reply to be repeated, behind its code."""
    pattern = r"the (\d+)\w\w ([a-z ]+?) about (.+), counted.* Begin with (\w{10}) "
    number, form, topic, code = re.findall(pattern, question)[0]
    asked = f"{form} {'inspired by' if form == 'recipe' else 'about'} {topic}"
    said = re.findall(rf"^User: Write a short {asked}\. Assistant: (.+)$", text, re.MULTILINE)
    return [f"{code} {said[int(number) - 1]}"]


def story(text: str, question: str) -> list[str]:
    """Where a person or a thing is, or was before."""
    who, place = r"(?:^|(?<=\s))(\w[\w'’-]*)", r"([a-z]+(?: room)?)"
    event = re.compile(
        rf"{who} (?:went to|walked over to|made for) the {place}(?: and stayed there)?\."
        rf"|{who} picked up the ([^.]+?) there\.|There {who} took the ([^.]+?)\."
        rf"|{who} put down the ([^.]+?)\.|{who} left the ([^.]+?) where it was\.",
        re.MULTILINE,
    )
    at: dict[str, str] = {}
    carried: dict[str, set[str]] = defaultdict(set)
    been: dict[str, list[str]] = defaultdict(list)
    for found in event.finditer(text):
        goer, to, *handled = found.groups()
        if goer:
            at[goer] = to
            for thing in carried[goer]:
                been[thing].append(to)
        else:
            person, thing = [part for part in handled if part]
            if found[0].endswith(("there.", f"took the {thing}.")):
                carried[person].add(thing)
                been[thing] += [at[person]] if person in at else []
            else:
                carried[person].discard(thing)
    if asked := re.search(r"Where was the (.+) right before it was in the (.+)\?", question):
        moves = [(before, after) for before, after in pairwise(been[asked[1]]) if before != after]
        return [before for before, after in moves if after == asked[2]][-1:]
    name = re.findall(r"Where is (?:the )?(.+) now", question)[0]
    return [been[name][-1] if name in been else at[name]]


def ledger(text: str, question: str) -> list[str]:
    """Entries for goods counted, or pence summed by buyer."""
    shop = re.findall(r"the \w+ shop", question)[0]
    own = re.findall(rf"^\S+, {shop}: (.+?), ([a-z ]+), (\d+) pence", text, re.MULTILINE)
    if asked := re.search(r" are for (.+)\? Answer", question):
        return [str(sum(goods == asked[1] for _, goods, _ in own))]
    buyers = {buyer for buyer, _, _ in own if buyer in question}
    return [str(sum(int(pence) for who, _, pence in own if who == buyer)) for buyer in buyers]


TASKS: dict[Solver, list[tuple[str, str, int]]] = {
    magic: [
        *((f"ruler-niah-single-{n}@1", "essays" if n > 1 else "noise", 800) for n in (1, 2, 3)),
        ("ruler-niah-multikey-1@4", "essays", 1000),
        ("ruler-niah-multikey-2@1", "entries", 1000),
        ("ruler-niah-multikey-3@1", "entries", 4000),
        ("ruler-niah-multivalue@4", "essays", 1000),
        ("ruler-niah-multiquery@4", "essays", 1000),
    ],
    variables: [("ruler-vt@4", "noise", 1000)],
    commonest: [("ruler-cwe@15", "entries", 5000), ("ruler-fwe@16", "entries", 3000)],
    first_document: [("ruler-qa-1@1", "starlight", 2000)],
    second_document: [("ruler-qa-2@1", "starlight", 3000)],
    hops: [("hash-hop@3", "entries", 1500), ("hash-hop-steps@3", "entries", 1500)],
    walks: [("graph-frontier@2", "entries", 2000), ("graph-parents@3", "entries", 2000)],
    reply: [("recall@2", "entries", 2000), ("recall@4", "entries", 2000)],
    story: [(f"babilong-qa{n}@{4 * n + 4}", "essays", 1800) for n in (1, 2, 3)],
    ledger: [("ledger-count@8", "entries", 2000), ("ledger-sums@8", "entries", 2000)],
}


@pytest.mark.parametrize("solve", TASKS, ids=lambda solve: solve.__name__)
def test_a_parser_finds_the_answer_in_the_context_alone(tmp_path: Path, solve: Solver) -> None:
    order = "listed" if solve in (story, reply) else "shuffled"
    for name, haystack, length in TASKS[solve]:
        grid = {"haystacks": [haystack], "needle_sets": [name], "lengths": [length], "depths": [10]}
        rows = generate(tmp_path, grid | {"seeds": [1, 2], "order": order, "accidents": "avoid"})
        assert rows[0]["question"] != rows[1]["question"]
        for row in rows:
            found, stored = solve(row["context"], row["question"]), [each["name"] for each in row["elements"]]
            if solve is reply:
                assert found == [row["answer"]]
            else:
                assert found == stored if "steps" in name else sorted(found) == sorted(stored)
            assert len(Tokens("cl100k", row["input"])) == length
            assert all(at == asked for at, asked in places(row))


def test_what_the_text_does_not_tell_has_near_misses_and_no_needles(tmp_path: Path) -> None:
    grid = {"haystacks": ["essays"], "needle_sets": ["unanswerable@3"], "lengths": [800], "depths": [50]}
    (row,) = generate(tmp_path, grid)
    assert (row["needles"], row["elements"]) == ([], [])
    assert len(row["distractors"]) >= 3
    assert len(Tokens("cl100k", row["input"])) == 800


def test_a_document_of_hash_hop_has_room_for_no_further_line_and_answers_its_questions(
    tmp_path: Path,
) -> None:
    asked = ("--tokens", "3000", "--hops", "3", "--questions", "4", "--out", "hops.jsonl")
    made = run_niah("questions", "hash-hop", *asked, cwd=tmp_path)
    assert made.code == 0, made.err
    files = (tmp_path / "hops.documents.jsonl", tmp_path / "hops.jsonl")
    (document,), questions = ([json.loads(line) for line in path.open()] for path in files)
    assert 3000 - 40 < len(Tokens("cl100k", document["text"])) <= 3000
    assert len(questions) == 4
    for each in questions:
        assert each["document_id"] == document["id"]
        assert each["answers"] == hops(document["text"], each["question"])
