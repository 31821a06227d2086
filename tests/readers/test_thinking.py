"""Which models are known to think, and the room that they get."""

from __future__ import annotations

import pytest

from niah.readers.options import ReaderOptions
from niah.readers.thinking import DEFAULT_ROOM, thinks_by_default, with_default_room


@pytest.mark.parametrize(
    "model",
    [
        *("openai/o3", "o4-mini-2025-04-16", "azure/gpt-5-mini", "openai/gpt-oss-20b", "gpt-5.2"),
        *("deepseek/deepseek-reasoner", "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "Qwen/QwQ-32B"),
        *("Qwen/Qwen3-8B", "models/Qwen3-0.6B-Q8_0.gguf", "Qwen/Qwen3-235B-A22B-Thinking-2507"),
        *("gemini/gemini-2.5-flash", "vertex_ai/gemini-3-pro-preview", "xai/grok-4", "zai/glm-4.6"),
        *("mistral/magistral-small-latest", "moonshot/kimi-k2-thinking", "microsoft/Phi-4-mini-reasoning"),
        *("qwen3:8b", "ollama/qwen3", "Qwen/Qwen3.5-35B-A3B", "deepseek/deepseek-v4-flash", "gpt-5.1-codex"),
        *("moonshotai/Kimi-K2.5", "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", "MiniMaxAI/MiniMax-M2.5"),
        *("xai/grok-4-fast-reasoning", "bedrock/converse/deepseek-r1", "HuggingFaceTB/SmolLM3-3B"),
    ],
)
def test_models_known_to_think(model: str) -> None:
    assert thinks_by_default(model)


@pytest.mark.parametrize(
    "model",
    [
        *(
            "openai/gpt-4o",
            "openai/gpt-5-chat-latest",
            "smollm2",
            "anthropic/claude-opus-4-1",
            "Qwen/Qwen2.5-7B",
        ),
        *("Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-Coder-30B", "gemini/gemini-2.5-flash-lite", "grok-3"),
        *(
            "xai/grok-4-fast-non-reasoning",
            "deepseek/deepseek-chat",
            "mistral/mistral-large",
            "phi-4",
            "octo-7b",
        ),
        *("openai/gpt-5.1", "gpt-5.1-2025-11-13", "deepseek-ai/DeepSeek-V3.2", "moonshotai/Kimi-K2-Instruct"),
        *("qwen3-max", "qwen3.5-plus", "google/gemma-4-31B-it"),
        *("Qwen/Qwen3-8B-Base", "folder/o3/llama-3-8b", "gemini/gemini-2.5-flash-image"),
    ],
)
def test_models_that_do_not_think_unless_asked(model: str) -> None:
    assert not thinks_by_default(model)


@pytest.mark.parametrize(
    ("options", "model", "room"),
    [
        (ReaderOptions(), "gpt-4o", 0),
        (ReaderOptions(), "o3", DEFAULT_ROOM),
        (ReaderOptions(thinking_tokens=2000), "o3", 2000),
        (ReaderOptions(thinking_tokens=0), "o3", 0),
        (ReaderOptions(thinking_tokens=2000), "gpt-4o", 2000),
        (ReaderOptions(reasoning_effort="low"), "mine", DEFAULT_ROOM),
        (ReaderOptions(reasoning_effort="none"), "gpt-5.2", 0),
        (ReaderOptions(mode="completion"), "Qwen3-8B", 0),
    ],
)
def test_room_for_thoughts(options: ReaderOptions, model: str, room: int) -> None:
    assert with_default_room(options, model).thinking_room == room


def test_what_is_stated_is_what_differs() -> None:
    assert ReaderOptions().stated == {}
    assert with_default_room(ReaderOptions(temperature=0.7), "o3").stated == {
        "temperature": 0.7,
        "default_room": DEFAULT_ROOM,
    }
    assert with_default_room(ReaderOptions(thinking_tokens=9, stop=("\n",)), "o3").stated == {
        "thinking_tokens": 9,
        "stop": ["\n"],
    }
    assert hash(ReaderOptions(extra_body={"top_k": 1})) == hash(ReaderOptions(extra_body={"top_k": 2}))
    assert ReaderOptions(extra_body={"top_k": 1}) != ReaderOptions(extra_body={"top_k": 2})
