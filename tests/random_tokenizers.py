"""Cases made at random: texts over all categories of Unicode, and tokenizers trained on them on the spot.

Every number given to ``random_case`` is another case. Text, needles and kind of tokenizer are the same each
time; what the tokenizer learns from the text is not, since its trainer breaks ties at random. Where its file
is there already, it is not trained anew.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.errors import UserError
from niah.needles.load import load_needle_set

_PER_CATEGORY = 400
_ENDS = (". ", ".", "! ", "? ", "… ", "。", "！", "। ", "؟ ", "; ", ": ", " ", ".\n", '." ', ".) ", "...  ")
_GPT2 = r"'s|'t| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
WORLDS_SHARE = 8
"""So many cases in a row are of one text and one tokenizer, to train fewer."""


class Trial(NamedTuple):
    """What became of a case: the first line of the message where it could not be built, and what is wrong."""

    case: Case
    error: str
    faults: tuple[str, ...]


def try_random_case(number: int, folder: Path) -> Trial:
    """Build a case, and count its whole prompt with the tokenizer as it was trained."""
    case = random_case(number, folder)
    try:
        context = build_context(case)
    except UserError as error:
        return Trial(case, error.message.partition(": ")[2] or error.message, ())
    tokenizer = Tokenizer.from_file(case.tokenizer)
    question = load_needle_set(case.needle_set, case.seed).question
    prompt = load_prompt(case.prompt).render(context.text, question)
    total = len(tokenizer.encode(prompt, add_special_tokens=False).ids)
    faults = []
    if total != context.tokens + context.prompt_tokens:
        faults.append(f"{context.tokens} + {context.prompt_tokens} tokens recorded, {total} found")
    if total > case.context_length or (case.mode == "exact" and total != case.context_length):
        faults.append(f"{total} tokens for a length of {case.context_length}")
    offsets = tokenizer.encode(context.text, add_special_tokens=False).offsets
    for needle in context.needles:
        if any(end > needle.start for _, end in offsets[: needle.token_start]):
            faults.append(f"{needle.id} begins before token {needle.token_start}")
        if needle.token_start < len(offsets) and offsets[needle.token_start][1] < needle.start:
            faults.append(f"{needle.id} begins behind token {needle.token_start}")
        if case.mode == "exact" and needle.token_start != needle.asked_token:
            faults.append(f"{needle.id} was asked at {needle.asked_token}, and is at {needle.token_start}")
    if not faults:
        try:
            audit_context(case, context)
        except Exception as error:  # a fault of any kind is what is looked for
            faults.append(f"audit: {error}")
    return Trial(case, "", tuple(faults))


def random_case(number: int, folder: Path) -> Case:
    """The case of that number; its text, needles and tokenizer are files in ``folder``."""
    random, world = Random(f"case {number}"), number // WORLDS_SHARE
    haystack, needle_set = folder / f"text-{world}.txt", folder / f"needles-{world}.yaml"
    tokenizer = folder / f"tokens-{world}" / "tokenizer.json"
    if not tokenizer.exists():
        _write_world(Random(f"world {world}"), haystack, needle_set, tokenizer)
    return Case(
        needle_set=str(needle_set),
        haystack=str(haystack),
        context_length=random.randint(300, 6000),
        depth=random.choice([0, 100, random.randint(0, 200) / 2]),
        seed=random.randint(0, 5),
        tokenizer=str(tokenizer),
        mode=random.choice(["exact", "exact", "contiguous"]),
        distractors=random.randint(0, 1),
        distractor_depth=random.choice(["spread", "near", "before", "after"]),
        repeat=True,
    )


def _write_world(random: Random, haystack: Path, needle_set: Path, tokenizer: Path) -> None:
    """The files that some cases in a row are made of."""
    alphabet = _alphabet(random)
    text = _text(random, alphabet, random.randint(3000, 20000))
    haystack.write_text(text, encoding="utf-8", newline="")
    elements = [f"quartz{number}x" for number in range(3)]
    texts = [f"{_sentence(random, alphabet)} {name} {_sentence(random, alphabet)}" for name in elements]
    needles = list(zip(elements[:2], texts[:2], strict=True))
    definition = {
        "question": f"What is it? {_sentence(random, alphabet)}",
        "answer": "quartz0x and quartz1x",
        "elements": [{"name": name} for name in elements[:2]],
        "needles": [{"id": name, "text": text, "elements": [name]} for name, text in needles],
        "distractors": [{"id": "d", "text": texts[2], "elements": [{"name": elements[2]}]}],
    }
    needle_set.write_text(yaml.safe_dump(definition, allow_unicode=True), encoding="utf-8")
    tokenizer.parent.mkdir()
    _trained(random, text).save(str(tokenizer))


@cache
def _characters() -> dict[str, list[str]]:
    """Some characters of every category of Unicode that files of text may hold."""
    found: dict[str, list[str]] = {}
    for code in range(1, sys.maxunicode + 1):
        category = unicodedata.category(chr(code))
        if category != "Cs":
            found.setdefault(category, []).append(chr(code))
    return {
        category: Random(category).sample(all_of_it, min(_PER_CATEGORY, len(all_of_it)))
        for category, all_of_it in found.items()
    }


def _alphabet(random: Random) -> list[str]:
    """Characters that a text is made of: letters of some kind, and a few of any other category."""
    characters = _characters()
    letters = random.choice(
        [
            list("etaoinshrdlucmfw"),
            random.sample(characters["Lo"], 40),
            [chr(code) for code in range(0x4E00, 0x4E60)],
            [chr(code) for code in range(0x430, 0x450)],
            random.sample(characters["Lu"], 8) + random.sample(characters["Ll"], 20),
        ]
    )
    others = [random.choice(characters[category]) for category in random.sample(sorted(characters), 8)]
    return letters * random.choice([1, 3, 9]) + others


def _sentence(random: Random, alphabet: list[str]) -> str:
    """One line that is not blank."""
    many = range(random.randint(1, 18))
    words = ["".join(random.choices(alphabet, k=random.randint(1, 9))) for _ in many]
    sentence = " ".join([words[0].capitalize(), *words[1:]])
    return f"A{' '.join(sentence.split())}"


def _text(random: Random, alphabet: list[str], characters: int) -> str:
    ends = random.sample(_ENDS, random.randint(1, 4))
    breaks = random.choice(["\n\n", "\n\n", "\n"])
    parts: list[str] = []
    while sum(map(len, parts)) < characters:
        sentences = [
            f"{_sentence(random, alphabet)}{random.choice(ends)}" for _ in range(random.randint(1, 9))
        ]
        parts.append("".join(sentences) + breaks)
    return "".join(parts)


def _trained(random: Random, text: str) -> Tokenizer:
    """A tokenizer of some kind, with a normalizer and pre-tokenizer of some kind, learned from the text."""
    size = random.choice([300, 600, 1500])
    alphabet = sorted(set(text))[: random.choice([60, 400])]
    kind = random.choice(["bytes", "bpe", "unigram", "wordpiece"])
    tokenizer: Tokenizer
    trainer: trainers.Trainer
    quiet: dict[str, Any] = {"show_progress": False}
    if kind == "bytes":
        tokenizer, letters = Tokenizer(models.BPE()), pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=size + 256, initial_alphabet=letters, **quiet)
    elif kind == "bpe":
        unknown = random.choice([None, "<unk>"])
        tokenizer = Tokenizer(models.BPE(unk_token=unknown, fuse_unk=random.random() < 0.5))
        quiet |= {"special_tokens": [unknown] if unknown else [], "initial_alphabet": alphabet}
        trainer = trainers.BpeTrainer(vocab_size=size, **quiet)
    elif kind == "unigram":
        tokenizer = Tokenizer(models.Unigram())
        quiet |= {"special_tokens": ["<unk>"], "initial_alphabet": alphabet}
        trainer = trainers.UnigramTrainer(vocab_size=size, unk_token="<unk>", **quiet)
    else:
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=60))
        quiet |= {"special_tokens": ["[UNK]"], "initial_alphabet": alphabet}
        trainer = trainers.WordPieceTrainer(vocab_size=size, **quiet)
    normalizer = _normalizer(random)
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    cutter = _cutter(random, kind)
    if cutter is not None:
        tokenizer.pre_tokenizer = cutter
    # Training cuts at white space at least: without that, a merge may hold half of the text.
    tokenizer.train_from_iterator(text.split("\n") if cutter is not None else text.split(" "), trainer)
    return tokenizer


def _normalizer(random: Random) -> normalizers.Normalizer | None:
    kinds = [
        normalizers.NFC(),
        normalizers.NFD(),
        normalizers.NFKC(),
        normalizers.NFKD(),
        normalizers.Lowercase(),
        normalizers.BertNormalizer(),
        normalizers.Replace(" ", "▁"),
        normalizers.Strip(left=True, right=True),
        normalizers.Replace(Regex(r" {2,}"), " "),
        normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]),
        normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
    ]
    return random.choice([None, None, None, random.choice(kinds), random.choice(kinds)])


def _cutter(random: Random, kind: str) -> pre_tokenizers.PreTokenizer | None:
    if kind == "bytes":
        return random.choice(
            [
                pre_tokenizers.ByteLevel(add_prefix_space=random.random() < 0.3),
                pre_tokenizers.Sequence(
                    [
                        pre_tokenizers.Split(Regex(_GPT2), "isolated"),
                        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
                    ]
                ),
                pre_tokenizers.Sequence([pre_tokenizers.Digits(), pre_tokenizers.ByteLevel()]),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
    kinds = [
        pre_tokenizers.Whitespace(),
        pre_tokenizers.WhitespaceSplit(),
        pre_tokenizers.BertPreTokenizer(),
        pre_tokenizers.Metaspace(prepend_scheme=random.choice(["always", "first", "never"])),
        pre_tokenizers.Metaspace(split=False),
        pre_tokenizers.UnicodeScripts(),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()]),
        pre_tokenizers.CharDelimiterSplit(" "),
        pre_tokenizers.FixedLength(length=random.randint(3, 9)),
    ]
    return None if kind != "wordpiece" and random.random() < 0.15 else random.choice(kinds)
