"""The loop behind ``short_byte_spans``: one walk over UTF-8, without any string.

The names follow ``niah.text.english_borders`` and ``niah.text.chunks``, which say what each rule is for.
Arguments are plain arrays and integers: ``text`` uint8, ``classes`` as in ``niah.text.scanning.characters``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from niah.text.scanning.characters import (
    ALPHABETIC,
    CAPITAL,
    CLOSER,
    DIGIT,
    ENDER,
    NEWLINE,
    NUMERAL,
    OPENER,
    SPACE,
    WORD,
)
from niah.text.scanning.compiled import compiled
from niah.text.scanning.kernels.bits import (
    eight_bytes,
    leading_zeros,
    letter_bits,
    ones,
    space_bits,
    stop_bits,
    trailing_zeros,
)
from niah.text.scanning.kernels.character_kernel import (
    class_at,
    next_character,
    previous_character,
    space_end,
    word_end,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Truth = Any  # bool
    Number = Any  # int64, as numba sees it
    Bytes = NDArray[np.uint8]
    Classes = NDArray[np.uint16]
    Offsets = NDArray[np.int64]
    Keys = NDArray[np.uint64]

# What an abbreviation is, as ``short_byte_spans`` lists it.
NEVER_LAST, BEFORE_NUMBERS, SOMETIMES_LAST, STARTER = 1, 2, 4, 8
# What a byte may be the first one of; 1 stands for white space that is ASCII.
MAYBE_STOP, MAYBE_SPACE, IS_NEWLINE = 2, 4, 8
# The hash table of the lists.
HASH, HASH_BITS = 0x9E3779B97F4A7C15, 10
# No abbreviation is longer (niah.text.english_borders), in characters; and no listed word is, in bytes.
_LONGEST = 16
_KEY_BYTES = 8
_LONGEST_NOTE = 24
# A place read as this is not below 0: of a signed one numba asks whether it counts from behind.
_U = np.uint64


@compiled
def _flags_of(key: np.uint64, keys: Keys, flags: Bytes) -> Number:
    """The flags of a word in the lists of ``short_byte_spans``, 0 if it is in none."""
    at = (key * np.uint64(HASH)) >> np.uint64(64 - HASH_BITS)
    while keys[at] != 0:
        if keys[at] == key:
            return np.int64(flags[at])
        at = (at + np.uint64(1)) & np.uint64((1 << HASH_BITS) - 1)
    return 0


@compiled
def _listed(text: Bytes, start: Number, end: Number, keys: Keys, flags: Bytes) -> Number:
    """``_flags_of`` the word ``text[start:end]``."""
    if end - start > _KEY_BYTES or end == start:
        return 0
    key = np.uint64(0)
    for i in range(start, end):
        if text[_U(i)] == 0:
            return 0
        key |= np.uint64(text[_U(i)]) << np.uint64(8 * (i - start))
    return _flags_of(key, keys, flags)


@compiled
def _starts_plainly(text: Bytes, classes: Classes, i: Number, keys: Keys, flags: Bytes) -> Truth:
    """Whether the paragraph's first word of letters from byte i on is one that starts sentences."""
    size = len(text)
    while i < size and not _is_letter(text, classes, i):
        if class_at(text, classes, i) & NEWLINE:
            i, newlines = space_end(text, classes, i, size)
            if newlines > 1:
                return False
        else:
            i = next_character(text, i)
    end = i
    while end < size and _is_letter(text, classes, end):
        end = next_character(text, end)
    return _listed(text, i, end, keys, flags) & STARTER != 0


@compiled
def _is_letter(text: Bytes, classes: Classes, i: Number) -> Truth:
    """Whether byte i starts a character of ``[^\\W\\d_]``."""
    kind = class_at(text, classes, i)
    return kind & WORD != 0 and kind & DIGIT == 0 and text[_U(i)] != 0x5F


