"""Models that think before they answer, unless they are asked not to, by their names.

They get room for their thoughts by default, so that no answer is cut before it has begun. A model that is
missing here gets it by ``thinking_tokens``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from niah.readers.options import ReaderOptions

DEFAULT_ROOM = 8192
"""Tokens for thoughts where nobody says: several times what a question about a text takes."""

_NO_EFFORT = frozenset({"none", "minimal", "disable"})


@dataclass(frozen=True)
class ThinkingFamily:
    """Models of one maker that think by default.

    Attributes:
        names: pattern of their names, without provider and folder, in lower case, from the start.
        source: where their maker says so.
    """

    names: str
    source: str


THINKING_FAMILIES = (
    ThinkingFamily(r"o[1-9](-|$)|gpt-[5-9](?!.*chat)", "platform.openai.com/docs/guides/reasoning"),
    ThinkingFamily(r"gpt-oss", "gpt-oss-120b & gpt-oss-20b Model Card, arXiv 2508.10925"),
    ThinkingFamily(r"deepseek-(r[1-9]|reasoner)", "api-docs.deepseek.com/guides/reasoning_model"),
    ThinkingFamily(
        r"qwq|qwen[3-9](\.\d+)?-(?!.*(instruct|coder|max|plus|flash|turbo|omni|base))",
        "Qwen3 Technical Report, arXiv 2505.09388",
    ),
    ThinkingFamily(
        r"gemini-(2\.5-(pro|flash)|[3-9])(?!.*(lite|image|tts|live|audio))",
        "ai.google.dev/gemini-api/docs/thinking",
    ),
    ThinkingFamily(r"grok-(3-mini|[4-9])(?!.*non-reasoning)", "docs.x.ai/docs/guides/reasoning"),
    ThinkingFamily(r"magistral", "docs.mistral.ai/capabilities/reasoning"),
    ThinkingFamily(r"glm-(4\.[5-9]|[5-9])", "docs.z.ai/guides/capabilities/thinking"),
    ThinkingFamily(r"minimax-m[1-9]", "MiniMax-M1, arXiv 2506.13585"),
    ThinkingFamily(r"phi-4-(mini-)?reasoning", "Phi-4-reasoning Technical Report, arXiv 2504.21318"),
    ThinkingFamily(r"exaone-deep", "EXAONE Deep, arXiv 2503.12524"),
    ThinkingFamily(r"smollm3-(?!.*base)", "the model's card: extended thinking is on by default"),
    ThinkingFamily(r".*[-_](thinking|reasoner|reasoning)\b(?<!non-reasoning)", "the name says so"),
)


def thinks_by_default(model: str) -> bool:
    """Whether a model, named as users name it, is known to think before it answers."""
    name = model.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".gguf")
    return any(re.match(family.names, name) for family in THINKING_FAMILIES)


def with_default_room(options: ReaderOptions, model: str) -> ReaderOptions:
    """The options, with room for thoughts where the model thinks by default or is asked for an effort."""
    effort = options.reasoning_effort
    thinks = effort not in _NO_EFFORT if effort else thinks_by_default(model)
    return replace(options, default_room=DEFAULT_ROOM if thinks and options.mode == "chat" else 0)
