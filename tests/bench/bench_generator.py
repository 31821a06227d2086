"""Cases per second, against the plain cost of copying and hashing the same bytes in this process."""

from __future__ import annotations

import hashlib
import time
from itertools import product

from niah.cases.assembly import build
from niah.cases.case import Case

SETS = ("ferry-lanterns", "three-gates", "pizza-ingredients", "rainbow-potion", "academy-courses")
LENGTHS = (1000, 2000, 4000, 8000, 16000, 32000, 48000, 64000)
DEPTHS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


def main() -> None:
    cases = [Case(s, "essays", length, depth) for s, length, depth in product(SETS, LENGTHS, DEPTHS)]
    start = time.process_time()
    for case in cases[:: len(LENGTHS)]:
        build(case)
    warm = time.process_time() - start
    start = time.process_time()
    contexts = [build(case) for case in cases]
    built = time.process_time() - start
    texts = [context.text.encode() for context in contexts]
    start = time.process_time()
    copies = [bytes(bytearray(text)) for text in texts]
    copied = time.process_time() - start
    start = time.process_time()
    for text in copies:
        hashlib.sha256(text).digest()
    hashed = time.process_time() - start
    tokens = sum(context.tokens for context in contexts)
    print(
        f"generator: {len(cases)} cases, {tokens:,} tokens in {built:.3f} s = "
        f"{len(cases) / built:,.0f} cases/s, {tokens / built / 1e6:,.0f} Mtok/s; "
        f"{built / copied:.1f} x copying twice, {built / hashed:.1f} x sha256; first use {warm:.2f} s"
    )


if __name__ == "__main__":
    main()