@compiled
def _ends_sentence(
    text: Bytes, classes: Classes, first: Number, stop: Number, following: Number, keys: Keys, flags: Bytes
) -> Truth:
    """Whether the full stop at ``stop`` ends the sentence that begins at ``first``."""
    # Most often a word of two letters or more stands there behind a space, and it is in no list.
    if stop - first > _LONGEST and stop >= 64:
        letters: Number = np.int64(leading_zeros(~letter_bits(text, _U(stop - 64))))
        if 2 <= letters < _LONGEST and text[_U(stop - letters - 1)] == 0x20:
            word = eight_bytes(text, _U(stop - _KEY_BYTES)) >> _U(max(8 * (_KEY_BYTES - letters), 0))
            if letters > _KEY_BYTES or _flags_of(word, keys, flags) == 0:
                return True
    # The word before the stop, from at most 16 characters.
    start, seen, end = stop, 0, stop
    inside = False
    while start > first and seen < _LONGEST:
        before = previous_character(text, start)
        if class_at(text, classes, before) & SPACE:
            if inside:
                break
            end = before
        else:
            inside = True
        start = before
        seen += 1
    whole_start = start
    while start < end and class_at(text, classes, start) & OPENER:
        start = next_character(text, start)
    # What it is made of.
    characters, numerals, dots, last_is_alpha = 0, 0, 0, False
    i = start
    while i < end:
        kind = class_at(text, classes, i)
        characters += 1
        numerals += (kind & NUMERAL) != 0
        dots += text[_U(i)] == 0x2E
        last_is_alpha = (kind & ALPHABETIC) != 0
        i = next_character(text, i)
    flag = _listed(text, start, end, keys, flags)
    if flag & NEVER_LAST:
        return False
    if flag & BEFORE_NUMBERS:
        return not 0x30 <= text[_U(following)] <= 0x39
    is_letter = characters == 1 and last_is_alpha
    # Nothing but the word stands before the stop: no opener, and no white space after the word.
    fills = whole_start == first == start and end == stop
    if fills and (is_letter or (characters > 0 and numerals == characters)):
        return False
    if characters == 1 and text[_U(start)] == 0x49:  # "I"
        after = next_character(text, following)
        return after >= len(text) or text[_U(after)] != 0x2E
    if is_letter or (dots > 0 and last_is_alpha) or flag & SOMETIMES_LAST:
        return _starts_plainly(text, classes, following, keys, flags)
    return True


@compiled
def _capital_follows(text: Bytes, classes: Classes, i: Number) -> Truth:
    """Whether a capital or a digit stands at byte i, behind nothing but openers."""
    size = len(text)
    while i < size and class_at(text, classes, i) & OPENER:
        i = next_character(text, i)
    return i < size and class_at(text, classes, i) & CAPITAL != 0


@compiled
def _notes_end(text: Bytes, classes: Classes, end: Number) -> Number:
    """Where references like "[12]" from ``end`` on end: ``NOTE`` of ``niah.text.english_borders``."""
    size = len(text)
    while end < size and text[_U(end)] == 0x5B:
        close = end + 1
        while close < size and close <= end + _LONGEST_NOTE and 0x20 <= text[_U(close)] <= 0x7E:
            if class_at(text, classes, close) & ENDER or text[_U(close)] == 0x5B or text[_U(close)] == 0x5D:
                break
            close += 1
        if close == end + 1 or close >= size or text[_U(close)] != 0x5D:
            return end
        end = close + 1
        while end < size and class_at(text, classes, end) & CLOSER:
            end = next_character(text, end)
    return end


@compiled
def _has_few_words(text: Bytes, start: Number, end: Number, words: Number) -> Truth:
    """Whether white space alone tells that there are at most so many words; if not, they must be counted."""
    if end - start < 2 * words:
        return True
    spaces = 0
    i = start
    while i + 64 <= end:
        spaces += ones(space_bits(text, _U(i)))
        i += 64
    if i < end and i + 64 <= len(text):
        bits = space_bits(text, _U(i))
        return spaces + ones(bits & ((_U(1) << _U(end - i)) - _U(1))) < words
    while i < end:
        spaces += (text[_U(i)] <= 0x20) | (text[_U(i)] >= 0xC2)
        i += 1
    return spaces < words


@compiled
def _word_count(
    text: Bytes, classes: Classes, leads: Bytes, start: Number, end: Number
) -> tuple[Number, Truth]:
    """The words of ``text[start:end]``, which starts with one; and whether there is a newline among them."""
    count, before, doubt = 0, 1, 0
    for i in range(start, end):
        kind = leads[text[_U(i)]]
        count += before & ~kind & 1
        before = kind
        doubt |= kind
    if not doubt & MAYBE_SPACE:
        return count, doubt & IS_NEWLINE != 0
    count = 0
    while start < end:
        start, _ = space_end(text, classes, word_end(text, classes, start, end), end)
        count += 1
    return count, doubt & IS_NEWLINE != 0


