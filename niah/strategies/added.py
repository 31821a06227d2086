"""Strategies of packages, asked: whatever goes wrong in them is one line, and said of one question."""

from __future__ import annotations

from niah.errors import NiahError, OutsideError
from niah.plugins.registry import error_line
from niah.strategies.named import AddedStrategy, SelectionRequest

_JOINT = "\n\n"


def texts_of(strategy: AddedStrategy, request: SelectionRequest) -> tuple[str, tuple[str, ...]]:
    """What the strategy puts in the context's place, and the texts that it is made of. Raises OutsideError.

    A text that stands in the context is one; of another one, its paragraphs are.
    """
    try:
        made = strategy.select(request)
        texts = (made,) if isinstance(made, str) else tuple(made)
    except NiahError:
        raise
    except Exception as error:  # whatever a stranger's function does
        raise _failed(strategy, error_line(error)) from error
    if wrong := next((text for text in texts if not isinstance(text, str)), None):
        raise _failed(strategy, f"it gave a {type(wrong).__name__}, not a text")
    whole = _JOINT.join(texts)
    if (tokens := request.count(whole)) > request.room:
        raise _failed(strategy, f"it gave {tokens:,} tokens, and there is room for {request.room:,}")
    if isinstance(made, str) and made not in request.text:
        texts = tuple(made.split(_JOINT))
    return whole, texts


def _failed(strategy: AddedStrategy, problem: str) -> OutsideError:
    return OutsideError(f"the strategy {strategy.name} failed: {problem}.", "Mend the package that has it.")
