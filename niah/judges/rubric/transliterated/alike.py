"""Whether a word in another script may write a name: how far apart the two sound.

No two languages write a foreign name by the same sounds: Japanese has no "l", "v" or "th" and a vowel
behind each consonant, Korean no "f", Arabic no "p" and no short vowels. A distance sums up what each sound is
off by: what the script cannot tell apart costs little, another vowel too, another consonant more than 1.
"""

from __future__ import annotations

from functools import lru_cache

from niah.judges.rubric.transliterated.sounds import Script

_VOWELS = frozenset("aeiou")
_OTHER = 1.2
_ANOTHER_VOWEL, _MORE_VOWELS = 0.15, 0.15
_WRITTEN_VOWEL = 0.35
_LEFT_OUT = {"h": 0.35, "w": 0.3, "r": 0.9}
"""What may be silent, or sound as part of a vowel."""
_MISSING = 1.1
"""The cost of another consonant that one of the two has alone."""


def _pairs(listed: str) -> dict[frozenset[str], float]:
    costs: dict[frozenset[str], float] = {}
    for entry in listed.split():
        signs, _, cost = entry.partition(":")
        costs[frozenset(signs)] = float(cost)
    return costs


# "u" and "i" stand for "w" and "y" too.
_ANY = _pairs(
    "vw:.25 wu:.2 wo:.3 sz:.35 sS:.5 zS:.5 tS:.9 kS:.6 gS:.2 Tt:.1 Ts:.2 Td:.4 Tz:.4 Tf:.5 hk:.5 mn:.7 hS:.7"
)
_OF_SCRIPT: dict[Script, dict[frozenset[str], float]] = {
    "latin": {},
    "cyrillic": _pairs("hg:.2 vw:.05 ui:.1"),
    "katakana": _pairs("lr:0 vb:.1 fh:.1 Ts:0 Tz:.1 Ss:.2 uw:.1 vu:.3 mn:.3 tS:.4"),
    "hangul": _pairs("lr:0 fp:.1 vb:.1 vp:.2 zS:.1 td:.1 kg:.1 pb:.1 Ts:.1 Td:.2 tS:.4"),
    "arabic": _pairs("pb:.05 vf:.05 vb:.3 kg:.2 gS:.2 wu:0 vu:.3 iu:.1"),
    "devanagari": _pairs("vw:0 zS:.1 fp:.2 Td:.3 mn:.4 tS:.4"),
}
_R_IS_SILENT: tuple[Script, ...] = ("katakana", "hangul", "devanagari")
_R_SILENT = 0.35
_FEWEST = 0.35
_A_SOUND = 0.12
"""How far apart two words may sound: this much for each sound, or a little in a short one."""


@lru_cache(maxsize=32768)
def distance(name: str, said: str, script: Script) -> float:
    """How far a word is from a name: 0 where it sounds the same.

    Args:
        name: the sounds of the name.
        said: the sounds of the word.
        script: the one of the two that is not Latin.
    """
    row = [0.0]
    more = [_besides(sound, script) for sound in said]
    for cost in more:
        row.append(row[-1] + cost)
    for mine in name:
        gone = _without(mine, script)
        before, row = row, [row[0] + gone]
        for place, sound in enumerate(said, 1):
            row.append(
                min(
                    before[place - 1] + _instead(mine, sound, script),
                    before[place] + gone,
                    row[-1] + more[place - 1],
                )
            )
    return row[-1]


def may_be(name: str, apart: float) -> bool:
    """Whether a word so far from the sounds of a name may write it."""
    return apart <= max(_FEWEST, _A_SOUND * len(name))


@lru_cache(maxsize=2048)
def _without(sound: str, script: Script) -> float:
    if sound in _VOWELS:
        return _MORE_VOWELS
    if sound == "r" and script in _R_IS_SILENT:
        return _R_SILENT
    return _LEFT_OUT.get(sound, _MISSING)


def _besides(sound: str, script: Script) -> float:
    """The cost of what a word has and the name has not: Arabic writes no vowel that is not long."""
    return _WRITTEN_VOWEL if script == "arabic" and sound in _VOWELS else _without(sound, script)


@lru_cache(maxsize=4096)
def _instead(mine: str, said: str, script: Script) -> float:
    if mine == said:
        return 0.0
    pair = frozenset((mine, said))
    known = _OF_SCRIPT[script].get(pair, _ANY.get(pair))
    if known is not None:
        return known
    return _ANOTHER_VOWEL if pair <= _VOWELS else _OTHER
