"""Korean words: spaces part them, and particles stand in one word with what they follow."""

from __future__ import annotations

import re
from functools import lru_cache

PARTICLES = (
    "은|는|이|가|을|를|의|도|만|에|에서|에게|에게서|한테|께|께서|와|과|랑|이랑|하고|로|으로|로서|으로서"
    "|로써|으로써|까지|부터|마저|조차|밖에|처럼|같이|보다|마다|나|이나|라도|이라도|란|이란|라는|이라는"
    "|라고|이라고|다|이다|이었다|였다|이며|며|이고|고|입니다|이에요|예요|들|님|씨"
)
"""Case particles and forms of the copula, as the inside of a group."""


def is_with_particles(word: str, name: str) -> bool:
    """Whether ``word`` is ``name`` with up to three particles behind it: "2톤입니다" of "2톤".

    A name of one syllable is never found so, since it begins other words ("사" and "사과"), and behind a
    digit "만" is ten thousand.
    """
    if word.isascii() or not word.startswith(name) or (len(name) == 1 and not name.isascii()):
        return False
    rest = word[len(name) :]
    if name[-1].isdigit() and rest.startswith("만"):
        return False
    return _particles().fullmatch(rest) is not None


@lru_cache
def _particles() -> re.Pattern[str]:
    return re.compile(f"(?:{PARTICLES}){{1,3}}")
