"""What goes wrong with a file on its way: cut, doubled, flipped, pasted into by a stranger."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import yaml

_BYTES = (
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\x85", b"\xe2\x80\xa8", b"\xed\xa0\x80", b"\t"),
    *(b"{{ x }}", b"{{ 'x' * 10**10 }}", b"{% endfor %}", b"{{ ", b"}}", b"{#", b"{% raw %}", b"{{ 1 / 0 }}"),
    *(b"{% for i in range(99999) %}{% for j in range(99999) %}", b"{% macro m() %}{{ m() }}{% endmacro %}"),
    *(
        b"{{ context }}",
        b"{{ question }}",
        b"{{ options[99] }}",
        b"{{ x.__class__ }}",
        b"{{ range(99999) | list }}",
    ),
    *(
        b"&a ",
        b"*a",
        b"!!int ",
        b"!!binary ",
        b"!!python/object:os.system ",
        b"<<: ",
        b"- - - ",
        b"? ",
        b"---",
    ),
    *(b"[", b"]", b"{", b"}", b": ", b"|\n", b">-\n", b'"', b"'", b"#", b"%YAML 9.9\n", b"@", b"`", b"%s%n"),
    *(b"0", b"-1", b"99999999999999999999", b"1e999", b".nan", b".inf", b"-.inf", b"0x7fffffffffffffff"),
    *(
        b"2001-99-99",
        b"true",
        b"null",
        b"~",
        b"yes",
        b"NaN",
        b"Infinity",
        b"1_000",
        b"3.5",
        b"1e-320",
        b"1:1:1",
    ),
    *(
        b"nowhere/else",
        b"/dev/null/x",
        b"/proc/none",
        b".",
        b"",
        b"a" * 300,
        b"http://[::1",
        b"essays",
        b"lc",
    ),
    *(b"smollm2", b"openai/gpt-4o-mini", b"u-niah", b"mixpr", b"oracle", b"u-niah@0", b"chain@99999"),
)
_TEXTS = (
    *("\u202eabc", "\u0345" * 40, "𝔘", "ﬃ", "İ", "ẞ", "🏽" * 30),
    *("한국어 문장입니다.", "这是一个句子。", "นี่คือประโยค"),
)
NASTY = (*_BYTES, *(text.encode() for text in _TEXTS))

_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**70, 0.5, -0.0, 1e308, float("inf"), float("nan")),
    *("", " ", "0", "-1", "x" * 5000, "\n\n\n", "{{ town }}", "{{ 9 ** 9 }}", ".", "/dev/null", "é" * 200),
    *([], {}, [[]], [None], [0] * 50, {"a": {"b": 1}}, {"": ""}, ["a", "a"], [[[[[]]]]]),
    *("essays", "lc", "smollm2", "chain@3", "\u200b"),
)


def mutated(draw: random.Random, content: bytes, kind: str) -> bytes:
    """``content`` after one to six mutations, by bytes or, for YAML and JSON, by values."""
    if kind.startswith("yaml") and draw.random() < 0.5:
        return _other_values(
            draw, content, yaml.safe_load, lambda data: yaml.safe_dump(data, sort_keys=False)
        )
    if kind.startswith("json") and draw.random() < 0.5:
        lines = content.splitlines()
        place = draw.randrange(len(lines))
        lines[place] = _other_values(draw, lines[place], json.loads, json.dumps)
        return b"\n".join(lines) + b"\n"
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        content = draw.choice(_BY_BYTES)(draw, content)
    return content


def mutated_words(draw: random.Random, lines: list[list[str]]) -> list[str]:
    """A command line with words that are dropped, doubled, swapped, cut or another's."""
    words = list(draw.choice(lines))
    for _ in range(draw.choice((1, 1, 2, 3))):
        place = draw.randrange(len(words) + 1)
        match draw.randrange(6):
            case 0 if len(words) > 1 and place < len(words):
                del words[place]
            case 1:
                words.insert(place, draw.choice(draw.choice(lines)))
            case 2:
                words.insert(place, _word(draw))
            case 3 if place < len(words):
                words[place] = _word(draw)
            case 4 if place < len(words):
                words[place] = mutated(draw, words[place].encode(), "word").decode("utf-8", "replace")
            case _:
                draw.shuffle(words)
    return [_harmless(word) for word in words]


def mutated_variables(draw: random.Random, names: list[str], lines: list[list[str]]) -> dict[str, str]:
    """One to three environment variables, with any words in them or with those of other command lines."""
    chosen = draw.sample(names, min(len(names), draw.choice((1, 1, 2, 3))))
    values = (
        _word(draw) if draw.random() < 0.6 else draw.choice(draw.choice(lines)) for _ in range(len(chosen))
    )
    return {name: _harmless(value) for name, value in zip(chosen, values, strict=True)}


def _harmless(word: str) -> str:
    """A word that a shell can pass, and no path that leads out of the folder: a command may write there."""
    word = word.replace("\0", "").replace("..", ".")
    return word if not word.startswith(("/", "~")) or word in ("/dev/null/x", "/proc/none") else f"x{word}"


def _word(draw: random.Random) -> str:
    return draw.choice(NASTY).decode("utf-8", "replace")


def _other_values(
    draw: random.Random, content: bytes, read: Callable[[bytes], Any], write: Callable[[Any], str]
) -> bytes:
    data = read(content)
    for _ in range(draw.choice((1, 1, 2, 4))):
        holders = _holders(data)
        if not holders:
            break
        holder = draw.choice(holders)
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            continue
        key = draw.choice(keys)
        match draw.randrange(5):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[f"{key}x"] = holder.pop(key)
            case 2 if isinstance(holder, list):
                holder.extend(holder[:1] * draw.choice((1, 2, 70)))
            case 3:
                holder[key] = [holder[key]]
            case _:
                holder[key] = draw.choice(_VALUES)
    return write(data).encode()


def _holders(data: Any) -> list[Any]:
    """All lists and mappings in ``data``, itself too."""
    if not isinstance(data, dict | list):
        return []
    inner = data.values() if isinstance(data, dict) else data
    return [data, *(one for value in inner for one in _holders(value))]


def _flip(draw: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(draw.choice((1, 3, 20)) if changed else 0):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def _cut(draw: random.Random, content: bytes) -> bytes:
    return content[: draw.randrange(len(content) + 1)]


def _take_out(draw: random.Random, content: bytes) -> bytes:
    first = draw.randrange(len(content) + 1)
    return content[:first] + content[first + draw.choice((1, 5, 60, 3000)) :]


def _repeat(draw: random.Random, content: bytes) -> bytes:
    first = draw.randrange(len(content) + 1)
    piece = content[first : first + draw.choice((1, 5, 60))]
    return content[:first] + piece * draw.choice((2, 30, 3000)) + content[first:]


def _paste(draw: random.Random, content: bytes) -> bytes:
    first = draw.randrange(len(content) + 1)
    return content[:first] + draw.choice(NASTY) * draw.choice((1, 1, 1, 2, 500)) + content[first:]


def _swap_lines(draw: random.Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = draw.sample(range(len(lines)), 2)
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _overwrite(draw: random.Random, content: bytes) -> bytes:
    first = draw.randrange(len(content) + 1)
    piece = draw.choice((b"\xff" * 8, b"\0" * 8, draw.randbytes(8), b"\x7f\xff\xff\xff"))
    return content[:first] + piece + content[first + len(piece) :]


_BY_BYTES = (_flip, _cut, _take_out, _repeat, _paste, _paste, _swap_lines, _overwrite)