@compiled
def _next_stop(text: Bytes, leads: Bytes, i: Number) -> Number:
    """The first byte from i on that may start an ender or a newline, or the size of the text."""
    size = len(text)
    while i + 64 <= size:
        bits = stop_bits(text, _U(i))
        if bits:
            return i + np.int64(trailing_zeros(bits))
        i += 64
    while i < size and not leads[text[_U(i)]] & MAYBE_STOP:
        i += 1
    return i


@compiled
def _space_start(text: Bytes, classes: Classes, i: Number) -> Number:
    """Where the white space before byte i starts; some other character stands before it."""
    before = previous_character(text, i)
    while class_at(text, classes, before) & SPACE:
        i = before
        before = previous_character(text, i)
    return i


@compiled
def _skip_words(text: Bytes, classes: Classes, leads: Bytes, i: Number, end: Number, words: Number) -> Number:
    """Where the word starts that comes ``words`` after the one at byte i, or ``end``."""
    before: Number = 0
    while i < end:
        kind = leads[text[_U(i)]]
        step = 1
        if kind & MAYBE_SPACE:
            kind = class_at(text, classes, i)
            step = next_character(text, i) - i
        space = kind & SPACE
        words -= before > space
        if words == 0:
            return i
        before = space
        i += step
    return end


@compiled
def _cut(
    text: Bytes,
    classes: Classes,
    leads: Bytes,
    start: Number,
    end: Number,
    words: Number,
    starts: Offsets,
    ends: Offsets,
    n: Number,
) -> Number:
    """A sentence, whole or, if it has too many words, its lines in parts of nearly equal numbers of words."""
    count, has_newline = _word_count(text, classes, leads, start, end)
    if count <= words:
        starts[n] = start
        ends[n] = end
        return n + 1
    while start < end:
        newline: Number = end
        stop: Number = end
        if has_newline:
            newline = start
            while newline < end and text[_U(newline)] != 0x0A:
                newline += 1
            stop = _space_start(text, classes, newline)
            count, _ = _word_count(text, classes, leads, start, stop)
        parts = -(-count // words)
        done = 0
        for part in range(1, parts + 1):
            border = part * count // parts
            after = _skip_words(text, classes, leads, start, stop, border - done)
            starts[n] = start
            ends[n] = _space_start(text, classes, after)
            n += 1
            start, done = after, border
        start, _ = space_end(text, classes, newline, end)
    return n


@compiled
def short_spans_into(
    text: Bytes,
    classes: Classes,
    leads: Bytes,
    words: Number,
    keys: Keys,
    flags: Bytes,
    starts: Offsets,
    ends: Offsets,
) -> Number:
    """Writes the byte offsets of the spans into ``starts`` and ``ends`` and returns how many they are.

    There must be room for ``len(text) // 2 + 1``: each span has a character, and white space follows.

    Only enders and newlines are looked at; they are some 2 % of prose. ``leads`` tells the bytes that may
    start one (MAYBE_STOP), newlines (IS_NEWLINE), ASCII white space (1) and the bytes that may start other
    white space (MAYBE_SPACE).
    """
    size = len(text)
    n = 0
    first, _ = space_end(text, classes, 0, size)
    i = first
    while first < size:
        i = _next_stop(text, leads, i)
        kind = class_at(text, classes, i) if i < size else NEWLINE
        # What comes most often: an ender, a space, a capital.
        if kind & ENDER and i + 2 < size and text[_U(i + 1)] == 0x20 and 0x41 <= text[_U(i + 2)] <= 0x5A:
            end = i + 1
            following = i + 2
            ended = text[_U(i)] != 0x2E or _ends_sentence(text, classes, first, i, following, keys, flags)
        elif kind & NEWLINE:
            end = _space_start(text, classes, i)
            following, newlines = space_end(text, classes, end, size)
            ended = newlines > 1 or following == size
        elif kind & ENDER:
            run = i
            while run < size and class_at(text, classes, run) & ENDER:
                run = next_character(text, run)
            end = run
            while end < size and class_at(text, classes, end) & CLOSER:
                end = next_character(text, end)
            full_stop = text[_U(i)] == 0x2E and end == i + 1
            end = _notes_end(text, classes, end)
            following, newlines = space_end(text, classes, end, size)
            ended = newlines > 1 or following == size
            if not ended and following > end and _capital_follows(text, classes, following):
                ended = not full_stop or _ends_sentence(text, classes, first, i, following, keys, flags)
        else:
            i = next_character(text, i)
            continue
        if ended:
            if _has_few_words(text, first, end, words):
                starts[n] = first
                ends[n] = end
                n += 1
            else:
                n = _cut(text, classes, leads, first, end, words, starts, ends, n)
            first = following
        i = following
    return n
