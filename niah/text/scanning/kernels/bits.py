"""Which of 64 bytes are of a kind, as the bits of one number: what compiled loops ask in place of each byte.

Written for LLVM, with which numba compiles: where the machine can, it compares all 64 bytes at once. The
first byte is the lowest bit. Callers see to it that the bytes are there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

# Python without types: numba's own objects, which say nothing of theirs.
_Writer = tuple[Any, Callable[..., Any]]

_BLOCK = ir.VectorType(ir.IntType(8), 64)
_LOWER = 0x20
_NEVER = ir.Constant(ir.IntType(1), 0)  # what ``cttz`` is told: 0 has an answer


def _intrinsic(function: Callable[..., _Writer]) -> Any:
    """What compiled loops call it as: without the first argument, numba's."""
    return numba_intrinsic(function)


def _bits_of(*ranges: tuple[int, int], either_case: bool = False) -> Any:
    """A function of bytes and a place: which of the 64 from there on are in one of the ranges, ends included.

    With ``either_case`` ranges are of small letters, and capitals count as these.
    """

    def bits(_typing: Any, text: Any, place: Any) -> _Writer:
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _place(context, builder, signature.args[0], arguments[0], arguments[1], _BLOCK)
            block = builder.load(place, align=1)
            if either_case:
                block = builder.or_(block, _every(_LOWER))
            found = _every(0, 1)
            for low, high in ranges:
                within = builder.icmp_unsigned("<=", builder.sub(block, _every(low)), _every(high - low))
                found = builder.or_(found, within)
            return builder.bitcast(found, ir.IntType(64))

        return types.uint64(text, place), write

    return _intrinsic(bits)


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any, read_as: Any) -> Any:
    """Where the bytes from ``at`` on lie."""
    proxy: Any = cgutils.create_struct_proxy
    data = proxy(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), read_as.as_pointer())


def _every(value: int, width: int = 8) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(width), 64), [value] * 64)


letter_bits = _bits_of((0x61, 0x7A), either_case=True)
"""ASCII letters."""
odd_bits = _bits_of((0x30, 0x39), (0x5F, 0x5F), (0x80, 0xFF))
"""What else may be of a word: ASCII digits, the underscore, what is not ASCII."""
stop_bits = _bits_of((0x0A, 0x0A), (0x21, 0x21), (0x2E, 0x2E), (0x3F, 0x3F), (0xE2, 0xE2))
"""What may start an ender of sentences ("…" among them) or a newline."""
space_bits = _bits_of((0x00, 0x20), (0xC2, 0xFF))
"""What may start white space, and some more."""
high_bits = _bits_of((0x80, 0xFF))
"""What is not ASCII."""
later_bits = _bits_of((0x80, 0xBF))
"""All bytes of a character but the first."""


@_intrinsic
def eight_bytes(_typing: Any, text: Any, place: Any) -> _Writer:
    """The 8 bytes from ``place`` on as a number, the first lowest."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], arguments[0], arguments[1], ir.IntType(64))
        word = builder.load(place, align=1)
        return word if sys.byteorder == "little" else builder.bswap(word)

    return types.uint64(text, place), write


@_intrinsic
def copy_block(_typing: Any, text: Any, place: Any, found: Any, at: Any) -> _Writer:
    """Writes the 64 bytes of ``text`` from ``place`` on into ``found``, from ``at`` on."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        source = _place(context, builder, kinds[0], arguments[0], arguments[1], _BLOCK)
        target = _place(context, builder, kinds[2], arguments[2], arguments[3], _BLOCK)
        builder.store(builder.load(source, align=1), target, align=1)
        return context.get_dummy_value()

    return types.void(text, place, found, at), write


@_intrinsic
def trailing_zeros(_typing: Any, word: Any) -> _Writer:
    """The place of the lowest bit of 64, 64 without any."""

    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _NEVER)

    return types.uint64(types.uint64), write


@_intrinsic
def leading_zeros(_typing: Any, word: Any) -> _Writer:
    """How many bits of 64 are above the highest that is set, 64 without any."""

    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], _NEVER)

    return types.uint64(types.uint64), write


@_intrinsic
def ones(_typing: Any, word: Any) -> _Writer:
    """How many bits of 64 are set."""

    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), write
