"""Models that think before they answer, unless they are asked not to, by their names.

They get room for their thoughts by default, so that no answer is cut before it has begun. A model that is
missing here gets it by ``thinking_tokens``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from niah.readers.options import ReaderOptions

DEFAULT_ROOM = 8192
"""Tokens for thoughts where nobody says: several times what a question about a text takes."""

_NO_EFFORT = frozenset({"none", "minimal", "disable"})


@dataclass(frozen=True)
class ThinkingFamily:
    """Models of one maker that think by default.

    Attributes:
        title: which models, for people.
        names: pattern of their names, without provider and folder, in lower case, from the start.
        source: where their maker says so, or who serves them.
        limits: what of the family does not, or not always.
    """

    title: str
    names: str
    source: str
    limits: str


THINKING_FAMILIES = (
    ThinkingFamily(
        "OpenAI's o-series, GPT-5 and later, but GPT-5.1",
        r"o[1-9](-|$)|gpt-[5-9](?!.*chat)(?!\.1($|-(?!codex|pro)))",
        "developers.openai.com/api/docs/guides/reasoning",
        "GPT-5.1 does so on request alone; of one that does so too, the room stays unused",
    ),
    ThinkingFamily(
        "gpt-oss", r"gpt-oss", "docs.together.ai/docs/reasoning-overview", "always; the effort can be set"
    ),
    ThinkingFamily(
        "DeepSeek R1, reasoner, V4",
        r"deepseek-(r[1-9]|reasoner|v[4-9])",
        "api-docs.deepseek.com/guides/thinking_mode",
        "V3.1 and V3.2 on request alone",
    ),
    ThinkingFamily(
        "QwQ, Qwen3 and later, open weights",
        r"qwq|qwen[3-9](\.\d+)?([-:]|$)(?!.*(instruct|coder|max|plus|flash|turbo|omni|base))",
        "docs.vllm.ai/en/stable/features/reasoning_outputs",
        "not Instruct and Coder; those sold by name alone (plus, max, flash) on request",
    ),
    ThinkingFamily(
        "Gemini 2.5 Pro and Flash, 3 and later",
        r"gemini-(2\.5-(pro|flash)|[3-9])(?!.*(lite|image|tts|live|audio))",
        "ai.google.dev/gemini-api/docs/thinking",
        "Flash-Lite on request alone",
    ),
    ThinkingFamily(
        "Grok 3 mini, 4 and later",
        r"grok-(3-mini|[4-9])(?!.*non-reasoning)",
        "docs.x.ai/docs/guides/reasoning",
        "but those called non-reasoning",
    ),
    ThinkingFamily("Magistral", r"magistral", "docs.mistral.ai/capabilities/reasoning/native", "always"),
    ThinkingFamily(
        "GLM-4.5 and later",
        r"glm-(4\.[5-9]|[5-9])",
        "docs.bigmodel.cn/cn/guide/capabilities/thinking-mode",
        "4.5 and 4.6 as they see fit",
    ),
    ThinkingFamily(
        "Kimi K2.5 and later",
        r"kimi-k(2\.[5-9]|[3-9])",
        "docs.together.ai/docs/reasoning-overview",
        "K2 only where it is called Thinking",
    ),
    ThinkingFamily(
        "MiniMax M1 and later",
        r"minimax-m[1-9]",
        "intl.cloud.tencent.com/document/product/1300/80637",
        "always",
    ),
    ThinkingFamily(
        "Nemotron 3",
        r"(nvidia-)?nemotron-3",
        "lmstudio.ai/nvidia/nemotron-3-nano",
        "earlier ones by their system prompt",
    ),
    ThinkingFamily("EXAONE Deep", r"exaone-deep", "EXAONE Deep, arXiv 2503.12524", "always"),
    ThinkingFamily(
        "SmolLM3", r"smollm3(?!.*base)", "ericlbuehler.github.io/mistral.rs/SMOLLM3.html", "not Base"
    ),
    ThinkingFamily(
        "Phi-4-reasoning, and all others whose name ends with it: thinking, reasoner, reasoning",
        r".*[-_](thinking|reasoner|reasoning)\b(?<!non-reasoning)",
        "the name says so; Phi-4-reasoning Technical Report, arXiv 2504.21318",
        "not non-reasoning",
    ),
)


@lru_cache(maxsize=256)
def thinks_by_default(model: str) -> bool:
    """Whether a model, named as users name it, is known to think before it answers."""
    name = model.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".gguf")
    return any(re.match(family.names, name) for family in THINKING_FAMILIES)


def with_default_room(options: ReaderOptions, model: str) -> ReaderOptions:
    """The options, with room for thoughts where the model thinks by default or is asked for an effort."""
    effort = options.reasoning_effort
    thinks = effort not in _NO_EFFORT if effort else thinks_by_default(model)
    return replace(options, default_room=DEFAULT_ROOM if thinks and options.mode == "chat" else 0)
